"""How an HTTP response, or the lack of one, becomes data or one of our errors."""

from datetime import UTC, datetime

import pytest

from functions.runtime.http.json_client import JsonClient, seconds_to_wait
from functions.runtime.http.outbound import Limits
from functions.runtime.provider_errors import (
    Blocked,
    NotFound,
    ProviderError,
    QuotaUsedUp,
    Refused,
    Throttled,
    Unavailable,
)
from tests.live_responses import IMPATIENT
from tests.stub import Response, Stub, cut_off_response, html_response, json_response

NOW = datetime(2026, 1, 15, 12, 0, tzinfo=UTC)


def client(**options: object) -> JsonClient:
    return JsonClient("Example", limits=IMPATIENT, now=lambda: NOW, **options)  # type: ignore[arg-type]


def test_parameters_and_headers_reach_the_service(stub: Stub) -> None:
    stub.on("/things", json_response({"ok": True}))

    response = client(headers={"X-Key": "k"}).get_json(f"{stub.url}/things", {"q": "a b&c"}, {"X-More": "m"})

    assert response == {"ok": True}
    assert stub.requests[0].query == {"q": "a b&c"}
    assert (stub.requests[0].headers["x-key"], stub.requests[0].headers["x-more"]) == ("k", "m")


def test_a_body_is_posted_as_json(stub: Stub) -> None:
    stub.on("/things", json_response([1]))

    response = client().post_json(f"{stub.url}/things", {"name": "é"})

    assert response == [1]
    assert stub.requests[0].method == "POST"
    assert stub.requests[0].json == {"name": "é"}
    assert stub.requests[0].headers["content-type"] == "application/json"


@pytest.mark.parametrize(
    ("status", "error"),
    [
        *((status, Refused) for status in (400, 409, 422)),
        *((status, Blocked) for status in (401, 403)),
        (404, NotFound),
        (429, Throttled),
        *((status, Unavailable) for status in (500, 502, 503, 504)),
    ],
)
def test_a_status_decides_whether_paced_again_helps(stub: Stub, status: int, error: type[Exception]) -> None:
    stub.on("/things", json_response({"error": "no"}, status))

    with pytest.raises(error, match="Example") as raised:
        client().get_json(f"{stub.url}/things")

    assert type(raised.value) is error


@pytest.mark.parametrize(
    "response",
    [
        pytest.param(html_response(), id="html"),
        pytest.param(Response(200, b""), id="empty"),
        pytest.param(Response(200, b'{"price": NaN}'), id="not-a-number"),
        pytest.param(Response(200, b"\xff\xfe\xfa"), id="not-text"),
        pytest.param(Response(200, b"[" * 40_000), id="too-deep"),
        pytest.param(json_response("x" * 50_001), id="huge"),
        pytest.param(cut_off_response(), id="cut-off"),
        pytest.param(Response(200, silent=True), id="silent"),
        pytest.param(Response(200, b"not gzip", {"Content-Encoding": "gzip"}), id="broken-encoding"),
        pytest.param(html_response(500), id="html-error"),
    ],
)
def test_a_response_that_cannot_be_read_is_a_transient_error(stub: Stub, response: Response) -> None:
    stub.on("/things", response)

    with pytest.raises(Unavailable, match="Example"):
        client().get_json(f"{stub.url}/things")


def test_a_service_that_is_not_there_is_a_transient_error(stub: Stub) -> None:
    stub.close()

    with pytest.raises(Unavailable, match="Example"):
        client().get_json(f"{stub.url}/things")


def test_a_redirect_is_not_followed_with_our_key(stub: Stub) -> None:
    stub.on("/things", Response(302, b"", {"Location": f"{stub.url}/elsewhere"}))

    with pytest.raises(Unavailable, match="302"):
        client(headers={"X-Key": "k"}).get_json(f"{stub.url}/things")

    assert [request.path for request in stub.requests] == ["/things"]


@pytest.mark.parametrize("status", [429, 503])
@pytest.mark.parametrize(
    ("header", "seconds"),
    [("7", 7.0), ("Thu, 15 Jan 2026 12:00:30 GMT", 30.0), ("3600", 3600.0), ("99999", 3600.0)],
)
def test_retry_after_is_passed_on(stub: Stub, status: int, header: str, seconds: float) -> None:
    stub.on("/things", json_response({}, status, {"Retry-After": header}))

    with pytest.raises(Unavailable) as raised:
        client().get_json(f"{stub.url}/things")

    assert raised.value.retry_after == seconds


@pytest.mark.parametrize(
    ("header", "seconds"),
    [(None, None), ("", None), ("soon", None), ("-5", None), ("Thu, 15 Jan 2026 11:00:00 GMT", 0.0), ("²", None)],
)
def test_a_retry_after_that_says_nothing_is_left_out(header: str | None, seconds: float | None) -> None:
    assert seconds_to_wait(header, NOW) == seconds


def test_a_service_may_explain_its_own_errors(stub: Stub) -> None:
    stub.on("/things", json_response({"why": "closed"}, 403))

    with pytest.raises(NotFound, match="closed"):
        client(explain=lambda status, body: NotFound(body["why"])).get_json(f"{stub.url}/things")


def test_an_error_that_cannot_be_explained_is_told_by_its_status(stub: Stub) -> None:
    stub.on("/things", json_response(["unexpected"], 403))

    with pytest.raises(Refused, match="403"):
        client(explain=lambda status, body: NotFound(body["why"])).get_json(f"{stub.url}/things")


@pytest.mark.parametrize("key", ["two\nlines", "schlüssel-日本"])
def test_a_key_that_cannot_be_sent_is_refused_without_being_shown(stub: Stub, key: str) -> None:
    with pytest.raises(Refused, match="characters") as raised:
        client(headers={"X-Key": key}).get_json(f"{stub.url}/things")

    assert raised.value.__context__ is None


def test_a_response_that_drips_in_is_given_up(stub: Stub) -> None:
    stub.on("/things", json_response({}))
    already_late = Limits(total_seconds=-1.0)

    with pytest.raises(Unavailable, match="in time"):
        JsonClient("Example", limits=already_late).get_json(f"{stub.url}/things")


class RecordingPace:
    """Lets every request through, and records what it is told."""

    def __init__(self) -> None:
        self.told: list[object] = []

    def wait(self) -> None:
        self.told.append("wait")

    def slow_down(self, problem: ProviderError) -> None:
        self.told.append(type(problem))


def test_every_request_waits_for_its_turn_and_tells_of_a_refusal(stub: Stub) -> None:
    stub.on("/things", json_response({}))
    stub.on("/others", json_response({}, 429))
    pace = RecordingPace()
    paced = client(rate=pace)

    paced.get_json(f"{stub.url}/things")
    with pytest.raises(Throttled):
        paced.get_json(f"{stub.url}/others")

    assert pace.told == ["wait", "wait", Throttled]


def test_text_with_a_good_status_can_be_explained(stub: Stub) -> None:
    stub.on("/things", Response(200, b"You have had enough."))

    with pytest.raises(QuotaUsedUp, match="had enough"):
        client(explain=lambda status, body: QuotaUsedUp(f"{status}: {body}")).get_json(f"{stub.url}/things")
