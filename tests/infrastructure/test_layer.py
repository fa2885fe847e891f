"""The layer is built for the Python and processor of the settings, and holds the SDK the functions were tested with."""

import ast
import re
from pathlib import Path

import pytest

from layers import build
from tests.infrastructure.templates import ROOT

PINNED = {"aws-lambda-powertools", "boto3", "botocore", "pydantic", "urllib3"}


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], ("python3.13-arm64", "3.13", "manylinux2014_aarch64")),
        (["-c", "architecture=x86_64"], ("python3.13-x86_64", "3.13", "manylinux2014_x86_64")),
        (["-c", "python=3.12", "--profile", "me"], ("python3.12-arm64", "3.12", "manylinux2014_aarch64")),
    ],
)
def test_the_settings_choose_the_layer(
    monkeypatch: pytest.MonkeyPatch, arguments: list[str], expected: tuple[str, str, str]
) -> None:
    built: list[tuple[str, str, str]] = []
    monkeypatch.setattr("sys.argv", ["build", *arguments])
    monkeypatch.setattr(build, "build", lambda *given: built.append((given[0].name, *given[1:])) or 0)

    assert build.main() == 0

    assert built == [expected]


def test_a_layer_is_built_once_and_again_when_something_changes(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    installed: list[tuple[str, str]] = []

    def install(target: Path, python: str, platform: str) -> bool:
        for package in ("boto3", "botocore"):
            for service in ("dynamodb", "ec2"):
                (target / package / "data" / service).mkdir(parents=True)
        (target / "botocore" / "data" / "endpoints.json").write_text("{}")
        installed.append((python, platform))
        return True

    monkeypatch.setattr(build, "_install", install)
    monkeypatch.setattr(build, "find_interpreter", lambda _: None)

    for python in ("3.12", "3.12", "3.13"):
        assert build.build(tmp_path / "layer", python, "somewhere") == 0

    assert installed == [("3.12", "somewhere"), ("3.13", "somewhere")]
    kept = {str(path.relative_to(tmp_path / "layer" / "python")) for path in (tmp_path / "layer").rglob("data/*")}
    assert kept == {"boto3/data/dynamodb", "botocore/data/dynamodb", "botocore/data/endpoints.json"}


def test_a_build_that_fails_leaves_no_half_of_a_layer(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(build, "_install", lambda target, *_: target.mkdir(parents=True))

    assert build.build(tmp_path / "layer", "3.13", "somewhere") == 1

    assert not (tmp_path / "layer").exists()


def test_the_layer_has_the_model_of_every_service_that_is_called() -> None:
    called = {
        node.args[0].value
        for path in (ROOT / "functions").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call)
        and ast.unparse(node.func).rpartition(".")[2].strip("_") in ("client", "create_client")
        and node.args
        and isinstance(node.args[0], ast.Constant)
    }

    assert {"sqs", "stepfunctions"} <= called
    assert {"dynamodb", *called} <= set(build.SERVICES)


def test_the_sdk_is_pinned_in_the_layer() -> None:
    pinned = re.findall(r"^([\w-]+)==[\d.]+", build.REQUIREMENTS.read_text(), flags=re.MULTILINE)

    assert set(pinned) >= PINNED
    assert re.search(r"^urllib3==2\.", build.REQUIREMENTS.read_text(), flags=re.MULTILINE)
