"""Runs: one at a time per channel, and nothing is written for a run that is over."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest

from functions.record.errors import (
    ChannelAlreadyExists,
    ChannelAlreadyProcessing,
    ChannelNotFound,
    ChannelNotProcessing,
    RunEnded,
)
from functions.record.models.records import AnalysisStatus, Channel, ChannelStatus, LogLevel, TranscriptStatus
from functions.record.store import channels, logs, mentions, runs, videos
from functions.record.store.readings import MAX_MENTIONS_PER_VIDEO
from functions.runtime import ids
from tests.builders import a_channel, a_mention, a_video, commit, finished, in_a_run
from tests.partitions import guard, snapshot

InThreads = Callable[[int, Callable[[int], object]], list[object]]


def stored(channel_id: str) -> Channel:
    channel = channels.channel_by_id(channel_id, consistent=True)
    assert channel
    return channel


def messages(channel_id: str) -> list[str]:
    return [line.message for line in logs.logs_of_channel(channel_id, consistent=True)]


@pytest.fixture
def expired_leases(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every lease is over as soon as it is given."""
    monkeypatch.setattr(runs, "LEASE_SECONDS", -1)


@pytest.mark.usefixtures("tables")
class TestClaiming:
    def test_a_claimed_channel_waits_for_its_run(self) -> None:
        channel = a_channel()
        channels.create_channel(channel)

        claimed = runs.claim_run(channel.id, "run-1")

        assert (claimed.status, claimed.run_id) == (ChannelStatus.PENDING, "run-1")
        assert claimed.lease_until is not None
        assert stored(channel.id) == claimed

    @pytest.mark.usefixtures("concurrent_tables")
    def test_of_twenty_who_claim_at_once_one_succeeds(self, in_threads: InThreads) -> None:
        channel = a_channel()
        channels.create_channel(channel)

        outcomes = in_threads(20, lambda number: runs.claim_run(channel.id, f"run-{number}"))

        assert Counter(map(type, outcomes)) == {Channel: 1, ChannelAlreadyProcessing: 19}
        (winner,) = [outcome for outcome in outcomes if isinstance(outcome, Channel)]
        assert stored(channel.id).run_id == winner.run_id

    def test_a_claim_that_is_repeated_is_the_same_claim(self) -> None:
        channel = a_channel()
        channels.create_channel(channel)
        runs.claim_run(channel.id, "run-1")

        again = runs.claim_run(channel.id, "run-1")

        assert (again.status, again.run_id) == (ChannelStatus.PENDING, "run-1")

    def test_a_channel_in_a_live_run_is_not_claimed(self) -> None:
        channel = a_channel()
        run_id, _ = in_a_run(channel)

        with pytest.raises(ChannelAlreadyProcessing, match=channel.id):
            runs.claim_run(channel.id, "another")

        assert stored(channel.id).run_id == run_id

    @pytest.mark.parametrize("begun", [False, True])
    @pytest.mark.usefixtures("expired_leases")
    def test_the_place_of_a_dead_run_is_taken(self, begun: bool) -> None:
        channel = a_channel()
        channels.create_channel(channel)
        runs.claim_run(channel.id, "dead")
        if begun:
            runs.begin_run(channel.id, "dead", "Started")

        runs.claim_run(channel.id, "next")

        assert stored(channel.id).run_id == "next"
        with pytest.raises(RunEnded):
            runs.renew_lease(channel.id, "dead")

    @pytest.mark.parametrize("status", [ChannelStatus.COMPLETED, ChannelStatus.FAILED])
    def test_a_finished_channel_can_be_claimed_again(self, status: ChannelStatus) -> None:
        channel = a_channel()
        run_id, _ = in_a_run(channel)
        runs.finish_run(channel.id, run_id, status, LogLevel.INFO, "Finished")

        assert runs.claim_run(channel.id, "next").status == ChannelStatus.PENDING

    def test_there_is_nothing_to_claim_of_an_unknown_channel(self) -> None:
        with pytest.raises(ChannelNotFound, match="nobody"):
            runs.claim_run("nobody", "run-1")

        assert snapshot("nobody", []) == {}


@pytest.mark.usefixtures("tables")
class TestBeginning:
    def test_a_run_begins_with_the_first_line_of_its_log(self) -> None:
        channel = a_channel()
        channels.create_channel(channel)
        runs.claim_run(channel.id, "run-1")

        runs.begin_run(channel.id, "run-1", "Started")

        assert stored(channel.id).status == ChannelStatus.PROCESSING
        assert messages(channel.id) == ["Started"]

    def test_beginning_twice_writes_one_line_and_renews_the_lease(self, monkeypatch: pytest.MonkeyPatch) -> None:
        channel = a_channel()
        channels.create_channel(channel)
        runs.claim_run(channel.id, "run-1")
        runs.begin_run(channel.id, "run-1", "Started")
        first_lease = stored(channel.id).lease_until
        monkeypatch.setattr(runs, "LEASE_SECONDS", 2 * runs.LEASE_SECONDS)

        runs.begin_run(channel.id, "run-1", "Started")

        assert messages(channel.id) == ["Started"]
        lease = stored(channel.id).lease_until
        assert first_lease is not None and lease is not None and lease > first_lease

    def test_a_run_that_lost_its_place_does_not_begin(self) -> None:
        channel = a_channel()
        channels.create_channel(channel)
        runs.claim_run(channel.id, "run-1")
        runs.cancel_run(channel.id, "Cancelled")
        before = snapshot(channel.id, [])

        with pytest.raises(RunEnded, match="run-1"):
            runs.begin_run(channel.id, "run-1", "Started")

        assert snapshot(channel.id, []) == before

    def test_a_sign_of_life_prolongs_the_lease_of_the_own_run_alone(self, monkeypatch: pytest.MonkeyPatch) -> None:
        channel = a_channel()
        run_id, _ = in_a_run(channel)
        before = stored(channel.id).lease_until
        monkeypatch.setattr(runs, "LEASE_SECONDS", 2 * runs.LEASE_SECONDS)

        renewed = runs.renew_lease(channel.id, run_id)

        assert before is not None and renewed.lease_until is not None and renewed.lease_until > before
        with pytest.raises(RunEnded):
            runs.renew_lease(channel.id, "another")


@pytest.mark.usefixtures("tables")
class TestIdentifying:
    def test_the_channel_takes_the_name_that_youtube_knows_it_by_and_keeps_both_guards(self) -> None:
        channel = a_channel("Finance")
        run_id, _ = in_a_run(channel)

        runs.identify_channel(channel.id, run_id, "UC123", "Finance, explained", "https://img/1.jpg")

        found = stored(channel.id)
        assert (found.youtube_channel_id, found.name, found.thumbnail_url, found.url) == (
            "UC123",
            "Finance, explained",
            "https://img/1.jpg",
            channel.url,
        )
        assert found.guards == ("handle:Finance", "UC123")
        assert channels.holder_of("handle:finance") == channels.holder_of("channel_id:UC123") == channel.id
        by_youtube_id = channels.channel_by_youtube_id("UC123")
        assert by_youtube_id and by_youtube_id.id == channel.id
        assert channels.channel_by_youtube_id("handle:Finance") is None

    def test_a_channel_without_a_picture_keeps_none(self) -> None:
        channel = a_channel()
        run_id, _ = in_a_run(channel)

        runs.identify_channel(channel.id, run_id, "UC123", "Name", None)

        assert stored(channel.id).thumbnail_url is None

    def test_repeated_it_changes_nothing(self) -> None:
        channel = a_channel()
        run_id, _ = in_a_run(channel)
        runs.identify_channel(channel.id, run_id, "UC123", "Name", None)
        once = stored(channel.id)

        runs.identify_channel(channel.id, run_id, "UC123", "Name", None)

        again = stored(channel.id)
        assert replace(again, updated_at=once.updated_at, lease_until=once.lease_until) == once

    def test_a_channel_created_by_its_id_needs_no_second_guard(self) -> None:
        channel = a_channel(youtube_channel_id="channel_id:UC123")
        run_id, _ = in_a_run(channel)

        runs.identify_channel(channel.id, run_id, "UC123", "Name", None)

        assert stored(channel.id).guards == ("channel_id:UC123",)
        assert channels.holder_of("UC123") == channel.id

    def test_the_second_channel_of_one_youtube_channel_is_told_of_the_first(self) -> None:
        first, second = a_channel("first"), a_channel("second")
        first_run, _ = in_a_run(first)
        second_run, _ = in_a_run(second)
        runs.identify_channel(first.id, first_run, "UC123", "Name", None)

        with pytest.raises(ChannelAlreadyExists, match=first.id) as refused:
            runs.identify_channel(second.id, second_run, "UC123", "Name", None)

        assert refused.value.existing_id == first.id
        assert (stored(second.id).name, stored(second.id).guards) == ("second", ("handle:second",))

    @pytest.mark.usefixtures("concurrent_tables")
    def test_of_two_who_take_one_id_at_once_one_succeeds(self, in_threads: InThreads) -> None:
        contenders = [a_channel(f"contender{number}") for number in range(6)]
        run_ids = [in_a_run(channel)[0] for channel in contenders]

        outcomes = in_threads(
            6, lambda number: runs.identify_channel(contenders[number].id, run_ids[number], "UC123", "Name", None)
        )

        assert Counter(map(type, outcomes)) == {type(None): 1, ChannelAlreadyExists: 5}
        assert channels.holder_of("UC123") == contenders[outcomes.index(None)].id

    def test_a_run_that_is_over_identifies_nothing(self) -> None:
        channel = a_channel()
        run_id, _ = in_a_run(channel)
        runs.cancel_run(channel.id, "Cancelled")
        before = snapshot(channel.id, [])

        with pytest.raises(RunEnded):
            runs.identify_channel(channel.id, run_id, "UC123", "Name", None)

        assert snapshot(channel.id, []) == before
        assert guard("UC123") is None

    def test_a_run_that_ends_between_the_question_and_the_write_identifies_nothing(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        channel = a_channel()
        run_id, _ = in_a_run(channel)

        def cancelled_meanwhile(youtube_channel_id: str) -> str | None:
            if stored(channel.id).status == ChannelStatus.PROCESSING:
                runs.cancel_run(channel.id, "Cancelled")
            return channels.holder_of(youtube_channel_id)

        monkeypatch.setattr(runs, "holder_of", cancelled_meanwhile)

        with pytest.raises(RunEnded):
            runs.identify_channel(channel.id, run_id, "UC123", "Name", None)

        assert guard("UC123") is None
        assert stored(channel.id).youtube_channel_id == channel.youtube_channel_id


@pytest.mark.usefixtures("tables")
class TestListing:
    def test_more_videos_than_a_transaction_takes_are_added(self) -> None:
        channel = a_channel()
        run_id, _ = in_a_run(channel)
        listed = [a_video(channel.id, f"video{number:06d}") for number in range(250)]

        runs.add_videos(channel.id, run_id, listed)

        found = videos.videos_of_channel(channel.id, consistent=True)
        assert sorted(found, key=lambda video: video.youtube_video_id) == listed

    def test_no_videos_are_no_write(self) -> None:
        channel = a_channel()
        run_id, _ = in_a_run(channel)
        before = snapshot(channel.id, [])

        runs.add_videos(channel.id, run_id, [])

        assert snapshot(channel.id, []) == before

    def test_the_counts_are_set(self) -> None:
        channel = a_channel()
        run_id, _ = in_a_run(channel)

        runs.set_video_counts(channel.id, run_id, 40, 12, "Found")

        assert (stored(channel.id).video_count, stored(channel.id).processed_video_count) == (40, 12)

    @pytest.mark.parametrize("ending", ["cancelled", "replaced", "deleted"])
    @pytest.mark.parametrize(
        "write",
        [
            lambda channel_id, run_id: runs.add_videos(channel_id, run_id, [a_video(channel_id)]),
            lambda channel_id, run_id: runs.set_video_counts(channel_id, run_id, 5, 5, "Found"),
            lambda channel_id, run_id: runs.renew_lease(channel_id, run_id),
            lambda channel_id, run_id: runs.finish_run(
                channel_id, run_id, ChannelStatus.COMPLETED, LogLevel.INFO, "Finished"
            ),
        ],
        ids=["add_videos", "set_video_counts", "renew_lease", "finish_run"],
    )
    def test_a_run_that_is_over_writes_nothing(self, ending: str, write: Callable[[str, str], None]) -> None:
        channel = a_channel()
        run_id, _ = in_a_run(channel)
        end(channel.id, ending)
        before = snapshot(channel.id, [])

        with pytest.raises(RunEnded):
            write(channel.id, run_id)

        assert snapshot(channel.id, []) == before


def end(channel_id: str, how: str) -> None:
    if how == "deleted":
        channels.delete_channel(channel_id)
        return
    runs.cancel_run(channel_id, "Cancelled")
    if how == "replaced":
        runs.claim_run(channel_id, "the next run")
        runs.begin_run(channel_id, "the next run", "Started again")


@pytest.mark.usefixtures("tables")
class TestCommitting:
    def test_a_video_its_mentions_the_counter_and_the_line_are_written_together(self) -> None:
        channel = a_channel()
        run_id, (video, _) = in_a_run(channel, videos=2)

        assert commit(run_id, video, "AAPL", "MSFT")

        found = videos.video_by_id(channel.id, video.id, consistent=True)
        assert found is not None
        assert found == replace(finished(video, run_id), calls=found.calls)
        assert found.tickers == ("AAPL", "MSFT")
        of_video = mentions.mentions_of_video(video.id, consistent=True)
        assert sorted(of_video, key=lambda mention: mention.ticker) == list(found.calls)
        assert stored(channel.id).processed_video_count == 1
        assert messages(channel.id) == ["Started", "Found", f"Done {video.title}"]

    def test_a_video_without_mentions_counts_too(self) -> None:
        channel = a_channel()
        run_id, (video,) = in_a_run(channel, videos=1)
        skipped = replace(
            video,
            transcript_status=TranscriptStatus.UNAVAILABLE,
            analysis_status=AnalysisStatus.SKIPPED,
            run_id=run_id,
        )

        assert runs.commit_video(run_id, skipped, LogLevel.WARNING, "It has no transcript")

        assert videos.video_by_id(channel.id, video.id) == skipped
        assert stored(channel.id).processed_video_count == 1
        line = logs.logs_of_channel(channel.id)[-1]
        assert (line.log_level, line.message) == (LogLevel.WARNING, "It has no transcript")

    def test_the_same_video_committed_twice_changes_nothing(self) -> None:
        channel = a_channel()
        run_id, (video,) = in_a_run(channel, videos=1)
        commit(run_id, video, "AAPL")
        before = snapshot(channel.id, [video.id])

        assert not commit(run_id, video, "AAPL", "MSFT")

        assert snapshot(channel.id, [video.id]) == before

    def test_a_video_of_an_earlier_run_can_be_committed_by_the_next(self) -> None:
        channel = a_channel()
        run_id, (video,) = in_a_run(channel, videos=1)
        commit(run_id, video)
        runs.finish_run(channel.id, run_id, ChannelStatus.FAILED, LogLevel.ERROR, "Failed")
        runs.claim_run(channel.id, "next")
        runs.begin_run(channel.id, "next", "Started again")

        assert commit("next", video, "AAPL")

        assert [mention.ticker for mention in mentions.mentions_of_video(video.id)] == ["AAPL"]

    def test_as_many_mentions_as_a_transaction_takes_are_committed(self) -> None:
        channel = a_channel()
        run_id, (video,) = in_a_run(channel, videos=1)
        tickers = [f"T{number}" for number in range(MAX_MENTIONS_PER_VIDEO)]

        assert commit(run_id, video, *tickers)

        assert len(mentions.mentions_of_video(video.id, consistent=True)) == len(tickers)

    def test_a_video_the_channel_does_not_have_is_not_written(self) -> None:
        channel = a_channel()
        run_id, _ = in_a_run(channel)
        stranger = a_video(channel.id, "stranger")
        before = snapshot(channel.id, [stranger.id])

        assert not commit(run_id, stranger, "AAPL")

        assert snapshot(channel.id, [stranger.id]) == before

    @pytest.mark.parametrize("ending", ["cancelled", "replaced", "deleted"])
    def test_a_run_that_is_over_commits_nothing(self, ending: str) -> None:
        channel = a_channel()
        run_id, (done, late) = in_a_run(channel, videos=2)
        commit(run_id, done, "AAPL")
        end(channel.id, ending)
        before = snapshot(channel.id, [done.id, late.id])

        with pytest.raises(RunEnded, match=run_id):
            commit(run_id, late, "AAPL", "MSFT")

        assert snapshot(channel.id, [done.id, late.id]) == before

    def test_a_finished_run_commits_nothing_more(self) -> None:
        channel = a_channel()
        run_id, (video,) = in_a_run(channel, videos=1)
        runs.finish_run(channel.id, run_id, ChannelStatus.COMPLETED, LogLevel.INFO, "Finished")
        before = snapshot(channel.id, [video.id])

        with pytest.raises(RunEnded):
            commit(run_id, video, "AAPL")

        assert snapshot(channel.id, [video.id]) == before

    @pytest.mark.usefixtures("concurrent_tables")
    def test_eight_threads_that_commit_forty_videos_count_forty(self, in_threads: InThreads) -> None:
        channel = a_channel()
        run_id, listed = in_a_run(channel, videos=40)

        outcomes = in_threads(8, lambda number: [commit(run_id, video, "AAPL", "MSFT") for video in listed[number::8]])

        assert outcomes == [[True] * 5] * 8
        assert stored(channel.id).processed_video_count == 40
        assert len(mentions.mentions_of_channel(channel.id)) == 80
        assert len(messages(channel.id)) == 42

    @pytest.mark.usefixtures("concurrent_tables")
    def test_eight_threads_that_commit_one_video_commit_it_once(self, in_threads: InThreads) -> None:
        channel = a_channel()
        run_id, (video,) = in_a_run(channel, videos=1)

        outcomes = in_threads(8, lambda _: commit(run_id, video, "AAPL"))

        assert Counter(outcomes) == {True: 1, False: 7}
        assert stored(channel.id).processed_video_count == 1
        assert len(messages(channel.id)) == 3

    def test_every_commit_is_a_sign_of_life(self, monkeypatch: pytest.MonkeyPatch) -> None:
        channel = a_channel()
        run_id, (video,) = in_a_run(channel, videos=1)
        before = stored(channel.id).lease_until
        monkeypatch.setattr(runs, "LEASE_SECONDS", 2 * runs.LEASE_SECONDS)

        commit(run_id, video)

        after = stored(channel.id).lease_until
        assert before is not None and after is not None and after > before


@pytest.mark.usefixtures("tables")
class TestEnding:
    @pytest.mark.parametrize("status", [ChannelStatus.COMPLETED, ChannelStatus.FAILED])
    def test_a_finished_run_leaves_its_outcome_and_a_last_line(self, status: ChannelStatus) -> None:
        channel = a_channel()
        run_id, _ = in_a_run(channel)

        runs.finish_run(channel.id, run_id, status, LogLevel.INFO, "Finished")

        found = stored(channel.id)
        assert (found.status, found.run_id, found.lease_until) == (status, run_id, None)
        assert messages(channel.id) == ["Started", "Found", "Finished"]

    def test_a_run_is_finished_once(self) -> None:
        channel = a_channel()
        run_id, _ = in_a_run(channel)
        runs.finish_run(channel.id, run_id, ChannelStatus.COMPLETED, LogLevel.INFO, "Finished")
        before = snapshot(channel.id, [])

        with pytest.raises(RunEnded):
            runs.finish_run(channel.id, run_id, ChannelStatus.COMPLETED, LogLevel.INFO, "Finished")

        assert snapshot(channel.id, []) == before

    def test_an_outcome_that_is_no_status_is_refused(self) -> None:
        channel = a_channel()
        run_id, _ = in_a_run(channel)
        before = snapshot(channel.id, [])

        with pytest.raises(ValueError, match="'done' is not a valid ChannelStatus"):
            runs.finish_run(channel.id, run_id, "done", LogLevel.INFO, "Finished")  # type: ignore[arg-type]

        assert snapshot(channel.id, []) == before

    @pytest.mark.parametrize("begun", [False, True])
    def test_a_run_under_way_is_cancelled_with_a_warning(self, begun: bool) -> None:
        channel = a_channel()
        channels.create_channel(channel)
        runs.claim_run(channel.id, "run-1")
        if begun:
            runs.begin_run(channel.id, "run-1", "Started")

        runs.cancel_run(channel.id, "Cancelled by request")

        assert (stored(channel.id).status, stored(channel.id).lease_until) == (ChannelStatus.CANCELLED, None)
        line = logs.logs_of_channel(channel.id)[-1]
        assert (line.log_level, line.message) == (LogLevel.WARNING, "Cancelled by request")

    @pytest.mark.parametrize("status", [ChannelStatus.COMPLETED, ChannelStatus.FAILED, ChannelStatus.CANCELLED])
    def test_there_is_nothing_to_cancel_where_no_run_is_under_way(self, status: ChannelStatus) -> None:
        channel = a_channel(status=status)
        channels.create_channel(channel)
        before = snapshot(channel.id, [])

        with pytest.raises(ChannelNotProcessing, match=channel.id):
            runs.cancel_run(channel.id, "Cancelled")

        assert snapshot(channel.id, []) == before

    def test_an_unknown_channel_has_no_run_to_cancel(self) -> None:
        with pytest.raises(ChannelNotProcessing):
            runs.cancel_run("nobody", "Cancelled")

        assert snapshot("nobody", []) == {}

    @pytest.mark.usefixtures("concurrent_tables")
    def test_of_those_who_cancel_at_once_one_succeeds(self, in_threads: InThreads) -> None:
        channel = a_channel()
        in_a_run(channel)

        outcomes = in_threads(8, lambda _: runs.cancel_run(channel.id, "Cancelled"))

        assert Counter(map(type, outcomes)) == {str: 1, ChannelNotProcessing: 7}
        assert messages(channel.id) == ["Started", "Found", "Cancelled"]

    @pytest.mark.usefixtures("expired_leases")
    def test_a_dead_run_is_released_as_failed(self) -> None:
        channel = a_channel()
        run_id, _ = in_a_run(channel)

        runs.release_dead_run(channel.id, "The worker is gone")

        assert (stored(channel.id).status, stored(channel.id).lease_until) == (ChannelStatus.FAILED, None)
        line = logs.logs_of_channel(channel.id)[-1]
        assert (line.log_level, line.message) == (LogLevel.ERROR, "The worker is gone")
        with pytest.raises(RunEnded):
            runs.renew_lease(channel.id, run_id)

    def test_a_live_run_is_not_released(self) -> None:
        channel = a_channel()
        in_a_run(channel)
        before = snapshot(channel.id, [])

        with pytest.raises(ChannelNotProcessing):
            runs.release_dead_run(channel.id, "The worker is gone")

        assert snapshot(channel.id, []) == before

    def test_a_finished_run_is_not_released(self) -> None:
        channel = a_channel(status=ChannelStatus.COMPLETED)
        channels.create_channel(channel)

        with pytest.raises(ChannelNotProcessing):
            runs.release_dead_run(channel.id, "The worker is gone")

        assert stored(channel.id).status == ChannelStatus.COMPLETED


@pytest.mark.usefixtures("tables")
def test_a_mention_that_was_committed_comes_back_as_it_was() -> None:
    channel = a_channel()
    run_id, (video,) = in_a_run(channel, videos=1)
    mention = a_mention(video, "BRK.B", price_at_mention=0.1 + 0.2, confidence_score=1 / 3)

    runs.commit_video(run_id, replace(finished(video, run_id), calls=(mention,)), LogLevel.INFO, "Done")

    assert mentions.mentions_of_video(video.id) == [mention]
    assert [found.calls for found in videos.videos_of_channel(channel.id)] == [(mention,)]
    assert mention.id == ids.mention_id(video.id, "BRK.B")
