"""The route that tells which providers are in use, and what they lack."""

from collections.abc import Iterator

import pytest

from functions.runtime.settings import settings
from functions.service.setup import reset_cache
from tests.events import call

DEMO = {"videos": "demo", "transcripts": "demo", "analyst": "rules", "prices": "demo", "missing_settings": []}


@pytest.fixture(autouse=True)
def fresh_settings(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in ("YOUTUBE_API_KEY", "KEYS_SECRET_ID"):
        monkeypatch.delenv(name, raising=False)
    _forget()
    yield
    monkeypatch.undo()
    _forget()


def _forget() -> None:
    settings.cache_clear()
    reset_cache()


def test_the_demo_lacks_nothing() -> None:
    setup = call("GET", "/api/setup").json()

    assert {name: setup[name] for name in DEMO} == DEMO


def test_the_rules_have_been_measured_and_a_model_has_not(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = call("GET", "/api/setup").json()["calls_read_right"]
    monkeypatch.setenv("ANALYST_PROVIDER", "bedrock")
    _forget()

    assert 0 < rules <= 1
    assert call("GET", "/api/setup").json()["calls_read_right"] is None


def test_live_providers_without_a_key_name_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROVIDERS", "live")

    setup = call("GET", "/api/setup").json()

    assert (setup["videos"], setup["prices"]) == ("youtube", "yahoo")
    assert setup["missing_settings"] == ["YOUTUBE_API_KEY"]


def test_live_providers_with_their_key_lack_nothing_and_show_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROVIDERS", "live")
    monkeypatch.setenv("YOUTUBE_API_KEY", "not-a-real-key")

    response = call("GET", "/api/setup")

    assert response.json()["missing_settings"] == []
    assert "not-a-real-key" not in response.text
