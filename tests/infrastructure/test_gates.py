"""The gates that other tools keep: cdk-nag's rules for AWS solutions, cfn-lint, and sam validate."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from aws_cdk import App, Stack, Validations
from aws_cdk import aws_s3 as s3
from cdk_nag import AwsSolutionsChecks

from tests.conftest import cannot_run
from tests.infrastructure.conftest import RICH, Synthesise
from tests.infrastructure.templates import FLAGS, ROOT, new_app
from tests.soak import SOAKING

CFN_LINT = str(Path(sys.executable).parent / "cfn-lint")
SAM = ROOT / ".venv-sam" / "bin" / "sam"


# What is made by default is nearly all made with everything, and these tools are slow.
EVERYTHING = [RICH, *([{}] if SOAKING else [])]


@pytest.mark.parametrize("settings", EVERYTHING, ids=["with everything", "by default"][: len(EVERYTHING)])
def test_every_rule_of_cdk_nag_is_kept_or_suppressed_with_a_reason(settings: dict[str, Any], tmp_path: Path) -> None:
    app = new_app(tmp_path, settings)
    Validations.of(app).add_plugins(AwsSolutionsChecks(app))

    app.synth()

    report = json.loads((tmp_path / "validation-report.json").read_text())
    assert [each["violations"] for each in report["pluginReports"] if each["violations"]] == []


def test_cdk_nag_would_have_said_something(tmp_path: Path) -> None:
    app = App(outdir=str(tmp_path), context=FLAGS, analytics_reporting=False)
    s3.Bucket(Stack(app, "Web"), "Careless")
    Validations.of(app).add_plugins(AwsSolutionsChecks(app))

    with pytest.raises(RuntimeError, match="AwsSolutions-S1"):
        app.synth()


def test_cfn_lint_has_nothing_to_say(system: Synthesise) -> None:
    made = [system(**settings) for settings in EVERYTHING]
    templates = [str(file) for each in made for file in each.folder.glob("*.template.json")]

    # W3005: CDK writes dependencies down that CloudFormation would find by itself.
    said = subprocess.run(
        [CFN_LINT, "--ignore-checks", "W3005", "--regions", "us-east-1", "--", *templates],
        capture_output=True,
        text=True,
        check=False,
    )

    assert (said.returncode, said.stdout) == (0, "")


def test_sam_takes_the_template_of_the_api(system: Synthesise) -> None:
    sam = SAM if SAM.exists() else shutil.which("sam")
    if sam is None:
        cannot_run("the AWS SAM CLI is not there; `make test` installs it")
    (template,) = system().folder.glob("*-api.template.json")
    environment = os.environ | {"SAM_CLI_TELEMETRY": "0", "AWS_ACCESS_KEY_ID": "none", "AWS_SECRET_ACCESS_KEY": "none"}

    said = subprocess.run(
        [str(sam), "validate", "--region", "us-east-1", "--template", str(template)],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )

    assert said.returncode == 0, said.stdout + said.stderr
    assert "is a valid SAM Template" in said.stdout
