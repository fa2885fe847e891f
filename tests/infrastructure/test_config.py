"""A wrong setting is one clear sentence, and nothing is made."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from functions.runtime.errors import InvalidSetting
from infra.config import Config, context_of_arguments, read_config, with_stage_file
from tests.infrastructure.templates import ROOT

CERTIFICATE = "arn:aws:acm:us-east-1:123456789012:certificate/abc"
MISTAKES: list[tuple[dict[str, Any], str]] = [
    ({"stage": "production"}, "stage must be one of dev, staging, prod, not 'production'."),
    (
        {"prefix": "my_tables!"},
        "prefix must be 3 to 40 letters, digits and inner dashes, a letter first, not 'my_tables!'.",
    ),
    ({"prefix": "9lives"}, "prefix must be"),
    ({"prefix": "x" * 41}, "prefix must be"),
    ({"region": "Mars"}, "region must be an AWS region such as us-east-1, not 'Mars'."),
    ({"alarm_email": "nobody"}, "alarm_email must be an email address, not 'nobody'."),
    ({"alarm_email": "a@b@c.com"}, "alarm_email must be an email address"),
    ({"log_retention": -1}, "log_retention must be a number of days that CloudWatch Logs knows"),
    ({"log_retention": "8"}, "log_retention must be a number of days"),
    ({"billing": "free"}, "billing must be one of on-demand, provisioned, not 'free'."),
    ({"pitr": "maybe"}, "pitr must be true or false, not 'maybe'."),
    ({"keep_transcripts": "sometimes"}, "keep_transcripts must be true or false, not 'sometimes'."),
    ({"pitr": "false"}, "exports needs pitr"),
    ({"auth": "basic"}, "auth must be one of write, all, none, jwt, private, not 'basic'."),
    ({"auth": "jwt"}, "auth=jwt needs jwt_issuer and jwt_audience."),
    ({"auth": "jwt", "jwt_issuer": "http://x", "jwt_audience": "a"}, "jwt_issuer must be the https:// address"),
    ({"providers": "both"}, "providers must be one of demo, live, not 'both'."),
    ({"news_analyst": "bedrock"}, "news_analyst=bedrock needs bedrock_model"),
    ({"analyst": "oracle"}, "analyst must be one of auto, rules, recorded, bedrock, openai, not 'oracle'."),
    ({"analyst": "ollama"}, "analyst must be one of auto, rules, recorded, bedrock, openai, not 'ollama'."),
    ({"cors_origins": "https://a.example,b.example"}, "cors_origins must be an origin such as https://example.com"),
    ({"rate_limit": "0"}, "rate_limit must be a whole number from 1 to 10000, not '0'."),
    ({"tags": "Team"}, "tags must be pairs such as Team=Data,CostCenter=42, not 'Team'."),
    ({"tags": ["Team"]}, "tags must be pairs"),
    ({"api_domain": "api.example.com"}, "api_domain and api_certificate go together"),
    ({"api_domain": "https://api"}, "api_domain must be a domain such as api.example.com"),
    ({"replica_region": "us-east-1", "region": "us-east-1"}, "replica_region must be another region than us-east-1."),
    ({"replica_region": "eu-west-1", "billing": "provisioned"}, "replica_region needs billing=on-demand."),
    ({"waf": "true", "region": "eu-west-1"}, "waf=true needs region=us-east-1, the only one"),
    (
        {"api_domain": "a.example.com", "api_certificate": CERTIFICATE, "direct_api": "false"},
        "api_domain needs direct_api=true",
    ),
    ({"monthly_budget": "cheap"}, "monthly_budget must be a whole number from 0 to 1000000, not 'cheap'."),
    ({"jwt_audience": 7}, "jwt_audience must be a list, or text with commas, not 7."),
    ({"stag": "dev"}, "There is no setting 'stag'; did you mean stage?"),
]


@pytest.mark.parametrize(("context", "sentence"), MISTAKES, ids=lambda value: str(value)[:40])
def test_a_wrong_setting_is_one_clear_sentence(context: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InvalidSetting) as refused:
        read_config(context)

    assert str(refused.value).startswith(sentence)
    assert "\n" not in str(refused.value)


def test_settings_are_taken_as_text_and_as_values() -> None:
    from_the_command_line = {"pitr": "false", "exports": "false", "log_retention": "7", "tags": "Team=Data,Cost=4 2"}
    from_the_file = {"pitr": False, "exports": False, "log_retention": 7, "tags": {"Team": "Data", "Cost": "4 2"}}

    assert read_config(from_the_command_line) == read_config(from_the_file)


def test_settings_of_cdk_itself_are_passed_over() -> None:
    config = read_config({"@aws-cdk/core:flag": True, "aws:cdk:bundling-stacks": ["**"], "stage": "staging"})

    assert config.stage == "staging"


def test_each_stage_has_names_of_its_own_unless_a_prefix_is_given() -> None:
    prefixes = [read_config({"stage": stage}).prefix for stage in ("dev", "staging", "prod")]

    assert prefixes == ["StockTrackRecord", "StockTrackRecord-staging", "StockTrackRecord-prod"]
    assert read_config({"stage": "prod", "prefix": "Mine"}).prefix == "Mine"


def test_the_layer_is_that_of_the_python_and_processor() -> None:
    layer = read_config({"python": "3.12", "architecture": "x86_64"}).layer

    assert layer == ROOT / ".layers" / "python3.12-x86_64"


def test_the_command_line_wins_over_the_file_of_the_stage(tmp_path: Path) -> None:
    (tmp_path / "prod.json").write_text('{"log_retention": 90, "alarm_email": "ops@example.com"}')

    config = read_config(with_stage_file({"stage": "prod", "log_retention": "7"}, tmp_path))

    assert (config.log_retention, config.alarm_email) == (7, "ops@example.com")
    assert read_config(with_stage_file({}, tmp_path)).alarm_email is None


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ('{"log_retention": 90,}', "is not JSON"),
        ('{"stage": "dev"}', "must be a JSON object of the settings of prod, without stage itself."),
        ("[]", "must be a JSON object"),
    ],
)
def test_a_file_that_is_no_file_of_its_stage_is_refused(tmp_path: Path, content: str, sentence: str) -> None:
    (tmp_path / "prod.json").write_text(content)

    with pytest.raises(InvalidSetting, match=sentence):
        with_stage_file({"stage": "prod"}, tmp_path)


@pytest.mark.parametrize("stage", ["dev", "staging", "prod"])
def test_the_files_of_the_stages_can_be_used(stage: str) -> None:
    assert read_config(with_stage_file(context_of_arguments([f"stage={stage}"]))).stage == stage


def test_every_setting_is_in_the_operators_table() -> None:
    settings = (ROOT / "docs" / "operations.md").read_text().partition("## Settings")[2].partition("\n## ")[0]

    assert [name for name in Config.model_fields if f"`{name}`" not in settings] == []


def test_the_app_says_what_is_wrong_and_makes_nothing() -> None:
    environment = os.environ | {"CDK_CONTEXT_JSON": '{"stage": "production"}', "PYTHONWARNINGS": "error"}

    ended = subprocess.run(
        [sys.executable, "app.py"], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )

    assert ended.returncode == 1
    assert "stage must be one of dev, staging, prod, not 'production'." in ended.stderr.splitlines()
    assert "Traceback" not in ended.stderr
