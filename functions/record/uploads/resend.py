"""Finds uploaded transcripts whose job was lost."""

from functions.record.store.uploads import due_unread
from functions.runtime.clock import seconds_from_now
from functions.runtime.dispatch import ReadTranscript, dispatcher

LOST_AFTER_SECONDS = 120
SENT_AT_ONCE = 100
"""Maximum jobs sent again per scheduled run; the next run sends those still unread then."""


def request_lost_readings(before: str | None = None) -> list[str]:
    """Sends a job for transcripts that were uploaded a while ago and nobody reads; returns the ids of their videos.

    Called on a schedule. Also retries transcripts whose reading failed because a service was down.
    """
    lost = due_unread(before or seconds_from_now(-LOST_AFTER_SECONDS), SENT_AT_ONCE)
    for unread in lost:
        dispatcher().send(ReadTranscript(unread.channel_id, unread.video_id))
    return [unread.video_id for unread in lost]
