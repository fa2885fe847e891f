"""The dashboard's assumptions about the API match the API."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from functions.reading.statements import Act, Speaker
from functions.record.channels.youtube_urls import parse_channel_url
from functions.record.models.said import corrected
from functions.record.sources.demo.channels import channels as demo_channels
from tests.conftest import cannot_run

ROOT = Path(__file__).parents[2]
WEB = ROOT / "web"
URLS: dict[str, list[str]] = json.loads((WEB / "tests" / "channel-urls.json").read_text("utf-8"))
DECISIONS: list[dict[str, object]] = json.loads((WEB / "tests" / "decisions.json").read_text("utf-8"))


def npm(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    if not shutil.which("npm") or not (WEB / "node_modules").exists():
        cannot_run("the dashboard's node packages are not installed: run `make setup`")
    return subprocess.run(
        ["npm", *arguments, "--prefix", str(WEB)],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=300,
    )


def test_the_types_are_those_of_the_apis_document(tmp_path: Path) -> None:
    document, types = tmp_path / "openapi.json", tmp_path / "schema.d.ts"
    written = subprocess.run([sys.executable, "scripts/write_openapi.py"], cwd=ROOT, capture_output=True, check=True)
    document.write_bytes(written.stdout)

    made = npm("run", "types", OPENAPI=str(document), OUTPUT=str(types))

    assert made.returncode == 0, made.stderr
    committed = (WEB / "src" / "api" / "schema.d.ts").read_text("utf-8")
    assert types.read_text("utf-8") == committed, "the API has changed: run `make types`"


def test_the_decisions_that_the_dashboard_is_tested_with_are_the_policys() -> None:
    made = []
    for act in Act:
        for speaker in Speaker:
            for sponsored in (False, True):
                said, sentiment = corrected(None, act, speaker, sponsored=sponsored)
                statement = {"act": act, "speaker": speaker, "sponsored": sponsored}
                made.append({**statement, "sentiment": sentiment, "explanation": said.explanation})

    assert made == DECISIONS


def test_what_the_dashboard_computes_passes_its_own_tests() -> None:
    run = npm("test")

    assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.parametrize("url", URLS["valid"])
def test_a_url_the_dashboard_takes_is_one_the_api_takes(url: str) -> None:
    assert parse_channel_url(url).name


@pytest.mark.parametrize("url", URLS["invalid"])
def test_a_url_the_dashboard_refuses_is_one_the_api_refuses(url: str) -> None:
    with pytest.raises(ValueError):
        parse_channel_url(url)


def test_the_dashboard_offers_the_demos_channels() -> None:
    offered = re.findall(r'url: "(.+?)"', (WEB / "src" / "text" / "demo.ts").read_text("utf-8"))

    assert offered == [channel.url for channel in demo_channels()]


def test_the_lock_file_names_no_registry() -> None:
    assert "resolved" not in (WEB / "package-lock.json").read_text("utf-8")
