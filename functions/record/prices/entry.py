"""The price of a call from the closes of its series, or why it has none. Pure, no I/O."""

from datetime import date, datetime, timedelta

from functions.record.models.records import StockMention
from functions.record.models.series import PriceProblem, Series, SeriesHeader
from functions.record.prices.schedule import LASTING, is_settled, last_session_day, weekday_at_or_before

MAX_AGE = timedelta(days=7)
"""Maximum age of the close used for a call on a weekend or holiday."""


def pricing_day(call: StockMention) -> date:
    """Returns the newest day whose close was known at publication; if only the date is known, that date."""
    if call.published_time:
        return last_session_day(datetime.fromisoformat(call.published_time))
    return date.fromisoformat(call.published_at)


def price_at(call: StockMention, header: SeriesHeader | None, series: Series) -> float | PriceProblem:
    """Returns the last close at or before the call. `series` must hold the closes of the week before it."""
    day = pricing_day(call)
    position = series.position_on(day)
    if position is None or day - series.days[position] > MAX_AGE or _may_close_later(header, day):
        return why_unpriced(call, header)
    return series.closes[position]


def why_unpriced(call: StockMention, header: SeriesHeader | None) -> PriceProblem:
    """Returns why a call has no price, according to the header of its series."""
    if header is None or header.as_of is None:
        return (header and header.problem) or _why_not_fetched(call.ticker)
    day = pricing_day(call)
    if not _reaches_back_to(header, day):
        return header.problem or PriceProblem.NOT_FETCHED
    if _may_close_later(header, day):
        return header.problem or PriceProblem.AWAITING_CLOSE
    return header.problem if header.problem in LASTING else PriceProblem.NO_TRADING


def _why_not_fetched(ticker: str) -> PriceProblem:
    # Imported when it is needed: most functions never look a ticker up.
    from functions.reading.company_names import is_known_ticker

    return PriceProblem.NOT_FETCHED if is_known_ticker(ticker) else PriceProblem.UNKNOWN_TICKER


def new_price(call: StockMention, header: SeriesHeader | None, series: Series) -> float | None:
    """Returns the price the call should have: from the series, or the known one while the series can't tell."""
    found = price_at(call, header, series)
    if isinstance(found, PriceProblem):
        return None if found == PriceProblem.NO_TRADING else call.price_at_mention
    return found


def _may_close_later(header: SeriesHeader | None, day: date) -> bool:
    """True if the close of that day may still arrive."""
    if header is None or header.as_of is None:
        return True
    is_there = (header.last_day or "") >= weekday_at_or_before(day).isoformat()
    return not is_there and not is_settled(day, datetime.fromisoformat(header.as_of))


def _reaches_back_to(header: SeriesHeader, day: date) -> bool:
    """True if the week before that day was requested from the source."""
    return header.fetched_from is not None and header.fetched_from <= (day - MAX_AGE).isoformat()
