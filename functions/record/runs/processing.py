"""The steps of a run: list the videos, process each, price their calls, finish. All steps are idempotent."""

from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import date
from functools import lru_cache

from functions.reading import analysts
from functions.reading.transcripts import Transcript
from functions.record.alerts.calls import calls_alert
from functions.record.channels.changes import quoted_title
from functions.record.errors import RunEnded, RunMustWait, VideoChanged
from functions.record.models.alerts import Alert
from functions.record.models.records import (
    AnalysisStatus,
    ChangeKind,
    Channel,
    ChannelStatus,
    LogLevel,
    TranscriptStatus,
    Video,
)
from functions.record.models.runs import RunStatus
from functions.record.models.series import PriceProblem
from functions.record.prices.calls import price_channel, request_series, send_lost_updates
from functions.record.prices.refresh import store_stocks
from functions.record.runs.attempts import attempt
from functions.record.runs.listing import (
    MAX_VIDEOS_PER_RUN,
    allowed_again,
    count_of,
    in_this_run,
    listed_videos,
    months_before,
    new_videos,
    newest_first,
)
from functions.record.runs.reading import READINGS, Reading, read_video
from functions.record.runs.token_budget import why_reading_waits
from functions.record.score_requests import send_score_job
from functions.record.sources import selection
from functions.record.store import runs
from functions.record.store.channels import channel_by_id
from functions.record.store.kept_transcripts import keep_transcript, kept_transcript, remove_transcript
from functions.record.store.runs import Listing
from functions.record.store.slots import take_slot
from functions.record.store.videos import each_video_of_channel, video_by_id
from functions.runtime.provider_errors import NotFound, Throttled
from functions.runtime.settings import settings
from functions.runtime.text import some_of
from functions.steps import PLACE_WAIT_SECONDS, TOKEN_WAIT_SECONDS

RUNS_CACHED = 64


def list_videos(channel_id: str, run_id: str) -> list[str] | None:
    """Starts the run once it has a slot; returns the ids of the videos to process, newest first. None if the run has
    already ended, because it was a check that found nothing to do."""
    channel = _channel_in_run(channel_id, run_id)
    _require_tokens(channel, run_id)
    _require_slot(channel_id, run_id)
    if channel.rereading:
        return _kept_videos(channel, run_id)
    return new_videos(channel, run_id) if channel.checking else listed_videos(channel, run_id)


def _kept_videos(channel: Channel, run_id: str) -> list[str]:
    """Returns the videos with a stored transcript, those read by another analyst first."""
    analyst = analysts.analyst().name
    runs.begin_run(channel.id, run_id, f"Started: reading the kept transcripts again with {analyst}.")
    total = pending = 0
    to_read: dict[str, str] = {}
    read_by_it: dict[str, str] = {}
    given_up: list[Video] = []
    for video in each_video_of_channel(channel.id):
        total += 1
        pending += video.analysis_status == AnalysisStatus.PENDING
        if video.transcript_kept and video.run_id != run_id:
            if video.is_given_up:
                given_up.append(video)
                continue
            (read_by_it if video.analyst == analyst else to_read)[video.id] = video.published_at
    to_read |= allowed_again(channel, run_id, given_up)
    first = newest_first(to_read, MAX_VIDEOS_PER_RUN)
    chosen = [*first, *newest_first(read_by_it, MAX_VIDEOS_PER_RUN - len(first))]
    left = len(to_read) + len(read_by_it) - len(chosen)
    message = f"{count_of(total, 'video')}, {len(chosen)} of them with a kept transcript to read{in_this_run(left)}."
    listing = Listing(found=total, to_read=len(chosen), analyst=analyst)
    runs.set_video_counts(channel.id, run_id, total, total - pending - len(chosen), message, listing)
    return chosen


def process_video(channel_id: str, run_id: str, video_id: str) -> None:
    """Reads a video and writes its calls in one transaction. Raises RunEnded if the run is over.

    Leaves the video as it is if the tokens of the day are spent: the run then waits and lists it again.
    """
    for _ in range(READINGS):
        video = video_by_id(channel_id, video_id, consistent=True)
        if video is None:
            raise RunEnded(channel_id, run_id)
        if video.run_id == run_id:
            return
        # A heartbeat, which also raises RunEnded before any work is done.
        channel = runs.renew_lease(channel_id, run_id)
        if reason := why_reading_waits():
            runs.postpone_videos(channel_id, run_id, reason)
            return
        with suppress(VideoChanged), attempt(video) as readable:
            return _reread(channel, run_id, readable) if channel.rereading else _read(channel, run_id, readable)
    raise VideoChanged(video_id)


def _read(channel: Channel, run_id: str, video: Video) -> None:
    if video.analysis_status == AnalysisStatus.COMPLETED:
        # It was read after the run listed its videos.
        message = f"{quoted_title(video)}: read already, from a transcript that was handed in."
        runs.commit_video(run_id, replace(video, run_id=run_id), LogLevel.INFO, message)
        return
    try:
        transcript, kept = _transcript(run_id, video)
    except NotFound as problem:
        skipped = _skipped(video, run_id, str(problem))
        runs.commit_video(run_id, skipped, LogLevel.WARNING, f"{quoted_title(video)}: no transcript, skipped.")
        return
    reading = read_video(video, transcript, run_id=run_id, kept=kept)
    message = f"{quoted_title(video)}: {reading.summary}"
    alert = alert_of(reading, run_id)
    try:
        runs.commit_video(
            run_id, reading.video, LogLevel.INFO, message, gone=reading.gone, alert=alert, usage=reading.usage
        )
    except RunEnded:
        _discard_if_deleted(video)
        raise
    # After the commit, because a run that is over must write nothing. price_calls retries it if it fails here.
    _store_new_stocks(channel, run_id, reading.video)


def _reread(channel: Channel, run_id: str, video: Video) -> None:
    """Reads a stored transcript with the current analyst. If that is not possible, the earlier reading stays."""
    transcript = kept_transcript(video.channel_id, video.id)
    if transcript is None:
        message = f"{quoted_title(video)}: its kept transcript is gone, so it stays as it was read."
        unchanged = replace(video, run_id=run_id, transcript_kept=None)
        problem = "Its kept transcript is gone, so it stays as it was read."
        runs.commit_video(run_id, unchanged, LogLevel.WARNING, message, outcome=AnalysisStatus.SKIPPED, problem=problem)
        return
    reading = read_video(video, transcript, run_id=run_id, kept=True)
    runs.commit_video(
        run_id,
        reading.video,
        LogLevel.INFO,
        f"{quoted_title(video)} read again: {reading.summary}",
        gone=reading.gone,
        change=reading.change(ChangeKind.REREAD, f"read again by {reading.video.analyst}"),
        found=reading.counts,
        alert=alert_of(reading, run_id),
        usage=reading.usage,
    )
    _store_new_stocks(channel, run_id, reading.video)


def alert_of(reading: Reading, run_id: str | None = None) -> Alert | None:
    """Returns the alert for a reading's new calls, if it has any."""
    if not (new_calls := reading.new_calls):
        return None
    return calls_alert(reading.video, new_calls, selection.last_price_day(), run_id)


def _store_new_stocks(channel: Channel, run_id: str, video: Video) -> None:
    """Requests the closes of the stocks that this process has not yet seen in the run."""
    stored = _stored_in(run_id)
    if new := set(video.tickers) - stored:
        request_stocks(channel, video, new)
        stored.update(new)


def request_stocks(channel: Channel, video: Video, tickers: Iterable[str]) -> None:
    """Requests the closes of a video's stocks if they are not stored, and stores the stocks' names."""
    wanted = sorted(set(tickers))
    since = months_before(selection.last_price_day(), channel.time_range_months)
    request_series([*wanted, *selection.tickers_in_every_score()], min(since, date.fromisoformat(video.published_at)))
    store_stocks(wanted)


def price_calls(channel_id: str, run_id: str, *, is_last_check: bool) -> bool:
    """Prices the channel's calls from the stored series. Returns True if the run must wait for series being fetched.

    Otherwise logs which prices are missing and why; they are filled in when their series arrives.
    """
    runs.renew_lease(channel_id, run_id)
    prices = price_channel(channel_id)
    if prices.fetching and not is_last_check:
        send_lost_updates(prices.fetching)
        return True
    if prices.unpriced:
        runs.report_unpriced(channel_id, run_id, _missing_prices(prices.unpriced))
    return False


def finish_run(channel_id: str, run_id: str) -> bool:
    """Sets the final status and logs the totals. Returns True if the run must go on instead, with videos that it left
    for another day."""
    channel = runs.renew_lease(channel_id, run_id)
    if channel.postponed_run == run_id:
        return True
    outcomes: Counter[AnalysisStatus] = Counter()
    mentions: Counter[str] = Counter()
    for video in each_video_of_channel(channel_id):
        outcomes[video.analysis_status] += 1
        mentions.update(call.ticker for call in video.calls if call.counts)
    store_stocks(mentions)
    analysed, failed = outcomes[AnalysisStatus.COMPLETED], outcomes[AnalysisStatus.FAILED]
    totals = (
        f"{count_of(outcomes.total(), 'video')}: {analysed} analysed, "
        f"{outcomes[AnalysisStatus.SKIPPED]} without transcript, {failed} failed. "
        f"{count_of(mentions.total(), 'mention')} of {count_of(len(mentions), 'stock')}.{_changed_calls(channel)}"
    )
    pending = outcomes[AnalysisStatus.PENDING]
    if failed and failed == outcomes.total():
        error = "The only video could not be read." if failed == 1 else f"None of the {failed} videos could be read."
        runs.finish_run(channel_id, run_id, ChannelStatus.FAILED, LogLevel.ERROR, f"Failed. {totals}", error=error)
    elif pending:
        # Only a reread leaves pending videos: those of an earlier, cancelled run.
        left = f"{totals} {count_of(pending, 'video')} never read: process the channel to read them."
        runs.finish_run(
            channel_id,
            run_id,
            ChannelStatus.CANCELLED,
            LogLevel.WARNING,
            f"Finished. {left}",
            run_status=RunStatus.COMPLETED,
        )
    else:
        runs.finish_run(channel_id, run_id, ChannelStatus.COMPLETED, LogLevel.INFO, f"Finished. {totals}")
    # The end of the run has marked the channel.
    send_score_job(channel_id)
    return False


def _changed_calls(channel: Channel) -> str:
    if not channel.rereading:
        return ""
    return (
        f" Calls: {channel.calls_new} new, {channel.calls_gone} gone, {channel.calls_turned} turned to the other side."
    )


def _channel_in_run(channel_id: str, run_id: str) -> Channel:
    channel = channel_by_id(channel_id, consistent=True)
    if channel is None or channel.run_id != run_id or not channel.is_under_way:
        raise RunEnded(channel_id, run_id)
    return channel


def _require_slot(channel_id: str, run_id: str) -> None:
    """Raises RunMustWait if the run has no slot and all are taken: an earlier version started it."""
    slots = settings().runs_at_once
    if not take_slot(channel_id, run_id, slots):
        others = "1 other channel is" if slots == 1 else f"{slots} other channels are"
        runs.wait_for_slot(channel_id, run_id, f"Waiting: {others} being processed.")
        raise RunMustWait(f"{slots} other runs are under way", PLACE_WAIT_SECONDS)


def _require_tokens(channel: Channel, run_id: str) -> None:
    """Raises RunMustWait while the tokens of the day are spent; renews the lease and logs when reading goes on."""
    if reason := why_reading_waits():
        runs.postpone_videos(channel.id, run_id, reason)
        raise RunMustWait(reason, TOKEN_WAIT_SECONDS)
    if channel.postponed_run == run_id:
        runs.resume_videos(channel.id, run_id)


@lru_cache(maxsize=RUNS_CACHED)
def _stored_in(run_id: str) -> set[str]:
    """The stocks that this process has stored for a run, since most of its videos mention the same few."""
    return set()


def _transcript(run_id: str, video: Video) -> tuple[Transcript, bool]:
    """Returns the stored transcript, or fetches and stores it; and whether it is stored."""
    kept = kept_transcript(video.channel_id, video.id)
    if kept is not None:
        return kept, True
    try:
        transcript = selection.transcripts().read(video.youtube_video_id)
    except Throttled as refusal:
        if refusal.retry_after:
            message = f"YouTube withholds captions: the next ones are requested in {refusal.retry_after:.0f} seconds."
            runs.write_line(video.channel_id, run_id, LogLevel.WARNING, message)
        raise
    return transcript, settings().keep_transcripts and keep_transcript(video.channel_id, video.id, transcript)


def _discard_if_deleted(video: Video) -> None:
    """Removes a transcript stored while its channel was being deleted, which nothing else would remove."""
    channel = channel_by_id(video.channel_id, consistent=True)
    if channel is None or channel.deleting:
        remove_transcript(video.channel_id, video.id)


def _skipped(video: Video, run_id: str, reason: str) -> Video:
    return replace(
        video,
        run_id=run_id,
        transcript_status=TranscriptStatus.UNAVAILABLE,
        analysis_status=AnalysisStatus.SKIPPED,
        problem=reason,
        calls=(),
    )


def _missing_prices(unpriced: Mapping[PriceProblem, Mapping[str, int]]) -> str:
    """Lists why prices are missing, the most frequent reason first."""
    by_count = sorted(unpriced.items(), key=lambda each: -sum(each[1].values()))
    reasons = [f"{problem.sentence.rstrip('.')} ({some_of(sorted(tickers))})" for problem, tickers in by_count]
    total = sum(sum(tickers.values()) for tickers in unpriced.values())
    return f"{count_of(total, 'price')} missing: {'; '.join(reasons)}. They are filled in once they can be had."
