"""The news before a call: the number of headlines of each tone, and if the call follows them."""

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from functions.record.models.tones import NewsSentiment
from functions.record.scoring.types import Call
from functions.runtime.clock import timestamp
from functions.runtime.new_york import NEW_YORK

SHOWN_BEFORE = timedelta(days=7)
FOLLOWED_WITHIN = timedelta(days=5)
FOLLOWED_HEADLINES = 2
"""Headlines in a call's direction before it that make it follow the news."""

Tones = Sequence[tuple[str, NewsSentiment]]
"""The timestamp and tone of each headline of a stock, oldest first."""


@dataclass(frozen=True, slots=True)
class NewsBefore:
    """The number of headlines of each tone."""

    positive: int
    neutral: int
    negative: int


class Press:
    """The headlines of some stocks."""

    def __init__(self, tones: Mapping[str, Tones]) -> None:
        self._tones = tones
        self._moments = {ticker: [moment for moment, _ in told] for ticker, told in tones.items()}

    def before(self, call: Call, period: timedelta) -> NewsBefore | None:
        """Counts a stock's headlines in a period before the call; None if there are none from that time."""
        moments = self._moments.get(call.ticker, [])
        end = moment_of(call)
        first, last = bisect_left(moments, timestamp(end - period)), bisect_left(moments, timestamp(end))
        if first == last:
            return None
        told = [tone for _, tone in self._tones[call.ticker][first:last]]
        return NewsBefore(*(told.count(tone) for tone in NewsSentiment))


NO_NEWS = Press({})


def moment_of(call: Call) -> datetime:
    """Returns when it was published; the start of the day in New York if only the date is known, since later headlines
    of that day may have come after the call."""
    if call.published_time is not None:
        return datetime.fromisoformat(call.published_time)
    return datetime.combine(date.fromisoformat(call.published_at), time(), NEW_YORK)


def follows_news_rate(calls: Iterable[Call], press: Press) -> float | None:
    """Returns the share of calls that repeat the prior coverage; None if no call has prior coverage."""
    known = [(call.side, told) for call in calls if (told := press.before(call, FOLLOWED_WITHIN))]
    follows = sum((told.positive if side > 0 else told.negative) >= FOLLOWED_HEADLINES for side, told in known)
    return follows / len(known) if known else None
