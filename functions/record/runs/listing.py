"""Selects the videos a run processes: the full listing, or, in a check, those new since the last one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta

from functions.reading import analysts
from functions.record.errors import ChannelAlreadyExists
from functions.record.models.records import AnalysisStatus, Channel, Video
from functions.record.models.runs import RunKind
from functions.record.runs.failures import RunFailed
from functions.record.runs.publication import day_and_time, is_gone_or_back, mark_gone_and_back, redated, store_date
from functions.record.sources import selection
from functions.record.sources.protocols import ChannelInfo, VideoInfo
from functions.record.store import runs
from functions.record.store.channels import channel_by_id
from functions.record.store.run_records import run_of_channel
from functions.record.store.runs import Listing
from functions.record.store.videos import allow_reading, each_video_of_channel, videos_by_id
from functions.runtime import ids
from functions.runtime.clock import now, seconds_from_now
from functions.runtime.text import one_line, web_address

MAX_TITLE_LENGTH = 300
MAX_VIDEOS_PER_RUN = 1000
"""A Step Functions execution may have 25,000 events, and a video whose every attempt fails produces 24.

If throttling produces more, the execution ends and the run is resumed with the remaining videos.
"""
OVERLAP = timedelta(days=7)
"""How far behind the newest video a check looks, since videos may be made public, or get their captions, late."""
FULL_LISTING_SECONDS = 30 * 24 * 60 * 60
"""Age of the last full listing after which a check is one too, since only a full listing finds removed videos."""


def listed_videos(channel: Channel, run_id: str) -> list[str]:
    """Returns new videos, those that no run has finished, and those to retry."""
    channel_id = channel.id
    months = channel.time_range_months
    began = now()
    runs.begin_run(channel_id, run_id, f"Started: looking for videos of the last {months} months.")
    selection.check()
    youtube_channel_id = _identify(channel, run_id)
    since = months_before(selection.last_price_day(), months)
    infos = selection.videos().published_since(youtube_channel_id, since)
    listed = {ids.video_id(channel_id, info.youtube_video_id): info for info in infos}
    known = _known_videos(channel_id, run_id, listed, since)
    allowed = allowed_again(channel, run_id, known.given_up)
    pending, to_retry = known.pending | allowed, known.to_retry
    unknown = {
        video_id: info.published_at.isoformat() for video_id, info in listed.items() if video_id not in known.all
    }
    new = newest_first(unknown, MAX_VIDEOS_PER_RUN - len(pending))
    retried = newest_first(to_retry, MAX_VIDEOS_PER_RUN - len(pending) - len(new))
    runs.add_videos(channel_id, run_id, (_video(channel_id, listed[video_id]) for video_id in new))
    to_process = newest_first(pending | new | retried, MAX_VIDEOS_PER_RUN)
    left = len(pending) + len(unknown) + len(to_retry) - len(to_process)
    message = (
        f"Found {count_of(len(listed), 'video')} since {since}, {len(unknown)} of them new; "
        f"{len(to_process)} to process{in_this_run(left)}."
    )
    total = len(known.all) + len(new)
    listing = Listing(
        found=len(listed),
        to_read=len(to_process),
        analyst=analysts.analyst().name,
        newest_video_at=_newest_day(channel, listed),
        # Videos left over are older than the range of the next check.
        fully_listed_at=None if left else began,
        listed_months=None if left else months,
    )
    runs.set_video_counts(channel_id, run_id, total, total - len(to_process), message, listing)
    return list(to_process)


def new_videos(channel: Channel, run_id: str) -> list[str] | None:
    """Returns new videos, and recent ones to retry. None if there are none: the run has then ended, at a cost of two
    YouTube requests and a few to DynamoDB, however many videos the channel has."""
    if not _only_news_can_be_missing(channel):
        return listed_videos(channel, run_id)
    runs.begin_run(channel.id, run_id, None)
    selection.check()
    today = selection.last_price_day()
    since = _since(channel, today)
    info, infos = selection.videos().newest(channel.youtube_channel_id, since)
    listed = {ids.video_id(channel.id, each.youtube_video_id): each for each in infos}
    known = videos_by_id(((channel.id, video_id) for video_id in listed), consistent=True)
    if any(video.analysis_status == AnalysisStatus.PENDING for video in known.values()):
        # A run added these and died before it had counted them.
        return listed_videos(channel, run_id)
    if _is_renamed(channel, info):
        _store_identity(channel, run_id, info)
    moved = [(video, after) for video in known.values() if (after := redated(video, listed))]
    unknown = {video_id: each.published_at.isoformat() for video_id, each in listed.items() if video_id not in known}
    to_retry = {video.id: video.published_at for video in known.values() if _may_have_captions(video, run_id, today)}
    if not (moved or unknown or to_retry):
        runs.finish_check(channel, len(listed), "Checked: no new videos.")
        return None
    for before, after in moved:
        store_date(run_id, before, after)
    return _write_news(channel, run_id, listed, unknown, to_retry)


def _write_news(
    channel: Channel,
    run_id: str,
    listed: Mapping[str, VideoInfo],
    unknown: Mapping[str, str],
    to_retry: Mapping[str, str],
) -> list[str]:
    new = newest_first(unknown, MAX_VIDEOS_PER_RUN)
    retried = newest_first(to_retry, MAX_VIDEOS_PER_RUN - len(new))
    runs.add_videos(channel.id, run_id, (_video(channel.id, listed[video_id]) for video_id in new))
    to_process = newest_first(new | retried, MAX_VIDEOS_PER_RUN)
    left = len(unknown) - len(new)
    again = f", {count_of(len(retried), 'video')} to try again" if retried else ""
    message = f"Checked: {count_of(len(unknown), 'new video')}{again}{in_this_run(left)}."
    total = channel.video_count + len(new)
    listing = Listing(
        found=len(listed),
        to_read=len(to_process),
        analyst=analysts.analyst().name,
        newest_video_at=None if left else _newest_day(channel, listed),
    )
    runs.set_video_counts(channel.id, run_id, total, total - len(to_process), message, listing)
    return list(to_process)


def _only_news_can_be_missing(channel: Channel) -> bool:
    """True if all videos up to the newest one were listed and finished recently enough."""
    return (
        channel.newest_video_at is not None
        and channel.fully_listed_at is not None
        and channel.fully_listed_at > seconds_from_now(-FULL_LISTING_SECONDS)
        and channel.time_range_months <= (channel.listed_months or 0)
        and channel.processed_video_count >= channel.video_count
        and ":" not in channel.youtube_channel_id
    )


def _since(channel: Channel, today: date) -> date:
    """Caps the newest date at today, since a premiere's date may be in the future."""
    newest = min(today, date.fromisoformat(channel.newest_video_at or today.isoformat()))
    return max(newest - OVERLAP, months_before(today, channel.time_range_months))


def _may_have_captions(video: Video, run_id: str, today: date) -> bool:
    """True if a retry may find captions that were missing. Older videos wait for a full listing."""
    is_open = video.analysis_status in (AnalysisStatus.SKIPPED, AnalysisStatus.FAILED)
    return (
        is_open
        and not video.is_given_up
        and video.run_id != run_id
        and video.published_at >= (today - OVERLAP).isoformat()
    )


def months_before(day: date, months: int) -> date:
    """Returns the same day of an earlier month, or that month's last day if it is shorter."""
    years, month = divmod(day.year * 12 + day.month - 1 - months, 12)
    first_of_next = date(years + (month + 1) // 12, (month + 1) % 12 + 1, 1)
    return date(years, month + 1, min(day.day, (first_of_next - timedelta(days=1)).day))


@dataclass(slots=True)
class _Known:
    """The publication days of a channel's videos, by id."""

    all: dict[str, str] = field(default_factory=dict)
    pending: dict[str, str] = field(default_factory=dict)
    to_retry: dict[str, str] = field(default_factory=dict)
    """Skipped or failed videos. Each is finished for its own run; the next run retries it once."""
    given_up: list[Video] = field(default_factory=list)
    """Videos that only a person can have read again."""

    def is_to_retry(self, video: Video, run_id: str) -> bool:
        is_open = video.analysis_status != AnalysisStatus.COMPLETED and video.run_id != run_id
        return is_open and not video.is_given_up


def allowed_again(channel: Channel, run_id: str, given_up: Sequence[Video]) -> dict[str, str]:
    """Returns the days of videos that were given up and are read once more: all, if a person began this run. A run that
    continues a dead one has tried them already."""
    run = run_of_channel(channel.id, run_id) if given_up else None
    if run is None or run.kind == RunKind.CHECK or run.continues:
        return {}
    for video in given_up:
        allow_reading(video)
    return {video.id: video.published_at for video in given_up}


def _known_videos(channel_id: str, run_id: str, listed: Mapping[str, VideoInfo], since: date) -> _Known:
    """Returns the stored videos. Updates the date of those listed under another one, and marks those that are gone from
    YouTube or available again."""
    known = _Known()
    moved: list[tuple[Video, Video]] = []
    gone_or_back: list[Video] = []
    for video in each_video_of_channel(channel_id):
        known.all[video.id] = video.published_at
        if video.is_given_up and video.analysis_status != AnalysisStatus.COMPLETED:
            known.given_up.append(video)
        if video.analysis_status == AnalysisStatus.PENDING:
            known.pending[video.id] = video.published_at
        elif known.is_to_retry(video, run_id):
            known.to_retry[video.id] = video.published_at
        if len(moved) < MAX_VIDEOS_PER_RUN and (after := redated(video, listed)):
            moved.append((video, after))
        if len(gone_or_back) < MAX_VIDEOS_PER_RUN and is_gone_or_back(video, listed, since):
            gone_or_back.append(video)
    for before, after in moved:
        store_date(run_id, before, after)
    mark_gone_and_back(channel_id, run_id, gone_or_back)
    return known


def _identify(channel: Channel, run_id: str) -> str:
    """Resolves the channel on YouTube, stores its id and reserves it; raises RunFailed if another channel has it."""
    known = channel.youtube_channel_id
    info = selection.videos().resolve(known if ":" in known else f"channel_id:{known}")
    _store_identity(channel, run_id, info)
    return info.youtube_channel_id


def _store_identity(channel: Channel, run_id: str, info: ChannelInfo) -> None:
    title = one_line(info.title, MAX_TITLE_LENGTH) or channel.name
    try:
        runs.identify_channel(channel.id, run_id, info.youtube_channel_id, title, web_address(info.thumbnail_url))
    except ChannelAlreadyExists as taken:
        first = channel_by_id(taken.existing_id) if taken.existing_id else None
        name = f"“{first.name}” ({first.url})" if first else "another channel"
        raise RunFailed(f"This is the same YouTube channel as {name}, which is tracked already.") from None


def _is_renamed(channel: Channel, info: ChannelInfo) -> bool:
    title = one_line(info.title, MAX_TITLE_LENGTH) or channel.name
    picture = web_address(info.thumbnail_url) or channel.thumbnail_url
    return (title, picture) != (channel.name, channel.thumbnail_url)


def newest_first(published: Mapping[str, str], limit: int) -> dict[str, str]:
    """Returns the newest up to a limit; videos of the same day are ordered by id."""
    ordered = sorted(published.items(), key=lambda each: (each[1], each[0]), reverse=True)
    return dict(ordered[: max(0, limit)])


def _video(channel_id: str, info: VideoInfo) -> Video:
    day, time = day_and_time(info)
    return Video(
        id=ids.video_id(channel_id, info.youtube_video_id),
        channel_id=channel_id,
        youtube_video_id=info.youtube_video_id,
        title=one_line(info.title, MAX_TITLE_LENGTH) or info.youtube_video_id,
        url=f"https://www.youtube.com/watch?v={info.youtube_video_id}",
        published_at=day,
        published_time=time,
        created_at=now(),
    )


def _newest_day(channel: Channel, listed: Mapping[str, VideoInfo]) -> str | None:
    days = [info.published_at.isoformat() for info in listed.values()]
    return max([*days, *([channel.newest_video_at] if channel.newest_video_at else [])], default=None)


def in_this_run(left: int) -> str:
    return f" in this run. Process the channel again for the other {left}" if left else ""


def count_of(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
