"""An export that is imported into an empty system and exported there is the same again."""

import io
import json
import zipfile
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from functions.reading.policy import Reason
from functions.reading.statements import Act, Speaker
from functions.reading.terms import Sentiment
from functions.record.files.tables import FileFormat
from functions.record.models.notes import Note
from functions.record.models.records import ReviewOutcome, StockMention
from functions.record.models.said import Said
from functions.record.models.scores import ReviewSampleItem
from functions.record.prices.series import update_series
from functions.record.reviews.review import Judgement, review_call
from functions.record.scores.kept import scorecard
from functions.record.store.channels import channel_by_id
from functions.record.store.notes import add_note
from functions.record.store.price_series import headers_of, want_series
from functions.record.store.scorecards import review_sample_of_channel
from functions.record.store.videos import videos_of_channel
from functions.runtime import ids
from functions.runtime.caller import Caller
from functions.runtime.clock import now
from functions.transfers.imports.problems import Findings
from functions.transfers.imports.reading import read_file
from functions.transfers.imports.writing import write_contents
from local.entities import put_entities
from operations import check
from tests.archives import store_videos, written
from tests.builders import a_channel
from tests.fakes import ImmediateDispatcher
from tests.systems import a_processed_channel, another_system

STATEMENT = Said(
    act=Act.RECOMMENDS,
    reason=Reason.RECOMMENDS,
    possible_act=Act.BOUGHT,
    company="=Coca, Cola",
    heard="coca-cola",
    condition="if it falls to 50",
    horizon="-two years",
    target=72.5,
    conviction=2,
    listed=False,
    second_quote='"Both", I said',
    second_quote_seconds=12,
)


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


def calls_of(channel_id: str) -> list[StockMention]:
    videos = sorted(videos_of_channel(channel_id), key=lambda video: video.id)
    return [mention for video in videos for mention in sorted(video.calls, key=lambda mention: mention.ticker)]


def give_statements(channel_id: str) -> None:
    """Gives all mentions but the last a statement with every field."""
    last = calls_of(channel_id)[-1].id
    for video in videos_of_channel(channel_id):
        calls = tuple(replace(call, said=None if call.id == last else STATEMENT) for call in video.calls)
        put_entities([replace(video, calls=calls), *calls])


def draw_in_another_order(channel_id: str) -> ReviewSampleItem:
    drawn = review_sample_of_channel(channel_id)
    assert drawn
    turned = ReviewSampleItem(channel_id, drawn.calls[::-1])
    put_entities([turned])
    return turned


def test_a_round_trip_changes_nothing(tables: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ImmediateDispatcher().install(monkeypatch)
    channel = a_processed_channel("https://www.youtube.com/@DemoValueInvestor")
    give_statements(channel.id)
    for mention, judgement in zip(
        calls_of(channel.id),
        (
            Judgement(ReviewOutcome.REJECTED, note="=cmd|' /C calc'!A0"),
            Judgement(ReviewOutcome.CORRECTED, Sentiment.SELL, 'with, "quotes"\nand 🙂'),
            Judgement(None),
            Judgement(ReviewOutcome.CORRECTED, act=Act.WOULD_BUY, speaker=Speaker.GUEST),
            Judgement(ReviewOutcome.CORRECTED, sponsored=True, blind=False),
        ),
        strict=False,
    ):
        review_call(channel.id, mention.video_id, mention.ticker, judgement, Caller("local"))
    for ticker, text in (("KO", "=1+1"), ("AAPL", "Two\nlines"), ("KO", "'-quoted")):
        timestamp = now()
        add_note(Note(ids.new_note_id(), channel.id, ticker, text, "local", timestamp, timestamp, version=3))
    turned = draw_in_another_order(channel.id)
    exported = {each: written([channel.id], each)[0] for each in FileFormat}
    calls = calls_of(channel.id)
    score = scorecard(channel.id)

    for file_format, content in exported.items():
        (tmp_path / "export.zip").write_bytes(content)
        with another_system():
            with read_file(tmp_path / "export.zip", Findings()) as contents:
                summary = write_contents(contents)
            calls_again = calls_of(channel.id)
            again, _ = written([channel.id], file_format)
            problems = list(check.problems(check.read_everything()))
            score_again = scorecard(channel.id)
            drawn = review_sample_of_channel(channel.id)

        assert summary.mentions == len(calls)
        assert calls_again == calls
        assert {call.said is None for call in calls} == {call.said_as_read is None for call in calls} == {True, False}
        assert _files(again) == _files(content)
        assert problems == []
        assert drawn == turned
        assert {**score_again, "computed_at": None} == {**score, "computed_at": None}


def test_older_closes_that_a_channel_waits_for_are_fetched_after_an_import(
    tables: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ImmediateDispatcher().install(monkeypatch)
    channel = a_processed_channel("https://www.youtube.com/@DemoValueInvestor")
    ticker = calls_of(channel.id)[0].ticker
    (tmp_path / "export.zip").write_bytes(written([channel.id], FileFormat.CSV)[0])

    with another_system():
        want_series([ticker], date(2012, 1, 1))
        for _ in range(2):
            with read_file(tmp_path / "export.zip", Findings()) as contents:
                write_contents(contents)
            waiting = headers_of([ticker])[ticker]
        update_series([ticker])
        fetched = headers_of([ticker])[ticker]

    assert waiting.as_of
    assert waiting.wanted_from == "2012-01-01" < (waiting.fetched_from or "")
    assert fetched.fetched_from == "2012-01-01"
