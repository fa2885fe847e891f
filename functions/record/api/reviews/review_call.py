"""PUT /api/channels/{channel_id}/videos/{video_id}/calls/{ticker}: confirms, corrects or rejects how it was read."""

from functions.record.api.review_schemas import ReviewedMention, ReviewRequest, VideoId, mention_with_video
from functions.record.api.schemas import ChannelId, Ticker
from functions.record.reviews import review as reviews
from functions.record.reviews.review import Judgement
from functions.runtime.http.resolver import create_app, create_handler

app = create_app(__name__)


@app.endpoint(present=lambda reviewed: mention_with_video(*reviewed))
def review_call(channel_id: ChannelId, video_id: VideoId, ticker: Ticker, request: ReviewRequest) -> ReviewedMention:
    judgement = Judgement(
        request.review,
        request.sentiment,
        request.note,
        request.seen_version,
        act=request.act,
        speaker=request.speaker,
        sponsored=request.sponsored,
        blind=request.blind,
    )
    return mention_with_video(*reviews.review_call(channel_id, video_id, ticker, judgement, app.caller))


handler = create_handler(app)
