"""Gives channels from before an upgrade the index key of runs under way, once and a part at a time."""

from contextlib import suppress

from functions.record.models.records import WITHOUT_END
from functions.record.store.channel_conditions import STATUSES_UNDER_WAY, THERE, UNDER_WAY
from functions.record.store.channels import newest_channels
from functions.runtime.dynamodb import tables
from functions.runtime.dynamodb.attributes import Item
from functions.runtime.dynamodb.connection import dynamodb, main_table
from functions.runtime.dynamodb.requests import ConditionNotMet, get, update

ENTITY = "IndexKeys"
CHANNELS_AT_ONCE = 500
PAGES_AT_ONCE = 20


def index_runs_under_way(pages: int = PAGES_AT_ONCE) -> bool:
    """Goes on where the last call ended. Returns True once every channel was read; from then on it costs one read.

    Runs have the key from their start or their next heartbeat. This finds those of an earlier version whose worker had
    died.
    """
    marker = get(main_table(), tables.INDEX_KEYS_KEY, consistent=True)
    if marker and "next_key" not in marker:
        return True
    start: Item | None = marker["next_key"]["M"] if marker else None
    for _ in range(pages):
        page = newest_channels(CHANNELS_AT_ONCE, start)
        for channel in page.items:
            if channel.is_under_way and not channel.is_waiting:
                _add_key(channel.id)
        start = page.next_key
        if start is None:
            break
    _save_marker(start)
    return start is None


def _add_key(channel_id: str) -> None:
    with suppress(ConditionNotMet):
        update(
            tables.channel_key(channel_id),
            "SET GSI3PK = :key",
            f"{THERE} AND {UNDER_WAY} AND NOT lease_until = :without_end",
            {"key": tables.RUNS_UNDER_WAY, **STATUSES_UNDER_WAY, "without_end": WITHOUT_END},
        )


def _save_marker(next_key: Item | None) -> None:
    keys = {name: {"S": value} for name, value in tables.INDEX_KEYS_KEY.items()}
    rest = {"next_key": {"M": next_key}} if next_key else {}
    dynamodb().put_item(TableName=main_table(), Item={**keys, "entity": {"S": ENTITY}, **rest})
