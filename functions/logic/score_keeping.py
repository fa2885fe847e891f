"""Computes what is kept of a channel: its scorecard, its line on the leaderboard, its stocks, and its review queue.

Whatever changes a channel's calls or prices marks the channel (a rising revision) and asks for its score. What is kept
carries the revision it was made from, so that an old list is never served and an old score never replaces a new one.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any

from functions.core.clock import now
from functions.core.models import Channel, Entity
from functions.core.observability import logger
from functions.core.score_items import (
    MAX_PACKED_CHARACTERS,
    CallsItem,
    ReviewQueueItem,
    ScorecardItem,
    StandingItem,
    StocksListItem,
    pack,
)
from functions.core.series import Series
from functions.dispatch import ScoreChannel, dispatcher
from functions.logic.backtests import rows_of
from functions.logic.market import Closes, benchmark, closes_for
from functions.logic.news_before import press_before
from functions.logic.record import analysts_of, calls_sha256, how_far_checked
from functions.logic.review_queue import queue_content
from functions.logic.score_alerts import judged, newly_matured, score_alerts
from functions.logic.score_details import DetailedScore, best_and_worst, distribution
from functions.logic.scored_calls import fields_of, scored_call, to_call
from functions.logic.scores import scored_as, version
from functions.logic.scoring.headlines import NO_NEWS, Press
from functions.logic.scoring.leaderboard import standing_of
from functions.logic.scoring.returns import Market, has_result, position_of
from functions.logic.scoring.scorecard import score_channel
from functions.logic.scoring.types import METHOD, CallSet, Checked, HorizonScore, Scorecard
from functions.logic.track_record import CallInVideo, list_stocks, stocks_content, stocks_layout, tickers_of
from functions.store.channels import channel_by_id, every_channel
from functions.store.scorecards import save_score, standing_of_channel
from functions.store.stocks import stocks_by_ticker
from functions.store.videos import videos_of_channel

NONE_CHECKED = "No call of this channel has been checked by a person yet."
TRIES = 3
"""How often a score is computed anew because the channel has changed meanwhile."""


def request_due_scores() -> list[str]:
    """Sends a job for every channel that has changed since it was scored; returns their ids.

    Called by the clock. It finds what was lost: a job, or the request for one by a worker that died.
    """
    due = [
        channel.id
        for channel in every_channel()
        if not channel.is_under_way and not channel.deleting and channel.scored != scored_as(channel)
    ]
    for channel_id in due:
        dispatcher().send(ScoreChannel(channel_id))
    return due


def keep_score(channel_id: str) -> bool:
    """Computes and stores the score of a channel as it is now. Idempotent. False if there was nothing to do.

    A channel with a run under way is scored when that ends.
    """
    for _ in range(TRIES):
        channel = channel_by_id(channel_id, consistent=True)
        if channel is None or channel.deleting or channel.is_under_way or channel.scored == scored_as(channel):
            return False
        if save_score(channel, scored_as(channel), _items_of(channel)):
            return True
    logger.info("The channel keeps changing; the clock asks for its score again", channel_id=channel_id)
    return False


def empty_scorecard(channel_id: str, reason: str, calls: CallSet) -> dict[str, Any]:
    """Of a channel that has not been scored, in the form of one that has."""
    closes = Closes({}, Series(benchmark().ticker))
    scores = _detailed([], closes, {}, NO_NEWS)
    return _document(channel_id, closes, how_far_checked([]), calls, [], scores, computed_at=None, reason=reason)


def _items_of(channel: Channel) -> list[Entity]:
    """Everything that is kept of a channel, from consistent readings: what made it due is in it."""
    videos = videos_of_channel(channel.id, consistent=True)
    stocks = stocks_by_ticker(tickers_of(videos), consistent=True)
    said = [(mention, video) for video in videos for mention in video.calls if mention.side]
    calls = [to_call(mention) for mention, _ in said]
    closes = closes_for(calls, consistent=True)
    press = press_before(calls)
    names = {ticker: stock.name for ticker, stock in stocks.items()}
    scores = _detailed(said, closes, names, press)
    # A call that counts was confirmed or corrected, if it has a review.
    checked = [(mention, video) for mention, video in said if mention.review]
    document = partial(
        _document,
        channel.id,
        closes,
        how_far_checked(mention for video in videos for mention in video.calls),
        computed_at=now(),
    )
    content = document(CallSet.ALL, said, scores, reason=closes.problem)
    of_checked = document(
        CallSet.CHECKED,
        checked,
        _detailed(checked, closes, names, press),
        reason=closes.problem if checked else NONE_CHECKED,
    )
    listed = list_stocks(channel.id, videos, stocks)
    market = Market(closes.stocks, closes.benchmark)
    queue = queue_content(videos, market)
    before = standing_of_channel(channel.id)
    matured, overdue = newly_matured(before, said, market)
    standing = judged(StandingItem(channel.id, version(), _standings(channel.id, scores), closes.as_of, None, overdue))
    return [
        ScorecardItem(channel.id, version(), pack(content), pack(of_checked)),
        standing,
        StocksListItem(channel.id, stocks_layout(), channel.revision, _packed(stocks_content(listed))),
        CallsItem(channel.id, channel.revision, version(), _packed(rows_of(calls))),
        ReviewQueueItem(channel.id, version(), pack(queue)),
        *score_alerts(before, standing, matured),
    ]


def _document(
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
        calls=which,
        calls_sha256=calls_sha256(calls),
        analysts=analysts_of(calls),
        checked=how_far,
        horizons=list(scores),
        reason=reason,
    )
    return asdict(card)


def _detailed(
    said: Sequence[CallInVideo], closes: Closes, names: dict[str, str | None], press: Press
) -> list[DetailedScore]:
    market = Market(closes.stocks, closes.benchmark)
    scores = score_channel([to_call(mention) for mention, _ in said], closes.stocks, closes.benchmark, press)
    return [_with_details(score, said, market, names, press) for score in scores]


def _with_details(
    score: HorizonScore, said: Sequence[CallInVideo], market: Market, names: dict[str, str | None], press: Press
) -> DetailedScore:
    excesses: list[tuple[float, CallInVideo]] = []
    for mention, video in said:
        position = position_of(to_call(mention), score.horizon, market)
        if has_result(position.status):
            excesses.append((100 * mention.side * position.excess, (mention, video)))
    excesses.sort(key=lambda each: (-each[0], each[1][0].id))
    best, worst = (
        [
            scored_call(mention, video, names.get(mention.ticker), score.horizon, market, press)
            for _, (mention, video) in some
        ]
        for some in best_and_worst(excesses)
    )
    return DetailedScore(
        **fields_of(score), distribution=distribution([excess for excess, _ in excesses]), best=best, worst=worst
    )


def _standings(channel_id: str, scores: Iterable[HorizonScore]) -> str:
    rows = [list(fields_of(standing_of(channel_id, score)).values())[1:] for score in scores]
    return "\n".join(json.dumps(row, separators=(",", ":")) for row in rows)


def _packed(content: Any) -> str | None:
    packed = pack(content)
    return packed if len(packed) <= MAX_PACKED_CHARACTERS else None
