"""The tables, their indexes and their keys."""

import pytest

from functions.runtime.dynamodb import tables


def test_the_tables_are_named_by_their_prefix() -> None:
    assert [table.name("StockTrackRecord") for table in tables.TABLES] == [
        "StockTrackRecord",
        "StockTrackRecord-Stocks",
        "StockTrackRecord-News",
    ]


def test_key_attributes_are_named_once_each() -> None:
    assert tables.MAIN.key_attributes == ["PK", "SK", "GSI1PK", "GSI1SK", "GSI2PK", "GSI3PK"]
    assert tables.STOCKS.key_attributes == ["ticker"]
    assert tables.NEWS.key_attributes == ["source_id", "timestamp", "sentiment", "tag", "status"]


def test_the_indexes_are_the_published_ones() -> None:
    assert [(index.name, index.partition, index.sort, index.projection) for index in tables.MAIN.indexes] == [
        ("GSI1-index", "GSI1PK", "GSI1SK", "ALL"),
        ("GSI2-index", "GSI2PK", None, "ALL"),
        ("GSI3-index", "GSI3PK", None, "KEYS_ONLY"),
    ]
    assert [(index.name, index.partition, index.sort, index.projection) for index in tables.NEWS.indexes] == [
        ("by_sentiment", "sentiment", "timestamp", "ALL"),
        ("by_tag", "tag", "timestamp", "ALL"),
        ("by_status", "status", "timestamp", "KEYS_ONLY"),
    ]
    assert [table.time_to_live for table in tables.TABLES] == ["expires_at", None, "ttl_timestamp"]


def test_keys_of_items() -> None:
    assert tables.channel_key("c") == {"PK": "CHANNEL#c", "SK": "CHANNEL#c"}
    assert tables.video_key("c", "v") == {"PK": "CHANNEL#c", "SK": "VIDEO#v"}
    assert tables.mention_key("v", "m") == {"PK": "VIDEO#v", "SK": "MENTION#m"}
    assert tables.timeline_sk("2025-01-15", None, "v") == "2025-01-15#v"
    assert tables.log_sk("2025-01-15T08:30:00.000Z", 12) == "LOG#2025-01-15T08:30:00.000Z#00000012"
    assert tables.ticker_pk("BRK.B") == "TICKER#BRK.B"
    assert tables.youtube_video_pk("x") == "YTVID#x"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("handle:Finance", "handle:fINANCE"),
        ("handle:STRASSE", "handle:straße"),
        ("custom:Name", "custom:name"),
        ("user:Name", "user:NAME"),
        ("channel_id:UCaBc", "UCaBc"),
    ],
)
def test_one_channel_has_one_guard_however_it_is_written(one: str, other: str) -> None:
    assert tables.guard_key(one) == tables.guard_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("channel_id:UCaBc", "channel_id:UCABC"),
        ("UCaBc", "UCabc"),
        ("handle:name", "custom:name"),
        ("custom:name", "user:name"),
        ("handle:UCaBc", "UCaBc"),
    ],
)
def test_different_channels_have_different_guards(one: str, other: str) -> None:
    assert tables.guard_key(one) != tables.guard_key(other)


def test_a_guard_is_one_item_of_its_own() -> None:
    assert tables.guard_key("channel_id:UCaBc") == {"PK": "YT#UCaBc", "SK": "YT#UCaBc"}
    assert tables.guard_key("handle:Finance") == {"PK": "YT#handle:finance", "SK": "YT#handle:finance"}
