"""Archives of channels: what is in them, that it belongs together, and that it recomputes."""

import io
import json
import random
import re
import zipfile
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, replace
from datetime import date
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from botocore.exceptions import ClientError

from functions.reading.terms import Sentiment
from functions.record.files.tables import TABLE_FILES, FileFormat
from functions.record.models.notes import Note
from functions.record.models.records import Channel, ChannelStatus, Review, ReviewOutcome, StockMention
from functions.record.pipeline.keep_score import keep_score
from functions.record.reviews.sample import sample_of
from functions.record.scores.kept import scorecard
from functions.record.scoring.types import Call
from functions.record.store import runs
from functions.record.store.channels import delete_channel
from functions.record.store.notes import add_note
from functions.record.store.price_series import whole_series_of
from functions.record.store.reviews import reviews_of_channel
from functions.record.store.scorecards import mark_changed
from functions.record.store.stocks import set_stock_price
from functions.record.store.videos import videos_of_channel
from functions.runtime import ids
from functions.runtime.dynamodb.connection import main_table
from functions.runtime.dynamodb.requests import batch_put
from functions.transfers.archive import recompute, writing
from functions.transfers.archive.writing import write_archive
from tests.archives import read_archive, store_channel, store_series, store_videos, unpacked, written
from tests.builders import a_channel, a_mention, a_video, commit
from tests.fakes import RecordingDispatcher
from tests.markets import falling, rising, store_benchmark, store_closes
from tests.seeds import a_finished_channel
from tests.soak import times
from tests.unit.record.scoring.markets import a_random_market, a_random_rate, demo_calls, demo_series, random_calls

BOTH = tuple(FileFormat)
HORIZONS = ["1w", "1m", "3m", "6m", "1y"]
HOSTILE = (
    '=HYPERLINK("http://x")', "+1", "-1", "@a", "\uff1d1",
    "'=1", "\tx", "a,b", 'say "buy"', "two\nlines\r\nmore", "🚀 \u202e", "\0",
)  # fmt: skip


@pytest.fixture
def prices(tables: str) -> None:
    store_benchmark()
    store_closes("AAPL", rising)
    store_closes("KO", falling)
    store_closes("GONE", rising, last=date(2024, 6, 3))


def recomputed(content: bytes, folder: Path) -> int:
    """The exit code of the archive's own program, of the zip."""
    path = folder / "archive.zip"
    path.write_bytes(content)
    return recompute.main([str(path)])


def of_all_kinds() -> list[Call]:
    """Scored, pending, unpriced and ended calls, with and without the time of day."""
    return [
        Call("v1", "AAPL", 1, "2024-03-01", "2024-03-01T15:00:00.000Z"),
        Call("v1", "KO", -1, "2024-03-01", "2024-03-01T15:00:00.000Z"),
        Call("v2", "GONE", 1, "2024-05-28"),
        Call("v2", "MSFT", 1, "2024-05-28"),
        Call("v3", "AAPL", -1, "2025-06-20", "2025-06-20T21:00:00.000Z"),
        Call("v4", "AAPL", 1, "2025-06-30", "2025-06-30T21:00:00.000Z"),
        Call("v5", "KO", 1, "2024-03-08", "2024-03-09T01:30:00.000Z"),
    ]


def test_an_archive_holds_what_is_stored_and_recomputes(prices: None, tmp_path: Path) -> None:
    set_stock_price("AAPL", 130.5, "2025-07-01T10:00:00.000Z", as_of=date(2025, 6, 30))
    channel = store_channel(of_all_kinds(), newest_video_at="2025-06-30", listed_months=12)

    for file_format in BOTH:
        content, summary = written([channel.id], file_format)
        tables = read_archive(content)

        assert recomputed(content, tmp_path) == 0
        assert summary.rows == {name: len(rows) for name, rows in tables.items()}
        assert (summary.bytes, summary.channels, summary.left_out) == (len(content), 1, ())
        (stored,) = tables["channels"]
        assert (stored["id"], stored["guards"], stored["listed_months"]) == (channel.id, channel.guards, 12)
        assert [row["id"] for row in tables["videos"]] == ["v1", "v5", "v2", "v3", "v4"]
        assert [row["ticker"] for row in tables["mentions"]] == ["AAPL", "KO", "KO", "GONE", "MSFT", "AAPL", "AAPL"]
        assert [row["horizon"] for row in tables["scorecards"]] == HORIZONS
        at_month = {
            f"{row['video_id']}{row['ticker']}": row["status"] for row in tables["calls"] if row["horizon"] == "1m"
        }
        assert at_month == {
            **dict.fromkeys(("v1AAPL", "v1KO", "v5KO"), "scored"),
            **{"v2GONE": "ended", "v2MSFT": "unpriced", "v3AAPL": "pending", "v4AAPL": "pending"},
        }
        assert [row["ticker"] for row in tables["stocks"]] == ["AAPL", "GONE", "KO", "MSFT", "^GSPC", "^IRX"]
        assert tables["stocks"][0]["last_price"] == 130.5
        closes = [(row["day"], row["close"]) for row in tables["prices"] if row["ticker"] == "GONE"]
        _, gone = whole_series_of("GONE")
        assert closes == [(day.isoformat(), close) for day, close in zip(gone.days, gone.closes, strict=True)]
        assert tables["notes"] == []


def test_scorecards_are_those_of_the_product(prices: None, monkeypatch: pytest.MonkeyPatch) -> None:
    RecordingDispatcher().install(monkeypatch)
    channel = store_channel(of_all_kinds())
    assert keep_score(channel.id)
    kept = scorecard(channel.id)

    content, _ = written([channel.id])

    for row, horizon in zip(read_archive(content)["scorecards"], kept["horizons"], strict=True):
        assert row["calls_sha256"] == kept["calls_sha256"]
        assert row["as_of"] == kept["as_of"]
        flat = flattened(horizon)
        assert {name: row[name] for name in flat if name in row} == {name: flat[name] for name in flat if name in row}
        assert len(row.keys() & flat.keys()) > 35


def test_sampled_reviews_tell_an_archive_how_well_the_calls_were_read(
    prices: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    RecordingDispatcher().install(monkeypatch)
    channel = store_channel([Call(f"v{day}", "AAPL", 1, f"2024-03-{day:02d}") for day in range(1, 26)])
    videos = videos_of_channel(channel.id)
    sample = sample_of(channel.id, (mention for video in videos for mention in video.calls))
    answers = {mention.video_id: ReviewOutcome.CONFIRMED for mention in sample} | {
        sample[0].video_id: ReviewOutcome.REJECTED
    }
    reviewed = [replace(video, calls=(replace(video.calls[0], review=answers.get(video.id)),)) for video in videos]
    store_videos(channel, reviewed)
    given = [replace(review_of(video.calls[0], 1), blind=True) for video in reviewed if video.calls[0].review]
    batch_put(main_table(), [review.to_item() for review in given])
    assert keep_score(channel.id)

    content, _ = written([channel.id])

    row, kept = read_archive(content)["scorecards"][2], scorecard(channel.id)["horizons"][2]["reading"]
    assert (row["reading_right_rate"], row["reading_source"]) == (0.95, "reviews")
    assert {f"reading_{name}": value for name, value in kept.items()}.items() <= row.items()
    assert recomputed(content, tmp_path) == 0


def flattened(figures: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in figures.items():
        flat |= flattened(value, f"{prefix}{name}_") if isinstance(value, dict) else {prefix + name: value}
    return flat


def test_random_channels_recompute(tables: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number in range(times(short=3, long=300)):
        dice = random.Random(number)
        series, benchmark = a_random_market(dice, dice.choice((30, 300, 700)), tickers=5)
        for each in (*series.values(), benchmark, a_random_rate(dice, benchmark, finite=True)):
            store_series(each)
        channels: list[str] = []
        for _ in range(2):
            calls = random_calls(dice, dice.choice((0, 3, 40, 120)), benchmark, tickers=5)
            unique = [replace(each, video_id=f"{number}-{len(channels)}-{each.video_id}") for each in calls]
            channels.append(store_channel(unique).id)

        content, _ = written(channels, BOTH[number % 2])

        assert recomputed(content, tmp_path) == 0, (number, capsys.readouterr().err)


def test_the_demo_recomputes_from_its_folder(tables: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    series, _, rate = demo_series()
    for each in (*series.values(), rate):
        store_series(each)
    channels = [store_channel(calls, name=handle).id for handle, calls in demo_calls().items()]

    content, _ = written(channels)

    assert recompute.main([str(unpacked(content, tmp_path))]) == 0
    shown = capsys.readouterr().out
    assert all(handle in shown for handle in demo_calls())
    assert "none differ" in shown


def test_what_was_tampered_with_is_found(prices: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    content, _ = written([store_channel(of_all_kinds()).id])
    changes: list[tuple[str, Callable[[str], str]]] = [
        ("scorecards.csv", change_seventh_digit),
        ("calls.csv", change_seventh_digit),
        ("prices.csv", lambda text: text.replace("AAPL,2024-03-04,", "AAPL,2024-03-04,1")),
        ("mentions.csv", lambda text: text.replace(",buy,", ",sell,", 1)),
        ("videos.csv", lambda text: text.replace("2024-03-01T15:00:00.000Z", "2024-03-05T15:00:00.000Z")),
        *((name, without_last_line) for name in ("calls.csv", "scorecards.csv", "mentions.csv")),
    ]

    for number, (name, change) in enumerate(changes):
        folder = unpacked(content, tmp_path / str(number))
        before = (folder / name).read_text()
        (folder / name).write_text(change(before))
        assert change(before) != before
        assert recompute.main([str(folder)]) == 1, name
        assert "none differ" not in capsys.readouterr().out

    (folder / "prices.csv").write_text("ticker,day,close,total_close\nAAPL,yesterday,1,1\n")
    assert recompute.main([str(folder)]) == 2
    assert recompute.main([str(tmp_path / "nowhere")]) == 2
    assert "cannot be read" in capsys.readouterr().err


def change_seventh_digit(text: str) -> str:
    """Changes the seventh digit of the first number that has as many decimals."""
    match = re.search(r"\.\d{6}(\d)", text)
    assert match
    return text[: match.start(1)] + str((int(match[1]) + 1) % 10) + text[match.end(1) :]


def without_last_line(text: str) -> str:
    return text[: text.rstrip("\n").rindex("\n") + 1]


def test_equal_data_gives_equal_bytes_in_a_fixed_order(prices: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "now", lambda: "2026-01-31T12:00:00.000Z")
    newer = store_channel([Call("b", "AAPL", 1, "2024-03-01")], created_at="2024-02-01T00:00:00.000Z")
    older = store_channel([Call("a", "KO", 1, "2024-03-01")], created_at="2024-01-01T00:00:00.000Z")

    for file_format in BOTH:
        content, _ = written([newer.id, older.id, newer.id], file_format)

        assert content == written([older.id, newer.id], file_format)[0]
        parts: list[bytes] = []
        write_archive([older.id, newer.id], file_format, SimpleNamespace(write=parts.append))
        assert b"".join(parts) == content
        assert [row["id"] for row in read_archive(content)["channels"]] == [older.id, newer.id]
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            names = ["README.md", "manifest.json", "recompute.py", *(t.file_name(file_format) for t in TABLE_FILES)]
            assert archive.namelist() == names
            assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
            assert archive.read("recompute.py") == Path(recompute.__file__).read_bytes()
            manifest = json.loads(archive.read("manifest.json"))
            dictionary = archive.read("README.md").decode()
        assert manifest["files"]["mentions"] == {"file": f"mentions.{file_format}", "rows": 2}
        assert manifest["benchmark"]["ticker"] == "^GSPC"
        assert all(f"`{column.name}`" in dictionary for table in TABLE_FILES for column in table.columns)


def test_texts_come_back_as_they_were_and_none_is_a_formula(prices: None, tmp_path: Path) -> None:
    channel = a_channel(name=HOSTILE[0], status=ChannelStatus.COMPLETED)
    video = a_video(channel.id, title=HOSTILE[1], problem=HOSTILE[2])
    mentions = tuple(a_mention(video, f"T{number}", context_snippet=text) for number, text in enumerate(HOSTILE))
    store_videos(channel, [replace(video, calls=mentions)])

    for file_format in BOTH:
        content, _ = written([channel.id], file_format)
        tables = read_archive(content)

        assert tables["channels"][0]["name"] == HOSTILE[0]
        assert (tables["videos"][0]["title"], tables["videos"][0]["problem"]) == HOSTILE[1:3]
        said = {row["ticker"]: row["context_snippet"] for row in tables["mentions"]}
        assert said == {f"T{number}": text for number, text in enumerate(HOSTILE)}
        assert recomputed(content, tmp_path) == 0
    with pytest.raises(ClientError, match="SerializationException"):
        store_videos(channel, [replace(video, title="half a pair: \ud83d")])


def test_rejected_mentions_are_shown_and_not_scored_and_reviews_are_kept(prices: None, tmp_path: Path) -> None:
    channel = a_channel(status=ChannelStatus.COMPLETED)
    video = a_video(channel.id)
    rejected = a_mention(video, "KO", review=ReviewOutcome.REJECTED, review_version=2)
    corrected = a_mention(
        video, "AAPL", sentiment="sell", review=ReviewOutcome.CORRECTED, read_as="buy", review_version=1
    )
    store_videos(channel, [replace(video, calls=(rejected, corrected, a_mention(video, "MSFT", sentiment="hold")))])
    reviews = [review_of(rejected, 2), review_of(corrected, 1, note="=sold")]
    batch_put(main_table(), [review.to_item() for review in reviews])

    content, _ = written([channel.id])

    tables = read_archive(content)
    assert [(row["ticker"], row["review"]) for row in tables["mentions"]] == [
        ("AAPL", "corrected"),
        ("KO", "rejected"),
        ("MSFT", None),
    ]
    assert {(row["ticker"], row["sentiment"]) for row in tables["calls"]} == {("AAPL", "sell")}
    assert tables["reviews"] == [{name: asdict(each)[name] for name in REVIEW_NAMES} for each in reversed(reviews)]
    assert recomputed(content, tmp_path) == 0


REVIEW_NAMES = next(table.column_names for table in TABLE_FILES if table.name == "reviews")


def review_of(mention: StockMention, version: int, note: str | None = None) -> Review:
    return Review(
        mention.channel_id,
        mention.video_id,
        mention.ticker,
        version,
        Sentiment(mention.sentiment),
        reviewed_by="local",
        reviewed_at="2024-03-02T00:00:00.000Z",
        outcome=mention.review,
        note=note,
    )


def test_notes_are_kept_by_stock_the_oldest_first(prices: None) -> None:
    channel = store_channel(of_all_kinds())
    timestamps = [f"2024-03-0{day}T00:00:00.000Z" for day in (1, 2, 3)]
    said = [("1", "KO", "Wait."), ("2", "AAPL", "=first"), ("3", "AAPL", "two\nlines, “quoted”")]
    notes = [
        Note(number, channel.id, ticker, text, "local", timestamp, timestamp, version=2)
        for (number, ticker, text), timestamp in zip(said, timestamps, strict=True)
    ]
    for note in notes:
        add_note(note)

    for file_format in BOTH:
        content, _ = written([channel.id], file_format)

        assert read_archive(content)["notes"] == [asdict(notes[number]) for number in (1, 2, 0)]


def test_channels_that_are_gone_are_left_out(prices: None, monkeypatch: pytest.MonkeyPatch) -> None:
    stays, goes = (store_channel([Call(name, "AAPL", 1, "2024-03-01")]) for name in ("stays", "goes"))
    seen: list[tuple[int, int]] = []
    read_reviews = reviews_of_channel

    def delete_meanwhile(channel_id: str) -> Any:
        if channel_id == goes.id:
            delete_channel(goes.id)
        return read_reviews(channel_id)

    monkeypatch.setattr(writing, "reviews_of_channel", delete_meanwhile)
    out = io.BytesIO()

    summary = write_archive(["unknown", goes.id, stays.id], FileFormat.CSV, out, lambda *each: seen.append(each))

    assert summary.left_out == ("unknown", goes.id)
    tables = read_archive(out.getvalue())
    assert [row["id"] for row in tables["channels"]] == [stays.id]
    assert {row["channel_id"] for name in ("videos", "mentions", "calls") for row in tables[name]} == {stays.id}
    assert list(dict.fromkeys(seen)) == [(1, 3), (2, 3), (3, 3)]
    assert json.loads(zipfile.ZipFile(out).read("manifest.json"))["left_out"] == ["unknown", goes.id]


def test_a_channel_that_changes_meanwhile_is_read_again(prices: None, monkeypatch: pytest.MonkeyPatch) -> None:
    channel = store_channel([Call("v1", "AAPL", 1, "2024-03-01")])
    reads: Counter[str] = Counter()
    read_reviews = reviews_of_channel

    def review_meanwhile(channel_id: str) -> Any:
        reads[channel_id] += 1
        if reads[channel_id] == 1:
            (video,) = videos_of_channel(channel_id)
            turned = replace(video.calls[0], sentiment=Sentiment.SELL)
            batch_put(main_table(), [replace(video, calls=(turned,)).to_item(), review_of(turned, 1).to_item()])
            mark_changed(channel_id)
        return read_reviews(channel_id)

    monkeypatch.setattr(writing, "reviews_of_channel", review_meanwhile)

    content, _ = written([channel.id])

    tables = read_archive(content)
    assert reads[channel.id] == 2
    assert [row["sentiment"] for row in (*tables["mentions"], *tables["reviews"])] == ["sell", "sell"]


def test_a_run_that_begins_meanwhile_is_wholly_in_the_archive_or_not_at_all(
    prices: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    channel = a_finished_channel([("2024-03-01", ("AAPL",))])
    read_below = writing._read_below
    states: list[ChannelStatus] = []

    def read_below_while_a_run_begins(found: Channel, *rest: Any) -> Any:
        states.append(found.status)
        if len(states) == 1:
            mark_changed(channel.id)
        if len(states) == 2:
            run_id = ids.new_run_id()
            runs.claim_run(channel.id, run_id)
            runs.begin_run(channel.id, run_id, "Started")
            video = a_video(channel.id, "another0001", published_at="2024-03-04")
            runs.add_videos(channel.id, run_id, [video])
            runs.set_video_counts(channel.id, run_id, 2, 0, "Found 1 video")
            commit(run_id, video, "KO")
        return read_below(found, *rest)

    monkeypatch.setattr(writing, "_read_below", read_below_while_a_run_begins)

    tables = read_archive(written([channel.id])[0])

    assert states == [ChannelStatus.COMPLETED, ChannelStatus.COMPLETED, ChannelStatus.PROCESSING]
    assert [row["video_count"] for row in tables["channels"]] == [2]
    assert [row["ticker"] for row in tables["mentions"]] == ["AAPL", "KO"]


def test_the_requests_do_not_grow_with_the_videos(prices: None, requests_made: Counter[str]) -> None:
    made = []
    for count in (1, 60):
        channel = store_channel([Call(f"{count}-{number}", "AAPL", 1, "2024-03-01") for number in range(count)])
        requests_made.clear()
        written([channel.id])
        made.append(sum(requests_made.values()))

    assert made[0] == made[1] <= 13
