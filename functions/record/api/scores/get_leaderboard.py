"""GET /api/leaderboard: all channels that have been scored, the most convincing first."""

from functions.record.api.schemas import DEFAULT_LIMIT, Channel, Limit, NextToken
from functions.record.api.score_schemas import AtHorizon, Leaderboard, LeaderboardItem
from functions.record.scores.calls import fields_of
from functions.record.scores.kept import leaderboard_page
from functions.record.scoring.types import DEFAULT_HORIZON
from functions.runtime.http.page_tokens import page_token, start_key
from functions.runtime.http.resolver import create_app, create_handler

app = create_app(__name__)


@app.endpoint()
def get_leaderboard(
    horizon: AtHorizon = DEFAULT_HORIZON, limit: Limit = None, next_token: NextToken = None
) -> Leaderboard:
    scope = f"leaderboard/{horizon}"
    page = leaderboard_page(horizon, start_key(next_token, scope), limit or DEFAULT_LIMIT)
    items = [
        LeaderboardItem.model_validate({**fields_of(line.entry), "channel": Channel.model_validate(line.channel)})
        for line in page.lines
    ]
    return Leaderboard(
        horizon=horizon,
        as_of=page.as_of,
        benchmark=page.benchmark,
        items=items,
        nextToken=page_token(page.next_key, scope),
        reason=page.reason,
    )


handler = create_handler(app)
