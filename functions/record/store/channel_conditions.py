"""Conditions on a channel, for the writes that depend on its state."""

from functions.record.models.records import ChannelStatus
from functions.runtime.dynamodb.attributes import Value

THERE = "attribute_exists(PK) AND attribute_not_exists(deleting)"
"""Neither gone nor being deleted."""
UNDER_WAY = "#status IN (:pending, :processing)"
"""It has a run in progress; the values are `STATUSES_UNDER_WAY`."""
STATUSES_UNDER_WAY: dict[str, Value] = {"pending": ChannelStatus.PENDING, "processing": ChannelStatus.PROCESSING}
