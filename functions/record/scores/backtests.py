"""The result of following a channel's calls."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from functions.record.channels.channels import living_channel_and
from functions.record.models.records import Video
from functions.record.models.scores import unpack
from functions.record.prices.market import closes_for
from functions.record.scores.calls import to_call
from functions.record.scores.kept import version
from functions.record.scoring.backtest import backtest
from functions.record.scoring.types import Backtest, Call, Horizon, Strategy
from functions.record.stocks.track_record import is_current
from functions.record.store.scorecards import kept_calls_of_channel
from functions.record.store.videos import videos_of_channel


def backtest_of_channel(
    channel_id: str, strategy: Strategy, horizon: Horizon, cost_bps: float
) -> tuple[Backtest, str | None]:
    """Returns the backtest, and why it has no figures, if it has none."""
    channel, kept = living_channel_and(channel_id, lambda: kept_calls_of_channel(channel_id))
    if kept and kept.content and kept.version == version() and is_current(channel, kept.revision):
        calls = calls_of_rows(unpack(kept.content))
    else:
        calls = calls_of(videos_of_channel(channel_id))
    closes = closes_for(calls)
    return backtest(calls, closes.market(), strategy, horizon, cost_bps), closes.problem


def calls_of(videos: Iterable[Video]) -> list[Call]:
    return [to_call(mention) for video in videos for mention in video.calls if mention.side]


def rows_of(calls: Iterable[Call]) -> list[Any]:
    """Returns the calls in their stored form, by video. Video ids only break ties between calls of the same time, so
    just their order is stored."""
    by_video: dict[str, list[Call]] = defaultdict(list)
    for call in calls:
        by_video[call.video_id].append(call)
    return [
        [said[0].published_at, said[0].published_time, [[call.ticker, call.side] for call in said]]
        for _, said in sorted(by_video.items())
    ]


def calls_of_rows(rows: Iterable[Any]) -> list[Call]:
    calls = []
    for number, (published_at, published_time, said) in enumerate(rows):
        video_id = f"{number:06d}"
        calls += [Call(video_id, ticker, side, published_at, published_time) for ticker, side in said]
    return calls
