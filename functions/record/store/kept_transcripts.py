"""Stored transcripts, compressed: in a bucket on AWS, in a folder beside the data locally."""

from collections.abc import Iterator

from functions.reading.transcripts import Transcript
from functions.runtime.errors import InvalidValue
from functions.runtime.files import Files, files_in
from functions.runtime.ids import is_uuid
from functions.runtime.observability import logger
from functions.runtime.settings import settings

SUFFIX = ".json.z"


def keep_transcript(channel_id: str, video_id: str, transcript: Transcript) -> bool:
    """Stores a transcript; returns False if no storage is configured."""
    files = _files()
    if files is None:
        return False
    files.put(_name(channel_id, video_id), transcript.packed())
    return True


def kept_transcript(channel_id: str, video_id: str) -> Transcript | None:
    """Returns None for a damaged one too, so that it is fetched again."""
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
    """Yields the channel id and video id of each. Files with other names are skipped."""
    files = _files()
    for name in files.names() if files else ():
        channel_id, _, file = name.partition("/")
        video_id = file.removesuffix(SUFFIX)
        if file != video_id and is_uuid(channel_id) and is_uuid(video_id):
            yield channel_id, video_id


def _folder(channel_id: str) -> str:
    # The id becomes part of a path: other characters could escape the folder.
    if not is_uuid(channel_id):
        raise ValueError(f"{channel_id!r} is not the id of a channel")
    return f"{channel_id}/"


def _name(channel_id: str, video_id: str) -> str:
    if not is_uuid(video_id):
        raise ValueError(f"{video_id!r} is not the id of a video")
    return f"{_folder(channel_id)}{video_id}{SUFFIX}"


def _files() -> Files | None:
    """The storage, with one file per video and one folder per channel."""
    return files_in(settings().kept_transcripts_bucket, settings().kept_transcripts_folder)
