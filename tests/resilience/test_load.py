"""A hundred writes and a hundred reads a second: no error, nothing lost, nothing twice.

Requests are sent at fixed times, whether or not the responses keep up. How fast those come is printed and never
asserted: it depends on the machine.
"""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import TypeVar

import httpx
import pytest

from functions.record.channels import channels
from functions.record.models.records import LogLevel
from functions.record.store.channels import count_channels, create_channel
from functions.record.store.logs import logs_of_channel, write_log
from tests.builders import a_channel
from tests.contract.steps import all_channels, finished
from tests.local_server import MAX_WAIT_SECONDS, running_server
from tests.soak import times

WRITES = times(short=200, long=1000)
WRITERS, READERS = 24, 2
REQUESTS_PER_SECOND = 100
READ_SECONDS = times(short=2, long=5)
MAX_AT_ONCE = 64

Result = TypeVar("Result")


@pytest.fixture(scope="module")
def api(scored_demo: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """The product with its demo channels, all of them processed."""
    limits = httpx.Limits(max_connections=MAX_AT_ONCE, max_keepalive_connections=MAX_AT_ONCE)
    with (
        running_server(tmp_path_factory.mktemp("load"), scored_demo, DEMO_PAUSE_SECONDS="0") as server,
        httpx.Client(base_url=server.base_url, timeout=MAX_WAIT_SECONDS, trust_env=False, limits=limits) as client,
    ):
        for channel in all_channels(client):
            finished(client, channel)
        yield client


def paced(what: str, count: int, send: Callable[[int], Result]) -> list[Result]:
    """Sends this many requests at a steady rate, and prints the rate at which responses came."""
    began = time.monotonic()

    def send_in_time(number: int) -> Result:
        time.sleep(max(0.0, began + number / REQUESTS_PER_SECOND - time.monotonic()))
        return send(number)

    with ThreadPoolExecutor(MAX_AT_ONCE) as threads:
        responses = list(threads.map(send_in_time, range(count)))
    seconds = time.monotonic() - began
    print(f"{count} {what} in {seconds:.1f} s: {count / seconds:.0f} a second of {REQUESTS_PER_SECOND} sent")
    return responses


def test_a_hundred_reads_a_second_all_get_the_same_responses(api: httpx.Client) -> None:
    channel = all_channels(api)[0]["id"]
    paths = [
        "/api/channels",
        f"/api/channels/{channel}",
        f"/api/channels/{channel}/stocks",
        f"/api/channels/{channel}/timeline",
        f"/api/channels/{channel}/logs",
        "/api/stocks/AAPL/price",
        "/health",
    ]
    known = {path: api.get(path).json() for path in paths}

    responses = paced("reads", READ_SECONDS * REQUESTS_PER_SECOND, lambda number: api.get(paths[number % len(paths)]))

    assert [response.status_code for response in responses] == [200] * len(responses)
    assert all(response.json() == known[paths[number % len(paths)]] for number, response in enumerate(responses))


def test_a_hundred_channels_are_added_a_second_each_once(api: httpx.Client) -> None:
    urls = [f"https://www.youtube.com/@load-{number}" for number in range(WRITES)]

    responses = paced("writes", WRITES, lambda number: api.post("/api/channels", json={"url": urls[number]}))

    assert [response.status_code for response in responses] == [201] * WRITES
    added = {channel["id"]: channel["url"] for channel in all_channels(api) if "/@load-" in channel["url"]}
    assert added == {response.json()["id"]: url for response, url in zip(responses, urls, strict=True)}


@pytest.mark.usefixtures("concurrent_tables")
def test_channels_are_written_while_they_are_read() -> None:
    all_written = Event()
    began = time.monotonic()

    def read() -> int:
        reads = 0
        while not all_written.is_set():
            page = channels.list_channels(page=1, per_page=20)
            assert len(page.items) <= 20
            reads += 1
        return reads

    with ThreadPoolExecutor(READERS) as readers, ThreadPoolExecutor(WRITERS) as writers:
        reading = [readers.submit(read) for _ in range(READERS)]
        list(writers.map(lambda number: create_channel(a_channel(f"load{number}")), range(WRITES)))
        all_written.set()
        reads = [reader.result() for reader in reading]

    seconds = time.monotonic() - began
    print(f"{WRITES} writes to the tables and {sum(reads)} reads of a page in {seconds:.1f} s")
    assert count_channels() == WRITES
    assert all(reads)


@pytest.mark.usefixtures("concurrent_tables")
def test_lines_written_to_one_log_at_once_are_all_there_in_order() -> None:
    channel = a_channel()
    create_channel(channel)

    with ThreadPoolExecutor(WRITERS) as writers:
        list(writers.map(lambda number: write_log(channel.id, LogLevel.INFO, f"line {number}"), range(300)))

    lines = logs_of_channel(channel.id, consistent=True)
    assert {line.message for line in lines} == {f"line {number}" for number in range(300)}
    assert [line.id for line in lines] == sorted({line.id for line in lines})
