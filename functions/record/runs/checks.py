"""Starts the channel checks that are due, watched channels and the longest overdue first, while slots are free."""

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, field
from itertools import islice

from functions.record.channels.starting import Start, start_or_leave
from functions.record.errors import ChannelAlreadyProcessing, ChannelNotFound, CheckNotDue
from functions.record.models.check_intervals import FARTHEST, next_check
from functions.record.models.runs import THE_CLOCK, Check, RunKind
from functions.record.store import checks, runs
from functions.record.store.channels import channel_by_id, channels_by_id
from functions.record.store.slots import count_free_slots
from functions.record.store.watchlists import watched_channels
from functions.runtime import ids
from functions.runtime.clock import now, seconds_after
from functions.runtime.dynamodb.requests import chunked
from functions.runtime.observability import logger
from functions.runtime.settings import settings

MAX_DUE = 500
"""Queue entries processed per scheduled run."""
AT_ONCE = 100
OVERDUE_SECONDS = 3600
HEAD_START_SECONDS = 24 * 3600
"""Watched channels are sorted as if due this much earlier. They go first, and the others still get their turn."""


@dataclass(frozen=True, slots=True)
class Begun:
    channels: list[str] = field(default_factory=list)
    """The ids of the channels whose check was started."""
    overdue: list[str] = field(default_factory=list)
    """The ids of the channels that have been due for more than an hour and wait for a slot."""


def begin_due_checks(start: Start) -> Begun:
    """Starts a run for each due check while slots are free, and reschedules those that were lost."""
    started_at = now()
    begun = begin_checks(start, at_most=MAX_DUE, watched=watched_channels)
    _bring_back_lost_checks(started_at)
    return begun


def begin_checks(start: Start, *, at_most: int, watched: Callable[[], Container[str]]) -> Begun:
    """Starts a run for each due check while slots are free. Concurrent calls start each check only once.

    `at_most` is how many of the longest overdue are considered, `watched` returns the channels with a head start.
    """
    started_at = now()
    begun = Begun()
    due = list(islice(checks.due_checks(started_at, at_most), at_most))
    free = count_free_slots(settings().runs_at_once) if due else 0
    overdue_before = seconds_after(started_at, -OVERDUE_SECONDS)
    for some in chunked(_in_order(due, watched()) if 0 < free < len(due) else due, AT_ONCE):
        channels = channels_by_id(check.channel_id for check in some)
        for check in some:
            channel = channels.get(check.channel_id)
            if channel is None:
                _remove_if_gone(check)
            elif channel.is_under_way:
                # The end of its run schedules the next check; a dead run is found by the job that resumes those.
                continue
            elif len(begun.channels) < free:
                if _begin(check, start):
                    begun.channels.append(check.channel_id)
            elif check.next_check_at < overdue_before:
                begun.overdue.append(check.channel_id)
    return begun


def _in_order(due: Sequence[Check], watched: Container[str]) -> list[Check]:
    """Sorts the longest overdue first, with a head start for watched channels."""

    def priority(check: Check) -> str:
        head_start = HEAD_START_SECONDS if check.channel_id in watched else 0
        return seconds_after(check.next_check_at, -head_start)

    return sorted(due, key=priority)


def _begin(check: Check, start: Start) -> bool:
    run_id = ids.new_run_id()
    try:
        runs.claim_run(check.channel_id, run_id, kind=RunKind.CHECK, starter=THE_CLOCK, due=check.next_check_at)
    except (ChannelAlreadyProcessing, ChannelNotFound, CheckNotDue):
        return False
    logger.info("Check started", extra={"channel_id": check.channel_id, "run_id": run_id})
    start_or_leave(start, check.channel_id, run_id)
    return True


def _remove_if_gone(check: Check) -> None:
    channel = channel_by_id(check.channel_id, consistent=True)
    if channel is None:
        checks.remove_check(check)


def _bring_back_lost_checks(present: str) -> None:
    """Reschedules checks that a machine whose clock was wrong has set years ahead."""
    farthest = seconds_after(present, FARTHEST.total_seconds())
    for some in chunked(islice(checks.checks_after(farthest), MAX_DUE), AT_ONCE):
        for channel in channels_by_id(check.channel_id for check in some).values():
            if soon := next_check(present, channel.check_every, channel.failed_runs):
                checks.move_check(channel, soon)
