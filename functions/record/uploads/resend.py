"""Finds transcripts that were handed in and whose job was lost."""

from functions.record.store.uploads import due_unread
from functions.runtime.clock import seconds_from_now
from functions.runtime.dispatch import ReadTranscript, dispatcher

LOST_AFTER_SECONDS = 120
SENT_AT_ONCE = 100
"""Jobs that one look of the clock sends again; the next look sends those of what is still unread then."""


def request_lost_readings(after_seconds: float = LOST_AFTER_SECONDS) -> list[str]:
    """Sends a job for transcripts that were handed in a while ago and are unread; returns the ids of their videos.

    Called by the clock. A transcript whose reading fails because a service is down is tried again this way, too.
    """
    lost = due_unread(seconds_from_now(-after_seconds), SENT_AT_ONCE)
    for unread in lost:
        dispatcher().send(ReadTranscript(unread.channel_id, unread.video_id))
    return [unread.video_id for unread in lost]
