"""PUT /api/channels/{channel_id}/videos/{video_id}/transcript: hands in a transcript, from which the video is read."""

from functions.reading.transcripts import MAX_BYTES
from functions.record.api.schemas import ChannelId, ChannelVideo, VideoId
from functions.record.uploads.accept import hand_in_transcript
from functions.runtime.http.resolver import create_app, create_handler

app = create_app(__name__)


@app.endpoint(status_code=202)
def put_transcript(channel_id: ChannelId, video_id: VideoId) -> ChannelVideo:
    return ChannelVideo.of(hand_in_transcript(channel_id, video_id, app.file(MAX_BYTES), app.caller))


handler = create_handler(app)
