"""Alerts: written once with what they tell of, by each reading for the calls that are new or turned."""

from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from functions.reading.transcripts import Transcript
from functions.record.alerts import calls as alerts_logic
from functions.record.models.alerts import Alert, AlertKind
from functions.record.models.records import Channel
from functions.record.models.runs import RunKind
from functions.record.pipeline.keep_score import keep_score
from functions.record.runs.processing import finish_run, list_videos, process_video
from functions.record.sources.protocols import VideoInfo
from functions.record.store import alerts as alerts_store
from functions.record.store import runs
from functions.record.store.alerts import alerts_in_outbox, newest_alerts, newest_alerts_of_channel, page_of_alerts
from functions.record.store.channels import create_channel, delete_channel
from functions.record.store.kept_transcripts import keep_transcript
from functions.record.store.uploads import hand_in
from functions.record.uploads.read import read_handed_in
from functions.runtime import ids
from local.entities import put_entities
from tests.builders import a_channel, an_alert
from tests.crashes import Crash, crash_at_write
from tests.fakes import TODAY, FakeAnalyst, ImmediateDispatcher, World


@pytest.fixture
def world(tables: str, kept_transcripts: object, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    ImmediateDispatcher().install(monkeypatch)
    alerts_logic._said_before.cache_clear()
    yield World().install(monkeypatch)


@pytest.fixture
def channel(world: World) -> Channel:
    channel = a_channel()
    create_channel(channel)
    return channel


def info(number: int, days_ago: int) -> VideoInfo:
    return VideoInfo(f"video{number:06d}", f"Video {number}", TODAY - timedelta(days_ago))


def run(channel: Channel, *, rereading: bool = False) -> str:
    run_id = ids.new_run_id()
    runs.claim_run(channel.id, run_id, kind=RunKind.REREAD if rereading else RunKind.PROCESS)
    for video_id in list_videos(channel.id, run_id) or ():
        process_video(channel.id, run_id, video_id)
    finish_run(channel.id, run_id)
    keep_score(channel.id)
    return run_id


def told(alert: Alert) -> list[tuple[str, str, str | None, bool]]:
    return [(each["ticker"], each["sentiment"], each["before"], each["is_reversal"]) for each in alert.details]


class TestCalls:
    def test_a_video_with_calls_is_one_alert_with_a_detail_for_each(self, world: World, channel: Channel) -> None:
        world.videos.listed = [info(1, 2), info(2, 3), info(3, 4)]
        world.transcripts.texts = {
            "video000001": "AAPL buy, TSLA sell, KO hold",
            "video000002": "KO mentioned",
            "video000003": "MSFT buy",
        }

        run(channel)

        newest, older = newest_alerts_of_channel(channel.id, 10)
        assert told(newest) == [("AAPL", "buy", None, False), ("TSLA", "sell", None, False)]
        assert told(older) == [("MSFT", "buy", None, False)]
        assert (newest.kind, newest.video_title) == (AlertKind.CALLS, "Video 1")
        assert newest.occurred_at == f"{TODAY - timedelta(2)}T00:00:00.000Z"
        assert newest.details[0]["quote"] == "AAPL buy"
        assert newest.details[0]["quote_url"].startswith("https://www.youtube.com/watch?v=video000001")

    def test_what_is_old_when_it_is_read_is_in_the_feed_and_sent_to_nobody(
        self, world: World, channel: Channel
    ) -> None:
        world.videos.listed = [info(1, 7), info(2, 8), info(3, 200)]

        run(channel)

        assert len(newest_alerts(10)) == 3
        assert [alert.video_title for alert in alerts_in_outbox(10)] == ["Video 1"]

    def test_a_later_call_of_the_other_side_is_a_reversal(self, world: World, channel: Channel) -> None:
        world.videos.listed = [info(1, 40)]
        run(channel)
        world.videos.listed = [info(2, 20), info(1, 40)]
        world.transcripts.texts = {"video000002": "AAPL sell, MSFT buy"}
        run(channel)
        world.videos.listed = [info(3, 1), info(2, 20), info(1, 40)]
        world.transcripts.texts |= {"video000003": "AAPL sell, MSFT buy"}

        run(channel)

        newest, second, first = newest_alerts_of_channel(channel.id, 10)
        assert told(first) == [("AAPL", "buy", None, False)]
        assert told(second) == [("AAPL", "sell", "buy", True), ("MSFT", "buy", None, False)]
        assert told(newest) == [("AAPL", "sell", "sell", False), ("MSFT", "buy", "buy", False)]

    def test_what_a_channel_said_later_is_not_what_it_said_before(self, world: World, channel: Channel) -> None:
        world.videos.listed = [info(2, 1)]
        world.transcripts.texts = {"video000002": "AAPL sell"}
        run(channel)
        world.videos.listed = [info(2, 1), info(1, 30)]

        run(channel)

        assert told(newest_alerts_of_channel(channel.id, 10)[-1]) == [("AAPL", "buy", None, False)]

    def test_another_reading_tells_only_of_calls_that_are_new_or_turned(self, world: World, channel: Channel) -> None:
        world.videos.listed = [info(1, 1), info(2, 2)]
        world.transcripts.default = "AAPL buy, TSLA sell, KO buy"
        run(channel)
        world.analyst.name = "fake 2.0"
        texts = iter(["AAPL buy, TSLA buy, MSFT sell", "AAPL buy"])
        world.analyst.read = lambda _: FakeAnalyst.statements(next(texts))

        run(channel, rereading=True)

        found = newest_alerts_of_channel(channel.id, 10)
        assert sorted(len(alert.details) for alert in found) == [2, 3, 3]
        (again,) = [alert for alert in found if len(alert.details) == 2]
        assert {(ticker, sentiment) for ticker, sentiment, _, _ in told(again)} == {("TSLA", "buy"), ("MSFT", "sell")}

    def test_a_call_that_another_reading_turns_is_no_reversal_of_itself(self, world: World, channel: Channel) -> None:
        world.videos.listed = [info(1, 1), info(2, 20)]
        world.transcripts.texts = {"video000001": "AAPL buy", "video000002": "MSFT buy"}
        run(channel)
        for number, stance in enumerate(("sell", "buy"), start=2):
            world.analyst.name = f"fake {number}.0"
            world.analyst.read = lambda text, stance=stance: FakeAnalyst.statements(text.replace("buy", stance))
            run(channel, rereading=True)

        found = newest_alerts_of_channel(channel.id, 10)

        of_apple = [detail for alert in found for detail in told(alert) if detail[0] == "AAPL"]
        assert sorted(sentiment for _, sentiment, _, _ in of_apple) == ["buy", "buy", "sell"]
        assert {(before, is_reversal) for _, _, before, is_reversal in of_apple} == {(None, False)}

    def test_a_transcript_that_is_handed_in_tells_of_its_calls(self, world: World, channel: Channel) -> None:
        world.videos.listed = [info(1, 1)]
        world.transcripts.texts = {"video000001": None}
        run(channel)
        video_id = ids.video_id(channel.id, "video000001")
        keep_transcript(channel.id, video_id, Transcript("NVDA buy", "handed in", "en"))
        hand_in(channel.id, video_id)

        for _ in range(2):
            read_handed_in(channel.id, video_id)

        (alert,) = newest_alerts_of_channel(channel.id, 10)
        assert told(alert) == [("NVDA", "buy", None, False)]
        assert alerts_in_outbox(10) == [alert]

    def test_what_was_said_before_is_read_once_in_a_run(
        self, world: World, channel: Channel, requests_sent: list[dict[str, Any]]
    ) -> None:
        world.videos.listed = [info(number, number) for number in range(12)]

        run(channel)

        kept = [sent for sent in requests_sent if sent.get("Key", {}).get("SK") == {"S": "CALLS"}]
        assert len(kept) == 1

    @pytest.mark.parametrize("event", ["before-call", "after-call"])
    def test_a_worker_that_is_killed_leaves_no_alert_without_its_video_and_none_twice(
        self, world: World, channel: Channel, event: str
    ) -> None:
        world.videos.listed = [info(1, 1)]
        run_id = ids.new_run_id()
        runs.claim_run(channel.id, run_id)
        (video_id,) = list_videos(channel.id, run_id)
        for number in range(1, 10):
            try:
                with crash_at_write(number, event) as seen:
                    process_video(channel.id, run_id, video_id)
            except Crash:
                continue
            assert len(seen) < number
            break

        assert len(newest_alerts_of_channel(channel.id, 10)) == 1

    def test_alerts_go_with_their_channel(self, world: World, channel: Channel) -> None:
        world.videos.listed = [info(1, 1)]
        run(channel)

        delete_channel(channel.id)

        assert newest_alerts(10) == []
        assert alerts_in_outbox(10) == []


class TestPages:
    def test_a_kind_that_is_rare_is_searched_for_in_a_bounded_number_of_requests(
        self, channel: Channel, requests_made: Counter[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(alerts_store, "SEARCHED_AT_ONCE", 5)
        put_entities(an_alert(channel.id) for _ in range(40))
        requests_made.clear()

        page = page_of_alerts(5, None, AlertKind.VERDICT)

        assert page.items == []
        assert page.next_key
        assert requests_made.total() <= 10

    def test_the_only_one_of_a_kind_is_found_at_once_among_hundreds(self, channel: Channel) -> None:
        verdict = an_alert(channel.id, kind="verdict", occurred_at="2024-01-01T00:00:00.000Z")
        put_entities([verdict, *(an_alert(channel.id) for _ in range(300))])

        page = page_of_alerts(1, None, AlertKind.VERDICT)

        assert [alert.id for alert in page.items] == [verdict.id]

    @pytest.mark.parametrize("limit", [1, 2, 7])
    def test_pages_of_a_kind_have_each_alert_of_it_once(self, channel: Channel, limit: int) -> None:
        kinds = ("calls", "verdict", "verdict", "calls", "matured")
        alerts = [
            an_alert(channel.id, kind=kinds[day % 5], occurred_at=f"2024-06-{day:02}T00:00:00.000Z")
            for day in range(1, 30)
        ]
        put_entities(alerts)

        found, start = [], None
        while True:
            page = page_of_alerts(limit, start, AlertKind.VERDICT)
            found += page.items
            assert len(page.items) <= limit
            if not (start := page.next_key):
                break

        assert [alert.id for alert in found] == [alert.id for alert in reversed(alerts) if alert.kind == "verdict"]
