"""Reads synthesised templates the way a reviewer does: resources by type, policies by function, references as text."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aws_cdk import App

from infra.config import read_config
from infra.system import add_stacks

ROOT = Path(__file__).parents[2]
FLAGS = json.loads((ROOT / "cdk.json").read_text())["context"]
Resource = dict[str, Any]
Permission = tuple[str, str]
"""An action and the resource it is allowed on."""


def synthesise(folder: Path, settings: Mapping[str, Any]) -> None:
    new_app(folder, settings).synth()


def new_app(folder: Path, settings: Mapping[str, Any], context: Mapping[str, Any] | None = None) -> App:
    """From these settings only: ignores the stage files and the built page of this machine."""
    app = App(outdir=str(folder), context=FLAGS | dict(context or {}), analytics_reporting=False)
    add_stacks(app, read_config({"page": "nowhere", **settings}))
    return app


@dataclass(frozen=True)
class System:
    folder: Path
    stacks: Mapping[str, dict[str, Any]]
    """The template of each stack: data, pipeline, api, observability, web."""

    @classmethod
    def read(cls, folder: Path) -> "System":
        files = sorted(folder.glob("*.template.json"))
        return cls(folder, {file.name.split(".")[0].rpartition("-")[2]: json.loads(file.read_text()) for file in files})

    def resources(self, kind: str, stack: str | None = None) -> dict[str, Resource]:
        """By stack and logical id."""
        return {name: resource for name, resource in self.all(stack) if resource["Type"] == kind}

    def all(self, only: str | None = None) -> Iterator[tuple[str, Resource]]:
        for stack, template in self.stacks.items():
            if only in (None, stack):
                for logical_id, resource in template["Resources"].items():
                    yield f"{stack}/{logical_id}", resource

    def functions(self) -> dict[str, Resource]:
        """Our functions' properties, by module."""
        found = (each["Properties"] for each in self.resources("AWS::Lambda::Function").values())
        return {each["Handler"].split(".")[-2]: each for each in found if each["Handler"].startswith("functions.")}

    def permissions(self, module: str) -> set[Permission]:
        """The permissions that a function's role has."""
        return {permission for statement in self.statements(module) for permission in allowed_by(statement)}

    def statements(self, module: str) -> list[dict[str, Any]]:
        role = self.functions()[module]["Role"]["Fn::GetAtt"][0]
        return [
            statement
            for holders, policy in self.policies()
            if role in holders
            for statement in policy["PolicyDocument"]["Statement"]
        ]

    def policies(self) -> Iterator[tuple[list[str], dict[str, Any]]]:
        """Every policy with the logical ids of its roles: those of a role itself, and those beside one."""
        for name, resource in self.all():
            if resource["Type"] == "AWS::IAM::Role":
                for policy in resource["Properties"].get("Policies", []):
                    yield [name.partition("/")[2]], policy
            elif resource["Type"] == "AWS::IAM::Policy":
                yield [role["Ref"] for role in resource["Properties"]["Roles"]], resource["Properties"]


def origin_secret_of(made: System) -> str:
    """The logical id of the secret that CloudFront sends to the API."""
    (found,) = [
        name.partition("/")[2]
        for name, each in made.resources("AWS::SecretsManager::Secret", "api").items()
        if each["Properties"].get("Name", "").endswith("/origin-secret")
    ]
    return found


def allowed_by(statement: Mapping[str, Any]) -> set[Permission]:
    assert statement["Effect"] == "Allow"
    return {
        (action, text(resource)) for action in listed(statement["Action"]) for resource in listed(statement["Resource"])
    }


def listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def text(value: Any) -> str:
    """A template's value with its references as text: `arn:{AWS::Partition}:…`."""
    if isinstance(value, str):
        return value
    ((function, argument),) = value.items()
    if function == "Ref":
        return f"{{{argument}}}"
    if function == "Fn::GetAtt":
        return f"{{{'.'.join(argument)}}}"
    if function == "Fn::Join":
        return str(argument[0]).join(map(text, argument[1]))
    if function == "Fn::ImportValue":
        return f"{{import {text(argument)}}}"
    return json.dumps(value)
