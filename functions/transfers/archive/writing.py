"""Writes an archive: the record of some channels as a zip of tables, in parts and with little memory."""

import json
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, replace
from functools import partial
from gzip import GzipFile
from importlib.resources import files
from io import BufferedWriter
from shutil import copyfileobj
from sys import intern
from tempfile import TemporaryFile
from typing import IO, Any, Protocol

from functions.record.files.cells import csv_header, csv_row, json_row
from functions.record.files.tables import (
    CALLS,
    CHANNELS,
    DICTIONARY,
    FORMAT_VERSION,
    MANIFEST,
    MENTIONS,
    NOTES,
    PRICES,
    RECOMPUTE,
    REVIEWS,
    SCORECARDS,
    STOCKS,
    TABLE_FILES,
    VIDEOS,
    FileFormat,
    TableFile,
)
from functions.record.models.records import Channel, StockMention, Video
from functions.record.prices.market import BEFORE_A_CALL, RISK_FREE, benchmark
from functions.record.reviews.sample import drawn_as, sample_of, sampled_reviews
from functions.record.scores.calls import to_call
from functions.record.scores.reading_quality import published_figures
from functions.record.scoring.reading import SampledReviews, reading_figures
from functions.record.scoring.types import METHOD, Call
from functions.record.store.channels import channel_by_id, channels_by_id
from functions.record.store.notes import notes_of_channel
from functions.record.store.reviews import reviews_of_calls, reviews_of_channel
from functions.record.store.scorecards import review_sample_of_channel
from functions.record.store.videos import each_video_of_channel
from functions.runtime.clock import now
from functions.runtime.settings import settings
from functions.runtime.version import VERSION
from functions.transfers.archive.dictionary import data_dictionary
from functions.transfers.archive.rows import (
    ChannelCalls,
    Row,
    call_rows,
    channel_row,
    mention_row,
    price_rows,
    row_of,
    scorecard_rows,
    stock_row,
)
from functions.transfers.archive.series_reading import SeriesReading

TRIES = 3
"""How often a channel is read again because it changed while being read."""
VIDEOS_AT_ONCE = 1000
"""Maximum videos per page; DynamoDB ends a page at 1 MB in any case."""
BYTES_AT_ONCE = 64 * 1024
WRITTEN_AT = (1980, 1, 1, 0, 0, 0)
"""The date of every zip entry, so that equal archives have equal bytes."""
READABLE = 0o644 << 16
FAST = 1
"""Compression level for temporary data."""


class Output(Protocol):
    """The output of an archive, written strictly forward."""

    def write(self, data: bytes, /) -> object: ...


@dataclass(frozen=True, slots=True)
class ArchiveSummary:
    rows: Mapping[str, int]
    """By table name."""
    bytes: int
    channels: int
    left_out: tuple[str, ...]
    """Channels that do not exist, or were deleted in the meantime."""


def write_archive(
    channel_ids: Sequence[str],
    file_format: FileFormat,
    out: Output,
    on_progress: Callable[[int, int], None] = lambda done, total: None,
) -> ArchiveSummary:
    """Writes the record of these channels. Tells again and again how many of them are done.

    The rows of each table are collected in a temporary file, because a zip has one file after another and a channel
    has rows in all of them.
    """
    wanted = dict.fromkeys(channel_ids)
    there = channels_by_id(wanted, consistent=True)
    oldest_first = sorted(there.values(), key=lambda channel: (channel.created_at, channel.id))
    left_out = [channel_id for channel_id in wanted if channel_id not in there]
    with ExitStack() as stack:
        tables = {table: stack.enter_context(_collected(table, file_format)) for table in TABLE_FILES}
        series = SeriesReading()
        on_progress(len(left_out), len(wanted))
        for done, channel in enumerate(oldest_first, start=len(left_out) + 1):
            reading = _read_channel(channel.id, tables, partial(on_progress, done - 1, len(wanted)))
            if reading is None:
                left_out.append(channel.id)
            else:
                _collect(reading, series, tables)
            on_progress(done, len(wanted))
        for each in series.by_ticker():
            tables[STOCKS].add([stock_row(each.stock, each.header)])
            tables[PRICES].add(price_rows(each.series))
        rows = {table.name: collected.rows for table, collected in tables.items()}
        manifest = _manifest(file_format, rows, series.departed(), left_out)
        size = _write_zip(tables, manifest, file_format, out)
        return ArchiveSummary(rows, size, rows[CHANNELS.name], tuple(left_out))


class _CollectedTable:
    """The rows of a table in a temporary, lightly compressed file."""

    def __init__(self, table: TableFile, file_format: FileFormat, file: IO[bytes], compressed: IO[bytes]) -> None:
        self._columns = table.columns
        self._to_text = csv_row if file_format is FileFormat.CSV else json_row
        self._file = file
        self._compressed = compressed
        self.rows = 0
        self.bytes = 0
        if file_format is FileFormat.CSV:
            self._write(csv_header(table.columns).encode())

    def line(self, row: Row) -> bytes:
        return self._to_text(row, self._columns).encode()

    def add(self, rows: Iterable[Row]) -> None:
        for row in rows:
            self.add_lines(1, self.line(row))

    def add_lines(self, count: int, lines: bytes) -> None:
        self.rows += count
        self._write(lines)

    def copy_to(self, target: IO[bytes]) -> None:
        """Called after all rows have been added."""
        self._compressed.close()
        self._file.seek(0)
        with GzipFile(fileobj=self._file, mode="rb") as content:
            copyfileobj(content, target, BYTES_AT_ONCE)

    def _write(self, data: bytes) -> None:
        self.bytes += len(data)
        self._compressed.write(data)


@contextmanager
def _collected(table: TableFile, file_format: FileFormat) -> Iterator[_CollectedTable]:
    with (
        TemporaryFile() as file,
        GzipFile(fileobj=file, mode="wb", compresslevel=FAST) as compressed,
        BufferedWriter(compressed, BYTES_AT_ONCE) as buffered,
    ):
        yield _CollectedTable(table, file_format, file, buffered)


_Tables = Mapping[TableFile, _CollectedTable]


@dataclass(frozen=True, slots=True)
class _VideoReading:
    """The part of a video held until all have been read, because they arrive by id and are written by date."""

    position: str
    line: bytes
    mentions: int
    mention_lines: bytes
    """Compressed: in a channel with many mentions they take most of the memory."""
    calls: tuple[Call, ...]


@dataclass(frozen=True, slots=True)
class _ChannelReading:
    channel: Channel
    videos: list[_VideoReading]
    """Oldest first."""
    tickers: set[str]
    analysts: Counter[str]
    """How many calls each has read."""
    sample: list[StockMention]
    sampled: SampledReviews
    reviews: list[bytes]
    notes: list[bytes]


def _read_channel(channel_id: str, tables: _Tables, heartbeat: Callable[[], None]) -> _ChannelReading | None:
    """Reads a consistent snapshot of a channel: again, if its calls or prices changed or a run began meanwhile. Of one
    that is being processed, or that keeps changing, each video is as it was at some moment. None if it is gone."""
    channel = channel_by_id(channel_id, consistent=True)
    reading = None
    for _ in range(TRIES):
        if channel is None or channel.deleting:
            return None
        before, reading = channel, _read_below(channel, tables, heartbeat)
        channel = channel_by_id(channel_id, consistent=True)
        if channel and (before.is_under_way or _is_unchanged(before, channel)):
            break
    return None if channel is None or channel.deleting else reading


def _is_unchanged(before: Channel, after: Channel) -> bool:
    """True if nothing was written below it: a run commits videos before its end raises the revision."""
    return (after.revision, after.run_id) == (before.revision, before.run_id)


def _read_below(channel: Channel, tables: _Tables, heartbeat: Callable[[], None]) -> _ChannelReading:
    tickers: set[str] = set()
    analysts: Counter[str] = Counter()
    drawn = review_sample_of_channel(channel.id, consistent=True)
    sample: list[StockMention] = []
    videos = []
    for video in each_video_of_channel(channel.id, VIDEOS_AT_ONCE):
        heartbeat()
        videos.append(_video_reading(video, tables))
        tickers.update(map(intern, video.tickers))
        analysts.update(mention.analyst for mention in video.calls if mention.side and mention.analyst)
        # Drawn again with each video, so that no other mentions are held.
        sample = sample_of(channel.id, [*sample, *video.calls], drawn.calls if drawn else ())
    answers = reviews_of_calls(channel.id, ((call.video_id, call.ticker) for call in sample if call.review))
    videos.sort(key=lambda video: video.position)
    return _ChannelReading(
        channel,
        videos,
        tickers,
        analysts,
        sample,
        sampled_reviews(sample, answers),
        reviews=[tables[REVIEWS].line(row_of(REVIEWS, review)) for review in reviews_of_channel(channel.id)],
        notes=[tables[NOTES].line(row_of(NOTES, note)) for note in notes_of_channel(channel.id)],
    )


def _video_reading(video: Video, tables: _Tables) -> _VideoReading:
    mentions = sorted(video.calls, key=lambda mention: mention.ticker)
    lines = [tables[MENTIONS].line(mention_row(mention)) for mention in mentions]
    calls = (to_call(mention) for mention in mentions if mention.side)
    return _VideoReading(
        video.timeline_position,
        tables[VIDEOS].line(row_of(VIDEOS, video)),
        len(lines),
        zlib.compress(b"".join(lines), FAST),
        tuple(replace(call, ticker=intern(call.ticker)) for call in calls),
    )


def _collect(reading: _ChannelReading, series: SeriesReading, tables: _Tables) -> None:
    """Adds a channel's rows to all tables."""
    tables[CHANNELS].add([channel_row(reading.channel, tuple(map(drawn_as, reading.sample)))])
    for video in reading.videos:
        tables[VIDEOS].add_lines(1, video.line)
        tables[MENTIONS].add_lines(video.mentions, zlib.decompress(video.mention_lines))
    tables[REVIEWS].add_lines(len(reading.reviews), b"".join(reading.reviews))
    tables[NOTES].add_lines(len(reading.notes), b"".join(reading.notes))
    calls = [call for video in reading.videos for call in video.calls]
    series.add(reading.tickers)
    market = series.closes_for(calls).market()
    read = reading_figures(reading.sampled, published_figures(reading.analysts.elements()))
    said = ChannelCalls(reading.channel.id, calls, sorted(reading.analysts), read)
    tables[CALLS].add(call_rows(said, market))
    tables[SCORECARDS].add(scorecard_rows(said, market, settings().cost_bps))


def _manifest(
    file_format: FileFormat, rows: Mapping[str, int], departed: Sequence[str], left_out: Sequence[str]
) -> dict[str, Any]:
    return {
        "format_version": FORMAT_VERSION,
        "product_version": VERSION,
        "created_at": now(),
        "file_format": file_format,
        "method": METHOD,
        "benchmark": asdict(benchmark()),
        "risk_free": asdict(RISK_FREE),
        "cost_bps": settings().cost_bps,
        "days_before_first_call": BEFORE_A_CALL.days,
        "files": {
            table.name: {"file": table.file_name(file_format), "rows": rows[table.name]} for table in TABLE_FILES
        },
        "departed": list(departed),
        "left_out": list(left_out),
    }


class _CountedStream:
    """Counts the bytes written. Not seekable, so that the zip has the same bytes wherever it is written to."""

    def __init__(self, out: Output) -> None:
        self._out = out
        self.bytes = 0

    def write(self, data: bytes) -> int:
        self._out.write(data)
        self.bytes += len(data)
        return len(data)

    def flush(self) -> None:
        """Nothing is buffered here."""

    def close(self) -> None:
        """The output is closed by its owner."""


def _write_zip(tables: _Tables, manifest: dict[str, Any], file_format: FileFormat, out: Output) -> int:
    """Returns the number of bytes."""
    stream = _CountedStream(out)
    texts = {
        DICTIONARY: data_dictionary(file_format).encode(),
        MANIFEST: (json.dumps(manifest, indent=2) + "\n").encode(),
        RECOMPUTE: files(__package__).joinpath(RECOMPUTE).read_bytes(),
    }
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in texts.items():
            with archive.open(_entry(name, len(content)), "w") as entry:
                entry.write(content)
        for table, collected in tables.items():
            with archive.open(_entry(table.file_name(file_format), collected.bytes), "w") as entry:
                collected.copy_to(entry)
    return stream.bytes


def _entry(name: str, size: int) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, WRITTEN_AT)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = READABLE
    # Tells whether it needs the format for files of more than 2 GB.
    entry.file_size = size
    return entry
