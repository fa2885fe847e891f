"""Calls functions later, all on one thread: hundreds of tasks may wait for their runs at the same time."""

import heapq
import threading
import time
from collections.abc import Callable
from itertools import count


class Timer:
    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._calls: list[tuple[float, int, Callable[[], None]]] = []
        self._numbers = count()
        self._is_stopped = False
        self._thread: threading.Thread | None = None

    def call_later(self, seconds: float, fn: Callable[[], None]) -> None:
        """Calls a function that returns at once. Nothing is called any more after `stop`."""
        with self._changed:
            heapq.heappush(self._calls, (time.monotonic() + seconds, next(self._numbers), fn))
            if self._thread is None and not self._is_stopped:
                self._thread = threading.Thread(target=self._serve, name="timer", daemon=True)
                self._thread.start()
            self._changed.notify()

    def stop(self) -> None:
        with self._changed:
            self._is_stopped = True
            self._changed.notify()

    def _serve(self) -> None:
        while (fn := self._next()) is not None:
            fn()

    def _next(self) -> Callable[[], None] | None:
        """Waits until a call is due; None once stopped."""
        with self._changed:
            while not self._is_stopped:
                if not self._calls:
                    self._changed.wait()
                    continue
                left = self._calls[0][0] - time.monotonic()
                if left <= 0:
                    return heapq.heappop(self._calls)[2]
                self._changed.wait(left)
            return None
