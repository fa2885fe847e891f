"""Transcripts that are kept, runs that read them again, and videos that go from YouTube."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from functions.reading.transcripts import Transcript
from functions.record.channels.changes import changes_of_channel
from functions.record.errors import RunEnded
from functions.record.models.records import ChangeKind, Channel, ReviewOutcome, StockMention, Video
from functions.record.models.runs import RunKind
from functions.record.pipeline import finish_run, list_videos, price_calls, process_video, record_failed_video
from functions.record.pipeline.reasons import as_caught
from functions.record.store import runs
from functions.record.store.channels import channel_by_id, create_channel, delete_channel
from functions.record.store.kept_transcripts import keep_transcript, kept_transcript
from functions.record.store.logs import logs_of_channel
from functions.record.store.mentions import mentions_of_channel
from functions.record.store.readings import MAX_MENTIONS_PER_VIDEO
from functions.record.store.videos import videos_of_channel
from functions.runtime import ids
from functions.runtime.provider_errors import Unavailable
from functions.runtime.settings import settings
from operations import check
from tests.builders import a_channel
from tests.crashes import Crash, crash_at_write
from tests.fakes import FakeAnalyst, ImmediateDispatcher, World, some_videos

TIMED = Transcript.of_pieces([(0.4, "AAPL buy,"), (83.9, "TSLA sell")], "youtube", language="en")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("KEPT_TRANSCRIPTS_FOLDER", str(tmp_path / "transcripts"))
    settings.cache_clear()
    yield tmp_path / "transcripts"
    monkeypatch.undo()
    settings.cache_clear()


@pytest.fixture
def world(tables: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    ImmediateDispatcher().install(monkeypatch)
    yield World().install(monkeypatch)
    assert list(check.problems(check.read_everything())) == []


@pytest.fixture
def channel_id(world: World) -> str:
    channel = a_channel()
    create_channel(channel)
    return channel.id


def claimed(channel_id: str, *, rereading: bool = False) -> dict[str, str]:
    run_id = ids.new_run_id()
    runs.claim_run(channel_id, run_id, kind=RunKind.REREAD if rereading else RunKind.PROCESS)
    return {"channel_id": channel_id, "run_id": run_id}


def whole_run(channel_id: str, *, rereading: bool = False) -> None:
    run = claimed(channel_id, rereading=rereading)
    for video_id in list_videos.handler(run, None)["video_ids"]:
        process_video.handler({**run, "video_id": video_id}, None)
    price_calls.handler({**run, "checks": 99}, None)
    finish_run.handler(run, None)


def reread(channel_id: str) -> None:
    whole_run(channel_id, rereading=True)


def the_channel(channel_id: str) -> Channel:
    channel = channel_by_id(channel_id, consistent=True)
    assert channel
    return channel


def the_video(channel_id: str) -> Video:
    (video,) = videos_of_channel(channel_id, consistent=True)
    return video


def said(channel_id: str) -> dict[str, str]:
    return {mention.ticker: str(mention.sentiment) for mention in the_video(channel_id).calls}


def lines(channel_id: str) -> list[str]:
    return [line.message for line in logs_of_channel(channel_id, consistent=True)]


def changes(channel_id: str) -> list[tuple[ChangeKind, str]]:
    return [(change.kind, change.message) for change in changes_of_channel(channel_id, None, 100).items]


def reads_instead(world: World, text: str, name: str = "fake 2.0") -> None:
    """From now on there is another analyst, which finds this in every transcript."""
    world.analyst.name = name
    world.analyst.read = lambda _: FakeAnalyst.statements(text)


class TestKeeping:
    def test_a_transcript_is_kept_with_its_times_and_a_quote_gets_its_second(
        self, world: World, channel_id: str
    ) -> None:
        world.videos.listed = some_videos(1)
        world.transcripts.texts["video000000"] = TIMED

        whole_run(channel_id)

        video = the_video(channel_id)
        assert {call.ticker: call.start_seconds for call in video.calls} == {"AAPL": 0, "TSLA": 83}
        assert {call.quote_url for call in video.calls} == {f"{video.url}&t=0s", f"{video.url}&t=83s"}
        assert {call.analyst for call in video.calls} == {"fake 1.0"}
        kept = kept_transcript(channel_id, video.id)
        assert kept and (kept.text, kept.seconds, kept.source) == ("AAPL buy, TSLA sell", (0, 83), "youtube")
        assert video.transcript_kept

    def test_mentions_and_the_copies_in_their_video_say_the_same(self, world: World, channel_id: str) -> None:
        world.videos.listed = some_videos(1)
        world.transcripts.texts["video000000"] = TIMED

        whole_run(channel_id)

        assert set(mentions_of_channel(channel_id)) == set(the_video(channel_id).calls)

    def test_what_is_kept_is_read_before_its_source_is_asked(self, world: World, channel_id: str) -> None:
        world.videos.listed = some_videos(1)
        run = claimed(channel_id)
        (video_id,) = list_videos.handler(run, None)["video_ids"]
        keep_transcript(channel_id, video_id, Transcript("NVDA sell", "handed in"))

        process_video.handler({**run, "video_id": video_id}, None)

        assert said(channel_id) == {"NVDA": "sell"}
        assert world.transcripts.requested == []

    def test_a_damaged_one_is_fetched_again(self, world: World, channel_id: str, folder: Path) -> None:
        world.videos.listed = some_videos(1)
        run = claimed(channel_id)
        (video_id,) = list_videos.handler(run, None)["video_ids"]
        keep_transcript(channel_id, video_id, Transcript("NVDA sell", "handed in"))
        for file in folder.rglob("*.z"):
            file.write_bytes(file.read_bytes()[:-3])

        process_video.handler({**run, "video_id": video_id}, None)

        assert said(channel_id) == {"AAPL": "buy"}
        kept = kept_transcript(channel_id, video_id)
        assert kept and kept.text == "AAPL buy"

    def test_can_be_turned_off(
        self, world: World, channel_id: str, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("KEEP_TRANSCRIPTS", "false")
        settings.cache_clear()
        world.videos.listed = some_videos(1)

        whole_run(channel_id)

        assert not folder.exists()
        assert not the_video(channel_id).transcript_kept
        assert said(channel_id) == {"AAPL": "buy"}

    def test_a_delete_removes_them(self, world: World, channel_id: str, folder: Path) -> None:
        world.videos.listed = some_videos(3)
        whole_run(channel_id)
        assert len(list(folder.rglob("*.z"))) == 3

        delete_channel(channel_id)

        assert list(folder.rglob("*")) == []

    def test_one_that_is_kept_while_the_channel_is_deleted_does_not_stay(
        self, world: World, channel_id: str, folder: Path
    ) -> None:
        world.videos.listed = some_videos(1)
        run = claimed(channel_id)
        (video_id,) = list_videos.handler(run, None)["video_ids"]
        world.transcripts.before_read = lambda _: delete_channel(channel_id)

        with pytest.raises(RunEnded):
            process_video.handler({**run, "video_id": video_id}, None)

        assert list(folder.rglob("*.z")) == []

    def test_why_a_video_has_none_is_noted_with_it(self, world: World, channel_id: str) -> None:
        world.videos.listed = some_videos(1)
        world.transcripts.texts["video000000"] = None

        whole_run(channel_id)

        assert the_video(channel_id).problem == "video000000 has no transcript."


class TestReadingAgain:
    @pytest.fixture
    def read_once(self, world: World, channel_id: str) -> str:
        world.videos.listed = some_videos(1)
        world.transcripts.default = "AAPL buy, TSLA sell, KO hold"
        whole_run(channel_id)
        return channel_id

    def test_reads_with_the_present_analyst_without_fetching(self, world: World, read_once: str) -> None:
        world.transcripts.requested.clear()
        reads_instead(world, "AAPL sell, NVDA buy, KO hold")

        reread(read_once)

        assert said(read_once) == {"AAPL": "sell", "NVDA": "buy", "KO": "hold"}
        assert {call.analyst for call in the_video(read_once).calls} == {"fake 2.0"}
        assert {mention.ticker for mention in mentions_of_channel(read_once)} == {"AAPL", "NVDA", "KO"}
        assert all(call.price_at_mention == 100.0 for call in the_video(read_once).calls)
        assert world.transcripts.requested == []
        assert the_channel(read_once).status == "completed"

    def test_tells_what_changed_in_the_log_and_in_the_change_log(self, world: World, read_once: str) -> None:
        reads_instead(world, "AAPL sell, NVDA buy, KO hold")

        reread(read_once)

        assert lines(read_once)[-1].endswith(" Calls: 1 new, 1 gone, 1 turned to the other side.")
        assert changes(read_once) == [
            (
                ChangeKind.REREAD,
                "“Video 0” read again by fake 2.0: NVDA is a new buy, TSLA is no longer a sell, "
                "AAPL turned from buy to sell.",
            )
        ]

    def test_that_finds_the_same_changes_nothing(self, world: World, read_once: str) -> None:
        before = the_video(read_once)

        reread(read_once)

        assert replace(the_video(read_once), run_id=before.run_id) == before
        assert changes(read_once) == []
        assert lines(read_once)[-1].endswith(" Calls: 0 new, 0 gone, 0 turned to the other side.")

    def test_a_run_after_it_looks_for_new_videos_again(self, world: World, read_once: str) -> None:
        reread(read_once)
        world.videos.listed = some_videos(2)

        whole_run(read_once)

        assert len(videos_of_channel(read_once)) == 2
        assert "Calls:" not in lines(read_once)[-1]

    def test_what_was_read_stays_when_rereading_it_fails(self, world: World, read_once: str) -> None:
        before = the_video(read_once)
        world.analyst.read = _failing
        run = claimed(read_once, rereading=True)
        (video_id,) = list_videos.handler(run, None)["video_ids"]

        with pytest.raises(Exception, match="busy") as caught:
            process_video.handler({**run, "video_id": video_id}, None)
        record_failed_video.handler({**run, "video_id": video_id, "error": as_caught(caught.value)}, None)
        finish_run.handler(run, None)

        assert replace(the_video(read_once), run_id=before.run_id) == before
        assert the_channel(read_once).status == "completed"

    def test_what_was_read_stays_when_its_transcript_is_gone(self, world: World, read_once: str, folder: Path) -> None:
        before = said(read_once)
        for file in folder.rglob("*.z"):
            file.unlink()

        reread(read_once)

        assert said(read_once) == before
        assert not the_video(read_once).transcript_kept
        assert any("stays as it was read" in line for line in lines(read_once))

    def test_leaves_videos_that_were_never_read_to_the_next_run(self, world: World, channel_id: str) -> None:
        world.videos.listed = some_videos(3)
        run = claimed(channel_id)
        first, *_ = list_videos.handler(run, None)["video_ids"]
        process_video.handler({**run, "video_id": first}, None)
        runs.cancel_run(channel_id, "Cancelled.")

        reread(channel_id)

        channel = the_channel(channel_id)
        assert (channel.status, channel.processed_video_count, channel.video_count) == ("cancelled", 1, 3)
        whole_run(channel_id)
        channel = the_channel(channel_id)
        assert (channel.status, channel.processed_video_count, channel.video_count) == ("completed", 3, 3)

    def test_of_more_videos_than_a_run_holds_the_next_takes_those_that_it_left(
        self, world: World, channel_id: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        world.videos.listed = some_videos(5)
        whole_run(channel_id)
        monkeypatch.setattr("functions.record.runs.processing.MAX_VIDEOS_PER_RUN", 3)
        reads_instead(world, "NVDA buy")

        reread(channel_id)
        assert (
            sorted(video.analyst or "" for video in videos_of_channel(channel_id))
            == ["fake 1.0"] * 2 + ["fake 2.0"] * 3
        )
        reread(channel_id)

        assert {video.analyst for video in videos_of_channel(channel_id)} == {"fake 2.0"}

    def test_wholly_other_calls_than_before_fit_into_one_transaction(
        self, world: World, channel_id: str, tickers: Callable[[int], list[str]]
    ) -> None:
        before, after = (
            tickers(MAX_MENTIONS_PER_VIDEO),
            tickers(2 * MAX_MENTIONS_PER_VIDEO)[MAX_MENTIONS_PER_VIDEO - 10 :],
        )
        world.videos.listed = some_videos(1)
        world.transcripts.default = ", ".join(f"{ticker} buy" for ticker in before)
        whole_run(channel_id)
        reads_instead(world, ", ".join(f"{ticker} sell" for ticker in after))

        reread(channel_id)

        assert said(channel_id) == dict.fromkeys(before[-10:], "sell")

    @pytest.fixture
    def tickers(self) -> Callable[[int], list[str]]:
        from functions.reading.listings import all_listings

        known = sorted(all_listings())
        return lambda number: known[:number]

    @pytest.mark.parametrize("event", ["before-call", "after-call"])
    def test_killed_at_any_write_and_repeated_it_writes_everything_once(
        self, world: World, read_once: str, event: str
    ) -> None:
        reads_instead(world, "AAPL sell, NVDA buy")
        run = claimed(read_once, rereading=True)
        (video_id,) = list_videos.handler(run, None)["video_ids"]
        for number in range(1, 4):
            try:
                with crash_at_write(number, event):
                    process_video.handler({**run, "video_id": video_id}, None)
            except Crash:
                continue

        process_video.handler({**run, "video_id": video_id}, None)
        finish_run.handler(run, None)

        assert said(read_once) == {"AAPL": "sell", "NVDA": "buy"}
        assert len(changes(read_once)) == 1
        assert lines(read_once)[-1].endswith(" Calls: 1 new, 1 gone, 1 turned to the other side.")


def _failing(_: str) -> Any:
    raise Unavailable("The analyst is busy.")


class TestGoneFromYouTube:
    def test_a_video_stays_in_the_record_and_is_marked(self, world: World, channel_id: str) -> None:
        world.videos.listed = some_videos(3)
        whole_run(channel_id)
        world.videos.listed = world.videos.listed[:2]

        whole_run(channel_id)

        removed = [video for video in videos_of_channel(channel_id) if video.removed_at]
        assert [video.title for video in removed] == ["Video 2"]
        assert {call.ticker for call in removed[0].calls} == {"AAPL"}
        assert "“Video 2” is gone from YouTube; what was said stays in the record." in lines(channel_id)
        assert changes(channel_id) == [
            (ChangeKind.REMOVED, "“Video 2” is gone from YouTube; what was said stays in the record.")
        ]

    def test_is_told_once(self, world: World, channel_id: str) -> None:
        world.videos.listed = some_videos(3)
        whole_run(channel_id)
        world.videos.listed = world.videos.listed[:2]
        whole_run(channel_id)
        since = [video.removed_at for video in videos_of_channel(channel_id)]

        whole_run(channel_id)

        assert [video.removed_at for video in videos_of_channel(channel_id)] == since
        assert len(changes(channel_id)) == 1

    def test_one_that_is_back_is_no_longer_marked(self, world: World, channel_id: str) -> None:
        world.videos.listed = some_videos(3)
        whole_run(channel_id)
        world.videos.listed = world.videos.listed[:2]
        whole_run(channel_id)
        world.videos.listed = some_videos(3)

        whole_run(channel_id)

        assert [video for video in videos_of_channel(channel_id) if video.removed_at] == []
        assert changes(channel_id)[0][1] == "“Video 2” is on YouTube again."

    def test_an_empty_list_tells_nothing_of_single_videos(self, world: World, channel_id: str) -> None:
        world.videos.listed = some_videos(3)
        whole_run(channel_id)
        world.videos.listed = []

        whole_run(channel_id)

        assert [video for video in videos_of_channel(channel_id) if video.removed_at] == []

    def test_a_video_older_than_the_list_is_not_taken_for_removed(self, world: World, channel_id: str) -> None:
        world.videos.listed = some_videos(300)
        whole_run(channel_id)
        world.prices.last_day = world.prices.last_day.replace(year=2025)
        world.videos.listed = world.videos.listed[:1]

        whole_run(channel_id)

        assert [video for video in videos_of_channel(channel_id) if video.removed_at] == []


def test_a_rejected_mention_has_no_side_and_counts_nowhere() -> None:
    mention = StockMention("v", "c", "AAPL", "buy", "2024-01-02", "now")  # type: ignore[arg-type]

    rejected = replace(mention, review=ReviewOutcome.REJECTED)

    assert (mention.side, mention.counts) == (1, True)
    assert (rejected.side, rejected.counts) == (0, False)
