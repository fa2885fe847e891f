"""The stored news around calls."""

from collections.abc import Sequence
from datetime import datetime

from functions.record.scoring.headlines import NO_NEWS, SHOWN_BEFORE, Press, Tones, moment_of
from functions.record.scoring.types import Call
from functions.record.store.headlines import tones_of_tag
from functions.runtime.clock import timestamp
from functions.runtime.concurrency import for_each


def press_before(calls: Sequence[Call]) -> Press:
    """Runs one query per stock, from a week before its first call to its last."""
    moments: dict[str, list[datetime]] = {}
    for call in calls:
        moments.setdefault(call.ticker, []).append(moment_of(call))
    if not moments:
        return NO_NEWS

    def tones(ticker: str) -> Tones:
        since, until = min(moments[ticker]) - SHOWN_BEFORE, max(moments[ticker])
        told = tones_of_tag(ticker, timestamp(since), timestamp(until))
        return [(moment, tone) for moment, tone in told if tone is not None]

    return Press(dict(zip(moments, for_each(tones, moments), strict=True)))
