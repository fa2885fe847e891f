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


def frames_of(series: dict[str, Series], benchmark: Series) -> Frames:
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
    )


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
    """What became of a buy entered at each session, and at five more after the last."""
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


def weights_of(calls: list[Call], sessions: int, frames: Frames) -> pd.DataFrame:
    """The side of each stock held, by session and ticker; 0 where it is not held."""
    sides = {ticker: np.zeros(len(frames.benchmark)) for ticker in frames.totals}
    order = sorted(calls, key=lambda call: (moment_of(call), call.video_id))
    for ticker in {call.ticker for call in calls} & sides.keys():
        traded = frames.totals[ticker].notna().to_numpy()
        entered = [(entry_of(call, frames), call.side) for call in order if call.ticker == ticker]
        entered = [(entry, side) for entry, side in entered if 0 <= entry < len(traded) and traded[entry]]
        for entry, side in entered:
            sides[ticker][entry + 1 :] = 0
            sides[ticker][entry + 1 : min(entry + sessions, frames.last[ticker]) + 1] = side
    return pd.DataFrame(sides, index=frames.totals.index)


def score(calls: list[Call], horizon: str, series: dict[str, Series], benchmark: Series) -> dict[str, Any]:
    """Every figure of a channel at a horizon, by its name."""
    frames, sessions = frames_of(series, benchmark), SESSIONS[horizon]
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
    return {
        "calls": len(scored),
        **{status: int((table.status == status).sum()) for status in ("pending", "unpriced", "ended")},
        "mean_return_percent": 100 * scored.change.mean(),
        "mean_excess_percent": 100 * scored.excess.mean(),
        "median_excess_percent": 100 * scored.excess.median(),
        **_interval(scored, frames),
        **_rates(scored),
        **_other_days(scored, sessions, frames),
        **_alpha(calls, sessions, frames),
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
    }


def q_values(p_values: list[float]) -> list[float]:
    return list(multipletests(p_values, method="fdr_bh")[1])


def curve(
    calls: list[Call], strategy: str, horizon: str, cost_bps: float, series: dict[str, Series], benchmark: Series
) -> tuple[pd.Series, pd.Series, float]:
    """The daily returns after costs, those of the benchmark, and the sum of the changes of weight."""
    frames = frames_of(series, benchmark)
    sides = weights_of(calls, SESSIONS[horizon], frames)
    if strategy == "follow":
        sides = sides.clip(lower=0)
    if strategy == "inverse":
        sides = -sides
    weights = sides.div(sides.abs().sum(axis=1).replace(0, 1), axis=0)
    invested = np.flatnonzero(weights.abs().sum(axis=1).to_numpy())
    if not len(invested):
        return pd.Series(dtype=float), pd.Series(dtype=float), 0.0
    start = invested[0]
    changes = frames.filled.pct_change(fill_method=None).fillna(0)
    turnover = weights.diff().abs().sum(axis=1)
    net = (weights * changes).sum(axis=1) - cost_bps / 10_000 * turnover
    return net.iloc[start:], frames.benchmark.pct_change().iloc[start:], float(turnover.iloc[start:].sum())


def backtest_stats(returns: pd.Series, turnover: float) -> dict[str, float]:
    return {
        "cagr_percent": 100 * empyrical.cagr(returns),
        "volatility_percent": 100 * empyrical.annual_volatility(returns),
        "sharpe": empyrical.sharpe_ratio(returns),
        "max_drawdown_percent": 100 * empyrical.max_drawdown(returns),
        "turnover_per_year": turnover / (len(returns) / 252),
        "final_value": 100 * empyrical.cum_returns_final(returns, starting_value=1),
    }


def _interval(scored: pd.DataFrame, frames: Frames) -> dict[str, Any]:
    calendar = frames.benchmark.index[scored.entry].isocalendar()
    weeks = (calendar.year * 100 + calendar.week).to_numpy(dtype=int)
    if len(set(weeks)) < 2:
        return {"excess_low_percent": None, "excess_high_percent": None}
    fit = sm.OLS(scored.excess.to_numpy(), np.ones(len(scored))).fit(
        cov_type="cluster", cov_kwds={"groups": weeks, "use_correction": True}
    )
    low, high = fit.params[0] - Z * fit.bse[0], fit.params[0] + Z * fit.bse[0]
    return {"excess_low_percent": 100 * low, "excess_high_percent": 100 * high}


def _rates(scored: pd.DataFrame) -> dict[str, Any]:
    if scored.empty:
        return dict.fromkeys(("hit_rate", "beat_rate", "beat_rate_low", "beat_rate_high"))
    wins = int((scored.excess > 0).sum())
    low, high = proportion_confint(wins, len(scored), alpha=2 * stats.norm.sf(Z), method="wilson")
    return {
        "hit_rate": (scored.change > 0).mean(),
        "beat_rate": wins / len(scored),
        "beat_rate_low": low,
        "beat_rate_high": high,
    }


def _other_days(scored: pd.DataFrame, sessions: int, frames: Frames) -> dict[str, Any]:
    if scored.empty:
        return dict.fromkeys(("base_hit_rate", "base_beat_rate", "placebo_p_value"))
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
        "placebo_p_value": p_value,
    }


def _alpha(calls: list[Call], sessions: int, frames: Frames) -> dict[str, Any]:
    sides = weights_of(calls, sessions, frames)
    held = sides.abs().sum(axis=1)
    changes = frames.filled.pct_change(fill_method=None)
    portfolio = (sides * changes).sum(axis=1)[held > 0] / held[held > 0]
    days = len(portfolio)
    if days < 20:
        names = ("alpha_percent", "alpha_t", "beta", "p_value", "expected_alpha_percent")
        return {**dict.fromkeys(names), "days_invested": days}
    market = frames.benchmark.pct_change()[held > 0]
    fit = sm.OLS(portfolio.to_numpy(), sm.add_constant(market.to_numpy())).fit(
        cov_type="HAC", cov_kwds={"maxlags": math.floor(4 * (days / 100) ** (2 / 9)), "use_correction": False}
    )
    alpha, error = 252 * fit.params[0], 252 * fit.bse[0]
    return {
        "alpha_percent": 100 * alpha,
        "alpha_t": fit.tvalues[0],
        "beta": fit.params[1],
        "p_value": fit.pvalues[0],
        "expected_alpha_percent": 100 * alpha * 0.05**2 / (0.05**2 + error**2),
        "days_invested": days,
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
