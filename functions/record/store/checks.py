"""The check queue: when each channel is checked next. Written together with the channel's own attributes."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from functions.record.errors import ChannelNotFound
from functions.record.models.audit import AuditAction
from functions.record.models.check_intervals import next_check
from functions.record.models.records import Channel, CheckEvery
from functions.record.models.runs import Check
from functions.record.store.audit import audit_action
from functions.record.store.channel_conditions import THERE
from functions.record.store.channels import channel_by_id
from functions.record.store.readings import put_action
from functions.runtime.caller import OPERATOR, Caller
from functions.runtime.clock import now
from functions.runtime.dynamodb import tables
from functions.runtime.dynamodb.attributes import Value, encode
from functions.runtime.dynamodb.connection import dynamodb, main_table
from functions.runtime.dynamodb.requests import (
    TRANSACTION_TRIES,
    Action,
    TransactionRefused,
    query,
    set_and_remove,
    transact,
    update_action,
    wait_before_retry,
)

CHECKS_AT_ONCE = 100


@dataclass(frozen=True, slots=True)
class Schedule:
    """A channel's check interval and next check, as parts of a transaction that requires an unchanged channel."""

    channel: Channel
    check_every: CheckEvery | None
    next_check_at: str | None

    @property
    def is_changed(self) -> bool:
        return (self.check_every, self.next_check_at) != (self.channel.check_every, self.channel.next_check_at)

    def attributes(self) -> dict[str, Value]:
        """Attributes to set, or to remove if None."""
        if not self.is_changed:
            return {}
        return {"check_every": self.check_every, "next_check_at": self.next_check_at}

    def condition(self) -> str:
        """An expression, to append to another condition, that fails if the attributes have changed since."""
        if not self.is_changed:
            return ""
        seen = {"check_every": self.channel.check_every, "next_check_at": self.channel.next_check_at}
        return "".join(
            f" AND {name} = :{name}_seen" if value else f" AND attribute_not_exists({name})"
            for name, value in seen.items()
        )

    def values(self) -> dict[str, Value]:
        """The values used by the condition."""
        return {
            "check_every_seen": self.channel.check_every,
            "next_check_at_seen": self.channel.next_check_at,
        }

    def actions(self) -> list[Action]:
        """The writes to the check queue entry."""
        if self.next_check_at == self.channel.next_check_at:
            return []
        if self.next_check_at is None:
            return [{"Delete": {"TableName": main_table(), "Key": encode(tables.check_key(self.channel.id))}}]
        return [put_action(Check(self.channel.id, self.next_check_at))]


def due_checks(timestamp: str, at_once: int = CHECKS_AT_ONCE) -> Iterator[Check]:
    """Returns the checks that are due, longest overdue first. `at_once` is the size of a request."""
    return _checks("GSI1SK <= :timestamp", timestamp, min(at_once, CHECKS_AT_ONCE))


def checks_after(timestamp: str) -> Iterator[Check]:
    """Returns the checks after a timestamp, soonest first."""
    return _checks("GSI1SK > :timestamp", timestamp)


def change_channel(
    channel_id: str, check_every: CheckEvery | None, time_range_months: int | None, by: Caller = OPERATOR
) -> Channel:
    """Sets how often a channel is checked, its time range in months, or both; None leaves a setting unchanged."""
    for attempt in range(TRANSACTION_TRIES):
        channel = channel_by_id(channel_id, consistent=True)
        if channel is None or channel.deleting:
            raise ChannelNotFound(channel_id)
        changed = _changed(channel, check_every or channel.check_every, time_range_months or channel.time_range_months)
        schedule = Schedule(channel, changed.check_every, changed.next_check_at)
        try:
            transact([{"Update": _settings_update(changed, schedule)}, *schedule.actions(), _audited(by, changed)])
            return changed
        except TransactionRefused:
            wait_before_retry(attempt)
    raise ChannelNotFound(channel_id)


def _audited(by: Caller, changed: Channel) -> Action:
    detail = f"{changed.name}: checked {changed.check_every}, {changed.time_range_months} months"
    return audit_action(by, AuditAction.CHANNEL_CHANGED, f"/api/channels/{changed.id}", detail)


def move_check(channel: Channel, next_check_at: str) -> None:
    """Sets when the channel is checked next, unless that has changed since it was read."""
    schedule = Schedule(channel, channel.check_every, next_check_at)
    moved = replace(channel, next_check_at=next_check_at)
    with suppress(TransactionRefused):
        transact([{"Update": _settings_update(moved, schedule)}, *schedule.actions()])


def remove_check(check: Check) -> None:
    """Removes the entry of a channel that is gone, unless it has changed since it was read."""
    with suppress(dynamodb().exceptions.ConditionalCheckFailedException):
        dynamodb().delete_item(
            TableName=main_table(),
            Key=encode(tables.check_key(check.channel_id)),
            ConditionExpression="next_check_at = :seen",
            ExpressionAttributeValues=encode({":seen": check.next_check_at}),
        )


def _changed(channel: Channel, check_every: CheckEvery | None, months: int) -> Channel:
    changed_at = now()
    is_same = check_every == channel.check_every
    return replace(
        channel,
        check_every=check_every,
        next_check_at=channel.next_check_at if is_same else next_check(changed_at, check_every, channel.failed_runs),
        time_range_months=months,
        updated_at=changed_at,
    )


def _settings_update(changed: Channel, schedule: Schedule) -> dict[str, Any]:
    attributes: dict[str, Value] = {
        **schedule.attributes(),
        "time_range_months": changed.time_range_months,
        "updated_at": changed.updated_at,
    }
    expression = set_and_remove(attributes)
    values = {**attributes, **schedule.values()}
    return update_action(tables.channel_key(changed.id), expression, THERE + schedule.condition(), values)


def _checks(condition: str, timestamp: str, at_once: int = CHECKS_AT_ONCE) -> Iterator[Check]:
    items = query(
        TableName=main_table(),
        IndexName=tables.BY_TICKER_OR_LISTING.name,
        KeyConditionExpression=f"GSI1PK = :pk AND {condition}",
        ExpressionAttributeValues=encode({":pk": tables.ALL_CHECKS, ":timestamp": timestamp}),
        Limit=at_once,
    )
    return map(Check.from_item, items)
