"""Writes a synthetic channel: `python -m local.seed --channel NAME --videos N --mentions M`."""

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from random import Random
from uuid import NAMESPACE_URL, uuid5

from botocore.exceptions import BotoCoreError, ClientError

from functions.reading.terms import Exchange, Sentiment
from functions.record.models.records import (
    AnalysisStatus,
    Channel,
    ChannelStatus,
    LogLevel,
    ProcessingLog,
    StockMention,
    TranscriptStatus,
    Video,
)
from functions.record.store.channels import channel_by_id, create_channel, delete_channel
from functions.record.store.stocks import describe_stock, set_stock_price
from functions.runtime import ids
from functions.runtime.clock import timestamp
from functions.runtime.concurrency import for_each
from functions.runtime.dynamodb.entity import Entity
from functions.runtime.dynamodb.requests import chunked
from functions.runtime.errors import StockTrackRecordError
from functions.runtime.settings import settings
from local.entities import put_entities

LAST_DAY = date(2022, 6, 30)
"""Before the demo's last day, whose prices are newer and stay."""
DAYS = 365
MAX_VIDEOS = 20_000
BATCH_ITEMS = 1_000
RUN_ID = "synthetic"

WORDS = {
    Sentiment.BUY: "Synthetic words: I am buying {ticker} here.",
    Sentiment.HOLD: "Synthetic words: I keep my {ticker} and add nothing.",
    Sentiment.SELL: "Synthetic words: I have sold all of my {ticker}.",
    Sentiment.MENTIONED: "Synthetic words: {ticker} was in the news this week.",
}
WEIGHTS = {Sentiment.BUY: 35, Sentiment.HOLD: 12, Sentiment.SELL: 8, Sentiment.MENTIONED: 45}

NASDAQ = {
    "AAPL": "Apple Inc.",
    "ADBE": "Adobe Inc.",
    "ADI": "Analog Devices, Inc.",
    "AMAT": "Applied Materials, Inc.",
    "AMD": "Advanced Micro Devices, Inc.",
    "AMGN": "Amgen Inc.",
    "AMZN": "Amazon.com, Inc.",
    "AVGO": "Broadcom Inc.",
    "BKNG": "Booking Holdings Inc.",
    "CMCSA": "Comcast Corporation",
    "COST": "Costco Wholesale Corporation",
    "CSCO": "Cisco Systems, Inc.",
    "GILD": "Gilead Sciences, Inc.",
    "GOOGL": "Alphabet Inc.",
    "INTC": "Intel Corporation",
    "INTU": "Intuit Inc.",
    "ISRG": "Intuitive Surgical, Inc.",
    "META": "Meta Platforms, Inc.",
    "MSFT": "Microsoft Corporation",
    "MU": "Micron Technology, Inc.",
    "NFLX": "Netflix, Inc.",
    "NVDA": "NVIDIA Corporation",
    "PEP": "PepsiCo, Inc.",
    "PYPL": "PayPal Holdings, Inc.",
    "QCOM": "QUALCOMM Incorporated",
    "SBUX": "Starbucks Corporation",
    "TMUS": "T-Mobile US, Inc.",
    "TSLA": "Tesla, Inc.",
    "TXN": "Texas Instruments Incorporated",
    "VRTX": "Vertex Pharmaceuticals Incorporated",
}
NYSE = {
    "ABBV": "AbbVie Inc.",
    "AXP": "American Express Company",
    "BA": "The Boeing Company",
    "BAC": "Bank of America Corporation",
    "BRK.B": "Berkshire Hathaway Inc.",
    "CAT": "Caterpillar Inc.",
    "CRM": "Salesforce, Inc.",
    "CVX": "Chevron Corporation",
    "DE": "Deere & Company",
    "DIS": "The Walt Disney Company",
    "F": "Ford Motor Company",
    "GE": "General Electric Company",
    "GS": "The Goldman Sachs Group, Inc.",
    "HD": "The Home Depot, Inc.",
    "IBM": "International Business Machines Corporation",
    "JNJ": "Johnson & Johnson",
    "JPM": "JPMorgan Chase & Co.",
    "KO": "The Coca-Cola Company",
    "LLY": "Eli Lilly and Company",
    "MA": "Mastercard Incorporated",
    "MCD": "McDonald's Corporation",
    "MRK": "Merck & Co., Inc.",
    "NKE": "NIKE, Inc.",
    "PFE": "Pfizer Inc.",
    "PG": "The Procter & Gamble Company",
    "T": "AT&T Inc.",
    "UNH": "UnitedHealth Group Incorporated",
    "V": "Visa Inc.",
    "VZ": "Verizon Communications Inc.",
    "XOM": "Exxon Mobil Corporation",
}
TICKERS = sorted([*NASDAQ, *NYSE])


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    try:
        print(seed(options.channel, options.videos, options.mentions, report=lambda text: print(text, file=sys.stderr)))
    except (StockTrackRecordError, BotoCoreError, ClientError) as problem:
        print(f"Nothing more was written: {_sentence(problem)}", file=sys.stderr)
        return 1
    return 0


def seed(name: str, video_count: int, mentions_of_each: int, report: Callable[[str], None]) -> str:
    """Writes the channel, replacing an earlier one of that name, and returns its id."""
    channel = _channel(name, video_count)
    if channel_by_id(channel.id, consistent=True):
        report(f"Removing the earlier {channel.name} …")
        delete_channel(channel.id)
    # Completed only once everything is written.
    create_channel(replace(channel, status=ChannelStatus.PENDING))
    for_each(_write_stock, TICKERS)
    entities = _entities_of(channel, video_count, mentions_of_each)
    written = 0
    for some in chunked(entities, BATCH_ITEMS):
        put_entities(some)
        written += len(some)
        report(f"{written:,} of {len(entities):,} items")
    put_entities([channel])
    return channel.id


def _channel(name: str, video_count: int) -> Channel:
    channel_id = str(uuid5(NAMESPACE_URL, f"stock-track-record/seed/{name}"))
    youtube_id = f"UCsynthetic-{channel_id.replace('-', '')[:12]}"
    return Channel(
        id=channel_id,
        youtube_channel_id=youtube_id,
        name=f"{name} (synthetic)",
        url=f"https://www.youtube.com/channel/{youtube_id}",
        created_at=_timestamp_after(),
        updated_at=_timestamp_after(video_count + 1),
        time_range_months=12,
        status=ChannelStatus.COMPLETED,
        video_count=video_count,
        processed_video_count=video_count,
        run_id=RUN_ID,
        guards=(youtube_id,),
    )


def _entities_of(channel: Channel, video_count: int, mentions_of_each: int) -> list[Entity]:
    chance = Random(channel.id)
    entities: list[Entity] = [_log(channel, 0, LogLevel.INFO, f"Synthetic run: {video_count} videos")]
    for number in range(video_count):
        tickers = chance.sample(TICKERS, mentions_of_each)
        video = _video(channel, number, video_count, tickers)
        video = replace(video, calls=tuple(_mention(video, ticker, chance) for ticker in tickers))
        entities += [video, *video.calls]
        entities.append(_video_log(channel, number, video, chance))
    entities.append(_log(channel, video_count + 1, LogLevel.INFO, "Synthetic run: completed"))
    return entities


def _video(channel: Channel, number: int, video_count: int, tickers: list[str]) -> Video:
    published = LAST_DAY - timedelta(days=number * DAYS // video_count)
    youtube_id = f"syn{uuid5(NAMESPACE_URL, f'{channel.id}/{number}').hex[:8]}"
    return Video(
        id=ids.video_id(channel.id, youtube_id),
        channel_id=channel.id,
        youtube_video_id=youtube_id,
        title=f"{', '.join(tickers[:3]) or 'No stocks'} and the week of {published} (synthetic)",
        url=f"https://www.youtube.com/watch?v={youtube_id}",
        published_at=published.isoformat(),
        created_at=channel.created_at,
        transcript_status=TranscriptStatus.FETCHED,
        analysis_status=AnalysisStatus.COMPLETED,
        run_id=RUN_ID,
    )


def _mention(video: Video, ticker: str, chance: Random) -> StockMention:
    (sentiment,) = chance.choices(list(WEIGHTS), list(WEIGHTS.values()))
    return StockMention(
        video_id=video.id,
        channel_id=video.channel_id,
        ticker=ticker,
        sentiment=sentiment,
        published_at=video.published_at,
        created_at=video.created_at,
        price_at_mention=_prices(ticker)[(LAST_DAY - date.fromisoformat(video.published_at)).days],
        confidence_score=round(chance.uniform(0.5, 1), 2),
        context_snippet=WORDS[sentiment].format(ticker=ticker),
    )


def _video_log(channel: Channel, number: int, video: Video, chance: Random) -> ProcessingLog:
    if chance.random() < 0.1 or number == 0:
        text = f"Synthetic warning: the transcript of {video.youtube_video_id} was hard to read"
        return _log(channel, number + 1, LogLevel.WARNING, text)
    text = f"Synthetic run: {len(video.tickers)} stocks in {video.youtube_video_id}"
    return _log(channel, number + 1, LogLevel.INFO, text)


def _log(channel: Channel, number: int, level: LogLevel, message: str) -> ProcessingLog:
    return ProcessingLog(channel.id, level, message, _timestamp_after(number), sequence=0)


def _timestamp_after(steps: int = 0) -> str:
    """This many tenths of a second after eight on the last day."""
    return timestamp(datetime.combine(LAST_DAY, time(8), UTC) + timedelta(milliseconds=100 * steps))


def _write_stock(ticker: str) -> None:
    """Leaves a known name and a fetched price, which is newer, as they are."""
    exchange, names = (Exchange.NYSE, NYSE) if ticker in NYSE else (Exchange.NASDAQ, NASDAQ)
    describe_stock(ticker, names[ticker], exchange)
    set_stock_price(ticker, _prices(ticker)[0], _timestamp_after())


@cache
def _prices(ticker: str) -> list[float]:
    """Invented daily prices, newest first; the same for every channel."""
    chance = Random(ticker)
    price = chance.uniform(20, 400)
    prices = []
    for _ in range(DAYS + 1):
        prices.append(round(price, 2))
        price = max(1.0, price * chance.gauss(0.9997, 0.015))
    return prices


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m local.seed", description="Writes a synthetic channel.")
    parser.add_argument("--channel", metavar="NAME", type=_name, required=True, help="written again, it is replaced")
    parser.add_argument("--videos", metavar="N", type=_number(1, MAX_VIDEOS), required=True, help="how many videos")
    parser.add_argument(
        "--mentions", metavar="M", type=_number(0, len(TICKERS)), required=True, help="how many stocks in each video"
    )
    return parser


def _name(text: str) -> str:
    if not text.strip():
        raise argparse.ArgumentTypeError("a channel needs a name")
    return text.strip()


def _number(least: int, most: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not text.isascii() or not text.isdigit() or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"must be a whole number from {least} to {most}, not {text!r}")
        return int(text)

    return read


def _sentence(problem: Exception) -> str:
    if isinstance(problem, ClientError) and problem.response["Error"]["Code"] == "ResourceNotFoundException":
        return (
            f"there are no tables with the prefix {settings().table_prefix}. "
            "Run `python scripts/create_tables.py` or `make run` first, with the same settings."
        )
    return str(problem).splitlines()[0]


if __name__ == "__main__":
    sys.exit(main())
