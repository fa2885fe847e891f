"""PUT /api/channels/{channel_id}/videos/{video_id}/transcript: hands in a transcript, from which the video is read."""

from functions.api.caller import caller_of
from functions.api.resolver import create_app, create_handler
from functions.api.schemas import ChannelId, ChannelVideo, VideoId
from functions.core.transcripts import MAX_BYTES
from functions.logic.handing_in import hand_in_transcript

app = create_app(__name__)


@app.endpoint(status_code=202)
def put_transcript(channel_id: ChannelId, video_id: VideoId) -> ChannelVideo:
    caller = caller_of(app.current_event.raw_event)
    return ChannelVideo.of(hand_in_transcript(channel_id, video_id, app.file(MAX_BYTES), caller))


handler = create_handler(app)
