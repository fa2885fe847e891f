"""Compares the stored transcripts with their videos. A part of `python -m operations.check`."""

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass

from functions.record.models.records import Video
from functions.record.store.kept_transcripts import (
    each_kept_transcript,
    remove_transcript,
    remove_transcripts_of_channel,
)
from functions.runtime.dynamodb import tables
from functions.runtime.dynamodb.requests import update
from functions.runtime.settings import settings


@dataclass(frozen=True)
class KeptTranscripts:
    kept: frozenset[tuple[str, str]]
    """The channel and the video of each."""
    channels: Container[str]
    deleting: Container[str]
    """Half-deleted channels: what is left of them goes when they are deleted again."""
    videos: Mapping[str, Video]

    @property
    def orphans(self) -> list[tuple[str, str]]:
        return sorted(each for each in self.kept if each[0] not in self.deleting and not self._has_video(*each))

    @property
    def missing(self) -> list[Video]:
        """Videos that are marked as having one, and have none."""
        return [
            video
            for video in self.videos.values()
            if video.transcript_kept
            and video.channel_id not in self.deleting
            and (video.channel_id, video.id) not in self.kept
        ]

    @property
    def are_anothers(self) -> bool:
        """Where none belongs to a video, the settings rather name the tables of one deployment and the bucket of
        another."""
        return bool(self.kept) and len(self.orphans) == len(self.kept)

    def problems(self) -> Iterator[str]:
        if self.are_anothers:
            yield f"none of the {len(self.kept)} kept transcripts belongs to a video: are they another deployment's?"
            return
        for channel_id, video_id in self.orphans:
            what = f"video {video_id} of channel {channel_id}"
            yield f"a transcript is kept of {what}, which is not there"
        for video in self.missing:
            yield f"video {video.id} should have a kept transcript, which is not there"

    def remove_orphans(self) -> int:
        orphans = [] if self.are_anothers else self.orphans
        for channel_id in {channel_id for channel_id, _ in orphans if channel_id not in self.channels}:
            remove_transcripts_of_channel(channel_id)
        for channel_id, video_id in orphans:
            if channel_id in self.channels:
                remove_transcript(channel_id, video_id)
        return len(orphans)

    def clear_marks(self) -> int:
        missing = [] if self.are_anothers else self.missing
        for video in missing:
            # As every change from outside a reading does, so that a reading that began before is not written.
            update(
                tables.video_key(video.channel_id, video.id),
                "REMOVE transcript_kept ADD edits :one",
                "attribute_exists(PK)",
                {"one": 1},
            )
        return len(missing)

    def _has_video(self, channel_id: str, video_id: str) -> bool:
        video = self.videos.get(video_id)
        return channel_id in self.channels and video is not None and video.channel_id == channel_id


def are_kept_somewhere() -> bool:
    """True if the settings name the storage. Without it nothing can be checked."""
    return bool(settings().kept_transcripts_bucket or settings().kept_transcripts_folder)


def read_kept() -> frozenset[tuple[str, str]]:
    return frozenset(each_kept_transcript())
