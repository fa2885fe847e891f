"""Notes on the stocks of a channel: whose they are, in which order they come, and that none outlives its channel."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from functions.people import notes as logic
from functions.record.errors import ChannelNotFound
from functions.record.models.notes import Note
from functions.record.store.channels import create_channel, delete_channel
from functions.record.store.notes import notes_of_channel
from functions.routes import find_route
from functions.runtime.caller import Caller
from functions.runtime.dynamodb.connection import dynamodb, main_table
from functions.runtime.dynamodb.requests import batch_delete
from operations import check
from tests.builders import a_channel
from tests.crashes import Crash, crash_at_write
from tests.events import Response, api_event, call, invoke

InThreads = Callable[[int, Callable[[int], object]], list[object]]
UNKNOWN = "00000000-0000-4000-8000-000000000000"
NO_SUCH_NOTE = "0" * 26


@pytest.fixture
def channel_id(tables: str) -> str:
    channel = a_channel("Finance")
    create_channel(channel)
    return channel.id


def path_of(channel_id: str, ticker: str = "AAPL") -> str:
    return f"/api/channels/{channel_id}/stocks/{ticker}/notes"


def as_person(subject: str, method: str, path: str, body: Any = None, key: str | None = None) -> Response:
    route = find_route(method, path)
    assert route
    headers = {"Idempotency-Key": key} if key else {}
    event = api_event(method, path, body=json.dumps(body) if body else None, headers=headers)
    event["requestContext"]["authorizer"] = {"jwt": {"claims": {"sub": subject, "cognito:groups": "[editor]"}}}
    return invoke(route, event)


def write(channel_id: str, text: str = "Hm", ticker: str = "AAPL", **headers: str) -> Response:
    return call("POST", path_of(channel_id, ticker), json_body={"text": text}, headers=headers)


def texts(path: str, query: str = "") -> list[str]:
    return [note["text"] for note in call("GET", path, query=query).json()["items"]]


class TestWriting:
    def test_a_note_says_who_and_when_and_where_it_is(self, channel_id: str) -> None:
        response = as_person("ann", "POST", path_of(channel_id, "brk.b"), {"text": "Wait for Q3.\n\tSee 10-K 📈"})

        note = response.json()
        assert response.status == 201
        assert response.headers["location"] == f"{path_of(channel_id, 'BRK.B')}/{note['id']}"
        assert response.headers["cache-control"] == "no-store"
        assert note == {
            "id": note["id"],
            "channel_id": channel_id,
            "ticker": "BRK.B",
            "text": "Wait for Q3.\n\tSee 10-K 📈",
            "author": "ann",
            "created_at": note["created_at"],
            "updated_at": note["created_at"],
            "version": 1,
        }

    @pytest.mark.parametrize(
        "text",
        ["", " \n\t", "x" * 5001, "a\x00b", "a\rb", "\x1b[31m", "a\x7f", "a\x85", None, 5, ["a"]],
    )
    def test_what_is_no_note_is_refused(self, channel_id: str, text: Any) -> None:
        response = call("POST", path_of(channel_id), json_body={"text": text})

        assert (response.status, response.json()["detail"][0]["loc"]) == (422, ["body", "text"])
        assert list(notes_of_channel(channel_id)) == []

    def test_what_cannot_be_seen_is_no_note_and_is_told_in_words(self, channel_id: str) -> None:
        invisible = ("\u200b", "\ufeff\u2060 \u00ad", "\u202e\u2066", "\u3164\u2800", "\ufe0f", " \u200d\n", " ", "")
        told = [write(channel_id, text) for text in (*invisible, "a\x00b")]

        assert {response.status for response in told} == {422}
        sentences = [response.json()["detail"][0]["msg"] for response in told]
        assert set(sentences[:-1]) == {"Value error, Write something that can be seen"}
        assert sentences[-1] == "Value error, A note holds no control characters but line breaks and tabs"
        assert list(notes_of_channel(channel_id)) == []
        for text in ("👩\u200d🚀", "\u202b\u0634\u202c", "e\u0301", "!"):
            assert write(channel_id, text).json()["text"] == text

    def test_line_breaks_of_windows_are_those_of_everybody(self, channel_id: str) -> None:
        assert write(channel_id, "one\r\ntwo").json()["text"] == "one\ntwo"

    def test_the_longest_text_is_kept_whole(self, channel_id: str) -> None:
        longest = "📈" * 5000

        assert write(channel_id, longest).status == 201
        assert texts(path_of(channel_id)) == [longest]

    def test_below_what_is_not_there_is_not_found(self, channel_id: str) -> None:
        missing = [
            write(UNKNOWN),
            write("no-id"),
            write(channel_id, ticker="A#B"),
            write(channel_id, ticker="X" * 2000),
        ]

        assert [each.status for each in missing] == [404] * 4
        assert [each.json()["detail"] for each in missing] == [*["Channel not found"] * 2, *["Stock not found"] * 2]
        assert list(notes_of_channel(channel_id)) == []

    def test_the_path_of_an_index_is_quoted(self, channel_id: str) -> None:
        location = write(channel_id, ticker="^GSPC").headers["location"]

        assert location.startswith(f"/api/channels/{channel_id}/stocks/%5EGSPC/notes/")

    def test_a_key_makes_one_note_though_the_worker_dies_before_its_response_is_recorded(self, channel_id: str) -> None:
        arguments = (channel_id, "AAPL", "Hm", Caller("local"))
        first = logic.add_note(*arguments, request="key")

        again = logic.add_note(*arguments, request="key")
        other = logic.add_note(*arguments, request="another key")
        elsewhere = logic.add_note(channel_id, "MSFT", "Hm", Caller("local"), request="key")

        assert again == first
        assert {note.id for note in notes_of_channel(channel_id)} == {first.id, other.id, elsewhere.id}

    @pytest.mark.parametrize("point", ["before-call", "after-call"])
    @pytest.mark.parametrize("number", [1, 2, 3])
    def test_a_crash_at_any_write_leaves_no_note_or_one(self, channel_id: str, number: int, point: str) -> None:
        with crash_at_write(number, point), pytest.raises(Crash):
            write(channel_id, **{"Idempotency-Key": "key"})
        left = list(notes_of_channel(channel_id))
        expire_idempotency_records()

        repeated = write(channel_id, **{"Idempotency-Key": "key"})

        assert repeated.status == 201
        assert len(left) == (0 if number == 1 or (number, point) == (2, "before-call") else 1)
        assert [note.id for note in notes_of_channel(channel_id)] == [repeated.json()["id"]]

    def test_a_key_is_of_one_person(self, channel_id: str) -> None:
        ann, bob, again = (
            as_person(who, "POST", path_of(channel_id), {"text": "Hm"}, key="key") for who in ("ann", "bob", "ann")
        )

        assert [each.json()["author"] for each in (ann, bob, again)] == ["ann", "bob", "ann"]
        assert again.json() == ann.json()
        assert len(list(notes_of_channel(channel_id))) == 2


class TestReading:
    def test_the_newest_come_first_and_by_page(self, channel_id: str) -> None:
        for number in range(5):
            write(channel_id, f"note {number}")
        write(channel_id, "of another stock", ticker="AAPLX")

        first = call("GET", path_of(channel_id), query="limit=3").json()
        second = call("GET", path_of(channel_id), query=f"limit=3&nextToken={first['nextToken']}").json()

        shown = [note["text"] for note in first["items"] + second["items"]]
        assert sorted(shown) == [f"note {number}" for number in range(5)]
        timestamps = [note["created_at"] for note in first["items"] + second["items"]]
        assert timestamps == sorted(timestamps, reverse=True)
        assert second["nextToken"] is None
        foreign = call("GET", path_of(channel_id, "MSFT"), query=f"limit=3&nextToken={first['nextToken']}")
        assert foreign.status == 400

    def test_across_channels_each_has_the_name_of_its_own(self, channel_id: str) -> None:
        create_channel(other := a_channel("Other"))
        write(channel_id, "one")
        write(other.id, "two")
        write(other.id, "of another stock", ticker="MSFT")

        page = call("GET", "/api/stocks/aapl/notes").json()

        assert {(note["text"], note["channel_name"]) for note in page["items"]} == {
            ("one", "Finance"),
            ("two", "Other"),
        }
        assert texts("/api/stocks/A%23B/notes") == texts(f"/api/stocks/{'X' * 3000}/notes") == []

    def test_of_a_channel_that_is_not_there_is_not_found(self, channel_id: str) -> None:
        assert call("GET", path_of(UNKNOWN)).status == 404

    def test_needs_the_token_as_changing_does(self) -> None:
        for method, path in (
            *((method, "/api/channels/x/stocks/y/notes") for method in ("GET", "POST")),
            *((method, "/api/channels/x/stocks/y/notes/z") for method in ("PUT", "DELETE")),
            ("GET", "/api/stocks/y/notes"),
        ):
            route = find_route(method, path)
            assert route and route.role


class TestChanging:
    def test_replaces_the_version_that_was_seen(self, channel_id: str) -> None:
        path = write(channel_id).headers["location"]

        changed = call("PUT", path, json_body={"text": "Better", "version": 1})
        again = call("PUT", path, json_body={"text": "Better", "version": 1})

        assert (changed.status, changed.json()["text"], changed.json()["version"]) == (200, "Better", 2)
        assert (again.status, again.json()) == (200, changed.json())
        assert call("GET", path_of(channel_id)).json()["items"] == [changed.json()]

    def test_an_old_version_is_refused_with_what_is_stored(self, channel_id: str) -> None:
        path = write(channel_id).headers["location"]
        changed = call("PUT", path, json_body={"text": "Better", "version": 1})

        refused = call("PUT", path, json_body={"text": "Worse", "version": 1})

        assert refused.status == 409
        assert refused.json() == {
            "detail": "The note has been changed meanwhile: its version is 2. Read it again.",
            "present": changed.json(),
        }

    def test_of_edits_at_once_one_is_kept(self, channel_id: str, concurrent_tables: str, in_threads: InThreads) -> None:
        path = write(channel_id).headers["location"]

        saved = in_threads(6, lambda number: call("PUT", path, json_body={"text": str(number), "version": 1}).status)

        assert sorted(map(str, saved)) == ["200", *["409"] * 5]
        assert [note.version for note in notes_of_channel(channel_id)] == [2]

    def test_is_for_its_author_alone(self, channel_id: str) -> None:
        path = as_person("ann", "POST", path_of(channel_id), {"text": "Hm"}).headers["location"]

        refused = [
            as_person("bob", "PUT", path, {"text": "Mine", "version": 1}),
            as_person("bob", "PUT", path, {"text": "Mine", "version": 7}),
            as_person("bob", "DELETE", path),
        ]

        assert [each.status for each in refused] == [403] * 3
        assert refused[0].json() == {"detail": "Only its author may change or delete a note"}
        assert texts(path_of(channel_id)) == ["Hm"]
        assert as_person("ann", "DELETE", path).status == 204
        assert texts(path_of(channel_id)) == []

    def test_what_is_not_there_is_not_found(self, channel_id: str) -> None:
        gone = write(channel_id).headers["location"]
        assert call("DELETE", gone).status == 204

        for path in (gone, f"{path_of(channel_id)}/{NO_SUCH_NOTE}", f"{path_of(channel_id)}/x", f"{path_of('x')}/x"):
            missing = call("DELETE", path), call("PUT", path, json_body={"text": "Hm", "version": 1})
            assert [each.status for each in missing] == [404, 404]
            assert missing[0].json() == {"detail": "Note not found"}
        assert list(notes_of_channel(channel_id)) == []


class TestWithItsChannel:
    def test_a_note_goes(self, channel_id: str) -> None:
        path = write(channel_id).headers["location"]

        delete_channel(channel_id)

        assert call("GET", "/api/stocks/AAPL/notes").json()["items"] == []
        assert call("PUT", path, json_body={"text": "Hm", "version": 1}).status == 404
        assert list(check.problems(check.read_everything())) == []

    def test_none_is_written_below_one_that_is_being_deleted(
        self, channel_id: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """At the moment at which its keys have been read, so that nothing that comes later would be removed."""
        refused: list[Exception] = []

        def write_meanwhile(*arguments: Any) -> None:
            try:
                logic.add_note(channel_id, "AAPL", "Too late", Caller("ann"))
            except ChannelNotFound as problem:
                refused.append(problem)
            batch_delete(*arguments)

        monkeypatch.setattr("functions.record.store.channels.batch_delete", write_meanwhile)
        write(channel_id)

        delete_channel(channel_id)

        assert refused
        assert list(notes_of_channel(channel_id)) == []

    def test_of_notes_and_a_delete_at_once_nothing_is_left(
        self, channel_id: str, concurrent_tables: str, in_threads: InThreads
    ) -> None:
        in_threads(8, lambda number: delete_channel(channel_id) if number == 4 else write(channel_id))

        assert list(notes_of_channel(channel_id)) == []
        assert list(check.problems(check.read_everything())) == []

    def test_all_are_read_by_stock_and_age(self, channel_id: str) -> None:
        for ticker in ("MSFT", "AAPL", "MSFT"):
            write(channel_id, ticker=ticker)

        kept = list(notes_of_channel(channel_id))

        assert all(isinstance(note, Note) for note in kept)
        assert [note.ticker for note in kept] == ["AAPL", "MSFT", "MSFT"]
        assert [note.id for note in kept[1:]] == sorted(note.id for note in kept[1:])


def expire_idempotency_records() -> None:
    """As if the time had passed after which a request that died may be tried again."""
    table = main_table()
    for item in dynamodb().scan(TableName=table)["Items"]:
        if item["PK"]["S"] == "IDEMPOTENCY" and "status" in item and "in_progress_expiration" in item:
            key = {"PK": item["PK"], "SK": item["SK"]}
            dynamodb().update_item(
                TableName=table,
                Key=key,
                UpdateExpression="SET in_progress_expiration = :past",
                ExpressionAttributeValues={":past": {"N": "1"}},
            )
