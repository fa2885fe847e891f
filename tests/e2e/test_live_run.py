"""Live providers over real HTTP: the server against stand-ins for YouTube and Yahoo."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, date
from pathlib import Path
from typing import Any

import pytest

from functions.runtime.clock import timestamp
from local.engine import ROOT, dynoxide_binary
from tests.conftest import cannot_run
from tests.e2e.server import Server
from tests.fakes import eventually
from tests.live_services import WITHHELD, LiveServices, in_new_york, last_weekdays, slow_down

BUY_APPLE = "I'm buying Apple this week. Apple is a strong buy for me."
BUY_MICROSOFT = "I'm buying Microsoft this week. Microsoft is a strong buy."
BUY_AMAZON = "I'm buying Amazon today. Amazon is a strong buy for me."
URL = "https://www.youtube.com/@LiveChannel"

DAYS_PASS = """
import sys
from dataclasses import replace
from pathlib import Path
from functions.runtime.dynamodb.attributes import encode
from functions.runtime.dynamodb.tables import pace_key
from functions.runtime.dynamodb.connection import dynamodb, main_table
from functions.record.store.price_series import due_series, save_header
from local.engine import using_data
with using_data(Path(sys.argv[1])):
    for header in due_series("9999", 100):
        save_header(replace(header, next_check_at="2020-01-01T00:00:00.000Z"))
    dynamodb().delete_item(TableName=main_table(), Key=encode(pace_key("Yahoo")))
"""
"""Makes every series due, as it is after the next close, and ends the pause after a refusal."""


@pytest.fixture
def services() -> Iterator[LiveServices]:
    services = LiveServices()
    yield services
    services.close()


class HurriedServer(Server):
    module = "tests.e2e.hurried"


class Product:
    """The server on one data folder, which may be stopped and started again."""

    def __init__(self, data: Path, services: LiveServices) -> None:
        self._data = data
        self._services = services
        self.server = self._started()
        self.channel_id = ""

    def _started(self) -> Server:
        return HurriedServer(self._data, **self._services.settings())

    def add_channel(self) -> Any:
        status, channel = self.server.request("POST", "/api/channels", {"url": URL, "time_range_months": 12})
        assert status == 201
        self.channel_id = channel["id"]
        return self.server.ended(self.channel_id)

    def process_again(self) -> Any:
        assert self.server.request("POST", f"/api/channels/{self.channel_id}/process")[0] == 200
        return self.server.ended(self.channel_id)

    def let_days_pass(self) -> None:
        """Stops the server for some days."""
        self.server.stop()
        environment = {name: value for name, value in os.environ.items() if not name.startswith("DYNAMODB_")}
        subprocess.run([sys.executable, "-c", DAYS_PASS, str(self._data)], cwd=ROOT, env=environment, check=True)
        self.server = self._started()

    def stock(self, ticker: str) -> Any:
        stocks = self.server.get(f"/api/channels/{self.channel_id}/stocks")["stocks"]
        return next(stock for stock in stocks if stock["ticker"] == ticker)

    def mention(self, ticker: str) -> Any:
        (mention,) = self.server.get(f"/api/channels/{self.channel_id}/stocks/{ticker}")["mentions"]
        return mention

    def log(self) -> list[str]:
        return [line["message"] for line in self.server.get(f"/api/channels/{self.channel_id}/logs")["logs"]]


@pytest.fixture
def product(tmp_path: Path, services: LiveServices) -> Iterator[Product]:
    if not dynoxide_binary().exists():
        cannot_run("the embedded engine is not installed, and no other keeps its data")
    product = Product(tmp_path / "data", services)
    yield product
    product.server.stop(signal.SIGKILL)


def test_a_video_is_priced_with_the_last_close_before_its_time_though_its_sources_throttle(
    services: LiveServices, product: Product
) -> None:
    before, day, *_, last = last_weekdays(6)
    services.list_shares("AAPL", "MSFT", last_day=last)
    services.publish("evening0000", in_new_york(day, 20, 30), BUY_APPLE)
    services.publish("morning0000", in_new_york(day, 8, 15), BUY_MICROSOFT)
    services.caption_faults = [WITHHELD]
    services.yahoo_faults = [slow_down(1), slow_down(2)]

    channel = product.add_channel()

    apple, microsoft = product.mention("AAPL"), product.mention("MSFT")
    assert channel["status"] == "completed"
    assert (channel["video_count"], channel["processed_video_count"]) == (2, 2)
    assert apple["video"]["published_at"] == microsoft["video"]["published_at"] == day.isoformat()
    assert apple["video"]["published_time"] == timestamp(in_new_york(day, 20, 30).astimezone(UTC))
    assert apple["price_at_mention"] == services.closes["AAPL"][day]
    assert microsoft["price_at_mention"] == services.closes["MSFT"][before]
    assert product.stock("AAPL")["current_price"] == services.closes["AAPL"][last]
    assert [line for line in product.log() if "withholds captions" in line]
    # One for each ticker and the benchmark, which may come last, and two that were refused.
    eventually(lambda: sum(services.series_requests().values()) >= 3 + 3)
    assert sum(services.series_requests().values()) == 3 + 3


def test_a_split_between_two_runs_restates_what_was_said_before_it(services: LiveServices, product: Product) -> None:
    said, *_, last, next_day = last_weekdays(200)
    services.list_shares("AMZN", "AAPL", last_day=last)
    services.publish("longago0000", in_new_york(said, 18), BUY_AMAZON)
    product.add_channel()
    before = product.stock("AMZN")
    assert before["price_at_first_mention"] == services.closes["AMZN"][said]
    services.split("AMZN", next_day, 20)
    services.publish("newest00000", in_new_york(last, 18), BUY_APPLE)

    product.let_days_pass()
    product.process_again()

    eventually(lambda: product.stock("AMZN")["price_at_first_mention"] != before["price_at_first_mention"])
    after = product.stock("AMZN")
    assert after["price_at_first_mention"] == pytest.approx(before["price_at_first_mention"] / 20)
    assert after["current_price"] == pytest.approx(services.closes["AMZN"][next_day])
    assert after["price_change_percent"] == pytest.approx(before["price_change_percent"])
    assert product.log().count("AMZN split 20:1: 1 price restated.") == 1


def test_a_blocked_source_costs_no_video_and_is_told_in_the_log_and_the_api(
    services: LiveServices, product: Product
) -> None:
    day, *_, last = last_weekdays(6)
    services.list_shares("AAPL", last_day=last)
    services.publish("evening0000", in_new_york(day, 20, 30), BUY_APPLE)
    services.yahoo_is_blocked = True

    channel = product.add_channel()

    assert (channel["status"], channel["processed_video_count"]) == ("completed", 1)
    assert product.mention("AAPL")["price_at_mention"] is None
    assert product.mention("AAPL")["price_problem"] == product.stock("AAPL")["price_problem"] == "blocked"
    assert [line for line in product.log() if "1 price missing: The price source refuses our requests (AAPL)" in line]
    services.yahoo_is_blocked = False
    product.let_days_pass()
    eventually(lambda: product.mention("AAPL")["price_at_mention"] == _close(services, day))


def _close(services: LiveServices, day: date) -> float:
    return services.closes["AAPL"][day]
