"""The history of runs: of a channel, across all channels, of one video, and single runs by id."""

from collections.abc import Iterable
from dataclasses import dataclass

from functions.record.channels.channels import living_channel_and
from functions.record.errors import RunNotFound, VideoNotFound
from functions.record.models.runs import Attempt, Run, RunStatus
from functions.record.store import run_records
from functions.record.store.channels import channels_by_id
from functions.record.store.videos import video_by_id
from functions.runtime import ids
from functions.runtime.concurrency import run_parallel
from functions.runtime.dynamodb.attributes import Item
from functions.runtime.dynamodb.requests import Page


@dataclass(frozen=True, slots=True)
class NamedRun:
    run: Run
    channel_name: str


def runs_of_channel(channel_id: str, start: Item | None, limit: int) -> Page[NamedRun]:
    """Newest first."""
    channel, page = living_channel_and(channel_id, lambda: run_records.runs_of_channel(channel_id, limit, start))
    return Page([NamedRun(run, channel.name) for run in page.items], page.next_key)


def all_runs(start: Item | None, limit: int, status: RunStatus | None, analyst: str | None) -> Page[NamedRun]:
    """Newest first, with their channels' current names."""
    page = run_records.all_runs(limit, start, status=status, analyst=analyst)
    return Page(_named(page.items), page.next_key)


def run_by_id(run_id: str) -> NamedRun:
    run = run_records.run_by_id(run_id) if ids.is_ulid(run_id) else None
    named = _named([run] if run else [])
    if not named:
        raise RunNotFound(run_id)
    return named[0]


def attempts_of_video(channel_id: str, video_id: str, start: Item | None, limit: int) -> Page[Attempt]:
    """Returns the outcome of a video in each run that attempted it, newest first."""
    _, (video, page) = living_channel_and(
        channel_id,
        lambda: run_parallel(
            lambda: video_by_id(channel_id, video_id),
            lambda: run_records.attempts_of_video(channel_id, video_id, limit, start),
        ),
    )
    if video is None:
        raise VideoNotFound(video_id)
    return page


def _named(runs: Iterable[Run]) -> list[NamedRun]:
    """Drops runs of channels that were just deleted."""
    runs = list(runs)
    channels = channels_by_id({run.channel_id for run in runs})
    return [NamedRun(run, channels[run.channel_id].name) for run in runs if run.channel_id in channels]
