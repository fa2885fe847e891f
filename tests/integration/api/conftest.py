"""A dispatcher that records what it is given."""

from dataclasses import dataclass, field

import pytest

from functions import dispatch
from functions.dispatch import Job


@dataclass
class RecordingDispatcher:
    started: list[tuple[str, str]] = field(default_factory=list)
    stopped: list[tuple[str, str]] = field(default_factory=list)
    sent: list[Job] = field(default_factory=list)
    problem: Exception | None = None
    """Raised by the next hand-over, if there is one."""

    def start_run(self, channel_id: str, run_id: str) -> None:
        self._fail()
        self.started.append((channel_id, run_id))

    def stop_run(self, channel_id: str, run_id: str) -> None:
        self.stopped.append((channel_id, run_id))

    def send(self, job: Job) -> None:
        self._fail()
        self.sent.append(job)

    def _fail(self) -> None:
        if self.problem:
            raise self.problem


@pytest.fixture(autouse=True)
def dispatched(monkeypatch: pytest.MonkeyPatch) -> RecordingDispatcher:
    monkeypatch.setattr(dispatch, "_dispatchers", [])
    recording = RecordingDispatcher()
    dispatch.dispatch_with(recording)
    return recording
