"""Measures the requests of a run to the price source, and the time to restate a ticker's calls after a split."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from bench.measure import IdleDispatcher, requests_of, table, timed
from bench.pipeline import Outside, bought, process, use_providers
from functions.reading.analyst import Analysis, Speech
from functions.reading.listings import all_listings
from functions.reading.terms import Sentiment
from functions.reading.transcripts import Transcript
from functions.record.models.records import Channel, StockMention, Video
from functions.record.prices.calls import request_series
from functions.record.prices.series import update_series
from functions.record.sources.protocols import DailyClose, History
from functions.record.store.channels import create_channel
from functions.record.store.price_series import save_header, whole_series_of
from functions.runtime import ids
from functions.runtime.clock import now, seconds_from_now
from functions.runtime.dispatch import dispatch_with
from functions.runtime.dynamodb import tables
from functions.runtime.dynamodb.requests import chunked, transact, update_action
from local.entities import put_entities

VIDEOS, MENTIONS, TICKERS = 500, 10, 60
RESTATED_CALLS, RESTATED_CHANNELS = 5_000, 10
CALL_DAY, SPLIT_RATIO = "2025-03-03", 10
TICKER = "NVDA"
VIDEOS_AT_ONCE = 25


@dataclass(frozen=True)
class Source(Outside):
    """A channel that mentions ten of sixty stocks in each video, and a source that counts its requests."""

    seconds: float = 0
    ratio: float = 1.0
    requested: Counter[str] = field(default_factory=Counter)

    def read(self, youtube_video_id: str) -> Transcript:
        return Transcript(youtube_video_id, "demo")

    def analyse(self, speech: Speech) -> Analysis:
        number = int(speech.text.rpartition("-")[2])
        chosen = (LISTED[(number + step * 6) % TICKERS] for step in range(MENTIONS))
        return Analysis([bought(ticker) for ticker in chosen])

    def history(self, ticker: str, start: date, end: date) -> History:
        self.requested[ticker] += 1
        history = super().history(ticker, start, end)
        closes = (DailyClose(row.day, 1000.0 / self.ratio, 1000.0 / self.ratio) for row in history.closes)
        return replace(history, closes=tuple(closes))


LISTED = [ticker for ticker, each in all_listings().items() if each.left is None and ticker != TICKER][:TICKERS]


def run() -> tuple[str, dict[str, Any]]:
    requested = _requests_of_a_run()
    restatement = _restatement()
    text = table(
        f"Source requests of a run of {VIDEOS} videos x {MENTIONS} mentions over {TICKERS} tickers",
        ("what", "requests", "allowed"),
        [
            ("the tickers of the calls", requested["calls"], TICKERS),
            ("the benchmark", requested["benchmark"], 1),
        ],
    ) + table(
        f"A restatement of {RESTATED_CALLS} calls in {RESTATED_CHANNELS} channels after a split",
        ("seconds", "same writes alone", "ratio", "DynamoDB requests", "source requests"),
        [
            (
                f"{restatement['seconds']:.1f}",
                f"{restatement['floor']:.1f}",
                f"{restatement['ratio']:.2f} x",
                restatement["requests"],
                f"{restatement['source_requests']}: the day's check, and the series once",
            )
        ],
    )
    return text, {"run": requested, "restatement": restatement}


def _requests_of_a_run() -> dict[str, int]:
    source = Source(VIDEOS)
    process(1, source)
    of_calls = sum(number for ticker, number in source.requested.items() if ticker in LISTED)
    return {"calls": of_calls, "benchmark": source.requested.total() - of_calls}


def _restatement() -> dict[str, Any]:
    use_providers(before := Source(0))
    dispatch_with(IdleDispatcher())
    request_series([TICKER], date.fromisoformat(CALL_DAY))
    videos = _calls_in_old_shares()
    update_series([TICKER])
    floor = timed(lambda: _write_alone(videos))
    use_providers(after := Source(0, ratio=SPLIT_RATIO))
    header, _ = whole_series_of(TICKER)
    assert header and before.requested[TICKER] == 1
    save_header(replace(header, next_check_at=seconds_from_now(-1)))
    taken: list[float] = []
    requests = requests_of(lambda: taken.append(timed(lambda: update_series([TICKER]))))
    return {
        "seconds": taken[0],
        "floor": floor,
        "ratio": taken[0] / floor,
        "requests": requests,
        "source_requests": after.requested.total(),
    }


def _calls_in_old_shares() -> list[Video]:
    videos = []
    for _ in range(RESTATED_CHANNELS):
        channel_id, timestamp = ids.new_channel_id(), now()
        name = f"handle:{channel_id}"
        create_channel(Channel(channel_id, name, name, name, timestamp, timestamp, 12, guards=(name,)))
        for number in range(RESTATED_CALLS // RESTATED_CHANNELS):
            video = Video(
                ids.video_id(channel_id, str(number)), channel_id, str(number), "Video", "", CALL_DAY, timestamp
            )
            call = StockMention(
                video.id, channel_id, TICKER, Sentiment.BUY, CALL_DAY, timestamp, price_at_mention=1000.0
            )
            videos.append(replace(video, calls=(call,)))
    put_entities([entity for video in videos for entity in (video, *video.calls)])
    return videos


def _write_alone(videos: list[Video]) -> None:
    """The same items in as many transactions, without reading or comparing anything."""
    for some in chunked(videos, VIDEOS_AT_ONCE):
        transact([action for video in some for action in _same_again(video)])


def _same_again(video: Video) -> Iterator[dict[str, Any]]:
    calls = video.call_attributes()["calls"]
    keys = tables.video_key(video.channel_id, video.id)
    yield {"Update": update_action(keys, "SET calls = :calls", "attribute_exists(PK)", {"calls": calls})}
    for call in video.calls:
        yield {
            "Update": update_action(
                tables.mention_key(video.id, call.id),
                "SET price_at_mention = :price",
                "attribute_exists(PK)",
                {"price": call.price_at_mention},
            )
        }
