"""The workflows of GitHub Actions: what they run exists, and they may do no more than they need."""

import re
import subprocess
import sys
from typing import Any, get_args

import pytest
import yaml

from infra.config import Stage
from local.engine import ROOT

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
MAKEFILE = (ROOT / "Makefile").read_text()
TARGETS = set(re.findall(r"^([a-z-]+):", MAKEFILE, re.MULTILINE))
UNPACK = "tar -xzf release.tar.gz"
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
    for command in set(commands) - {UNPACK}:
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


def test_a_deployment_is_started_by_hand_on_main_alone_switched_on_and_brings_no_key() -> None:
    deploy = workflow("deploy")

    assert set(deploy["on"]) == {"workflow_dispatch"}
    assert set(deploy["on"]["workflow_dispatch"]["inputs"]["stage"]["options"]) == set(get_args(Stage))
    for job in deploy["jobs"].values():
        assert job["if"] == "github.ref == 'refs/heads/main' && vars.AWS_DEPLOY_ROLE != ''"
    assert deploy["permissions"] == {"contents": "read"}
    assert "secrets." not in (ROOT / ".github/workflows/deploy.yml").read_text()


def test_what_is_deployed_is_built_by_a_job_without_rights() -> None:
    jobs = workflow("deploy")["jobs"]
    build, deploy = jobs["build"], jobs["deploy"]

    assert list(jobs) == ["build", "deploy"]
    assert "permissions" not in build
    assert "environment" not in build
    assert not [step for step in build["steps"] if "aws-actions/" in step.get("uses", "")]
    assert commands_of(build) == ['make release STAGE="$STAGE"']
    assert deploy["needs"] == "build"
    assert deploy["permissions"] == {"id-token": "write"}
    assert deploy["environment"] == "${{ inputs.stage }}"


def test_the_job_with_rights_installs_and_builds_nothing() -> None:
    """Any step of a job that may request an identity can use it, before or after the credentials are taken."""
    deploy = workflow("deploy")["jobs"]["deploy"]
    used = [step["uses"].partition("@")[0] for step in deploy["steps"] if "uses" in step]

    assert commands_of(deploy) == [UNPACK, 'make deploy-release STAGE="$STAGE"']
    assert "actions/checkout" not in used
    assert used.index("actions/download-artifact") < used.index("aws-actions/configure-aws-credentials")
    recipe = re.search(r"^deploy-release:(.*) ##.*\n((?:\t.*\n)+)", MAKEFILE, re.MULTILINE)
    assert recipe
    assert recipe[1].strip() == "", "it would build what it depends on"
    assert not re.search(r"npm|pip|install|synth|make ", recipe[2])
    assert "--app cdk.out" in recipe[2]


def test_the_release_holds_all_that_is_needed_to_deploy_it() -> None:
    released = re.search(r"^RELEASED = (.*)$", MAKEFILE, re.MULTILINE)
    assert released

    program = "import sys, operations.check_stage, operations.smoke; print(*{m.split('.')[0] for m in sys.modules})"
    ended = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = set(ended.stdout.split())
    ours = {path.name for path in ROOT.iterdir() if (path / "__init__.py").exists()}

    assert loaded & ours <= set(released[1].split())
    assert not loaded & {"aws_cdk", "jsii", "playwright"}


def commands_of(job: dict[str, Any]) -> list[str]:
    return [step["run"] for step in job["steps"] if "run" in step]
