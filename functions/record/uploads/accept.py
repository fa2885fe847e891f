"""Takes transcripts that people hand in. A job reads them; the clock sends it again should it be lost."""

from functions.reading.captions import read_captions
from functions.record.channels.channels import channel_and
from functions.record.errors import ChannelNotFound, VideoNotFound
from functions.record.models.records import Video
from functions.record.store.kept_transcripts import keep_transcript, remove_transcript
from functions.record.store.uploads import hand_in, require_idle
from functions.record.store.videos import video_by_id
from functions.runtime.dispatch import ReadTranscript, dispatcher
from functions.runtime.errors import InvalidSetting
from functions.runtime.ids import is_uuid
from functions.runtime.observability import logger


def hand_in_transcript(channel_id: str, video_id: str, content: bytes, caller: str | None = None) -> Video:
    """Keeps a transcript in place of any that is kept, and has its video read from it.

    The file comes first: once the note is written, whoever reads the video has to find it. If nothing follows, a later
    run or re-reading reads the file; if the channel is being deleted, the file goes too.
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
        hand_in(channel_id, video_id, caller)
    except (ChannelNotFound, VideoNotFound):
        remove_transcript(channel_id, video_id)
        raise
    _send_soon(channel_id, video_id)
    return video


def _send_soon(channel_id: str, video_id: str) -> None:
    try:
        dispatcher().send(ReadTranscript(channel_id, video_id))
    except Exception:
        # It is noted that the video is to be read, so the clock sends the job.
        logger.exception("The job was not sent", channel_id=channel_id, video_id=video_id)
