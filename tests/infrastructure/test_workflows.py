"""The workflows of GitHub Actions: what they run exists, and they may do no more than they need."""

import re
from typing import Any, get_args

import pytest
import yaml

from infra.config import Stage
from local.engine import ROOT

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
MAKEFILE = (ROOT / "Makefile").read_text()
TARGETS = set(re.findall(r"^([a-z-]+):", MAKEFILE, re.MULTILINE))
VARIABLES = set(re.findall(r"\$\(([A-Z]+)\)", MAKEFILE))


def workflow(name: str) -> Any:
    content = yaml.safe_load((ROOT / ".github" / "workflows" / f"{name}.yml").read_text())
    # YAML 1.1 takes the word `on` for a truth value.
    return {("on" if key is True else key): value for key, value in content.items()}


def steps(name: str) -> list[dict[str, Any]]:
    return [step for job in workflow(name)["jobs"].values() for step in job["steps"]]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_each_command_is_a_target_of_the_makefile(path: Any) -> None:
    commands = [step["run"] for step in steps(path.stem) if "run" in step]

    assert commands
    for command in commands:
        make, target, *variables = command.split(" ", 2)
        assert make == "make"
        assert target in TARGETS
        assert set(re.findall(r"\b([A-Z]+)=", " ".join(variables))) <= VARIABLES


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_each_action_is_pinned_to_a_commit_beside_the_version_that_it_is(path: Any) -> None:
    used = re.findall(r"uses: (.+)", path.read_text())

    assert used
    for action in used:
        assert re.fullmatch(r"(actions|aws-actions)/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", action)


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_no_checkout_leaves_its_token_to_later_steps(path: Any) -> None:
    checkouts = [step for step in steps(path.stem) if step.get("uses", "").startswith("actions/checkout@")]

    assert checkouts
    assert all(step["with"]["persist-credentials"] is False for step in checkouts)


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_nothing_that_a_person_types_gets_into_a_shell_as_text(path: Any) -> None:
    assert not [step for step in steps(path.stem) if "${{" in step.get("run", "")]


def test_a_change_is_checked_and_tested_with_the_right_to_read_alone() -> None:
    checks = workflow("checks")

    assert set(checks["on"]) == {"push", "pull_request"}
    assert {step["run"] for step in steps("checks") if "run" in step} == {"make check", "make test"}
    assert checks["permissions"] == {"contents": "read"}
    assert not [job for job in checks["jobs"].values() if "permissions" in job]
    assert all(job["strategy"]["matrix"]["python"] == ["3.11", "3.13"] for job in checks["jobs"].values())


def test_a_deployment_is_started_by_hand_switched_on_and_brings_no_key() -> None:
    deploy = workflow("deploy")
    (job,) = deploy["jobs"].values()

    assert set(deploy["on"]) == {"workflow_dispatch"}
    assert set(deploy["on"]["workflow_dispatch"]["inputs"]["stage"]["options"]) == set(get_args(Stage))
    assert job["if"] == "vars.AWS_DEPLOY_ROLE != ''"
    assert deploy["permissions"] == {"contents": "read"}
    assert job["permissions"] == {"contents": "read", "id-token": "write"}
    assert "secrets." not in (ROOT / ".github/workflows/deploy.yml").read_text()
