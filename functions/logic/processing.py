"""The steps of a run: list the videos, read and price each, finish. Each step may be repeated; none writes twice."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta

from functions.core import ids
from functions.core.clock import now
from functions.core.concurrency import for_each
from functions.core.errors import ChannelAlreadyExists, RunEnded, StockTrackRecordError
from functions.core.models import (
    AnalysisStatus,
    Channel,
    ChannelStatus,
    LogLevel,
    Sentiment,
    StockMention,
    TranscriptStatus,
    Video,
)
from functions.logic.prices import learn_stocks, price_on
from functions.providers import selection
from functions.providers.protocols import Call, NotFound, VideoInfo
from functions.store import runs
from functions.store.channels import channel_by_id
from functions.store.mentions import mentions_of_channel
from functions.store.videos import video_by_id, videos_of_channel


class RunFailed(StockTrackRecordError):
    """The run cannot go on, and trying again would not help. The message is for the channel's log."""


def list_videos(channel_id: str, run_id: str) -> list[str]:
    """Begins the run; the ids of the videos it has to process, newest first."""
    channel = _channel_in_run(channel_id, run_id)
    months = channel.time_range_months
    runs.begin_run(channel_id, run_id, f"Started: looking for videos of the last {months} months.")
    selection.check()
    youtube_channel_id = _identify(channel, run_id)
    since = months_before(selection.prices().today(), months)
    known = {video.id: video for video in videos_of_channel(channel_id, consistent=True)}
    listed = [_video(channel_id, info) for info in selection.videos().published_since(youtube_channel_id, since)]
    new = [video for video in {video.id: video for video in listed}.values() if video.id not in known]
    runs.add_videos(channel_id, run_id, new)
    videos = sorted([*known.values(), *new], key=lambda video: (video.published_at, video.id), reverse=True)
    unfinished = [video.id for video in videos if video.analysis_status != AnalysisStatus.COMPLETED]
    message = f"Found {_count(len(videos), 'video')} since {since}, {len(unfinished)} of them to process."
    runs.set_video_counts(channel_id, run_id, len(videos), len(videos) - len(unfinished), message)
    return unfinished


def process_video(channel_id: str, run_id: str, video_id: str) -> None:
    """Transcript, calls, prices, and all of it written at once. RunEnded when the run is over."""
    video = video_by_id(channel_id, video_id, consistent=True)
    if video is None:
        raise RunEnded(channel_id, run_id)
    if video.run_id == run_id:
        return
    try:
        transcript = selection.transcripts().read(video.youtube_video_id)
    except NotFound:
        skipped = _outcome(video, run_id, TranscriptStatus.UNAVAILABLE, AnalysisStatus.SKIPPED)
        runs.commit_video(run_id, skipped, [], LogLevel.WARNING, f"{_quoted(video)}: no transcript, skipped.")
        return
    calls = _surest(selection.analyst().calls(transcript))
    learn_stocks([call.ticker for call in calls])
    mentions = for_each(lambda call: _mention(video, call), calls)
    tickers = tuple(call.ticker for call in calls)
    analysed = _outcome(video, run_id, TranscriptStatus.FETCHED, AnalysisStatus.COMPLETED, tickers)
    runs.commit_video(run_id, analysed, mentions, LogLevel.INFO, f"{_quoted(video)}: {_summary(mentions)}")


def record_failed_video(channel_id: str, run_id: str, video_id: str, reason: str) -> None:
    """Marks a video failed for this run; another run takes it up again."""
    video = video_by_id(channel_id, video_id, consistent=True)
    if video is None:
        raise RunEnded(channel_id, run_id)
    failed = _outcome(video, run_id, TranscriptStatus.FAILED, AnalysisStatus.FAILED)
    runs.commit_video(run_id, failed, [], LogLevel.ERROR, f"{_quoted(video)}: failed. {reason}")


def finish_run(channel_id: str, run_id: str) -> None:
    """The newest prices of the channel's stocks, and the final status."""
    runs.renew_lease(channel_id, run_id)
    mentions = mentions_of_channel(channel_id, with_context=False)
    learn_stocks({mention.ticker for mention in mentions})
    outcomes = Counter(video.analysis_status for video in videos_of_channel(channel_id, consistent=True))
    analysed, failed = outcomes[AnalysisStatus.COMPLETED], outcomes[AnalysisStatus.FAILED]
    totals = (
        f"{_count(outcomes.total(), 'video')}: {analysed} analysed, "
        f"{outcomes[AnalysisStatus.SKIPPED]} without transcript, {failed} failed. "
        f"{_count(len(mentions), 'mention')} of {_count(len({each.ticker for each in mentions}), 'stock')}."
    )
    if failed and failed == outcomes.total():
        runs.finish_run(channel_id, run_id, ChannelStatus.FAILED, LogLevel.ERROR, f"Failed. {totals}")
    else:
        runs.finish_run(channel_id, run_id, ChannelStatus.COMPLETED, LogLevel.INFO, f"Finished. {totals}")


def fail_run(channel_id: str, run_id: str, reason: str) -> None:
    runs.finish_run(channel_id, run_id, ChannelStatus.FAILED, LogLevel.ERROR, f"Failed. {reason}")


def reason_for_people(problem: BaseException) -> str:
    """What a log line may say of a failure: our own sentences as they are, of anything else only its kind."""
    if isinstance(problem, StockTrackRecordError):
        return str(problem)
    return f"An unexpected problem ({type(problem).__name__}); the operator's log has the details."


def months_before(day: date, months: int) -> date:
    """The same day of an earlier month, or that month's last day where it has no such day."""
    years, month = divmod(day.year * 12 + day.month - 1 - months, 12)
    first_of_next = date(years + (month + 1) // 12, (month + 1) % 12 + 1, 1)
    return date(years, month + 1, min(day.day, (first_of_next - timedelta(days=1)).day))


def _channel_in_run(channel_id: str, run_id: str) -> Channel:
    channel = channel_by_id(channel_id, consistent=True)
    if channel is None or channel.run_id != run_id:
        raise RunEnded(channel_id, run_id)
    return channel


def _identify(channel: Channel, run_id: str) -> str:
    """YouTube's own id of the channel, which from now on is this channel's alone."""
    known = channel.youtube_channel_id
    info = selection.videos().resolve(known if ":" in known else f"channel_id:{known}")
    try:
        runs.identify_channel(channel.id, run_id, info.youtube_channel_id, info.title, info.thumbnail_url)
    except ChannelAlreadyExists as taken:
        first = channel_by_id(taken.existing_id) if taken.existing_id else None
        name = f"“{first.name}” ({first.url})" if first else f"channel {taken.existing_id}"
        raise RunFailed(f"This is the same YouTube channel as {name}, which is tracked already.") from None
    return info.youtube_channel_id


def _video(channel_id: str, info: VideoInfo) -> Video:
    return Video(
        id=ids.video_id(channel_id, info.youtube_video_id),
        channel_id=channel_id,
        youtube_video_id=info.youtube_video_id,
        title=info.title,
        url=f"https://www.youtube.com/watch?v={info.youtube_video_id}",
        published_at=info.published_at.isoformat(),
        created_at=now(),
    )


def _mention(video: Video, call: Call) -> StockMention:
    return StockMention(
        id=ids.mention_id(video.id, call.ticker),
        video_id=video.id,
        channel_id=video.channel_id,
        ticker=call.ticker,
        sentiment=call.sentiment,
        published_at=video.published_at,
        created_at=now(),
        price_at_mention=price_on(call.ticker, date.fromisoformat(video.published_at)),
        confidence_score=call.confidence,
        context_snippet=call.context,
    )


def _outcome(
    video: Video,
    run_id: str,
    transcript_status: TranscriptStatus,
    analysis_status: AnalysisStatus,
    tickers: tuple[str, ...] = (),
) -> Video:
    return replace(
        video,
        run_id=run_id,
        transcript_status=transcript_status,
        analysis_status=analysis_status,
        tickers=tickers,
    )


def _surest(calls: Sequence[Call]) -> list[Call]:
    """As many as one transaction can hold; no speaker gets near it, a hostile transcript may."""
    by_confidence = sorted(calls, key=lambda call: (call.sentiment == Sentiment.MENTIONED, -call.confidence))
    kept = set(by_confidence[: runs.MOST_MENTIONS_OF_A_VIDEO])
    return [call for call in calls if call in kept]


def _summary(mentions: Sequence[StockMention]) -> str:
    if not mentions:
        return "no stocks mentioned."
    said = ", ".join(f"{mention.ticker} {mention.sentiment}" for mention in mentions)
    unpriced = sum(mention.price_at_mention is None for mention in mentions)
    return f"{said}." + (f" {_count(unpriced, 'price')} not found." if unpriced else "")


def _quoted(video: Video) -> str:
    return f"“{video.title}”"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
