"""Tests of the API, in files that end in `_api.py`, use a dispatcher that only records."""

import pytest

from tests.fakes import RecordingDispatcher


@pytest.fixture
def dispatched(monkeypatch: pytest.MonkeyPatch) -> RecordingDispatcher:
    return RecordingDispatcher().install(monkeypatch)


@pytest.fixture(autouse=True)
def record_what_the_api_dispatches(request: pytest.FixtureRequest) -> None:
    if request.module.__name__.endswith("_api"):
        request.getfixturevalue("dispatched")
