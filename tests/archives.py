"""Archives for tests: channels with given calls and closes, written and read again."""

import csv
import io
import json
import zipfile
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from functions.reading.terms import Sentiment
from functions.record.files.cells import from_cell, from_json
from functions.record.files.tables import TABLE_FILES, FileFormat
from functions.record.models.records import AnalysisStatus, Channel, ChannelStatus, TranscriptStatus, Video
from functions.record.models.series import Series, SeriesHeader
from functions.record.scoring.types import Call
from functions.record.store.price_series import save_series, whole_series_of
from functions.runtime.dynamodb.attributes import Value
from functions.runtime.dynamodb.connection import main_table
from functions.runtime.dynamodb.requests import batch_put
from functions.transfers.archive.writing import ArchiveSummary, write_archive
from tests.builders import a_channel, a_mention, a_video

KINDS = {1: Sentiment.BUY, -1: Sentiment.SELL}
Rows = list[dict[str, Value]]


def store_channel(calls: Iterable[Call], **changes: Any) -> Channel:
    """A stored channel at rest, whose videos make these calls."""
    channel = a_channel(**{"status": ChannelStatus.COMPLETED, **changes})
    by_video: dict[str, list[Call]] = defaultdict(list)
    for call in calls:
        by_video[call.video_id].append(call)
    store_videos(channel, [_video_of(channel, said) for said in by_video.values()])
    return channel


def store_videos(channel: Channel, videos: Sequence[Video]) -> None:
    mentions = [mention for video in videos for mention in video.calls]
    batch_put(main_table(), [entity.to_item() for entity in (channel, *videos, *mentions)])


def store_series(series: Series) -> None:
    """Replaces what is stored of the ticker."""
    header, stored = whole_series_of(series.ticker)
    first = "2000-01-01"
    new = SeriesHeader(series.ticker, first, fetched_from=first, source="test", currency="USD")
    save_series(header or new, series, stored)


def written(channel_ids: Sequence[str], file_format: FileFormat = FileFormat.CSV) -> tuple[bytes, ArchiveSummary]:
    out = io.BytesIO()
    summary = write_archive(channel_ids, file_format, out)
    return out.getvalue(), summary


def read_archive(content: bytes) -> dict[str, Rows]:
    """The tables of an archive, by name."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        file_format = FileFormat(json.loads(archive.read("manifest.json"))["file_format"])
        return {
            table.name: [
                {column.name: value for column, value in zip(table.columns, row, strict=True)}
                for row in _rows(archive.read(table.file_name(file_format)).decode(), table, file_format)
            ]
            for table in TABLE_FILES
        }


def unpacked(content: bytes, folder: Path) -> Path:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        archive.extractall(folder)
    return folder


def _rows(text: str, table: Any, file_format: FileFormat) -> Iterable[list[Value]]:
    if file_format is FileFormat.CSV:
        header, *rows = csv.reader(io.StringIO(text, newline=""))
        assert tuple(header) == table.column_names
        return [list(map(from_cell, row, table.columns)) for row in rows]
    objects = [json.loads(line) for line in text.split("\n")[:-1]]
    return [[from_json(each[column.name], column) for column in table.columns] for each in objects]


def _video_of(channel: Channel, calls: Sequence[Call]) -> Video:
    first = calls[0]
    video = a_video(
        channel.id,
        first.video_id,
        id=first.video_id,
        published_at=first.published_at,
        published_time=first.published_time,
        transcript_status=TranscriptStatus.FETCHED,
        analysis_status=AnalysisStatus.COMPLETED,
        analyst="rules 1.0",
    )
    mentions = (
        a_mention(
            video, call.ticker, sentiment=KINDS[call.side], published_time=call.published_time, analyst=video.analyst
        )
        for call in calls
    )
    return replace(video, calls=tuple(mentions))
