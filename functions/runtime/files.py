"""Files in a bucket on AWS, or in a folder locally. A file only appears under its name once it is complete."""

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import cache
from pathlib import Path
from shutil import copyfile
from typing import Any, Protocol

from botocore.config import Config
from botocore.session import Session

from functions.runtime.errors import BatchIncomplete, FileTooLarge
from functions.runtime.settings import settings

DELETED_AT_ONCE = 1000
"""Maximum keys per S3 delete request."""
PART_BYTES = 8 * 1024 * 1024
"""S3 requires parts of at least 5 MB, except the last, and allows 10,000 of them."""
PART_SUFFIX = ".part"
COPIED_AT_ONCE = 1024 * 1024


class Writer(Protocol):
    def write(self, content: bytes, /) -> int: ...


class Files(Protocol):
    """Names may contain a folder: `folder/file`."""

    def put(self, name: str, content: bytes) -> None: ...

    def writing(self, name: str) -> AbstractContextManager[Writer]:
        """Streams a file larger than memory. It appears when the block ends; after an error it never does."""

    def get(self, name: str) -> bytes | None: ...

    def copy(self, name: str, target: Path, *, most_bytes: int) -> bool:
        """Copies a file larger than memory. False if it does not exist; raises FileTooLarge."""

    def delete(self, name: str) -> None: ...

    def delete_folder(self, folder: str) -> None: ...

    def names(self) -> Iterator[str]: ...


class Folder:
    def __init__(self, root: Path) -> None:
        self._root = root

    def put(self, name: str, content: bytes) -> None:
        with self.writing(name) as file:
            file.write(content)

    @contextmanager
    def writing(self, name: str) -> Iterator[Writer]:
        """Written under a temporary name first, so that a crash leaves either the old file or the new one."""
        path = self._root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f"{path.name}.", suffix=PART_SUFFIX)
        try:
            with os.fdopen(handle, "wb") as file:
                yield file
            Path(temporary).replace(path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise

    def get(self, name: str) -> bytes | None:
        try:
            return (self._root / name).read_bytes()
        except FileNotFoundError:
            return None

    def copy(self, name: str, target: Path, *, most_bytes: int) -> bool:
        source = self._root / name
        try:
            _require_at_most(source.stat().st_size, most_bytes)
            copyfile(source, target)
        except FileNotFoundError:
            return False
        return True

    def delete(self, name: str) -> None:
        (self._root / name).unlink(missing_ok=True)

    def delete_folder(self, folder: str) -> None:
        path = self._root / folder
        for file in path.glob("*"):
            file.unlink(missing_ok=True)
        with suppress(OSError):
            # It does not exist, or a worker that has not noticed the delete just wrote to it, and will clean up itself.
            path.rmdir()

    def names(self) -> Iterator[str]:
        for path in self._root.rglob("*"):
            if path.is_file():
                yield path.relative_to(self._root).as_posix()


class Bucket:
    def __init__(self, name: str, client: Callable[[], Any]) -> None:
        self._name = name
        self._client = client

    def put(self, name: str, content: bytes) -> None:
        self._client().put_object(Bucket=self._name, Key=name, Body=content)

    @contextmanager
    def writing(self, name: str) -> Iterator[Writer]:
        upload = _Upload(self._client(), self._name, name)
        try:
            yield upload
            upload.complete()
        except BaseException:
            upload.abort()
            raise

    def get(self, name: str) -> bytes | None:
        client = self._client()
        try:
            content: bytes = client.get_object(Bucket=self._name, Key=name)["Body"].read()
        except client.exceptions.NoSuchKey:
            return None
        return content

    def copy(self, name: str, target: Path, *, most_bytes: int) -> bool:
        client = self._client()
        try:
            response = client.get_object(Bucket=self._name, Key=name)
        except client.exceptions.NoSuchKey:
            return False
        _require_at_most(response["ContentLength"], most_bytes)
        with target.open("wb") as file:
            for chunk in response["Body"].iter_chunks(COPIED_AT_ONCE):
                file.write(chunk)
        return True

    def delete(self, name: str) -> None:
        self._client().delete_object(Bucket=self._name, Key=name)

    def delete_folder(self, folder: str) -> None:
        for keys in self._pages(folder):
            objects = [{"Key": key} for key in keys]
            response = self._client().delete_objects(Bucket=self._name, Delete={"Objects": objects, "Quiet": True})
            # S3 lists the keys that it could not delete in an otherwise successful response.
            if refused := [f"{each['Key']} ({each['Code']})" for each in response.get("Errors", ())]:
                raise BatchIncomplete(refused, tries=1)

    def names(self) -> Iterator[str]:
        for keys in self._pages(""):
            yield from keys

    def address_of(self, name: str, *, seconds: int, saved_as: str) -> str:
        """Returns a link that lets anyone download the file until it expires, with the permissions of its signer."""
        address: str = self._client().generate_presigned_url(
            "get_object",
            Params={
                "Bucket": self._name,
                "Key": name,
                "ResponseContentDisposition": f'attachment; filename="{saved_as}"',
                "ResponseContentType": "application/zip",
                "ResponseCacheControl": "no-store",
            },
            ExpiresIn=seconds,
        )
        return address

    def _pages(self, folder: str) -> Iterator[list[str]]:
        pages = self._client().get_paginator("list_objects_v2")
        for page in pages.paginate(Bucket=self._name, Prefix=folder, PaginationConfig={"PageSize": DELETED_AT_ONCE}):
            if keys := [each["Key"] for each in page.get("Contents", ())]:
                yield keys


class _Upload:
    """Uploads a file in parts. A file smaller than one part is sent in a single request at the end."""

    def __init__(self, client: Any, bucket: str, name: str) -> None:
        self._client = client
        self._target = {"Bucket": bucket, "Key": name}
        self._buffer = bytearray()
        self._upload_id: str | None = None
        self._parts: list[dict[str, Any]] = []

    def write(self, content: bytes, /) -> int:
        self._buffer += content
        while len(self._buffer) >= PART_BYTES:
            with memoryview(self._buffer) as view:
                part = bytes(view[:PART_BYTES])
            self._send(part)
            del self._buffer[:PART_BYTES]
        return len(content)

    def complete(self) -> None:
        if self._upload_id is None:
            self._client.put_object(**self._target, Body=bytes(self._buffer))
            return
        if self._buffer:
            self._send(bytes(self._buffer))
        self._client.complete_multipart_upload(
            **self._target, UploadId=self._upload_id, MultipartUpload={"Parts": self._parts}
        )

    def abort(self) -> None:
        """Best effort: the bucket's lifecycle rule removes leftover parts after a day."""
        if self._upload_id is not None:
            with suppress(Exception):
                self._client.abort_multipart_upload(**self._target, UploadId=self._upload_id)

    def _send(self, content: bytes) -> None:
        if self._upload_id is None:
            self._upload_id = self._client.create_multipart_upload(**self._target)["UploadId"]
        number = len(self._parts) + 1
        sent = self._client.upload_part(**self._target, UploadId=self._upload_id, PartNumber=number, Body=content)
        self._parts.append({"PartNumber": number, "ETag": sent["ETag"]})


def _require_at_most(size: int, most: int) -> None:
    if size > most:
        raise FileTooLarge(f"The file has {size:,} bytes, and {most:,} at most are read.")


def files_in(bucket: str | None, folder: str | None) -> Bucket | Folder | None:
    """The bucket or folder from the settings; None if neither is set."""
    if bucket:
        return _bucket(bucket)
    return Folder(Path(folder)) if folder else None


@cache
def _bucket(name: str) -> Bucket:
    return Bucket(name, _s3)


@cache
def _s3() -> Any:
    current = settings()
    config = Config(
        connect_timeout=2,
        read_timeout=10,
        retries={"mode": "standard", "total_max_attempts": current.sdk_max_attempts},
        signature_version="s3v4",
        # Otherwise links use the global endpoint, whose redirect to the bucket's region invalidates their signature.
        s3={"addressing_style": "virtual"},
    )
    # botocore, because boto3 also loads its transfer manager.
    return Session().create_client("s3", region_name=current.region, config=config)
