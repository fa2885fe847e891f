"""Accepts uploaded transcripts. A job reads them; the scheduled job sends it again if it is lost."""

from functions.reading.captions import read_captions
from functions.record.channels.channels import channel_and
from functions.record.errors import ChannelNotFound, VideoNotFound
from functions.record.models.records import Video
from functions.record.store.kept_transcripts import keep_transcript, remove_transcript
from functions.record.store.uploads import hand_in, require_idle
from functions.record.store.videos import video_by_id
from functions.runtime.caller import OPERATOR, Caller
from functions.runtime.dispatch import ReadTranscript, dispatcher
from functions.runtime.errors import InvalidSetting
from functions.runtime.ids import is_uuid
from functions.runtime.observability import logger


def hand_in_transcript(channel_id: str, video_id: str, content: bytes, by: Caller = OPERATOR) -> Video:
    """Stores a transcript, replacing an earlier one, and requests its video to be read from it.

    The file is written first: once the video is marked unread, its reader must find the file. If nothing follows, a
    later run or reread reads the file; if the channel is being deleted, the file is removed too.
    """
    channel, video = channel_and(
        channel_id,
        lambda: video_by_id(channel_id, video_id, consistent=True) if is_uuid(video_id) else None,
        consistent=True,
    )
    require_idle(channel_id, channel)
    if video is None:
        raise VideoNotFound(video_id)
    transcript = read_captions(content)
    if not keep_transcript(channel_id, video_id, transcript):
        raise InvalidSetting("KEPT_TRANSCRIPTS_FOLDER is not set. It is needed to hand in transcripts.")
    try:
        hand_in(channel_id, video_id, by)
    except (ChannelNotFound, VideoNotFound):
        remove_transcript(channel_id, video_id)
        raise
    _send_soon(channel_id, video_id)
    return video


def _send_soon(channel_id: str, video_id: str) -> None:
    try:
        dispatcher().send(ReadTranscript(channel_id, video_id))
    except Exception:
        # The video is marked unread, so the scheduled job sends it again.
        logger.exception("The job was not sent", channel_id=channel_id, video_id=video_id)
