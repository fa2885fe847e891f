"""Runs whose worker died: found without a Scan, resumed on a schedule, told to people and to an alarm."""

import json
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from functions.record.channels import channels, dead_runs
from functions.record.models.records import Channel, ChannelStatus, LogLevel
from functions.record.pipeline import resume_dead_runs
from functions.record.store import index_keys, runs
from functions.record.store.channels import channel_by_id, create_channel
from functions.record.store.logs import logs_of_channel
from functions.runtime import ids
from functions.runtime.clock import seconds_from_now
from functions.runtime.dynamodb.attributes import encode
from functions.runtime.dynamodb.connection import dynamodb, main_table
from functions.runtime.dynamodb.tables import channel_key
from functions.runtime.observability import metrics
from local.runner import Runner
from operations import check
from tests.builders import a_channel, commit, in_a_run
from tests.fakes import RecordingDispatcher

LONG_AGO = -3600.0


def stored(status: ChannelStatus, lease_seconds: float | None) -> Channel:
    lease = None if lease_seconds is None else seconds_from_now(lease_seconds)
    channel = a_channel(status=status, run_id=ids.new_run_id(), lease_until=lease)
    create_channel(channel)
    return channel


def status_of(channel: Channel) -> ChannelStatus:
    found = channel_by_id(channel.id, consistent=True)
    assert found
    return found.status


def fail_to_start(channel_id: str, run_id: str) -> None:
    raise OSError("Step Functions cannot be reached")


@pytest.fixture
def started(tables: str, monkeypatch: pytest.MonkeyPatch) -> RecordingDispatcher:
    """Takes the runs that are started."""
    return RecordingDispatcher().install(monkeypatch)


def swept() -> dict[str, list[str]]:
    return resume_dead_runs.handler({}, None)


def die_again(channel: Channel) -> None:
    """Ends the lease of the channel's run."""
    dynamodb().update_item(
        TableName=main_table(),
        Key=encode(channel_key(channel.id)),
        UpdateExpression="SET lease_until = :then",
        ExpressionAttributeValues=encode({":then": seconds_from_now(LONG_AGO)}),
    )


class TestTheClock:
    def test_resumes_those_whose_lease_ended_and_no_other(self, started: RecordingDispatcher) -> None:
        dead = [stored(ChannelStatus.PROCESSING, LONG_AGO), stored(ChannelStatus.PENDING, LONG_AGO)]
        without_lease = stored(ChannelStatus.PROCESSING, None)
        others = [
            stored(ChannelStatus.PROCESSING, 60),
            stored(ChannelStatus.PENDING, 60),
            stored(ChannelStatus.COMPLETED, None),
            stored(ChannelStatus.CANCELLED, LONG_AGO),
        ]

        found = swept()

        resumed = {channel.id for channel in (*dead, without_lease)}
        assert (set(found["resumed"]), found["given_up"]) == (resumed, [])
        assert {channel_id for channel_id, _ in started.started} == resumed
        for channel_id, run_id in started.started:
            channel = channel_by_id(channel_id, consistent=True)
            assert channel and (channel.status, channel.run_id) == (ChannelStatus.PENDING, run_id)
            assert run_id not in {each.run_id for each in dead}
        assert [status_of(channel) for channel in others] == [channel.status for channel in others]

    def test_twice_resumes_once(self, started: RecordingDispatcher) -> None:
        channel = stored(ChannelStatus.PROCESSING, LONG_AGO)
        swept()

        assert swept() == {"resumed": [], "given_up": []}

        assert len(logs_of_channel(channel.id)) == len(started.started) == 1

    def test_fails_a_run_that_dies_again_and_again_and_says_so(self, started: RecordingDispatcher) -> None:
        channel = stored(ChannelStatus.PROCESSING, LONG_AGO)
        for _ in range(runs.MAX_RESUMPTIONS):
            assert swept()["resumed"] == [channel.id]
            die_again(channel)

        assert swept() == {"resumed": [], "given_up": [channel.id]}

        assert status_of(channel) == ChannelStatus.FAILED
        assert len(started.started) == runs.MAX_RESUMPTIONS
        line = logs_of_channel(channel.id)[-1]
        assert line.log_level == LogLevel.ERROR
        assert line.message == (
            "Failed. The run was interrupted 6 times in a row without finishing a video. "
            "Videos finished before are kept; process the channel again to continue."
        )

    @pytest.mark.parametrize("all_are_dead", [False, True])
    def test_the_laptop_gives_up_as_early(self, started: RecordingDispatcher, all_are_dead: bool) -> None:
        channel = stored(ChannelStatus.PROCESSING, LONG_AGO)
        crashing = Runner()
        crashing._stopping.set()
        for _ in range(runs.MAX_RESUMPTIONS):
            assert crashing.resume_runs(all_are_dead=all_are_dead) == [channel.name]
            die_again(channel)

        assert crashing.resume_runs(all_are_dead=all_are_dead) == []

        assert status_of(channel) == ChannelStatus.FAILED

    def test_a_finished_video_gives_the_run_all_its_resumptions_back(self, started: RecordingDispatcher) -> None:
        channel = a_channel()
        _, (video,) = in_a_run(channel, videos=1)
        for _ in range(runs.MAX_RESUMPTIONS):
            die_again(channel)
            swept()
        run_id = started.started[-1][1]
        runs.begin_run(channel.id, run_id, "Started")
        commit(run_id, video, "AAPL")
        die_again(channel)

        assert swept()["resumed"] == [channel.id]

    def test_a_new_run_has_all_its_resumptions(self, started: RecordingDispatcher) -> None:
        channel = stored(ChannelStatus.PROCESSING, LONG_AGO)
        for _ in range(runs.MAX_RESUMPTIONS + 1):
            swept()
            die_again(channel)
        channels.process_channel(channel.id)
        die_again(channel)

        assert swept()["resumed"] == [channel.id]

    def test_one_that_cannot_be_started_holds_up_no_other_and_is_found_again(
        self,
        started: RecordingDispatcher,
        monkeypatch: pytest.MonkeyPatch,
        log_lines: Callable[[], list[dict[str, Any]]],
    ) -> None:
        both = {stored(ChannelStatus.PROCESSING, LONG_AGO).id for _ in range(2)}
        monkeypatch.setattr(started, "start_run", fail_to_start)

        assert set(swept()["resumed"]) == both

        errors = [line for line in log_lines() if line["level"] == "ERROR"]
        assert {line["channel_id"] for line in errors} == both
        assert {line["exception_name"] for line in errors} == {"OSError"}
        assert {status_of(each) for each in dead_runs.dead_runs(lease_before="9999")} == {ChannelStatus.PENDING}

    def test_one_with_a_heartbeat_at_the_last_moment_is_left_alone(
        self, started: RecordingDispatcher, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        channel = stored(ChannelStatus.PROCESSING, LONG_AGO)
        monkeypatch.setattr(dead_runs, "dead_runs", lambda **_: [channel])
        runs.renew_lease(channel.id, channel.run_id or "")

        assert swept() == {"resumed": [], "given_up": []}

        assert status_of(channel) == ChannelStatus.PROCESSING

    @pytest.mark.parametrize("stuck", [0, 2])
    def test_counts_them_for_an_alarm(
        self,
        started: RecordingDispatcher,
        stuck: int,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        monkeypatch.delenv("POWERTOOLS_METRICS_DISABLED", raising=False)
        metrics.clear_metrics()
        for _ in range(stuck):
            stored(ChannelStatus.PROCESSING, LONG_AGO)

        swept()

        written = [json.loads(line) for line in capsys.readouterr().out.splitlines() if '"_aws"' in line]
        assert [line["StuckRuns"] for line in written] == [[stuck]]

    def test_finds_those_of_an_earlier_version_which_have_no_index_key(self, started: RecordingDispatcher) -> None:
        dead = stored(ChannelStatus.PROCESSING, LONG_AGO)
        dynamodb().update_item(
            TableName=main_table(), Key=encode(channel_key(dead.id)), UpdateExpression="REMOVE GSI3PK"
        )
        assert list(dead_runs.dead_runs()) == []

        assert swept()["resumed"] == [dead.id]

        assert list(check.problems(check.read_everything())) == []

    def test_of_an_earlier_version_are_looked_for_once_and_a_part_at_a_time(
        self, started: RecordingDispatcher, monkeypatch: pytest.MonkeyPatch, requests_made: Counter[str]
    ) -> None:
        monkeypatch.setattr(index_keys, "CHANNELS_AT_ONCE", 2)
        for _ in range(5):
            stored(ChannelStatus.COMPLETED, None)

        assert [index_keys.index_runs_under_way(pages=1) for _ in range(3)] == [False, False, True]

        requests_made.clear()
        assert index_keys.index_runs_under_way()
        assert requests_made == {"GetItem": 1}

    @pytest.mark.parametrize("channels_without", [3, 105])
    def test_costs_as_little_however_many_channels_there_are(
        self, requests_made: Counter[str], items_read: list[int], channels_without: int
    ) -> None:
        oldest = stored(ChannelStatus.PROCESSING, LONG_AGO)
        for _ in range(channels_without):
            stored(ChannelStatus.COMPLETED, None)
        requests_made.clear()
        items_read.clear()

        assert [each.id for each in dead_runs.dead_runs()] == [oldest.id]

        assert requests_made == {"Query": 1, "BatchGetItem": 1}
        assert sum(items_read) == 2


@pytest.mark.usefixtures("tables")
class TestTakingOver:
    def test_puts_a_new_run_in_the_place_of_the_dead_one_and_says_so(self) -> None:
        channel = stored(ChannelStatus.PROCESSING, LONG_AGO)

        run_id = dead_runs.take_over(channel)

        taken = channel_by_id(channel.id, consistent=True)
        assert taken and (taken.status, taken.run_id) == (ChannelStatus.PENDING, run_id)
        (line,) = logs_of_channel(channel.id)
        assert (line.log_level, line.message) == (
            LogLevel.WARNING,
            "The run was interrupted. Continuing with the videos that are not finished.",
        )

    @pytest.mark.parametrize(
        ("status", "lease"),
        [(ChannelStatus.PROCESSING, 60), (ChannelStatus.COMPLETED, None), (ChannelStatus.CANCELLED, None)],
    )
    def test_leaves_those_alone_that_are_alive_or_over(self, status: ChannelStatus, lease: float | None) -> None:
        channel = stored(status, lease)

        assert dead_runs.take_over(channel) is None

        assert channel_by_id(channel.id, consistent=True) == channel

    def test_of_many_who_try_at_once_one_succeeds(self, concurrent_tables: str, in_threads) -> None:  # type: ignore[no-untyped-def]
        channel = stored(ChannelStatus.PROCESSING, LONG_AGO)

        results = in_threads(8, lambda _: dead_runs.take_over(channel))

        assert sum(response is not None for response in results) == 1
