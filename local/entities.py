"""Writes many entities at once and unconditionally, for channels that no run is writing to."""

from collections.abc import Iterable

from functions.core.models import Entity, Stock
from functions.store.connection import main_table, stocks_table
from functions.store.requests import batch_put


def put_entities(entities: Iterable[Entity]) -> None:
    """Overwrites what was there. No two entities may have the same key."""
    everything = list(entities)
    batch_put(main_table(), [entity.to_item() for entity in everything if not isinstance(entity, Stock)])
    batch_put(stocks_table(), [entity.to_item() for entity in everything if isinstance(entity, Stock)])
