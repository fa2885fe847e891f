"""Where keys come from, and that they are fetched once and shown never."""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from functions.runtime.provider_errors import MissingSetting, Refused, Unavailable
from functions.runtime.secrets import Keys
from tests.live_responses import aws_client
from tests.stub import Response, Stub, json_response


def secret(content: str) -> Response:
    return json_response({"ARN": "arn", "Name": "keys", "SecretString": content})


def stored(stub: Stub, environment: dict[str, str] | None = None) -> Keys:
    return Keys(environment or {}, "keys", client=aws_client("secretsmanager", stub))


def test_a_key_of_the_environment_is_taken_without_white_space() -> None:
    assert Keys({"YOUTUBE_API_KEY": " abc\n"}).get("YOUTUBE_API_KEY", "list videos") == "abc"


@pytest.mark.parametrize("environment", [{}, {"YOUTUBE_API_KEY": ""}, {"YOUTUBE_API_KEY": "  "}])
def test_a_missing_key_says_what_it_is_for(environment: dict[str, str]) -> None:
    with pytest.raises(MissingSetting, match=r"YOUTUBE_API_KEY is not set.*list videos") as raised:
        Keys(environment).get("YOUTUBE_API_KEY", "list videos")

    assert raised.value.name == "YOUTUBE_API_KEY"


def test_a_key_that_can_be_done_without_is_none() -> None:
    assert Keys({}).find("TRANSCRIPT_PROXY_URL") is None


def test_keys_come_from_the_secret_and_it_is_fetched_once(stub: Stub) -> None:
    stub.on("/", secret(json.dumps({"TIINGO_API_KEY": "t", "FINNHUB_API_KEY": "f"})))
    keys = stored(stub)

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda name: keys.get(name, "price"), ["TIINGO_API_KEY", "FINNHUB_API_KEY"] * 8))

    assert found == ["t", "f"] * 8
    assert len(stub.requests) == 1
    assert stub.requests[0].json == {"SecretId": "keys"}


def test_the_environment_comes_before_the_secret(stub: Stub) -> None:
    assert stored(stub, {"TIINGO_API_KEY": "mine"}).get("TIINGO_API_KEY", "price") == "mine"
    assert stub.requests == []


def test_a_key_that_the_secret_lacks_is_missing(stub: Stub) -> None:
    stub.on("/", secret('{"TIINGO_API_KEY": 5}'))

    with pytest.raises(MissingSetting):
        stored(stub).get("TIINGO_API_KEY", "price")


@pytest.mark.parametrize("content", ["hush-hush", '["hush-hush"]', ""])
def test_a_secret_that_is_no_object_is_refused_without_being_shown(stub: Stub, content: str) -> None:
    stub.on("/", secret(content))

    with pytest.raises(Refused, match="JSON object") as raised:
        stored(stub).get("TIINGO_API_KEY", "price")

    assert "hush-hush" not in f"{raised.value!r}{raised.value.__context__!r}"


@pytest.mark.parametrize(
    ("status", "code", "error"),
    [
        (400, "ResourceNotFoundException", Refused),
        (400, "AccessDeniedException", Refused),
        (500, "InternalServiceError", Unavailable),
        (400, "ThrottlingException", Unavailable),
    ],
)
def test_a_secret_that_cannot_be_fetched_is_told(stub: Stub, status: int, code: str, error: type[Exception]) -> None:
    stub.on("/", json_response({"__type": code, "message": "no"}, status))

    with pytest.raises(error, match=f"AWS Secrets Manager.*{code}"):
        stored(stub).get("TIINGO_API_KEY", "price")


def test_a_failed_fetch_is_tried_again_next_time(stub: Stub) -> None:
    stub.on("/", json_response({"__type": "InternalServiceError"}, 500), secret('{"TIINGO_API_KEY": "t"}'))
    keys = stored(stub)

    with pytest.raises(Unavailable):
        keys.get("TIINGO_API_KEY", "price")

    assert keys.get("TIINGO_API_KEY", "price") == "t"


def test_nothing_shows_a_key(stub: Stub, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    stub.on("/", secret('{"TIINGO_API_KEY": "hush-hush"}'))
    keys = stored(stub, {"OTHER": "hush-hush"})

    keys.get("TIINGO_API_KEY", "price")

    assert "hush-hush" not in f"{keys!r} {keys} {caplog.text}"
