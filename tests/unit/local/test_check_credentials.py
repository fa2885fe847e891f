"""`make deploy` checks the credentials before it spends minutes on checks."""

from pathlib import Path

import pytest
from moto import mock_aws

from local.engine import ROOT
from scripts.check_credentials import main


@pytest.fixture(autouse=True)
def nothing_configured(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "config"))
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "credentials"))
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")


def test_no_credentials_are_one_sentence_that_says_what_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 1

    said = capsys.readouterr().err
    assert said.startswith("There are no AWS credentials.") and "aws configure" in said
    assert said.count("\n") == 1


def test_a_profile_that_does_not_exist_is_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["-c", "stage=prod", "--profile", "nowhere"]) == 1

    assert "The config profile (nowhere) could not be found." in capsys.readouterr().err


def test_credentials_that_work_show_their_account(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with mock_aws():
        assert main(["-c", "stage=prod"]) == 0

    assert capsys.readouterr().out == "AWS account 123456789012.\n"


@pytest.mark.parametrize("command", ["deploy", "destroy"])
def test_the_commands_that_need_credentials_check_them_first(command: str) -> None:
    (rule,) = [line for line in (ROOT / "Makefile").read_text().splitlines() if line.startswith(f"{command}:")]

    assert rule.removeprefix(f"{command}:").split()[0] == "credentials"
