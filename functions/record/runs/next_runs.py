"""Gives the slot of a run that has ended to the next: a run that waits, or else a check that is due."""

from functions.record.channels.starting import Start, start_waiting_runs
from functions.record.runs.checks import begin_checks
from functions.record.store.slots import release_slot
from functions.record.store.watchlists import recently_watched_channels
from functions.runtime.observability import logger

CHECKS_CONSIDERED = 50
"""Due checks among which the next is chosen. The scheduled job considers more."""


def start_next_runs(start: Start, channel_id: str, run_id: str) -> None:
    """Called at the end of a run. If this fails, the scheduled job starts the next ones."""
    try:
        release_slot(channel_id, run_id)
        start_waiting_runs(start)
        begin_checks(start, at_most=CHECKS_CONSIDERED, watched=recently_watched_channels)
    except Exception:
        logger.exception("The next runs could not be started", channel_id=channel_id, run_id=run_id)
