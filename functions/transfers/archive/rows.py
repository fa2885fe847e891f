"""Rows of the archive's tables, built from the models. No I/O."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from operator import attrgetter
from typing import Any, NamedTuple

from functions.reading.terms import SIDES, Sentiment
from functions.record.files.statements import statement_cells
from functions.record.files.tables import CHANNELS, MENTIONS, SCORECARDS, STOCKS, TableFile
from functions.record.models.records import Channel, Stock, StockMention
from functions.record.models.series import Series, SeriesHeader
from functions.record.scores.provenance import sha256_of_calls
from functions.record.scoring.reading import ReadingFigures
from functions.record.scoring.returns import Market, result_of
from functions.record.scoring.scorecard import score_channel
from functions.record.scoring.types import METHOD, Call, CallResult, Horizon
from functions.record.sources.protocols import RISK_FREE_TICKER
from functions.runtime.dynamodb.attributes import Value

Row = Sequence[Value]
SENTIMENT_OF_SIDE: Mapping[int, Sentiment] = {side: sentiment for sentiment, side in SIDES.items()}
_RESULT = attrgetter(*(field.name for field in fields(CallResult)))


class ChannelCalls(NamedTuple):
    """The calls of a channel that count, in the order of its videos, and their analyst."""

    channel_id: str
    calls: Sequence[Call]
    analysts: Sequence[str]
    reading: ReadingFigures


def row_of(table: TableFile, model: object) -> Row:
    """Builds a row from a model whose attributes match the columns."""
    return tuple(getattr(model, name) for name in table.column_names)


def channel_row(channel: Channel, sample: tuple[str, ...]) -> Row:
    return tuple(sample if name == "sample" else getattr(channel, name) for name in CHANNELS.column_names)


def mention_row(mention: StockMention) -> Row:
    statement = statement_cells(mention)
    return tuple(statement[name] if name in statement else getattr(mention, name) for name in MENTIONS.column_names)


def call_rows(of: ChannelCalls, market: Market) -> Iterator[Row]:
    """The outcome of each call at each horizon."""
    for call in of.calls:
        said = (of.channel_id, call.video_id, call.ticker, SENTIMENT_OF_SIDE[call.side])
        for horizon in Horizon:
            yield (*said, horizon, *_RESULT(result_of(call, horizon, market)))


def scorecard_rows(of: ChannelCalls, market: Market, cost_bps: float) -> Iterator[Row]:
    """The channel's statistics at each horizon, with their inputs."""
    rests_on: dict[str, Value] = {
        "channel_id": of.channel_id,
        "method": METHOD,
        "as_of": market.sessions[-1].isoformat() if market.sessions else None,
        "risk_free": RISK_FREE_TICKER if market.knows_risk_free else None,
        "cost_bps": cost_bps,
        "calls_sha256": sha256_of_calls(
            (call.video_id, call.ticker, SENTIMENT_OF_SIDE[call.side], call.published_at, call.published_time)
            for call in of.calls
        ),
        "analysts": tuple(of.analysts),
    }
    for score in score_channel(of.calls, market, reading=of.reading, cost_bps=cost_bps):
        figures = rests_on | dict(_flat(score))
        yield tuple(figures.get(name) for name in SCORECARDS.column_names)


def stock_row(stock: Stock, header: SeriesHeader | None) -> Row:
    of_series: dict[str, Value] = {}
    if header:
        names = ("source", "currency", "wanted_from", "fetched_from", "as_of")
        of_series = {f"series_{name}": getattr(header, name) for name in names}
        of_series["series_splits"] = tuple(f"{split.day.isoformat()} {split.ratio!r}" for split in header.splits)
    return tuple(
        of_series.get(name) if name.startswith("series_") else getattr(stock, name) for name in STOCKS.column_names
    )


def price_rows(series: Series) -> Iterator[Row]:
    for day, close, total in zip(series.days, series.closes, series.total_closes, strict=True):
        yield series.ticker, day.isoformat(), close, total


def _flat(figures: Any, prefix: str = "") -> Iterator[tuple[str, Value]]:
    """Flattens the statistics by name; nested names are joined."""
    for field in fields(figures):
        value = getattr(figures, field.name)
        if is_dataclass(value):
            yield from _flat(value, f"{prefix}{field.name}_")
        else:
            yield prefix + field.name, value
