"""Starts runs that have a slot. The others wait in a queue, without a worker, until a slot becomes free."""

from collections.abc import Callable

from functions.record.models.runs import WaitingRun
from functions.record.store import runs, waiting_runs
from functions.record.store.channels import channel_by_id
from functions.record.store.slots import take_slot
from functions.runtime.clock import seconds_from_now
from functions.runtime.observability import logger
from functions.runtime.settings import settings

Start = Callable[[str, str], None]


def start_or_wait(start: Start, channel_id: str, run_id: str) -> None:
    """Starts a claimed run if a slot is free, and lets it wait otherwise."""
    slots = settings().runs_at_once
    if take_slot(channel_id, run_id, slots):
        start(channel_id, run_id)
        return
    others = "1 other channel is" if slots == 1 else f"{slots} other channels are"
    waiting_runs.join_queue(channel_id, run_id, f"Waiting: {others} being processed.")
    # A run that ended in between found nobody waiting.
    if take_slot(channel_id, run_id, slots):
        _start_waiting(start, WaitingRun(channel_id, run_id))


def start_or_leave(start: Start, channel_id: str, run_id: str) -> None:
    """The same; if it fails, the run is found dead when its lease expires."""
    try:
        start_or_wait(start, channel_id, run_id)
    except Exception:
        logger.exception("A run could not be started", channel_id=channel_id, run_id=run_id)


def start_waiting_runs(start: Start) -> list[str]:
    """Starts the runs that wait, the oldest first, while slots are free; returns the ids of their channels.

    A run is started once, however many call this at the same time. If a caller dies in between, the next one goes on.
    """
    started = []
    for waiting in waiting_runs.waiting_runs():
        if not take_slot(waiting.channel_id, waiting.run_id, settings().runs_at_once):
            break
        if _start_waiting(start, waiting):
            started.append(waiting.channel_id)
    return started


def _start_waiting(start: Start, waiting: WaitingRun) -> bool:
    if not waiting_runs.leave_queue(waiting, seconds_from_now(runs.LEASE_SECONDS)):
        channel = channel_by_id(waiting.channel_id, consistent=True)
        if channel is None or not (channel.is_waiting and channel.run_id == waiting.run_id):
            waiting_runs.remove_waiting_run(waiting)
        return False
    try:
        start(waiting.channel_id, waiting.run_id)
    except Exception:
        logger.exception("A run could not be started", channel_id=waiting.channel_id, run_id=waiting.run_id)
    return True
