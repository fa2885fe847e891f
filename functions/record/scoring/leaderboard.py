"""The leaderboard: which channels are judged, their verdicts, and their order."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from typing import NamedTuple

from functions.record.scoring.statistics import benjamini_hochberg
from functions.record.scoring.types import (
    PRIMARY_HORIZON,
    Horizon,
    HorizonScore,
    LeaderboardEntry,
    Standing,
    Verdict,
)

CALLS_TO_JUDGE = 20
DAYS_TO_JUDGE = 60
HIGHEST_Q = 0.10
LOWEST_RIGHT_RATE = 0.6
SECONDARY_HORIZONS = tuple(horizon for horizon in Horizon if horizon is not PRIMARY_HORIZON)
OF_READING = {"right_rate": "right_rate", "right_low": "right_low", "right_source": "source"}
"""Figures of a standing that its score has under `reading`."""
FIGURES = [field.name for field in fields(Standing) if field.name != "channel_id"]
ORDER = (
    Verdict.BEATS_MARKET,
    Verdict.LIKE_ITS_STOCKS,
    Verdict.NOT_PROVEN,
    Verdict.LAGS_MARKET,
    Verdict.READ_TOO_POORLY,
)

Standings = Mapping[Horizon, Standing]
"""A channel's standings: at the primary horizon alone, or at all secondary ones."""


class QValues(NamedTuple):
    joint: float
    """For the joint p-value: against the market and against its own stocks."""
    alpha: float
    """For the p-value against the market."""


def standing_of(channel_id: str, score: HorizonScore) -> Standing:
    of_reading = {name: getattr(score.reading, other) for name, other in OF_READING.items()}
    return Standing(
        channel_id, **of_reading, **{name: getattr(score, name) for name in FIGURES if name not in of_reading}
    )


def horizons_judged_with(horizon: Horizon) -> tuple[Horizon, ...]:
    """The horizons whose tests are corrected together: the more somebody tries, the more succeed by luck."""
    return (PRIMARY_HORIZON,) if horizon is PRIMARY_HORIZON else SECONDARY_HORIZONS


def leaderboard(channels: Iterable[Standings], horizon: Horizon = PRIMARY_HORIZON) -> list[LeaderboardEntry]:
    """Ranks the judged channels by verdict, then by expected alpha; the others follow by number of calls, unranked.

    Each channel needs its standings at the horizons judged with this one.
    """
    everyone = sorted(channels, key=lambda standings: standings[horizon].channel_id)
    q_values = _q_values(everyone, horizon)
    here = [standings[horizon] for standings in everyone]
    judged = [
        (standing, q_values[standing.channel_id], verdict_of(standing, q_values[standing.channel_id]))
        for standing in here
        if is_judged(standing)
    ]
    judged.sort(key=lambda one: (ORDER.index(one[2]), -(one[0].expected_alpha_percent or 0.0)))
    others = sorted((one for one in here if not is_judged(one)), key=lambda standing: -standing.calls)
    return [
        *(_entry(standing, rank, q, verdict) for rank, (standing, q, verdict) in enumerate(judged, start=1)),
        *(_entry(standing, None, None, Verdict.TOO_FEW_CALLS) for standing in others),
    ]


def verdict_of(standing: Standing, q: QValues) -> Verdict:
    """The verdict on a judged channel."""
    if _is_read_too_poorly(standing):
        return Verdict.READ_TOO_POORLY
    alpha, excess = standing.alpha_percent or 0.0, standing.mean_excess_percent or 0.0
    timing = standing.timing_alpha_percent or 0.0
    if q.joint <= HIGHEST_Q and min(alpha, timing, excess) > 0:
        return Verdict.BEATS_MARKET
    if q.joint <= HIGHEST_Q and max(alpha, timing, excess) < 0:
        return Verdict.LAGS_MARKET
    if q.alpha <= HIGHEST_Q and alpha * excess > 0:
        return Verdict.LIKE_ITS_STOCKS
    return Verdict.NOT_PROVEN


def is_judged(standing: Standing) -> bool:
    return (
        standing.calls >= CALLS_TO_JUDGE
        and standing.days_invested >= DAYS_TO_JUDGE
        and joint_p_value(standing) is not None
    )


def joint_p_value(standing: Standing) -> float | None:
    """The larger p-value of the two tests: against the market, and against the channel's own stocks."""
    if standing.p_value is None or standing.timing_p_value is None:
        return None
    return max(standing.p_value, standing.timing_p_value)


def _is_read_too_poorly(standing: Standing) -> bool:
    if standing.right_rate is None:
        return False
    is_unsure = standing.right_low is not None and standing.right_low < LOWEST_RIGHT_RATE
    return is_unsure or standing.calls * standing.right_rate < CALLS_TO_JUDGE


def _q_values(channels: Sequence[Standings], horizon: Horizon) -> dict[str, QValues]:
    """Returns the q-values at the horizon by channel, corrected together with those judged with it."""
    tests = [
        (each, standings[each])
        for each in horizons_judged_with(horizon)
        for standings in channels
        if is_judged(standings[each])
    ]
    joint = benjamini_hochberg([joint_p_value(standing) or 0.0 for _, standing in tests])
    alpha = benjamini_hochberg([standing.p_value or 0.0 for _, standing in tests])
    return {
        standing.channel_id: QValues(*q)
        for (each, standing), *q in zip(tests, joint, alpha, strict=True)
        if each is horizon
    }


def _entry(standing: Standing, rank: int | None, q: QValues | None, verdict: Verdict) -> LeaderboardEntry:
    return LeaderboardEntry(
        standing.channel_id,
        **{name: getattr(standing, name) for name in FIGURES},
        rank=rank,
        joint_p_value=joint_p_value(standing),
        q_value=q.joint if q else None,
        alpha_q_value=q.alpha if q else None,
        verdict=verdict,
    )
