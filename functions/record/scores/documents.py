"""Builds the scorecard of a channel, in the form that is stored and that the API returns."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from functions.record.models.series import Series
from functions.record.prices.market import RISK_FREE, Closes, benchmark
from functions.record.scores.calls import fields_of, scored_call, to_call
from functions.record.scores.details import DetailedScore, best_and_worst, distribution
from functions.record.scores.provenance import analysts_of, calls_sha256, how_far_checked
from functions.record.scores.reading_quality import reading_figures_of
from functions.record.scoring.headlines import NO_NEWS, Press
from functions.record.scoring.reading import SampledReviews
from functions.record.scoring.returns import Market, has_result, position_of
from functions.record.scoring.scorecard import score_channel
from functions.record.scoring.types import METHOD, CallSet, Checked, HorizonScore, Scorecard
from functions.record.stocks.track_record import CallInVideo
from functions.runtime.settings import settings


def empty_scorecard(channel_id: str, reason: str, calls: CallSet) -> dict[str, Any]:
    """Makes the scorecard of a channel that has not been scored, in the form of one that has."""
    closes = Closes({}, Series(benchmark().ticker))
    scores = detailed_scores([], closes, {}, NO_NEWS)
    return score_document(channel_id, closes, how_far_checked([]), calls, [], scores, computed_at=None, reason=reason)


def score_document(
    channel_id: str,
    closes: Closes,
    how_far: Checked,
    which: CallSet,
    said: Sequence[CallInVideo],
    scores: list[DetailedScore],
    *,
    computed_at: str | None,
    reason: str | None,
) -> dict[str, Any]:
    calls = [mention for mention, _ in said]
    card = Scorecard(
        channel_id=channel_id,
        as_of=closes.as_of,
        computed_at=computed_at,
        method=METHOD,
        benchmark=benchmark(),
        risk_free=RISK_FREE if closes.market().knows_risk_free else None,
        cost_bps=settings().cost_bps,
        calls=which,
        calls_sha256=calls_sha256(calls),
        analysts=analysts_of(calls),
        checked=how_far,
        horizons=list(scores),
        reason=reason,
    )
    return asdict(card)


def detailed_scores(
    said: Sequence[CallInVideo],
    closes: Closes,
    names: dict[str, str | None],
    press: Press,
    sampled: SampledReviews | None = None,
) -> list[DetailedScore]:
    market = closes.market()
    mentions = [mention for mention, _ in said]
    reading = reading_figures_of(mentions, sampled)
    scores = score_channel(map(to_call, mentions), market, press, reading, settings().cost_bps)
    return [_with_details(score, said, closes, market, names, press) for score in scores]


def _with_details(
    score: HorizonScore,
    said: Sequence[CallInVideo],
    closes: Closes,
    market: Market,
    names: dict[str, str | None],
    press: Press,
) -> DetailedScore:
    excesses: list[tuple[float, CallInVideo]] = []
    for mention, video in said:
        position = position_of(to_call(mention), score.horizon, market)
        if has_result(position.status):
            excesses.append((100 * mention.side * position.excess, (mention, video)))
    excesses.sort(key=lambda each: (-each[0], each[1][0].id))
    best, worst = (
        [
            scored_call(mention, video, names.get(mention.ticker), score.horizon, market, press, closes.splits)
            for _, (mention, video) in some
        ]
        for some in best_and_worst(excesses)
    )
    return DetailedScore(
        **fields_of(score), distribution=distribution([excess for excess, _ in excesses]), best=best, worst=worst
    )
