"""A split after a call as the API shows it, with Yahoo on a loopback server: before it, after it, after a crash."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from functions.record.prices import current as prices
from functions.record.prices.series import update_series
from functions.record.sources import selection
from functions.record.sources.prices.yahoo import YahooPrices
from functions.record.store.price_series import save_header, whole_series_of
from functions.record.store.stocks import set_stock_price, stock_by_ticker
from functions.runtime.clock import seconds_from_now
from functions.runtime.settings import settings
from tests.builders import a_channel, commit, in_a_run
from tests.crashes import Crash, crash_at_write
from tests.events import call
from tests.fakes import ImmediateDispatcher
from tests.live_responses import chart
from tests.stub import Request, Response, Stub

CALLED, SPLIT, TODAY = date(2020, 1, 2), date(2022, 6, 6), date(2022, 6, 10)


class Yahoo:
    """Yahoo's chart endpoint: a close on each weekday, all of them in the shares of its day."""

    def __init__(self) -> None:
        self.stub = Stub()
        self.stub.everywhere(self._respond)
        self.day = SPLIT - timedelta(3)
        self.price_then, self.price_now, self.ratio = 1898.01, 226.67, 20.0
        """On the day of the call, in its shares; and today, in today's."""

    def now(self) -> datetime:
        return datetime(self.day.year, self.day.month, self.day.day, 22, tzinfo=UTC)

    def _respond(self, request: Request) -> Response:
        start, end = (datetime.fromtimestamp(int(request.query[name]), UTC).date() for name in ("period1", "period2"))
        days = (start + timedelta(number) for number in range((min(end, self.day) - start).days + 1))
        return chart({day: self._close(day) for day in days if day.weekday() < 5}, currency="USD")

    def _close(self, day: date) -> float:
        close_then = self.price_then if day == CALLED else self.price_then * 1.2
        if self.day < SPLIT:
            return close_then
        return close_then / self.ratio if day < SPLIT else self.price_now


@pytest.fixture
def yahoo(tables: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Yahoo]:
    yahoo = Yahoo()
    source = YahooPrices(yahoo.stub.url, clock=yahoo.now)
    monkeypatch.setenv("PRICES_PROVIDER", "yahoo")
    settings.cache_clear()
    monkeypatch.setattr(selection, "prices", lambda: source)
    monkeypatch.setattr(prices, "prices", lambda: source)
    monkeypatch.setattr(selection, "last_price_day", source.today)
    ImmediateDispatcher().install(monkeypatch)
    yield yahoo
    yahoo.stub.close()


def a_channel_that_called_amazon(yahoo: Yahoo) -> str:
    """Priced in the shares of the day before the split."""
    channel = a_channel()
    run_id, (video,) = in_a_run(channel, videos=1)
    commit(run_id, replace(video, published_at=CALLED.isoformat()), "AMZN", price_at_mention=None)
    call("POST", f"/api/channels/{channel.id}/backfill-prices")
    return channel.id


def split(yahoo: Yahoo) -> None:
    """The day on which the source states all closes in new shares."""
    yahoo.day = TODAY
    header, _ = whole_series_of("AMZN")
    assert header
    save_header(replace(header, next_check_at=seconds_from_now(-1)))


def amazon_in(channel_id: str) -> dict[str, Any]:
    (stock,) = call("GET", f"/api/channels/{channel_id}/stocks").json()["stocks"]
    return dict(stock)


def prices_of_mentions(channel_id: str) -> list[float]:
    mentions = call("GET", f"/api/channels/{channel_id}/stocks/amzn").json()["mentions"]
    return [mention["price_at_mention"] for mention in mentions]


def restated_lines(channel_id: str) -> list[str]:
    logs = call("GET", f"/api/channels/{channel_id}/logs").json()["logs"]
    return [line["message"] for line in logs if "restated" in line["message"]]


def test_a_call_before_a_split_keeps_its_return(yahoo: Yahoo) -> None:
    channel_id = a_channel_that_called_amazon(yahoo)
    assert prices_of_mentions(channel_id) == [1898.01]
    # What the product used to show: the price then in old shares, the price now in new ones.
    set_stock_price("AMZN", 226.67, "2022-06-10T20:00:00.000Z", as_of=TODAY)
    assert amazon_in(channel_id)["price_change_percent"] == pytest.approx(-88.1, abs=0.05)

    split(yahoo)
    update_series(["AMZN"])

    stock = amazon_in(channel_id)
    assert stock["price_at_first_mention"] == pytest.approx(94.9005)
    assert (stock["current_price"], stock["price_change_percent"]) == (226.67, pytest.approx(138.8, abs=0.06))
    assert prices_of_mentions(channel_id) == [pytest.approx(94.9005)]
    assert restated_lines(channel_id) == ["AMZN split 20:1: 1 price restated."]


def test_a_call_before_a_reverse_split_makes_no_fortune(yahoo: Yahoo) -> None:
    yahoo.price_then, yahoo.price_now, yahoo.ratio = 2.0, 24.0, 1 / 20
    channel_id = a_channel_that_called_amazon(yahoo)
    set_stock_price("AMZN", 24.0, "2022-06-10T20:00:00.000Z", as_of=TODAY)
    assert amazon_in(channel_id)["price_change_percent"] == pytest.approx(1100)

    split(yahoo)
    update_series(["AMZN"])

    stock = amazon_in(channel_id)
    assert (stock["price_at_first_mention"], stock["price_change_percent"]) == (40.0, pytest.approx(-40.0))
    assert restated_lines(channel_id) == ["AMZN split 1:20: 1 price restated."]


@pytest.mark.parametrize("write", range(1, 8))
def test_a_crash_half_way_is_made_good_by_the_next_check(yahoo: Yahoo, write: int) -> None:
    channels = [a_channel_that_called_amazon(yahoo) for _ in range(2)]
    split(yahoo)
    with pytest.raises(Crash), crash_at_write(write, "after-call"):
        update_series(["AMZN"])
    split(yahoo)

    update_series(["AMZN"])

    for channel_id in channels:
        assert amazon_in(channel_id)["price_change_percent"] == pytest.approx(138.8, abs=0.06)
        assert restated_lines(channel_id) == ["AMZN split 20:1: 1 price restated."]


def test_a_restatement_asks_the_source_for_the_ticker_once_beyond_the_daily_request(yahoo: Yahoo) -> None:
    for _ in range(3):
        a_channel_that_called_amazon(yahoo)
    yahoo.stub.requests.clear()

    split(yahoo)
    update_series(["AMZN"])

    assert len(yahoo.stub.requests) == 2
    stock = stock_by_ticker("AMZN")
    assert stock and stock.price_as_of == TODAY.isoformat()
