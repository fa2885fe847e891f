"""Transcripts that are kept, compressed: in a bucket on AWS, in a folder beside the data locally."""

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from botocore.config import Config
from botocore.session import Session

from functions.core.errors import BatchIncomplete, InvalidValue
from functions.core.ids import is_uuid
from functions.core.observability import logger
from functions.core.settings import settings
from functions.core.transcripts import Transcript

SUFFIX = ".json.z"
DELETED_AT_ONCE = 1000
"""The most keys that S3 deletes in one request."""


class Files(Protocol):
    """Where they are kept: a file for each video, in a folder for each channel."""

    def put(self, name: str, content: bytes) -> None: ...

    def get(self, name: str) -> bytes | None: ...

    def delete(self, name: str) -> None: ...

    def delete_folder(self, folder: str) -> None: ...

    def names(self) -> Iterator[str]: ...


def keep_transcript(channel_id: str, video_id: str, transcript: Transcript) -> bool:
    """Whether there is a place to keep it."""
    files = _files()
    if files is None:
        return False
    files.put(_name(channel_id, video_id), transcript.packed())
    return True


def kept_transcript(channel_id: str, video_id: str) -> Transcript | None:
    """None also for one that is damaged, so that it is fetched anew."""
    files = _files()
    content = files.get(_name(channel_id, video_id)) if files else None
    try:
        return Transcript.unpacked(content) if content is not None else None
    except InvalidValue as problem:
        logger.warning(str(problem), channel_id=channel_id, video_id=video_id)
        return None


def remove_transcript(channel_id: str, video_id: str) -> None:
    if files := _files():
        files.delete(_name(channel_id, video_id))


def remove_transcripts_of_channel(channel_id: str) -> None:
    if files := _files():
        files.delete_folder(_folder(channel_id))


def each_kept_transcript() -> Iterator[tuple[str, str]]:
    """The ids of the channel and the video of each. Files that we have not named are skipped."""
    files = _files()
    for name in files.names() if files else ():
        channel_id, _, file = name.partition("/")
        video_id = file.removesuffix(SUFFIX)
        if file != video_id and is_uuid(channel_id) and is_uuid(video_id):
            yield channel_id, video_id


def _folder(channel_id: str) -> str:
    # The id becomes part of a path: other characters could lead out of the folder.
    if not is_uuid(channel_id):
        raise ValueError(f"{channel_id!r} is not the id of a channel")
    return f"{channel_id}/"


def _name(channel_id: str, video_id: str) -> str:
    if not is_uuid(video_id):
        raise ValueError(f"{video_id!r} is not the id of a video")
    return f"{_folder(channel_id)}{video_id}{SUFFIX}"


def _files() -> Files | None:
    if bucket := settings().kept_transcripts_bucket:
        return _bucket(bucket)
    if folder := settings().kept_transcripts_folder:
        return Folder(Path(folder))
    return None


class Folder:
    def __init__(self, root: Path) -> None:
        self._root = root

    def put(self, name: str, content: bytes) -> None:
        """Written under another name first, so that a crash leaves the old file or the new one."""
        path = self._root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, suffix=".part")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
            os.replace(temporary, path)
        except BaseException:
            with suppress(FileNotFoundError):
                os.unlink(temporary)
            raise

    def get(self, name: str) -> bytes | None:
        try:
            return (self._root / name).read_bytes()
        except FileNotFoundError:
            return None

    def delete(self, name: str) -> None:
        (self._root / name).unlink(missing_ok=True)

    def delete_folder(self, folder: str) -> None:
        path = self._root / folder
        for file in path.glob("*"):
            file.unlink(missing_ok=True)
        with suppress(OSError):
            # Not there, or a worker that has not noticed the delete has just written to it, and cleans up itself.
            path.rmdir()

    def names(self) -> Iterator[str]:
        for path in self._root.glob("*/*"):
            yield path.relative_to(self._root).as_posix()


class Bucket:
    def __init__(self, name: str, client: Callable[[], Any]) -> None:
        self._name = name
        self._client = client

    def put(self, name: str, content: bytes) -> None:
        self._client().put_object(Bucket=self._name, Key=name, Body=content)

    def get(self, name: str) -> bytes | None:
        client = self._client()
        try:
            content: bytes = client.get_object(Bucket=self._name, Key=name)["Body"].read()
        except client.exceptions.NoSuchKey:
            return None
        return content

    def delete(self, name: str) -> None:
        self._client().delete_object(Bucket=self._name, Key=name)

    def delete_folder(self, folder: str) -> None:
        for keys in self._pages(folder):
            objects = [{"Key": key} for key in keys]
            response = self._client().delete_objects(Bucket=self._name, Delete={"Objects": objects, "Quiet": True})
            # S3 reports those that it could not delete in a response that is otherwise a success.
            if refused := [f"{each['Key']} ({each['Code']})" for each in response.get("Errors", ())]:
                raise BatchIncomplete(refused, tries=1)

    def names(self) -> Iterator[str]:
        for keys in self._pages(""):
            yield from keys

    def _pages(self, folder: str) -> Iterator[list[str]]:
        pages = self._client().get_paginator("list_objects_v2")
        for page in pages.paginate(Bucket=self._name, Prefix=folder, PaginationConfig={"PageSize": DELETED_AT_ONCE}):
            if keys := [each["Key"] for each in page.get("Contents", ())]:
                yield keys


@cache
def _bucket(name: str) -> Bucket:
    return Bucket(name, _s3)


@cache
def _s3() -> Any:
    current = settings()
    retries = {"mode": "standard", "total_max_attempts": current.sdk_max_attempts}
    config = Config(connect_timeout=2, read_timeout=10, retries=retries)
    # botocore, because boto3 also loads its transfer manager.
    return Session().create_client("s3", region_name=current.region, config=config)
