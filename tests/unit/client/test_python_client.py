"""The Python client sends again only what may be sent again, and tells errors apart by their types."""

import logging
import pickle
import re
import tomllib
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import httpx
import pytest

from local.engine import ROOT
from stock_track_record_client import (
    ApiError,
    Client,
    Conflict,
    Invalid,
    NotExported,
    NotFound,
    TimedOut,
    Unauthorized,
    Unreachable,
)
from stock_track_record_client.sending import LONGEST_WAIT, TRIES, path_of

PACKAGE = ROOT / "clients" / "python" / "stock_track_record_client"
TOKEN = "a-token-that-nobody-may-see"

Step = httpx.Response | Exception


class Api:
    """Gives one response after the other, and keeps the requests; the last response is given for ever."""

    def __init__(self, *steps: Step) -> None:
        self._steps: Iterator[Step] = iter(steps)
        self._last: Step = steps[-1]
        self.requests: list[httpx.Request] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        step = next(self._steps, self._last)
        if isinstance(step, Exception):
            raise step
        return httpx.Response(step.status_code, headers=step.headers, content=step.content)

    def client(self, token: str | None = TOKEN) -> Client:
        return Client("https://api.test/", token, transport=httpx.MockTransport(self))

    @property
    def keys(self) -> set[str | None]:
        return {request.headers.get("Idempotency-Key") for request in self.requests}


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Nothing sleeps; the waits are recorded instead."""
    waited: list[float] = []
    monkeypatch.setattr("stock_track_record_client.sending.time.sleep", waited.append)
    return waited


def ok(**body: object) -> httpx.Response:
    return httpx.Response(200, json=body)


def refused(status: int, detail: object = "No", **headers: str) -> httpx.Response:
    return httpx.Response(status, json={"detail": detail}, headers={k.replace("_", "-"): v for k, v in headers.items()})


LOST = httpx.ReadTimeout("no response")
NOT_CONNECTED = httpx.ConnectError("refused")

Act = Callable[[Client], object]


def read(client: Client) -> object:
    return client.channel("c")


def add(client: Client) -> object:
    return client.add_channel("https://www.youtube.com/@x")


def save(client: Client) -> object:
    return client.save_watchlist(["AAPL"], [], version=3)


def delete(client: Client) -> object:
    return client.delete_channel("c")


def test_it_needs_only_the_httpx_that_it_is_tested_with() -> None:
    project = tomllib.loads((PACKAGE.parent / "pyproject.toml").read_text())["project"]

    assert set(project["dependencies"]) == set(re.findall('"(httpx==.+)"', (ROOT / "pyproject.toml").read_text()))


def test_what_may_succeed_later_is_sent_again(waits: list[float]) -> None:
    for act in (read, add, save, delete):
        for first in (refused(429), refused(500), refused(503), LOST, NOT_CONNECTED):
            api = Api(first, ok())

            act(api.client())

            assert len(api.requests) == 2, (act, first)
            assert len({request.content for request in api.requests}) == 1
            assert len(api.keys) == 1, "a repeat has the key of the first attempt"
            assert (None not in api.keys) == (act is add)


def test_what_is_refused_for_good_is_sent_once(waits: list[float]) -> None:
    for act in (read, add, save, delete):
        for status in (301, 400, 401, 403, 404, 405, 409, 413, 415, 422):
            api = Api(refused(status), ok())

            with pytest.raises(ApiError) as error:
                act(api.client())

            assert (error.value.status, len(api.requests)) == (status, 1)
    assert waits == []


def test_the_last_attempt_is_told(waits: list[float]) -> None:
    cases = ((refused(503, "Later"), ApiError, "Later"), (httpx.ReadTimeout(""), Unreachable, "ReadTimeout"))
    for step, kind, reason in cases:
        api = Api(step)

        with pytest.raises(kind, match=reason):
            read(api.client())

        assert len(api.requests) == TRIES
    assert len(waits) == 2 * (TRIES - 1)


def test_two_requests_have_different_keys() -> None:
    api = Api(ok())
    client = api.client()

    add(client)
    add(client)

    assert len(api.keys) == 2


def test_it_waits_as_long_as_the_api_asks_and_no_longer_than_is_sensible(waits: list[float]) -> None:
    date = format_datetime(datetime.now(UTC) + timedelta(seconds=55), usegmt=True)
    for asked, least in (("7", 7.0), (date, 2.0), ("soon", 0.0), ("", 0.0)):
        waits.clear()

        read(Api(refused(429, Retry_After=asked), ok()).client())

        assert least <= waits[0] <= LONGEST_WAIT
    api = Api(refused(429, Retry_After="3600"), ok())
    with pytest.raises(ApiError) as error:
        read(api.client())
    assert (error.value.retry_after, len(api.requests)) == (3600.0, 1)


def test_a_repeat_finds_what_the_first_attempt_has_done(waits: list[float]) -> None:
    """It may have deleted, or may still be running; a refusal of an attempt that did nothing is one."""
    delete(Api(LOST, refused(404)).client())
    add(Api(LOST, refused(409), ok()).client())

    for before in (NOT_CONNECTED, refused(429)):
        with pytest.raises(NotFound):
            delete(Api(before, refused(404)).client())
        with pytest.raises(Conflict):
            add(Api(before, refused(409), ok()).client())


def test_errors_have_types_and_say_what_the_api_said() -> None:
    field = {"type": "missing", "loc": ["body", "tasks", 0, "url"], "msg": "Field required", "input": {}}
    cases: list[tuple[httpx.Response, type[ApiError], str]] = [
        (refused(404, "Channel not found"), NotFound, "404: Channel not found"),
        (refused(409, "Changed"), Conflict, "409: Changed"),
        (refused(422, [field]), Invalid, "422: body.tasks.0.url: Field required"),
        (httpx.Response(401, json={"message": "Unauthorized"}), Unauthorized, "401: Unauthorized"),
        (httpx.Response(403, json={"message": "Forbidden"}), Unauthorized, "403: Forbidden"),
        (httpx.Response(400, html="<h1>Bad</h1>"), ApiError, "400: Bad Request"),
        (httpx.Response(400, json=["?"]), ApiError, "400: Bad Request"),
        (httpx.Response(499), ApiError, "499: Refused"),
        (refused(422, ["?", {}]), Invalid, "422: : None"),
    ]
    for response, kind, message in cases:
        with pytest.raises(ApiError) as error:
            read(Api(response).client())

        for same in (error.value, pickle.loads(pickle.dumps(error.value))):
            assert (type(same), str(same)) == (kind, message)

    with pytest.raises(Invalid) as invalid:
        read(Api(refused(422, [field])).client())
    assert invalid.value.fields[0].place == ("body", "tasks", 0, "url")
    with pytest.raises(Conflict) as conflict:
        save(Api(httpx.Response(409, json={"detail": "Changed", "present": {"version": 4}})).client())
    assert conflict.value.present == {"version": 4}
    with pytest.raises(ApiError) as exists:
        add(Api(refused(400, "Channel already exists", Location="/api/channels/x")).client())
    assert exists.value.location == "/api/channels/x"


def test_another_server_is_named_as_such() -> None:
    with pytest.raises(Unreachable, match="not the address of this API"):
        read(Api(httpx.Response(200, html="<html></html>")).client())


def test_the_token_is_sent_and_never_shown(waits: list[float], caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    api = Api(LOST, refused(500), refused(401))
    client = api.client(f"{TOKEN}\n")

    with pytest.raises(Unauthorized) as refusal:
        read(client)
    with pytest.raises(ValueError) as unusable:
        Client("https://api.test", f"{TOKEN}\n{TOKEN}")
    with pytest.raises(Unreachable) as lost:
        read(Api(LOST).client())

    assert {request.headers["Authorization"] for request in api.requests} == {f"Bearer {TOKEN}"}
    shown = [
        caplog.text,
        repr(client),
        *(f"{error.value!r} {error.value.__cause__!r}" for error in (refusal, unusable, lost)),
    ]
    assert "api.test" in caplog.text
    assert not [text for text in shown if TOKEN in text]


def test_an_id_stays_one_segment_of_the_path() -> None:
    assert path_of("channels", "a/../b?c#d é", "calls") == "/api/channels/a%2F..%2Fb%3Fc%23d%20%C3%A9/calls"
    for missing in ("", ".", ".."):
        with pytest.raises(ValueError):
            path_of("channels", missing)


def test_an_address_has_to_be_one() -> None:
    for wrong in ("", "api.test", "ftp://api.test", "https://", "https://api.test/?x=1", "https://a:b@api.test"):
        with pytest.raises(ValueError):
            Client(wrong)


def test_pages_are_read_one_by_one_as_they_are_reached() -> None:
    first, second, third = ({"id": each} for each in "123")
    empty = ok(items=[], nextToken="b")
    api = Api(ok(items=[first, second], nextToken="a"), empty, ok(items=[third], nextToken=None))
    pages = api.client().channels()
    assert api.requests == []

    items = iter(pages)
    assert (next(items)["id"], len(api.requests)) == ("1", 1)
    rest = [item["id"] for item in items]

    assert rest == ["2", "3"]
    assert [request.url.params.get("nextToken") for request in api.requests] == [None, "a", "b"]


def test_waiting_ends_when_the_run_does_or_the_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("stock_track_record_client.waiting.time.sleep", lambda _: None)
    running = ok(id="c", status="processing")

    channel = Api(running, running, ok(id="c", status="failed")).client().wait_until_processed("c")
    with pytest.raises(TimedOut) as error:
        Api(running).client().wait_until_processed("c", timeout=0)

    assert channel["status"] == "failed"
    assert pickle.loads(pickle.dumps(error.value)).last["status"] == "processing"


def exported(url: str | None, size: int = 4) -> httpx.Response:
    status = "COMPLETED" if url else "FAILED"
    return ok(id="e", status=status, download_url=url, size_bytes=size, error_message=None if url else "No")


def test_a_download_is_whole_and_takes_the_token_nowhere_else(waits: list[float], tmp_path: Path) -> None:
    file = tmp_path / "export.zip"
    link, own = "https://bucket.test/e.zip?signature=x", "/api/exports/e/download"
    zip_file = httpx.Response(200, content=b"zip!")
    # The address of the API as the beginning of another.
    for url, has_token in ((link, False), (own, True), ("https://api.test.example/e", False)):
        short = httpx.Response(200, content=b"zi")
        api = Api(exported(url), LOST, exported(url), short, exported(url), refused(503), exported(url), zip_file)

        saved = api.client().download_export("e", file)

        assert saved.read_bytes() == b"zip!"
        assert {"Authorization" in request.headers for request in api.requests[1::2]} == {has_token}
        saved.unlink()


def test_a_download_that_fails_leaves_no_file(waits: list[float], tmp_path: Path) -> None:
    file = tmp_path / "export.zip"
    file.write_bytes(b"before")
    link = "https://bucket.test/e.zip"
    endless = [each for _ in range(TRIES) for each in (exported(link), httpx.Response(200, content=b"zi"))]

    with pytest.raises(Unreachable, match="Of 4 bytes"):
        Api(*endless).client().download_export("e", file)
    with pytest.raises(Unauthorized):
        Api(exported(link), httpx.Response(403, text="<Error/>")).client().download_export("e", file)
    with pytest.raises(NotExported, match="No"):
        Api(exported(None)).client().download_export("e", file)

    assert [path.name for path in tmp_path.iterdir()] == ["export.zip"]
    assert file.read_bytes() == b"before"
