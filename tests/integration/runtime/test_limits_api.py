"""How much a person may add in a day, over the routes, and requests that race for what is left."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from functions.routes import find_route
from functions.runtime.settings import settings
from tests.events import Response, api_event, call, invoke

pytestmark = pytest.mark.usefixtures("dispatched")
InThreads = Callable[[int, Callable[[int], object]], list[object]]
REFUSED = "You can add 2 {} a day. Go on tomorrow (UTC), or ask an admin to raise the limit."


@pytest.fixture(autouse=True)
def two_a_day(tables: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("LIMITS", "channels=2,news=2")
    settings.cache_clear()
    yield
    monkeypatch.undo()
    settings.cache_clear()


def as_person(subject: str, role: str, path: str, body: Any) -> Response:
    route = find_route("POST", path)
    assert route
    event = api_event("POST", path, body=json.dumps(body))
    event["requestContext"]["authorizer"] = {"jwt": {"claims": {"sub": subject, "cognito:groups": f"[{role}]"}}}
    return invoke(route, event)


def add_channel(number: int, subject: str = "ann", role: str = "editor") -> Response:
    url = f"https://www.youtube.com/@channel{number}"
    return as_person(subject, role, "/api/channels", {"url": url, "start_processing": False})


def add_story(number: int, subject: str = "ann", role: str = "editor") -> Response:
    story = {
        "url": f"https://example.com/{number}",
        "title": f"Story {number}",
        "published_at": "2026-03-02T14:30:00Z",
        "source_name": "The Paper",
        "text": "Sales rose.",
        "tags": ["AAPL"],
    }
    return as_person(subject, role, "/api/news", story)


@pytest.mark.parametrize(("add", "what"), [(add_channel, "channels"), (add_story, "news")])
def test_beyond_their_limit_a_person_is_told_what_to_do_and_nobody_else_is_held_up(
    add: Callable[..., Response], what: str
) -> None:
    first, second, third = (add(number) for number in range(3))
    other = add(3, subject="ben")
    admins = [add(number, subject="ada", role="admin").status for number in range(4, 7)]

    assert (first.status, second.status, third.status) == (201, 201, 429)
    assert third.json()["detail"] == REFUSED.format(what)
    assert (other.status, admins) == (201, [201] * 3)


@pytest.mark.parametrize(
    ("add", "path"), [(add_channel, "/api/channels"), (add_story, "/api/news")], ids=["channels", "news"]
)
def test_of_two_requests_for_the_last_place_one_is_refused(
    concurrent_tables: str, in_threads: InThreads, add: Callable[..., Response], path: str
) -> None:
    assert add(0).status == 201

    statuses = in_threads(2, lambda number: add(number + 1).status)

    assert sorted(map(str, statuses)) == ["201", "429"]
    query = "" if path == "/api/channels" else "tag=AAPL"
    assert len(call("GET", path, query=query).json()["items"]) == 2
