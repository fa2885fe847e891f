"""Runs whose worker died: found without a Scan, freed on a schedule, told to people and to an alarm."""

import json
from collections import Counter

import pytest

from functions.core import ids
from functions.core.clock import seconds_from_now
from functions.core.models import Channel, ChannelStatus, LogLevel
from functions.core.observability import metrics
from functions.logic import channels, dead_runs
from functions.pipeline import free_dead_runs
from functions.store import runs
from functions.store.channels import channel_by_id, create_channel
from functions.store.logs import logs_of_channel
from tests.builders import a_channel
from tests.fakes import Listener

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


@pytest.mark.usefixtures("tables")
class TestFreeing:
    def test_frees_those_whose_lease_ended_and_no_other(self) -> None:
        dead = [stored(ChannelStatus.PROCESSING, LONG_AGO), stored(ChannelStatus.PENDING, LONG_AGO)]
        without_lease = stored(ChannelStatus.PROCESSING, None)
        others = [
            stored(ChannelStatus.PROCESSING, 60),
            stored(ChannelStatus.PENDING, 60),
            stored(ChannelStatus.COMPLETED, None),
            stored(ChannelStatus.CANCELLED, LONG_AGO),
        ]

        answer = free_dead_runs.handler({}, None)

        freed = [*dead, without_lease]
        assert sorted(answer["freed"]) == sorted(channel.id for channel in freed)
        assert {status_of(channel) for channel in freed} == {ChannelStatus.FAILED}
        assert [status_of(channel) for channel in others] == [channel.status for channel in others]

    def test_says_what_happened_and_what_to_do(self) -> None:
        channel = stored(ChannelStatus.PROCESSING, LONG_AGO)

        free_dead_runs.handler({}, None)

        (line,) = logs_of_channel(channel.id)
        assert line.log_level == LogLevel.ERROR
        assert line.message == (
            "Failed. The run stopped without a word and was given up. Videos finished so far are kept; "
            "process the channel again to go on with the others."
        )

    def test_twice_frees_once(self) -> None:
        channel = stored(ChannelStatus.PROCESSING, LONG_AGO)
        free_dead_runs.handler({}, None)

        assert free_dead_runs.handler({}, None) == {"freed": []}

        assert len(logs_of_channel(channel.id)) == 1

    def test_a_freed_channel_can_be_processed_again(self, monkeypatch: pytest.MonkeyPatch) -> None:
        listener = Listener().install(monkeypatch)
        channel = stored(ChannelStatus.PROCESSING, LONG_AGO)
        free_dead_runs.handler({}, None)

        channels.process_channel(channel.id)

        assert [started for started, _ in listener.started] == [channel.id]

    def test_one_that_shows_life_at_the_last_moment_is_left_alone(self, monkeypatch: pytest.MonkeyPatch) -> None:
        channel = stored(ChannelStatus.PROCESSING, LONG_AGO)
        monkeypatch.setattr(dead_runs, "dead_runs", lambda: [channel])
        runs.renew_lease(channel.id, channel.run_id or "")

        assert free_dead_runs.handler({}, None) == {"freed": []}

        assert status_of(channel) == ChannelStatus.PROCESSING

    @pytest.mark.parametrize("stuck", [0, 2])
    def test_counts_them_for_an_alarm(
        self, stuck: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.delenv("POWERTOOLS_METRICS_DISABLED", raising=False)
        metrics.clear_metrics()
        for _ in range(stuck):
            stored(ChannelStatus.PROCESSING, LONG_AGO)

        free_dead_runs.handler({}, None)

        written = [json.loads(line) for line in capsys.readouterr().out.splitlines() if '"_aws"' in line]
        assert [line["StuckRuns"] for line in written] == [[stuck]]

    def test_more_channels_than_a_page_are_searched_without_a_scan(self, requests_made: Counter[str]) -> None:
        for _ in range(dead_runs.PAGE + 5):
            stored(ChannelStatus.COMPLETED, None)
        channel = stored(ChannelStatus.PROCESSING, LONG_AGO)
        for _ in range(3):
            stored(ChannelStatus.COMPLETED, None)
        requests_made.clear()

        assert [each.id for each in dead_runs.dead_runs()] == [channel.id]

        assert set(requests_made) == {"Query"}
        assert requests_made.total() <= 4


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
            "The run was interrupted. Going on with the videos that are not finished.",
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

        answers = in_threads(8, lambda _: dead_runs.take_over(channel))

        assert sum(answer is not None for answer in answers) == 1
