"""The tables of the old MySQL application, made up, as CSV files and as a dump."""

from collections.abc import Mapping, Sequence
from pathlib import Path

Table = Sequence[Mapping[str, object]]

CHANNELS: Table = (
    {
        "id": 1,
        "youtube_channel_id": "UCaaaaaaaaaaaaaaaaaaaaaa",
        "name": 'Old, but "gold" it\'s',
        "url": "https://www.youtube.com/@OldGold",
        "thumbnail_url": None,
        "status": "COMPLETED",
        "video_count": 3,
        "processed_video_count": 3,
        "time_range_months": 12,
        "created_at": "2023-05-01 08:00:00",
        "updated_at": "2023-06-01 08:00:00.250000",
        "legacy_flag": 1,
    },
    {
        "id": 2,
        "youtube_channel_id": "handle:halfway",
        "name": "Halfway 🙂",
        "url": "https://www.youtube.com/@halfway",
        "thumbnail_url": "https://example.com/picture.jpg",
        "status": "PROCESSING",
        "video_count": 9,
        "processed_video_count": 4,
        "time_range_months": 6,
        "created_at": "2023-05-02 08:00:00",
        "updated_at": "2023-05-02 08:00:00",
        "legacy_flag": 0,
    },
)
VIDEOS: Table = (
    {
        "id": 11,
        "channel_id": 1,
        "youtube_video_id": "aaaaaaaaaa1",
        "title": "Line one\nline two",
        "url": "https://www.youtube.com/watch?v=aaaaaaaaaa1",
        "published_at": "2023-03-01",
        "transcript_status": "FETCHED",
        "analysis_status": "COMPLETED",
        "created_at": "2023-05-01 08:00:01",
    },
    {
        "id": 12,
        "channel_id": 1,
        "youtube_video_id": "aaaaaaaaaa2",
        "title": "=SUM(A1) 'quoted'",
        "url": "https://www.youtube.com/watch?v=aaaaaaaaaa2",
        "published_at": "2023-04-03 22:30:00",
        "transcript_status": "FETCHED",
        "analysis_status": "PENDING",
        "created_at": "2023-05-01 08:00:02",
    },
    {
        "id": 13,
        "channel_id": 1,
        "youtube_video_id": "aaaaaaaaaa3",
        "title": "No captions",
        "url": "https://www.youtube.com/watch?v=aaaaaaaaaa3",
        "published_at": "2023-04-04",
        "transcript_status": "UNAVAILABLE",
        "analysis_status": "SKIPPED",
        "created_at": "2023-05-01 08:00:03",
    },
    {
        "id": 21,
        "channel_id": 2,
        "youtube_video_id": "bbbbbbbbbb1",
        "title": "Not read",
        "url": "https://www.youtube.com/watch?v=bbbbbbbbbb1",
        "published_at": "2023-04-04",
        "transcript_status": "PENDING",
        "analysis_status": "PENDING",
        "created_at": "2023-05-02 08:00:01",
    },
)
STOCKS: Table = (
    {"id": 1, "ticker": "AAPL", "name": "Apple", "last_price": "180.50", "price_updated_at": "2023-06-01 20:00:00"},
    {"id": 2, "ticker": "XXXXX", "name": "Nothing", "last_price": None, "price_updated_at": None},
)
STOCK_MENTIONS: Table = (
    {
        "id": 101,
        "video_id": 11,
        "ticker": "AAPL",
        "sentiment": "MENTIONED",
        "price_at_mention": "145.30",
        "confidence_score": 0.9,
        "context_snippet": "Apple was in the news.",
        "created_at": "2023-05-01 08:01:00",
    },
    {
        "id": 102,
        "video_id": 11,
        "ticker": "aapl",
        "sentiment": "BUY",
        "price_at_mention": "145.30",
        "confidence_score": 0.8,
        "context_snippet": 'I\'m buying Apple; "all in".\nNow.',
        "created_at": "2023-05-01 08:01:00",
    },
    {
        "id": 103,
        "video_id": 11,
        "ticker": "FB",
        "sentiment": "SELL",
        "price_at_mention": None,
        "confidence_score": None,
        "context_snippet": None,
        "created_at": "2023-05-01 08:01:00",
    },
    {
        "id": 104,
        "video_id": 11,
        "ticker": "XXXXX",
        "sentiment": "BUY",
        "price_at_mention": "1.00",
        "confidence_score": 0.7,
        "context_snippet": "Not listed.",
        "created_at": "2023-05-01 08:01:00",
    },
    {
        "id": 105,
        "video_id": 12,
        "ticker": "MSFT",
        "sentiment": "HOLD",
        "price_at_mention": "287.00",
        "confidence_score": 0.6,
        "context_snippet": "Microsoft is a hold " + "for me " * 60,
        "created_at": "2023-05-01 08:02:00",
    },
)
PROCESSING_LOGS: Table = (
    {"id": 1, "channel_id": 1, "log_level": "INFO", "message": "Started", "created_at": "2023-05-01 08:00:00"},
    {"id": 2, "channel_id": 1, "log_level": "WARNING", "message": "a\\b 'c'", "created_at": "2023-05-01 08:00:00"},
)
OLD_TABLES: dict[str, Table] = {
    "channels": CHANNELS,
    "processing_logs": PROCESSING_LOGS,
    "stock_mentions": STOCK_MENTIONS,
    "stocks": STOCKS,
    "videos": VIDEOS,
}
"""In the order in which mysqldump writes them."""


def write_csv_files(folder: Path, tables: Mapping[str, Table] = OLD_TABLES) -> Path:
    folder.mkdir(exist_ok=True)
    for name, rows in tables.items():
        lines = [",".join(rows[0]), *(",".join(map(_cell, row.values())) for row in rows)]
        (folder / f"{name}.csv").write_text("\n".join(lines) + "\n")
    return folder


def dump_of(tables: Mapping[str, Table] = OLD_TABLES) -> str:
    return "-- MySQL dump\n" + "".join(_dumped(name, rows) for name, rows in tables.items()) + "-- Dump completed\n"


def _dumped(name: str, rows: Table) -> str:
    columns = ",\n".join(f"  `{column}` text" for column in rows[0])
    values = ",".join(f"({','.join(map(_literal, row.values()))})" for row in rows)
    return f"""DROP TABLE IF EXISTS `{name}`;
CREATE TABLE `{name}` (
{columns},
  PRIMARY KEY (`id`)
) ENGINE=InnoDB;
LOCK TABLES `{name}` WRITE;
/*!40000 ALTER TABLE `{name}` DISABLE KEYS */;
INSERT INTO `{name}` VALUES {values};
UNLOCK TABLES;
"""


def _cell(value: object) -> str:
    text = "\\N" if value is None else str(value)
    return '"' + text.replace('"', '""') + '"' if any(each in text for each in ',"\n') else text


def _literal(value: object) -> str:
    if value is None:
        return "NULL"
    if not isinstance(value, str):
        return str(value)
    return "'" + value.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n").replace('"', '\\"') + "'"
