"""A channel's figures at each horizon."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from statistics import fmean, median

from functions.record.scoring.daily_sums import flips_to_turn, mean_excess
from functions.record.scoring.headlines import NO_NEWS, Press, follows_news_rate
from functions.record.scoring.other_days import OtherDays
from functions.record.scoring.own_stocks import timing_of
from functions.record.scoring.portfolio import alpha_of, days_invested, holdings
from functions.record.scoring.reading import UNKNOWN_READING, ReadingFigures, reading_of
from functions.record.scoring.returns import (
    Market,
    Position,
    ScoredCall,
    chronological,
    has_result,
    position_at,
    position_of,
)
from functions.record.scoring.statistics import calls_needed, wilson_interval
from functions.record.scoring.types import (
    DEFAULT_COST_BPS,
    ByKind,
    Call,
    CallStatus,
    EntrySensitivity,
    Horizon,
    HorizonScore,
    KindScore,
    WithoutBestTicker,
)

RUN_UP_SESSIONS = 21


def score_channel(
    calls: Iterable[Call],
    market: Market,
    press: Press = NO_NEWS,
    reading: ReadingFigures = UNKNOWN_READING,
    cost_bps: float = DEFAULT_COST_BPS,
) -> list[HorizonScore]:
    """Returns the figures at every horizon. Calls must have a side."""
    oldest_first = chronological(calls)
    return [score_at(horizon, oldest_first, market, press, reading, cost_bps) for horizon in Horizon]


def score_at(
    horizon: Horizon,
    calls: Sequence[Call],
    market: Market,
    press: Press = NO_NEWS,
    reading: ReadingFigures = UNKNOWN_READING,
    cost_bps: float = DEFAULT_COST_BPS,
) -> HorizonScore:
    """The calls must be sorted oldest first."""
    positions = [position_of(call, horizon, market) for call in calls]
    statuses = [position.status for position in positions]
    scored = [
        ScoredCall(call, position.entry, position.exit, call.side * position.change, call.side * position.excess)
        for call, position, status in zip(calls, positions, statuses, strict=True)
        if has_result(status)
    ]
    changes, excesses = [one.change for one in scored], [one.excess for one in scored]
    mean = mean_excess(scored, market)
    other_days = OtherDays(scored, horizon, market)
    base_excess = other_days.base_excess()
    held = list(holdings(calls, horizon, market))
    days = days_invested(held, market, cost_bps)
    alpha = alpha_of([day.excess for day in days], [day.benchmark_excess for day in days])
    timing = timing_of(held, days, market)
    beat_rate = _win_rate(excesses)
    beat_low, beat_high = _beat_interval(beat_rate, mean.independent_calls)
    return HorizonScore(
        horizon=horizon,
        sessions=horizon.sessions,
        calls=len(scored),
        pending=statuses.count(CallStatus.PENDING),
        unpriced=statuses.count(CallStatus.UNPRICED),
        ended=statuses.count(CallStatus.ENDED),
        departed=_departed(calls, positions, statuses),
        mean_return_percent=_percent(_mean(changes)),
        mean_excess_percent=_percent(mean.mean),
        median_excess_percent=_percent(median(excesses) if excesses else None),
        mean_excess_net_percent=None if mean.mean is None else 100 * mean.mean - 2 * cost_bps / 100,
        excess_low_percent=_percent(mean.low),
        excess_high_percent=_percent(mean.high),
        independent_calls=mean.independent_calls,
        flips_to_turn=flips_to_turn(scored, mean),
        hit_rate=_win_rate(changes),
        beat_rate=beat_rate,
        beat_rate_low=beat_low,
        beat_rate_high=beat_high,
        base_hit_rate=other_days.base_hit_rate(),
        base_beat_rate=other_days.base_beat_rate(),
        base_excess_percent=_percent(base_excess),
        placebo_p_value=other_days.placebo_p_value(),
        alpha_percent=_percent(alpha.alpha),
        alpha_t=alpha.t,
        beta=alpha.beta,
        p_value=alpha.p_value,
        days_invested=len(days),
        timing_alpha_percent=_percent(timing.alpha),
        timing_t=timing.t,
        timing_p_value=timing.p_value,
        expected_alpha_percent=_percent(alpha.expected),
        calls_needed=calls_needed(excesses),
        run_up_percent=_percent(_mean(_run_ups(positions))),
        follows_news_rate=follows_news_rate(calls, press),
        without_best_ticker=_without_best_ticker(scored),
        by_kind=ByKind(buy=_kind(scored, side=1), sell=_kind(scored, side=-1)),
        entry_sensitivity=_entry_sensitivity(scored, horizon, market),
        reading=reading_of(reading, mean, base_excess),
    )


def _beat_interval(beat_rate: float | None, independent_calls: float | None) -> tuple[float | None, float | None]:
    """The calls are worth one independent call where it is not known how many."""
    if beat_rate is None:
        return None, None
    return wilson_interval(beat_rate, max(1.0, independent_calls or 0.0))


def _departed(calls: Iterable[Call], positions: Iterable[Position], statuses: Iterable[CallStatus]) -> int:
    return sum(
        status is CallStatus.UNPRICED and position.market.had_departed(call.ticker, position.entry)
        for call, position, status in zip(calls, positions, statuses, strict=True)
    )


def _run_ups(positions: Iterable[Position]) -> list[float]:
    """Returns each stock's excess over the benchmark before it was entered, pending calls included."""
    run_ups = []
    for position in positions:
        stock, start = position.stock, position.entry - RUN_UP_SESSIONS
        if stock and position.was_entered and start >= stock.first:
            run_ups.append(Position(position.market, stock, start, RUN_UP_SESSIONS).excess)
    return run_ups


def _without_best_ticker(scored: Sequence[ScoredCall]) -> WithoutBestTicker | None:
    sums: dict[str, float] = defaultdict(float)
    for one in scored:
        sums[one.call.ticker] += one.excess
    if not sums:
        return None
    best = max(sorted(sums), key=sums.__getitem__)
    rest = [one.excess for one in scored if one.call.ticker != best]
    return WithoutBestTicker(best, _percent(_mean(rest)))


def _kind(scored: Sequence[ScoredCall], side: int) -> KindScore:
    excesses = [one.excess for one in scored if one.call.side == side]
    return KindScore(len(excesses), _percent(_mean(excesses)), _win_rate(excesses))


def _entry_sensitivity(scored: Sequence[ScoredCall], horizon: Horizon, market: Market) -> EntrySensitivity:
    """Covers the scored calls that also have a result with that entry."""

    def mean_excess(entries: Iterable[int]) -> float | None:
        positions = [
            (one.call.side, position_at(entry, one.call, horizon, market))
            for one, entry in zip(scored, entries, strict=True)
        ]
        return _percent(_mean([side * position.excess for side, position in positions if has_result(position.status)]))

    return EntrySensitivity(
        before_publication=mean_excess(market.close_before(one.call) for one in scored),
        ours=_percent(_mean([one.excess for one in scored])),
        one_session_later=mean_excess(one.entry + 1 for one in scored),
        five_sessions_later=mean_excess(one.entry + 5 for one in scored),
    )


def _wins(values: Iterable[float]) -> int:
    return sum(value > 0 for value in values)


def _win_rate(values: Sequence[float]) -> float | None:
    return _wins(values) / len(values) if values else None


def _mean(values: Sequence[float]) -> float | None:
    return fmean(values) if values else None


def _percent(fraction: float | None) -> float | None:
    return None if fraction is None else 100 * fraction
