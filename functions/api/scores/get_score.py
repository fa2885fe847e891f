"""GET /api/channels/{channel_id}/score: whether a channel's calls have done better than the market, at each horizon."""

from functions.api.resolver import create_app, create_handler
from functions.api.schemas import ChannelId
from functions.api.score_schemas import OverCalls, Score
from functions.logic.scores import scorecard
from functions.logic.scoring.types import CallSet

app = create_app(__name__)


@app.endpoint()
def get_score(channel_id: ChannelId, calls: OverCalls = CallSet.ALL) -> Score:
    return Score.model_validate(scorecard(channel_id, calls))


handler = create_handler(app)
