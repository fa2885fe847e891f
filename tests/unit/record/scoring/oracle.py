"""The score a second time, with pandas, scipy, statsmodels and empyrical, from the definitions alone."""

import math
from typing import Any, NamedTuple

import empyrical
import numpy as np
import pandas as pd
import statsmodels.api as sm
from scipy import stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

from functions.record.models.series import Series
from functions.record.scoring.types import Call

SESSIONS = {"1w": 5, "1m": 21, "3m": 63, "6m": 126, "1y": 252}
Z = 1.959964
NEW_YORK = "America/New_York"


class Frames(NamedTuple):
    totals: pd.DataFrame
    """Total closes by session and ticker, with gaps."""
    filled: pd.DataFrame
    benchmark: pd.Series
    last: dict[str, int]
    """The last session of each ticker with a close."""
    opens: pd.DatetimeIndex
    closes: pd.DatetimeIndex
    risk_free: pd.Series
    """The daily rate by session."""


class Reading(NamedTuple):
    """The share of calls read correctly with its interval, and the share found."""

    right: float | None = None
    low: float | None = None
    high: float | None = None
    found: float | None = None


def frames_of(series: dict[str, Series], benchmark: Series, rate: Series) -> Frames:
    index = pd.DatetimeIndex(benchmark.days)
    columns = {
        ticker: pd.Series(one.total_closes, index=pd.DatetimeIndex(one.days), dtype=float).reindex(index)
        for ticker, one in series.items()
    }
    totals = pd.DataFrame(columns, index=index).dropna(axis=1, how="all")
    last = {ticker: int(np.flatnonzero(totals[ticker].notna().to_numpy())[-1]) for ticker in totals}
    return Frames(
        totals,
        totals.ffill(),
        pd.Series(benchmark.total_closes, index=index, dtype=float),
        last,
        opens=(index + pd.Timedelta(hours=9, minutes=30)).tz_localize(NEW_YORK),
        closes=(index + pd.Timedelta(hours=16)).tz_localize(NEW_YORK),
        risk_free=_daily_rate(rate, index),
    )


def _daily_rate(rate: Series, index: pd.DatetimeIndex) -> pd.Series:
    annual = pd.Series(rate.closes, index=pd.DatetimeIndex(rate.days), dtype=float)
    annual = annual[annual.between(-5, 50)]
    return annual.reindex(index, method="ffill").fillna(0) / 100 / 252


def moment_of(call: Call) -> pd.Timestamp:
    if call.published_time:
        return pd.Timestamp(call.published_time).tz_convert(NEW_YORK)
    return (pd.Timestamp(call.published_at) + pd.Timedelta(days=1)).tz_localize(NEW_YORK)


def entry_of(call: Call, frames: Frames) -> int:
    moment = moment_of(call)
    # A session of the days before the first that we know could have opened in between.
    if moment < frames.benchmark.index[0].tz_localize(NEW_YORK) - pd.Timedelta(hours=14, minutes=30):
        return -1
    return int(frames.opens.searchsorted(moment, side="right"))


def close_before(call: Call, frames: Frames) -> int:
    return int(frames.closes.searchsorted(moment_of(call), side="right")) - 1


def results(ticker: str, sessions: int, frames: Frames) -> pd.DataFrame:
    """The outcome of a buy entered at each session, and at five more after the last."""
    entries = np.arange(len(frames.benchmark) + 6)
    none = np.full(len(entries), np.nan)
    if ticker not in frames.totals:
        return pd.DataFrame({"status": "unpriced", "change": none, "excess": none})
    final, last = len(frames.benchmark) - 1, frames.last[ticker]
    ended = final - last > 5
    starts, ends = np.minimum(entries, final), np.minimum(entries + sessions, last)
    has_close = (entries <= final) & frames.totals[ticker].notna().to_numpy()[starts]
    late = (entries > last) & (not ended)
    status = np.select(
        [~has_close & ~late, late | (entries + sessions > final), entries + sessions <= last],
        ["unpriced", "pending", "scored"],
        "ended" if ended else "pending",
    )
    closes, market = frames.filled[ticker].to_numpy(), frames.benchmark.to_numpy()
    change = pd.Series(closes[ends] / closes[starts] - 1)
    excess = change - (market[ends] / market[starts] - 1)
    counted = np.isin(status, ["scored", "ended"])
    return pd.DataFrame({"status": status, "change": change.where(counted), "excess": excess.where(counted)})


def look_up(tickers: pd.Series, entries: pd.Series, sessions: int, frames: Frames) -> pd.DataFrame:
    """The results of these entries; -1 is one that has no session."""
    if tickers.empty:
        return pd.DataFrame({"status": [], "change": [], "excess": []}, dtype=float)
    by_entry = pd.concat({ticker: results(ticker, sessions, frames) for ticker in tickers.unique()})
    found = by_entry.reindex(pd.MultiIndex.from_arrays([tickers, entries])).set_axis(tickers.index)
    return found.assign(status=found.status.fillna("unpriced"))


def owners_of(calls: list[Call], sessions: int, frames: Frames) -> pd.DataFrame:
    """The number of the call that decides on each session and stock; -1 where it is not held."""
    owners = {ticker: np.full(len(frames.benchmark), -1) for ticker in frames.totals}
    order = sorted(range(len(calls)), key=lambda number: (moment_of(calls[number]), calls[number].video_id))
    for number in order:
        ticker, entry = calls[number].ticker, entry_of(calls[number], frames)
        if ticker not in owners or not 0 <= entry < len(frames.totals) or np.isnan(frames.totals[ticker].iloc[entry]):
            continue
        owners[ticker][entry + 1 :] = -1
        owners[ticker][entry + 1 : min(entry + sessions, frames.last[ticker]) + 1] = number
    return pd.DataFrame(owners, index=frames.totals.index)


def weights_of(calls: list[Call], sessions: int, frames: Frames) -> pd.DataFrame:
    """The side of each stock held, by session and ticker; 0 where it is not held."""
    sides = np.array([*(call.side for call in calls), 0])
    owners = owners_of(calls, sessions, frames)
    return pd.DataFrame(sides[owners.to_numpy()], index=owners.index, columns=owners.columns)


def score(
    calls: list[Call],
    horizon: str,
    series: dict[str, Series],
    benchmark: Series,
    rate: Series,
    cost_bps: float,
    reading: Reading,
) -> dict[str, Any]:
    """Every figure of a channel at a horizon, by its name."""
    frames, sessions = frames_of(series, benchmark, rate), SESSIONS[horizon]
    table = pd.DataFrame(
        {
            "ticker": [call.ticker for call in calls],
            "side": [call.side for call in calls],
            "entry": [entry_of(call, frames) for call in calls],
            "before": [close_before(call, frames) for call in calls],
        }
    ).astype({"side": int, "entry": int, "before": int})
    found = look_up(table.ticker, table.entry, sessions, frames)
    table = table.assign(status=found.status, change=table.side * found.change, excess=table.side * found.excess)
    scored = table[table.status.isin(["scored", "ended"])]
    interval = _interval(scored, sessions, frames)
    other_days = _other_days(scored, sessions, frames)
    return {
        "calls": len(scored),
        **{status: int((table.status == status).sum()) for status in ("pending", "unpriced", "ended")},
        "departed": _departed(table, frames),
        "mean_return_percent": 100 * scored.change.mean(),
        "mean_excess_percent": 100 * scored.excess.mean(),
        "median_excess_percent": 100 * scored.excess.median(),
        "mean_excess_net_percent": 100 * scored.excess.mean() - 2 * cost_bps / 100,
        **interval,
        "flips_to_turn": _flips_to_turn(scored, interval),
        **_rates(scored, interval["independent_calls"]),
        **other_days,
        **_portfolio(calls, sessions, frames, cost_bps),
        "calls_needed": _calls_needed(scored),
        "run_up_percent": _run_up(table, frames),
        "without_best_ticker": _without_best(scored),
        "by_kind": {kind: _kind(scored[scored.side == side]) for kind, side in (("buy", 1), ("sell", -1))},
        "entry_sensitivity": {
            "before_publication": _mean_excess_at(scored, scored.before, sessions, frames),
            "ours": 100 * scored.excess.mean(),
            "one_session_later": _mean_excess_at(scored, scored.entry + 1, sessions, frames),
            "five_sessions_later": _mean_excess_at(scored, scored.entry + 5, sessions, frames),
        },
        "reading": _reading(reading, interval, 100 * scored.excess.mean(), other_days["base_excess_percent"]),
    }


def q_values(p_values: list[float]) -> list[float]:
    return list(multipletests(p_values, method="fdr_bh")[1])


def curve(
    calls: list[Call],
    strategy: str,
    horizon: str,
    cost_bps: float,
    series: dict[str, Series],
    benchmark: Series,
    rate: Series,
) -> dict[str, tuple[pd.Series, float]]:
    """The daily returns after costs and the sum of the changes of weight: of the portfolio, of the benchmark, and of
    the benchmark on the same days."""
    frames = frames_of(series, benchmark, rate)
    sides = weights_of(calls, SESSIONS[horizon], frames).astype(float)
    if strategy == "follow":
        sides = sides.clip(lower=0)
    if strategy == "inverse":
        sides = -sides
    weights = sides.div(sides.abs().sum(axis=1).replace(0, 1), axis=0)
    is_invested = weights.abs().sum(axis=1) > 0
    if not is_invested.any():
        return {}
    start = int(np.flatnonzero(is_invested.to_numpy())[0])
    changes = frames.filled.pct_change(fill_method=None).fillna(0)
    turnover = weights.diff().abs().sum(axis=1)
    market = frames.benchmark.pct_change()
    switched = is_invested.astype(float).diff().abs()
    same_days = market.where(is_invested, frames.risk_free)

    def after_costs(returns: pd.Series, traded: pd.Series) -> tuple[pd.Series, float]:
        return (returns - cost_bps / 10_000 * traded).iloc[start:], float(traded.iloc[start:].sum())

    return {
        "stats": after_costs((weights * changes).sum(axis=1), turnover),
        "benchmark_stats": (market.iloc[start:], 0.0),
        "same_days_stats": after_costs(same_days, switched),
    }


def backtest_stats(returns: pd.Series, turnover: float) -> dict[str, float]:
    return {
        "cagr_percent": 100 * empyrical.cagr(returns),
        "volatility_percent": 100 * empyrical.annual_volatility(returns),
        "sharpe": empyrical.sharpe_ratio(returns),
        "max_drawdown_percent": 100 * empyrical.max_drawdown(returns),
        "turnover_per_year": turnover / (len(returns) / 252),
        "final_value": 100 * empyrical.cum_returns_final(returns, starting_value=1),
    }


def _interval(scored: pd.DataFrame, sessions: int, frames: Frames) -> dict[str, Any]:
    sums, numbers = np.zeros(len(frames.benchmark)), np.zeros(len(frames.benchmark))
    excesses = frames.filled.pct_change(fill_method=None).sub(frames.benchmark.pct_change(), axis=0)
    for call in scored.itertuples():
        days = slice(call.entry + 1, min(call.entry + sessions, frames.last[call.ticker]) + 1)
        sums[days] += call.side * excesses[call.ticker].to_numpy()[days]
        numbers[days] += 1
    if len(scored) < 2 or not numbers.sum():
        return dict.fromkeys(("excess_low_percent", "excess_high_percent", "independent_calls"))
    # The regression of the sums on the numbers, weighted so that its slope is their ratio.
    open_days = numbers > 0
    fit = sm.WLS(sums[open_days], numbers[open_days], weights=1 / numbers[open_days]).fit()
    error = float(np.linalg.norm(sums - numbers * fit.params[0])) / len(scored)
    mean = scored.excess.mean()
    return {
        "excess_low_percent": 100 * (mean - Z * error),
        "excess_high_percent": 100 * (mean + Z * error),
        "independent_calls": min(len(scored), (scored.excess.std(ddof=1) / error) ** 2) if error > 1e-12 else None,
    }


def _flips_to_turn(scored: pd.DataFrame, interval: dict[str, Any]) -> int | None:
    """Turns one call after the other, and looks where the interval is."""
    low, high = interval["excess_low_percent"], interval["excess_high_percent"]
    if low is None:
        return None
    direction, margin = (-1 if scored.excess.mean() < 0 else 1), (high - low) / 200
    left = (direction * scored.excess).sort_values(ascending=False).to_numpy()
    for flips in range(len(left) + 1):
        if np.concatenate([-left[:flips], left[flips:]]).mean() - margin <= 1e-15:
            return flips
    return None


def _departed(table: pd.DataFrame, frames: Frames) -> int:
    final = len(frames.benchmark) - 1
    last = table.ticker.map(frames.last)
    return int(((table.status == "unpriced") & (final - last > 5) & (table.entry > last)).sum())


def _reading(reading: Reading, interval: dict[str, Any], mean: float, base: float | None) -> dict[str, Any]:
    names = ("mean_excess_corrected", "mean_excess_corrected_low", "mean_excess_corrected_high", "tipping_excess")
    figures: dict[str, Any] = {
        "right_rate": reading.right, "right_low": reading.low, "right_high": reading.high,
        "found_rate": reading.found, **dict.fromkeys(names),
    }  # fmt: skip
    if reading.right is None or math.isnan(mean) or base is None:
        return figures
    corrected = (mean - (1 - reading.right) * base) / reading.right
    figures["mean_excess_corrected"] = corrected
    if reading.found is not None:
        figures["tipping_excess"] = -mean * reading.found / (1 - reading.found)
    if interval["excess_low_percent"] is not None and reading.low is not None and reading.high is not None:
        error = (interval["excess_high_percent"] - interval["excess_low_percent"]) / (2 * Z)
        of_rate = (reading.high - reading.low) / 3.92 * (mean - base) / reading.right**2
        margin = Z * math.sqrt((error / reading.right) ** 2 + of_rate**2)
        figures["mean_excess_corrected_low"], figures["mean_excess_corrected_high"] = (
            corrected - margin,
            corrected + margin,
        )
    return figures


def _rates(scored: pd.DataFrame, independent: float | None) -> dict[str, Any]:
    if scored.empty:
        return dict.fromkeys(("hit_rate", "beat_rate", "beat_rate_low", "beat_rate_high"))
    rate, number = (scored.excess > 0).mean(), max(1.0, independent or 0.0)
    low, high = proportion_confint(rate * number, number, alpha=2 * stats.norm.sf(Z), method="wilson")
    return {
        "hit_rate": (scored.change > 0).mean(),
        "beat_rate": rate,
        "beat_rate_low": low,
        "beat_rate_high": high,
    }


def _other_days(scored: pd.DataFrame, sessions: int, frames: Frames) -> dict[str, Any]:
    if scored.empty:
        return dict.fromkeys(("base_hit_rate", "base_beat_rate", "base_excess_percent", "placebo_p_value"))
    first, length = int(scored.entry.min()), int(scored.entry.max() - scored.entry.min() + 1)
    days = {ticker: results(ticker, sessions, frames).iloc[first : first + length] for ticker in scored.ticker.unique()}
    signed = np.array([side * days[ticker].excess for ticker, side in zip(scored.ticker, scored.side, strict=True)])

    def base_rate(column: str) -> float:
        wins = {
            (ticker, side): (side * day[column].dropna() > 0).mean() for ticker, day in days.items() for side in (1, -1)
        }
        return float(np.mean([wins[one] for one in zip(scored.ticker, scored.side, strict=True)]))

    def mean_after(shift: int) -> float:
        moved = (scored.entry.to_numpy() - first + shift) % length
        return float(pd.Series(signed[np.arange(len(scored)), moved]).mean())

    count = min(length - 1, 200)
    p_value = None
    if count >= 20:
        real = scored.excess.mean()
        direction = -1 if real < 0 else 1
        means = [mean_after(math.floor(number * length / (count + 1))) for number in range(1, count + 1)]
        as_good = sum(math.isnan(mean) or direction * mean >= direction * real - 1e-12 for mean in means)
        p_value = (1 + as_good) / (count + 1)
    return {
        "base_hit_rate": base_rate("change"),
        "base_beat_rate": base_rate("excess"),
        "base_excess_percent": 100 * float(np.nanmean(signed, axis=1).mean()),
        "placebo_p_value": p_value,
    }


def _portfolio(calls: list[Call], sessions: int, frames: Frames, cost_bps: float) -> dict[str, Any]:
    sides = weights_of(calls, sessions, frames)
    held = (sides != 0).sum(axis=1)
    is_day = (held > 0).to_numpy()
    returns = frames.filled.pct_change(fill_method=None).sub(frames.risk_free, axis=0)
    opened = (sides != 0) & (sides != sides.shift(1, fill_value=0))
    closed = (sides != 0) & (sides != sides.shift(-1, fill_value=0))
    closed.iloc[-1:] = False
    trades = (opened.astype(int) + closed.astype(int)).sum(axis=1)
    portfolio = ((sides * returns).sum(axis=1) - cost_bps / 10_000 * trades)[is_day] / held[is_day]
    market = (frames.benchmark.pct_change() - frames.risk_free)[is_day]
    own = _own_stocks(calls, sessions, frames, returns)[is_day]
    alpha = _alpha(portfolio.to_numpy(), market.to_numpy())
    timing = _alpha((portfolio - own).to_numpy(), market.to_numpy())
    if timing["alpha_percent"] is not None and np.allclose(portfolio, own, rtol=0, atol=1e-12):
        timing |= {"alpha_t": None, "p_value": 1.0}
    return {
        **alpha,
        "days_invested": len(portfolio),
        "timing_alpha_percent": timing["alpha_percent"],
        "timing_t": timing["alpha_t"],
        "timing_p_value": timing["p_value"],
    }


def _own_stocks(calls: list[Call], sessions: int, frames: Frames, returns: pd.DataFrame) -> pd.Series:
    owners = owners_of(calls, sessions, frames)
    ever_held = sorted(set(owners.to_numpy().ravel()) - {-1})
    held = pd.DataFrame(
        [(calls[number].ticker, calls[number].side) for number in ever_held], columns=["ticker", "side"]
    )
    weights = held.groupby("ticker").side.sum() / max(1, len(held))
    traded = frames.filled.notna() & frames.filled.notna().shift(1, fill_value=False)
    for ticker, last in frames.last.items():
        traded.iloc[last + 1 :, traded.columns.get_loc(ticker)] = False
    own = returns.where(traded)[weights.index]
    present = own.notna().mul(weights.abs(), axis=1).sum(axis=1)
    scale = weights.abs().sum() / present.replace(0, np.nan)
    return (own.mul(weights, axis=1).sum(axis=1) * scale).fillna(0)


def _alpha(portfolio: np.ndarray, market: np.ndarray) -> dict[str, Any]:
    days = len(portfolio)
    if days < 20:
        return dict.fromkeys(("alpha_percent", "alpha_t", "beta", "p_value", "expected_alpha_percent"))
    fit = sm.OLS(portfolio, sm.add_constant(market)).fit(
        cov_type="HAC", cov_kwds={"maxlags": math.floor(4 * (days / 100) ** (2 / 9)), "use_correction": False}
    )
    alpha, error = 252 * fit.params[0], 252 * fit.bse[0]
    return {
        "alpha_percent": 100 * alpha,
        "alpha_t": fit.tvalues[0],
        "beta": fit.params[1],
        "p_value": fit.pvalues[0],
        "expected_alpha_percent": 100 * alpha * 0.05**2 / (0.05**2 + error**2),
    }


def _calls_needed(scored: pd.DataFrame) -> int | None:
    return math.ceil(((Z + 0.841621) * scored.excess.std(ddof=1) / 0.02) ** 2) if len(scored) > 1 else None


def _run_up(table: pd.DataFrame, frames: Frames) -> float:
    run_ups = []
    for ticker, entry, status in zip(table.ticker, table.entry, table.status, strict=True):
        if status == "unpriced" or entry > frames.last[ticker] or entry < 21:
            continue
        change = frames.filled[ticker].iloc[entry] / frames.filled[ticker].iloc[entry - 21]
        run_ups.append(change - frames.benchmark.iloc[entry] / frames.benchmark.iloc[entry - 21])
    return float(100 * pd.Series(run_ups, dtype=float).mean())


def _without_best(scored: pd.DataFrame) -> dict[str, Any] | None:
    if scored.empty:
        return None
    best = scored.groupby("ticker").excess.sum().idxmax()
    return {"ticker": best, "mean_excess_percent": 100 * scored[scored.ticker != best].excess.mean()}


def _kind(scored: pd.DataFrame) -> dict[str, Any]:
    return {
        "calls": len(scored),
        "mean_excess_percent": 100 * scored.excess.mean(),
        "beat_rate": (scored.excess > 0).mean() if len(scored) else None,
    }


def _mean_excess_at(scored: pd.DataFrame, entries: pd.Series, sessions: int, frames: Frames) -> float:
    return float(100 * (scored.side * look_up(scored.ticker, entries, sessions, frames).excess).mean())
