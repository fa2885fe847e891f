"""GET /api/channels/{channel_id}/videos/{video_id}/calls/{ticker}: a mention, the words around it, its review."""

from functions.record.api.review_schemas import CallInContext, Review, VideoId, mention_with_video
from functions.record.api.schemas import ChannelId, Ticker
from functions.record.reviews.review import call_in_context
from functions.runtime.http.resolver import create_app, create_handler

app = create_app(__name__)


@app.endpoint()
def get_call(channel_id: ChannelId, video_id: VideoId, ticker: Ticker) -> CallInContext:
    call = call_in_context(channel_id, video_id, ticker)
    return CallInContext(
        mention=mention_with_video(call.mention, call.video),
        name=call.name,
        before=call.around.before,
        quote=call.mention.context_snippet,
        after=call.around.after,
        review=Review.of(call.review, app.shown) if call.review else None,
    )


handler = create_handler(app)
