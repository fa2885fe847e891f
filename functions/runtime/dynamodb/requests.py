"""DynamoDB requests: paginated queries, and batches and transactions with retries."""

import random
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count as count_from
from itertools import islice
from typing import Any, Generic, TypeVar

from functions.runtime.concurrency import for_each
from functions.runtime.dynamodb.attributes import Item, Value, encode
from functions.runtime.dynamodb.connection import dynamodb, main_table
from functions.runtime.dynamodb.tables import TIME_TO_LIVE
from functions.runtime.errors import BatchIncomplete, StockTrackRecordError

BATCH_TRIES = 5
TRANSACTION_TRIES = 12
MAX_BATCH_READ = 100
MAX_BATCH_WRITE = 25
MAX_TRANSACTION_ACTIONS = 100
REQUEST_SECONDS = 24 * 60 * 60
"""How long the result of a request is remembered: the lifetime of an Idempotency-Key."""

Action = dict[str, Any]
"""One write of a transaction."""
Model = TypeVar("Model")


@dataclass(frozen=True, slots=True)
class Page(Generic[Model]):
    """A page of items, and the DynamoDB key to continue from: None on the last page."""

    items: list[Model]
    next_key: Item | None


class TransactionRefused(StockTrackRecordError):
    """A transaction whose conditions did not hold; none of it was written."""

    def __init__(self, reasons: list[Mapping[str, Any]]) -> None:
        self.failed = [reason.get("Code") == "ConditionalCheckFailed" for reason in reasons]
        """For each action, True if its condition failed."""
        self.items: list[Item | None] = [reason.get("Item") or None for reason in reasons]
        """For each action whose condition failed, the existing item, if the action requested it."""
        indexes = [index for index, failed in enumerate(self.failed) if failed]
        super().__init__(f"the conditions of actions {indexes} were not met")


class ConditionNotMet(StockTrackRecordError):
    def __init__(self, item: Item | None) -> None:
        super().__init__("the item is not in the state this update requires" if item else "there is no such item")
        self.item = item or None


def query(**request: Any) -> Iterator[Item]:
    """Yields every item of a query, across all pages."""
    for page in _pages(request):
        yield from page["Items"]


def count(**request: Any) -> int:
    return sum(page["Count"] for page in _pages({**request, "Select": "COUNT"}))


def query_page(limit: int, start: Item | None, max_requests: int | None = None, **request: Any) -> Page[Item]:
    """Returns the next `limit` items of a query, and the DynamoDB key to continue from.

    `max_requests` bounds a filtered query: its pages may be short, and the last one empty.
    """
    request["Limit"] = limit
    items: list[Item] = []
    for requests in count_from(1):
        response = dynamodb().query(**request, **({"ExclusiveStartKey": start} if start else {}))
        items += response["Items"]
        start = response.get("LastEvaluatedKey")
        if start is None or len(items) >= limit or requests == max_requests:
            break
        request["Limit"] = limit - len(items)
    # With a filter, only reading the next page shows if anything is left.
    is_end = start is None or ("FilterExpression" not in request and not _anything_after(start, request))
    return Page(items, None if is_end else start)


def get(table: str, key: Mapping[str, Value], *, consistent: bool = False) -> Item | None:
    response = dynamodb().get_item(TableName=table, Key=encode(key), ConsistentRead=consistent)
    item: Item | None = response.get("Item")
    return item


def put_if(item: Item, condition: str, values: Mapping[str, Value] | None = None) -> bool:
    """Puts an item into the main table; False if the condition fails. `#word` and `:word` as in `update_action`."""
    names = {f"#{word}": word for word in re.findall(r"#(\w+)", condition)}
    try:
        dynamodb().put_item(
            TableName=main_table(),
            Item=item,
            ConditionExpression=condition,
            **({"ExpressionAttributeNames": names} if names else {}),
            **({"ExpressionAttributeValues": encode({f":{key}": v for key, v in values.items()})} if values else {}),
        )
    except dynamodb().exceptions.ConditionalCheckFailedException:
        return False
    return True


def put_versioned(item: Item, before: int) -> bool:
    """Replaces version `before` of an item (0: it must not exist yet); False if another version is stored."""
    if before == 0:
        return put_if(item, "attribute_not_exists(PK)")
    return put_if(item, "#version = :before", {"before": before})


def batch_get(table: str, keys: Iterable[Mapping[str, Value]], **request: Any) -> list[Item]:
    """Returns the items with these keys, in no particular order; keys without an item are skipped."""

    def read(chunk: list[Item]) -> list[Item]:
        items: list[Item] = []

        def send(unread: list[Item]) -> list[Item]:
            response = dynamodb().batch_get_item(RequestItems={table: {"Keys": unread, **request}})
            items.extend(response["Responses"].get(table, []))
            left: list[Item] = response.get("UnprocessedKeys", {}).get(table, {}).get("Keys", [])
            return left

        _until_processed(chunk, send, name=_key_text)
        return items

    unique: dict[object, Item] = {tuple(key.items()): encode(key) for key in keys}
    chunks = list(chunked(unique.values(), MAX_BATCH_READ))
    return [item for items in for_each(read, chunks) for item in items]


def batch_put(table: str, items: Iterable[Item]) -> None:
    _batch_write(table, [{"PutRequest": {"Item": item}} for item in items])


def batch_delete(table: str, keys: Iterable[Item]) -> None:
    _batch_write(table, [{"DeleteRequest": {"Key": key}} for key in keys])


def transact(actions: Sequence[Action | Callable[[], Action]]) -> None:
    """Writes all actions or none. Retries conflicts with other transactions; raises if a condition is not met.

    An action that depends on the current time is passed as a function, called on each attempt.
    """
    for attempt in range(TRANSACTION_TRIES):
        try:
            dynamodb().transact_write_items(TransactItems=[each() if callable(each) else each for each in actions])
            return
        except dynamodb().exceptions.TransactionCanceledException as cancelled:
            reasons = cancelled.response.get("CancellationReasons", [])
            if any(reason.get("Code") == "ConditionalCheckFailed" for reason in reasons):
                raise TransactionRefused(reasons) from None
            if not _is_transient(reasons) or attempt == TRANSACTION_TRIES - 1:
                raise
        wait_before_retry(attempt)


def update(key: Mapping[str, Value], expression: str, condition: str, values: Mapping[str, Value]) -> Item:
    """Updates an item of the main table and returns it; raises ConditionNotMet with the unchanged item."""
    request = {**update_action(key, expression, condition, values), "ReturnValues": "ALL_NEW"}
    for attempt in range(TRANSACTION_TRIES):
        try:
            attributes: Item = dynamodb().update_item(**request)["Attributes"]
            return attributes
        except dynamodb().exceptions.ConditionalCheckFailedException as refused:
            raise ConditionNotMet(refused.response.get("Item")) from None
        except dynamodb().exceptions.TransactionConflictException:
            # The SDK does not retry this one.
            if attempt == TRANSACTION_TRIES - 1:
                raise
        wait_before_retry(attempt)
    raise AssertionError("the last try returns or raises")


def update_action(
    key: Mapping[str, Value], expression: str, condition: str, values: Mapping[str, Value]
) -> dict[str, Any]:
    """The parameters of an update of the main table, for both UpdateItem and transactions.

    `#word` in the expressions stands for the attribute `word`; only values referenced as `:word` are sent. An empty
    condition always holds.
    """
    text = f"{expression} {condition}"
    named = set(re.findall(r":(\w+)", text))
    names = {f"#{word}": word for word in re.findall(r"#(\w+)", text)}
    return {
        "TableName": main_table(),
        "Key": encode(key),
        "UpdateExpression": expression,
        **({"ConditionExpression": condition} if condition else {}),
        # DynamoDB rejects empty maps.
        **({"ExpressionAttributeNames": names} if names else {}),
        **({"ExpressionAttributeValues": encode({f":{name}": values[name] for name in named})} if named else {}),
        "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
    }


def record_of_request(key: Mapping[str, Value], made: Mapping[str, Value]) -> Action:
    """Records what a request with an Idempotency-Key created, in the transaction that creates it: its response is
    recorded later, and the writer may crash in between. Refused if an unexpired record exists."""
    now = int(time.time())
    return {
        "Put": {
            "TableName": main_table(),
            "Item": encode({**key, **made, TIME_TO_LIVE: now + REQUEST_SECONDS}),
            "ConditionExpression": f"attribute_not_exists(PK) OR {TIME_TO_LIVE} <= :now",
            "ExpressionAttributeValues": encode({":now": now}),
        }
    }


def set_and_remove(attributes: Mapping[str, Value]) -> str:
    """Builds an update expression that sets each attribute to its value, and removes attributes that are None."""
    sets = ", ".join(f"#{name} = :{name}" for name, value in attributes.items() if value is not None)
    gone = ", ".join(f"#{name}" for name, value in attributes.items() if value is None)
    return " ".join(f"{what} {names}" for what, names in (("SET", sets), ("REMOVE", gone)) if names)


def chunked(elements: Iterable[Model], size: int) -> Iterator[list[Model]]:
    iterator = iter(elements)
    while chunk := list(islice(iterator, size)):
        yield chunk


def wait_before_retry(attempt: int) -> None:
    """Exponential backoff up to two seconds, with jitter so that colliding requests do not collide again."""
    time.sleep(random.uniform(0.3, 1) * min(2.0, 0.05 * 2**attempt))


def _pages(request: dict[str, Any]) -> Iterator[dict[str, Any]]:
    while True:
        page = dynamodb().query(**request)
        yield page
        if "LastEvaluatedKey" not in page:
            return
        request = {**request, "ExclusiveStartKey": page["LastEvaluatedKey"]}


def _anything_after(start: Item, request: dict[str, Any]) -> bool:
    """DynamoDB returns a key even after the last item; clients should not be sent to an empty page."""
    probe = {name: value for name, value in request.items() if name != "ProjectionExpression"}
    response = dynamodb().query(**{**probe, "Limit": 1, "Select": "COUNT", "ExclusiveStartKey": start})
    return bool(response["Count"])


def _batch_write(table: str, requests: list[dict[str, Any]]) -> None:
    def send(unwritten: list[dict[str, Any]]) -> list[dict[str, Any]]:
        response = dynamodb().batch_write_item(RequestItems={table: unwritten})
        left: list[dict[str, Any]] = response.get("UnprocessedItems", {}).get(table, [])
        return left

    for_each(lambda chunk: _until_processed(chunk, send, name=_request_text), chunked(requests, MAX_BATCH_WRITE))


def _until_processed(left: list[Any], send: Callable[[list[Any]], list[Any]], *, name: Callable[[Any], str]) -> None:
    for attempt in range(BATCH_TRIES):
        left = send(left)
        if not left:
            return
        if attempt < BATCH_TRIES - 1:
            wait_before_retry(attempt)
    raise BatchIncomplete([name(element) for element in left], BATCH_TRIES)


def _request_text(request: Mapping[str, Any]) -> str:
    ((_, body),) = request.items()
    return _key_text(body.get("Key") or body["Item"])


def _key_text(item: Item) -> str:
    return "/".join(item[name]["S"] for name in ("PK", "SK", "ticker") if name in item)


def _is_transient(reasons: Iterable[Mapping[str, Any]]) -> bool:
    codes = {reason.get("Code", "None") for reason in reasons} - {"None"}
    return bool(codes) and codes <= {"TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded"}
