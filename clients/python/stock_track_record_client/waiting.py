"""Polls until something has ended."""

import time
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from stock_track_record_client.errors import TimedOut

FIRST_PAUSE = 0.25
LONGEST_PAUSE = 5.0
GROWTH = 1.5

State = TypeVar("State", bound=Mapping[str, Any])


def wait_until(is_over: Callable[[State], bool], read: Callable[[], State], timeout: float) -> State:
    """Returns the last state read; raises TimedOut if it has not ended within this many seconds."""
    deadline = time.monotonic() + timeout
    pause = FIRST_PAUSE
    while not is_over(state := read()):
        left = deadline - time.monotonic()
        if left <= 0:
            raise TimedOut(timeout, state)
        time.sleep(min(pause, left))
        pause = min(pause * GROWTH, LONGEST_PAUSE)
    return state
