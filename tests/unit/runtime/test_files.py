"""Files in a bucket and in a folder: written in parts, and never under their name before they are whole."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import boto3
import pytest
from botocore.exceptions import ClientError
from moto import mock_aws

from functions.runtime import files
from functions.runtime.errors import FileTooLarge, InvalidSetting
from functions.runtime.settings import settings
from functions.transfers.exports.files import (
    download_address,
    each_export_file,
    export_file_name,
    remove_export_file,
    writing_export_file,
)
from functions.transfers.exports.models import Export
from functions.transfers.imports import files as import_files
from functions.transfers.imports.files import import_file

NAME = "archives-of-tests"
EXPORT_ID = "01ARZ3NDEKTSV4RRFFQ69G5FAV"
PART = 5 * 1024 * 1024
"""The smallest that S3 takes."""


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    for name, value in {
        "AWS_CONFIG_FILE": os.devnull,
        "AWS_ACCESS_KEY_ID": "any",
        "AWS_SECRET_ACCESS_KEY": "any",
        "EXPORTS_BUCKET": NAME,
        "DYNAMODB_REGION": "eu-central-1",
    }.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("AWS_ENDPOINT_URL", raising=False)
    monkeypatch.setattr(files, "PART_BYTES", PART)
    _reset_caches()
    with mock_aws():
        client = boto3.client("s3", region_name="eu-central-1")
        client.create_bucket(Bucket=NAME, CreateBucketConfiguration={"LocationConstraint": "eu-central-1"})
        yield client
    monkeypatch.undo()
    _reset_caches()


def _reset_caches() -> None:
    for cached in (settings, files._bucket, files._s3):
        cached.cache_clear()


def _objects(client: Any) -> dict[str, bytes]:
    listed = client.list_objects_v2(Bucket=NAME).get("Contents", [])
    return {each["Key"]: client.get_object(Bucket=NAME, Key=each["Key"])["Body"].read() for each in listed}


def _unfinished(client: Any) -> list[Any]:
    return list(client.list_multipart_uploads(Bucket=NAME).get("Uploads", []))


def test_a_file_to_import_is_copied_for_as_long_as_it_is_read(
    bucket: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = os.urandom(3_000_000)
    bucket.put_object(Bucket=NAME, Key="imports/x.zip", Body=content)
    (tmp_path / "imports").mkdir()
    (tmp_path / "imports" / "x.zip").write_bytes(content)

    for _ in ("in the bucket", "in the folder"):
        with import_file("imports/x.zip") as copied, import_file("imports/other.zip") as missing:
            assert copied
            assert (copied.name, copied.read_bytes(), missing) == ("x.zip", content, None)
        assert not copied.exists()
        with monkeypatch.context() as patch:
            patch.setattr(import_files, "MAX_BYTES", 1_000)
            with pytest.raises(FileTooLarge, match="3,000,000 bytes, and 1,000"), import_file("imports/x.zip"):
                pass
        monkeypatch.delenv("EXPORTS_BUCKET", raising=False)
        monkeypatch.setenv("EXPORTS_FOLDER", str(tmp_path))
        _reset_caches()


@pytest.mark.parametrize("size", [0, 10, PART - 1, PART, PART + 1, 2 * PART, 2 * PART + 7])
def test_a_file_of_any_size_arrives_as_it_was_written(bucket: Any, size: int) -> None:
    content = os.urandom(size)

    with writing_export_file(EXPORT_ID) as out:
        for start in range(0, size, 1_000_003):
            out.write(content[start : start + 1_000_003])
            assert _objects(bucket) == {}

    assert _objects(bucket) == {f"{EXPORT_ID}.zip": content}
    assert _unfinished(bucket) == []
    assert list(each_export_file()) == [(EXPORT_ID, f"{EXPORT_ID}.zip")]
    for _ in range(2):
        remove_export_file(EXPORT_ID)
    assert _objects(bucket) == {}


@pytest.mark.parametrize("operation", ["CreateMultipartUpload", "UploadPart", "CompleteMultipartUpload", "PutObject"])
def test_a_part_that_fails_leaves_no_file_and_no_parts(bucket: Any, operation: str) -> None:
    def refuse(**_: Any) -> None:
        raise ClientError({"Error": {"Code": "InternalError", "Message": "no"}}, operation)

    size = 10 if operation == "PutObject" else 2 * PART + 1
    events = files._s3().meta.events
    events.register(f"before-call.s3.{operation}", refuse)

    with pytest.raises(ClientError, match="InternalError"), writing_export_file(EXPORT_ID) as out:
        out.write(b"x" * size)

    assert _objects(bucket) == {}
    assert _unfinished(bucket) == []


def test_a_writer_that_fails_leaves_no_file_and_no_parts(bucket: Any) -> None:
    for problem in (RuntimeError, KeyboardInterrupt):
        with pytest.raises(problem), writing_export_file(EXPORT_ID) as out:
            out.write(b"x" * (PART + 1))
            assert len(_unfinished(bucket)) == 1
            raise problem

    assert _objects(bucket) == {}
    assert _unfinished(bucket) == []


def test_an_abort_that_fails_does_not_hide_the_problem(bucket: Any) -> None:
    def refuse(**_: Any) -> None:
        raise ClientError({"Error": {"Code": "AccessDenied", "Message": "no"}}, "AbortMultipartUpload")

    files._s3().meta.events.register("before-call.s3.AbortMultipartUpload", refuse)

    with pytest.raises(ZeroDivisionError), writing_export_file(EXPORT_ID) as out:
        out.write(b"x" * PART)
        raise ZeroDivisionError


@pytest.mark.usefixtures("bucket")
def test_a_link_leads_to_one_file_of_the_bucket_in_its_region_for_ten_minutes() -> None:
    export = Export(EXPORT_ID, "somebody", "2026-01-31T08:00:00.000Z", "2026-01-31T08:00:00.000Z", 0, "csv")

    link = urlsplit(download_address(export))

    told = {name: value for name, (value,) in parse_qs(link.query).items()}
    assert (link.scheme, link.netloc) == ("https", f"{NAME}.s3.eu-central-1.amazonaws.com")
    assert link.path == f"/{EXPORT_ID}.zip"
    assert told["X-Amz-Expires"] == "600"
    assert told["X-Amz-Algorithm"] == "AWS4-HMAC-SHA256"
    assert told["X-Amz-SignedHeaders"] == "host"
    disposition = 'attachment; filename="stock-track-record-2026-01-31-csv.zip"'
    assert told["response-content-disposition"] == disposition


def test_a_file_in_a_folder_is_there_once_it_is_whole(exports_folder: Path) -> None:
    with writing_export_file(EXPORT_ID) as out:
        out.write(b"PK")
        (part,) = exports_folder.iterdir()
        assert part.name.startswith(f"{EXPORT_ID}.zip.")
        assert part.name.endswith(".part")
    with pytest.raises(RuntimeError), writing_export_file(EXPORT_ID) as out:
        out.write(b"another")
        raise RuntimeError

    assert [(path.name, path.read_bytes()) for path in exports_folder.iterdir()] == [(f"{EXPORT_ID}.zip", b"PK")]


def test_no_id_leads_out_of_the_folder() -> None:
    for name in ("", "..", "../x", "a/b", EXPORT_ID.lower(), f"{EXPORT_ID}\n", f"{EXPORT_ID}/", "\0"):
        with pytest.raises(ValueError, match="is not the id of an export"):
            export_file_name(name)


def test_without_a_place_the_missing_setting_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("EXPORTS_BUCKET", "EXPORTS_FOLDER"):
        monkeypatch.delenv(name, raising=False)
    settings.cache_clear()

    with pytest.raises(InvalidSetting, match="EXPORTS_BUCKET"):
        remove_export_file(EXPORT_ID)
