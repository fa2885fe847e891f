"""`python -m local.labels`: reviews out, as labels that the bench reads."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from bench import scoring
from bench.analyst import load_folder
from bench.analyst import main as measure
from functions.reading.terms import Sentiment
from functions.reading.transcripts import Transcript
from functions.record.models.records import Channel, ReviewOutcome, Video
from functions.record.reviews.review import Judgement, review_call
from functions.record.store.kept_transcripts import keep_transcript
from functions.record.store.videos import videos_of_channel
from functions.runtime.caller import Caller
from functions.runtime.dynamodb.connection import main_table
from functions.runtime.dynamodb.requests import batch_put
from functions.runtime.settings import settings
from local.labels import main
from tests.fakes import FakeAnalyst, RecordingDispatcher
from tests.seeds import a_finished_channel

TEXT = "AAPL buy, KO buy, MSFT hold"


@pytest.fixture
def channel(tables: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Channel]:
    RecordingDispatcher().install(monkeypatch)
    monkeypatch.setenv("KEPT_TRANSCRIPTS_FOLDER", str(tmp_path / "transcripts"))
    settings.cache_clear()
    channel = a_finished_channel([("2021-03-01", ("AAPL", "KO", "MSFT")), ("2024-03-04", ("IR",)), ("2024-03-05", ())])
    kept = [replace(video, transcript_kept=True) for video in videos_of_channel(channel.id)]
    for video in kept:
        keep_transcript(channel.id, video.id, Transcript(TEXT, "youtube"))
    batch_put(main_table(), [video.to_item() for video in kept])
    yield channel
    monkeypatch.undo()
    settings.cache_clear()


@pytest.fixture
def videos(channel: Channel) -> list[Video]:
    return sorted(videos_of_channel(channel.id), key=lambda video: video.published_at)


def review(video: Video, ticker: str, outcome: str | None, sentiment: str | None = None) -> None:
    judgement = Judgement(ReviewOutcome(outcome) if outcome else None, Sentiment(sentiment) if sentiment else None)
    review_call(video.channel_id, video.id, ticker, judgement, Caller("ann"))


def test_reviews_are_labels_rejected_ones_are_none_and_the_rest_is_optional(
    channel: Channel, videos: list[Video], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    review(videos[0], "AAPL", "corrected", "hold")
    review(videos[0], "KO", "rejected")

    assert main([channel.id, "--out", str(tmp_path / "out")]) == 0

    (row,) = map(json.loads, (tmp_path / "out" / "labels.jsonl").read_text().splitlines())
    assert row["calls"] == [{"ticker": "AAPL", "sentiment": "hold", "evidence": "I am buying AAPL here."}]
    assert (row["optional"], row["day"], row["speaker"]) == (["MSFT"], "2021-03-01", channel.name)
    assert (tmp_path / "out" / row["file"]).read_text() == TEXT
    assert capsys.readouterr().out.startswith("2 reviewed mentions of 1 videos")


def test_the_bench_measures_an_analyst_on_them(
    channel: Channel, videos: list[Video], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    review(videos[0], "AAPL", "confirmed")
    review(videos[0], "KO", "rejected")
    main([channel.id, "--out", str(tmp_path / "out")])

    (texts,) = load_folder(tmp_path / "out").values()
    figures = scoring.score(scoring.read(texts, FakeAnalyst()), "ticker")

    assert (figures.right, figures.found, figures.labelled) == (1, 2, 1)
    assert measure(["--labels", str(tmp_path / "out")]) == 0


def test_a_share_is_named_as_today_whatever_its_ticker_meant_on_the_day(
    channel: Channel, videos: list[Video], tmp_path: Path
) -> None:
    was_trane = replace(videos[1], published_at="2019-03-01")
    batch_put(main_table(), [was_trane.to_item()])
    review(videos[1], "IR", "confirmed")
    main([channel.id, "--out", str(tmp_path / "out")])

    ((text,),) = load_folder(tmp_path / "out").values()

    assert set(text.labels) == {"IR"}


def test_only_whole_videos_are_written_if_that_is_asked_for(
    channel: Channel, videos: list[Video], tmp_path: Path
) -> None:
    review(videos[0], "AAPL", "confirmed")
    review(videos[1], "IR", "confirmed")

    main([channel.id, "--complete", "--out", str(tmp_path / "out")])

    (row,) = map(json.loads, (tmp_path / "out" / "labels.jsonl").read_text().splitlines())
    assert row["day"] == "2024-03-04"


def test_nothing_is_overwritten(
    channel: Channel, videos: list[Video], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    review(videos[0], "AAPL", "confirmed")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine.txt").write_text("mine")

    assert main([channel.id, "--out", str(tmp_path / "out")]) == 1

    assert "is there already" in capsys.readouterr().err
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["mine.txt"]


def test_without_a_review_nothing_is_written(
    channel: Channel, videos: list[Video], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    review(videos[0], "AAPL", "confirmed")
    review(videos[0], "AAPL", None)

    assert main([channel.id, "--out", str(tmp_path / "out")]) == 1

    assert "has no reviewed call" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
    assert main(["nobody", "--out", str(tmp_path / "out")]) == 1
