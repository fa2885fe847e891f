"""A file to import is validated wholly, with the file and line of each complaint; hostile files are refused."""

import csv
import gzip
import io
import json
import stat
import struct
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from functions.reading.policy import Reason
from functions.reading.statements import Act
from functions.record.files.cells import csv_header, csv_row, json_row
from functions.record.files.statements import STATEMENT_COLUMNS
from functions.record.files.tables import FORMAT_VERSION, TABLE_FILES, FileFormat
from functions.record.models.said import Said
from functions.runtime import ids
from functions.runtime.dynamodb.attributes import Value
from functions.transfers.imports import problems, sources, texts
from functions.transfers.imports.contents import Contents
from functions.transfers.imports.problems import FileRefused, Findings
from functions.transfers.imports.reading import read_file
from tests.old_application import OLD_TABLES, dump_of, write_csv_files

CHANNEL = "0b51e3a4-6a5c-4c33-9a6e-1c1f0d9d7a01"
VIDEO = ids.video_id(CHANNEL, "video000001")
TIMESTAMP = "2024-03-01T12:00:00.000Z"
ROWS: dict[str, list[dict[str, Value]]] = {
    "channels": [
        {
            "id": CHANNEL,
            "youtube_channel_id": "UCx",
            "name": '=Name, "quoted"\n🙂',
            "url": "https://www.youtube.com/@x",
            "status": "completed",
            "time_range_months": 12,
            "video_count": 1,
            "processed_video_count": 1,
            "guards": ("UCx",),
            "created_at": TIMESTAMP,
            "updated_at": TIMESTAMP,
        }
    ],
    "videos": [
        {
            "id": VIDEO,
            "channel_id": CHANNEL,
            "youtube_video_id": "video000001",
            "title": "Title",
            "url": "https://www.youtube.com/watch?v=video000001",
            "published_at": "2024-03-01",
            "created_at": TIMESTAMP,
            "transcript_status": "fetched",
            "analysis_status": "completed",
        }
    ],
    "mentions": [
        {"video_id": VIDEO, "channel_id": CHANNEL, "ticker": "AAPL", "sentiment": "buy", "created_at": TIMESTAMP},
        {"video_id": VIDEO, "channel_id": CHANNEL, "ticker": "MSFT", "sentiment": "sell", "created_at": TIMESTAMP},
    ],
    "stocks": [{"ticker": "AAPL", "series_wanted_from": "2024-01-01", "series_as_of": TIMESTAMP, "series_splits": ()}],
    "prices": [{"ticker": "AAPL", "day": "2024-03-01", "close": 1.5, "total_close": 1.25}],
}

Change = Callable[[dict[str, list[dict[str, Value]]]], object]


def an_archive(path: Path, change: Change = lambda rows: None, file_format: FileFormat = FileFormat.CSV) -> Path:
    """A zip with these tables, changed before they are written."""
    tables = {name: [dict(row) for row in rows] for name, rows in ROWS.items()}
    change(tables)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("manifest.json", json.dumps({"format_version": FORMAT_VERSION}))
        for table in TABLE_FILES:
            rows = [[row.get(column.name) for column in table.columns] for row in tables.get(table.name, [])]
            lines = [(csv_row if file_format is FileFormat.CSV else json_row)(row, table.columns) for row in rows]
            header = [csv_header(table.columns)] if file_format is FileFormat.CSV else []
            archive.writestr(table.file_name(file_format), "".join([*header, *lines]))
    return path


def refusal_of(path: Path) -> list[str]:
    with pytest.raises(FileRefused) as refused, read_file(path, Findings()):
        pass
    return refused.value.complaints


def contents_of(path: Path, read: Callable[[Contents], Any]) -> Any:
    with read_file(path, Findings()) as contents:
        return read(contents)


def test_an_archive_is_read_as_csv_and_as_json_lines(tmp_path: Path) -> None:
    for file_format in FileFormat:
        path = an_archive(tmp_path / "export.zip", file_format=file_format)

        (channel,) = contents_of(path, Contents.channels)
        (video,) = contents_of(path, lambda contents: list(contents.videos_of(CHANNEL)))
        ((header, series),) = contents_of(path, lambda contents: list(contents.series()))

        assert channel.name == '=Name, "quoted"\n🙂'
        assert [call.ticker for call in video.calls] == ["AAPL", "MSFT"]
        assert (header.ticker, series.closes, series.total_closes) == ("AAPL", (1.5,), (1.25,))


REVIEW: dict[str, Value] = {
    "channel_id": CHANNEL,
    "video_id": VIDEO,
    "ticker": "MSFT",
    "version": 1,
    "sentiment": "sell",
    "reviewed_by": "ann",
    "reviewed_at": TIMESTAMP,
}
WRONG_ROWS: dict[str, tuple[Change, str]] = {
    "status": (lambda rows: rows["channels"][0].update(status="done"), "channels.csv, line 2: status must be one of"),
    "url": (lambda rows: rows["channels"][0].update(url="https://evil.example/@x"), "channels.csv, line 2: url names"),
    "script": (
        lambda rows: rows["channels"][0].update(thumbnail_url="javascript:alert(1)"),
        "channels.csv, line 2: thumbnail_url must be an http or https address",
    ),
    "id": (lambda rows: rows["channels"][0].update(id="../../x"), "channels.csv, line 2: id must be a UUID"),
    "sample": (
        lambda rows: rows["channels"][0].update(sample=("A call",)),
        "line 2: sample must each be",
    ),
    "guards": (lambda rows: rows["channels"][0].update(guards=("other",)), "channels.csv, line 2: guards must hold"),
    "months": (lambda rows: rows["channels"][0].update(time_range_months=99), "time_range_months must be from 1 to 36"),
    "length": (lambda rows: rows["videos"][0].update(title="x" * 301), "videos.csv, line 2: title is longer than 300"),
    "no title": (lambda rows: rows["videos"][0].update(title=None), "videos.csv, line 2: title is empty"),
    "NUL": (lambda rows: rows["videos"][0].update(title="a\0b"), "videos.csv, line 2: title holds a NUL character"),
    "day": (lambda rows: rows["videos"][0].update(published_at="2024-02-30"), "published_at must be a day"),
    "year 1": (
        lambda rows: rows["videos"][0].update(published_time="0001-01-01T00:00:00.000Z"),
        "videos.csv, line 2: published_time is not plausible: 0001-01-01T00:00:00.000Z",
    ),
    "far day": (lambda rows: rows["videos"][0].update(published_at="2999-01-01"), "published_at is not plausible"),
    "video id": (
        lambda rows: rows["videos"][0].update(youtube_video_id="other"),
        "videos.csv, line 2: id is not the one that channel_id and youtube_video_id give a video",
    ),
    "transcript": (
        lambda rows: rows["videos"][0].update(transcript_status="pending"),
        "videos.csv, line 2: analysis_status is completed, but transcript_status is pending",
    ),
    "unread": (
        lambda rows: rows["videos"][0].update(analysis_status="pending"),
        "videos.csv, line 2: the video has mentions, but its analysis is pending",
    ),
    "no channel": (lambda rows: rows.update(channels=[]), f"videos.csv, line 2: there is no channel {CHANNEL}"),
    "no video": (lambda rows: rows.update(videos=[]), f"mentions.csv, line 2: there is no video {VIDEO}"),
    "twice": (
        lambda rows: rows["mentions"].append(rows["mentions"][0]),
        "mentions.csv, line 4: the same mention as in mentions.csv, line 2",
    ),
    "same guard": (
        lambda rows: rows["channels"].append({**rows["channels"][0], "id": CHANNEL.replace("0b", "1b")}),
        "channels.csv, line 4: the same channel on YouTube (UCx) as in channels.csv, line 2",
    ),
    "ticker": (lambda rows: rows["mentions"][1].update(ticker="a b"), "mentions.csv, line 3: ticker must be a ticker"),
    "confidence": (lambda rows: rows["mentions"][1].update(confidence_score=1.5), "confidence_score must be from 0"),
    "act": (lambda rows: rows["mentions"][1].update(act="shorts"), "mentions.csv, line 3: act must be one of bought,"),
    "reason": (lambda rows: rows["mentions"][1].update(act="sold", reason="moon"), "reason must be one of bought,"),
    "conviction": (lambda rows: rows["mentions"][1].update(act="sold", conviction=4), "conviction must be from 1 to 3"),
    "target": (lambda rows: rows["mentions"][1].update(act="sold", target_price=0.0), "target_price cannot be a price"),
    "no act": (lambda rows: rows["mentions"][1].update(speaker="guest"), "line 3: speaker is given without act"),
    "no act read": (
        lambda rows: rows["mentions"][1].update(act="sold", sponsored_as_read=True),
        "mentions.csv, line 3: sponsored_as_read is given without act_as_read",
    ),
    "only the act read": (
        lambda rows: rows["mentions"][1].update(act_as_read="sold"),
        "mentions.csv, line 3: act_as_read is given without act",
    ),
    "policy": (
        lambda rows: rows["mentions"][1].update(act="bought"),
        "mentions.csv, line 3: sentiment is sell, but the policy makes buy of the act bought",
    ),
    "act of a review": (
        lambda rows: rows.update(reviews=[REVIEW | {"act": "shorts"}]),
        "reviews.csv, line 2: act must be one of bought,",
    ),
    "too many": (
        lambda rows: rows["mentions"].extend({**rows["mentions"][0], "ticker": f"A{number}"} for number in range(99)),
        "videos.csv, line 2: the video has 101 mentions",
    ),
    "price": (lambda rows: rows["prices"][0].update(close=-1.0), "prices.csv, line 2: close cannot be a price"),
    "future close": (lambda rows: rows["prices"][0].update(day="2999-01-01"), "day cannot be the day of a close"),
    "split": (lambda rows: rows["stocks"][0].update(series_splits=("x",)), "series_splits must each be a day and"),
    "no stock": (lambda rows: rows.update(stocks=[]), "prices.csv, line 2: there is no stock AAPL of this close"),
    "no series": (lambda rows: rows["stocks"][0].update(series_as_of=None), "stocks.csv, line 2: the stock has closes"),
}


def test_a_statement_is_read_with_what_is_given(tmp_path: Path) -> None:
    """The policy gives the reason where there is none, and an archive from before statements has none."""

    def change(rows: dict[str, list[dict[str, Value]]]) -> None:
        rows["mentions"][1].update(act="sold", condition="x", sponsored=False, sponsored_as_read=True)
        rows["mentions"][1].update(act_as_read="sold", target_price=4.5)

    path = an_archive(tmp_path / "export.zip", change)

    (video,) = contents_of(path, lambda contents: list(contents.videos_of(CHANNEL)))

    without, mention = video.calls
    assert (without.said, without.said_as_read) == (None, None)
    assert mention.said == Said(Act.SOLD, Reason.SOLD, condition="x", target=4.5)
    assert mention.said_as_read == Said(Act.SOLD, Reason.SPONSORED, target=4.5, sponsored=True)


def test_columns_of_a_statement_may_be_absent(tmp_path: Path) -> None:
    path = an_archive(tmp_path / "export.zip", file_format=FileFormat.JSONL)
    older = tmp_path / "older.zip"
    with zipfile.ZipFile(path) as archive, zipfile.ZipFile(older, "w") as copy:
        for name in archive.namelist():
            rows = archive.read(name)
            if name == "mentions.jsonl":
                read = [json.loads(line) for line in rows.splitlines()]
                kept = [{key: row[key] for key in row if key not in STATEMENT_COLUMNS} for row in read]
                rows = "".join(f"{json.dumps(row)}\n" for row in kept).encode()
            copy.writestr(name, rows)

    (video,) = contents_of(older, lambda contents: list(contents.videos_of(CHANNEL)))

    assert [mention.said for mention in video.calls] == [None, None]


def test_each_wrong_value_of_an_archive_is_complained_of_with_its_place(tmp_path: Path) -> None:
    for name, (change, complaint) in WRONG_ROWS.items():
        complaints = refusal_of(an_archive(tmp_path / "export.zip", change))

        assert any(complaint in each for each in complaints), (name, complaints)


def test_every_complaint_is_counted_and_fifty_are_shown(tmp_path: Path) -> None:
    def many(rows: dict[str, list[dict[str, Value]]]) -> None:
        rows["mentions"] = [{**rows["mentions"][0], "ticker": f"x{number}"} for number in range(120)]

    with pytest.raises(FileRefused) as refused, read_file(an_archive(tmp_path / "export.zip", many), Findings()):
        pass

    assert refused.value.number == 120
    assert len(refused.value.complaints) == problems.MAX_SHOWN
    assert refused.value.complaints[49].startswith("mentions.csv, line 51: ticker must be a ticker")


def _old(change: Callable[[dict[str, list[dict[str, object]]]], object]) -> Mapping[str, Any]:
    tables: dict[str, list[dict[str, object]]] = {
        name: [dict(row) for row in rows] for name, rows in OLD_TABLES.items()
    }
    change(tables)
    return tables


WRONG_OLD_ROWS: dict[str, tuple[Callable[[Any], object], str]] = {
    "no title": (
        lambda old: [row.pop("title") for row in old["videos"]],
        "videos.csv, line 1: the column title is missing",
    ),
    "null": (lambda old: old["videos"][1].update(title=None), "videos.csv, line 4: title has no value"),
    "date": (lambda old: old["videos"][1].update(created_at="yesterday"), "videos.csv, line 4: created_at cannot be"),
    "published": (lambda old: old["videos"][1].update(published_at="soon"), "line 4: published_at must be a day"),
    "year 1": (lambda old: old["videos"][1].update(published_at="0001-01-01 01:00:00"), "published_at must be a day"),
    "zero date": (lambda old: old["videos"][1].update(published_at="0000-00-00"), "published_at must be a day"),
    "number": (lambda old: old["stock_mentions"][0].update(price_at_mention="12,5"), "price_at_mention must be a"),
    "sentiment": (lambda old: old["stock_mentions"][4].update(sentiment="moon"), "sentiment must be one of buy"),
    "channel": (lambda old: old["videos"][0].update(channel_id=9), "videos.csv, line 2: there is no channel with"),
    "video": (
        lambda old: old["stock_mentions"][0].update(video_id=99),
        "stock_mentions.csv, line 2: there is no video with the id '99'",
    ),
    "id": (lambda old: old["videos"][1].update(id=11), "videos.csv, line 4: the id '11' is also that of videos.csv"),
    "url": (lambda old: old["channels"][0].update(url="https://example.com"), "channels.csv, line 2: url names no"),
    "level": (lambda old: old["processing_logs"][0].update(log_level="loud"), "log_level must be one of"),
    "same video": (
        lambda old: old["videos"][1].update(youtube_video_id="aaaaaaaaaa1"),
        "videos.csv, line 4: the same video as in videos.csv, line 2",
    ),
}


def test_each_wrong_value_of_old_tables_is_complained_of_with_its_place(tmp_path: Path) -> None:
    for name, (change, complaint) in WRONG_OLD_ROWS.items():
        complaints = refusal_of(write_csv_files(tmp_path / "old", _old(change)))

        assert any(complaint in each for each in complaints), (name, complaints)


def test_a_complaint_of_a_dump_names_line_and_row(tmp_path: Path) -> None:
    (tmp_path / "old.sql").write_text(dump_of(_old(lambda old: old["videos"][2].update(created_at="never"))))

    (complaint,) = refusal_of(tmp_path / "old.sql")

    line = 1 + dump_of().splitlines().index(next(x for x in dump_of().splitlines() if x.startswith("INSERT INTO `vid")))
    assert complaint == f"old.sql, line {line}, row 3: created_at cannot be 'never'"


def test_old_tables_in_another_encoding_are_complained_of(tmp_path: Path) -> None:
    folder = write_csv_files(tmp_path / "old")
    (folder / "videos.csv").write_bytes((folder / "videos.csv").read_bytes().replace(b"No captions", b"Caf\xe9"))
    latin = refusal_of(folder)
    (folder / "videos.csv").write_bytes((folder / "videos.csv").read_bytes().decode("latin-1").encode("utf-16"))

    assert latin == ["videos.csv, line 5: title is not UTF-8: dump with --default-character-set=utf8mb4"]
    assert refusal_of(folder) == ["videos.csv is not a text in UTF-8. Save it as UTF-8 and try again."]


def test_a_csv_file_that_breaks_off_is_refused(tmp_path: Path) -> None:
    folder = write_csv_files(tmp_path / "old")
    content = (folder / "videos.csv").read_text()
    (folder / "videos.csv").write_text(content.replace("No captions", '"No captions'))
    open_quote = refusal_of(folder)
    (folder / "videos.csv").write_text(content.replace("No captions", "No, captions"))
    cells = refusal_of(folder)

    assert open_quote == ["videos.csv, line 5: the rest of the file cannot be read as CSV: unexpected end of data"]
    assert cells == ["videos.csv, line 5: 10 cells instead of 9"]


def test_a_line_without_an_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(texts, "MAX_LINE_BYTES", 100_000)
    folder = write_csv_files(tmp_path / "old")
    with (folder / "videos.csv").open("a") as file:
        file.write("x" * 300_000)

    assert refusal_of(folder) == ["videos.csv, line 7: longer than 100,000 bytes"]


def _zip_of(path: Path, add: Callable[[zipfile.ZipFile], object]) -> Path:
    with zipfile.ZipFile(an_archive(path), "a", zipfile.ZIP_DEFLATED) as archive:
        add(archive)
    return path


def _link() -> zipfile.ZipInfo:
    link = zipfile.ZipInfo("link.csv")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    return link


HOSTILE: dict[str, tuple[Callable[[zipfile.ZipFile], object], str]] = {
    "traversal": (lambda archive: archive.writestr("../channels.csv", ""), "leads out of the archive"),
    "absolute": (lambda archive: archive.writestr("/etc/channels.csv", ""), "leads out of the archive"),
    "backslashes": (lambda archive: archive.writestr("a\\..\\b.csv", ""), "leads out of the archive"),
    "drive": (lambda archive: archive.writestr("C:\\b.csv", ""), "leads out of the archive"),
    "link": (lambda archive: archive.writestr(_link(), "/etc/passwd"), "is a link"),
    "nested": (lambda archive: archive.writestr("more.zip", b"PK"), "is an archive within the archive"),
    "bomb": (lambda archive: archive.writestr("bomb.csv", b"0" * 40_000_000), "unpacks to 1"),
    "method": (lambda archive: archive.writestr("x.csv", b"x", zipfile.ZIP_BZIP2), "packed in a way that is not read"),
    "twice": (lambda archive: archive.writestr("again/channels.csv", ""), "it holds channels.csv twice"),
    "many": (lambda archive: [archive.writestr(f"{n}.csv", "") for n in range(200)], "too many files"),
}


def test_hostile_zips_are_refused_with_a_sentence(tmp_path: Path) -> None:
    for name, (add, sentence) in HOSTILE.items():
        (complaint, *_) = refusal_of(_zip_of(tmp_path / "export.zip", add))

        assert sentence in complaint, (name, complaint)


def test_a_zip_with_wrong_sizes_or_a_password_is_refused(tmp_path: Path) -> None:
    whole = an_archive(tmp_path / "export.zip").read_bytes()
    directory = whole.rindex(b"PK\x01\x02")
    sized = bytearray(whole)
    struct.pack_into("<L", sized, directory + 24, 3)
    encrypted = bytearray(whole)
    struct.pack_into("<H", encrypted, directory + 8, 1)
    damaged = bytearray(whole)
    damaged[whole.index(b"PK\x01\x02") - 20] ^= 0xFF
    cases = {
        bytes(sized): "",
        bytes(encrypted): "is encrypted",
        bytes(damaged): "",
        whole[:-30]: "is not a zip file",
        b"PK": "is not a zip file",
        b"": "is not a zip file",
    }

    for content, sentence in cases.items():
        (tmp_path / "export.zip").write_bytes(content)
        assert sentence in refusal_of(tmp_path / "export.zip")[0]


def test_what_unpacks_to_more_than_it_says_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "FREE_BYTES", 1_000)
    (tmp_path / "old.sql.gz").write_bytes(gzip.compress(b"-- \n" * 1_000_000))
    bomb = refusal_of(tmp_path / "old.sql.gz")
    (tmp_path / "old.sql.gz").write_bytes(gzip.compress(b"-- x\n" * 100)[:-10])

    assert bomb == ["old.sql.gz unpacks to far more than its size"]
    assert "is damaged" in refusal_of(tmp_path / "old.sql.gz")[0]


def test_other_files_and_other_versions_are_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("hello")
    (tmp_path / "empty").mkdir()
    with zipfile.ZipFile(tmp_path / "newer.zip", "w") as archive:
        archive.writestr("manifest.json", '{"format_version": 2}')

    assert "is neither an export nor the tables" in refusal_of(tmp_path / "notes.txt")[0]
    assert "is neither an export nor the tables" in refusal_of(tmp_path / "empty")[0]
    assert "cannot be read: No such file" in refusal_of(tmp_path / "missing.zip")[0]
    assert refusal_of(tmp_path / "newer.zip") == ["the archive has format 2, and this version reads 1"]


def test_json_lines_that_are_none_are_complained_of(tmp_path: Path) -> None:
    path = an_archive(tmp_path / "export.zip", file_format=FileFormat.JSONL)
    wrong = ["{", "[]", "[" * 100_000, "7"]
    folder = tmp_path / "folder"
    with zipfile.ZipFile(path) as archive:
        archive.extractall(folder)
    with (folder / "notes.jsonl").open("a") as file:
        file.write("\n".join(wrong))

    complaints = refusal_of(folder)

    assert complaints == [f"notes.jsonl, line {line}: this line is no JSON object" for line in (1, 2, 3, 4)]


def test_cells_may_be_separated_by_semicolons_or_tabs(tmp_path: Path) -> None:
    folder = write_csv_files(tmp_path / "old")
    for file, delimiter in zip(sorted(folder.iterdir()), ";\t;\t;", strict=True):
        rows = list(csv.reader(io.StringIO(file.read_text(), newline="")))
        with file.open("w", newline="") as out:
            csv.writer(out, delimiter=delimiter).writerows(rows)

    assert contents_of(folder, lambda contents: (contents.videos, contents.mentions)) == (4, 3)
