"""Log lines: in order, from a timestamp on, by page, and none lost between threads and processes."""

from collections.abc import Callable
from itertools import pairwise

import pytest

from functions.record.models.records import LOG_LINES_PER_MILLISECOND, ChannelStatus, LogLevel
from functions.record.store import channels, logs, runs
from functions.runtime.clock import from_milliseconds, to_milliseconds
from tests.builders import a_channel, commit, in_a_run
from tests.partitions import snapshot

InThreads = Callable[[int, Callable[[int], object]], list[object]]

pytestmark = pytest.mark.usefixtures("tables")

NOON = to_milliseconds("2025-06-01T12:00:00.000Z")


class Clock:
    """Stands where it was put."""

    def __init__(self) -> None:
        self.milliseconds = NOON

    def time_ns(self) -> int:
        return self.milliseconds * 1_000_000


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(logs, "time", clock)
    monkeypatch.setattr(logs, "_timestamps", logs._MonotonicTimestamps())
    return clock


@pytest.fixture
def channel_id() -> str:
    channel = a_channel()
    channels.create_channel(channel)
    return channel.id


def write(channel_id: str, *messages: str) -> None:
    for message in messages:
        logs.write_log(channel_id, LogLevel.INFO, message)


def read(channel_id: str, since: str | None = None) -> list[str]:
    return [line.message for line in logs.logs_of_channel(channel_id, since, consistent=True)]


def test_lines_come_oldest_first_with_their_level(channel_id: str) -> None:
    for level in LogLevel:
        logs.write_log(channel_id, level, f"A line of level {level}")

    found = logs.logs_of_channel(channel_id)

    assert [(line.log_level, line.message) for line in found] == [
        (level, f"A line of level {level}") for level in LogLevel
    ]
    assert {line.channel_id for line in found} == {channel_id}
    assert logs.logs_of_channel("nobody") == []


def test_lines_since_a_timestamp_include_that_timestamp(channel_id: str, clock: Clock) -> None:
    for minute in range(4):
        clock.milliseconds = NOON + minute * 60_000
        write(channel_id, f"{minute} first", f"{minute} second")

    assert read(channel_id, since=from_milliseconds(NOON + 120_000)) == ["2 first", "2 second", "3 first", "3 second"]
    assert read(channel_id, since=from_milliseconds(NOON + 120_001)) == ["3 first", "3 second"]
    assert read(channel_id, since=from_milliseconds(NOON + 180_001)) == []


def test_lines_come_by_page(channel_id: str, clock: Clock) -> None:
    for number in range(7):
        clock.milliseconds = NOON + number
        write(channel_id, str(number))

    first = logs.page_of_logs(channel_id, 3, None, since=from_milliseconds(NOON + 1))
    second = logs.page_of_logs(channel_id, 3, first.next_key, since=from_milliseconds(NOON + 1), consistent=True)

    assert [line.message for line in first.items] == ["1", "2", "3"]
    assert [line.message for line in second.items] == ["4", "5", "6"]
    assert second.next_key is None


def test_a_page_that_is_read_on_finds_what_was_written_since(channel_id: str) -> None:
    write(channel_id, "1", "2", "3")
    page = logs.page_of_logs(channel_id, 2, None)
    write(channel_id, "4")

    rest = logs.page_of_logs(channel_id, 2, page.next_key)

    assert [line.message for line in rest.items] == ["3", "4"]


def test_ids_rise_within_one_millisecond(channel_id: str, clock: Clock) -> None:
    write(channel_id, *(str(number) for number in range(20)))

    found = logs.logs_of_channel(channel_id)

    assert [line.message for line in found] == [str(number) for number in range(20)]
    assert [line.id for line in found] == [NOON * LOG_LINES_PER_MILLISECOND + number for number in range(20)]


def test_a_millisecond_that_is_full_runs_over_into_the_next(clock: Clock) -> None:
    timestamps = logs._MonotonicTimestamps()

    taken = [timestamps.next() for _ in range(LOG_LINES_PER_MILLISECOND + 1)]

    assert taken[-2:] == [
        (from_milliseconds(NOON), LOG_LINES_PER_MILLISECOND - 1),
        (from_milliseconds(NOON + 1), 0),
    ]


def test_ids_rise_when_the_clock_is_set_back(channel_id: str, clock: Clock) -> None:
    write(channel_id, "before")
    clock.milliseconds -= 3_600_000
    write(channel_id, "just after")
    clock.milliseconds += 2
    write(channel_id, "later")

    assert read(channel_id) == ["before", "just after", "later"]


@pytest.mark.usefixtures("concurrent_tables")
def test_ids_are_unique_and_rise_across_eight_threads(channel_id: str, in_threads: InThreads) -> None:
    in_threads(8, lambda thread: write(channel_id, *(f"{thread}/{number}" for number in range(10))))

    found = logs.logs_of_channel(channel_id, consistent=True)

    ids = [line.id for line in found]
    assert len(found) == 80
    assert all(earlier < later for earlier, later in pairwise(ids))
    for thread in range(8):
        own = [line.message for line in found if line.message.startswith(f"{thread}/")]
        assert own == [f"{thread}/{number}" for number in range(10)]


def test_two_processes_that_write_in_one_millisecond_lose_nothing(
    channel_id: str, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(channel_id, "a1", "a2", "a3")
    monkeypatch.setattr(logs, "_timestamps", logs._MonotonicTimestamps())
    write(channel_id, "b1", "b2")

    found = logs.logs_of_channel(channel_id)

    assert [line.message for line in found] == ["a1", "a2", "a3", "b1", "b2"]
    assert len({line.id for line in found}) == 5


def test_a_commit_that_meets_the_line_of_another_process_is_written_whole(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    channel = a_channel()
    run_id, (video,) = in_a_run(channel, videos=1)
    monkeypatch.setattr(logs, "_timestamps", logs._MonotonicTimestamps())

    assert commit(run_id, video, "AAPL")

    assert read(channel.id) == ["Started", "Found", f"Done {video.title}"]


def test_a_channel_that_is_gone_takes_no_lines(channel_id: str) -> None:
    channels.delete_channel(channel_id)

    write(channel_id, "Too late")
    write("nobody", "Never there")

    assert snapshot(channel_id, []) == {} == snapshot("nobody", [])


def test_a_line_stands_only_if_what_it_tells_of_was_written(channel_id: str) -> None:
    runs.claim_run(channel_id, "run-1")
    runs.begin_run(channel_id, "run-1", "Started")
    runs.cancel_run(channel_id, "Cancelled")

    with pytest.raises(Exception, match="over"):
        runs.finish_run(channel_id, "run-1", ChannelStatus.COMPLETED, LogLevel.INFO, "Finished")

    assert read(channel_id) == ["Started", "Cancelled"]
