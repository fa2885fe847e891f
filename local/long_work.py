"""Runs long jobs one after another on a thread that does not delay the end of the process."""

import queue
import threading
from collections.abc import Callable
from contextlib import suppress

from functions.runtime.pipeline.stopping import WorkStopped, stop_when

STOP_SECONDS = 3.0
"""How long to wait for work to stop. After that it ends with the process, as if killed."""


class LongWork:
    def __init__(self, stopping: threading.Event) -> None:
        self._stopping = stopping
        self._waiting: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="long work", daemon=True)
        self._thread.start()

    def submit(self, work: Callable[[], None]) -> None:
        self._waiting.put(work)

    def stop(self) -> None:
        """Called after `stopping` is set: queued work is not done."""
        self._waiting.put(None)
        self._thread.join(STOP_SECONDS)

    def _work(self) -> None:
        stop_when(self._stopping.is_set)
        while (work := self._waiting.get()) and not self._stopping.is_set():
            with suppress(WorkStopped):
                work()
