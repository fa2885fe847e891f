"""Whom to believe: scores, calls with what became of them, the leaderboard and backtests."""

from typing import Literal

from stock_track_record_client.models import (
    Backtest,
    CallSet,
    CallsPage,
    CallStatus,
    Horizon,
    Leaderboard,
    LeaderboardItem,
    Score,
    ScoredCall,
    Strategy,
)
from stock_track_record_client.pages import Pages
from stock_track_record_client.routes import Routes


class ScoreRoutes(Routes):
    def score(self, channel_id: str, *, calls: CallSet = "all") -> Score:
        """A channel's figures at every horizon. `reason` says why there are none, where there are none."""
        return self._get(Score, "channels", channel_id, "score", calls=calls)

    def leaderboard(self, *, horizon: Horizon = "3m") -> Pages[Leaderboard, LeaderboardItem]:
        """Every channel with its verdict, the best first."""
        return self._list(Leaderboard, LeaderboardItem, "leaderboard", horizon=horizon)

    def calls(
        self,
        channel_id: str,
        *,
        horizon: Horizon = "3m",
        kind: Literal["buy", "sell"] | None = None,
        status: CallStatus | None = None,
        ticker: str | None = None,
    ) -> Pages[CallsPage, ScoredCall]:
        """A channel's buys and sells, newest first, with what became of each at the horizon."""
        return self._list(
            CallsPage,
            ScoredCall,
            "channels",
            channel_id,
            "calls",
            horizon=horizon,
            kind=kind,
            status=status,
            ticker=ticker,
        )

    def calls_csv(
        self,
        channel_id: str,
        *,
        horizon: Horizon = "3m",
        kind: Literal["buy", "sell"] | None = None,
        status: CallStatus | None = None,
        ticker: str | None = None,
    ) -> str:
        """The same as one CSV file; one of more than 6 MB is a 413, and needs an export instead."""
        return self._get_csv("channels", channel_id, "calls", horizon=horizon, kind=kind, status=status, ticker=ticker)

    def backtest(
        self, channel_id: str, *, strategy: Strategy = "follow", horizon: Horizon = "3m", cost_bps: float = 10.0
    ) -> Backtest:
        """The return of following a channel, day by day, next to the benchmark."""
        return self._get(
            Backtest, "channels", channel_id, "backtest", strategy=strategy, horizon=horizon, cost_bps=cost_bps
        )
