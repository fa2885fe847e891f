"""Which providers the settings choose, and what these are given."""

from collections.abc import Callable, Iterator

import pytest

from functions.reading import analysts
from functions.reading.models.bedrock import BedrockAnalyst
from functions.reading.models.openai_compatible import OpenAIAnalyst
from functions.reading.models.recorded import RecordedAnalyst
from functions.reading.rules import RulesAnalyst
from functions.record.sources import selection
from functions.record.sources.prices.combined import CurrentPrices
from functions.runtime.errors import InvalidSetting
from functions.runtime.settings import settings
from functions.service import setup


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    for name, value in {"BEDROCK_MODEL_ID": "m", "OPENAI_API_KEY": "k", "OPENAI_MODEL": "m"}.items():
        monkeypatch.setenv(name, value)
    _reset()
    yield monkeypatch
    monkeypatch.undo()
    _reset()


def _reset() -> None:
    settings.cache_clear()
    setup.reset_cache()


@pytest.mark.parametrize(
    ("name", "analyst"),
    [
        ("rules", RulesAnalyst),
        ("recorded", RecordedAnalyst),
        ("bedrock", BedrockAnalyst),
        ("openai", OpenAIAnalyst),
    ],
)
def test_each_analyst_is_found_by_its_name(environment: pytest.MonkeyPatch, name: str, analyst: type) -> None:
    assert isinstance(analysts.analyst_named(name), analyst)


@pytest.mark.parametrize(("given", "sent"), [("", {}), ("0", {"temperature": 0.0}), ("0.7", {"temperature": 0.7})])
def test_a_temperature_is_a_setting(environment: pytest.MonkeyPatch, given: str, sent: dict[str, float]) -> None:
    environment.setenv("MODEL_TEMPERATURE", given)

    made = (vars(analysts.analyst_named("bedrock"))["_model"], analysts.analyst_named("openai"))

    assert [vars(model)["_temperature"] for model in made] == [sent, sent]


@pytest.mark.parametrize("given", ["warm", "-1", "2.5", "nan"])
def test_a_temperature_that_no_model_takes_is_refused(environment: pytest.MonkeyPatch, given: str) -> None:
    environment.setenv("MODEL_TEMPERATURE", given)

    with pytest.raises(InvalidSetting, match="MODEL_TEMPERATURE"):
        analysts.analyst_named("openai")


ADDRESS = "http://127.0.0.1:9000/stub"


@pytest.mark.parametrize(
    ("name", "made"),
    [
        ("YOUTUBE_BASE_URL", lambda: selection.videos()),
        ("TRANSCRIPT_BASE_URL", lambda: selection.transcripts()),
        ("OPENAI_BASE_URL", lambda: analysts.analyst_named("openai")),
        ("YAHOO_BASE_URL", lambda: selection._price_source("yahoo")),
        ("YAHOO_BASE_URL", lambda: vars(selection._price_source("finnhub"))["_histories"]),
        ("FINNHUB_BASE_URL", lambda: vars(selection._price_source("finnhub"))["_quotes"]),
        ("TIINGO_BASE_URL", lambda: selection._price_source("tiingo")),
    ],
)
def test_the_address_of_each_service_is_a_setting(
    environment: pytest.MonkeyPatch, name: str, made: Callable[[], object]
) -> None:
    for key in ("YOUTUBE_API_KEY", "FINNHUB_API_KEY", "TIINGO_API_KEY"):
        environment.setenv(key, "k")
    environment.setenv("PROVIDERS", "live")
    _reset()
    before = vars(made())["_base_url"]
    environment.setenv(name, f"{ADDRESS}/")
    _reset()

    assert before.startswith("https://")
    assert vars(made())["_base_url"] == ADDRESS


def test_every_price_source_is_called_with_current_tickers(environment: pytest.MonkeyPatch) -> None:
    assert isinstance(selection.prices(), CurrentPrices)
