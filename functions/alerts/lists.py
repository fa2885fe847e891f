"""Lists of alerts, and the document that the API, webhooks and feeds share."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from functions.record.channels.channels import living_channel_and
from functions.record.models.alerts import Alert, AlertKind
from functions.record.models.records import Channel
from functions.record.store import alerts
from functions.record.store.channels import channels_by_id
from functions.runtime.dynamodb.attributes import Item
from functions.runtime.dynamodb.requests import Page


@dataclass(frozen=True, slots=True)
class ChannelAlert:
    """An alert with the name of its channel."""

    alert: Alert
    channel_name: str


def newest_alerts(limit: int) -> list[ChannelAlert]:
    return _with_channels(alerts.newest_alerts(limit))


def newest_alerts_of_channel(channel_id: str, limit: int) -> tuple[Channel, list[ChannelAlert]]:
    channel, found = living_channel_and(channel_id, lambda: alerts.newest_alerts_of_channel(channel_id, limit))
    return channel, [ChannelAlert(alert, channel.name) for alert in found]


def page_of_alerts(start: Item | None, limit: int, kind: AlertKind | None) -> Page[dict[str, Any]]:
    page = alerts.page_of_alerts(limit, start, kind)
    return Page([document_of(each) for each in _with_channels(page.items)], page.next_key)


def page_of_channel_alerts(
    channel_id: str, start: Item | None, limit: int, kind: AlertKind | None
) -> Page[dict[str, Any]]:
    channel, page = living_channel_and(
        channel_id, lambda: alerts.page_of_channel_alerts(channel_id, limit, start, kind)
    )
    return Page([document_of(ChannelAlert(alert, channel.name)) for alert in page.items], page.next_key)


def document_of(channel_alert: ChannelAlert, details: Iterable[dict[str, Any]] | None = None) -> dict[str, Any]:
    """Returns an alert as the API, webhooks and feeds show it, optionally with only some of its details."""
    alert = channel_alert.alert
    return {
        "id": alert.id,
        "kind": alert.kind,
        "channel_id": alert.channel_id,
        "channel_name": channel_alert.channel_name,
        "occurred_at": alert.occurred_at,
        "created_at": alert.created_at,
        "video_id": alert.video_id,
        "video_title": alert.video_title,
        "details": list(alert.details if details is None else details),
    }


def _with_channels(found: list[Alert]) -> list[ChannelAlert]:
    """Omits alerts of channels that no longer exist or are being deleted."""
    channels = channels_by_id({alert.channel_id for alert in found}) if found else {}
    return [ChannelAlert(alert, channels[alert.channel_id].name) for alert in found if alert.channel_id in channels]
