"""`make sam` and DynamoDB Local meet in one network. There is no Docker here: what is written down is compared."""

import json
import os
import re
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlparse

import pytest
import yaml

from functions.record.api.channels import create_channel
from functions.routes import ROUTES
from functions.runtime.http import resolver
from functions.runtime.settings import Settings, settings
from functions.service.api import openapi_document
from local.engine import ROOT
from local.environments import Context
from tests.conftest import cannot_run
from tests.infrastructure.conftest import Synthesise
from tests.infrastructure.templates import new_app

COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
RECIPE = re.search(r"^sam:.*\n((?:\t.*\n)+)", (ROOT / "Makefile").read_text(), re.MULTILINE)
SAM_PYTHON = ROOT / ".venv-sam" / "bin" / "python"
CLOUD_NAME = re.compile(r"arn:|amazonaws|^stocktrackrecord-|^StockTrackRecord/|anthropic")
NOT_A_PLACE = {"PAGE_TOKEN_KEY"}
"""The id of the stack, with which functions sign and reach nothing."""
PARAMETERS = json.loads((ROOT / "local" / "sam-environment.json").read_text())["Parameters"]


def test_functions_run_in_the_network_of_dynamodb_local() -> None:
    assert RECIPE
    networks = re.findall(r"--docker-network (\S+)", RECIPE[1])

    assert networks == [COMPOSE["networks"]["default"]["name"]]
    # A port published on 127.0.0.1 of the host cannot be reached from a container.
    assert "add-host" not in RECIPE[1]


def test_functions_find_dynamodb_local_by_the_name_of_its_service() -> None:
    endpoint = urlparse(Settings.from_environment(PARAMETERS).dynamodb_endpoint or "")

    service = COMPOSE["services"][endpoint.hostname]
    assert endpoint.port == int(service["ports"][0].rpartition(":")[2])


def test_functions_keep_clear_of_the_deployed_transcripts(system: Synthesise) -> None:
    """`sam local` hands the machine's own credentials on, and overrides only what the template declares."""
    declared = {
        route.module: set(system().functions()[route.module]["Environment"]["Variables"])
        for route in ROUTES
        if route.transcripts
    }

    assert all("KEPT_TRANSCRIPTS_BUCKET" in names for names in declared.values())
    assert Settings.from_environment(PARAMETERS).kept_transcripts_bucket is None


@pytest.fixture(scope="module", params=["arm64", "x86_64"])
def served(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The template as SAM reads it for a processor, and the event of a POST from a page of another origin."""
    if not SAM_PYTHON.exists():
        cannot_run("the AWS SAM CLI is not there; `make test` installs it")
    folder = tmp_path_factory.mktemp("sam")
    settings = {"auth": "none", "direct_api": "true", "architecture": request.param, "providers": "live"}
    new_app(folder, settings, {"aws:cdk:enable-asset-metadata": True}).synth()
    (template,) = folder.glob("*-api.template.json")
    sent = {
        "method": "POST",
        "path": "/api/channels",
        "headers": {"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site", "Accept-Encoding": "gzip"},
        "json": {"url": "https://www.youtube.com/@any"},
    }
    ended = subprocess.run(
        [str(SAM_PYTHON), str(Path(__file__).with_name("sam_events.py")), str(template), json.dumps(sent)],
        env=os.environ | {"SAM_CLI_TELEMETRY": "0", "AWS_DEFAULT_REGION": "us-east-1"},
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr[-3000:]
    return {**json.loads(ended.stdout), "processor": request.param}


def test_sam_serves_every_route_with_a_function_for_the_processor(served: dict[str, Any]) -> None:
    functions = served["functions"]

    assert {tuple(each["architectures"]) for each in functions.values()} == {(served["processor"],)}
    for route in ROUTES:
        (name,) = {
            each["function"]
            for each in served["routes"]
            if each["path"] == route.path and route.method in each["methods"]
        }
        assert functions[name]["handler"] == f"{route.import_name}.handler"


def test_no_name_in_the_cloud_is_left_to_a_function_of_sam(served: dict[str, Any]) -> None:
    """With a developer's credentials a function could otherwise read the deployed secrets, buckets and queues."""
    left = {
        name: value
        for function in served["functions"].values()
        for name, value in (function["environment"] | PARAMETERS).items()
        if isinstance(value, str) and CLOUD_NAME.search(value) and name not in NOT_A_PLACE
    }

    assert left == {}


def test_the_browser_rules_hold_under_sam(served: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """SAM hands the names of headers on as the client spelled them."""
    assert "Sec-Fetch-Site" in served["event"]["headers"]
    closed = replace(settings(), checks_browsers=True)
    monkeypatch.setattr(resolver, "settings", lambda: closed)

    response = create_channel.handler(served["event"], Context("create_channel", 10))  # type: ignore[arg-type]

    assert response["statusCode"] == 403


def test_a_large_response_is_compressed_under_sam(served: dict[str, Any]) -> None:
    event = {**served["event"], "rawPath": "/openapi.json", "routeKey": "GET /openapi.json", "body": None}
    event["requestContext"]["http"] |= {"method": "GET", "path": "/openapi.json"}

    response = openapi_document.handler(event, Context("openapi_document", 10))  # type: ignore[arg-type]

    assert response["statusCode"] == 200
    assert response["headers"]["Content-Encoding"] == "gzip"


def test_the_command_builds_for_the_processor_of_this_machine_and_keeps_containers() -> None:
    makefile = (ROOT / "Makefile").read_text()
    assert RECIPE

    assert "uname -m" in re.findall(r"^SAM_SETTINGS = .*$", makefile, re.MULTILINE)[0]
    assert RECIPE[1].count("$(SAM_SETTINGS)") == 2, "the layer and the templates are for one processor"
    assert "--warm-containers" in RECIPE[1]
