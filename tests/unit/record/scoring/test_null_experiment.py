"""A small run of the null experiment of docs/scoring.md: luck is seldom called skill, and foresight is found."""

from collections.abc import Callable

import pytest

from bench.null_experiment import Universe, demo_universe, rates_of, simulated_universe, standings_of
from functions.record.scoring.types import Horizon, Verdict
from tests.soak import times

CHANNELS = times(short=30, long=300)
MARKETS = times(short=2, long=20)


@pytest.mark.parametrize(("make", "markets"), [(demo_universe, 1), (simulated_universe, MARKETS)])
def test_luck_is_seldom_called_skill(make: Callable[[int], Universe], markets: int) -> None:
    rates = rates_of(standings_of(make, markets, CHANNELS, sell_share=0.3, foresight=0.0, horizon=Horizon.QUARTER))

    assert rates.alone <= 0.10
    assert rates.together <= 0.10


def test_stocks_that_rose_are_not_taken_for_skill() -> None:
    """The demo's stocks beat the index as a group, and so do many who buy them at random: by alpha alone."""
    rates = rates_of(standings_of(demo_universe, 1, CHANNELS, sell_share=0.0, foresight=0.0, horizon=Horizon.YEAR))

    assert rates.alpha >= 0.4
    assert rates.alone <= 0.2


def test_foresight_is_found() -> None:
    standings = standings_of(demo_universe, 1, CHANNELS, sell_share=0.3, foresight=0.08, horizon=Horizon.QUARTER)

    assert rates_of(standings, [Verdict.BEATS_MARKET]).alone >= 0.7
