"""A thousand writes at once, read while they come in: no error, and every one is there."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest

from functions.core.models import LogLevel
from functions.logic import channels
from functions.store.channels import count_channels, create_channel
from functions.store.logs import logs_of_channel, write_log
from tests.builders import a_channel

WRITES = 1000
WRITERS, READERS = 24, 8

pytestmark = pytest.mark.usefixtures("concurrent_tables")


def test_a_thousand_channels_are_written_while_they_are_read() -> None:
    all_written = Event()

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

    assert count_channels() == WRITES
    assert all(reads)


def test_lines_written_to_one_log_at_once_are_all_there_in_order() -> None:
    channel = a_channel()
    create_channel(channel)

    with ThreadPoolExecutor(WRITERS) as writers:
        list(writers.map(lambda number: write_log(channel.id, LogLevel.INFO, f"line {number}"), range(300)))

    lines = logs_of_channel(channel.id, consistent=True)
    assert {line.message for line in lines} == {f"line {number}" for number in range(300)}
    assert [line.id for line in lines] == sorted({line.id for line in lines})
