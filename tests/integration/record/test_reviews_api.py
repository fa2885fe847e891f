"""The routes of reviews: a call with its evidence, its review, the queue, the change log, and what counts nowhere."""

import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from functions.reading.policy import Reason
from functions.reading.statements import Act
from functions.reading.terms import Exchange, Sentiment
from functions.reading.transcripts import Transcript
from functions.record.models.records import Channel, Video
from functions.record.models.said import Said
from functions.record.pipeline.keep_score import keep_score
from functions.record.reviews import queue as review_queue
from functions.record.store import channels
from functions.record.store.kept_transcripts import keep_transcript
from functions.record.store.scorecards import mark_changed
from functions.record.store.stocks import describe_stock
from functions.record.store.videos import videos_of_channel
from functions.routes import find_route
from functions.runtime.dynamodb.connection import main_table
from functions.runtime.dynamodb.requests import batch_put
from functions.runtime.settings import settings
from local.entities import put_entities
from tests.builders import a_channel, a_mention, a_video, finished
from tests.events import api_event, call, invoke
from tests.fakes import RecordingDispatcher
from tests.markets import falling, rising, store_benchmark, store_closes
from tests.seeds import a_finished_channel, fill

UNKNOWN = "00000000-0000-4000-8000-000000000000"


@pytest.fixture
def channel(tables: str) -> Channel:
    store_benchmark()
    store_closes("AAPL", rising)
    store_closes("KO", falling)
    describe_stock("AAPL", "Apple Inc.", Exchange.NASDAQ)
    return a_finished_channel([("2024-03-01", ("AAPL", "KO")), ("2024-03-04", ("AAPL", "MSFT"))])


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("KEPT_TRANSCRIPTS_FOLDER", str(tmp_path))
    settings.cache_clear()
    yield tmp_path
    monkeypatch.undo()
    settings.cache_clear()


def first_video(channel: Channel) -> Video:
    return min(videos_of_channel(channel.id, consistent=True), key=lambda video: video.published_at)


def path_of(channel: Channel, ticker: str = "AAPL") -> str:
    return f"/api/channels/{channel.id}/videos/{first_video(channel).id}/calls/{ticker}"


def get(path: str, query: str = "") -> dict[str, Any]:
    response = call("GET", path, query=query)
    assert response.status == 200, response.text
    body: dict[str, Any] = response.json()
    return body


def put(channel: Channel, body: object, ticker: str = "AAPL") -> Any:
    return call("PUT", path_of(channel, ticker), json_body=body)


def place_of(channel: Channel, mention: dict[str, Any]) -> str:
    return f"/api/channels/{channel.id}/videos/{mention['video_id']}/calls/{mention['ticker']}"


def reject(channel: Channel, ticker: str = "AAPL") -> None:
    assert put(channel, {"review": "rejected"}, ticker).status == 200
    keep_score(channel.id)


class TestCall:
    def test_has_the_words_around_it_its_name_and_its_review(self, channel: Channel, folder: Path) -> None:
        video = first_video(channel)
        text = "One. Two. Three. Four. I am buying AAPL here. Five. Six. Seven. Eight."
        keep_transcript(channel.id, video.id, Transcript(text, "demo"))
        batch_put(main_table(), [replace(video, transcript_kept=True).to_item()])
        put(channel, {"review": "corrected", "sentiment": "hold", "note": "Not now."})

        body = get(path_of(channel, "aapl"))

        assert (body["before"], body["after"]) == ("Two. Three. Four.", "Five. Six. Seven.")
        assert (body["quote"], body["name"]) == ("I am buying AAPL here.", "Apple Inc.")
        assert (body["mention"]["sentiment"], body["mention"]["read_as"]) == ("hold", "buy")
        assert body["mention"]["video"]["id"] == video.id
        assert body["review"].pop("reviewed_at")
        assert body["review"] == {
            "outcome": "corrected",
            "sentiment": "hold",
            "act": None,
            "speaker": None,
            "sponsored": None,
            "note": "Not now.",
            "reviewed_by": "local",
            "version": 1,
            "blind": True,
        }

    def test_without_a_kept_transcript_has_nothing_around_it(self, channel: Channel) -> None:
        body = get(path_of(channel))

        assert (body["before"], body["after"], body["review"]) == (None, None, None)

    def test_shows_its_price_once_it_has_been_answered(self, channel: Channel) -> None:
        before = get(path_of(channel))["mention"]["price_at_mention"]
        put(channel, {"review": "confirmed"})

        assert (before, get(path_of(channel))["mention"]["price_at_mention"]) == (None, 101.25)

    def test_of_a_damaged_transcript_is_still_shown(self, channel: Channel, folder: Path) -> None:
        video = first_video(channel)
        keep_transcript(channel.id, video.id, Transcript("Text.", "demo"))
        (file,) = folder.glob("*/*")
        file.write_bytes(b"damaged")
        batch_put(main_table(), [replace(video, transcript_kept=True).to_item()])

        assert get(path_of(channel))["before"] is None

    @pytest.mark.parametrize("method", ["GET", "PUT"])
    def test_that_is_not_there_is_not_found(self, channel: Channel, method: str) -> None:
        body = {"review": "confirmed"} if method == "PUT" else None
        video = first_video(channel)
        paths = {
            path_of(channel, "TSLA"): "Call not found",
            path_of(channel, "A" * 3000): "Call not found",
            f"/api/channels/{channel.id}/videos/{UNKNOWN}/calls/AAPL": "Call not found",
            f"/api/channels/{channel.id}/videos/..%2F/calls/AAPL": "Call not found",
            f"/api/channels/{UNKNOWN}/videos/{video.id}/calls/AAPL": "Channel not found",
            f"/api/channels/nothing/videos/{video.id}/calls/AAPL": "Channel not found",
        }

        for path, detail in paths.items():
            response = call(method, path, json_body=body)
            assert (response.status, response.json()) == (404, {"detail": detail})

    def test_of_a_channel_being_deleted_is_not_found(self, channel: Channel) -> None:
        path = path_of(channel)
        channels.update_channel(channel.id, "SET deleting = :yes", "attribute_exists(PK)", {"yes": True})

        assert call("GET", path).status == 404
        assert call("PUT", path, json_body={"review": "confirmed"}).status == 404


class TestReview:
    def test_gives_the_mention_as_it_is_then(self, channel: Channel, dispatched: RecordingDispatcher) -> None:
        response = put(channel, {"review": "corrected", "sentiment": "sell"})

        mention = response.json()
        assert response.status == 200
        assert (mention["sentiment"], mention["read_as"], mention["review"]) == ("sell", "buy", "corrected")
        assert (mention["review_version"], mention["video"]["id"]) == (1, first_video(channel).id)
        assert [type(job).__name__ for job in dispatched.jobs] == ["ScoreChannel"]

    def test_of_the_statement_gives_it_corrected_and_as_it_was_read(self, channel: Channel) -> None:
        read = Said(Act.RECOMMENDS, Reason.RECOMMENDS, condition="if it holds", target=250.0, second_quote="Twice.")
        video = first_video(channel)
        calls = tuple(replace(mention, said=read) for mention in video.calls)
        put_entities([replace(video, calls=calls), *calls])

        mention = put(channel, {"review": "corrected", "act": "would_buy"}).json()

        assert (mention["sentiment"], mention["reason"], mention["statement"]["act"]) == (
            "mentioned",
            "on_condition",
            "would_buy",
        )
        assert mention["explanation"] == "Mention: only on a condition (“if it holds”)."
        assert (mention["statement"]["target_price"], mention["statement"]["second_quote"]) == (250.0, "Twice.")
        assert mention["statement_as_read"] == mention["statement"] | {"act": "recommends"}
        in_context = get(path_of(channel))
        assert in_context["mention"] == mention
        assert (in_context["review"]["act"], in_context["review"]["sponsored"]) == ("would_buy", False)

    def test_is_by_whom_the_token_names(self, channel: Channel) -> None:
        event = api_event("PUT", path_of(channel), body='{"review": "confirmed", "reviewed_by": "mallory"}')
        event["requestContext"]["authorizer"] = {"jwt": {"claims": {"sub": "ann", "cognito:groups": "[editor]"}}}
        route = find_route("PUT", path_of(channel))
        assert route

        assert invoke(route, event).status == 200

        assert get(path_of(channel))["review"]["reviewed_by"] == "ann"
        assert get(f"/api/channels/{channel.id}/changes")["items"][0]["changed_by"] == "ann"

    @pytest.mark.parametrize(
        ("body", "place"),
        [
            ({"review": "maybe"}, "review"),
            ({}, "review"),
            ({"review": "corrected"}, "sentiment"),
            ({"review": "corrected", "sentiment": None}, "sentiment"),
            ({"review": "corrected", "sentiment": "short"}, "sentiment"),
            ({"review": "confirmed", "sentiment": "sell"}, "sentiment"),
            ({"review": "confirmed", "note": "x" * 2001}, "note"),
            ({"review": "confirmed", "version": "1"}, "version"),
            ({"review": "confirmed", "version": -1}, "version"),
            ({"review": "corrected", "act": "short"}, "act"),
            ({"review": "corrected", "speaker": "nobody"}, "speaker"),
            ({"review": "corrected", "sponsored": "yes"}, "sponsored"),
            ({"review": "corrected", "act": None, "speaker": None}, "sentiment"),
            ({"review": "corrected", "act": "would_buy", "sentiment": "buy"}, "sentiment"),
            ({"review": "confirmed", "act": "sold"}, "act"),
        ],
    )
    def test_that_cannot_be_is_refused(self, channel: Channel, body: object, place: str) -> None:
        response = put(channel, body)

        (problem,) = response.json()["detail"]
        assert (response.status, problem["loc"][-1]) == (422, place)
        assert get(path_of(channel))["review"] is None

    @pytest.mark.parametrize("first", [0, None])
    def test_of_what_was_not_seen_is_a_conflict(self, channel: Channel, first: int | None) -> None:
        assert put(channel, {"review": "confirmed", "version": first}).status == 200

        second = put(channel, {"review": "rejected", "version": first})

        assert second.status == 409
        refused = second.json()
        assert refused["detail"] == "This call has been reviewed meanwhile; look at it again"
        assert (refused["present"]["review"], refused["present"]["review_version"]) == ("confirmed", 1)
        assert refused["present"]["video"]["title"]
        assert put(channel, {"review": "rejected", "version": 1}).status == 200
        assert put(channel, {"review": None}).json()["review"] is None


class TestChanges:
    def test_come_newest_first_and_by_page(self, channel: Channel) -> None:
        for outcome in ("confirmed", "rejected", None):
            put(channel, {"review": outcome})
        path = f"/api/channels/{channel.id}/changes"

        first = get(path, "limit=2")
        second = get(path, f"limit=2&nextToken={first['nextToken']}")

        messages = [item["message"].partition(": ")[2] for page in (first, second) for item in page["items"]]
        assert messages == ["review withdrawn, buy again.", "rejected as buy.", "confirmed as buy."]
        assert second["nextToken"] is None
        assert list(first["items"][0]) == [
            *("id", "kind", "message", "created_at", "changed_by", "video_id", "ticker"),
        ]

    def test_of_a_channel_that_is_not_there_are_not_found(self, tables: str) -> None:
        assert call("GET", f"/api/channels/{UNKNOWN}/changes").status == 404


@pytest.fixture
def doubtful(tables: str) -> Channel:
    """With a call of each kind, and more or less sure ones."""
    store_benchmark()
    store_closes("AAPL", rising)
    store_closes("KO", falling)
    describe_stock("AAPL", "Apple Inc.", Exchange.NASDAQ)
    channel = a_finished_channel([])
    video = finished(a_video(channel.id, published_at="2024-03-01"), "run", ())
    mentions = [
        a_mention(video, "AAPL", confidence_score=0.65),
        a_mention(video, "KO", confidence_score=0.55),
        a_mention(video, "MSFT", confidence_score=0.95),
        a_mention(video, "TSLA", sentiment="mentioned", possible_sentiment="sell", confidence_score=0.48),
        a_mention(video, "NVDA", sentiment="mentioned", confidence_score=0.9),
        a_mention(video, "JPM", sentiment="hold", confidence_score=0.52),
    ]
    video = replace(video, calls=tuple(mentions))
    batch_put(main_table(), [entity.to_item() for entity in (video, *mentions)])
    keep_score(channel.id)
    return channel


class TestQueue:
    def test_begins_with_what_is_nearest_to_even_odds(self, doubtful: Channel) -> None:
        page = get(f"/api/channels/{doubtful.id}/review")

        rows = [(item["mention"]["ticker"], item["reason"], item["name"]) for item in page["items"]]
        assert rows == [
            ("JPM", "doubtful", None),
            ("TSLA", "possible", None),
            ("KO", "doubtful", None),
            ("AAPL", "doubtful", "Apple Inc."),
        ]
        assert (page["remaining"], page["nextToken"]) == (4, None)
        assert page["items"][0]["mention"]["video"]["title"] == "Video video000001"

    @pytest.mark.parametrize("order", ["doubt", "influence", "sample"])
    def test_shows_no_price_and_no_outcome(self, doubtful: Channel, order: str) -> None:
        page = get(f"/api/channels/{doubtful.id}/review", f"order={order}")

        assert page["items"]
        assert {(item["excess_percent"], item["mention"]["price_at_mention"]) for item in page["items"]} == {
            (None, None)
        }

    def test_has_no_order_by_outcome(self, doubtful: Channel) -> None:
        path = f"/api/channels/{doubtful.id}/review"

        assert get(path, "order=influence") == get(path)

    def test_leaves_out_what_was_reviewed_before_it_is_made_again_and_after(self, doubtful: Channel) -> None:
        put(doubtful, {"review": "rejected"}, "JPM")
        path = f"/api/channels/{doubtful.id}/review"

        before = get(path)
        keep_score(doubtful.id)
        after = get(path)

        for page in (before, after):
            assert [item["mention"]["ticker"] for item in page["items"]] == ["TSLA", "KO", "AAPL"]
            assert page["remaining"] == 3

    @pytest.mark.parametrize("made_again", [True, False])
    @pytest.mark.parametrize("order", ["doubt", "sample"])
    def test_goes_on_where_it_was_though_rows_before_have_gone(
        self, doubtful: Channel, made_again: bool, order: str
    ) -> None:
        path = f"/api/channels/{doubtful.id}/review"
        every = [item["mention"]["ticker"] for item in get(path, f"order={order}")["items"]]
        first = get(path, f"order={order}&limit=2")
        for item in first["items"]:
            put(doubtful, {"review": "rejected"}, item["mention"]["ticker"])
        if made_again:
            keep_score(doubtful.id)

        second = get(path, f"order={order}&limit=2&nextToken={first['nextToken']}")

        assert [item["mention"]["ticker"] for item in second["items"]] == every[2:]

    def test_of_one_order_refuses_the_token_of_another(self, doubtful: Channel) -> None:
        path = f"/api/channels/{doubtful.id}/review"
        token = get(path, "limit=1")["nextToken"]

        assert call("GET", path, query=f"order=sample&nextToken={token}").status == 400
        assert call("GET", path, query="order=random").status == 422

    def test_keeps_every_call_when_others_come(self, tables: str) -> None:
        days = [(f"2024-03-{day:02d}", ("AAPL", "KO")) for day in range(1, 16)]
        channel = a_finished_channel(days)
        keep_score(channel.id)
        path = f"/api/channels/{channel.id}/review"
        before = get(path, "sample=true&limit=100")["items"]

        fill(channel, 40, ("AAPL", "KO", "MSFT"), first=100)
        mark_changed(channel.id)
        keep_score(channel.id)

        after = get(path, "sample=true&limit=100")["items"]
        assert len(before) == 20
        assert [item["mention"]["id"] for item in after] == [item["mention"]["id"] for item in before]

    def test_is_asked_for_in_two_ways(self, channel: Channel) -> None:
        keep_score(channel.id)
        path = f"/api/channels/{channel.id}/review"

        assert get(path, "sample=true") == get(path, "order=sample") == get(path, "order=doubt&sample=true")
        assert get(path, "sample=false") == get(path)
        assert call("GET", path, query="sample=maybe").status == 422

    def test_waits_for_an_answer_without_the_outcome(self, channel: Channel) -> None:
        keep_score(channel.id)
        path = f"/api/channels/{channel.id}/review"
        before = get(path, "sample=true")
        put(channel, {"review": "corrected", "sentiment": "hold", "blind": False})

        seen = get(path, "sample=true")

        assert seen["sample"] == {"size": 4, "done": 0}
        (shown,) = [item["mention"] for item in seen["items"] if item["mention"]["review_version"]]
        assert (shown["sentiment"], shown["review"], shown["price_at_mention"]) == ("buy", None, None)
        assert len(seen["items"]) == len(before["items"])
        assert put(channel, {"review": "confirmed", "version": 1}).status == 200
        assert get(path, "sample=true")["sample"] == {"size": 4, "done": 1}

    def test_counts_no_answer_that_was_given_with_the_outcome_in_view(self, tables: str) -> None:
        channel = a_finished_channel([(f"2024-03-{day:02d}", ("AAPL", "KO")) for day in range(1, 16)])
        keep_score(channel.id)
        sample = get(f"/api/channels/{channel.id}/review", "sample=true&limit=100")["items"]
        places = [place_of(channel, item["mention"]) for item in sample]

        sources = []
        for last in ({"review": "confirmed"}, {"review": "rejected", "blind": False}, {"review": "rejected"}):
            for place in places[:19]:
                assert call("PUT", place, json_body={"review": "confirmed"}).status == 200
            assert call("PUT", places[19], json_body=last).status == 200
            keep_score(channel.id)
            reading = get(f"/api/channels/{channel.id}/score")["horizons"][2]["reading"]
            sources.append((reading["source"], reading["right_rate"]))

        assert sources == [("reviews", 1.0), (None, None), ("reviews", 0.95)]

    def test_is_empty_before_there_is_a_score(self, channel: Channel) -> None:
        assert get(f"/api/channels/{channel.id}/review") == {
            **{"nextToken": None, "items": [], "remaining": 0, "sample": None},
        }

    def test_of_a_channel_that_is_not_there_is_not_found(self, tables: str) -> None:
        assert call("GET", f"/api/channels/{UNKNOWN}/review").status == 404

    def test_keeps_so_many_rows_and_counts_the_rest(self, doubtful: Channel, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(review_queue, "MAX_ROWS", 2)
        put(doubtful, {"review": "confirmed"}, "MSFT")
        keep_score(doubtful.id)

        page = get(f"/api/channels/{doubtful.id}/review")

        assert [item["mention"]["ticker"] for item in page["items"]] == ["JPM", "TSLA"]
        assert page["remaining"] == 4

    def test_takes_the_setting_of_what_is_doubtful(self, doubtful: Channel, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("REVIEW_BELOW", "0.6")
        settings.cache_clear()
        put(doubtful, {"review": "confirmed"}, "MSFT")
        keep_score(doubtful.id)

        assert [item["mention"]["ticker"] for item in get(f"/api/channels/{doubtful.id}/review")["items"]] == [
            *("JPM", "TSLA", "KO"),
        ]

    def test_takes_the_threshold_of_the_caller(self, doubtful: Channel) -> None:
        path = f"/api/channels/{doubtful.id}/review"
        wanted = {"horizon": None, "cost_bps": None, "benchmark": None}

        def shown(query: str = "") -> tuple[list[str], int]:
            page = get(path, query)
            return [item["mention"]["ticker"] for item in page["items"]], page["remaining"]

        by_default = shown()
        seen = {}
        for version, below in enumerate((0, 0.55, 1)):
            body = {**wanted, "review_below": below, "version": version}
            assert call("PUT", "/api/settings", json_body=body).status == 200
            seen[below] = shown()

        assert by_default == (["JPM", "TSLA", "KO", "AAPL"], 4)
        assert seen[0] == (["TSLA"], 1)
        assert seen[0.55] == (["JPM", "TSLA"], 2)
        assert seen[1] == (["JPM", "TSLA", "KO", "AAPL", "MSFT"], 5)
        assert shown("below=0.7") == by_default
        assert shown("below=0.55&order=sample") == shown("order=sample")
        assert call("GET", path, query="below=1.1").status == 422

    def test_makes_no_more_requests_with_more_videos(self, tables: str, requests_made: Counter[str]) -> None:
        counts = []
        for videos in (10, 150):
            days = [(f"2024-{number // 28 % 12 + 1:02d}-{number % 28 + 1:02d}", ("AAPL",)) for number in range(videos)]
            channel = a_finished_channel(days)
            keep_score(channel.id)
            requests_made.clear()
            page = get(f"/api/channels/{channel.id}/review", "order=sample&limit=10")
            counts.append(Counter(requests_made))
            assert len(page["items"]) == 10

        assert counts[0] == counts[1] == {"GetItem": 2, "BatchGetItem": 2}


class TestSample:
    def test_is_the_same_each_time_and_counts_what_is_done(self, channel: Channel) -> None:
        keep_score(channel.id)
        path = f"/api/channels/{channel.id}/review"
        before = get(path, "order=sample")
        put(channel, {"review": "confirmed"})
        put(channel, {"review": "rejected"}, "KO")

        at_once = get(path, "order=sample")
        keep_score(channel.id)
        later = get(path, "order=sample")

        assert {item["reason"] for item in before["items"]} == {"sampled"}
        assert (before["sample"], before["remaining"]) == ({"size": 4, "done": 0}, 4)
        answered = {path_of(channel), path_of(channel, "KO")}
        left = [item for item in before["items"] if place_of(channel, item["mention"]) not in answered]
        for page in (at_once, later):
            assert page["items"] == left
            assert (page["sample"], page["remaining"]) == ({"size": 4, "done": 2}, 2)

    def test_counts_all_of_it_on_each_page(self, channel: Channel) -> None:
        keep_score(channel.id)
        path = f"/api/channels/{channel.id}/review"
        first = get(path, "order=sample&limit=3")
        put(channel, {"review": "confirmed"})

        second = get(path, f"order=sample&limit=3&nextToken={first['nextToken']}")

        assert second["sample"] == {"size": 4, "done": 1}
        assert second["nextToken"] is None

    def test_holds_no_more_than_twenty(self, tables: str) -> None:
        channel = a_finished_channel([(f"2024-03-{day:02d}", ("AAPL", "KO")) for day in range(1, 16)])
        keep_score(channel.id)

        page = get(f"/api/channels/{channel.id}/review", "order=sample&limit=100")

        assert (len(page["items"]), page["sample"]) == (20, {"size": 20, "done": 0})

    def test_is_empty_before_there_is_a_score(self, channel: Channel) -> None:
        page = get(f"/api/channels/{channel.id}/review", "order=sample")

        assert (page["items"], page["sample"]) == ([], {"size": 0, "done": 0})

    def test_tells_the_score_how_well_the_calls_were_read(self, tables: str) -> None:
        channel = a_finished_channel([(f"2024-03-{day:02d}", ("AAPL", "KO")) for day in range(1, 16)])
        keep_score(channel.id)
        sample = get(f"/api/channels/{channel.id}/review", "order=sample&limit=100")["items"]
        outcomes = ["rejected", *["confirmed"] * 19]

        seen: list[Any] = []
        for item, outcome in zip(sample, outcomes, strict=True):
            assert call("PUT", place_of(channel, item["mention"]), json_body={"review": outcome}).status == 200
            if len(seen) < 1 or item is sample[-1]:
                keep_score(channel.id)
                seen.append(get(f"/api/channels/{channel.id}/score")["horizons"][2]["reading"])

        assert [reading["source"] for reading in seen] == [None, "reviews"]
        assert seen[-1]["right_rate"] == 0.95
        assert seen[-1]["right_low"] < 0.95 < seen[-1]["right_high"]

    def test_is_not_made_of_reviews_of_other_calls(self, tables: str) -> None:
        channel = a_finished_channel([(f"2024-03-{day:02d}", ("AAPL", "KO")) for day in range(1, 29)])
        keep_score(channel.id)
        sample = get(f"/api/channels/{channel.id}/review", "order=sample&limit=100")["items"]
        sampled = {place_of(channel, item["mention"]) for item in sample}
        calls = get(f"/api/channels/{channel.id}/calls", "limit=100")["items"]

        for other in {place_of(channel, each) for each in calls} - sampled:
            call("PUT", other, json_body={"review": "confirmed"})
        keep_score(channel.id)

        score = get(f"/api/channels/{channel.id}/score")
        assert score["checked"]["checked"] >= 20
        assert score["horizons"][2]["reading"]["source"] is None


class TestHash:
    @pytest.mark.parametrize("which", ["all", "checked"])
    def test_can_be_computed_from_the_calls(self, channel: Channel, which: str) -> None:
        put(channel, {"review": "corrected", "sentiment": "sell"})
        put(channel, {"review": "rejected"}, "KO")
        keep_score(channel.id)

        score = get(f"/api/channels/{channel.id}/score", f"calls={which}")
        calls = get(f"/api/channels/{channel.id}/calls", "limit=100")["items"]

        lines = sorted(
            "\t".join([each["video_id"], each["ticker"], each["sentiment"], each["published_at"], ""]) + "\n"
            for each in calls
            if which == "all" or each["review"] in ("confirmed", "corrected")
        )
        assert len(lines) == {"all": 3, "checked": 1}[which]
        assert score["calls_sha256"] == hashlib.sha256("".join(lines).encode()).hexdigest()

    def test_of_other_calls_than_all_or_checked_there_is_no_score(self, channel: Channel) -> None:
        assert call("GET", f"/api/channels/{channel.id}/score", query="calls=some").status == 422


class TestRejected:
    """A rejected mention is shown, and counts nowhere."""

    def test_is_no_call_in_the_score_nor_on_the_leaderboard(self, channel: Channel) -> None:
        reject(channel)

        quarter = get(f"/api/channels/{channel.id}/score")["horizons"][2]
        (line,) = get("/api/leaderboard")["items"]
        assert (quarter["calls"], line["calls"]) == (2, 2)

    def test_is_not_in_the_calls_of_the_channel(self, channel: Channel) -> None:
        reject(channel)

        calls = get(f"/api/channels/{channel.id}/calls")["items"]
        assert sorted(each["ticker"] for each in calls) == ["AAPL", "KO", "MSFT"]

    def test_is_not_in_the_calls_of_the_stock(self, channel: Channel) -> None:
        reject(channel, "KO")

        assert get("/api/stocks/KO/calls")["items"] == []

    @pytest.mark.parametrize("kept", [True, False])
    def test_is_not_in_the_list_of_stocks_nor_in_what_it_covers(self, channel: Channel, kept: bool) -> None:
        reject(channel, "KO")
        if not kept:
            put(channel, {"review": "confirmed"})

        body = get(f"/api/channels/{channel.id}/stocks")
        assert [stock["ticker"] for stock in body["stocks"]] == ["AAPL", "MSFT"]
        assert "KO" not in body["summary"]["first_mentions"]

    def test_is_no_video_with_mentions(self, channel: Channel) -> None:
        reject(channel, "KO")
        reject(channel, "AAPL")

        assert get(f"/api/channels/{channel.id}/stocks")["coverage"]["with_mentions"] == 1

    @pytest.mark.parametrize("kept", [True, False])
    def test_is_not_followed_in_a_backtest(self, tables: str, kept: bool) -> None:
        store_benchmark()
        store_closes("AAPL", rising)
        channel = a_finished_channel()
        put(channel, {"review": "rejected"})
        if kept:
            keep_score(channel.id)

        assert get(f"/api/channels/{channel.id}/backtest")["points"] == []

    def test_is_shown_as_rejected_in_the_timeline_and_in_what_was_said_of_the_stock(self, channel: Channel) -> None:
        reject(channel, "KO")

        (mention,) = get(f"/api/channels/{channel.id}/stocks/KO")["mentions"]
        entries = get(f"/api/channels/{channel.id}/timeline")["timeline"]
        shown = {each["ticker"]: each["review"] for entry in entries for each in entry["mentions"]}
        assert (mention["review"], shown["KO"]) == ("rejected", "rejected")

    def test_leaves_a_stock_that_the_search_finds_without_a_call(self, channel: Channel) -> None:
        describe_stock("KO", "Coca-Cola", Exchange.NYSE)
        reject(channel, "KO")

        assert [stock["ticker"] for stock in get("/api/search", "q=KO")["stocks"]] == ["KO"]
        assert get("/api/stocks/KO/calls")["items"] == []

    def test_counts_again_once_the_review_is_withdrawn(self, channel: Channel) -> None:
        reject(channel, "KO")
        put(channel, {"review": None}, "KO")
        keep_score(channel.id)

        assert len(get("/api/stocks/KO/calls")["items"]) == 1
        assert get(f"/api/channels/{channel.id}/score")["horizons"][2]["calls"] == 3


def test_a_correction_turns_the_call_everywhere(channel: Channel) -> None:
    put(channel, {"review": "corrected", "sentiment": "buy"}, "KO")
    put(channel, {"review": "corrected", "sentiment": Sentiment.SELL}, "KO")
    keep_score(channel.id)

    (of_stock,) = get("/api/stocks/KO/calls")["items"]
    stocks = {stock["ticker"]: stock for stock in get(f"/api/channels/{channel.id}/stocks")["stocks"]}
    assert (of_stock["sentiment"], of_stock["read_as"], of_stock["review"]) == ("sell", "buy", "corrected")
    assert (stocks["KO"]["buy_count"], stocks["KO"]["sell_count"]) == (0, 1)


def test_reviews_need_a_channel(tables: str) -> None:
    assert (
        call("PUT", f"/api/channels/{a_channel().id}/videos/{UNKNOWN}/calls/AAPL", json_body={"review": None}).status
        == 404
    )
