"""The figures of a channel on markets small enough to compute by hand."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from datetime import date
from typing import Any

import pytest

from functions.record.models.series import Series
from functions.record.scoring.daily_sums import MeanExcess
from functions.record.scoring.own_stocks import own_stocks
from functions.record.scoring.portfolio import days_invested, holdings
from functions.record.scoring.reading import (
    UNKNOWN_READING,
    ReadingFigures,
    SampledReviews,
    reading_figures,
    reading_of,
)
from functions.record.scoring.returns import Market, result_of
from functions.record.scoring.scorecard import score_channel
from functions.record.scoring.types import Call, Horizon, HorizonScore, ReadingSource, UnpricedReason
from tests.unit.record.scoring.markets import a_series, weekdays

DAYS = weekdays(40, date(2024, 1, 1))
FLAT = a_series("SPY", [100.0] * 40, DAYS)
Closes = Sequence[float | None]


def a_market(stocks: Mapping[str, Closes], benchmark: Series = FLAT, rate: Series | None = None) -> Market:
    return Market({ticker: a_series(ticker, closes, DAYS) for ticker, closes in stocks.items()}, benchmark, rate)


def a_call(session: int, ticker: str = "AAA", side: int = 1) -> Call:
    """Entered at the close of the session."""
    return Call(f"v{session}", ticker, side, DAYS[session].isoformat(), f"{DAYS[session]}T12:00:00Z")


def week_score(calls: Sequence[Call], market: Market, **options: Any) -> HorizonScore:
    return score_channel(calls, market, **options)[0]


def jump_on(session: int, factor: float) -> list[float]:
    return [100.0] * session + [100.0 * factor] * (40 - session)


class TestInterval:
    def test_is_made_of_daily_sums(self) -> None:
        market = a_market({"AAA": jump_on(3, 1.1), "BBB": jump_on(20, 0.98)})

        score = week_score([a_call(1), a_call(18, "BBB")], market)

        # Ten open days. A is 0.1 on one and -0.02 on another, so m = 0.008 for each of the ten.
        error = math.sqrt((0.1 - 0.008) ** 2 + (-0.02 - 0.008) ** 2 + 8 * 0.008**2) / 2
        assert score.mean_excess_percent == pytest.approx(4.0)
        assert score.excess_low_percent == pytest.approx(4.0 - 195.9964 * error)
        assert score.excess_high_percent == pytest.approx(4.0 + 195.9964 * error)
        assert score.independent_calls == pytest.approx(min(2, (0.12 / math.sqrt(2) / error) ** 2))

    def test_counts_calls_that_repeat_one_another_as_one(self) -> None:
        market = a_market({"AAA": jump_on(3, 1.1), "BBB": jump_on(20, 0.98)})
        once = [a_call(1), a_call(18, "BBB")]
        repeated = [replace(call, video_id=f"{call.video_id}-{number}") for call in once for number in range(10)]

        one, many = week_score(once, market), week_score(repeated, market)

        assert many.excess_low_percent == pytest.approx(one.excess_low_percent)
        assert many.independent_calls is not None and many.independent_calls < 2

    def test_of_one_call_is_unknown(self) -> None:
        score = week_score([a_call(1)], a_market({"AAA": jump_on(3, 1.1)}))

        assert score.mean_excess_percent == pytest.approx(10)
        assert score.excess_low_percent is None
        assert (score.independent_calls, score.flips_to_turn) == (None, None)
        # One call is worth one call.
        assert (score.beat_rate_low, score.beat_rate_high) == pytest.approx((0.20654931, 1.0))

    def test_of_calls_that_never_were_open_is_unknown(self) -> None:
        """They were entered at the last close of a stock that left the exchange."""
        score = week_score([a_call(3), a_call(3)], a_market({"AAA": [*[100.0] * 4, *[None] * 36]}))

        assert (score.ended, score.mean_excess_percent, score.excess_low_percent) == (2, 0.0, None)


def test_the_mean_after_costs_pays_for_opening_and_closing() -> None:
    score = week_score([a_call(1)], a_market({"AAA": jump_on(3, 1.1)}), cost_bps=25)

    assert score.mean_excess_net_percent == pytest.approx(10 - 0.5)


def test_the_base_excess_is_that_of_any_day_between_first_and_last_entry() -> None:
    score = week_score([a_call(1), a_call(4)], a_market({"AAA": jump_on(3, 1.1)}))

    # Entered on sessions 1 and 2 it gains 10 %, on 3 and 4 nothing.
    assert score.base_excess_percent == pytest.approx(5.0)


class TestFlips:
    def test_counts_the_calls_that_carry_the_result(self) -> None:
        gains = {f"T{number}": jump_on(3 + number, 1.01 + number / 1000) for number in range(20)}
        calls = [a_call(1 + number, f"T{number}") for number in range(20)]
        score = week_score(calls, a_market(gains))
        assert score.flips_to_turn

        largest_first = sorted(range(20), reverse=True)
        means = []
        for flips in (score.flips_to_turn - 1, score.flips_to_turn):
            turned = set(largest_first[:flips])
            means.append(sum((-1 if number in turned else 1) * (1 + number / 10) for number in range(20)) / 20)

        margin = (score.mean_excess_percent or 0) - (score.excess_low_percent or 0)
        assert means[0] - margin > 0 >= means[1] - margin

    def test_none_is_needed_where_the_interval_holds_zero(self) -> None:
        market = a_market({"AAA": jump_on(3, 1.1), "BBB": jump_on(20, 0.98)})

        assert week_score([a_call(1), a_call(18, "BBB")], market).flips_to_turn == 0


class TestPortfolio:
    def test_pays_when_a_position_opens_and_when_it_closes(self) -> None:
        market = a_market({"AAA": [100.0] * 40})
        calls = [a_call(1), a_call(4), a_call(20, side=-1)]

        days = days_invested(list(holdings(calls, Horizon.WEEK, market)), market, cost_bps=10)

        # The second call prolongs the first; the third opens the other side.
        paid = {day.session: round(-day.excess * 10_000) for day in days if day.excess}
        assert paid == {2: 10, 9: 10, 21: 10, 25: 10}
        assert len(days) == 13

    def test_pays_twice_to_turn_and_nothing_at_the_last_session(self) -> None:
        market = a_market({"AAA": [100.0] * 40})
        calls = [a_call(34), a_call(36, side=-1)]

        days = days_invested(list(holdings(calls, Horizon.WEEK, market)), market, cost_bps=10)

        assert [round(-day.excess * 10_000) for day in days] == [10, 10, 10, 0, 0]

    def test_deducts_the_risk_free_rate_from_stock_and_benchmark(self) -> None:
        rate = a_series("^IRX", [2.52] * 40, DAYS)
        market = a_market({"AAA": [100.0] * 40}, rate=rate)

        day = days_invested(list(holdings([a_call(1, side=-1)], Horizon.WEEK, market)), market, cost_bps=0)[1]

        assert (day.excess, day.benchmark_excess) == pytest.approx((0.0001, -0.0001))

    def test_one_stock_held_throughout_has_no_timing(self) -> None:
        closes = [100.0 * 1.01 ** (number % 5) for number in range(40)]
        benchmark = a_series("SPY", [100.0 + number % 3 for number in range(40)], DAYS)

        score = score_channel([a_call(1)], a_market({"AAA": closes}, benchmark), cost_bps=0)[3]

        assert score.days_invested == 38
        assert score.alpha_t is not None
        assert score.timing_alpha_percent == pytest.approx(0)
        assert (score.timing_t, score.timing_p_value) == (None, 1.0)


class TestOwnStocks:
    def test_are_weighted_by_their_calls_on_every_day(self) -> None:
        market = a_market({"AAA": jump_on(30, 1.1), "BBB": jump_on(30, 1.2)})
        held = list(holdings([a_call(1), a_call(10), a_call(20, "BBB", side=-1)], Horizon.WEEK, market))

        assert own_stocks(held, [29, 30], market) == pytest.approx([0, (2 * 0.1 - 0.2) / 3])

    def test_that_have_left_give_their_weight_to_the_others(self) -> None:
        market = a_market({"AAA": jump_on(30, 1.1), "BBB": [*[100.0] * 25, *[None] * 15]})
        held = list(holdings([a_call(1), a_call(20, "BBB")], Horizon.WEEK, market))

        assert own_stocks(held, [30], market) == pytest.approx([0.1])

    def test_that_cancel_out_are_cash(self) -> None:
        market = a_market({"AAA": jump_on(30, 1.1)})
        held = list(holdings([a_call(1), a_call(20, side=-1)], Horizon.WEEK, market))

        assert own_stocks(held, [30], market) == [0.0]

    def test_leave_out_a_call_that_another_one_replaces_before_it_is_held(self) -> None:
        market = a_market({"AAA": jump_on(30, 1.1), "BBB": jump_on(30, 1.2)})
        replaced = replace(a_call(1), video_id="v0", side=-1)
        held = list(holdings([replaced, a_call(1), a_call(1, "BBB")], Horizon.WEEK, market))

        assert own_stocks(held, [30], market) == pytest.approx([0.15])


class TestRiskFree:
    def test_is_the_last_plausible_rate(self) -> None:
        rates = [None, 2.52, None, math.nan, -5.1, 50.1, 5.04, -2.52]
        market = a_market({}, rate=a_series("^IRX", rates, DAYS[:8]))

        assert [round(rate, 6) for rate in market.risk_free[:9]] == [
            *(0.0, 0.0001, 0.0001, 0.0001, 0.0001, 0.0001, 0.0002, -0.0001, -0.0001)
        ]
        assert market.knows_risk_free

    @pytest.mark.parametrize("rate", [None, Series("^IRX"), a_series("^IRX", [99.0, math.nan], DAYS[:2])])
    def test_is_zero_where_nothing_is_known(self, rate: Series | None) -> None:
        market = a_market({}, rate=rate)

        assert (market.risk_free, market.knows_risk_free) == ([0.0] * 40, False)


class TestDeparted:
    def test_counts_unpriced_calls_on_shares_that_had_left(self) -> None:
        series = {"AAA": a_series("AAA", [*[100.0] * 10, *[None] * 30], DAYS)}
        market = Market(series, FLAT, departed={"GONE"})
        calls = [a_call(3), a_call(12), a_call(3, "GONE"), a_call(3, "UNKNOWN")]

        score = week_score(calls, market)

        assert (score.calls, score.unpriced, score.departed) == (1, 3, 2)
        reasons = [result_of(call, Horizon.WEEK, market).unpriced_reason for call in calls]
        assert reasons == [None, UnpricedReason.DEPARTED, UnpricedReason.DEPARTED, None]


class TestReading:
    MEAN = MeanExcess(0.04, 0.01, 25)
    ANALYST = ReadingFigures(0.8, 0.7, 0.88, 0.4, ReadingSource.ANALYST)

    def test_corrects_the_mean_for_misread_calls(self) -> None:
        reading = reading_of(self.ANALYST, self.MEAN, base_excess=0.01)

        error = math.hypot(0.01 / 0.8, 0.18 / 3.92 * 0.03 / 0.64)
        assert reading.mean_excess_corrected == pytest.approx(100 * (0.04 - 0.2 * 0.01) / 0.8)
        assert reading.mean_excess_corrected_low == pytest.approx(4.75 - 195.9964 * error)
        assert reading.mean_excess_corrected_high == pytest.approx(4.75 + 195.9964 * error)
        assert reading.tipping_excess == pytest.approx(-4 * 0.4 / 0.6)

    def test_is_null_where_an_input_is(self) -> None:
        unknown = asdict(reading_of(UNKNOWN_READING, self.MEAN, 0.01))
        without_calls = asdict(reading_of(self.ANALYST, MeanExcess(), None))
        never_right = reading_of(replace(self.ANALYST, right_rate=0.0, found_rate=1.0), self.MEAN, 0.01)

        assert set(unknown.values()) == {None}
        assert {name for name, value in without_calls.items() if value is not None} == {
            *("right_rate", "right_low", "right_high", "source", "found_rate")
        }
        assert (never_right.mean_excess_corrected, never_right.tipping_excess) == (None, None)

    def test_prefers_twenty_sampled_reviews_to_the_published_figure(self) -> None:
        own = reading_figures(SampledReviews(18, 20), self.ANALYST)

        assert (own.right_rate, own.source, own.found_rate) == (0.9, ReadingSource.REVIEWS, 0.4)
        assert (own.low, own.high) == pytest.approx((0.698966, 0.972134), abs=1e-6)
        assert reading_figures(SampledReviews(19, 19), self.ANALYST) == self.ANALYST
        assert reading_figures(None, self.ANALYST) == self.ANALYST


@pytest.mark.parametrize(
    "calls",
    [
        [a_call(1)],
        [a_call(1, ticker) for ticker in ("AAA", "BBB", "CCC")],
        [a_call(number, side=-1) for number in range(1, 30)],
        [a_call(number) for number in range(1, 30)],
        [a_call(1, "NONE")],
        [],
    ],
    ids=["one call", "one day", "all sells", "one stock", "unknown stock", "no call"],
)
@pytest.mark.parametrize("missing", [(), (5, 6, 7, 20), tuple(range(1, 40)), tuple(range(40))])
def test_poor_data_gives_numbers_or_null(calls: list[Call], missing: tuple[int, ...]) -> None:
    closes = [None if number in missing else 100.0 + number % 7 for number in range(40)]
    stocks = {ticker: [50.0 + number % 5 for number in range(40)] for ticker in ("AAA", "BBB", "CCC")}

    for score in score_channel(calls, a_market(stocks, a_series("SPY", closes, DAYS))):
        numbers = [value for value in asdict(score).values() if isinstance(value, float)]
        assert all(map(math.isfinite, numbers))
        assert score.calls + score.pending + score.unpriced == len(calls)
