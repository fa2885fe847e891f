"""The job that reads an uploaded transcript, and its follow-up work."""

from contextlib import suppress
from dataclasses import replace

from functions.reading.captions import looks_english
from functions.record.channels.changes import quoted_title
from functions.record.errors import VideoChanged
from functions.record.models.records import AnalysisStatus, ChangeKind, Channel, LogLevel, Unread, Video
from functions.record.prices.calls import price_video, prices_changed
from functions.record.runs.attempts import attempt
from functions.record.runs.processing import alert_of, request_stocks
from functions.record.runs.reading import READINGS, Reading, read_video
from functions.record.score_requests import send_score_job
from functions.record.store.channels import channel_by_id
from functions.record.store.kept_transcripts import kept_transcript, remove_transcript
from functions.record.store.uploads import (
    begin_reading,
    commit_reading,
    give_up_unread,
    remove_unread,
    report_unread,
    unread_of_video,
)
from functions.record.store.videos import video_by_id
from functions.runtime.clock import seconds_from_now
from functions.runtime.observability import logger
from functions.runtime.settings import ON_LAMBDA, settings

READING_SECONDS = 900 if ON_LAMBDA else 3600
"""How long a reading may take until it is taken for dead."""
MAX_ATTEMPTS = 9
"""A transcript is sent three times, and its job is tried three times each."""
NOT_ENGLISH = " It does not look like English, the only language that the analyst reads."


def read_handed_in(channel_id: str, video_id: str) -> None:
    """Reads a video from its uploaded transcript. Idempotent, and can be killed anywhere: committed work is not
    repeated, and the next job does the rest."""
    for _ in range(READINGS):
        unread = unread_of_video(channel_id, video_id)
        if unread is None:
            return
        with suppress(VideoChanged):
            return _follow_up(unread) if unread.is_read else _read(unread)
    logger.info("The video keeps changing; the scheduled job will retry it", channel_id=channel_id, video_id=video_id)


def give_up_reading(channel_id: str, video_id: str, reason: str) -> None:
    """Called after an error that retrying would not fix. A video that was read before keeps that reading."""
    unread, video = unread_of_video(channel_id, video_id), video_by_id(channel_id, video_id, consistent=True)
    if unread is None or video is None:
        return
    was_read = video.analysis_status == AnalysisStatus.COMPLETED
    message = f"{quoted_title(video)}: the transcript that was handed in could not be read. {reason}"
    give_up_unread(unread, LogLevel.ERROR, message, problem=None if was_read else reason)


def postpone_reading(channel_id: str, video_id: str, reason: str) -> bool:
    """Called after an error that may pass. Logs the first; returns False once there have been too many."""
    unread, video = unread_of_video(channel_id, video_id), video_by_id(channel_id, video_id, consistent=True)
    if unread is None or video is None or unread.is_read:
        return True
    if unread.attempts == 1:
        still = f"{quoted_title(video)}: the transcript that was handed in is still unread."
        report_unread(unread, f"{still} {reason} It will be tried again.")
    return unread.attempts < MAX_ATTEMPTS


def _read(unread: Unread) -> None:
    video = video_by_id(unread.channel_id, unread.video_id, consistent=True)
    if video is None:
        remove_transcript(unread.channel_id, unread.video_id)
        return
    transcript = kept_transcript(video.channel_id, video.id)
    if transcript is None:
        message = f"{quoted_title(video)}: the transcript that was handed in is gone. Hand it in again."
        give_up_unread(unread, LogLevel.WARNING, message)
        return
    begin_reading(unread, seconds_from_now(READING_SECONDS))
    with attempt(video) as readable:
        reading = read_video(readable, transcript, run_id=None, kept=settings().keep_transcripts)
        channel = _commit(unread, reading, is_english=looks_english(transcript.text))
    if channel is None:
        remove_transcript(video.channel_id, video.id)
        return
    _follow_up_in(channel, unread, reading.video, was_scored=channel.is_scored_at(channel.revision))


def _commit(unread: Unread, reading: Reading, *, is_english: bool) -> Channel | None:
    message = f"{quoted_title(reading.video)}: transcript handed in, {reading.summary}"
    return commit_reading(
        unread,
        reading.before,
        # A reading by a run that began earlier must not overwrite this one.
        replace(reading.video, edits=reading.before.edits + 1),
        LogLevel.INFO if is_english else LogLevel.WARNING,
        message if is_english else message + NOT_ENGLISH,
        gone=reading.gone,
        change=reading.change(
            ChangeKind.HANDED_IN,
            "read from a transcript that was handed in",
            changed_by=unread.handed_in_by,
            changed_by_name=unread.handed_in_by_name,
        ),
        alert=alert_of(reading),
    )


def _follow_up(unread: Unread) -> None:
    """Completes the follow-up work of a worker that died after writing its reading."""
    channel = channel_by_id(unread.channel_id, consistent=True)
    video = video_by_id(unread.channel_id, unread.video_id, consistent=True)
    if channel is None or channel.deleting or video is None:
        remove_transcript(unread.channel_id, unread.video_id)
        return
    _follow_up_in(channel, unread, video, was_scored=True)


def _follow_up_in(channel: Channel, unread: Unread, video: Video, *, was_scored: bool) -> None:
    """Requests the stocks' closes, and a new score if that was up to date; otherwise one is already queued.

    Runs after the commit, because closes of stocks that nobody mentions are not fetched.
    """
    if not settings().keep_transcripts:
        remove_transcript(video.channel_id, video.id)
    if video.calls:
        request_stocks(channel, video, video.tickers)
    if price_video(video):
        prices_changed([channel.id])
    if was_scored:
        send_score_job(channel.id)
    remove_unread(unread)
