"""Computes the stored score of a channel: its scorecard, its leaderboard row, its stocks, and its review queue.

Every change to a channel's calls or prices increases the channel's revision and requests its score. Stored results
carry the revision they were computed from, so a stale result is never served and never replaces a newer score.
"""

import json
from collections.abc import Iterable
from functools import partial
from typing import Any

from functions.record.alerts.scores import newly_matured, score_alerts
from functions.record.alerts.verdicts import change_log, change_of_verdict, judged, reviewed_sides
from functions.record.models.records import Channel
from functions.record.models.scores import (
    MAX_PACKED_CHARACTERS,
    CallsItem,
    ReviewQueueItem,
    ReviewSampleItem,
    ScorecardItem,
    StandingItem,
    StocksListItem,
    pack,
)
from functions.record.prices.market import closes_for
from functions.record.reviews.queue import queue_content
from functions.record.reviews.sample import drawn_as, sample_of, sampled_reviews
from functions.record.scores.backtests import rows_of
from functions.record.scores.calls import fields_of, tickers_with_target, to_call
from functions.record.scores.documents import detailed_scores, score_document
from functions.record.scores.kept import scored_as, version
from functions.record.scores.news_before import news_rows, press_before
from functions.record.scores.provenance import how_far_checked
from functions.record.scoring.leaderboard import standing_of
from functions.record.scoring.types import CallSet, HorizonScore
from functions.record.stocks.track_record import list_stocks, stocks_content, stocks_layout, tickers_of
from functions.record.store.channels import channel_by_id, every_channel
from functions.record.store.reviews import reviews_of_calls
from functions.record.store.scorecards import review_sample_of_channel, save_score, standing_of_channel
from functions.record.store.stocks import stocks_by_ticker
from functions.record.store.videos import videos_of_channel
from functions.runtime.clock import now
from functions.runtime.dispatch import ScoreChannel, send_jobs
from functions.runtime.dynamodb.entity import Entity
from functions.runtime.observability import logger

NONE_CHECKED = "No call of this channel has been checked by a person yet."
TRIES = 3
"""How often a score is recomputed because the channel changed concurrently."""


def request_due_scores() -> list[str]:
    """Sends a job for every channel that has changed since it was scored; returns their ids.

    Called on a schedule. It recovers lost jobs, and requests lost because a worker died.
    """
    due = [
        channel.id
        for channel in every_channel()
        if not channel.is_under_way and not channel.deleting and channel.scored != scored_as(channel)
    ]
    send_jobs(map(ScoreChannel, due))
    return due


def keep_score(channel_id: str) -> bool:
    """Computes and stores the current score of a channel. Idempotent. Returns False if there was nothing to do.

    A channel with a run in progress is scored when that ends.
    """
    for _ in range(TRIES):
        channel = channel_by_id(channel_id, consistent=True)
        if channel is None or channel.deleting or channel.is_under_way or channel.scored == scored_as(channel):
            return False
        if save_score(channel, scored_as(channel), _items_of(channel)):
            return True
    logger.info("The channel keeps changing; the scheduled job will request its score again", channel_id=channel_id)
    return False


def _items_of(channel: Channel) -> list[Entity]:
    """Computes all stored results of a channel. Reads are consistent, so they include the change that made it due."""
    videos = videos_of_channel(channel.id, consistent=True)
    stocks = stocks_by_ticker(tickers_of(videos), consistent=True)
    said = [(mention, video) for video in videos for mention in video.calls if mention.side]
    calls = [to_call(mention) for mention, _ in said]
    targets = tickers_with_target(mention for mention, _ in said)
    closes = closes_for(calls, with_targets=targets, consistent=True)
    press = press_before(calls)
    names = {ticker: stock.name for ticker, stock in stocks.items()}
    drawn = review_sample_of_channel(channel.id, consistent=True)
    mentions = [mention for video in videos for mention in video.calls]
    sample = sample_of(channel.id, mentions, drawn.calls if drawn else ())
    sampled = sampled_reviews(
        sample, reviews_of_calls(channel.id, ((call.video_id, call.ticker) for call in sample if call.review))
    )
    scores = detailed_scores(said, closes, names, press, sampled)
    # Rejected calls have no side, so every reviewed call here was confirmed or corrected.
    checked = [(mention, video) for mention, video in said if mention.review]
    document = partial(
        score_document,
        channel.id,
        closes,
        how_far_checked(mentions),
        computed_at=now(),
    )
    content = document(CallSet.ALL, said, scores, reason=closes.problem)
    of_checked = document(
        CallSet.CHECKED,
        checked,
        detailed_scores(checked, closes, names, press, sampled),
        reason=closes.problem if checked else NONE_CHECKED,
    )
    listed = list_stocks(channel.id, videos, stocks)
    market = closes.market()
    queue = queue_content(videos)
    before = standing_of_channel(channel.id)
    matured, overdue = newly_matured(before, said, market)
    standing = judged(StandingItem(channel.id, version(), _standings(channel.id, scores), closes.as_of, None, overdue))
    turned = change_of_verdict(before, standing, mentions, market)
    return [
        ScorecardItem(channel.id, version(), pack(content), pack(of_checked)),
        standing,
        StocksListItem(channel.id, stocks_layout(), channel.revision, _packed(stocks_content(listed))),
        CallsItem(
            channel.id,
            channel.revision,
            version(),
            _packed(rows_of(calls)),
            _packed(news_rows(calls, press)),
            _packed(reviewed_sides(mentions)),
        ),
        ReviewQueueItem(channel.id, version(), pack(queue)),
        ReviewSampleItem(channel.id, tuple(map(drawn_as, sample))),
        *score_alerts(standing, turned, matured),
        *change_log(channel.id, turned),
    ]


def _standings(channel_id: str, scores: Iterable[HorizonScore]) -> str:
    rows = [list(fields_of(standing_of(channel_id, score)).values())[1:] for score in scores]
    return "\n".join(json.dumps(row, separators=(",", ":")) for row in rows)


def _packed(content: Any) -> str | None:
    packed = pack(content)
    return packed if len(packed) <= MAX_PACKED_CHARACTERS else None
