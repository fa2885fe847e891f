"""A person's settings: their own choices, then the operators' defaults, then the built-in ones."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from functions.record.models.people import DECIMALS, Choices, DefaultSettings, PersonalSettings
from functions.record.prices.market import benchmark
from functions.record.scoring.types import DEFAULT_HORIZON, MAX_COST_BPS, Horizon
from functions.record.store.personal_settings import default_settings, save_settings, settings_of_user
from functions.runtime.errors import ChangedMeanwhile, NotAccepted
from functions.runtime.settings import settings

NAMES = ("horizon", "cost_bps", "review_below", "benchmark")
TRIES = 5


@dataclass(frozen=True, slots=True)
class EffectiveSettings:
    horizon: Horizon
    cost_bps: float
    review_below: float
    benchmark: str
    own: list[str]
    """The names of the settings the person has chosen; the others follow the default."""
    version: int


def get_settings(user_id: str) -> EffectiveSettings:
    return _effective(*settings_of_user(user_id))


def put_settings(user_id: str, version: int, choices: Choices) -> EffectiveSettings:
    """Replaces the version that the person saw. Idempotent: repeated after a lost response, it changes nothing.

    Raises NotAccepted for a benchmark other than the one in use, ChangedMeanwhile if another version is stored.
    """
    check_benchmark(choices.benchmark)
    wanted = PersonalSettings(**_values(choices), user_id=user_id, version=version + 1)
    saved = save_settings(wanted)
    present, defaults = settings_of_user(user_id)
    if saved:
        return _effective(wanted, defaults)
    if present == wanted:
        return _effective(present, defaults)
    raise ChangedMeanwhile(
        f"The settings have been changed meanwhile: their version is {present.version}. Read them again.",
        _effective(present, defaults),
    )


def review_below(user_id: str) -> float:
    """Buys, holds and sells of which the analyst is less sure are in this person's review queue."""
    return get_settings(user_id).review_below


def set_defaults(changes: Mapping[str, Any]) -> DefaultSettings:
    """Changes the defaults for everyone who has not chosen; None restores the built-in value."""
    for _ in range(TRIES):
        before = default_settings()
        after = replace(before, version=before.version + 1, **changes)
        if save_settings(after):
            return after
    raise ChangedMeanwhile("The defaults are being changed by somebody else; try again.", before)


def choice_of(name: str, text: str) -> str | float | None:
    """Parses an operator's value for a setting; an empty text is None. Raises NotAccepted if it is invalid."""
    if not text:
        return None
    if name == "cost_bps":
        return _number(name, text, MAX_COST_BPS)
    if name == "review_below":
        return _number(name, text, 1)
    if name == "benchmark":
        check_benchmark(text)
    elif text not in tuple(Horizon):
        raise NotAccepted(name, f"The horizon is one of {', '.join(Horizon)}.", text)
    return text


def check_benchmark(ticker: str | None) -> None:
    in_use = benchmark().ticker
    if ticker not in (None, in_use):
        raise NotAccepted("benchmark", f"All scores are measured against {in_use}: no other can be chosen.", ticker)


def _number(name: str, text: str, most: float) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not 0 <= number <= most:
        raise NotAccepted(name, f"{name} is a number from 0 to {most:g}.", text)
    return round(number, DECIMALS)


def _effective(own: PersonalSettings, defaults: DefaultSettings) -> EffectiveSettings:
    usable = _usable(own)
    values = _built_in() | _usable(defaults) | usable
    return EffectiveSettings(
        horizon=Horizon(values["horizon"]),
        cost_bps=values["cost_bps"],
        review_below=values["review_below"],
        benchmark=values["benchmark"],
        own=[name for name in NAMES if name in usable],
        version=own.version,
    )


def _usable(choices: Choices) -> dict[str, Any]:
    """Returns the choices without values that only an earlier release or another price source accepted."""
    chosen = {name: value for name, value in _values(choices).items() if value is not None}
    if chosen.get("horizon") not in (None, *Horizon):
        del chosen["horizon"]
    if chosen.get("benchmark") not in (None, benchmark().ticker):
        del chosen["benchmark"]
    return chosen


def _built_in() -> dict[str, Any]:
    return {
        "horizon": DEFAULT_HORIZON,
        "cost_bps": settings().cost_bps,
        "review_below": settings().review_below,
        "benchmark": benchmark().ticker,
    }


def _values(choices: Choices) -> dict[str, Any]:
    return {name: getattr(choices, name) for name in NAMES}
