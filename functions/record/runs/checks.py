"""The clock of checks: begins those that are due, watched channels and the stalest first, while there are places."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import islice

from functions.record.channels.dead_runs import start_or_leave
from functions.record.errors import ChannelAlreadyProcessing, ChannelNotFound, CheckNotDue
from functions.record.models.check_intervals import FARTHEST, next_check
from functions.record.models.runs import THE_CLOCK, Check, RunKind
from functions.record.store import checks, runs
from functions.record.store.channels import channel_by_id, channels_by_id
from functions.record.store.slots import count_taken_places
from functions.record.store.watchlists import watched_channels
from functions.runtime import ids
from functions.runtime.clock import now, seconds_after
from functions.runtime.dynamodb.requests import chunked
from functions.runtime.observability import logger
from functions.runtime.settings import settings

MAX_DUE = 500
"""Entries of the queue that one tick of the clock looks at."""
AT_ONCE = 100
OVERDUE_SECONDS = 3600
HEAD_START_SECONDS = 24 * 3600
"""A watched channel counts as due for this much longer than it is. It goes first, and the others get their turn."""


@dataclass(frozen=True, slots=True)
class Begun:
    channels: list[str] = field(default_factory=list)
    """The ids of those whose check has begun."""
    overdue: list[str] = field(default_factory=list)
    """Of those that have been due for more than an hour and wait for a place."""


def begin_due_checks(start: Callable[[str, str], None]) -> Begun:
    """Begins a run for each check that is due, as long as places are free. Of several clocks at once one begins it."""
    moment = now()
    begun = Begun()
    due = list(islice(checks.due_checks(moment), MAX_DUE))
    free = settings().runs_at_once - count_taken_places() if due else 0
    overdue_before = seconds_after(moment, -OVERDUE_SECONDS)
    for some in chunked(_in_order(due) if 0 < free < len(due) else due, AT_ONCE):
        channels = channels_by_id(check.channel_id for check in some)
        for check in some:
            channel = channels.get(check.channel_id)
            if channel is None:
                _remove_if_gone(check)
            elif channel.is_under_way:
                # Its run is told at its end when the next check is, or is found dead by another clock.
                continue
            elif len(begun.channels) < free:
                if _begin(check, start):
                    begun.channels.append(check.channel_id)
            elif check.next_check_at < overdue_before:
                begun.overdue.append(check.channel_id)
    _bring_back_lost_checks(moment)
    return begun


def _in_order(due: Sequence[Check]) -> list[Check]:
    """The stalest first, with a head start for watched channels."""
    watched = watched_channels()

    def place(check: Check) -> str:
        head_start = HEAD_START_SECONDS if check.channel_id in watched else 0
        return seconds_after(check.next_check_at, -head_start)

    return sorted(due, key=place)


def _begin(check: Check, start: Callable[[str, str], None]) -> bool:
    run_id = ids.new_run_id()
    try:
        runs.claim_run(check.channel_id, run_id, kind=RunKind.CHECK, starter=THE_CLOCK, due=check.next_check_at)
    except (ChannelAlreadyProcessing, ChannelNotFound, CheckNotDue):
        return False
    logger.info("Check begun", extra={"channel_id": check.channel_id, "run_id": run_id})
    start_or_leave(start, check.channel_id, run_id)
    return True


def _remove_if_gone(check: Check) -> None:
    channel = channel_by_id(check.channel_id, consistent=True)
    if channel is None:
        checks.remove_check(check)


def _bring_back_lost_checks(moment: str) -> None:
    """A machine whose clock was ahead has set checks that would not come for years."""
    farthest = seconds_after(moment, FARTHEST.total_seconds())
    for some in chunked(islice(checks.checks_after(farthest), MAX_DUE), AT_ONCE):
        for channel in channels_by_id(check.channel_id for check in some).values():
            if soon := next_check(moment, channel.check_every, channel.failed_runs):
                checks.move_check(channel, soon)
