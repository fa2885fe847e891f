"""GET /api/channels/{channel_id}/score: whether a channel's calls have done better than the market, at each horizon."""

from functions.record.api.schemas import ChannelId
from functions.record.api.score_schemas import OverCalls, Score
from functions.record.scores.kept import scorecard
from functions.record.scoring.types import CallSet
from functions.runtime.http.resolver import create_app, create_handler

app = create_app(__name__)


@app.endpoint()
def get_score(channel_id: ChannelId, calls: OverCalls = CallSet.ALL) -> Score:
    return Score.model_validate(scorecard(channel_id, calls))


handler = create_handler(app)
