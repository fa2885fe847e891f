"""Classifies changes to the known closes of a series: a split, or a correction. Pure, no I/O."""

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from statistics import median

from functions.record.models.series import SAME_SHARES, Series, Split

NEAR = 0.01
"""How far closes may be off a split's ratio, since sources round them."""
SMALLEST_SPLIT = 1.2
MOST_SHARES_BEFORE = 5
"""A ratio the source does not report counts as a split only if it is as simple as real ones, such as 3:2 or 10:1."""
CORRECTED = "closes corrected by the source"
CHECKED = "prices checked against its closes"


def what_changed(known: Series, fetched: Series, known_splits: Iterable[Split], splits: Iterable[Split]) -> str:
    """Returns the description of the change for the logs, such as `split 10:1`."""
    ratios = _shares_now_for_one_before(known, fetched)
    if not ratios or all(math.isclose(ratio, 1, rel_tol=SAME_SHARES) for ratio in ratios):
        return CHECKED
    typical = median(ratios)
    if not all(math.isclose(ratio, typical, rel_tol=NEAR) for ratio in ratios):
        return CORRECTED
    days = {split.day for split in known_splits}
    new = [split for split in splits if split.day not in days]
    if new and math.isclose(math.prod(split.ratio for split in new), typical, rel_tol=NEAR):
        return f"split {' and '.join(split_text(split.ratio) for split in new)}"
    return f"split {split_text(typical, SAME_SHARES)}" if _looks_like_split(typical) else CORRECTED


def split_text(ratio: float, rounding: float = 1e-9) -> str:
    """Returns `20:1` for 20.0, `1:10` for 0.1, `3:2` for 1.5."""
    simple = _simple(ratio, 1000, rounding)
    return f"{simple.numerator}:{simple.denominator}"


def _shares_now_for_one_before(known: Series, fetched: Series) -> Sequence[float]:
    """Computed from the closes of each day that is in both."""
    closes = dict(zip(fetched.days, fetched.closes, strict=True))
    return [before / closes[day] for day, before in zip(known.days, known.closes, strict=True) if closes.get(day)]


def _looks_like_split(ratio: float) -> bool:
    larger = max(ratio, 1 / ratio)
    simple = _simple(larger, MOST_SHARES_BEFORE, SAME_SHARES)
    return larger >= SMALLEST_SPLIT and math.isclose(simple, larger, rel_tol=SAME_SHARES)


def _simple(ratio: float, most_before: int, rounding: float) -> Fraction:
    """Returns the simplest fraction that rounds to a ratio, or to the inverse of one below 1."""
    if ratio < 1:
        return 1 / _simple(1 / ratio, most_before, rounding)
    for before in range(1, most_before + 1):
        candidate = Fraction(round(ratio * before), before)
        if math.isclose(candidate, ratio, rel_tol=rounding):
            return candidate
    return Fraction(ratio).limit_denominator(most_before)
