"""Converts the tables of the old MySQL application, as CSV files or a `mysqldump`, to the tables of an archive."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

from functions.reading.listings import Listing, current_ticker, listing_on
from functions.reading.terms import Sentiment
from functions.record.channels.youtube_urls import parse_channel_url
from functions.record.files import tables as archive
from functions.record.files.cells import InvalidCell, from_cell
from functions.record.files.statements import STATEMENT_COLUMNS
from functions.record.files.tables import Column, Kind, TableFile
from functions.record.models.records import LOG_LINES_PER_MILLISECOND, LogLevel
from functions.record.runs.listing import MAX_TITLE_LENGTH, count_of
from functions.record.runs.reading import MAX_CONTEXT_LENGTH
from functions.record.store.logs import MAX_LINE_LENGTH
from functions.record.store.readings import MAX_MENTIONS_PER_VIDEO
from functions.runtime import ids
from functions.runtime.clock import timestamp, to_milliseconds
from functions.runtime.dynamodb import tables
from functions.runtime.new_york import NEW_YORK
from functions.runtime.settings import settings
from functions.runtime.text import cut_to, one_line
from functions.transfers.imports import staging
from functions.transfers.imports.archive_tables import problems_of_row, stage
from functions.transfers.imports.checks import MAX_MONTHS
from functions.transfers.imports.mysql_dump import rows_of_dump
from functions.transfers.imports.problems import Findings, Place, shown
from functions.transfers.imports.rows import check_columns, csv_rows
from functions.transfers.imports.sources import SourceFile
from functions.transfers.imports.staging import Content, Staging
from functions.transfers.imports.texts import lines_of

DEFAULT_MONTHS = 12
UNKNOWN_TIMESTAMP = "1970-01-01T00:00:00.000Z"
"""When a channel was added that does not say so. It must not depend on when a file is read: an import is continued only
with the same content."""
NO_VALUES = ("", "\\N", "NULL")
"""How programs write NULL into a CSV file."""
_ZERO_DATE = re.compile(r"0000-00-00.*")
_SEPARATOR = re.compile(r"(?<=^\d{4}-\d\d-\d\d) ")
_YOUTUBE_CHANNEL = re.compile(r"UC[\w\-]{22}", re.ASCII)


def _column(name: str, kind: Kind = Kind.TEXT, *, required: bool = False) -> Column:
    return Column(name, kind, "", optional=not required)


OLD_TABLES: dict[str, tuple[Column, ...]] = {
    "channels": (
        _column("id", required=True),
        _column("youtube_channel_id", required=True),
        _column("name", required=True),
        _column("url", required=True),
        _column("thumbnail_url"),
        _column("status"),
        _column("time_range_months", Kind.INTEGER),
        _column("created_at", Kind.TIMESTAMP),
        _column("updated_at", Kind.TIMESTAMP),
    ),
    "videos": (
        _column("id", required=True),
        _column("channel_id", required=True),
        _column("youtube_video_id", required=True),
        _column("title", required=True),
        _column("published_at", required=True),
        _column("transcript_status"),
        _column("analysis_status"),
        _column("created_at", Kind.TIMESTAMP),
    ),
    "stocks": (
        _column("ticker", required=True),
        _column("name"),
        _column("exchange"),
        _column("last_price", Kind.NUMBER),
        _column("price_updated_at", Kind.TIMESTAMP),
    ),
    "stock_mentions": (
        _column("id"),
        _column("video_id", required=True),
        _column("ticker", required=True),
        _column("sentiment", required=True),
        _column("price_at_mention", Kind.NUMBER),
        _column("confidence_score", Kind.NUMBER),
        _column("context_snippet"),
        _column("created_at", Kind.TIMESTAMP),
    ),
    "processing_logs": (
        _column("id"),
        _column("channel_id", required=True),
        _column("log_level"),
        _column("message", required=True),
        _column("created_at", Kind.TIMESTAMP, required=True),
    ),
}
"""The columns that are read, as in the objects of the old API. Others are ignored."""
REQUIRED = ("channels", "videos", "stock_mentions")
KINDS = {
    "channels": staging.Kind.CHANNEL,
    "videos": staging.Kind.VIDEO,
    "stocks": staging.Kind.STOCK,
    "stock_mentions": staging.Kind.MENTION,
    "processing_logs": staging.Kind.LOG,
}
PARENTS = {"videos": "channel_id", "stock_mentions": "video_id", "processing_logs": "channel_id"}


@dataclass(frozen=True, slots=True)
class _OldRow:
    table: str
    place: Place
    values: Mapping[str, str | None]


def read_old_tables(files: list[SourceFile], staged: Staging, findings: Findings) -> None:
    """Stages all rows as those of an archive; complaints are part of the findings."""
    with Staging() as raw:
        _read_raw(_rows(files, findings), raw, findings)
        # References to rows that could not be read would be reported twice.
        if not findings.number:
            _Conversion(raw, staged, findings).run()


def _rows(files: list[SourceFile], findings: Findings) -> Iterator[_OldRow]:
    dumps = [file for file in files if file.name.lower().endswith(".sql")]
    if len(dumps) > 1:
        findings.complain(dumps[1].name, "there is more than one .sql file")
        return
    for file in dumps:
        with file.open() as stream:
            for row in rows_of_dump(stream, file.name, OLD_TABLES):
                yield _OldRow(*row)
    for file in [] if dumps else files:
        table = file.name.lower().removesuffix(".csv")
        if table not in OLD_TABLES:
            findings.remark(f"{file.name}: not read")
            continue
        with file.open() as stream:
            lines = lines_of(stream, file.name)
            for place, values in csv_rows(lines, file.name, findings):
                yield _OldRow(
                    table, place, {name: None if text in NO_VALUES else text for name, text in values.items()}
                )


def _read_raw(rows: Iterable[_OldRow], raw: Staging, findings: Findings) -> None:
    """Converts the types, and adds the rows under the ids they have in the file."""
    checked: set[str] = set()
    unusable: set[str] = set()
    for row in rows:
        columns = OLD_TABLES[row.table]
        if row.table not in checked:
            checked.add(row.table)
            before = findings.number
            required = [column.name for column in columns if not column.optional]
            known = [column.name for column in columns]
            place = Place(row.place.file, 1) if row.place.row is None else row.place
            check_columns(list(row.values), known, required, place, findings)
            if findings.number > before:
                unusable.add(row.table)
        if row.table not in unusable and (content := _typed(row, columns, findings)):
            _add_raw(row, content, raw, findings)
    for table in REQUIRED:
        if table not in checked:
            findings.complain(table, "there are no rows of this table")


def _typed(row: _OldRow, columns: Iterable[Column], findings: Findings) -> Content | None:
    content: Content = {}
    before = findings.number
    for column in columns:
        text = row.values.get(column.name)
        try:
            if text is not None and "\0" in text:
                raise InvalidCell(f"{column.name} holds a NUL character")
            content[column.name] = _value(text, column)
        except (InvalidCell, ValueError, OverflowError) as problem:
            sentence = str(problem) if isinstance(problem, InvalidCell) else f"{column.name} cannot be {shown(text)}"
            findings.complain(row.place, sentence)
    return content if findings.number == before else None


def _value(text: str | None, column: Column) -> Any:
    if text is None or (column.kind is not Kind.TEXT and (not text or _ZERO_DATE.fullmatch(text))):
        return from_cell("", column) if column.optional or column.kind is not Kind.TEXT else _missing(column)
    if column.kind is Kind.TEXT:
        # Not through the cell parser, which treats a leading apostrophe specially.
        if not _is_utf_8(text):
            raise InvalidCell(f"{column.name} is not UTF-8: dump with --default-character-set=utf8mb4")
        return text if text or column.optional else _missing(column)
    if column.kind is Kind.TIMESTAMP:
        return timestamp(_parse_time(text))
    return from_cell(text, column)


def _missing(column: Column) -> None:
    raise InvalidCell(f"{column.name} has no value")


def _is_utf_8(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _parse_time(text: str) -> datetime:
    """MySQL stores no time zone; the old application wrote UTC."""
    parsed = datetime.fromisoformat(_SEPARATOR.sub("T", text.strip()))
    return parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)


def _add_raw(row: _OldRow, content: Content, raw: Staging, findings: Findings) -> None:
    kind = KINDS[row.table]
    key = content["ticker"] if row.table == "stocks" else content.get("id")
    # Rows without an id cannot be compared.
    own_key = f"{row.place.file}/{row.place.line}/{row.place.row}"
    parent = content[PARENTS[row.table]] if row.table in PARENTS else ""
    sort = f"{content.get('created_at') or ''}#{(key or '').rjust(20, '0')}"
    if not raw.add(kind, key or own_key, row.place, content, parent=parent, sort=sort):
        findings.complain(row.place, f"the id {shown(key)} is also that of {raw.place_of(kind, key or own_key)}")


class _Conversion:
    """Converts the old rows to rows of an archive."""

    def __init__(self, raw: Staging, staged: Staging, findings: Findings) -> None:
        self._raw = raw
        self._staged = staged
        self._findings = findings
        self._unlisted: Counter[str] = Counter()
        self._doubled = 0
        self._too_many = 0
        self._read_after_all = 0

    def run(self) -> None:
        self._check_references()
        for old_id, channel in self._raw.all_of(staging.Kind.CHANNEL):
            self._channel(old_id, channel)
        for ticker, stock in self._raw.all_of(staging.Kind.STOCK):
            self._stock(ticker, stock)
        self._tell()

    def _check_references(self) -> None:
        for kind, parent_kind in (
            (staging.Kind.VIDEO, staging.Kind.CHANNEL),
            (staging.Kind.MENTION, staging.Kind.VIDEO),
            (staging.Kind.LOG, staging.Kind.CHANNEL),
        ):
            for place, parent in self._raw.without_parent(kind, parent_kind):
                self._findings.complain(place, f"there is no {parent_kind} with the id {shown(parent)}")

    def _channel(self, old_id: str, old: Content) -> None:
        place = self._raw.place_of(staging.Kind.CHANNEL, old_id)
        youtube_id = _youtube_channel_id(old)
        channel_id = old_id if ids.is_uuid(old_id) else ids.imported_channel_id(tables.guard_key(youtube_id)["PK"])
        created = old["created_at"] or old["updated_at"] or UNKNOWN_TIMESTAMP
        content: Content = {
            "id": channel_id,
            "youtube_channel_id": youtube_id,
            "name": one_line(old["name"], MAX_TITLE_LENGTH) or youtube_id,
            "url": old["url"].strip(),
            "thumbnail_url": old["thumbnail_url"],
            "status": (old["status"] or "completed").lower(),
            "time_range_months": min(MAX_MONTHS, max(1, old["time_range_months"] or DEFAULT_MONTHS)),
            "check_every": settings().check_every,
            # These follow from the videos.
            "video_count": 0,
            "processed_video_count": 0,
            "guards": _guards(youtube_id, _name_in(old["url"])),
            "sample": (),
            "newest_video_at": None,
            "fully_listed_at": None,
            "listed_months": None,
            "created_at": created,
            "updated_at": old["updated_at"] or created,
        }
        self._add(archive.CHANNELS, content, place)
        for video_key, video in self._raw.of_parent(staging.Kind.VIDEO, old_id):
            self._video(video_key, video, channel_id)
        self._logs(old_id, channel_id)

    def _video(self, old_id: str, old: Content, channel_id: str) -> None:
        place = self._raw.place_of(staging.Kind.VIDEO, old_id)
        try:
            day, published_time = _published(old["published_at"])
        except (ValueError, OverflowError):
            self._findings.complain(place, f"published_at must be a day, not {shown(old['published_at'])}")
            return
        video_id = ids.video_id(channel_id, old["youtube_video_id"])
        mentions = self._mentions(old_id, day)
        transcript, analysis = (old["transcript_status"] or "").lower(), (old["analysis_status"] or "").lower()
        if mentions and (transcript, analysis) != ("fetched", "completed"):
            transcript, analysis = "fetched", "completed"
            self._read_after_all += 1
        elif analysis == "completed":
            transcript = "fetched"
        created = old["created_at"] or f"{day.isoformat()}T00:00:00.000Z"
        content: Content = {
            "id": video_id,
            "channel_id": channel_id,
            "youtube_video_id": old["youtube_video_id"],
            "title": one_line(old["title"], MAX_TITLE_LENGTH) or old["youtube_video_id"],
            "url": f"https://www.youtube.com/watch?v={old['youtube_video_id']}",
            "published_at": day.isoformat(),
            "published_time": published_time,
            "created_at": created,
            "transcript_status": transcript or "pending",
            "analysis_status": analysis or "pending",
            "analyst": None,
            "problem": None,
            "removed_at": None,
        }
        self._add(archive.VIDEOS, content, place)
        for ticker, (mention_id, mention) in mentions.items():
            self._add(
                archive.MENTIONS,
                {
                    "video_id": video_id,
                    "channel_id": channel_id,
                    "ticker": ticker,
                    "sentiment": mention["sentiment"].lower(),
                    "possible_sentiment": None,
                    "price_at_mention": mention["price_at_mention"] or None,
                    "confidence_score": mention["confidence_score"],
                    "context_snippet": _snippet(mention["context_snippet"]),
                    "start_seconds": None,
                    "analyst": None,
                    "review": None,
                    "read_as": None,
                    "review_version": None,
                    "created_at": mention["created_at"] or created,
                    **dict.fromkeys(STATEMENT_COLUMNS),
                },
                self._raw.place_of(staging.Kind.MENTION, mention_id),
            )

    def _mentions(self, video_key: str, day: date) -> dict[str, tuple[str, Content]]:
        """One mention per share that was listed that day: the old application stored every mention of a share."""
        found = sorted(self._raw.of_parent(staging.Kind.MENTION, video_key), key=lambda each: _weight(each[1]))
        chosen: dict[str, tuple[str, Content]] = {}
        for key, mention in found:
            share = _share(mention["ticker"].strip(), day)
            if share is None:
                self._unlisted[mention["ticker"].strip().upper()] += 1
            elif share.ticker in chosen:
                self._doubled += 1
            elif len(chosen) == MAX_MENTIONS_PER_VIDEO:
                self._too_many += 1
            else:
                chosen[share.ticker] = key, mention
        return chosen

    def _logs(self, old_id: str, channel_id: str) -> None:
        taken: Counter[str] = Counter()
        for key, log in self._raw.of_parent(staging.Kind.LOG, old_id):
            place = self._raw.place_of(staging.Kind.LOG, key)
            level = (log["log_level"] or "info").lower()
            if level not in set(LogLevel):
                self._findings.complain(
                    place, f"log_level must be one of {', '.join(LogLevel)}, not {shown(log['log_level'])}"
                )
                continue
            sequence = taken[log["created_at"]]
            taken[log["created_at"]] += 1
            # MySQL rounds to seconds; lines beyond a millisecond's capacity move to the next.
            milliseconds = to_milliseconds(log["created_at"]) + sequence // LOG_LINES_PER_MILLISECOND
            position = (milliseconds, sequence % LOG_LINES_PER_MILLISECOND)
            content = {"log_level": level, "message": one_line(log["message"], MAX_LINE_LENGTH), "position": position}
            sort = "{:015d}/{:04d}".format(*position)
            self._staged.add(staging.Kind.LOG, f"{channel_id}/{sort}", place, content, parent=channel_id, sort=sort)

    def _stock(self, ticker: str, old: Content) -> None:
        """Only listed stocks: names come from the listings, and prices are fetched again."""
        share = listing_on(ticker.strip(), None)
        if share is None or self._staged.get(staging.Kind.STOCK, share.ticker):
            return
        updated = old["price_updated_at"]
        price = old["last_price"] or None
        is_dated = price is not None and updated is not None
        content: Content = {
            "ticker": share.ticker,
            "name": share.name,
            "exchange": share.exchange,
            "last_price": price if is_dated else None,
            "price_as_of": updated[:10] if is_dated else None,
            "price_updated_at": updated if is_dated else None,
            "price_problem": None,
            "series_source": None,
            "series_currency": None,
            "series_wanted_from": None,
            "series_fetched_from": None,
            "series_as_of": None,
            "series_splits": (),
        }
        self._add(archive.STOCKS, content, self._raw.place_of(staging.Kind.STOCK, ticker))

    def _add(self, table: TableFile, content: Content, place: Place) -> None:
        problems = list(problems_of_row(table, content))
        for problem in problems:
            self._findings.complain(place, problem)
        if not problems:
            stage(table, content, place, self._staged, self._findings)

    def _tell(self) -> None:
        if self._unlisted:
            names = ", ".join(ticker for ticker, _ in self._unlisted.most_common(10))
            number = count_of(self._unlisted.total(), "mention")
            self._findings.remark(f"{number} left out: not listed in New York that day ({names})")
        if self._doubled:
            self._findings.remark(f"{count_of(self._doubled, 'mention')} left out: a video has one of each stock")
        if self._too_many:
            number = count_of(self._too_many, "mention")
            self._findings.remark(f"{number} left out: a video has {MAX_MENTIONS_PER_VIDEO} at most")
        if self._read_after_all:
            self._findings.remark(f"{count_of(self._read_after_all, 'video')} taken as read, because of its mentions")


def _weight(mention: Content) -> tuple[bool, float, str]:
    """The speaker's main stance first, as a run chooses it."""
    is_bare = mention["sentiment"].lower() == Sentiment.MENTIONED
    return is_bare, -(mention["confidence_score"] or 0.0), (mention["id"] or "").rjust(20, "0")


def _share(ticker: str, day: date) -> Listing | None:
    """The stock the ticker referred to that day; else its current one, if a company's earlier ticker was used late."""
    return listing_on(ticker, day) or listing_on(current_ticker(ticker), day)


def _published(text: str) -> tuple[date, str | None]:
    """The day in New York and the timestamp, or only the day if no time is given."""
    text = text.strip()
    if len(text) == len("2026-01-31"):
        return date.fromisoformat(text), None
    parsed = _parse_time(text)
    if (parsed.hour, parsed.minute, parsed.second) == (0, 0, 0):
        return parsed.date(), None
    return parsed.astimezone(NEW_YORK).date(), timestamp(parsed)


def _youtube_channel_id(old: Content) -> str:
    """YouTube's own id, or the name in the URL until the id is known."""
    known: str = old["youtube_channel_id"].strip()
    return known if ":" in known or _YOUTUBE_CHANNEL.fullmatch(known) else _name_in(old["url"]) or known


def _guards(*youtube_ids: str | None) -> tuple[str, ...]:
    """Each YouTube channel once: `channel_id:UC…` and `UC…` are the same."""
    guards: dict[str, str] = {}
    for youtube_id in filter(None, youtube_ids):
        guards.setdefault(tables.guard_key(youtube_id)["PK"], youtube_id)
    return tuple(guards.values())


def _name_in(url: str) -> str | None:
    try:
        return parse_channel_url(url).identifier
    except ValueError:
        return None


def _snippet(text: str | None) -> str | None:
    return cut_to(text.strip(), MAX_CONTEXT_LENGTH) or None if text else None
