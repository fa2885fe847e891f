"""Stored scores: the scorecard of a channel, and the leaderboard of all of them."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from functions.record.channels.channels import living_channel_and
from functions.record.models.records import Channel
from functions.record.models.scores import QueueRow, StandingItem, layout_of, unpack
from functions.record.prices.market import benchmark, why_no_closes
from functions.record.scores.details import DetailedScore
from functions.record.scoring.leaderboard import Standings, horizons_judged_with, leaderboard
from functions.record.scoring.types import (
    METHOD,
    Benchmark,
    Call,
    CallSet,
    Horizon,
    LeaderboardEntry,
    Scorecard,
    Standing,
)
from functions.record.stocks.track_record import stocks_layout
from functions.record.store.channels import channels_by_id
from functions.record.store.scorecards import all_standings, scorecard_of_channel
from functions.runtime.dynamodb.attributes import Item, encode
from functions.runtime.settings import settings

HORIZONS = list(Horizon)
NOT_SCORED_YET = "This channel has not been scored yet."
LAST_CHANNEL, PLACE = "last_channel", "place"
"""The parts of a page's key: the last channel returned, and how many came before the next."""


@dataclass(frozen=True, slots=True)
class LeaderboardLine:
    channel: Channel
    entry: LeaderboardEntry


@dataclass(frozen=True, slots=True)
class LeaderboardPage:
    horizon: Horizon
    as_of: str | None
    benchmark: Benchmark
    lines: list[LeaderboardLine]
    next_key: Item | None
    reason: str | None
    """Why no channel has figures, if none can have any."""


@cache
def version() -> str:
    """The version of stored scores: method, cost and layout. Scores of another version are recomputed."""
    layout = layout_of(Scorecard, DetailedScore, Standing, Call, QueueRow)
    return f"{METHOD}-{settings().cost_bps:g}-{layout}-{stocks_layout()}"


def scored_as(channel: Channel) -> str:
    """Returns the value of `scored` if the stored score matches the channel's current state."""
    return f"{channel.revision}/{version()}"


def scorecard(channel_id: str, calls: CallSet = CallSet.ALL) -> dict[str, Any]:
    """Returns the route's response. For a channel that is not scored yet, without calls and with the reason."""
    _, kept = living_channel_and(channel_id, lambda: scorecard_of_channel(channel_id))
    packed = kept and (kept.content if calls == CallSet.ALL else kept.checked)
    if kept and packed and kept.version == version():
        content: dict[str, Any] = unpack(packed)
        return content
    # Imported here, because a channel that has been scored needs no computation.
    from functions.record.scores.documents import empty_scorecard

    return empty_scorecard(channel_id, NOT_SCORED_YET, calls)


def leaderboard_page(horizon: Horizon, start: Item | None, limit: int) -> LeaderboardPage:
    """Judged again over all channels for each page. A page continues after the last channel of the previous page."""
    items = [item for item in all_standings() if item.version == version()]
    entries = leaderboard([standings_for(item, horizon) for item in items], horizon)
    first = _place_after(entries, start)
    shown = entries[first : first + limit]
    channels = channels_by_id(entry.channel_id for entry in shown)
    lines = [LeaderboardLine(channels[entry.channel_id], entry) for entry in shown if entry.channel_id in channels]
    is_last = first + limit >= len(entries)
    as_of = max((item.as_of for item in items if item.as_of), default=None)
    return LeaderboardPage(
        horizon,
        as_of,
        benchmark(),
        lines,
        next_key=None if is_last else encode({LAST_CHANNEL: shown[-1].channel_id, PLACE: first + limit}),
        reason=why_no_closes() if items and as_of is None else None,
    )


def standings_for(item: StandingItem, horizon: Horizon) -> Standings:
    """Returns a channel's standings at all horizons that are judged together with this one."""
    lines = item.figures.split("\n")
    return {
        each: Standing(item.channel_id, *json.loads(lines[HORIZONS.index(each)]))
        for each in horizons_judged_with(horizon)
    }


def _place_after(entries: Sequence[LeaderboardEntry], start: Item | None) -> int:
    """Returns where the next page begins: after the last channel returned, or at its position if that is gone."""
    if start is None:
        return 0
    last = start[LAST_CHANNEL]["S"]
    places = (place for place, entry in enumerate(entries, start=1) if entry.channel_id == last)
    return next(places, int(start[PLACE]["N"]))
