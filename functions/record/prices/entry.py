"""The price of a call by the closes of its series, or why it has none. Pure, no I/O."""

from datetime import date, datetime, timedelta

from functions.record.models.records import StockMention
from functions.record.models.series import PriceProblem, Series, SeriesHeader
from functions.record.prices.schedule import LASTING, is_settled, last_session_day, weekday_at_or_before

MAX_AGE = timedelta(days=7)
"""What is said on a weekend or holiday gets the last close before it, at most this old."""


def pricing_day(call: StockMention) -> date:
    """The newest day whose close had been known when it was said; where only its day is known, that day."""
    if call.published_time:
        return last_session_day(datetime.fromisoformat(call.published_time))
    return date.fromisoformat(call.published_at)


def price_at(call: StockMention, header: SeriesHeader | None, series: Series) -> float | PriceProblem:
    """The last close at or before the call. `series` must hold the closes of the week before it."""
    day = pricing_day(call)
    position = series.position_on(day)
    if position is None or day - series.days[position] > MAX_AGE or _may_close_later(header, day):
        return why_unpriced(call, header)
    return series.closes[position]


def why_unpriced(call: StockMention, header: SeriesHeader | None) -> PriceProblem:
    """Why a call has no price, which the header of its series tells."""
    if header is None or header.as_of is None:
        return (header and header.problem) or PriceProblem.NOT_FETCHED
    day = pricing_day(call)
    if not _reaches_back_to(header, day):
        return header.problem or PriceProblem.NOT_FETCHED
    if _may_close_later(header, day):
        return header.problem or PriceProblem.AWAITING_CLOSE
    return header.problem if header.problem in LASTING else PriceProblem.NO_TRADING


def new_price(call: StockMention, header: SeriesHeader | None, series: Series) -> float | None:
    """The price that the call should have: what the series says, or the known one while it cannot say."""
    found = price_at(call, header, series)
    if isinstance(found, PriceProblem):
        return None if found == PriceProblem.NO_TRADING else call.price_at_mention
    return found


def _may_close_later(header: SeriesHeader | None, day: date) -> bool:
    """Whether the close of that day may still come."""
    if header is None or header.as_of is None:
        return True
    is_there = (header.last_day or "") >= weekday_at_or_before(day).isoformat()
    return not is_there and not is_settled(day, datetime.fromisoformat(header.as_of))


def _reaches_back_to(header: SeriesHeader, day: date) -> bool:
    """Whether the source was asked for the week before that day."""
    return header.fetched_from is not None and header.fetched_from <= (day - MAX_AGE).isoformat()
