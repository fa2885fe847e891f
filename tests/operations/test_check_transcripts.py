"""Kept transcripts and the videos they belong to: what does not fit is found, and mended on request."""

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

import pytest

from functions.reading.transcripts import Transcript
from functions.record.models.records import Channel, Video
from functions.record.store.kept_transcripts import each_kept_transcript, keep_transcript, remove_transcript
from functions.record.store.videos import video_by_id
from functions.runtime.dynamodb import tables as keys
from functions.runtime.dynamodb.attributes import encode
from functions.runtime.dynamodb.connection import dynamodb, main_table
from functions.runtime.settings import settings
from operations import check
from tests.builders import a_channel, finished, in_a_run

pytestmark = pytest.mark.usefixtures("tables", "folder")

SAID = Transcript("I am buying Apple", "youtube")


@pytest.fixture
def folder(tables: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("KEPT_TRANSCRIPTS_FOLDER", str(tmp_path))
    settings.cache_clear()
    yield tmp_path
    monkeypatch.delenv("KEPT_TRANSCRIPTS_FOLDER")
    settings.cache_clear()


@pytest.fixture
def kept() -> tuple[Channel, Video]:
    """A video whose transcript is kept, as a run leaves it."""
    run_id, (video,) = in_a_run(channel := a_channel(), videos=1)
    keep_transcript(channel.id, video.id, SAID)
    put(replace(finished(video, run_id, ()), transcript_kept=True))
    return channel, video


def put(video: Video) -> None:
    dynamodb().put_item(TableName=main_table(), Item=video.to_item())


def found() -> list[str]:
    return list(check.problems(check.read_everything()))


def test_a_transcript_with_its_video_is_no_problem(kept: tuple[Channel, Video]) -> None:
    assert found() == []


def test_a_transcript_that_no_reading_has_marked_yet_is_no_problem() -> None:
    """It is kept before what was read of it is written."""
    _, (video,) = in_a_run(channel := a_channel(), videos=1)
    keep_transcript(channel.id, video.id, SAID)

    assert found() == []


def test_transcripts_of_no_video_and_of_no_channel_are_found_and_removed(
    kept: tuple[Channel, Video], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    channel, video = kept
    another_video, another_channel = str(uuid4()), str(uuid4())
    keep_transcript(channel.id, another_video, SAID)
    keep_transcript(another_channel, video.id, SAID)
    assert sorted(found()) == sorted(
        [
            f"a transcript is kept of video {another_video} of channel {channel.id}, which is not there",
            f"a transcript is kept of video {video.id} of channel {another_channel}, which is not there",
        ]
    )

    status = check.main(["--mend"])

    assert status == 0
    assert "2 kept transcripts of no video were removed, 0 videos lost the mark of one\n" in capsys.readouterr().out
    assert list(each_kept_transcript()) == [(channel.id, video.id)]
    assert os.listdir(folder) == [channel.id]


def test_a_transcript_that_is_missing_is_found_and_its_mark_removed(
    kept: tuple[Channel, Video], capsys: pytest.CaptureFixture[str]
) -> None:
    channel, video = kept
    remove_transcript(channel.id, video.id)
    before = video_by_id(channel.id, video.id)
    assert found() == [f"video {video.id} should have a kept transcript, which is not there"]

    status = check.main(["--mend"])

    assert status == 0
    assert "0 kept transcripts of no video were removed, 1 videos lost the mark of one\n" in capsys.readouterr().out
    assert before is not None
    assert video_by_id(channel.id, video.id) == replace(before, transcript_kept=None, edits=before.edits + 1)


def test_nothing_is_removed_while_a_video_cannot_be_read(kept: tuple[Channel, Video]) -> None:
    channel, video = kept
    damaged = {**video.to_item(), "analysis_status": {"S": "done"}}
    dynamodb().put_item(TableName=main_table(), Item=damaged)

    removed, _ = check.mend_transcripts(check.read_everything())

    assert removed == 0
    assert list(each_kept_transcript()) == [(channel.id, video.id)]


def test_what_is_left_of_a_half_deleted_channel_is_its_deletes_to_remove(kept: tuple[Channel, Video]) -> None:
    channel, video = kept
    dynamodb().put_item(TableName=main_table(), Item={**channel.to_item(), "deleting": {"BOOL": True}})
    dynamodb().delete_item(TableName=main_table(), Key=encode(keys.video_key(channel.id, video.id)))

    assert found() == [f"channel {channel.id} is half deleted: delete it again"]


def test_without_the_place_of_transcripts_nothing_is_said_of_them(
    kept: tuple[Channel, Video], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("KEPT_TRANSCRIPTS_FOLDER", "")
    settings.cache_clear()

    status = check.main(["--mend"])

    assert status == 0
    said = capsys.readouterr().out
    assert "The kept transcripts were not checked: KEPT_TRANSCRIPTS_BUCKET does not name their bucket\n" in said
    assert "0 kept transcripts of no video were removed, 0 videos lost the mark of one\n" in said


def test_transcripts_of_another_deployment_are_left_alone(kept: tuple[Channel, Video]) -> None:
    channel, video = kept
    remove_transcript(channel.id, video.id)
    for _ in range(2):
        keep_transcript(str(uuid4()), str(uuid4()), SAID)
    before = sorted(each_kept_transcript())

    sentences = found()
    mended = check.mend_transcripts(check.read_everything())

    assert sentences == ["none of the 2 kept transcripts belongs to a video: are they another deployment's?"]
    assert mended == (0, 0)
    assert sorted(each_kept_transcript()) == before
