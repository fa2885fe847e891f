"""How the store speaks to DynamoDB: pages, batches, transactions, and what happens when part of them is handed back."""

import json
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from botocore.exceptions import ClientError

from functions.reading.terms import Exchange
from functions.record.models.records import Stock
from functions.record.store import mentions, runs, stocks, videos
from functions.runtime.dynamodb import requests
from functions.runtime.dynamodb import tables as keys
from functions.runtime.dynamodb.attributes import Item, encode
from functions.runtime.dynamodb.connection import dynamodb, main_table
from functions.runtime.dynamodb.requests import TransactionRefused
from functions.runtime.errors import BatchIncomplete
from local.entities import put_entities
from tests.builders import a_channel, a_mention, a_video, commit, finished, in_a_run
from tests.partitions import partition

pytestmark = pytest.mark.usefixtures("tables")


class Faulty:
    """The real client, but for one operation that goes through another function first."""

    def __init__(self, operation: str, instead: Callable[..., Any]) -> None:
        self.client = dynamodb()
        self.operation = operation
        self.instead = instead
        self.calls: list[dict[str, Any]] = []

    def __getattr__(self, name: str) -> Any:
        real = getattr(self.client, name)
        if name != self.operation:
            return real

        def call(**request: Any) -> Any:
            self.calls.append(request)
            return self.instead(real, len(self.calls), **request)

        return call


Inject = Callable[[str, Callable[..., Any]], Faulty]


@pytest.fixture
def inject(monkeypatch: pytest.MonkeyPatch) -> Inject:
    def install(operation: str, instead: Callable[..., Any]) -> Faulty:
        faulty = Faulty(operation, instead)
        monkeypatch.setattr(requests, "dynamodb", lambda: faulty)
        return faulty

    return install


def items(count: int, size: int = 10) -> list[Item]:
    return [encode({"PK": "P", "SK": f"{number:05d}", "text": "x" * size}) for number in range(count)]


def sort_keys(found: list[Item]) -> list[str]:
    return [item["SK"]["S"] for item in found]


def all_of(pk: str) -> dict[str, Any]:
    return {
        "TableName": main_table(),
        "KeyConditionExpression": "PK = :pk",
        "ExpressionAttributeValues": encode({":pk": pk}),
    }


class TestPages:
    def test_a_query_follows_every_page(self, requests_made: Counter[str]) -> None:
        written = items(32, size=100_000)
        requests.batch_put(main_table(), written)
        requests_made.clear()

        found = list(requests.query(**all_of("P")))

        assert found == written
        assert requests_made["Query"] > 2

    def test_a_count_follows_every_page(self, requests_made: Counter[str]) -> None:
        requests.batch_put(main_table(), items(32, size=100_000))
        requests_made.clear()

        assert requests.count(**all_of("P")) == 32
        assert requests_made["Query"] > 2

    def test_the_questions_of_a_channel_follow_every_page(self, requests_made: Counter[str]) -> None:
        channel = a_channel()
        in_a_run(channel)
        listed = [
            finished(
                a_video(channel.id, f"video{n:06d}"),
                "run",
                ("AAPL", "KO"),
                price_at_mention=None,
                context_snippet="c" * 40_000,
            )
            for n in range(60)
        ]
        put_entities([entity for video in listed for entity in (video, *video.calls)])
        requests_made.clear()

        assert len(videos.videos_of_channel(channel.id)) == 60
        assert len(mentions.mentions_of_channel(channel.id)) == 120
        assert len(mentions.mentions_of_channel(channel.id, ticker="AAPL")) == 60
        assert len(mentions.mentions_of_ticker("AAPL")) == 60
        assert len(videos.videos_about(channel.id, "KO")) == 60
        assert videos.count_unpriced_calls(channel.id) == 120
        assert videos.tickers_of_channel(channel.id) == {"AAPL", "KO"}
        assert requests_made["Query"] > 8 * 2

    def test_a_page_is_filled_over_several_pages_of_the_engine(self) -> None:
        written = items(40, size=100_000)
        requests.batch_put(main_table(), written)

        page = requests.query_page(25, None, **all_of("P"))
        rest = requests.query_page(25, page.next_key, **all_of("P"))

        assert page.items == written[:25]
        assert rest.items == written[25:]
        assert rest.next_key is None

    def test_every_page_size_reads_each_item_once(self) -> None:
        written = items(12)
        requests.batch_put(main_table(), written)

        for size in range(1, 14):
            found: list[Item] = []
            page = requests.query_page(size, None, **all_of("P"))
            found += page.items
            while page.next_key:
                assert len(page.items) == size
                page = requests.query_page(size, page.next_key, **all_of("P"))
                assert page.items
                found += page.items

            assert found == written

    def test_the_key_to_go_on_from_is_the_one_that_the_engine_gave(self, inject: Inject) -> None:
        requests.batch_put(main_table(), items(5))
        given: list[Item] = []

        def remember(real: Callable[..., Any], _: int, **request: Any) -> Any:
            response = real(**request)
            given.append(response.get("LastEvaluatedKey"))
            return response

        inject("query", remember)

        assert requests.query_page(2, None, **all_of("P")).next_key == given[0] is not None


class TestBatches:
    def test_more_than_twenty_five_items_are_put_and_deleted(self, requests_made: Counter[str]) -> None:
        written = items(130)

        requests.batch_put(main_table(), written)

        assert len(partition("P")) == 130
        assert requests_made["BatchWriteItem"] == 6
        requests.batch_delete(main_table(), [{"PK": item["PK"], "SK": item["SK"]} for item in written])
        assert partition("P") == {}

    def test_more_than_a_hundred_items_are_read(self, requests_made: Counter[str]) -> None:
        requests.batch_put(main_table(), items(230))
        wanted = [{"PK": "P", "SK": f"{number:05d}"} for number in range(240)]

        found = requests.batch_get(main_table(), wanted)

        assert sorted(sort_keys(found)) == [f"{number:05d}" for number in range(230)]
        assert requests_made["BatchGetItem"] == 3

    def test_a_key_that_is_requested_twice_is_read_once(self) -> None:
        requests.batch_put(main_table(), items(1))

        assert len(requests.batch_get(main_table(), [{"PK": "P", "SK": "00000"}] * 2)) == 1

    def test_nothing_is_no_request(self, requests_made: Counter[str]) -> None:
        requests.batch_put(main_table(), [])
        requests.batch_delete(main_table(), [])

        assert requests.batch_get(main_table(), []) == []
        assert not requests_made

    def test_a_read_larger_than_a_response_may_be_is_read_to_the_end(self) -> None:
        requests.batch_put(main_table(), items(60, size=390_000))

        found = requests.batch_get(main_table(), [{"PK": "P", "SK": f"{number:05d}"} for number in range(60)])

        assert len(found) == 60

    def test_writes_that_were_handed_back_are_written_on_the_next_try(
        self, inject: Inject, no_waiting: list[float]
    ) -> None:
        def three_at_a_time(real: Callable[..., Any], _: int, RequestItems: dict[str, list[Any]]) -> Any:
            ((table, writes),) = RequestItems.items()
            real(RequestItems={table: writes[:3]})
            return {"UnprocessedItems": {table: writes[3:]} if writes[3:] else {}}

        faulty = inject("batch_write_item", three_at_a_time)

        requests.batch_put(main_table(), items(10))

        assert len(partition("P")) == 10
        assert [len(call["RequestItems"][main_table()]) for call in faulty.calls] == [10, 7, 4, 1]
        assert len(no_waiting) == 3

    def test_reads_that_were_handed_back_are_read_on_the_next_try(
        self, inject: Inject, no_waiting: list[float]
    ) -> None:
        requests.batch_put(main_table(), items(10))

        def three_at_a_time(real: Callable[..., Any], _: int, RequestItems: dict[str, dict[str, Any]]) -> Any:
            ((table, reads),) = RequestItems.items()
            response = real(RequestItems={table: {**reads, "Keys": reads["Keys"][:3]}})
            left = reads["Keys"][3:]
            return {**response, "UnprocessedKeys": {table: {**reads, "Keys": left}} if left else {}}

        inject("batch_get_item", three_at_a_time)

        found = requests.batch_get(main_table(), [{"PK": "P", "SK": f"{number:05d}"} for number in range(10)])

        assert sorted(sort_keys(found)) == [f"{number:05d}" for number in range(10)]
        assert len(no_waiting) == 3

    def test_writes_that_are_handed_back_five_times_are_an_error_that_names_them(
        self, inject: Inject, no_waiting: list[float]
    ) -> None:
        def all_but_two(real: Callable[..., Any], number: int, RequestItems: dict[str, list[Any]]) -> Any:
            ((table, writes),) = RequestItems.items()
            if number == 1:
                real(RequestItems={table: writes[2:]})
            return {"UnprocessedItems": {table: writes[:2]}}

        faulty = inject("batch_write_item", all_but_two)

        with pytest.raises(BatchIncomplete, match=r"^2 items were still unprocessed after 5 tries: P/00000, P/00001$"):
            requests.batch_put(main_table(), items(10))

        assert len(faulty.calls) == 5
        assert len(partition("P")) == 8

    def test_deletes_and_reads_and_stocks_are_named_too(self, inject: Inject, no_waiting: list[float]) -> None:
        def no_write(_: Callable[..., Any], __: int, RequestItems: Any) -> Any:
            return {"UnprocessedItems": RequestItems}

        def no_read(_: Callable[..., Any], __: int, RequestItems: Any) -> Any:
            return {"Responses": {}, "UnprocessedKeys": RequestItems}

        inject("batch_write_item", no_write)
        with pytest.raises(BatchIncomplete) as refused:
            requests.batch_delete(main_table(), [encode({"PK": "P", "SK": "1"})])
        assert refused.value.left == ["P/1"]

        inject("batch_get_item", no_read)
        with pytest.raises(BatchIncomplete) as refused:
            stocks.stocks_by_ticker(["AAPL", "KO"])
        assert refused.value.left == ["AAPL", "KO"]

    def test_the_waits_between_tries_grow(
        self, inject: Inject, no_waiting: list[float], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("functions.runtime.dynamodb.requests.random.uniform", lambda least, most: most)
        inject("batch_write_item", lambda _, __, RequestItems: {"UnprocessedItems": RequestItems})

        with pytest.raises(BatchIncomplete):
            requests.batch_put(main_table(), items(1))

        assert len(no_waiting) == 4
        assert all(later == 2 * earlier > 0 for earlier, later in pairwise(no_waiting))

    def test_the_waits_are_not_the_same_for_all_and_never_nothing(self, no_waiting: list[float]) -> None:
        for _ in range(50):
            requests.wait_before_retry(2)

        assert len(set(no_waiting)) > 1
        assert all(0 < wait <= 2 for wait in no_waiting)

    def test_the_waits_do_not_grow_for_ever(self, no_waiting: list[float]) -> None:
        requests.wait_before_retry(30)

        assert no_waiting[0] <= 2

    def test_entities_of_both_tables_are_put_together(self) -> None:
        video = a_video("channel", title="Before")
        mention = a_mention(video)
        stock = Stock("AAPL", "Apple Inc.", Exchange.NASDAQ, 1.5, "2025-01-01T00:00:00.000Z")
        put_entities([video])
        changed = a_video("channel", title="After")

        put_entities(iter([changed, mention, stock]))

        assert videos.video_by_id("channel", video.id) == changed
        assert mentions.mentions_of_video(video.id) == [mention]
        assert stocks.stock_by_ticker("AAPL") == stock


def cancelled(*codes: str) -> ClientError:
    error = dynamodb().exceptions.TransactionCanceledException(
        {
            "Error": {"Code": "TransactionCanceledException", "Message": "Transaction cancelled"},
            "CancellationReasons": [{"Code": code} for code in codes],
        },
        "TransactWriteItems",
    )
    assert isinstance(error, ClientError)
    return error


def put_action(sk: str, **condition: Any) -> dict[str, Any]:
    return {"Put": {"TableName": main_table(), "Item": encode({"PK": "P", "SK": sk}), **condition}}


class TestTransactions:
    @pytest.mark.parametrize(
        "codes", [["TransactionConflict", "None"], ["None", "ThrottlingError"], ["ProvisionedThroughputExceeded"] * 2]
    )
    def test_a_transient_error_is_waited_out(self, codes: list[str], inject: Inject, no_waiting: list[float]) -> None:
        def fails_twice(real: Callable[..., Any], number: int, **request: Any) -> Any:
            if number < 3:
                raise cancelled(*codes)
            return real(**request)

        faulty = inject("transact_write_items", fails_twice)

        requests.transact([put_action("1"), put_action("2")])

        assert sorted(partition("P")) == ["1", "2"]
        assert len(faulty.calls) == 3
        assert len(no_waiting) == 2

    def test_a_conflict_that_does_not_pass_is_raised_after_the_last_try(
        self, inject: Inject, no_waiting: list[float]
    ) -> None:
        def always_fails(*_: Any, **__: Any) -> Any:
            raise cancelled("TransactionConflict")

        faulty = inject("transact_write_items", always_fails)

        with pytest.raises(ClientError, match="Transaction cancelled"):
            requests.transact([put_action("1")])

        assert len(faulty.calls) == requests.TRANSACTION_TRIES
        assert len(no_waiting) == requests.TRANSACTION_TRIES - 1

    @pytest.mark.parametrize("codes", [["ValidationError"], ["ItemCollectionSizeLimitExceeded"], []])
    def test_a_fault_that_will_not_pass_is_raised_at_once(
        self, codes: list[str], inject: Inject, no_waiting: list[float]
    ) -> None:
        def fails(*_: Any, **__: Any) -> Any:
            raise cancelled(*codes)

        faulty = inject("transact_write_items", fails)

        with pytest.raises(ClientError):
            requests.transact([put_action("1")])

        assert len(faulty.calls) == 1
        assert no_waiting == []

    def test_a_condition_that_was_not_met_is_not_tried_again_even_beside_a_conflict(
        self, inject: Inject, no_waiting: list[float]
    ) -> None:
        def fails(*_: Any, **__: Any) -> Any:
            raise cancelled("TransactionConflict", "ConditionalCheckFailed")

        inject("transact_write_items", fails)

        with pytest.raises(TransactionRefused, match=r"actions \[1\]") as refused:
            requests.transact([put_action("1"), put_action("2")])

        assert refused.value.failed == [False, True]
        assert no_waiting == []

    def test_a_transaction_whose_condition_is_not_met_writes_nothing(self) -> None:
        requests.transact([put_action("1")])

        with pytest.raises(TransactionRefused) as refused:
            requests.transact([put_action("2"), put_action("1", ConditionExpression="attribute_not_exists(PK)")])

        assert refused.value.failed == [False, True]
        assert sorted(partition("P")) == ["1"]

    def test_a_commit_outlives_conflicts(self, inject: Inject, no_waiting: list[float]) -> None:
        channel = a_channel()
        run_id, (video,) = in_a_run(channel, videos=1)

        def fails_five_times(real: Callable[..., Any], number: int, **request: Any) -> Any:
            if number <= 5:
                raise cancelled("TransactionConflict", "None", "None", "None")
            return real(**request)

        inject("transact_write_items", fails_five_times)

        assert commit(run_id, video, "AAPL")

        assert runs.renew_lease(channel.id, run_id).processed_video_count == 1
        assert len(no_waiting) == 5

    def test_each_transaction_has_a_token_of_its_own(self) -> None:
        """With it a retry by the SDK, after a response was lost, is the same transaction and not a second one."""
        tokens: list[str] = []

        def remember(params: dict[str, Any], **_: Any) -> None:
            tokens.append(json.loads(params["body"])["ClientRequestToken"])

        events = dynamodb().meta.events
        events.register("before-call.dynamodb.TransactWriteItems", remember)
        try:
            requests.transact([put_action("1")])
            requests.transact([put_action("2")])
        finally:
            events.unregister("before-call.dynamodb.TransactWriteItems", remember)

        assert len(set(tokens)) == 2


def test_an_update_sends_the_values_that_its_expressions_name_and_no_others() -> None:
    action = requests.update_action(
        keys.channel_key("c"), "SET #name = :name", "#status = :old", {"name": "N", "old": "pending", "unused": 1}
    )

    assert action["ExpressionAttributeNames"] == {"#name": "name", "#status": "status"}
    assert action["ExpressionAttributeValues"] == {":name": {"S": "N"}, ":old": {"S": "pending"}}
