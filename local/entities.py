"""Writes many entities at once and unconditionally, for channels without a run in progress."""

from collections.abc import Iterable

from functions.news.models import KnownUrl, NewsItem
from functions.record.models.records import Stock
from functions.runtime.dynamodb.connection import main_table, news_table, stocks_table
from functions.runtime.dynamodb.entity import Entity
from functions.runtime.dynamodb.requests import batch_put


def put_entities(entities: Iterable[Entity]) -> None:
    """Overwrites existing items. No two entities may have the same key."""
    everything = list(entities)
    tables: dict[str, list[Entity]] = {main_table(): [], stocks_table(): [], news_table(): []}
    for entity in everything:
        tables[_table_of(entity)].append(entity)
    for table, some in tables.items():
        batch_put(table, [entity.to_item() for entity in some])


def _table_of(entity: Entity) -> str:
    if isinstance(entity, NewsItem | KnownUrl):
        return news_table()
    return stocks_table() if isinstance(entity, Stock) else main_table()
