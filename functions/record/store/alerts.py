"""Alerts: the newest of all channels or of one, and those not yet queued for their subscribers.

They are written in the transaction of the event they report.
"""

from collections.abc import Iterable
from contextlib import suppress
from itertools import islice
from typing import Any

from functions.record.models.alerts import Alert, AlertKind, Delivery
from functions.runtime.dynamodb import tables
from functions.runtime.dynamodb.attributes import Item, encode
from functions.runtime.dynamodb.connection import main_table
from functions.runtime.dynamodb.requests import ConditionNotMet, Page, batch_get, query, query_page, update

MAX_SEARCHES = 5
"""Maximum number of searches for one page of one kind."""
SEARCHED_AT_ONCE = 200


def newest_alerts(limit: int) -> list[Alert]:
    return _newest(_of_all(), limit)


def newest_alerts_of_channel(channel_id: str, limit: int) -> list[Alert]:
    return _newest(_of_channel(channel_id), limit)


def page_of_alerts(limit: int, start: Item | None, kind: AlertKind | None = None) -> Page[Alert]:
    """Newest first. A page of one kind may be short, or even empty, before the end."""
    return _page(_of_all(), limit, start, kind)


def page_of_channel_alerts(
    channel_id: str, limit: int, start: Item | None, kind: AlertKind | None = None
) -> Page[Alert]:
    return _page(_of_channel(channel_id), limit, start, kind)


def alerts_in_outbox(limit: int) -> list[Alert]:
    """In no particular order."""
    items = query(
        TableName=main_table(),
        IndexName=tables.BY_YOUTUBE_CHANNEL_OR_CHANNEL.name,
        KeyConditionExpression="GSI2PK = :pk",
        ExpressionAttributeValues=encode({":pk": tables.OUTBOX}),
        Limit=limit,
    )
    return [Alert.from_item(item) for item in islice(items, limit)]


def leave_outbox(alert: Alert) -> None:
    """Call once a delivery is stored for each subscriber. An alert of a deleted channel is already gone."""
    key = tables.alert_key(alert.channel_id, alert.occurred_at, alert.id)
    with suppress(ConditionNotMet):
        update(key, "REMOVE GSI2PK, undelivered", "attribute_exists(PK)", {})


def alerts_of_deliveries(deliveries: Iterable[Delivery]) -> dict[str, Alert]:
    """Returns alerts by id. Those of deleted channels are missing."""
    keys = (tables.alert_key(each.channel_id, each.occurred_at, each.alert_id) for each in deliveries)
    alerts = [Alert.from_item(item) for item in batch_get(main_table(), keys)]
    return {alert.id: alert for alert in alerts}


def _of_all() -> dict[str, Any]:
    return {
        "TableName": main_table(),
        "IndexName": tables.BY_TICKER_OR_LISTING.name,
        "KeyConditionExpression": "GSI1PK = :pk",
        "ExpressionAttributeValues": encode({":pk": tables.ALL_ALERTS}),
        "ScanIndexForward": False,
    }


def _of_channel(channel_id: str) -> dict[str, Any]:
    values = {":pk": tables.channel_pk(channel_id), ":prefix": tables.ALERT_PREFIX}
    return {
        "TableName": main_table(),
        "KeyConditionExpression": "PK = :pk AND begins_with(SK, :prefix)",
        "ExpressionAttributeValues": encode(values),
        "ScanIndexForward": False,
    }


def _newest(request: dict[str, Any], limit: int) -> list[Alert]:
    return [Alert.from_item(item) for item in islice(query(**request, Limit=limit), limit)]


def _page(request: dict[str, Any], limit: int, start: Item | None, kind: AlertKind | None) -> Page[Alert]:
    if kind is None:
        page = query_page(limit, start, **request)
        return Page([Alert.from_item(item) for item in page.items], page.next_key)
    found: list[Alert] = []
    for _ in range(MAX_SEARCHES):
        more = _search(request, limit - len(found), start, kind)
        found += more.items
        start = more.next_key
        if start is None or len(found) == limit:
            break
    return Page(found, start)


def _search(request: dict[str, Any], limit: int, start: Item | None, kind: AlertKind) -> Page[Alert]:
    page = query_page(SEARCHED_AT_ONCE, start, **request)
    positions = [position for position, item in enumerate(page.items) if Alert.from_item(item).kind is kind]
    if len(positions) > limit:
        # Query again up to the last match that fits, because only DynamoDB's own key can be used as the cursor.
        page = query_page(positions[limit - 1] + 1, start, **request)
    alerts = map(Alert.from_item, page.items)
    return Page([alert for alert in alerts if alert.kind is kind], page.next_key)
