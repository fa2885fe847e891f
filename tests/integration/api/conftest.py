"""Every test of the API uses a dispatcher that only records."""

import pytest

from tests.fakes import RecordingDispatcher


@pytest.fixture(autouse=True)
def dispatched(monkeypatch: pytest.MonkeyPatch) -> RecordingDispatcher:
    return RecordingDispatcher().install(monkeypatch)
