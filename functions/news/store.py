"""Stores news: each story once, indexed by tag, by sentiment, and while it is pending analysis."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

from functions.news.models import GIVEN_UP, MAX_TAGS, KnownUrl, NewsItem, NewsStatus
from functions.record.models.audit import AuditAction
from functions.record.models.tones import COPIED_SENTIMENT, NewsSentiment
from functions.record.store.allowances import count_action, daily_limit_reached
from functions.record.store.audit import audit_action
from functions.record.store.headlines import AFTER_ALL
from functions.runtime.caller import Caller
from functions.runtime.dynamodb import tables
from functions.runtime.dynamodb.attributes import Item, Value, encode
from functions.runtime.dynamodb.connection import news_table
from functions.runtime.dynamodb.requests import (
    Action,
    Page,
    TransactionRefused,
    count,
    get,
    query,
    query_page,
    set_and_remove,
    transact,
)
from functions.runtime.errors import LimitReached
from functions.runtime.limits import Limited

_TO_ANALYSE: dict[str, Value] = {"status": NewsStatus.PENDING, "attempts": None, "problem": None}
NewsKey = tuple[str, str]
"""The source id and the time of publication."""
ReadTone = tuple[NewsSentiment, float]
"""A sentiment and its confidence."""


def put_news(item: NewsItem, by: Caller | None = None) -> bool:
    """Stores an item with its copies. Returns False if its URL is known, from any source and with any timestamp. A
    person's stories are counted: raises LimitReached beyond their limit."""
    if by is None:
        return put_or_find(item) is None
    audit = audit_action(by, AuditAction.NEWS_ADDED, f"/api/news?tag={item.matched_tags[0]}", item.title)
    return put_or_find(item, [audit, count_action(by, Limited.NEWS)], daily_limit_reached(by, Limited.NEWS)) is None


def put_or_find(
    item: NewsItem, also: Sequence[Action] = (), beyond_limit: LimitReached | None = None
) -> KnownUrl | None:
    """Like `put_news`, in one request, but returns the existing marker of the URL; None if it is new. `also` is written
    in the same transaction."""
    known = KnownUrl(item.digest, item.source_id, item.ttl_timestamp, item.timestamp, item.matched_tags)
    puts: list[Action] = [
        {"Put": {"TableName": news_table(), "Item": entity.to_item()}} for entity in (item, *item.copies())
    ]
    only_new = {
        "ConditionExpression": "attribute_not_exists(source_id)",
        "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
    }
    try:
        transact([{"Put": {"TableName": news_table(), "Item": known.to_item(), **only_new}}, *puts, *also])
    except TransactionRefused as refused:
        if beyond_limit and not refused.failed[0]:
            raise beyond_limit from None
        found = refused.items[0]
        return KnownUrl.from_item(found) if found else KnownUrl(item.digest, item.source_id)
    return None


def add_tags(known: KnownUrl, tags: Iterable[str]) -> tuple[str, ...]:
    """Adds tags to a story's record, copies and URL in one transaction, with a new copy for each tag, pending analysis.

    Returns the added tags: none if the story has them, is at the limit or has expired.
    """
    # The condition fails if another worker added a tag or set a tone meanwhile, or if an item has expired.
    for _ in range(2 * MAX_TAGS):
        record = news_by_key(known.source_id, known.published_at)
        if record is None:
            break
        new = tuple(tag for tag in dict.fromkeys(tags) if tag not in record.matched_tags)
        new = new[: MAX_TAGS - len(record.matched_tags)]
        if not new:
            break
        try:
            transact(_adding(known, record, record.with_tags(new)))
            return new
        except TransactionRefused:
            continue
    return ()


def _adding(known: KnownUrl, before: NewsItem, after: NewsItem) -> list[Action]:
    of_all: dict[str, Value] = {"matched_tags": after.matched_tags}
    of_record = {**of_all, "unread_tags": after.unread_tags, **_TO_ANALYSE}
    same_unread = "unread_tags = :unread" if before.unread_tags else "attribute_not_exists(unread_tags)"
    is_same = f"matched_tags = :before AND {same_unread}"
    updates = [
        _update(_key(before), of_record, is_same, before=before.matched_tags, unread=before.unread_tags),
        _update(known.keys(), {"tags": after.matched_tags}),
        *(_update(_key(before, tag), of_all) for tag in before.matched_tags),
    ]
    copies = [after.unread_copy(tag) for tag in after.matched_tags if tag not in before.matched_tags]
    return [
        *({"Update": update} for update in updates),
        *({"Put": {"TableName": news_table(), "Item": copy.to_item()}} for copy in copies),
    ]


def news_by_key(source_id: str, timestamp: str) -> NewsItem | None:
    """Returns the record with a consistent read."""
    item = get(news_table(), tables.news_key(source_id, timestamp), consistent=True)
    return NewsItem.from_item(item) if item else None


def set_tone(
    item: NewsItem,
    sentiment: NewsSentiment,
    score: float,
    model_version: str,
    by_tag: Mapping[str, ReadTone] | None = None,
) -> bool:
    """Writes the tone to the record and its copies.

    Returns False if the item has been analysed already, got more tags since it was read, or has expired. A copy gets
    the tone of its tag if there is one, otherwise that of the record.
    """
    record: dict[str, Value] = {
        "sentiment": sentiment,
        "status": NewsStatus.ANALYZED,
        "score": score,
        "model_version": model_version,
        "unread_tags": None,
        "attempts": None,
    }
    is_new = "attribute_not_exists(sentiment) AND matched_tags = :tags"
    tones = {tag: (by_tag or {}).get(tag, (sentiment, score)) for tag in item.matched_tags}
    return _set_tones(item, _update(_key(item), record, is_new, tags=item.matched_tags), tones, model_version)


def set_tone_of_new_tags(item: NewsItem, tones: Mapping[str, ReadTone], model_version: str) -> bool:
    """The same for tags added after the analysis: the record and the other copies keep their tone."""
    record: dict[str, Value] = {"status": NewsStatus.ANALYZED, "unread_tags": None, "attempts": None}
    is_same = "unread_tags = :unread"
    return _set_tones(item, _update(_key(item), record, is_same, unread=item.unread_tags), tones, model_version)


def count_attempt(item: NewsItem) -> bool:
    """Counts an analysis before it begins. Returns False if another worker has begun one, or the item has changed."""
    same = "attempts = :seen" if item.attempts else "attribute_not_exists(attempts)"
    values: dict[str, Value] = {"attempts": (item.attempts or 0) + 1}
    return _update_record(item, values, f"{same} AND matched_tags = :tags", seen=item.attempts, tags=item.matched_tags)


def uncount_attempt(item: NewsItem) -> None:
    """Takes back what `count_attempt` counted, if the failure wasn't the item's."""
    _update_record(item, {"attempts": item.attempts})


def give_up_news(item: NewsItem, problem: str) -> None:
    """Ends the attempts, with the reason, unless it has been analysed meanwhile."""
    _update_record(item, {"status": GIVEN_UP, "problem": problem}, "#status = :pending", pending=NewsStatus.PENDING)


def retry_news(known: KnownUrl) -> NewsItem | None:
    """Lets a story that was given up be analysed again; returns None if it wasn't given up."""
    item = news_by_key(known.source_id, known.published_at)
    if item is None or not item.problem or not _update_record(item, _TO_ANALYSE):
        return None
    return news_by_key(*item.key)


def _update_record(item: NewsItem, values: Mapping[str, Value], condition: str = "", **others: Value) -> bool:
    try:
        transact([{"Update": _update(_key(item), dict(values), condition, **others)}])
    except TransactionRefused:
        return False
    return True


def _set_tones(item: NewsItem, of_record: Action, tones: Mapping[str, ReadTone], model_version: str) -> bool:
    updates = [of_record]
    for tag, (tone, sure) in tones.items():
        copy: dict[str, Value] = {COPIED_SENTIMENT: tone, "score": sure, "model_version": model_version}
        updates.append(_update(_key(item, tag), copy))
    try:
        transact([{"Update": update} for update in updates])
    except TransactionRefused:
        return False
    return True


def page_of_tag(
    tag: str, since: str | None, limit: int, start: Item | None, before: str | None = None
) -> Page[NewsItem]:
    """Newest first."""
    return _page(tables.BY_TAG, tag, since, before, limit, start)


def page_of_sentiment(
    sentiment: NewsSentiment, since: str | None, limit: int, start: Item | None, before: str | None = None
) -> Page[NewsItem]:
    """Newest first."""
    return _page(tables.BY_SENTIMENT, sentiment, since, before, limit, start)


def pending_news(published_before: str, limit: int) -> list[NewsKey]:
    """Returns the stories not analysed yet, oldest first."""
    items = query(**_pending(published_before), Limit=limit)
    return [(item["source_id"]["S"], item["timestamp"]["S"]) for item in islice(items, limit)]


def count_pending_news(published_before: str) -> int:
    return count(**_pending(published_before))


def _pending(published_before: str) -> dict[str, Any]:
    return {
        "TableName": news_table(),
        "IndexName": tables.BY_STATUS.name,
        "KeyConditionExpression": "#status = :status AND #timestamp < :before",
        "ExpressionAttributeNames": {"#status": "status", "#timestamp": "timestamp"},
        "ExpressionAttributeValues": encode({":status": NewsStatus.PENDING, ":before": published_before}),
    }


def _page(
    index: tables.Index, value: str, since: str | None, before: str | None, limit: int, start: Item | None
) -> Page[NewsItem]:
    # A timestamp without its last letter sorts right before it, and after every earlier one.
    until = before.removesuffix("Z") if before else AFTER_ALL
    page = query_page(
        limit,
        start,
        TableName=news_table(),
        IndexName=index.name,
        KeyConditionExpression="#key = :value AND #timestamp BETWEEN :since AND :until",
        ExpressionAttributeNames={"#key": index.partition, "#timestamp": "timestamp"},
        ExpressionAttributeValues=encode({":value": value, ":since": since or " ", ":until": until}),
        ScanIndexForward=False,
    )
    return Page([NewsItem.from_item(item) for item in page.items], page.next_key)


def _key(item: NewsItem, tag: str | None = None) -> dict[str, str]:
    """The key of the record, or of its copy under a tag."""
    return tables.news_key(item.source_id, item.timestamp, tag)


def _update(key: dict[str, str], values: dict[str, Value], condition: str = "", **others: Value) -> Action:
    """Updates an existing item: an expired one must not be recreated in part. The condition may use other values."""
    return {
        "TableName": news_table(),
        "Key": encode(key),
        "UpdateExpression": set_and_remove(values),
        "ConditionExpression": " AND ".join(filter(None, ("attribute_exists(source_id)", condition))),
        "ExpressionAttributeNames": {f"#{name}": name for name in values},
        # DynamoDB rejects an empty map, as of an update that only removes.
        **({"ExpressionAttributeValues": sent} if (sent := encode(_as_values({**values, **others}))) else {}),
    }


def _as_values(values: Mapping[str, Value]) -> dict[str, Value]:
    return {f":{name}": value for name, value in values.items()}
