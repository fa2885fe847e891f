"""The timestamp of a price: now, or the last day of a source that ends in the past."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from functions.record.models.records import Stock
from functions.record.prices import current as prices
from functions.record.sources import selection
from functions.record.sources.protocols import Quote
from functions.runtime.clock import timestamp
from functions.runtime.new_york import market_day
from functions.runtime.provider_errors import Nonsense
from functions.runtime.settings import settings


def test_the_demos_prices_carry_the_demos_day() -> None:
    assert prices.price_timestamp() == "2022-12-28T23:59:59.999Z"


@pytest.mark.parametrize("days_ago", [0, 1])
def test_a_live_price_is_as_of_now(monkeypatch: pytest.MonkeyPatch, days_ago: int) -> None:
    """Yesterday is still today in New York, some hours long."""
    day = datetime.now(UTC).date() - timedelta(days=days_ago)
    monkeypatch.setattr(selection, "last_price_day", lambda: day)

    before, priced_at, after = timestamp(datetime.now(UTC)), prices.price_timestamp(), datetime.now(UTC)

    assert before <= priced_at <= timestamp(after)


@pytest.mark.parametrize("source", ["tiingo", "finnhub", "yahoo"])
def test_the_day_of_a_live_source_is_known_without_its_key(monkeypatch: pytest.MonkeyPatch, source: str) -> None:
    live = replace(settings(), providers=replace(settings().providers, prices=source), keys={}, secret_id=None)
    monkeypatch.setattr(selection, "settings", lambda: live)

    assert selection.last_price_day() == market_day(datetime.now(UTC))


def test_the_demos_price_stays_fresh() -> None:
    fetched = Stock("AAPL", last_price=126.0, price_updated_at=prices.price_timestamp())

    assert prices.is_fresh(fetched)
    assert not prices.is_fresh(Stock("AAPL", last_price=126.0, price_updated_at="2022-12-27T00:00:00.000Z"))


class SourceThatQuotes:
    def __init__(self, day: date) -> None:
        self._day = day

    def quote(self, ticker: str) -> Quote:
        return Quote(120.0, self._day)


def test_a_quote_of_a_day_to_come_is_nonsense(monkeypatch: pytest.MonkeyPatch) -> None:
    today = datetime.now(UTC).date()
    monkeypatch.setattr(prices, "prices", lambda: SourceThatQuotes(today))
    assert prices.quote("AAPL").as_of == today

    day = today + timedelta(days=2)
    monkeypatch.setattr(prices, "prices", lambda: SourceThatQuotes(day))
    with pytest.raises(Nonsense, match=day.isoformat()):
        prices.quote("AAPL")
