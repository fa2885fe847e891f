"""An export that is imported into an empty system and exported there is the same again."""

import io
import json
import zipfile
from pathlib import Path

import pytest

from functions.reading.terms import Sentiment
from functions.record.files.tables import FileFormat
from functions.record.models.notes import Note
from functions.record.models.records import ReviewOutcome
from functions.record.reviews.review import Judgement, review_call
from functions.record.scores.kept import scorecard
from functions.record.store.channels import channel_by_id
from functions.record.store.notes import add_note
from functions.record.store.videos import videos_of_channel
from functions.runtime import ids
from functions.runtime.clock import now
from functions.transfers.imports.problems import Findings
from functions.transfers.imports.reading import read_file
from functions.transfers.imports.writing import write_contents
from operations import check
from tests.archives import store_videos, written
from tests.builders import a_channel
from tests.fakes import ImmediateDispatcher
from tests.systems import a_processed_channel, another_system


def _files(content: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    manifest = json.loads(files.pop("manifest.json"))
    manifest.pop("created_at")
    return {**files, "manifest.json": json.dumps(manifest).encode()}


def test_a_channel_that_was_added_by_its_id_is_read_back(
    tables: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ImmediateDispatcher().install(monkeypatch)
    youtube_id = f"UC{'x' * 22}"
    # `channel_id:UC…` is the name it was added by, and guards the id that it has now.
    channel = a_channel(youtube_channel_id=youtube_id, guards=(f"channel_id:{youtube_id}",), status="completed")
    store_videos(channel, [])
    (tmp_path / "export.zip").write_bytes(written([channel.id], FileFormat.CSV)[0])

    with another_system():
        with read_file(tmp_path / "export.zip", Findings()) as contents:
            write_contents(contents)
        imported = channel_by_id(channel.id)

    assert imported
    assert (imported.youtube_channel_id, imported.guards) == (channel.youtube_channel_id, channel.guards)


def test_a_round_trip_changes_nothing(tables: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ImmediateDispatcher().install(monkeypatch)
    channel = a_processed_channel("https://www.youtube.com/@DemoValueInvestor")
    calls = [mention for video in videos_of_channel(channel.id) for mention in video.calls]
    for mention, judgement in zip(
        calls,
        (
            Judgement(ReviewOutcome.REJECTED, note="=cmd|' /C calc'!A0"),
            Judgement(ReviewOutcome.CORRECTED, Sentiment.SELL, 'with, "quotes"\nand 🙂'),
            Judgement(None),
        ),
        strict=False,
    ):
        review_call(channel.id, mention.video_id, mention.ticker, judgement, "local")
    for ticker, text in (("KO", "=1+1"), ("AAPL", "Two\nlines"), ("KO", "'-quoted")):
        moment = now()
        add_note(Note(ids.new_note_id(), channel.id, ticker, text, "local", moment, moment, version=3))
    exported = {each: written([channel.id], each)[0] for each in FileFormat}
    score = scorecard(channel.id)

    for file_format, content in exported.items():
        (tmp_path / "export.zip").write_bytes(content)
        with another_system():
            with read_file(tmp_path / "export.zip", Findings()) as contents:
                summary = write_contents(contents)
            again, _ = written([channel.id], file_format)
            problems = list(check.problems(check.read_everything()))
            score_again = scorecard(channel.id)

        assert summary.mentions == len(calls)
        assert _files(again) == _files(content)
        assert problems == []
        assert {**score_again, "computed_at": None} == {**score, "computed_at": None}
