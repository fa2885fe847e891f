"""The route that tells which providers are in use, and what they lack."""

from collections.abc import Iterator

import pytest

from functions.runtime.settings import settings
from functions.service.setup import reset_cache
from tests.events import call

DEMO = {"videos": "demo", "transcripts": "demo", "analyst": "recorded", "prices": "demo", "missing_settings": []}


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
    monkeypatch.setenv("ANALYST_PROVIDER", "rules")
    _forget()
    rules = call("GET", "/api/setup").json()
    monkeypatch.setenv("ANALYST_PROVIDER", "bedrock")
    _forget()

    model = call("GET", "/api/setup").json()
    assert 0 < rules["calls_read_right"] <= 1
    assert 0 < rules["calls_found"] <= 1
    assert (model["calls_read_right"], model["calls_found"]) == (None, None)


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


def test_the_demo_is_read_on_this_machine_for_nothing() -> None:
    setup = call("GET", "/api/setup").json()

    reader = setup["reader"]
    assert (reader["provider"], reader["sends_to"], reader["dollars_per_hour"]) == ("recorded", "this machine", 0.0)
    assert reader["name"].startswith("recorded")
    assert setup["estimate"] == {"videos": 100, "words": 350_000, "tokens_in": 0, "tokens_out": 0, "dollars": 0.0}
    assert setup["calls_found"] is None


def test_each_measured_reader_has_its_counts() -> None:
    figures = {each["reader"]: each for each in call("GET", "/api/setup").json()["figures"]}

    rules, model = figures["rules"], figures["large language model"]
    assert (rules["right"], rules["reported"], rules["found"], rules["made"]) == (76, 100, 13, 78)
    assert (model["right"], model["reported"], model["found"], model["made"]) == (57, 59, 57, 78)
    assert "upper bound" in model["note"]


def test_a_hosted_model_says_where_the_text_goes_and_what_it_costs(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"PROVIDERS": "live", "OPENAI_API_KEY": "secret-key", "OPENAI_MODEL": "gpt-5-mini"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("MODEL_DAILY_TOKENS", "1000000")
    _forget()

    response = call("GET", "/api/setup", query="videos=200")

    setup = response.json()
    assert setup["analyst"] == "openai"
    assert setup["reader"] == {
        "name": "gpt-5-mini",
        "provider": "openai",
        "sends_to": "api.openai.com",
        "dollars_per_hour": pytest.approx(0.012, rel=0.1),
        "prices_as_of": "2026-09",
        "daily_tokens": 1_000_000,
    }
    assert setup["estimate"]["videos"] == 200
    assert setup["estimate"]["tokens_in"] > 200 * 3_500 * 1.35
    assert 0 < setup["estimate"]["dollars"] < 5
    assert "secret-key" not in response.text


def test_a_model_without_its_settings_has_no_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANALYST_PROVIDER", "openai")
    _forget()

    setup = call("GET", "/api/setup").json()

    assert setup["reader"]["name"] is None
    assert setup["estimate"]["dollars"] is None


@pytest.mark.parametrize("videos", ["0", "-1", "many", "1000000"])
def test_an_estimate_is_for_a_number_of_videos(videos: str) -> None:
    assert call("GET", "/api/setup", query=f"videos={videos}").status == 422
