"""The news before calls: as stored with the last score, or queried for each stock."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from functions.record.models.scores import unpack
from functions.record.scoring.headlines import NO_NEWS, SHOWN_BEFORE, NewsBefore, Press, Tones, moment_of
from functions.record.scoring.types import Call
from functions.record.store.headlines import tones_of_tag
from functions.record.store.scorecards import kept_calls_of_channel
from functions.runtime.clock import timestamp
from functions.runtime.concurrency import for_each

Published = tuple[str, str, str | None]
"""A ticker and the publication of a call: calls that share both have the same news before them."""


class ScoredPress(Press):
    """The headlines before the calls of the last score, and those of newer calls."""

    def __init__(self, scored: Mapping[Published, NewsBefore | None], newer: Press) -> None:
        super().__init__({})
        self._scored = scored
        self._newer = newer

    def before(self, call: Call, period: timedelta) -> NewsBefore | None:
        assert period == SHOWN_BEFORE, "the score stores the headlines of one period"
        published = _published(call)
        return self._scored[published] if published in self._scored else self._newer.before(call, period)


def press_before(calls: Sequence[Call]) -> Press:
    """One query for each stock, from a week before its first call to its last."""
    times: dict[str, list[datetime]] = {}
    for call in calls:
        times.setdefault(call.ticker, []).append(moment_of(call))
    if not times:
        return NO_NEWS

    def tones(ticker: str) -> Tones:
        since, until = min(times[ticker]) - SHOWN_BEFORE, max(times[ticker])
        found = tones_of_tag(ticker, timestamp(since), timestamp(until))
        return [(published, tone) for published, tone in found if tone is not None]

    return Press(dict(zip(times, for_each(tones, times), strict=True)))


def press_of_channel(channel_id: str, calls: Sequence[Call]) -> Press:
    """The headlines before calls of a channel, in one request where its last score knows all of them."""
    kept = kept_calls_of_channel(channel_id)
    scored = dict(_scored_news(unpack(kept.news))) if kept and kept.news else {}
    return ScoredPress(scored, press_before([call for call in calls if _published(call) not in scored]))


def news_rows(calls: Iterable[Call], press: Press) -> list[Any]:
    """The news before each call in the form that is stored with a score."""
    found = {_published(call): press.before(call, SHOWN_BEFORE) for call in calls}
    return [
        [*published, [news.positive, news.neutral, news.negative] if news else None]
        for published, news in found.items()
    ]


def _scored_news(rows: Iterable[Any]) -> Iterable[tuple[Published, NewsBefore | None]]:
    return (((ticker, day, time), NewsBefore(*tones) if tones else None) for ticker, day, time, tones in rows)


def _published(call: Call) -> Published:
    return call.ticker, call.published_at, call.published_time
