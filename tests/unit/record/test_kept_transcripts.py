"""Kept transcripts: in a folder and in a bucket they are found, listed and removed alike."""

import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import boto3
import pytest
from botocore.exceptions import ClientError
from moto import mock_aws

from functions.reading.transcripts import Transcript
from functions.record.store.kept_transcripts import (
    each_kept_transcript,
    keep_transcript,
    kept_transcript,
    remove_transcript,
    remove_transcripts_of_channel,
)
from functions.runtime import files
from functions.runtime.errors import BatchIncomplete
from functions.runtime.files import Bucket
from functions.runtime.settings import settings

NAME = "transcripts-of-tests"
SAID = Transcript.of_pieces([(0.4, "I am buying Apple"), (83.9, "and sell Tesla")], "youtube", language="en")
LATER = Transcript("I am selling Apple", "handed in")
CHANNEL, ANOTHER = str(UUID(int=1)), str(UUID(int=2))
VIDEOS = [str(UUID(int=number)) for number in (11, 12, 13)]


@pytest.fixture(autouse=True)
def nowhere(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Settings that name no place, and no client of an earlier test."""
    for name in ("AWS_ENDPOINT_URL", "AWS_PROFILE", "KEPT_TRANSCRIPTS_BUCKET", "KEPT_TRANSCRIPTS_FOLDER"):
        monkeypatch.delenv(name, raising=False)
    _reset_caches()
    yield
    monkeypatch.undo()
    _reset_caches()


def _reset_caches() -> None:
    for cached in (settings, files._bucket, files._s3):
        cached.cache_clear()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("KEPT_TRANSCRIPTS_FOLDER", str(tmp_path / "transcripts"))
    settings.cache_clear()
    return tmp_path / "transcripts"


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A client for the bucket, which is versioned as it is on AWS."""
    monkeypatch.setenv("AWS_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "any")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "any")
    monkeypatch.setenv("KEPT_TRANSCRIPTS_BUCKET", NAME)
    settings.cache_clear()
    with mock_aws():
        client = boto3.client("s3", region_name="us-east-1")
        client.create_bucket(Bucket=NAME)
        client.put_bucket_versioning(Bucket=NAME, VersioningConfiguration={"Status": "Enabled"})
        yield client


@dataclass(frozen=True)
class Place:
    put: Callable[[str, bytes], object]
    """Writes a file of any name."""


@pytest.fixture(params=["folder", "bucket"])
def place(request: pytest.FixtureRequest) -> Place:
    if request.param == "bucket":
        client = request.getfixturevalue("bucket")
        return Place(lambda name, content: client.put_object(Bucket=NAME, Key=name, Body=content))
    root: Path = request.getfixturevalue("folder")

    def put(name: str, content: bytes) -> None:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(content)

    return Place(put)


@pytest.mark.usefixtures("place")
class TestInEitherPlace:
    def test_a_transcript_is_found_again(self) -> None:
        assert keep_transcript(CHANNEL, VIDEOS[0], SAID)

        assert kept_transcript(CHANNEL, VIDEOS[0]) == SAID

    def test_a_later_one_takes_the_place_of_an_earlier(self) -> None:
        for transcript in (SAID, LATER):
            keep_transcript(CHANNEL, VIDEOS[0], transcript)

        assert kept_transcript(CHANNEL, VIDEOS[0]) == LATER
        assert list(each_kept_transcript()) == [(CHANNEL, VIDEOS[0])]

    def test_what_is_not_kept_is_none(self) -> None:
        assert kept_transcript(CHANNEL, VIDEOS[0]) is None
        assert list(each_kept_transcript()) == []

        keep_transcript(CHANNEL, VIDEOS[0], SAID)

        assert kept_transcript(CHANNEL, VIDEOS[1]) is None
        assert kept_transcript(ANOTHER, VIDEOS[0]) is None

    def test_one_is_removed_alone_and_twice(self) -> None:
        for video_id in VIDEOS:
            keep_transcript(CHANNEL, video_id, SAID)

        for _ in range(2):
            remove_transcript(CHANNEL, VIDEOS[0])

        assert kept_transcript(CHANNEL, VIDEOS[0]) is None
        assert sorted(each_kept_transcript()) == [(CHANNEL, VIDEOS[1]), (CHANNEL, VIDEOS[2])]

    def test_those_of_a_channel_are_removed_and_no_others(self) -> None:
        for channel_id in (CHANNEL, ANOTHER):
            for video_id in VIDEOS:
                keep_transcript(channel_id, video_id, SAID)

        for _ in range(2):
            remove_transcripts_of_channel(CHANNEL)

        assert sorted(each_kept_transcript()) == [(ANOTHER, video_id) for video_id in VIDEOS]

    def test_files_that_are_not_ours_are_skipped(self, place: Place) -> None:
        keep_transcript(CHANNEL, VIDEOS[0], SAID)
        for name in (
            f"{CHANNEL}/{VIDEOS[1]}",
            f"{CHANNEL}/{VIDEOS[1]}.json.z.part",
            f"{CHANNEL}/notes.json.z",
            f"{CHANNEL}/deeper/{VIDEOS[1]}.json.z",
            f"notes/{VIDEOS[1]}.json.z",
            "notes.txt",
        ):
            place.put(name, b"")

        assert list(each_kept_transcript()) == [(CHANNEL, VIDEOS[0])]

    def test_a_damaged_one_counts_as_missing(self, place: Place) -> None:
        place.put(f"{CHANNEL}/{VIDEOS[0]}.json.z", SAID.packed()[:-3])

        assert kept_transcript(CHANNEL, VIDEOS[0]) is None

    @pytest.mark.parametrize("wrong", ["..", "../other", "/etc", "", ".", f"{CHANNEL}/..", CHANNEL.upper()[:-1] + "A"])
    def test_an_id_that_could_lead_elsewhere_is_refused(self, wrong: str) -> None:
        for act in (
            lambda: keep_transcript(wrong, VIDEOS[0], SAID),
            lambda: keep_transcript(CHANNEL, wrong, SAID),
            lambda: kept_transcript(wrong, VIDEOS[0]),
            lambda: kept_transcript(CHANNEL, wrong),
            lambda: remove_transcript(CHANNEL, wrong),
            lambda: remove_transcripts_of_channel(wrong),
        ):
            with pytest.raises(ValueError, match="is not the id of"):
                act()


def test_without_a_place_nothing_is_kept() -> None:
    assert not keep_transcript(CHANNEL, VIDEOS[0], SAID)

    assert kept_transcript(CHANNEL, VIDEOS[0]) is None
    assert list(each_kept_transcript()) == []
    remove_transcript(CHANNEL, VIDEOS[0])
    remove_transcripts_of_channel(CHANNEL)


class TestInAFolder:
    def test_a_write_that_fails_leaves_the_earlier_one_and_no_rest(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        keep_transcript(CHANNEL, VIDEOS[0], SAID)

        def crash(*_: object) -> None:
            raise OSError("no space left on device")

        monkeypatch.setattr("functions.runtime.files.os.replace", crash)
        with pytest.raises(OSError, match="no space left"):
            keep_transcript(CHANNEL, VIDEOS[0], LATER)

        assert kept_transcript(CHANNEL, VIDEOS[0]) == SAID
        assert os.listdir(folder / CHANNEL) == [f"{VIDEOS[0]}.json.z"]

    def test_a_worker_that_is_killed_while_it_writes_leaves_nothing_that_is_read(self, folder: Path) -> None:
        keep_transcript(CHANNEL, VIDEOS[0], SAID)
        (folder / CHANNEL / "tmpabc.part").write_bytes(SAID.packed()[:20])

        assert list(each_kept_transcript()) == [(CHANNEL, VIDEOS[0])]

        remove_transcripts_of_channel(CHANNEL)
        assert os.listdir(folder) == []

    def test_many_writers_of_one_leave_one_whole(
        self, folder: Path, in_threads: Callable[[int, Callable[[int], object]], list[object]]
    ) -> None:
        versions = [Transcript(f"{number} " * 20_000, "youtube") for number in range(8)]

        assert in_threads(8, lambda number: keep_transcript(CHANNEL, VIDEOS[0], versions[number])) == [True] * 8

        assert kept_transcript(CHANNEL, VIDEOS[0]) in versions
        assert os.listdir(folder / CHANNEL) == [f"{VIDEOS[0]}.json.z"]

    def test_a_folder_that_was_removed_by_hand_is_made_again(self, folder: Path) -> None:
        keep_transcript(CHANNEL, VIDEOS[0], SAID)
        shutil.rmtree(folder)

        assert list(each_kept_transcript()) == []
        assert keep_transcript(CHANNEL, VIDEOS[0], SAID)
        assert kept_transcript(CHANNEL, VIDEOS[0]) == SAID


class TestInABucket:
    def test_more_than_a_thousand_are_removed_page_by_page(self, bucket: Any) -> None:
        for number in range(1005):
            bucket.put_object(Bucket=NAME, Key=f"{CHANNEL}/{UUID(int=number)}.json.z", Body=b"x")
        keep_transcript(ANOTHER, VIDEOS[0], SAID)
        assert len(list(each_kept_transcript())) == 1006

        remove_transcripts_of_channel(CHANNEL)

        assert list(each_kept_transcript()) == [(ANOTHER, VIDEOS[0])]

    def test_what_was_deleted_can_be_had_back_by_an_operator(self, bucket: Any) -> None:
        keep_transcript(CHANNEL, VIDEOS[0], SAID)

        remove_transcripts_of_channel(CHANNEL)

        versions = bucket.list_object_versions(Bucket=NAME)
        assert len(versions["DeleteMarkers"]) == 1
        (old,) = versions["Versions"]
        body = bucket.get_object(Bucket=NAME, Key=old["Key"], VersionId=old["VersionId"])["Body"].read()
        assert Transcript.unpacked(body) == SAID

    def test_what_s3_could_not_delete_is_an_error(self) -> None:
        key = f"{CHANNEL}/{VIDEOS[0]}.json.z"
        refusing = _Refusing([key], "InternalError")

        with pytest.raises(BatchIncomplete) as refused:
            Bucket(NAME, lambda: refusing).delete_folder(f"{CHANNEL}/")

        assert refused.value.left == [f"{key} (InternalError)"]

    def test_a_refusal_is_not_taken_for_a_transcript_that_is_missing(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("KEPT_TRANSCRIPTS_BUCKET", NAME)
        settings.cache_clear()
        monkeypatch.setattr(files, "_s3", lambda: _Refusing([], "AccessDenied"))

        with pytest.raises(ClientError, match="AccessDenied"):
            kept_transcript(CHANNEL, VIDEOS[0])

    @pytest.mark.usefixtures("bucket")
    def test_the_client_is_made_once_for_the_region_of_the_tables(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("DYNAMODB_REGION", "eu-west-1")
        monkeypatch.setenv("AWS_SDK_MAX_ATTEMPTS", "5")
        settings.cache_clear()

        client = files._s3()

        assert client is files._s3()
        assert client.meta.region_name == "eu-west-1"
        assert client.meta.config.retries["total_max_attempts"] == 5

    @pytest.mark.usefixtures("folder", "bucket")
    def test_the_bucket_comes_before_the_folder(self, folder: Path) -> None:
        keep_transcript(CHANNEL, str(uuid4()), SAID)

        assert not folder.exists()


class _Refusing:
    """An S3 client that lists some objects, and refuses all else."""

    class exceptions:
        class NoSuchKey(ClientError): ...

    def __init__(self, keys: list[str], code: str) -> None:
        self._keys, self._code = keys, code

    def get_paginator(self, _: str) -> "_Refusing":
        return self

    def paginate(self, **_: object) -> list[dict[str, Any]]:
        return [{"Contents": [{"Key": key} for key in self._keys]}]

    def delete_objects(self, **_: object) -> dict[str, Any]:
        return {"Errors": [{"Key": key, "Code": self._code, "Message": "no"} for key in self._keys]}

    def get_object(self, **_: object) -> dict[str, Any]:
        raise ClientError({"Error": {"Code": self._code, "Message": "no"}}, "GetObject")
