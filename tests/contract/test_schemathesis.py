"""What the OpenAPI document says holds for requests nobody thought of: no 5xx, no answer outside its schema."""

import os
from typing import Any

import httpx
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import CHECKS, load_all_checks

from functions.api.documentation import openapi_document
from tests.contract.conftest import REQUEST_SECONDS
from tests.contract.steps import Channel

load_all_checks()
EXCLUDED = [
    # A number may come as text and a yes as 1, as pydantic reads them and as the frontend may send them.
    *CHECKS.get_by_names(["negative_data_rejection"]),
    # A string is not yet the URL of a channel, nor the token of a page.
    *CHECKS.get_by_names(["positive_data_acceptance"]),
]

document = schemathesis.openapi.from_dict(openapi_document())
bounded = settings(
    max_examples=6,
    derandomize=True,
    deadline=None,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)


def session_of(client_options: dict[str, Any]) -> requests.Session:
    session = requests.Session()
    session.trust_env = False
    session.verify = os.environ.get("API_CA_BUNDLE") or True
    session.headers.update(client_options["headers"])
    return session


@document.parametrize()
@bounded
def test_any_request_is_answered_within_the_document(
    case: schemathesis.Case, base_url: str, client_options: dict[str, Any]
) -> None:
    case.call_and_validate(base_url, session_of(client_options), excluded_checks=EXCLUDED, timeout=REQUEST_SECONDS)


@document.include(method="GET", path_regex=r"^/api/channels/\{channel_id\}").parametrize()
@bounded
def test_any_reading_of_a_channel_that_is_there_is_answered_within_the_document(
    case: schemathesis.Case, base_url: str, client_options: dict[str, Any], demo: Channel
) -> None:
    case.path_parameters["channel_id"] = demo["id"]

    case.call_and_validate(base_url, session_of(client_options), excluded_checks=EXCLUDED, timeout=REQUEST_SECONDS)


def test_the_api_hands_over_this_very_document(api: httpx.Client) -> None:
    assert api.get("/openapi.json").json() == openapi_document()
