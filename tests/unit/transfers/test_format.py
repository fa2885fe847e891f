"""The definition of the archive's files."""

from dataclasses import fields, is_dataclass
from typing import Any, get_args, get_type_hints

from functions.record.files.statements import STATEMENT_COLUMNS
from functions.record.files.tables import (
    CALLS,
    CHANNELS,
    MENTIONS,
    REVIEWS,
    SCORECARDS,
    STOCKS,
    TABLE_FILES,
    VIDEOS,
    Kind,
)
from functions.record.models.records import Channel, Review, Stock, StockMention, Video
from functions.record.scoring.types import CallResult, HorizonScore

LEFT_OUT = {
    "run_id", "lease_until", "rereading", "checking", "calls_new", "calls_gone", "calls_turned", "revision", "scored",
    "next_check_at", "failed_runs", "postponed_run", "tokens_in", "tokens_out",
    "interrupted", "declined", "reviewed_by_name",
    "deleting", "transcript_kept", "edits", "calls", "video_url",
}  # fmt: skip
"""The state of runs and scores, display names, and what follows from other rows."""


def test_names_and_keys_are_unique_and_each_column_is_explained() -> None:
    assert len({table.name for table in TABLE_FILES}) == len(TABLE_FILES)
    for table in TABLE_FILES:
        names = table.column_names
        assert len(set(names)) == len(names)
        assert set(table.key) <= set(names)
        assert all(column.description for column in table.columns)
        assert not any(column.optional for column in table.columns if column.kind is Kind.LIST)


def test_every_attribute_of_what_is_restored_is_a_column_or_left_out_on_purpose() -> None:
    for model, table in ((Channel, CHANNELS), (Video, VIDEOS), (Review, REVIEWS), (Stock, STOCKS)):
        assert {field.name for field in fields(model)} - LEFT_OUT <= set(table.column_names)
    of_video = {"published_at", "published_time"}
    own = {field.name for field in fields(StockMention)} - LEFT_OUT - of_video - {"said", "said_as_read"}
    assert own == set(MENTIONS.column_names) - set(STATEMENT_COLUMNS)
    assert set(STATEMENT_COLUMNS) <= set(MENTIONS.column_names)


def test_derived_tables_have_every_figure_that_the_product_computes() -> None:
    assert {field.name for field in fields(CallResult)} <= set(CALLS.column_names)
    # News expire and are in no archive, so that nobody could compute it again.
    assert set(_flat_names(HorizonScore)) - {"follows_news_rate"} <= set(SCORECARDS.column_names)
    assert [table.name for table in TABLE_FILES if table.derived] == ["calls", "scorecards"]


def _flat_names(model: type, prefix: str = "") -> list[str]:
    names = []
    for name, hint in get_type_hints(model).items():
        inner: Any = next((each for each in (hint, *get_args(hint)) if is_dataclass(each)), None)
        names += _flat_names(inner, f"{prefix}{name}_") if inner else [prefix + name]
    return names
