"""A deployment can be changed: other settings, another region, another stage, and taken down again."""

import json
import re
from typing import Any

import pytest

from infra.config import read_config
from tests.infrastructure.conftest import EVERY_READ, LEAN, RICH, Synthesise
from tests.infrastructure.templates import System, text
from tests.soak import SOAKING

CHANGES: list[dict[str, Any]] = [
    EVERY_READ,
    LEAN,
    *([{"providers": "live"}, {"direct_api": "true"}, RICH | {"stage": "dev"}] if SOAKING else []),
]
GLOBAL_NAMES = {
    "AWS::Budgets::Budget": ("Budget", "BudgetName"),
    "AWS::CloudFront::CachePolicy": ("CachePolicyConfig", "Name"),
    "AWS::CloudFront::Function": ("Name",),
    "AWS::CloudFront::KeyGroup": ("KeyGroupConfig", "Name"),
    "AWS::CloudFront::OriginAccessControl": ("OriginAccessControlConfig", "Name"),
    "AWS::CloudFront::OriginRequestPolicy": ("OriginRequestPolicyConfig", "Name"),
    "AWS::CloudFront::ResponseHeadersPolicy": ("ResponseHeadersPolicyConfig", "Name"),
    "AWS::IAM::ManagedPolicy": ("ManagedPolicyName",),
    "AWS::IAM::Role": ("RoleName",),
    "AWS::IAM::User": ("UserName",),
    "AWS::S3::Bucket": ("BucketName",),
    "AWS::WAFv2::WebACL": ("Name",),
}
"""Where resources that an account has once for all regions hold their name, if it is fixed."""
ACTS_FOR_OTHERS = {
    "backup.amazonaws.com",
    "events.amazonaws.com",
    "scheduler.amazonaws.com",
    "states.amazonaws.com",
}
"""Services that use roles on behalf of the person who set them up."""


def exports_of(made: System) -> set[str]:
    outputs = [each for template in made.stacks.values() for each in template.get("Outputs", {}).values()]
    return {text(each["Export"]["Name"]) for each in outputs if "Export" in each}


def imports_of(made: System) -> set[str]:
    return set(re.findall(r'"Fn::ImportValue": "([^"]+)"', json.dumps(list(made.stacks.values()))))


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: ",".join(change)[:40])
def test_no_export_depends_on_a_setting(system: Synthesise, change: dict[str, Any]) -> None:
    """A stack cannot give up an export while another still imports it: the change would never be deployed."""
    before, after = system(), system(**change)

    assert exports_of(before) == exports_of(after)
    assert imports_of(before) == imports_of(after) == exports_of(after)


def test_keys_survive_a_change_of_providers(system: Synthesise) -> None:
    for made in (system(), system(providers="live")):
        kept = {each["Properties"]["Name"] for each in made.resources("AWS::SecretsManager::Secret", "data").values()}
        assert kept == {"StockTrackRecord/provider-keys", "StockTrackRecord/alert-key"}


def test_two_regions_of_one_account_share_no_name(system: Synthesise) -> None:
    here, there = system(**RICH), system(**RICH | {"region": "eu-west-1", "replica_region": "", "waf": "false"})

    assert {kind for kind, _ in global_names(here)} >= {"AWS::Budgets::Budget", "AWS::CloudFront::OriginAccessControl"}
    assert not global_names(here) & global_names(there)


def test_every_kind_of_cloudfront_resource_is_known_by_its_name(system: Synthesise) -> None:
    kinds = {each["Type"] for _, each in system(**RICH).all() if each["Type"].startswith("AWS::CloudFront::")}

    assert kinds - {"AWS::CloudFront::Distribution"} <= set(GLOBAL_NAMES)


def test_the_web_acl_guards_the_distribution_where_it_is_set(system: Synthesise) -> None:
    made = system(**RICH)

    ((acl, properties),) = made.resources("AWS::WAFv2::WebACL").items()
    assert properties["Properties"]["Scope"] == "CLOUDFRONT"
    assert "us-east-1" in properties["Properties"]["Name"]
    (distribution,) = made.resources("AWS::CloudFront::Distribution").values()
    assert distribution["Properties"]["DistributionConfig"]["WebACLId"] == {
        "Fn::GetAtt": [acl.partition("/")[2], "Arn"]
    }
    assert not system().resources("AWS::WAFv2::WebACL")


def test_production_is_protected_and_has_names_of_its_own(system: Synthesise) -> None:
    assert {each.get("terminationProtection", False) for each in _stacks(system(**RICH))} == {True}
    assert {each.get("terminationProtection", False) for each in _stacks(system())} == {False}
    assert all(name.startswith("StockTrackRecord-prod-") for name in _stack_names(system(**RICH)))


def test_stacks_bear_the_stage_that_a_deployment_is_compared_with(system: Synthesise) -> None:
    assert {each["tags"]["Environment"] for each in _stacks(system(**RICH))} == {"prod"}
    assert {each["tags"]["Environment"] for each in _stacks(system())} == {"dev"}


def test_services_use_our_roles_for_this_account_alone(system: Synthesise) -> None:
    checked = set()
    for name, role in system(**RICH).resources("AWS::IAM::Role").items():
        for statement in role["Properties"]["AssumeRolePolicyDocument"]["Statement"]:
            service = statement["Principal"].get("Service")
            if service in ACTS_FOR_OTHERS:
                condition = statement["Condition"]["StringEquals"]["aws:SourceAccount"]
                assert condition == {"Ref": "AWS::AccountId"}, name
                checked.add(service)
    assert checked == ACTS_FOR_OTHERS


@pytest.mark.parametrize(("python", "architecture"), [("3.13", "arm64"), ("3.12", "x86_64")])
def test_functions_and_layer_are_of_one_python_and_processor(
    system: Synthesise, python: str, architecture: str
) -> None:
    settings: dict[str, Any] = {} if python == "3.13" else LEAN
    made = system(**settings)

    for function in made.functions().values():
        assert (function["Runtime"], function["Architectures"]) == (f"python{python}", [architecture])
    for layer in made.resources("AWS::Lambda::LayerVersion").values():
        assert layer["Properties"]["CompatibleRuntimes"] == [f"python{python}"]
        assert layer["Properties"]["CompatibleArchitectures"] == [architecture]
    assert read_config(settings).layer.name == f"python{python}-{architecture}"


def global_names(made: System) -> set[tuple[str, str]]:
    found = set()
    for _, resource in made.all():
        value: Any = resource.get("Properties", {})
        for step in GLOBAL_NAMES.get(resource["Type"], ("no such property",)):
            value = value.get(step) if value else None
        if value:
            found.add((resource["Type"], text(value)))
    return found


def _stacks(made: System) -> list[dict[str, Any]]:
    """Returns the properties of each stack in the manifest for the CDK command line."""
    artifacts = json.loads((made.folder / "manifest.json").read_text())["artifacts"].values()
    return [each["properties"] for each in artifacts if each["type"] == "aws:cloudformation:stack"]


def _stack_names(made: System) -> list[str]:
    return [file.name for file in made.folder.glob("*.template.json")]
