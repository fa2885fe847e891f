"""Uploads a folder of transcripts: `python -m local.hand_in FOLDER --api URL [--token …] [--channel ID]`."""

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, NamedTuple
from urllib.parse import quote, urlencode

from functions.reading.transcripts import MAX_BYTES
from functions.record.sources.youtube_captions import FILE_KINDS, FILE_NAME, VIDEO_ID
from functions.runtime.errors import InvalidSetting
from functions.runtime.settings import base_url
from functions.runtime.text import one_line
from local.api_client import MAX_SHOWN, ApiClient, CannotUse, Refused

NOT_ALL, UNUSABLE = 1, 2
"""Exit codes: something was refused; nothing could be done."""
TRIES = 9
"""Most requests per transcript, counting retries."""
PAGE = 100


class CannotUpload(CannotUse):
    """Nothing can be uploaded; the message says why."""


class File(NamedTuple):
    path: Path
    youtube_video_id: str
    rank: tuple[bool, bool, bool, int]
    """The best file of a video has the lowest rank: in English, and with times."""


class Target(NamedTuple):
    """A video of a channel."""

    channel_id: str
    video_id: str
    is_read: bool


@dataclass
class Outcome:
    uploaded: int = 0
    read_before: int = 0
    unknown: list[str] = field(default_factory=list)
    """Files whose video belongs to no channel."""
    refused: list[tuple[str, str]] = field(default_factory=list)
    """Files, each with the reason."""


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    try:
        token = sys.stdin.readline().strip() if options.token == "-" else options.token
        api = Api(base_url("--api", options.api), token)
        files = find_files(options.folder)
        outcome = upload_all(api, files, options.channel, again=options.again, progress=Progress(sys.stdout))
    except (CannotUse, InvalidSetting) as problem:
        print(problem, file=sys.stderr)
        return UNUSABLE
    print(summary(outcome))
    return NOT_ALL if outcome.refused else 0


def find_files(folder: Path) -> list[File]:
    """Returns the transcripts in a folder and its subfolders, the best one per video."""
    if not folder.is_dir():
        raise CannotUpload(f"{folder} is not a folder.")
    best: dict[str, File] = {}
    for path in sorted(folder.rglob("*")):
        file = file_of(path)
        if file and (file.youtube_video_id not in best or file.rank < best[file.youtube_video_id].rank):
            best[file.youtube_video_id] = file
    if not best:
        kinds = ", ".join(f".{kind}" for kind in FILE_KINDS)
        raise CannotUpload(f"There are no transcripts in {folder}: files named by YouTube id, ending in {kinds}.")
    return list(best.values())


def file_of(path: Path) -> File | None:
    """A file named by its video, `dQw4w9WgXcQ.srt` or as yt-dlp does, `Title [dQw4w9WgXcQ].en.vtt`; None for others."""
    match = FILE_NAME.fullmatch(path.name)
    if not match or path.name.startswith("."):
        return None
    title, language, kind = match.groups()
    is_plain = bool(VIDEO_ID.fullmatch(title))
    video_id = title if is_plain else title[-12:-1] if title.endswith("]") and title[-13:-12] == "[" else ""
    if not VIDEO_ID.fullmatch(video_id) or not path.is_file():
        return None
    spoken = (language or "en").lower()
    rank = (not spoken.startswith("en"), spoken != "en", not is_plain, FILE_KINDS.index(kind.lower()))
    return File(path, video_id, rank)


def upload_all(
    api: "Api", files: Sequence[File], channel_id: str | None, *, again: bool, progress: "Progress"
) -> Outcome:
    targets = api.videos([channel_id] if channel_id else api.channel_ids())
    outcome = Outcome()
    for number, file in enumerate(files, start=1):
        name = one_line(file.path.name, MAX_SHOWN)
        videos = targets.get(file.youtube_video_id, ())
        wanted = [video for video in videos if again or not video.is_read]
        progress.show(number, len(files), name)
        if not videos:
            outcome.unknown.append(name)
        elif not wanted:
            outcome.read_before += 1
        try:
            for video in wanted:
                api.upload(video, file.path)
                outcome.uploaded += 1
        except Refused as problem:
            outcome.refused.append((name, str(problem)))
    progress.end()
    return outcome


def summary(outcome: Outcome) -> str:
    lines = [f"{_transcripts(outcome.uploaded)} uploaded. Each is read within seconds; see the channel's log."]
    if outcome.read_before:
        lines.append(f"{_transcripts(outcome.read_before)} skipped: the video has been read. --again uploads them too.")
    if outcome.unknown:
        lines.append(
            f"{_transcripts(len(outcome.unknown))} of videos that no channel has: {', '.join(outcome.unknown)}"
        )
    if outcome.refused:
        lines.append(f"{_transcripts(len(outcome.refused))} refused:")
        lines += [f"  {name}: {reason}" for name, reason in outcome.refused]
    return "\n".join(lines)


class Progress:
    """A line that is overwritten on a terminal; otherwise one line per file."""

    def __init__(self, out: IO[str]) -> None:
        self._out = out
        self._is_terminal = out.isatty()

    def show(self, number: int, total: int, name: str) -> None:
        line = f"{number} of {total}: {name}"
        self._out.write(f"\r\x1b[K{line[:78]}" if self._is_terminal else f"{line}\n")
        self._out.flush()

    def end(self) -> None:
        if self._is_terminal:
            self._out.write("\r\x1b[K")


class Api(ApiClient):
    def channel_ids(self) -> list[str]:
        return [channel["id"] for channel in self._every_item("/api/channels")]

    def videos(self, channel_ids: Iterable[str]) -> dict[str, list[Target]]:
        """By YouTube id."""
        found: dict[str, list[Target]] = {}
        for channel_id in channel_ids:
            for video in self._every_item(f"/api/channels/{quote(channel_id, safe='')}/videos"):
                is_read = video["transcript_status"] == "fetched"
                found.setdefault(video["youtube_video_id"], []).append(Target(channel_id, video["id"], is_read))
        return found

    def upload(self, video: Target, path: Path) -> None:
        """Raises Refused if the API rejects it."""
        try:
            with path.open("rb") as file:
                content = file.read(MAX_BYTES + 1)
        except OSError as problem:
            raise Refused(f"it cannot be read: {problem.strerror}") from None
        if len(content) > MAX_BYTES:
            raise Refused(f"it is larger than {MAX_BYTES:,} bytes")
        path_of_video = f"/api/channels/{quote(video.channel_id, safe='')}/videos/{quote(video.video_id, safe='')}"
        kind = {"Content-Type": _content_type(content)}
        self.send("PUT", f"{path_of_video}/transcript", content, kind, tries=TRIES)

    def _every_item(self, path: str) -> Iterator[dict[str, Any]]:
        token: str | None = None
        while True:
            query = urlencode({"limit": PAGE, **({"nextToken": token} if token else {})})
            try:
                page = json.loads(self.send("GET", f"{path}?{query}"))
                yield from page["items"]
                token = page["nextToken"]
            except Refused as problem:
                raise CannotUpload(f"The videos cannot be listed: {problem}") from None
            except (ValueError, LookupError, TypeError):
                raise self.not_this_api() from None
            if token is None:
                return


def _content_type(content: bytes) -> str:
    """API Gateway leaves bytes unchanged only if they are UTF-8 or not declared as text."""
    try:
        content.decode()
    except UnicodeDecodeError:
        return "application/octet-stream"
    return "text/plain; charset=utf-8"


def _transcripts(number: int) -> str:
    return "1 transcript" if number == 1 else f"{number} transcripts"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m local.hand_in", description="Uploads the transcripts in a folder. It can be repeated."
    )
    parser.add_argument(
        "folder", type=Path, metavar="FOLDER", help="files named by YouTube id, or as yt-dlp names them; also below it"
    )
    parser.add_argument("--api", required=True, metavar="URL", help="the address of the API, or of the page")
    parser.add_argument("--token", help="the API's token, where changes need one; - reads it from standard input")
    parser.add_argument("--channel", metavar="ID", help="only videos of this channel; all channels if none is given")
    parser.add_argument("--again", action="store_true", help="also upload transcripts of videos that have been read")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
