"""GET /api/channels/{channel_id}/videos/{video_id}/runs: what became of a video in each run, newest first."""

from functions.record.api.run_schemas import AttemptsPage
from functions.record.api.schemas import DEFAULT_LIMIT, ChannelId, Limit, NextToken, VideoId
from functions.record.runs import history as run_history
from functions.runtime.http.page_tokens import page_token, start_key
from functions.runtime.http.resolver import create_app, create_handler

app = create_app(__name__)


@app.endpoint()
def list_video_runs(
    channel_id: ChannelId, video_id: VideoId, limit: Limit = None, next_token: NextToken = None
) -> AttemptsPage:
    scope = f"runs of video/{channel_id}/{video_id}"
    start = start_key(next_token, scope)
    page = run_history.attempts_of_video(channel_id, video_id, start, limit or DEFAULT_LIMIT)
    return AttemptsPage.model_validate({"items": page.items, "nextToken": page_token(page.next_key, scope)})


handler = create_handler(app)
