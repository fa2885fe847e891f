"""GET /api/channels/{channel_id}/backtest: what following a channel would have brought, beside the S&P 500."""

from functions.record.api.schemas import ChannelId
from functions.record.api.score_schemas import AtHorizon, Backtest, ByStrategy, CostBps
from functions.record.scores.backtests import backtest_of_channel
from functions.record.scores.calls import fields_of
from functions.record.scoring.types import DEFAULT_COST_BPS, DEFAULT_HORIZON, Strategy
from functions.runtime.http.resolver import create_app, create_handler

app = create_app(__name__)


@app.endpoint()
def get_backtest(
    channel_id: ChannelId,
    strategy: ByStrategy = Strategy.FOLLOW,
    horizon: AtHorizon = DEFAULT_HORIZON,
    cost_bps: CostBps = DEFAULT_COST_BPS,
) -> Backtest:
    backtest, reason = backtest_of_channel(channel_id, strategy, horizon, cost_bps)
    return Backtest(**fields_of(backtest), reason=reason)


handler = create_handler(app)
