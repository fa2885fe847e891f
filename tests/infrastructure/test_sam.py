"""`make sam` and DynamoDB Local meet in one network. There is no Docker here: what is written down is compared."""

import json
import re
from urllib.parse import urlparse

import yaml

from functions.routes import ROUTES
from functions.runtime.settings import Settings
from local.engine import ROOT
from tests.infrastructure.conftest import Synthesise

COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
RECIPE = re.search(r"^sam:.*\n((?:\t.*\n)+)", (ROOT / "Makefile").read_text(), re.MULTILINE)
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
