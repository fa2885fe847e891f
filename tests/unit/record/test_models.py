"""The models: each comes back from its item as it was, and what is wrong is refused before it is written."""

from dataclasses import FrozenInstanceError, replace
from typing import Any

import pytest

from functions.people.models import User
from functions.reading.terms import Exchange, Sentiment
from functions.record.models.notes import Note
from functions.record.models.people import DefaultSettings, PersonalSettings
from functions.record.models.records import (
    AnalysisStatus,
    Channel,
    ChannelStatus,
    LogLevel,
    ProcessingLog,
    Stock,
    StockMention,
    TranscriptStatus,
    Video,
)
from functions.runtime.dynamodb.attributes import Item
from functions.runtime.dynamodb.entity import Entity
from functions.runtime.errors import InvalidValue
from functions.runtime.ids import mention_id

TIMESTAMP = "2025-01-15T08:30:00.000Z"

CHANNEL = Channel(
    id="c1",
    youtube_channel_id="handle:Finance",
    name="Finance",
    url="https://www.youtube.com/@Finance",
    created_at=TIMESTAMP,
    updated_at=TIMESTAMP,
    time_range_months=12,
)
FULL_CHANNEL = replace(
    CHANNEL,
    status=ChannelStatus.PROCESSING,
    thumbnail_url="https://img/1.jpg",
    video_count=100,
    processed_video_count=7,
    run_id="run",
    lease_until=TIMESTAMP,
    guards=("handle:Finance", "UC1"),
)
VIDEO = Video(
    id="v1",
    channel_id="c1",
    youtube_video_id="dQw4w9WgXcQ",
    title="Ünïcode 📈 title",
    url="https://www.youtube.com/watch?v=dQw4w9WgXcQ",
    published_at="2025-01-15",
    created_at=TIMESTAMP,
)
FULL_VIDEO = replace(
    VIDEO,
    transcript_status=TranscriptStatus.FETCHED,
    analysis_status=AnalysisStatus.COMPLETED,
    run_id="run",
)
MENTION = StockMention(
    video_id="v1",
    channel_id="c1",
    ticker="AAPL",
    sentiment=Sentiment.SELL,
    published_at="2025-01-15",
    created_at=TIMESTAMP,
)
FULL_MENTION = replace(MENTION, price_at_mention=189.33, confidence_score=0.9, context_snippet="I sold Apple.")
UNCLEAR_MENTION = replace(MENTION, sentiment=Sentiment.MENTIONED, possible_sentiment=Sentiment.BUY)
VIDEO_WITH_CALLS = replace(FULL_VIDEO, calls=(FULL_MENTION, replace(MENTION, ticker="BRK.B")))
VIDEO_WITH_AN_UNCLEAR_CALL = replace(FULL_VIDEO, calls=(UNCLEAR_MENTION,))
LOG = ProcessingLog("c1", LogLevel.WARNING, "No transcript", TIMESTAMP, 3)
STOCK = Stock("AAPL")
FULL_STOCK = Stock("AAPL", "Apple Inc.", Exchange.NASDAQ, 190.01, TIMESTAMP)

ENTITIES = [
    CHANNEL,
    FULL_CHANNEL,
    VIDEO,
    FULL_VIDEO,
    VIDEO_WITH_CALLS,
    VIDEO_WITH_AN_UNCLEAR_CALL,
    MENTION,
    FULL_MENTION,
    LOG,
    STOCK,
    FULL_STOCK,
    Note("0" * 26, "c1", "BRK.B", "Line one\nline two 📈", "auth0|ann", TIMESTAMP, TIMESTAMP, 3),
    User("auth0|ann", TIMESTAMP, TIMESTAMP, "Ann@Example.com"),
    User("local", TIMESTAMP, TIMESTAMP),
    PersonalSettings(user_id="local", version=2, horizon="6m", cost_bps=2.5, review_below=1.0, benchmark="SPY"),
    DefaultSettings(version=1),
]


@pytest.mark.parametrize("entity", ENTITIES, ids=lambda entity: type(entity).__name__)
class TestEveryEntity:
    def test_it_comes_back_from_its_item_as_it_was(self, entity: Entity) -> None:
        assert type(entity).from_item(entity.to_item()) == entity

    def test_its_item_says_what_it_is_and_holds_nothing_empty(self, entity: Entity) -> None:
        item = entity.to_item()

        assert item["entity"] == {"S": type(entity).__name__}
        assert [attribute for attribute in item.values() if "NULL" in attribute or attribute == {"L": []}] == []

    def test_its_item_holds_its_keys(self, entity: Entity) -> None:
        item, keys = entity.to_item(), entity.keys()

        assert {name: item[name]["S"] for name in keys} == keys

    def test_what_an_item_holds_beyond_it_is_ignored(self, entity: Entity) -> None:
        beyond: Item = {
            "listed_run": {"S": "run"},
            "expires_at": {"N": "1"},
            "later": {"M": {"nested": {"S": "x"}}},
            "bytes": {"B": b"x"},
        }

        assert type(entity).from_item({**entity.to_item(), **beyond}) == entity

    def test_it_cannot_be_changed(self, entity: Entity) -> None:
        with pytest.raises((FrozenInstanceError, TypeError)):
            entity.created_at = "later"  # type: ignore[attr-defined]


class TestEnums:
    @pytest.mark.parametrize(
        ("entity", "attribute", "choices"),
        [
            (CHANNEL, "status", "pending, processing, completed, failed, cancelled"),
            (VIDEO, "transcript_status", "pending, fetched, unavailable, failed"),
            (VIDEO, "analysis_status", "pending, completed, skipped, failed"),
            (MENTION, "sentiment", "buy, hold, sell, mentioned"),
            (LOG, "log_level", "info, warning, error"),
            (STOCK, "exchange", "NYSE, NASDAQ"),
        ],
    )
    @pytest.mark.parametrize("wrong", ["bogus", "", "Buy", 1])
    def test_a_value_outside_them_is_refused_with_those_inside(
        self, entity: Any, attribute: str, choices: str, wrong: object
    ) -> None:
        with pytest.raises(InvalidValue) as refused:
            replace(entity, **{attribute: wrong})

        name = type(entity).__name__
        assert str(refused.value) == f"{name}.{attribute} must be one of {choices}, not {wrong!r}"

    @pytest.mark.parametrize(("entity", "attribute"), [(CHANNEL, "status"), (MENTION, "sentiment"), (LOG, "log_level")])
    def test_one_that_is_needed_cannot_be_left_out(self, entity: Any, attribute: str) -> None:
        with pytest.raises(InvalidValue, match=f"{attribute} must be one of"):
            replace(entity, **{attribute: None})

    def test_a_value_given_as_text_becomes_the_enum(self) -> None:
        mention = replace(MENTION, sentiment="hold")  # type: ignore[arg-type]

        assert mention.sentiment is Sentiment.HOLD

    def test_a_wrong_value_in_an_item_is_refused_too(self) -> None:
        with pytest.raises(InvalidValue, match="not 'bogus'"):
            Channel.from_item({**CHANNEL.to_item(), "status": {"S": "bogus"}})


class TestNumbers:
    @pytest.mark.parametrize(
        ("entity", "attribute"),
        [(MENTION, "price_at_mention"), (MENTION, "confidence_score"), (STOCK, "last_price")],
    )
    @pytest.mark.parametrize("wrong", [float("nan"), float("inf"), float("-inf"), "12", True])
    def test_what_is_no_finite_number_is_refused(self, entity: Any, attribute: str, wrong: object) -> None:
        with pytest.raises(InvalidValue) as refused:
            replace(entity, **{attribute: wrong})

        name = type(entity).__name__
        assert str(refused.value) == f"{name}.{attribute} must be a finite number, not {wrong!r}"

    @pytest.mark.parametrize(
        "price", [0.1 + 0.2, 1 / 3, 0.0, 1e-7, 123456789.123456789, 1e22, 5e-100, 2**53 - 1.0, -12.5, 100.0]
    )
    def test_a_float_comes_back_exactly(self, price: float) -> None:
        item = replace(MENTION, price_at_mention=price).to_item()

        found = StockMention.from_item(item).price_at_mention

        assert found == price
        assert isinstance(found, float)

    def test_a_whole_number_is_a_float_all_the_same(self) -> None:
        stock = Stock.from_item({**STOCK.to_item(), "last_price": {"N": "190"}})

        assert (stock.last_price, type(stock.last_price)) == (190.0, float)

    def test_counts_stay_whole(self) -> None:
        assert type(Channel.from_item(FULL_CHANNEL.to_item()).video_count) is int


def test_a_video_keeps_its_calls_as_one_text_and_beside_it_what_is_read_of_them() -> None:
    item = VIDEO_WITH_CALLS.to_item()

    assert item["calls"] == {
        "S": f'[["AAPL","sell",189.33,0.9,"I sold Apple.","{TIMESTAMP}"],["BRK.B","sell",null,null,null,"{TIMESTAMP}"]]'
    }
    assert item["tickers"] == {"L": [{"S": "AAPL"}, {"S": "BRK.B"}]}
    assert item["unpriced"] == {"N": "1"}
    assert {"calls", "tickers", "unpriced"}.isdisjoint(FULL_VIDEO.to_item())


class TestKeys:
    def test_of_a_channel(self) -> None:
        assert CHANNEL.keys() == {
            "PK": "CHANNEL#c1",
            "SK": "CHANNEL#c1",
            "GSI1PK": "CHANNELS",
            "GSI1SK": TIMESTAMP,
            "GSI2PK": "YT#handle:Finance",
            "GSI3PK": "UNDER_WAY",
        }

    def test_of_a_video_without_calls(self) -> None:
        assert VIDEO.keys() == {"PK": "CHANNEL#c1", "SK": "VIDEO#v1", "GSI3PK": "YTVID#dQw4w9WgXcQ"}

    def test_of_a_video_with_calls(self) -> None:
        assert VIDEO_WITH_CALLS.keys() == {
            **VIDEO.keys(),
            "GSI1PK": "CHANNEL#c1",
            "GSI1SK": "2025-01-15#v1",
        }

    def test_of_a_video_whose_time_is_known(self) -> None:
        evening = replace(VIDEO_WITH_CALLS, published_time="2025-01-16T00:30:00.000Z")

        assert evening.keys()["GSI1SK"] == "2025-01-15#2025-01-16T00:30:00.000Z#v1"

    def test_of_a_mention(self) -> None:
        assert MENTION.keys() == {
            "PK": "VIDEO#v1",
            "SK": f"MENTION#{mention_id('v1', 'AAPL')}",
            "GSI1PK": "TICKER#AAPL",
            "GSI1SK": "2025-01-15",
            "GSI2PK": "CHANNEL#c1",
        }

    def test_of_a_log_line(self) -> None:
        assert LOG.keys() == {"PK": "CHANNEL#c1", "SK": f"LOG#{TIMESTAMP}#00000003"}

    def test_of_a_stock(self) -> None:
        assert STOCK.keys() == {"ticker": "AAPL"}


class TestLogIds:
    def test_they_rise_as_the_sort_keys_do(self) -> None:
        lines = [
            replace(LOG, created_at=created_at, sequence=sequence)
            for created_at in ("2024-12-31T23:59:59.999Z", "2025-01-01T00:00:00.000Z", "2025-01-01T00:00:00.001Z")
            for sequence in (0, 1, 2047)
        ]

        assert [line.id for line in lines] == sorted({line.id for line in lines})
        assert [line.keys()["SK"] for line in lines] == sorted(line.keys()["SK"] for line in lines)

    def test_they_are_exact_as_javascript_numbers(self) -> None:
        line = replace(LOG, created_at="2109-01-01T00:00:00.000Z", sequence=2047)

        assert line.id < 2**53
