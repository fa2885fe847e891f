"""The leaderboard: which channels are judged, their verdicts, and their order."""

from collections.abc import Iterable
from dataclasses import fields

from functions.record.scoring.statistics import benjamini_hochberg
from functions.record.scoring.types import HorizonScore, LeaderboardEntry, Standing, Verdict

CALLS_TO_JUDGE = 20
HIGHEST_Q = 0.10
HIGHEST_PLACEBO_P = 0.10
FIGURES = [field.name for field in fields(Standing) if field.name != "channel_id"]


def standing_of(channel_id: str, score: HorizonScore) -> Standing:
    return Standing(channel_id, **{name: getattr(score, name) for name in FIGURES})


def leaderboard(standings: Iterable[Standing]) -> list[LeaderboardEntry]:
    """Ranks the judged channels by expected alpha; the others follow by number of calls, unranked."""
    everyone = sorted(standings, key=lambda standing: standing.channel_id)
    judged = sorted(filter(is_judged, everyone), key=lambda standing: -(standing.expected_alpha_percent or 0.0))
    others = sorted((one for one in everyone if not is_judged(one)), key=lambda standing: -standing.calls)
    q_values = benjamini_hochberg([standing.p_value or 0.0 for standing in judged])
    return [
        *(
            _entry(standing, rank, q_value, verdict_of(standing, q_value))
            for rank, (standing, q_value) in enumerate(zip(judged, q_values, strict=True), start=1)
        ),
        *(_entry(standing, None, None, Verdict.TOO_FEW_CALLS) for standing in others),
    ]


def verdict_of(standing: Standing, q_value: float) -> Verdict:
    """The verdict on a judged channel."""
    placebo, alpha, excess = (
        standing.placebo_p_value,
        standing.alpha_percent or 0.0,
        standing.mean_excess_percent or 0.0,
    )
    if q_value > HIGHEST_Q or placebo is None:
        return Verdict.NOT_PROVEN
    if placebo > HIGHEST_PLACEBO_P or alpha * excess <= 0:
        return Verdict.LIKE_ITS_STOCKS
    return Verdict.BEATS_MARKET if alpha > 0 else Verdict.LAGS_MARKET


def is_judged(standing: Standing) -> bool:
    return standing.calls >= CALLS_TO_JUDGE and standing.p_value is not None


def _entry(standing: Standing, rank: int | None, q_value: float | None, verdict: Verdict) -> LeaderboardEntry:
    figures = {name: getattr(standing, name) for name in FIGURES}
    return LeaderboardEntry(standing.channel_id, **figures, rank=rank, q_value=q_value, verdict=verdict)
