"""GET /api/channels/{channel_id}/videos: every video, newest first, and why it could not be read."""

from functions.record.api.schemas import (
    DEFAULT_LIMIT,
    ChannelId,
    ChannelVideo,
    ChannelVideosPage,
    Limit,
    NextToken,
    VideoStatus,
)
from functions.record.channels.videos import videos_after
from functions.runtime.http.page_tokens import page_token, start_key
from functions.runtime.http.resolver import create_app, create_handler

app = create_app(__name__)


@app.endpoint()
def list_channel_videos(
    channel_id: ChannelId, status: VideoStatus = None, limit: Limit = None, next_token: NextToken = None
) -> ChannelVideosPage:
    scope = f"videos/{channel_id}"
    page = videos_after(channel_id, start_key(next_token, scope), limit or DEFAULT_LIMIT, status)
    items = [ChannelVideo.of(video) for video in page.items]
    return ChannelVideosPage.model_validate({"items": items, "nextToken": page_token(page.next_key, scope)})


handler = create_handler(app)
