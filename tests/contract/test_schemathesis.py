"""The OpenAPI document holds for generated requests: all checks of Schemathesis, on every route."""

import os
from collections.abc import Container
from copy import deepcopy
from typing import Any
from uuid import uuid4

import httpx
import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st

from functions.routes import TRANSCRIPT_TYPES
from functions.runtime.http.documentation import openapi_document
from tests.contract.conftest import REQUEST_SECONDS, Create
from tests.contract.steps import Channel
from tests.soak import SOAKING, times

NAME_OF_A_CHANNEL = st.text(st.characters(categories=["L", "Nd"], include_characters="._-·"), min_size=1, max_size=30)
CHANNEL_URL = st.builds(
    "{}{}/{}{}{}".format,
    st.sampled_from(["", "http://", "https://", "HTTPS://"]),
    st.sampled_from(["youtube.com", "www.youtube.com", "m.youtube.com", "WWW.YouTube.com"]),
    st.sampled_from(["@", "%40", "channel/", "c/", "user/"]),
    NAME_OF_A_CHANNEL,
    st.sampled_from(["", "/", "/videos", "?si=x", "#about"]),
)
schemathesis.openapi.format("youtube-channel-url", CHANNEL_URL)
schemathesis.serializer.alias([*TRANSCRIPT_TYPES], "application/octet-stream")

ACCEPTED = ["2xx", "404", "409"]
"""For requests that follow the document. Whether an id names something or a key was used before, it cannot say."""
ACCEPTED_ALSO = {
    # Whether a channel is there already, or processing, is not in the request.
    "create_channel": "400",
    "process_channel": "400",
    "cancel_channel": "400",
    # A token is only good for the list it comes from.
    "list_channels": "400",
    "list_logs": "400",
    "get_timeline": "400",
    "get_leaderboard": "400",
    "list_calls": "400",
    "list_stock_calls": "400",
    "list_channel_videos": "400",
    "list_review_queue": "400",
    "list_changes": "400",
    "list_audit": "400",
    "list_plans": "400",
    "list_news": "4xx",
    "summarise_news": "422",
    # No schema says that a timestamp is past, an address possible and a ticker that of a share.
    "add_news": "422",
    # Whether tasks make a plan, and each has what its kind needs, is not in a schema.
    "create_plan": "4xx",
    "cancel_plan": "400",
    "list_runs": "400",
    "list_channel_runs": "400",
    "list_video_runs": "400",
    "list_exports": "400",
    # Whether there are such channels is not in the request.
    "create_export": "422",
    "list_alerts": "400",
    "list_notes": "400",
    "list_stock_notes": "400",
    # Which benchmark is in use is not in a schema.
    "put_settings": "422",
    "list_channel_alerts": "400",
    # Whether an address is on the public internet, and e-mail is sent, is not in a schema.
    "put_alert_settings": "422",
    # Whether bytes are text, and hold words, is not in a schema.
    "put_transcript": "4xx",
    # A schema cannot say that the end comes after the start, ten years later at the most.
    "get_stock_history": "422",
    # Nor which names a file to import may have.
    "create_import": "422",
    # Nor whether a text can be seen.
    "create_note": "422",
    "change_note": "422",
    # Nor that a correction names a sentiment.
    "review_call": "422",
}
REJECTED = ["400", "404", "405", "409", "415", "422"]


def read_by_schemathesis(requests_made: str, paths: Container[str] | None = None) -> Any:
    config = {
        "generation": {"mode": requests_made},
        "checks": {
            "positive_data_acceptance": {"expected-statuses": ACCEPTED},
            "negative_data_rejection": {"expected-statuses": REJECTED},
        },
        "operations": [
            {
                "include-operation-id": operation,
                "checks": {"positive_data_acceptance": {"expected-statuses": [*ACCEPTED, status]}},
            }
            for operation, status in ACCEPTED_ALSO.items()
        ],
    }
    # A copy, because Schemathesis adds to it which responses lead to which requests.
    copy = deepcopy(openapi_document())
    if paths is not None:
        copy["paths"] = {path: operations for path, operations in copy["paths"].items() if path in paths}
    return schemathesis.openapi.from_dict(copy, config=schemathesis.Config.from_dict(config))


document = read_by_schemathesis("all")
bounded = settings(
    max_examples=times(short=5, long=100),
    derandomize=not SOAKING,
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


@pytest.fixture
def channel(a_new_channel: Create) -> Channel:
    return a_new_channel()


@document.parametrize()
@bounded
def test_any_request_gets_a_documented_response(
    case: schemathesis.Case, base_url: str, client_options: dict[str, Any]
) -> None:
    session = session_of(client_options)

    response = case.call_and_validate(base_url, session, timeout=REQUEST_SECONDS)

    if response.status_code in (201, 202) and "location" in response.headers:
        (created,) = response.headers["location"]
        session.delete(f"{base_url}{created}", timeout=REQUEST_SECONDS)


# Left out rather than chosen: a choice would be added to what the configuration chooses, which is everything.
of_a_channel = document.exclude(path_regex=r"^/(?!api/channels/)")


@of_a_channel.exclude(method=["POST", "PUT", "PATCH", "DELETE"]).parametrize()
@bounded
def test_any_reading_of_a_channel_that_is_there_gets_a_documented_response(
    case: schemathesis.Case, base_url: str, client_options: dict[str, Any], demo: Channel
) -> None:
    case.path_parameters["channel_id"] = demo["id"]

    case.call_and_validate(base_url, session_of(client_options), timeout=REQUEST_SECONDS)


@of_a_channel.exclude(method="GET").parametrize()
@bounded
def test_any_change_of_a_channel_that_is_there_gets_a_documented_response(
    case: schemathesis.Case, base_url: str, client_options: dict[str, Any], channel: Channel
) -> None:
    case.path_parameters["channel_id"] = channel["id"]

    case.call_and_validate(base_url, session_of(client_options), timeout=REQUEST_SECONDS)


# Few routes, so that most journeys meet a channel; none whose response depends on other tests or on how far a run has
# come, since a journey has to go the same way each time.
journeys = read_by_schemathesis("positive", paths=["/api/channels", "/api/channels/{channel_id}"]).exclude(
    operation_id="list_channels"
)


def test_channels_that_are_made_read_and_removed_in_any_order_are_there_and_then_gone(
    base_url: str, client_options: dict[str, Any]
) -> None:
    session = session_of(client_options)
    created: list[str] = []
    seen: set[tuple[str, int]] = set()

    def own_channel() -> str:
        """The path of the newest channel of this journey; of a new one where it has none."""
        if not created:
            body = {"url": f"https://www.youtube.com/@Journey{uuid4().hex}"}
            response = session.post(f"{base_url}/api/channels", json=body, timeout=REQUEST_SECONDS)
            created.append(response.headers["Location"])
        return created[-1]

    class Journey(journeys.as_state_machine()):
        """Uses what one response gave in the next request."""

        def before_call(self, case: schemathesis.Case) -> None:
            # With a key of an earlier journey, the response would tell of a channel that was removed with it.
            case.headers.pop("Idempotency-Key", None)
            # Only its own channels are changed or removed: those of other tests stay as they are.
            channel_id = case.path_parameters.get("channel_id")
            if case.method != "GET" and channel_id and f"/api/channels/{channel_id}" not in created:
                case.path_parameters["channel_id"] = own_channel().rpartition("/")[2]

        def get_call_kwargs(self, case: schemathesis.Case) -> dict[str, Any]:
            return {"base_url": base_url, "session": session, "timeout": REQUEST_SECONDS}

        def after_call(self, response: schemathesis.Response, case: schemathesis.Case) -> None:
            super().after_call(response, case)
            seen.add((case.method, response.status_code))
            created.extend(response.headers.get("location", []))

        def teardown(self) -> None:
            while created:
                session.delete(f"{base_url}{created.pop()}", timeout=REQUEST_SECONDS)

    Journey.run(
        settings=settings(
            bounded,
            max_examples=times(short=24, long=50),
            stateful_step_count=times(short=8, long=12),
            phases=[Phase.generate],
        )
    )

    assert {("POST", 201), ("GET", 200), ("DELETE", 204)} <= seen


def test_the_api_hands_over_this_very_document(api: httpx.Client) -> None:
    assert api.get("/openapi.json").json() == openapi_document()
