"""Writes a channel's reviews as labels that `bench.analyst` reads: `python -m local.labels CHANNEL --out FOLDER`."""

import argparse
import json
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError

from functions.reading.transcripts import Transcript
from functions.record.models.records import Channel, Video
from functions.record.store.kept_transcripts import kept_transcript
from functions.record.store.videos import each_video_of_channel
from functions.runtime.errors import StockTrackRecordError
from local.engine import using_data
from local.score import UNREADABLE, NotOneChannel, find_channel

LABELS = "labels.jsonl"


@dataclass(frozen=True, slots=True)
class LabelledVideo:
    video: Video
    transcript: Transcript

    @property
    def is_complete(self) -> bool:
        return all(mention.review for mention in self.video.calls)

    @property
    def file(self) -> str:
        named = re.fullmatch(r"[\w-]{1,64}", self.video.youtube_video_id, re.ASCII)
        return f"{self.video.youtube_video_id if named else self.video.id}.txt"

    def row(self, speaker: str) -> dict[str, Any]:
        """A rejected mention has no label: an analyst that reports it is wrong. One that nobody has reviewed is
        optional: an analyst may report it or leave it out."""
        reviewed = [mention for mention in self.video.calls if mention.review]
        return {
            "file": self.file,
            "speaker": speaker,
            "day": self.video.published_at,
            "words": len(self.transcript.text.split()),
            "style": self.transcript.source,
            "current_tickers": True,
            "calls": [
                {"ticker": each.ticker, "sentiment": each.sentiment, "evidence": each.context_snippet or "-"}
                for each in reviewed
                if each.counts
            ],
            "optional": [each.ticker for each in self.video.calls if not each.review],
            "source": self.video.url,
        }


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    try:
        with using_data(options.data) if options.data else nullcontext():
            channel = find_channel(options.channel)
            found = list(labelled_videos(channel.id, complete=options.complete))
            if not found:
                print(f"{channel.name} has no reviewed call in a video whose transcript is kept.", file=sys.stderr)
                return 1
            write(found, channel, options.out)
    except (NotOneChannel, FileExistsError) as problem:
        print(problem, file=sys.stderr)
        return 1
    except (StockTrackRecordError, BotoCoreError, ClientError) as problem:
        print(f"The data could not be read: {problem}", file=sys.stderr)
        return UNREADABLE
    labels = sum(bool(mention.review) for each in found for mention in each.video.calls)
    complete = sum(each.is_complete for each in found)
    print(f"{labels} reviewed mentions of {len(found)} videos in {options.out}; {complete} videos are wholly reviewed.")
    return 0


def labelled_videos(channel_id: str, *, complete: bool) -> Iterator[LabelledVideo]:
    """Videos with a review and a kept transcript; with `complete`, only those whose every mention was reviewed."""
    for video in each_video_of_channel(channel_id):
        if not video.transcript_kept or not any(mention.review for mention in video.calls):
            continue
        transcript = kept_transcript(channel_id, video.id)
        if transcript is None:
            continue
        labelled = LabelledVideo(video, transcript)
        if labelled.is_complete or not complete:
            yield labelled


def write(videos: Sequence[LabelledVideo], channel: Channel, folder: Path) -> None:
    """Raises FileExistsError if the folder is not empty: labels of two exports must not mix."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise FileExistsError(f"{folder} is there already; name another folder.")
    folder.mkdir(parents=True, exist_ok=True)
    for each in videos:
        (folder / each.file).write_text(each.transcript.text, encoding="utf-8")
    rows = (json.dumps(each.row(channel.name), ensure_ascii=False) for each in videos)
    # Written last, so that an interrupted export is not mistaken for a complete one.
    (folder / LABELS).write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m local.labels", description="Writes the reviews of a channel as labels for bench.analyst."
    )
    parser.add_argument("channel", metavar="CHANNEL", help="its id, its address, or a part of its name")
    parser.add_argument("--out", type=Path, required=True, metavar="FOLDER", help="a new or empty folder")
    parser.add_argument("--complete", action="store_true", help="only videos whose every mention was reviewed")
    parser.add_argument("--data", type=Path, help="a folder of `make run`, stopped; else the tables of the settings")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
