"""Walking a list by `limit` and `nextToken`: every item once, also while new ones are added."""

from collections import Counter
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest

from functions.record.models.records import LogLevel
from functions.record.store.channels import create_channel
from functions.record.store.logs import write_log
from functions.runtime.dynamodb.attributes import encode
from functions.runtime.ids import first_ulid_of
from functions.transfers.exports.store import newest_exports
from tests.builders import a_channel
from tests.events import Response, call
from tests.seeds import a_finished_channel, fill, newest_first

Entry = dict[str, Any]


def pages(path: str, limit: int, query: str = "") -> Iterator[list[Entry]]:
    token = None
    while True:
        more = f"&nextToken={token}" if token else ""
        response = call("GET", path, query=f"limit={limit}{query}{more}")
        assert response.status == 200, response.text
        body = response.json()
        assert body.keys() == {"items", "nextToken"}
        assert len(body["items"]) <= limit
        yield body["items"]
        token = body["nextToken"]
        if token is None:
            return


def walk(path: str, limit: int, query: str = "") -> list[Entry]:
    return [item for page in pages(path, limit, query) for item in page]


@pytest.mark.parametrize("limit", [1, 2, 3, 7, 8, 100])
def test_every_channel_is_met_once_newest_first(tables: str, limit: int) -> None:
    channels = [a_channel(created_at=f"2025-01-{day:02d}T00:00:00.000Z") for day in range(1, 8)]
    for channel in channels:
        create_channel(channel)

    walked = walk("/api/channels", limit)

    assert [channel["id"] for channel in walked] == [channel.id for channel in reversed(channels)]


def test_channels_of_one_timestamp_are_each_met_once(tables: str) -> None:
    channels = [a_channel(created_at="2025-01-01T00:00:00.000Z") for _ in range(9)]
    for channel in channels:
        create_channel(channel)

    walked = [channel["id"] for channel in walk("/api/channels", 2)]

    assert sorted(walked) == sorted(channel.id for channel in channels)


def test_the_last_page_is_not_followed_by_an_empty_one(tables: str) -> None:
    for _ in range(4):
        create_channel(a_channel())

    assert [len(page) for page in pages("/api/channels", 2)] == [2, 2]


def test_channels_added_during_a_walk_repeat_and_hide_nothing(tables: str) -> None:
    channels = [a_channel(created_at=f"2025-01-{day:02d}T00:00:00.000Z") for day in range(1, 8)]
    for channel in channels:
        create_channel(channel)
    walked: list[str] = []

    for page in pages("/api/channels", 2):
        walked += [channel["id"] for channel in page]
        create_channel(a_channel())

    assert walked == [channel.id for channel in reversed(channels)]


@pytest.mark.parametrize("query", ["", "&since=2020-01-01T00:00:00Z", "&strong=true"])
def test_lines_added_during_a_walk_are_met_at_its_end(tables: str, query: str) -> None:
    channel = a_channel()
    create_channel(channel)
    for number in range(5):
        write_log(channel.id, LogLevel.INFO, f"line {number}")
    walked: list[str] = []

    for page in pages(f"/api/channels/{channel.id}/logs", 2, query):
        walked += [line["message"] for line in page]
        if len(walked) == 2:
            write_log(channel.id, LogLevel.INFO, "line 5")

    assert walked == [f"line {number}" for number in range(6)]


@pytest.mark.parametrize("limit", [1, 4, 100])
def test_every_video_of_a_timeline_is_met_once(tables: str, limit: int) -> None:
    channel = a_channel()
    create_channel(channel)
    videos = fill(channel, 30, ("AAPL", "MSFT"))

    walked = walk(f"/api/channels/{channel.id}/timeline", limit)

    assert [entry["video"]["id"] for entry in walked] == newest_first(videos)
    assert all([mention["ticker"] for mention in entry["mentions"]] == ["AAPL", "MSFT"] for entry in walked)


@pytest.mark.parametrize("limit", [1, 3, 10, 100])
@pytest.mark.parametrize("query", ["&ticker=MSFT", "&ticker=MSFT&sentiment=buy&before=2999-01-01", "&ticker=ZZZZ"])
def test_every_match_of_a_filter_is_met_once(tables: str, limit: int, query: str) -> None:
    """Also where the matches are so rare that some pages are empty."""
    channel = a_channel()
    create_channel(channel)
    fill(channel, 30, ("AAPL",))
    rare = fill(channel, 2, ("AAPL", "MSFT"), first=30)
    fill(channel, 30, ("AAPL",), first=40)

    walked = walk(f"/api/channels/{channel.id}/timeline", limit, query)

    assert [entry["video"]["id"] for entry in walked] == ([] if "ZZZZ" in query else newest_first(rare))


def test_a_token_goes_on_from_its_place_whatever_before_says(tables: str) -> None:
    channel = a_finished_channel([("2024-03-01", ("AAPL",)), ("2024-03-02", ("AAPL",))])
    path = f"/api/channels/{channel.id}/timeline"
    token = call("GET", path, query="limit=1").json()["nextToken"]

    (entry,) = call("GET", path, query=f"limit=1&before=2000-01-01&nextToken={token}").json()["items"]

    assert entry["video"]["published_at"] == "2024-03-01"


def test_videos_added_during_a_walk_repeat_and_hide_nothing(tables: str) -> None:
    channel = a_channel()
    create_channel(channel)
    videos = fill(channel, 10, ("AAPL",))
    walked: list[str] = []

    for page in pages(f"/api/channels/{channel.id}/timeline", 3):
        walked += [entry["video"]["id"] for entry in page]
        fill(channel, 20, ("AAPL",))

    assert walked == newest_first(videos)


def test_a_token_goes_on_from_its_place_whatever_since_says(tables: str) -> None:
    channel = a_finished_channel()
    path = f"/api/channels/{channel.id}/logs"
    first = call("GET", path, query="limit=1").json()

    second = call("GET", path, query=f"limit=1&since=2999-01-01T00:00:00Z&nextToken={first['nextToken']}").json()

    assert second["items"][0]["id"] > first["items"][0]["id"]


def test_a_token_alone_requests_a_page_of_twenty(tables: str) -> None:
    for _ in range(25):
        create_channel(a_channel())
    token = call("GET", "/api/channels", query="limit=1").json()["nextToken"]

    assert len(call("GET", "/api/channels", query=f"nextToken={token}").json()["items"]) == 20


def refused(path: str, token: str) -> Response:
    response = call("GET", path, query=f"limit=1&nextToken={token}")
    assert response.status == 400, response.text
    return response


def test_tokens_that_are_forged_foreign_or_damaged_are_refused(tables: str) -> None:
    mine, other = a_channel(), a_channel()
    for channel in (mine, other):
        create_channel(channel)
        fill(channel, 2, ("AAPL",))
        for number in range(2):
            write_log(channel.id, LogLevel.INFO, f"line {number}")
    paths = ["/api/channels"] + [
        f"/api/channels/{channel.id}/{which}" for channel in (mine, other) for which in ("logs", "timeline")
    ]
    tokens = {path: call("GET", path, query="limit=1").json()["nextToken"] for path in paths}

    assert all(tokens.values())
    for path in paths:
        token = tokens[path]
        foreign = [each for where, each in tokens.items() if where != path]
        damaged = [token[:-1], token[1:], token + "A", token.swapcase(), "", "null", "x" * 5000, "%ff", "%00", "a,b"]
        for each in foreign + damaged:
            sentence = refused(path, each).json()
            assert sentence == {"detail": "nextToken is not valid here; begin again without it"}
        assert call("GET", path, query=f"limit=1&nextToken={token}").status == 200


def test_a_forged_token_of_no_channel_tells_nothing(tables: str) -> None:
    response = call("GET", f"/api/channels/{uuid4()}/logs", query="limit=1")

    assert response.status == 404


def test_a_list_of_exports_whose_rest_has_expired_since_the_page_before_ends(requests_made: Counter[str]) -> None:
    long_ago = encode({"PK": "USER#somebody", "SK": f"EXPORT#{first_ulid_of(0)}"})

    page = newest_exports("somebody", 5, long_ago)

    assert (page.items, page.next_key) == ([], None)
    assert requests_made["Query"] == 0, "DynamoDB would reject it"
