"""Outcomes of single calls: when they are entered, when they end, and how they are counted."""

from collections.abc import Sequence
from datetime import date

import pytest

from functions.record.models.series import Series
from functions.record.scoring.returns import Market, result_of
from functions.record.scoring.scorecard import score_channel
from functions.record.scoring.types import Call, CallResult, CallStatus, Horizon, HorizonScore
from tests.unit.record.scoring.markets import a_series, weekdays

MONDAY = date(2024, 1, 1)
DAYS = weekdays(40, MONDAY)
FLAT = a_series("SPY", [100.0] * 40, DAYS)


def market(closes: Sequence[float | None], benchmark: Series = FLAT) -> Market:
    return Market({"AAA": a_series("AAA", closes, benchmark.days)}, benchmark)


def a_call(day: str = "2024-01-01", moment: str | None = None, side: int = 1, ticker: str = "AAA") -> Call:
    return Call("v", ticker, side, day, moment)


def week(call: Call, market: Market) -> CallResult:
    return result_of(call, Horizon.WEEK, market)


def week_score(calls: list[Call], closes: Sequence[float | None], benchmark: Series = FLAT) -> HorizonScore:
    return score_channel(calls, market(closes, benchmark))[0]


RISING = [100.0 + number for number in range(40)]


@pytest.mark.parametrize(
    ("call", "entry"),
    [
        (a_call("2024-01-02"), "2024-01-03"),
        (a_call("2024-01-05"), "2024-01-08"),
        (a_call("2024-01-06"), "2024-01-08"),
        (a_call("2024-01-03", "2024-01-03T14:29:59Z"), "2024-01-03"),
        (a_call("2024-01-03", "2024-01-03T14:30:00Z"), "2024-01-04"),
        (a_call("2024-01-03", "2024-01-03T21:30:00Z"), "2024-01-04"),
        (a_call("2024-01-03", "2024-01-04T04:59:00Z"), "2024-01-04"),
        (a_call("2024-01-05", "2024-01-05T15:00:00Z"), "2024-01-08"),
        (a_call("2024-01-07", "2024-01-07T15:00:00.000Z"), "2024-01-08"),
    ],
)
def test_a_call_is_entered_at_the_close_of_the_first_session_that_opens_after_it(call: Call, entry: str) -> None:
    assert week(call, market(RISING)).entry_date == entry


def test_the_opening_moves_with_summer_time() -> None:
    days = weekdays(40, date(2024, 7, 1))
    summer = market(RISING, a_series("SPY", [100.0] * 40, days))

    assert week(a_call("2024-07-03", "2024-07-03T13:29:00Z"), summer).entry_date == "2024-07-03"
    assert week(a_call("2024-07-03", "2024-07-03T13:30:00Z"), summer).entry_date == "2024-07-04"


def test_a_holiday_is_no_session() -> None:
    days = [day for day in DAYS if day != date(2024, 1, 15)]
    benchmark = a_series("SPY", [100.0] * 39, days)

    assert week(a_call("2024-01-12"), market(RISING[:39], benchmark)).entry_date == "2024-01-16"


def test_return_benchmark_and_excess_carry_the_sign_of_the_side() -> None:
    benchmark = a_series("SPY", [100.0, 100.0, *[110.0] * 38], DAYS)
    stock = [100.0, 100.0, *[150.0] * 38]

    buy, sell = (week(a_call(side=side), market(stock, benchmark)) for side in (1, -1))

    assert (buy.status, buy.matures_on) == (CallStatus.SCORED, None)
    assert (buy.entry_date, buy.entry_price) == ("2024-01-02", 100.0)
    assert (buy.exit_date, buy.exit_price) == ("2024-01-09", 150.0)
    assert (buy.return_percent, buy.benchmark_percent, buy.excess_percent) == pytest.approx((50.0, 10.0, 40.0))
    assert (sell.return_percent, sell.benchmark_percent, sell.excess_percent) == pytest.approx((-50.0, -10.0, -40.0))


def test_returns_have_dividends_and_prices_are_those_of_todays_shares() -> None:
    stock = Series("AAA", DAYS, (100.0,) * 40, tuple(50.0 + number for number in range(40)))

    result = week(a_call(), Market({"AAA": stock}, FLAT))

    assert (result.entry_price, result.exit_price) == (100.0, 100.0)
    assert result.return_percent == pytest.approx(100 * (56 / 51 - 1))


def test_a_call_is_pending_until_its_horizon_has_passed() -> None:
    result = week(a_call("2024-02-16"), market(RISING))

    assert result == CallResult(CallStatus.PENDING, entry_date="2024-02-19", entry_price=135.0, matures_on="2024-02-26")
    assert week(a_call("2024-02-15"), market(RISING)).status is CallStatus.SCORED


def test_a_call_without_series_or_without_a_close_at_entry_is_unpriced() -> None:
    with_gap: list[float | None] = [*RISING]
    with_gap[1] = None

    assert week(a_call(ticker="NONE"), market(RISING)) == CallResult(CallStatus.UNPRICED)
    assert week(a_call(), market(with_gap)) == CallResult(CallStatus.UNPRICED)
    assert week(a_call(), market([None] * 40)) == CallResult(CallStatus.UNPRICED)


def test_a_call_before_the_first_known_session_is_unpriced() -> None:
    """The session it could have been entered at may be one that we do not know."""
    assert week(a_call("2023-12-30"), market(RISING)).status is CallStatus.UNPRICED
    assert week(a_call("2023-12-31"), market(RISING)).entry_date == "2024-01-01"


def test_a_missing_close_at_exit_is_the_one_before_it() -> None:
    with_gap: list[float | None] = [*RISING]
    with_gap[6] = None

    result = week(a_call(), market(with_gap))

    assert result.status is CallStatus.SCORED
    assert (result.exit_date, result.exit_price) == ("2024-01-09", 105.0)


def test_a_stock_that_left_the_exchange_is_settled_at_its_last_close() -> None:
    benchmark = a_series("SPY", RISING, DAYS)
    delisted = [*RISING[:4], *[None] * 36]

    result = week(a_call(), market(delisted, benchmark))

    assert result.status is CallStatus.ENDED
    assert (result.exit_date, result.exit_price) == ("2024-01-04", 103.0)
    assert result.excess_percent == 0.0
    assert week(a_call("2024-01-08"), market(delisted, benchmark)).status is CallStatus.UNPRICED


def test_an_ended_call_waits_for_its_horizon() -> None:
    delisted = [*RISING[:30], *[None] * 10]

    assert result_of(a_call("2024-02-07"), Horizon.MONTH, market(delisted)).status is CallStatus.PENDING


@pytest.mark.parametrize(("missing", "status"), [(5, CallStatus.PENDING), (6, CallStatus.ENDED)])
def test_a_series_that_is_a_week_behind_is_late_and_has_not_ended(missing: int, status: CallStatus) -> None:
    closes = [*RISING[: 40 - missing], *[None] * missing]

    result = week(a_call("2024-02-14"), market(closes))

    assert result.status is status
    assert result.matures_on == ("2024-02-22" if status is CallStatus.PENDING else None)


def test_a_late_series_may_still_bring_the_close_at_entry() -> None:
    result = week(a_call("2024-02-21"), market([*RISING[:37], None, None, None]))

    assert result == CallResult(CallStatus.PENDING, matures_on="2024-02-29")


def test_without_a_benchmark_every_call_of_a_known_stock_waits() -> None:
    score = score_channel([a_call()], Market({"AAA": a_series("AAA", RISING, DAYS)}, Series("SPY")))[0]

    assert (score.calls, score.pending + score.unpriced) == (0, 1)
    assert score.mean_excess_percent is None and score.alpha_percent is None


def test_a_channel_without_calls_has_no_figures() -> None:
    scores = score_channel([], Market({}, FLAT))

    assert [score.horizon for score in scores] == list(Horizon)
    assert [score.sessions for score in scores] == [5, 21, 63, 126, 252]
    assert {score.calls for score in scores} == {0}
    assert {score.beat_rate for score in scores} == {None}


def test_the_entry_before_publication_is_what_most_trackers_book() -> None:
    jump = [100.0] * 3 + [150.0] * 37

    by_day = week_score([a_call("2024-01-03")], jump).entry_sensitivity
    in_session = week_score([a_call("2024-01-04", "2024-01-04T17:00:00Z")], jump).entry_sensitivity
    after_close = week_score([a_call("2024-01-03", "2024-01-03T21:00:00Z")], jump).entry_sensitivity

    for sensitivity in (by_day, in_session, after_close):
        assert sensitivity.before_publication == pytest.approx(50.0)
        assert (sensitivity.ours, sensitivity.one_session_later, sensitivity.five_sessions_later) == (0.0, 0.0, 0.0)


def test_another_entry_leaves_out_the_calls_that_have_no_result_with_it() -> None:
    closes = [float(100 + number**2) for number in range(40)]
    early, late = a_call("2024-01-02"), a_call("2024-02-15")

    both, alone = week_score([early, late], closes), week_score([early], closes)

    assert both.calls == 2
    assert both.entry_sensitivity.one_session_later == alone.entry_sensitivity.one_session_later
    assert both.entry_sensitivity.ours == both.mean_excess_percent != alone.mean_excess_percent


def test_the_run_up_counts_pending_calls_and_leaves_out_those_without_enough_history() -> None:
    closes = [*[100.0] * 35, *[120.0] * 5]

    score = week_score([a_call("2024-01-02"), a_call("2024-02-20", side=-1)], closes)

    assert (score.calls, score.pending) == (1, 1)
    assert score.run_up_percent == pytest.approx(20.0)


def test_the_only_stock_leaves_nothing_when_it_is_left_out() -> None:
    best = week_score([a_call()], RISING).without_best_ticker

    assert best is not None
    assert (best.ticker, best.mean_excess_percent) == ("AAA", None)
