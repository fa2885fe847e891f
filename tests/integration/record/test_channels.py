"""Channels: found, listed, created once and deleted with all below them."""

from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from threading import Event
from typing import Any

import pytest

from functions.reading.terms import Exchange
from functions.record.errors import ChannelAlreadyExists, ChannelNotFound, ChannelNotProcessing, RunEnded
from functions.record.models.records import Channel, ChannelStatus, LogLevel
from functions.record.store import channels, logs, mentions, runs, stocks, videos
from functions.runtime.dynamodb import requests
from functions.runtime.dynamodb import tables as keys
from functions.runtime.dynamodb.attributes import Item, encode
from functions.runtime.dynamodb.connection import dynamodb, main_table
from functions.runtime.dynamodb.requests import Action, ConditionNotMet
from tests.builders import a_channel, a_video, commit, in_a_run
from tests.partitions import guard, partition, snapshot

InThreads = Callable[[int, Callable[[int], object]], list[object]]

pytestmark = pytest.mark.usefixtures("tables")


class TestFinding:
    def test_a_channel_is_found_by_its_id(self) -> None:
        channel = a_channel(thumbnail_url="https://img/1.jpg", video_count=3)
        channels.create_channel(channel)

        assert channels.channel_by_id(channel.id) == channel
        assert channels.channel_by_id(channel.id, consistent=True) == channel

    def test_an_unknown_id_finds_nothing(self) -> None:
        assert channels.channel_by_id("nobody") is None

    def test_a_channel_is_found_by_its_youtube_id(self) -> None:
        channel = a_channel("one")
        channels.create_channel(channel)
        channels.create_channel(a_channel("two"))

        assert channels.channel_by_youtube_id("handle:one") == channel
        assert channels.channel_by_youtube_id("handle:three") is None

    def test_the_holder_is_found_by_any_way_of_writing_it(self) -> None:
        by_handle, by_id = a_channel("Ünïcode.Name"), a_channel(youtube_channel_id="channel_id:UCaB")
        channels.create_channel(by_handle)
        channels.create_channel(by_id)

        assert channels.holder_of("handle:ÜNÏCODE.name") == by_handle.id
        assert channels.holder_of("UCaB") == by_id.id
        assert channels.holder_of("UCAB") is None


class TestListing:
    def test_channels_come_newest_first_by_page(self) -> None:
        created = [a_channel(f"c{day}", created_at=f"2025-01-{day:02d}T00:00:00.000Z") for day in range(1, 8)]
        for channel in created:
            channels.create_channel(channel)

        first = channels.newest_channels(3)
        second = channels.newest_channels(3, first.next_key)
        third = channels.newest_channels(3, second.next_key)

        listed = [*first.items, *second.items, *third.items]
        assert listed == created[::-1]
        assert third.next_key is None
        assert channels.count_channels() == 7

    def test_a_last_page_that_is_full_says_that_it_is_the_last(self) -> None:
        for day in range(1, 5):
            channels.create_channel(a_channel(created_at=f"2025-01-{day:02d}T00:00:00.000Z"))

        page = channels.newest_channels(4)

        assert len(page.items) == 4
        assert page.next_key is None

    def test_no_channels_are_an_empty_page(self) -> None:
        page = channels.newest_channels(20)

        assert (page.items, page.next_key, channels.count_channels()) == ([], None, 0)

    def test_channels_of_one_millisecond_are_all_listed_once(self) -> None:
        timestamp = "2025-01-01T00:00:00.000Z"
        created = [a_channel(created_at=timestamp) for _ in range(5)]
        for channel in created:
            channels.create_channel(channel)

        first = channels.newest_channels(2)
        second = channels.newest_channels(2, first.next_key)
        third = channels.newest_channels(2, second.next_key)

        listed = [channel.id for page in (first, second, third) for channel in page.items]
        assert sorted(listed) == sorted(channel.id for channel in created)

    def test_a_numbered_page_is_found_behind_many_pages_of_the_engine(self) -> None:
        long_url = "https://img/" + "x" * 150_000
        created = [
            a_channel(created_at=f"2025-01-{day:02d}T00:00:00.000Z", thumbnail_url=long_url) for day in range(1, 25)
        ]
        for channel in created:
            channels.create_channel(channel)

        pages = [channels.channels_on_page(page, per_page=1) for page in range(1, 26)]

        assert pages == [*([channel] for channel in reversed(created)), []]

    @pytest.mark.usefixtures("concurrent_tables")
    def test_a_page_and_the_total_cost_the_same_with_few_and_with_many_channels(
        self, requests_made: Counter[str], items_read: list[int], in_threads: InThreads
    ) -> None:
        costs = []
        for each_adds in (1, 9):
            in_threads(20, lambda _, adds=each_adds: [channels.create_channel(a_channel()) for _ in range(adds)])
            requests_made.clear()
            items_read.clear()

            page, total = channels.channels_on_page(1, per_page=20), channels.count_channels()

            costs.append((dict(requests_made), sum(items_read)))
            assert len(page) == 20
        assert total == 200
        assert costs == [({"Query": 1, "GetItem": 1}, 20 + 1)] * 2


class TestCounting:
    def test_only_what_is_created_and_deleted_is_counted(self) -> None:
        first, second = a_channel("first"), a_channel("second")
        channels.create_channel(first)
        channels.create_channel(second)
        with pytest.raises(ChannelAlreadyExists):
            channels.create_channel(a_channel("SECOND"))
        assert counter() == 2

        channels.delete_channel(first.id)
        with pytest.raises(ChannelNotFound):
            channels.delete_channel(first.id)

        assert counter() == channels.count_channels() == 1

    @pytest.mark.usefixtures("concurrent_tables")
    def test_channels_created_and_deleted_at_once_are_each_counted_once(self, in_threads: InThreads) -> None:
        created = [a_channel() for _ in range(20)]

        outcomes = in_threads(20, lambda number: channels.create_channel(created[number]))
        assert outcomes == [None] * 20
        assert counter() == 20

        in_threads(20, lambda number: channels.delete_channel(created[number % 5].id))

        assert counter() == 15

    @pytest.mark.parametrize("step", range(6))
    def test_a_delete_that_died_half_way_and_is_repeated_counts_once(
        self, step: int, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        doomed, _ = a_filled_channel("doomed"), a_filled_channel("other")
        with monkeypatch.context() as patched:
            die_at(step, patched)
            with pytest.raises(Killed):
                channels.delete_channel(doomed[0])
        assert counter() == 2

        channels.delete_channel(doomed[0])

        assert counter() == 1

    @pytest.mark.usefixtures("concurrent_tables")
    def test_data_older_than_the_counter_is_counted_once_when_it_first_changes(self, in_threads: InThreads) -> None:
        old, new = [a_channel() for _ in range(5)], [a_channel() for _ in range(10)]
        for channel in old:
            channels.create_channel(channel)
        drop_counter()
        assert channels.count_channels() == 5
        assert counter() is None

        def change(number: int) -> None:
            if number < len(new):
                channels.create_channel(new[number])
            else:
                channels.delete_channel(old[number - len(new)].id)

        outcomes = in_threads(12, change)

        assert outcomes == [None] * 12
        assert counter() == channels.count_channels() == 13

    def test_the_counter_is_started_once(self) -> None:
        channels.create_channel(a_channel())
        drop_counter()

        channels.ensure_channel_counter()
        channels.create_channel(a_channel())
        channels.ensure_channel_counter()

        assert counter() == 2

    def test_a_counter_that_changed_meanwhile_is_not_overwritten(self) -> None:
        channels.create_channel(a_channel())
        channels.create_channel(a_channel())

        assert not channels.set_channel_counter(5, replacing=1)
        assert not channels.set_channel_counter(5, replacing=None)
        assert counter() == 2
        assert channels.set_channel_counter(5, replacing=2)
        assert counter() == 5


class TestCreating:
    def test_the_channel_and_its_guard_are_written(self) -> None:
        channel = a_channel("Finance")

        channels.create_channel(channel)

        found = guard("handle:finance")
        assert found and found["channel_id"] == channel.id

    @pytest.mark.usefixtures("concurrent_tables")
    def test_of_twenty_who_create_one_channel_one_succeeds(self, in_threads: InThreads) -> None:
        contenders = [a_channel("finance") for _ in range(20)]

        outcomes = in_threads(20, lambda number: channels.create_channel(contenders[number]))

        assert Counter(map(type, outcomes)) == {type(None): 1, ChannelAlreadyExists: 19}
        winner = contenders[outcomes.index(None)]
        assert channels.newest_channels(20).items == [winner]
        assert {outcome.existing_id for outcome in outcomes if isinstance(outcome, ChannelAlreadyExists)} == {winner.id}

    def test_the_second_is_told_of_the_first_and_writes_nothing(self) -> None:
        first, second = a_channel("Finance"), a_channel("fiNANCE")
        channels.create_channel(first)

        with pytest.raises(ChannelAlreadyExists, match=first.id):
            channels.create_channel(second)

        assert channels.channel_by_id(second.id, consistent=True) is None

    def test_a_channel_that_failed_at_one_guard_takes_none(self) -> None:
        channels.create_channel(a_channel(youtube_channel_id="channel_id:UC123"))

        with pytest.raises(ChannelAlreadyExists):
            channels.create_channel(a_channel("finance", guards=("handle:finance", "UC123")))

        assert guard("handle:finance") is None

    def test_an_update_holds_only_under_its_condition(self) -> None:
        channel = a_channel()
        channels.create_channel(channel)

        changed = channels.update_channel(
            channel.id, "SET #status = :failed", "#status = :pending", {"failed": "failed", "pending": "pending"}
        )

        assert changed.status == ChannelStatus.FAILED
        with pytest.raises(ConditionNotMet, match="not in the state"):
            channels.update_channel(
                channel.id, "SET #status = :failed", "#status = :pending", {"failed": "failed", "pending": "pending"}
            )
        with pytest.raises(ConditionNotMet, match="no such item"):
            channels.update_channel("nobody", "SET #name = :name", "attribute_exists(PK)", {"name": "x"})
        assert partition(keys.channel_pk("nobody")) == {}


class TestDeleting:
    def test_nothing_is_left_of_a_channel_and_the_rest_is_untouched(self) -> None:
        doomed, other = a_filled_channel("doomed"), a_filled_channel("other")
        stocks.describe_stock("AAPL", "Apple Inc.", Exchange.NASDAQ)
        stocks.set_stock_price("AAPL", 200.5, "2025-01-01T00:00:00.000Z")
        before = snapshot(*other)

        channels.delete_channel(doomed[0])

        assert_nothing_left_of(*doomed, guards=["handle:doomed", "UCdoomed"])
        assert snapshot(*other) == before
        assert guard("handle:other") and guard("UCother")
        assert [mention.channel_id for mention in mentions.mentions_of_ticker("AAPL")] == [other[0]] * 3
        stock = stocks.stock_by_ticker("AAPL")
        assert stock and stock.last_price == 200.5

    def test_an_unknown_channel_cannot_be_deleted(self) -> None:
        with pytest.raises(ChannelNotFound, match="nobody"):
            channels.delete_channel("nobody")

        assert snapshot("nobody", []) == {}

    def test_a_deleted_channel_can_be_created_again(self) -> None:
        channel = a_channel("finance")
        channels.create_channel(channel)
        channels.delete_channel(channel.id)

        again = a_channel("finance")
        channels.create_channel(again)

        assert channels.holder_of("handle:finance") == again.id

    def test_a_delete_reads_its_keys_consistently(self, requests_sent: list[dict[str, Any]]) -> None:
        """Else what a run wrote a moment ago would be left. The embedded engine is always consistent."""
        doomed, _ = a_filled_channel("doomed")
        requests_sent.clear()

        channels.delete_channel(doomed)

        queries = [request for request in requests_sent if "KeyConditionExpression" in request]
        assert len(queries) == 1 + 4
        assert all(request["ConsistentRead"] for request in queries)

    @pytest.mark.parametrize("step", range(6))
    def test_a_delete_that_died_half_way_is_finished_by_repeating_it(
        self, step: int, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        doomed, other = a_filled_channel("doomed"), a_filled_channel("other")
        before = snapshot(*other)

        with monkeypatch.context() as patched:
            die_at(step, patched)
            with pytest.raises(Killed):
                channels.delete_channel(doomed[0])
        assert channels.channel_by_id(doomed[0]) is not None
        channels.delete_channel(doomed[0])

        assert_nothing_left_of(*doomed, guards=["handle:doomed", "UCdoomed"])
        assert snapshot(*other) == before

    def test_a_channel_that_is_half_deleted_takes_no_writes(self, monkeypatch: pytest.MonkeyPatch) -> None:
        channel = a_channel()
        run_id, (video, late) = in_a_run(channel, videos=2)
        commit(run_id, video, "AAPL")
        with monkeypatch.context() as patched:
            die_at(1, patched)
            with pytest.raises(Killed):
                channels.delete_channel(channel.id)
        before = snapshot(channel.id, [video.id, late.id])

        logs.write_log(channel.id, LogLevel.INFO, "Too late")
        with pytest.raises(ChannelNotFound):
            runs.claim_run(channel.id, "next")
        with pytest.raises(ChannelNotProcessing):
            runs.cancel_run(channel.id, "Cancelled")
        with pytest.raises(RunEnded):
            commit(run_id, late, "AAPL")
        with pytest.raises(RunEnded):
            runs.add_videos(channel.id, run_id, [a_video(channel.id, "stranger")])
        with pytest.raises(RunEnded):
            runs.identify_channel(channel.id, run_id, "UC123", "Name", None)

        assert snapshot(channel.id, [video.id, late.id]) == before
        assert guard("UC123") is None

    @pytest.mark.usefixtures("concurrent_tables")
    def test_a_delete_while_four_threads_commit_leaves_nothing(self) -> None:
        channel = a_channel("doomed")
        run_id, listed = in_a_run(channel, videos=200)
        under_way = Event()

        def work(number: int) -> type[BaseException] | None:
            for video in listed[number::4]:
                try:
                    commit(run_id, video, "AAPL", "MSFT")
                except RunEnded as ended:
                    return type(ended)
                under_way.set()
            return None

        with ThreadPoolExecutor(4) as threads:
            outcomes = threads.map(work, range(4))
            assert under_way.wait(30)
            channels.delete_channel(channel.id)

        assert set(outcomes) == {RunEnded}
        assert_nothing_left_of(channel.id, [video.id for video in listed], guards=["handle:doomed"])

    @pytest.mark.usefixtures("concurrent_tables")
    def test_of_those_who_delete_at_once_all_succeed_or_find_nothing(self, in_threads: InThreads) -> None:
        channel_id, video_ids = a_filled_channel("doomed")

        outcomes = in_threads(8, lambda _: channels.delete_channel(channel_id))

        assert set(map(type, outcomes)) <= {type(None), ChannelNotFound}
        assert_nothing_left_of(channel_id, video_ids, guards=["handle:doomed", "UCdoomed"])

    def test_a_slow_delete_spares_the_guard_of_a_channel_that_came_after(self, monkeypatch: pytest.MonkeyPatch) -> None:
        doomed = a_channel("finance")
        channels.create_channel(doomed)
        successor = a_channel("finance")
        read_keys = channels._keys

        def overtaken(partition: str) -> list[Item]:
            """Another delete ends, and the channel is added again, while this one still reads."""
            found = read_keys(partition)
            with monkeypatch.context() as patched:
                patched.setattr(channels, "_keys", read_keys)
                channels.delete_channel(doomed.id)
            channels.create_channel(successor)
            return found

        with monkeypatch.context() as patched:
            patched.setattr(channels, "_keys", overtaken)
            channels.delete_channel(doomed.id)

        assert channels.holder_of("handle:finance") == successor.id
        assert channels.channel_by_id(successor.id) == successor

    def test_a_delete_that_was_overtaken_by_another_is_done(self, monkeypatch: pytest.MonkeyPatch) -> None:
        channel = a_channel("finance")
        channels.create_channel(channel)
        read_keys = channels._keys

        def overtaken(partition: str) -> list[Item]:
            with monkeypatch.context() as patched:
                patched.setattr(channels, "_keys", read_keys)
                channels.delete_channel(channel.id)
            return read_keys(partition)

        with monkeypatch.context() as patched:
            patched.setattr(channels, "_keys", overtaken)
            channels.delete_channel(channel.id)

        assert_nothing_left_of(channel.id, [], guards=["handle:finance"])


def a_filled_channel(name: str) -> tuple[str, list[str]]:
    """A channel with three committed videos, one to come, mentions, log lines and two guards: its id, its videos'."""
    channel = a_channel(name)
    run_id, listed = in_a_run(channel, videos=4)
    runs.identify_channel(channel.id, run_id, f"UC{name}", name.title(), None)
    for video in listed[:3]:
        commit(run_id, video, "AAPL", "MSFT", "NVDA")
    return channel.id, [video.id for video in listed]


def counter() -> int | None:
    item = dynamodb().get_item(TableName=main_table(), Key=encode(keys.CHANNEL_COUNTER_KEY)).get("Item")
    return int(item["total"]["N"]) if item else None


def drop_counter() -> None:
    dynamodb().delete_item(TableName=main_table(), Key=encode(keys.CHANNEL_COUNTER_KEY))


class Killed(Exception):
    """The process that deleted is gone."""


def die_at(fatal: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets a delete do part of its step of that number and no more: the mark, mentions, what is below, a guard each,
    itself."""
    steps = count()
    really_delete, really_release, really_transact = requests.batch_delete, channels._release, requests.transact

    def batch_delete(table: str, found: Iterable[Item]) -> None:
        if next(steps) == fatal:
            really_delete(table, list(found)[:2])
            raise Killed
        really_delete(table, found)

    def release(youtube_channel_id: str, channel_id: str) -> None:
        if next(steps) == fatal:
            raise Killed
        really_release(youtube_channel_id, channel_id)

    def transact(actions: list[Action]) -> None:
        if next(steps) == fatal:
            raise Killed
        really_transact(actions)

    monkeypatch.setattr(channels, "transact", transact)
    monkeypatch.setattr(channels, "batch_delete", batch_delete)
    monkeypatch.setattr(channels, "_release", release)


def assert_nothing_left_of(channel_id: str, video_ids: list[str], *, guards: list[str]) -> None:
    assert snapshot(channel_id, video_ids) == {}
    assert [guard(youtube_id) for youtube_id in guards] == [None] * len(guards)
    assert videos.videos_of_channel(channel_id) == []
    assert mentions.mentions_of_channel(channel_id) == []
    assert logs.logs_of_channel(channel_id) == []
    everything = dynamodb().query(
        TableName=main_table(),
        IndexName=keys.BY_TICKER_OR_LISTING.name,
        KeyConditionExpression="GSI1PK = :pk",
        ExpressionAttributeValues={":pk": {"S": keys.ALL_CHANNELS}},
    )["Items"]
    assert channel_id not in [Channel.from_item(item).id for item in everything]
