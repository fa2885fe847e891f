"""The steps of a run, each alone, repeated, and with providers that fail in every way they can."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from typing import Any

import pytest
from botocore.exceptions import ReadTimeoutError

from functions.reading.analyst import Analysis
from functions.reading.listings import all_listings
from functions.reading.statements import Statement
from functions.reading.terms import Sentiment
from functions.record.channels import channels
from functions.record.errors import RunEnded
from functions.record.models.records import AnalysisStatus, Channel, ChannelStatus, LogLevel, TranscriptStatus, Video
from functions.record.pipeline import fail_run, finish_run, list_videos, price_calls, process_video, record_failed_video
from functions.record.pipeline.reasons import as_caught
from functions.record.runs import listing
from functions.record.runs.failures import RunFailed
from functions.record.runs.listing import months_before
from functions.record.sources.protocols import ChannelInfo, VideoInfo
from functions.record.store import runs
from functions.record.store.channels import channel_by_id, create_channel
from functions.record.store.logs import logs_of_channel
from functions.record.store.mentions import mentions_of_channel
from functions.record.store.readings import MAX_MENTIONS_PER_VIDEO
from functions.record.store.stocks import stocks_by_ticker
from functions.record.store.videos import video_by_youtube_id, videos_of_channel
from functions.runtime import ids
from functions.runtime.clock import seconds_from_now
from functions.runtime.dispatch import UpdateSeries
from functions.runtime.dynamodb.connection import dynamodb, main_table
from functions.runtime.errors import StockTrackRecordError, TransientError
from functions.runtime.provider_errors import Blocked, Unavailable
from functions.runtime.settings import MAX_TRANSCRIPT_WORDS
from functions.steps import PRICE_CHECKS
from tests.builders import a_channel, a_video
from tests.fakes import TODAY, Close, ImmediateDispatcher, RecordingDispatcher, World, everything, some_videos, stated

FRIDAY = date(2024, 6, 21)
SUNDAY = date(2024, 6, 23)


@pytest.fixture
def world(tables: str, monkeypatch: pytest.MonkeyPatch) -> World:
    ImmediateDispatcher().install(monkeypatch)
    return World().install(monkeypatch)


def claimed(**changes: Any) -> dict[str, str]:
    """The event of a run that waits to begin."""
    channel = a_channel(**changes)
    create_channel(channel)
    return claimed_again(channel.id)


def claimed_again(channel_id: str) -> dict[str, str]:
    run_id = ids.new_run_id()
    runs.claim_run(channel_id, run_id)
    return {"channel_id": channel_id, "run_id": run_id}


def begun(world: World, videos: int = 1, **changes: Any) -> tuple[dict[str, str], list[dict[str, str]]]:
    """The events of a run that has listed its videos, and of each video."""
    world.videos.listed = world.videos.listed or some_videos(videos)
    run = claimed(**changes)
    listed = list_videos.handler(run, None)
    return run, [{**run, "video_id": video_id} for video_id in listed["video_ids"]]


def run_through(run: dict[str, str]) -> None:
    for video_id in list_videos.handler(run, None)["video_ids"]:
        attempt({**run, "video_id": video_id})
    price(run)
    finish_run.handler(run, None)


def price(run: dict[str, str]) -> None:
    """Prices the calls as both runners do after the videos."""
    pricing: dict[str, Any] = {**run, "checks": 0}
    while (pricing := price_calls.handler(pricing, None))["must_wait"]:
        continue


def attempt(video: dict[str, str]) -> None:
    """Records a failed video as both runners do."""
    try:
        process_video.handler(video, None)
    except RunEnded:
        raise
    except Exception as problem:
        record_failed_video.handler({**video, "error": as_caught(problem)}, None)


def told(sentence: str) -> dict[str, str]:
    """The error as it is caught, with this message."""
    return as_caught(RunFailed(sentence))


def the_channel(run: dict[str, str]) -> Channel:
    channel = channel_by_id(run["channel_id"], consistent=True)
    assert channel
    return channel


def the_video(run: dict[str, str]) -> Video:
    (video,) = videos_of_channel(run["channel_id"], consistent=True)
    return video


def lines(run: dict[str, str]) -> list[str]:
    return [f"{line.log_level}: {line.message}" for line in logs_of_channel(run["channel_id"], consistent=True)]


def progress(run: dict[str, str]) -> tuple[int, int]:
    channel = the_channel(run)
    return channel.processed_video_count, channel.video_count


@contextmanager
def lost_response(operation: str) -> Iterator[None]:
    """The next request of this kind is carried out, but its response never arrives."""
    lost: list[bool] = []

    def lose(**_: Any) -> None:
        if not lost:
            lost.append(True)
            raise ReadTimeoutError(endpoint_url="the engine")

    events = dynamodb().meta.events
    events.register(f"after-call.dynamodb.{operation}", lose)
    try:
        yield
    finally:
        events.unregister(f"after-call.dynamodb.{operation}", lose)
    assert lost


class TestListing:
    def test_begins_the_run_and_writes_down_what_it_found(self, world: World) -> None:
        run, videos = begun(world, 3)

        channel = the_channel(run)
        assert (channel.status, channel.video_count, channel.processed_video_count) == ("processing", 3, 0)
        assert (channel.name, channel.youtube_channel_id) == ("The channel", "UCfake000000000000000000")
        assert channel.thumbnail_url == "https://example.com/picture.jpg"
        assert [video["video_id"] for video in videos] == [
            video.id
            for video in sorted(videos_of_channel(channel.id), key=lambda each: each.published_at, reverse=True)
        ]
        assert lines(run) == [
            "info: Started: looking for videos of the last 12 months.",
            "info: Found 3 videos since 2023-06-28, 3 of them new; 3 to process.",
        ]

    def test_of_more_videos_than_a_run_can_hold_takes_the_newest_and_the_next_run_the_rest(
        self, world: World, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(listing, "MAX_VIDEOS_PER_RUN", 3)
        world.videos.listed = some_videos(5)
        newest_first = sorted(world.videos.listed, key=lambda info: info.published_at, reverse=True)
        run = claimed()

        run_through(run)

        taken = {video.youtube_video_id for video in videos_of_channel(run["channel_id"])}
        assert taken == {info.youtube_video_id for info in newest_first[:3]}
        assert progress(run) == (3, 3)
        assert lines(run)[1] == (
            "info: Found 5 videos since 2023-06-28, 5 of them new; 3 to process in this run. "
            "Process the channel again for the other 2."
        )
        run_through(claimed_again(run["channel_id"]))
        assert progress(run) == (5, 5)

    def test_new_videos_come_before_those_that_failed_and_the_rest_of_these_keep_their_outcome(
        self, world: World, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        world.videos.listed = some_videos(6)
        world.transcripts.texts = dict.fromkeys((info.youtube_video_id for info in world.videos.listed[:4]), None)
        new = world.videos.listed.pop()
        run_through(run := claimed())
        world.videos.listed.append(new)
        monkeypatch.setattr(listing, "MAX_VIDEOS_PER_RUN", 3)

        again = list_videos.handler(claimed_again(run["channel_id"]), None)

        skipped = [ids.video_id(run["channel_id"], info.youtube_video_id) for info in world.videos.listed[:4]]
        assert ids.video_id(run["channel_id"], new.youtube_video_id) in again["video_ids"]
        assert len(again["video_ids"]) == 3
        assert len(set(again["video_ids"]) & set(skipped)) == 2
        assert progress(run) == (3, 6)
        assert "3 to process in this run. Process the channel again for the other 2." in lines(run)[-1]

    def test_twice_is_once(self, world: World) -> None:
        run, videos = begun(world, 3)
        before = lines(run)

        again = list_videos.handler(run, None)

        assert again["video_ids"] == [video["video_id"] for video in videos]
        assert len(videos_of_channel(run["channel_id"])) == 3
        assert lines(run) == before
        assert progress(run) == (0, 3)

    def test_again_in_the_middle_of_a_run_keeps_the_counter_and_returns_the_rest(self, world: World) -> None:
        world.transcripts.texts["video000001"] = None
        run, videos = begun(world, 4)
        for video in videos[:3]:
            process_video.handler(video, None)

        again = list_videos.handler(run, None)

        assert again["video_ids"] == [videos[3]["video_id"]]
        assert progress(run) == (3, 4)

    def test_again_after_a_video_was_added_counts_it(self, world: World) -> None:
        run, _ = begun(world, 1)
        world.videos.listed = some_videos(2)

        again = list_videos.handler(run, None)

        assert len(again["video_ids"]) == 2
        assert progress(run) == (0, 2)

    @pytest.mark.parametrize("operation", ["TransactWriteItems", "UpdateItem", "Query", "GetItem"])
    def test_after_a_lost_response_is_repeated_without_harm(self, world: World, operation: str) -> None:
        world.videos.listed = some_videos(3)
        run = claimed()

        with lost_response(operation), pytest.raises(TransientError):
            list_videos.handler(run, None)
        listed = list_videos.handler(run, None)

        assert len(listed["video_ids"]) == 3
        assert progress(run) == (0, 3)
        assert len(lines(run)) == 2

    def test_a_video_that_is_there_already_stays_as_it_is(self, world: World) -> None:
        run, videos = begun(world, 2)
        process_video.handler(videos[0], None)
        done = {video.id: video for video in videos_of_channel(run["channel_id"])}

        newcomers = [a_video(run["channel_id"], f"video{number:06d}") for number in range(3)]
        runs.add_videos(run["channel_id"], run["run_id"], newcomers)

        after = {video.id: video for video in videos_of_channel(run["channel_id"])}
        assert len(after) == 3
        assert done.items() <= after.items()

    def test_a_video_listed_twice_is_one_video(self, world: World) -> None:
        world.videos.listed = [*some_videos(2), *some_videos(2)]

        run, videos = begun(world)

        assert len(videos) == 2
        assert progress(run) == (0, 2)

    def test_a_channel_without_videos_completes_with_none(self, world: World) -> None:
        run = claimed()

        run_through(run)

        assert the_channel(run).status == ChannelStatus.COMPLETED
        assert progress(run) == (0, 0)
        assert lines(run)[-1] == (
            "info: Finished. 0 videos: 0 analysed, 0 without transcript, 0 failed. 0 mentions of 0 stocks."
        )

    def test_more_videos_than_one_transaction_holds(self, world: World) -> None:
        run, videos = begun(world, 250)

        assert len(videos) == len(videos_of_channel(run["channel_id"])) == 250

    def test_a_list_that_breaks_off_half_way_leaves_no_videos_behind(self, world: World) -> None:
        def broken_off(youtube_channel_id: str, since: date) -> Iterator[VideoInfo]:
            yield from some_videos(5)
            raise Unavailable("YouTube did not respond in time.")

        world.videos.published_since = broken_off  # type: ignore[method-assign]
        run = claimed()

        with pytest.raises(TransientError):
            list_videos.handler(run, None)

        assert videos_of_channel(run["channel_id"]) == []
        assert progress(run) == (0, 0)

    def test_a_video_that_vanished_from_the_list_stays_with_its_mentions(self, world: World) -> None:
        world.videos.listed = some_videos(3)
        run = claimed()
        run_through(run)

        world.videos.listed = some_videos(1)
        again = claimed_again(run["channel_id"])
        run_through(again)

        assert progress(again) == (3, 3)
        assert len(mentions_of_channel(run["channel_id"])) == 3
        assert "info: Found 1 video since 2023-06-28, 0 of them new; 0 to process." in lines(again)

    def test_a_wider_time_range_adds_the_older_videos_and_a_narrower_one_takes_none_away(self, world: World) -> None:
        world.videos.listed = [*some_videos(2), VideoInfo("old00000000", "An old one", date(2022, 1, 3))]
        run = claimed(time_range_months=12)
        run_through(run)
        assert progress(run) == (2, 2)

        for months, total in ((36, 3), (1, 3)):
            dynamodb().update_item(
                TableName=main_table(),
                Key={name: {"S": f"CHANNEL#{run['channel_id']}"} for name in ("PK", "SK")},
                UpdateExpression="SET time_range_months = :months",
                ExpressionAttributeValues={":months": {"N": str(months)}},
            )
            again = claimed_again(run["channel_id"])
            run_through(again)
            assert progress(again) == (total, total)

    def test_a_provider_that_cannot_resolve_the_channel_says_so(self, world: World) -> None:
        def fail(identifier: str) -> None:
            raise Unavailable(f"YouTube did not respond in time for {identifier}.")

        world.videos.before_resolve = fail
        run = claimed(name="someone")

        with pytest.raises(TransientError, match="handle:someone"):
            list_videos.handler(run, None)

        assert the_channel(run).youtube_channel_id == "handle:someone"

    def test_another_url_of_a_channel_that_is_tracked_names_the_first(self, world: World) -> None:
        first = claimed(name="first")
        run_through(first)
        second = claimed(name="second")

        with pytest.raises(StockTrackRecordError) as refused:
            list_videos.handler(second, None)
        fail_run.handler({**second, "error": as_caught(refused.value)}, None)

        assert the_channel(second).status == ChannelStatus.FAILED
        assert lines(second)[-1] == (
            "error: Failed. This is the same YouTube channel as “The channel” (https://www.youtube.com/@first), "
            "which is tracked already."
        )

    def test_of_a_run_that_is_over_does_nothing(self, world: World) -> None:
        run = claimed()
        runs.cancel_run(run["channel_id"], "Cancelled.")
        before = everything()

        with pytest.raises(RunEnded):
            list_videos.handler(run, None)

        assert everything() == before


class TestTitles:
    FORGED = "Nice\n2024-01-01 error: Failed.\r\x00\x1b[31m\u2028\u202eevil\ud800 end"

    def test_cannot_forge_a_log_line(self, world: World) -> None:
        world.videos.listed = [VideoInfo("video000000", self.FORGED, TODAY)]
        world.videos.info = ChannelInfo("UCforged0000000000000000", "A\nchannel\x07", None)
        run = claimed()

        run_through(run)

        assert the_channel(run).name == "A channel"
        assert the_video(run).title == "Nice 2024-01-01 error: Failed. [31m evil end"
        assert "info: “Nice 2024-01-01 error: Failed. [31m evil end”: AAPL buy." in lines(run)

    @pytest.mark.parametrize(
        "picture", ["javascript:alert(1)", "data:text/html,<script>", "//x.example", "x" * 5_000, 5]
    )
    def test_a_picture_that_is_no_web_address_is_not_kept(self, world: World, picture: Any) -> None:
        world.videos.info = ChannelInfo("UCforged0000000000000000", "A channel", picture)
        run = claimed()

        run_through(run)

        assert the_channel(run).status == ChannelStatus.COMPLETED
        assert the_channel(run).thumbnail_url is None

    def test_of_a_megabyte_is_cut_and_an_empty_one_becomes_the_id(self, world: World) -> None:
        world.videos.listed = [VideoInfo("long0000000", "x" * 1_000_000, TODAY), VideoInfo("none0000000", " \n", TODAY)]
        run = claimed()

        run_through(run)

        titles = {video.youtube_video_id: video.title for video in videos_of_channel(run["channel_id"])}
        assert titles == {"long0000000": "x" * 299 + "…", "none0000000": "none0000000"}

    def test_a_reason_with_newlines_is_one_line_of_bounded_length(self, world: World) -> None:
        run, (video,) = begun(world)

        record_failed_video.handler({**video, "error": told("a\nb\n" + "c" * 10_000)}, None)

        message = logs_of_channel(run["channel_id"])[-1].message
        assert "\n" not in message
        assert message.startswith("“Video 0”: failed. a b c")
        assert len(message) == 2000


class TestAVideo:
    def test_is_not_begun_for_a_run_that_is_over(self, world: World) -> None:
        run, (video,) = begun(world)
        runs.cancel_run(run["channel_id"], "Cancelled.")

        with pytest.raises(RunEnded):
            process_video.handler(video, None)

        assert world.transcripts.requested == []

    def test_renews_the_lease_before_the_work_begins(self, world: World) -> None:
        run, (video,) = begun(world)
        before = the_channel(run).lease_until or ""
        at_work: list[str] = []
        world.transcripts.before_read = lambda _: at_work.append(the_channel(run).lease_until or "")

        process_video.handler(video, None)

        assert at_work and at_work[0] > before

    def test_is_written_with_its_mentions_prices_counter_and_line(self, world: World) -> None:
        world.transcripts.default = "AAPL buy, KO mentioned"
        run, (video,) = begun(world)

        process_video.handler(video, None)

        done = the_video(run)
        assert (done.transcript_status, done.analysis_status) == (TranscriptStatus.FETCHED, AnalysisStatus.COMPLETED)
        mentions = {mention.ticker: mention for mention in mentions_of_channel(run["channel_id"])}
        assert mentions.keys() == {"AAPL", "KO"}
        assert mentions["AAPL"].sentiment == Sentiment.BUY
        assert (mentions["AAPL"].price_at_mention, mentions["AAPL"].confidence_score) == (100.0, 0.9)
        assert progress(run) == (1, 1)
        assert lines(run)[-1] == "info: “Video 0”: AAPL buy, KO mentioned."
        stock = stocks_by_ticker(["AAPL"])["AAPL"]
        assert (stock.name, stock.last_price) == ("Apple Inc.", 100.0)

    def test_twice_is_once(self, world: World) -> None:
        _, (video,) = begun(world)
        process_video.handler(video, None)
        before = everything()

        process_video.handler(video, None)

        assert everything() == before

    @pytest.mark.parametrize("operation", ["TransactWriteItems", "GetItem", "BatchGetItem"])
    def test_after_a_lost_response_is_repeated_without_harm(self, world: World, operation: str) -> None:
        run, (video,) = begun(world)

        with lost_response(operation), pytest.raises(TransientError):
            process_video.handler(video, None)
        process_video.handler(video, None)

        assert progress(run) == (1, 1)
        assert len(mentions_of_channel(run["channel_id"])) == 1
        assert lines(run)[2:] == ["info: “Video 0”: AAPL buy."]

    def test_marked_failed_though_it_was_written_stays_completed(self, world: World) -> None:
        _, (video,) = begun(world)
        process_video.handler(video, None)
        before = everything()

        record_failed_video.handler({**video, "error": told("The response was lost.")}, None)

        assert everything() == before

    def test_failed_twice_is_failed_once(self, world: World) -> None:
        run, (video,) = begun(world)
        record_failed_video.handler({**video, "error": told("It broke.")}, None)
        before = everything()

        record_failed_video.handler({**video, "error": told("It broke.")}, None)

        assert everything() == before
        assert the_video(run).analysis_status == AnalysisStatus.FAILED
        assert progress(run) == (1, 1)
        assert lines(run)[-1] == "error: “Video 0”: failed. It broke."

    def test_without_transcript_is_skipped_with_a_warning(self, world: World) -> None:
        world.transcripts.texts["video000000"] = None
        run, (video,) = begun(world)

        process_video.handler(video, None)

        done = the_video(run)
        assert (done.transcript_status, done.analysis_status) == (TranscriptStatus.UNAVAILABLE, AnalysisStatus.SKIPPED)
        assert lines(run)[-1] == "warning: “Video 0”: no transcript, skipped."
        assert progress(run) == (1, 1)

    def test_that_says_nothing_of_stocks_is_completed(self, world: World) -> None:
        world.transcripts.default = ""
        run, (video,) = begun(world)

        process_video.handler(video, None)

        assert the_video(run).analysis_status == AnalysisStatus.COMPLETED
        assert lines(run)[-1] == "info: “Video 0”: no stocks mentioned."

    def test_with_a_transcript_of_five_megabytes_is_read_in_part_and_not_kept(self, world: World) -> None:
        read = []
        world.transcripts.default = "word " * 1_000_000

        def analyse(transcript: str) -> list[Statement]:
            read.append(len(transcript))
            return [stated("AAPL", Sentiment.BUY, 1, transcript)]

        world.analyst.read = analyse
        run, (video,) = begun(world)

        process_video.handler(video, None)

        assert read == [5 * MAX_TRANSCRIPT_WORDS - 1]
        (mention,) = mentions_of_channel(run["channel_id"])
        assert len(mention.context_snippet or "") <= 200

    def test_of_a_cancelled_run_is_not_written(self, world: World) -> None:
        run, (video,) = begun(world)
        runs.cancel_run(run["channel_id"], "Cancelled.")
        before = everything()

        for step, event in (
            (process_video, video),
            (record_failed_video, {**video, "error": told("x")}),
            (finish_run, run),
        ):
            with pytest.raises(RunEnded):
                step.handler(event, None)

        assert everything() == before

    def test_of_a_deleted_channel_leaves_nothing(self, world: World) -> None:
        run, (video,) = begun(world)
        channels.delete_channel(run["channel_id"])

        for step, event in (
            (list_videos, run),
            (process_video, video),
            (record_failed_video, {**video, "error": told("x")}),
            (finish_run, run),
            (fail_run, {**run, "error": told("x")}),
        ):
            with pytest.raises(RunEnded):
                step.handler(event, None)

        left = {key for key in everything() if not key.startswith("AUDIT/")}
        assert left <= {"PLACES/PLACES", "COUNTER#CHANNELS/COUNTER#CHANNELS"}

    def test_of_a_worker_whose_lease_ended_is_refused_once_another_has_taken_over(
        self, world: World, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(runs, "LEASE_SECONDS", -1)
        run, (video,) = begun(world)
        successor = claimed_again(run["channel_id"])
        before = everything()

        for step, event in (
            (process_video, video),
            (record_failed_video, {**video, "error": told("x")}),
            (finish_run, run),
        ):
            with pytest.raises(RunEnded):
                step.handler(event, None)

        assert everything() == before
        run_through(successor)
        assert progress(successor) == (1, 1)


UNUSABLE = [
    pytest.param([stated("AAPL", Sentiment.BUY, float("nan"), "x")], "confidence in AAPL is nan", id="nan"),
    pytest.param([stated("AAPL", Sentiment.BUY, float("inf"), "x")], "confidence in AAPL is inf", id="infinite"),
    pytest.param([stated("AAPL", Sentiment.BUY, 1.5, "x")], "confidence in AAPL is 1.5", id="over-one"),
    pytest.param([stated("AAPL", "moon", 0.5, "x")], "act for AAPL is 'moon'", id="sentiment"),  # type: ignore[arg-type]
    pytest.param(
        [stated("KO", Sentiment.BUY, 0.5, "x"), stated("AAPL", None, 0.5, "x")],  # type: ignore[arg-type]
        "act for AAPL is None",
        id="second",
    ),
    pytest.param([stated("AAPL", Sentiment.BUY, "high", "x")], "(TypeError)", id="text-as-number"),  # type: ignore[arg-type]
    pytest.param([stated(None, Sentiment.BUY, 0.5, "x")], "(AttributeError)", id="no-ticker"),  # type: ignore[arg-type]
    pytest.param([stated("AAPL", Sentiment.BUY, 0.5, None)], "(TypeError)", id="no-context"),  # type: ignore[arg-type]
    pytest.param(None, "(TypeError)", id="nothing"),
    pytest.param([{"ticker": "AAPL"}], "(AttributeError)", id="another-shape"),
]


class TestRubbish:
    @pytest.mark.parametrize(("response", "reason"), UNUSABLE)
    def test_of_the_analyst_fails_the_video_clearly_and_writes_nothing_else(
        self, world: World, response: Any, reason: str
    ) -> None:
        world.analyst.read = lambda transcript: response
        run = claimed()
        world.videos.listed = some_videos(1)

        run_through(run)

        assert the_video(run).analysis_status == AnalysisStatus.FAILED
        assert mentions_of_channel(run["channel_id"]) == []
        assert stocks_by_ticker(["AAPL", "KO"]) == {}
        (failed,) = [line for line in lines(run) if line.startswith("error: “Video 0”")]
        assert reason in failed
        assert progress(run) == (1, 1)

    def test_an_exception_shows_its_kind_and_nothing_of_its_content(self, world: World) -> None:
        def fail(transcript: str) -> None:
            raise KeyError("https://example.com/?key=hush-hush-0123456789")

        world.analyst.read = fail
        world.videos.listed = some_videos(1)
        run = claimed()

        run_through(run)

        assert "hush" not in str(everything())
        assert (
            "error: “Video 0”: failed. An unexpected problem (KeyError); the operator's log has the details."
            in lines(run)
        )

    def test_each_share_is_kept_once_in_its_one_spelling_with_the_surest_stance(self, world: World) -> None:
        world.analyst.read = lambda transcript: [
            stated("aapl", Sentiment.MENTIONED, 0.99, "a"),
            stated("AAPL", Sentiment.SELL, 0.6, "b"),
            stated("Aapl", Sentiment.BUY, 0.8, "c"),
            stated("brk-b", Sentiment.HOLD, 0.7, "d"),
            stated("FB", Sentiment.HOLD, 0.5, "e"),
        ]
        run, (video,) = begun(world)

        process_video.handler(video, None)

        mentions = {mention.ticker: mention for mention in mentions_of_channel(run["channel_id"])}
        assert mentions.keys() == {"AAPL", "BRK.B", "META"}
        assert (mentions["AAPL"].sentiment, mentions["AAPL"].context_snippet) == (Sentiment.BUY, "c")
        assert set(the_video(run).tickers) == mentions.keys()

    def test_what_is_likely_but_not_clear_is_kept_as_a_mention_with_its_possible_side(self, world: World) -> None:
        world.analyst.read = lambda transcript: [stated("AAPL", Sentiment.MENTIONED, 0.4, "a", Sentiment.BUY)]
        run, (video,) = begun(world)

        process_video.handler(video, None)

        (mention,) = mentions_of_channel(run["channel_id"])
        assert (mention.sentiment, mention.possible_sentiment) == (Sentiment.MENTIONED, Sentiment.BUY)
        assert the_video(run).calls == (mention,)

    def test_only_us_listed_shares_are_kept(self, world: World) -> None:
        world.analyst.read = lambda transcript: [
            stated(ticker, Sentiment.BUY, 0.9, "x") for ticker in ("BTC", "", "NOT A TICKER", "€", "AAPL", "x" * 5000)
        ]
        run, (video,) = begun(world)

        process_video.handler(video, None)

        assert [mention.ticker for mention in mentions_of_channel(run["channel_id"])] == ["AAPL"]

    def test_a_share_that_left_after_the_video_is_kept_without_a_price(self, world: World) -> None:
        world.videos.listed = [VideoInfo("v-old", "Twitter at forty", date(2021, 3, 1))]
        world.prices.unknown = {"TWTR", "WORK"}
        world.analyst.read = lambda transcript: [
            stated(ticker, Sentiment.BUY, 0.9, "x") for ticker in ("TWTR", "AAPL", "WORK", "LNKD")
        ]
        run, (video,) = begun(world, time_range_months=48)

        process_video.handler(video, None)

        priced = {mention.ticker: mention.price_at_mention for mention in mentions_of_channel(run["channel_id"])}
        assert priced == {"TWTR": None, "AAPL": 100.0, "WORK": None}

    def test_the_analyst_is_told_the_day_and_the_title_of_the_video(self, world: World) -> None:
        _, (video,) = begun(world)

        process_video.handler(video, None)

        assert [(speech.day, speech.title) for speech in world.analyst.speeches] == [(TODAY, "Video 0")]

    def test_a_stock_that_fails_a_check_is_named_in_the_log(self, world: World) -> None:
        apple = stated("AAPL", Sentiment.BUY, 0.9, "AAPL buy")
        world.analyst.read = lambda _: Analysis([apple], rejected=("NVDA isn't named in the transcript",))
        run, (video,) = begun(world)

        process_video.handler(video, None)

        assert lines(run)[-1].endswith("Left out: NVDA isn't named in the transcript.")

    def test_a_ticker_that_no_list_knows_is_kept_without_a_price(self, world: World) -> None:
        world.analyst.read = lambda _: [stated("QZXW", Sentiment.BUY, 0.9, "buy Gizmo", listed=False)]
        run, (video,) = begun(world)

        process_video.handler(video, None)

        (mention,) = mentions_of_channel(run["channel_id"])
        assert (mention.ticker, mention.sentiment, mention.price_at_mention) == ("QZXW", Sentiment.BUY, None)
        assert mention.said is not None
        assert not mention.said.listed

    def test_five_thousand_tickers_are_cut_to_the_surest_that_one_transaction_holds(self, world: World) -> None:
        listed = list(all_listings())[:5000]
        world.analyst.read = lambda transcript: [
            stated(ticker, Sentiment.BUY, number / 5000, "x") for number, ticker in enumerate(listed)
        ]
        run, (video,) = begun(world)

        process_video.handler(video, None)

        kept = {mention.ticker for mention in mentions_of_channel(run["channel_id"])}
        assert kept == set(listed[-MAX_MENTIONS_PER_VIDEO:])
        assert lines(run)[-1].endswith(f"and {MAX_MENTIONS_PER_VIDEO - 20} more.")
        assert progress(run) == (1, 1)

    @pytest.mark.parametrize("length", [199, 200, 201, 10_000])
    def test_a_quote_is_at_most_200_characters_and_still_verbatim(self, world: World, length: int) -> None:
        quote = ("seven77 " * 1500)[: length - 1] + "x"
        world.analyst.read = lambda transcript: [stated("AAPL", Sentiment.BUY, 0.9, quote)]
        run, (video,) = begun(world)

        process_video.handler(video, None)

        (mention,) = mentions_of_channel(run["channel_id"])
        kept = mention.context_snippet or ""
        assert quote.startswith(kept)
        assert kept == quote if length <= 200 else 190 < len(kept) <= 200

    def test_prices_that_are_none_are_left_out(self, world: World) -> None:
        bad = [float("nan"), float("inf"), 0.0, -3.0]
        world.prices.known["AAPL"] = [Close(date(2024, 6, 24 + number), price) for number, price in enumerate(bad)]
        world.prices.newest = float("nan")
        run, (video,) = begun(world)

        process_video.handler(video, None)
        price(run)
        finish_run.handler(run, None)

        (mention,) = mentions_of_channel(run["channel_id"])
        assert mention.price_at_mention is None
        assert stocks_by_ticker(["AAPL"])["AAPL"].last_price is None
        assert (
            "warning: 1 price missing: The price source sent a response that cannot be right (AAPL)." in lines(run)[-2]
        )
        assert the_channel(run).status == ChannelStatus.COMPLETED

    def test_a_price_source_that_breaks_does_not_keep_a_run_from_its_end(self, world: World) -> None:
        def fail(ticker: str) -> None:
            raise KeyError(ticker)

        world.prices.before_closes = fail
        world.videos.listed = some_videos(2)
        run = claimed()

        run_through(run)

        assert the_channel(run).status == ChannelStatus.COMPLETED
        assert len(mentions_of_channel(run["channel_id"])) == 2


class TestPricesAtMention:
    def test_of_a_ticker_that_no_list_knows_are_never_requested(self, world: World) -> None:
        world.analyst.read = lambda _: [
            stated("AAPL", Sentiment.BUY, 0.9, "AAPL buy"),
            stated("ZZZZQ", Sentiment.BUY, 0.9, "ZZZZQ buy", listed=False),
        ]
        run, _ = begun(world)

        run_through(run)

        prices = {mention.ticker: mention.price_at_mention for mention in the_video(run).calls}
        assert prices == {"AAPL": 100.0, "ZZZZQ": None}
        assert "ZZZZQ" not in {ticker for ticker, _ in world.prices.requested}
        assert "AAPL" in {ticker for ticker, _ in world.prices.requested}

    def test_a_video_of_a_weekend_takes_fridays_close(self, world: World) -> None:
        world.videos.listed = [VideoInfo("video000000", "Sunday talk", SUNDAY)]
        world.prices.known["AAPL"] = [
            Close(date(2024, 6, 20), 1.0),
            Close(FRIDAY, 207.49),
            Close(date(2024, 6, 24), 3.0),
        ]
        run, (video,) = begun(world)

        process_video.handler(video, None)

        (mention,) = mentions_of_channel(run["channel_id"])
        assert mention.price_at_mention == 207.49

    @pytest.mark.parametrize(
        ("fault", "reason"),
        [
            (None, "The price source does not know the ticker"),
            (Unavailable("Yahoo did not respond in time."), "The price source did not respond"),
            (Blocked("Yahoo refuses us."), "The price source refuses our requests"),
        ],
    )
    def test_an_unknown_price_is_left_open_and_the_end_of_the_run_says_why(
        self, world: World, fault: Exception | None, reason: str
    ) -> None:
        def fail(ticker: str) -> None:
            if fault:
                raise fault

        world.prices.unknown = {"AAPL"}
        world.prices.before_closes = fail
        world.videos.listed = some_videos(2)
        run = claimed()

        run_through(run)

        assert {mention.price_at_mention for mention in mentions_of_channel(run["channel_id"])} == {None}
        assert lines(run)[-2] == (
            f"warning: 2 prices missing: {reason} (AAPL). They are filled in once they can be had."
        )
        assert the_channel(run).status == ChannelStatus.COMPLETED

    def test_a_known_reason_stands_at_each_video(self, world: World) -> None:
        world.prices.unknown = {"AAPL"}
        world.videos.listed = some_videos(2)
        run, videos = begun(world)
        process_video.handler(videos[0], None)

        process_video.handler(videos[1], None)

        assert lines(run)[-1] == (
            "info: “Video 1”: AAPL buy. No price of AAPL: The price source does not know the ticker."
        )

    def test_a_series_that_is_stored_prices_a_video_as_it_is_written(self, world: World) -> None:
        world.videos.listed = some_videos(2)
        _, videos = begun(world)
        process_video.handler(videos[0], None)
        world.prices.requested.clear()

        process_video.handler(videos[1], None)

        assert world.prices.requested == []

    def test_a_run_waits_for_series_that_are_being_fetched_and_not_for_ever(
        self, world: World, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        dispatched = RecordingDispatcher().install(monkeypatch)
        run, (video,) = begun(world)
        process_video.handler(video, None)

        pricing: dict[str, Any] = {**run, "checks": 0}
        waits = []
        while (pricing := price_calls.handler(pricing, None))["must_wait"]:
            waits.append(pricing["wait_seconds"])

        assert (len(waits), waits[:4], max(waits)) == (PRICE_CHECKS - 1, [2, 4, 8, 15], 15)
        assert lines(run)[-1] == (
            "warning: 1 price missing: The prices are still to be fetched (AAPL). "
            "They are filled in once they can be had."
        )
        assert dispatched.jobs == [UpdateSeries(("AAPL", "^GSPC", "^IRX"))]

    def test_a_repeated_look_says_what_is_missing_once(self, world: World) -> None:
        world.prices.unknown = {"AAPL"}
        run, (video,) = begun(world)
        process_video.handler(video, None)

        for _ in range(3):
            price(run)

        assert len([line for line in lines(run) if "missing" in line]) == 1

    def test_a_run_that_is_over_prices_nothing(self, world: World) -> None:
        run, _ = begun(world)
        runs.cancel_run(run["channel_id"], "Cancelled")

        with pytest.raises(RunEnded):
            price(run)


class TestTheEndOfARun:
    def test_tells_the_totals(self, world: World) -> None:
        world.transcripts.texts = {"video000000": None, "video000001": "AAPL buy, KO sell", "video000002": "AAPL hold"}
        run, videos = begun(world, 4)
        for video in videos[:3]:
            process_video.handler(video, None)
        record_failed_video.handler({**videos[3], "error": told("It broke.")}, None)

        finish_run.handler(run, None)

        assert the_channel(run).status == ChannelStatus.COMPLETED
        assert progress(run) == (4, 4)
        assert lines(run)[-1] == (
            "info: Finished. 4 videos: 2 analysed, 1 without transcript, 1 failed. 3 mentions of 2 stocks."
        )

    def test_twice_is_once(self, world: World) -> None:
        world.videos.listed = some_videos(1)
        run = claimed()
        run_through(run)
        before = everything()

        with pytest.raises(RunEnded):
            finish_run.handler(run, None)
        with pytest.raises(RunEnded):
            fail_run.handler({**run, "error": told("too late")}, None)

        assert everything() == before

    def test_is_failed_when_every_video_failed(self, world: World) -> None:
        def fail(youtube_video_id: str) -> None:
            raise Unavailable("YouTube did not respond in time.")

        world.transcripts.before_read = fail
        world.videos.listed = some_videos(3)
        run = claimed()

        run_through(run)

        assert the_channel(run).status == ChannelStatus.FAILED
        assert progress(run) == (3, 3)
        assert lines(run)[-1] == (
            "error: Failed. 3 videos: 0 analysed, 0 without transcript, 3 failed. 0 mentions of 0 stocks."
        )

    def test_a_run_that_never_began_can_fail(self, world: World) -> None:
        run = claimed()

        fail_run.handler({**run, "error": told("The table could not be read.")}, None)

        assert the_channel(run).status == ChannelStatus.FAILED
        assert lines(run) == ["error: Failed. The table could not be read."]

    def test_processing_again_takes_up_what_failed_and_what_is_new(self, world: World) -> None:
        def fail_the_first(youtube_video_id: str) -> None:
            if youtube_video_id == "video000000":
                raise Unavailable("YouTube did not respond in time.")

        world.transcripts.before_read = fail_the_first
        world.videos.listed = some_videos(3)
        run = claimed()
        run_through(run)
        completed = {
            key: item
            for key, item in everything().items()
            if item["entity"]["S"] == "StockMention"
            or item.get("analysis_status", {}).get("S") == AnalysisStatus.COMPLETED
        }

        world.transcripts.before_read = lambda _: None
        world.transcripts.requested.clear()
        world.videos.listed = some_videos(4)
        again = claimed_again(run["channel_id"])
        run_through(again)

        assert sorted(world.transcripts.requested) == ["video000000", "video000003"]
        assert completed.items() <= everything().items()
        assert progress(again) == (4, 4)
        assert len(mentions_of_channel(run["channel_id"])) == 4
        video = video_by_youtube_id("video000000")
        assert video and video.analysis_status == AnalysisStatus.COMPLETED

    def test_two_requests_to_process_at_once_start_one_run(
        self, world: World, concurrent_tables: str, in_threads: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        dispatched = RecordingDispatcher().install(monkeypatch)
        channel = a_channel(status=ChannelStatus.COMPLETED)
        create_channel(channel)

        results = in_threads(8, lambda _: channels.process_channel(channel.id))

        assert len(dispatched.started) == 1
        assert sum(isinstance(response, Channel) for response in results) == 1

    def test_a_lease_is_renewed_by_every_write_of_the_run(self, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
        run, (video,) = begun(world)
        monkeypatch.setattr(runs, "LEASE_SECONDS", 3000)

        process_video.handler(video, None)

        assert (the_channel(run).lease_until or "") > seconds_from_now(2000)


def test_levels_and_ids_of_the_lines_are_right_and_rise(world: World) -> None:
    world.transcripts.texts["video000000"] = None
    run, videos = begun(world, 3)
    process_video.handler(videos[0], None)
    process_video.handler(videos[1], None)
    record_failed_video.handler({**videos[2], "error": told("It broke.")}, None)
    finish_run.handler(run, None)

    log = logs_of_channel(run["channel_id"])

    assert [line.log_level for line in log] == [
        LogLevel.INFO,
        LogLevel.INFO,
        LogLevel.WARNING,
        LogLevel.INFO,
        LogLevel.ERROR,
        LogLevel.INFO,
    ]
    assert [line.id for line in log] == sorted({line.id for line in log})


@pytest.mark.parametrize(
    ("day", "months", "expected"),
    [
        (date(2024, 3, 31), 1, date(2024, 2, 29)),
        (date(2024, 12, 31), 12, date(2023, 12, 31)),
        (date(2024, 1, 31), 2, date(2023, 11, 30)),
        (date(2024, 2, 29), 12, date(2023, 2, 28)),
        (date(2024, 12, 31), 36, date(2021, 12, 31)),
    ],
)
def test_months_before(day: date, months: int, expected: date) -> None:
    assert months_before(day, months) == expected
