"""The cost of reading videos with a model, in tokens and in money."""

import re
from collections.abc import Iterator

import pytest

from functions.reading.analyst import TokenUsage
from functions.reading.model_costs import estimate, prices_of
from functions.runtime.errors import InvalidSetting
from functions.runtime.settings import LIVE_KEYS, settings
from functions.service.setup import reset_cache


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    for name in LIVE_KEYS:
        monkeypatch.delenv(name, raising=False)
    _reset()
    yield monkeypatch
    monkeypatch.undo()
    _reset()


def _reset() -> None:
    settings.cache_clear()
    reset_cache()


@pytest.mark.parametrize(
    ("model", "dollars_in"),
    [
        ("gpt-5-mini", 0.25),
        ("gpt-5-mini-2025-08-07", 0.25),
        ("gpt-5", 1.25),
        ("global.anthropic.claude-haiku-4-5-20251001-v1:0", 1.0),
        ("claude-haiku-4-5", 1.0),
        ("us.amazon.nova-lite-v1:0", 0.06),
        ("gemini-2.5-flash", 0.3),
        ("gemini-3.5-flash-001", 1.5),
        ("us.anthropic.claude-opus-5", 5.0),
        ("models/gemini-2.5-flash-lite", 0.1),
        ("google/gemini-2.5-pro", 1.25),
    ],
)
def test_the_list_price_of_a_model_is_found_by_its_id(model: str, dollars_in: float) -> None:
    prices = prices_of("openai", model)

    assert prices is not None
    assert prices.input == dollars_in
    assert prices.as_of
    assert re.fullmatch(r"2026-\d\d", prices.as_of)


@pytest.mark.parametrize(
    "model",
    [
        "claude-opus-5-5",
        "claude-haiku-4-5-5",
        "gpt-5.9",
        "gpt-5-pro",
        "my-gpt-5-mini-tuned",
        "gemini-2.5-flash-image",
        "llama",
        "",
    ],
)
def test_another_model_has_no_known_price(model: str) -> None:
    assert prices_of("openai", model) is None
    assert estimate("openai", model, 10).dollars is None


def test_a_price_that_is_set_comes_first(environment: pytest.MonkeyPatch) -> None:
    environment.setenv("MODEL_PRICE_IN", "10")
    environment.setenv("MODEL_PRICE_OUT", "100")
    _reset()

    assert estimate("openai", "gpt-5-mini", 1, words=0).dollars == pytest.approx(10 * 1_900 / 1e6, rel=0.3)
    assert estimate("bedrock", "unknown", 0, words=100_000).dollars == pytest.approx(1.35 + 4.0)


@pytest.mark.parametrize(
    "given", [{"MODEL_PRICE_IN": "1"}, {"MODEL_PRICE_IN": "1", "MODEL_PRICE_OUT": "cheap"}, {"MODEL_PRICE_OUT": "-1"}]
)
def test_half_a_price_is_refused(environment: pytest.MonkeyPatch, given: dict[str, str]) -> None:
    for name, value in given.items():
        environment.setenv(name, value)
    _reset()

    with pytest.raises(InvalidSetting, match="MODEL_PRICE_IN and MODEL_PRICE_OUT"):
        prices_of("openai", "gpt-5")


def test_a_model_on_this_machine_costs_nothing(environment: pytest.MonkeyPatch) -> None:
    environment.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1234/v1")
    _reset()

    found = estimate("openai", "gpt-5", 100)

    assert found.dollars == 0.0
    assert found.tokens.input > 100 * 3_500 * 1.35


def test_the_rules_take_neither_tokens_nor_money() -> None:
    found = estimate("rules", "rules 4", 100)

    assert (found.tokens, found.dollars) == (TokenUsage(), 0.0)
