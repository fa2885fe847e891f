"""Notices when the machine's clock is set: what was written by the wrong time must not wait for it."""

import time
from collections.abc import Callable

TOLERATED_SECONDS = 300.0
"""Smaller corrections change nothing that anybody waits for."""
STEADY_SECONDS = 24 * 60 * 60.0
"""How long the clock must have been steady before anything is removed because of its age."""


def running_seconds() -> float:
    """Seconds that no setting of the clock changes, and that go on while the machine sleeps."""
    return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))


class ClockWatch:
    def __init__(self, wall: Callable[[], float] = time.time, running: Callable[[], float] = running_seconds) -> None:
        self._wall, self._running = wall, running
        self._offset = wall() - running()
        self._jumped_at: float | None = None

    def jump(self) -> float:
        """Returns by how many seconds the clock was set since the last jump; 0 for small corrections."""
        jump = self._wall() - self._running() - self._offset
        if abs(jump) < TOLERATED_SECONDS:
            return 0.0
        self._offset += jump
        self._jumped_at = self._running()
        return jump

    def is_steady(self) -> bool:
        """False after a jump that was not returned yet, and for a day after one: it may have been a mistake."""
        if abs(self._wall() - self._running() - self._offset) >= TOLERATED_SECONDS:
            return False
        return self._jumped_at is None or self._running() - self._jumped_at >= STEADY_SECONDS


def sentence_of(jump: float) -> str:
    hours = abs(jump) / 3600
    length = f"{hours / 24:.0f} days" if hours >= 48 else f"{hours:.1f} hours"
    if jump > 0:
        return f"The clock was set {length} ahead. For a day nothing is removed because of its age."
    return f"The clock was set back by {length}. Whatever waited for the time before is due now."
