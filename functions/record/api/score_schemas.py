"""Requests and responses of the routes that score: scorecards, the leaderboard, calls and backtests."""

from dataclasses import dataclass
from typing import Annotated, Literal

from aws_lambda_powertools.event_handler.openapi.params import Query
from pydantic import Field

from functions.record.api.schemas import Channel, NextPage, Schema
from functions.record.scores.calls import ScoredCall
from functions.record.scores.details import DetailedScore
from functions.record.scoring.types import (
    MAX_COST_BPS,
    BacktestPoint,
    BacktestStats,
    Benchmark,
    CallSet,
    CallStatus,
    Checked,
    Horizon,
    ReadingSource,
    RiskFree,
    Strategy,
    Verdict,
)
from functions.runtime.clock import Day, Timestamp

AtHorizon = Annotated[Horizon, Query(description="5, 21, 63, 126 or 252 sessions after the entry")]
OfKind = Annotated[Literal["buy", "sell"] | None, Query(description="Only calls of this kind")]
OfStatus = Annotated[CallStatus | None, Query(description="Only calls of this status at the horizon")]
OverCalls = Annotated[CallSet, Query(description="Over all calls, or over those that a person has checked")]
ByStrategy = Annotated[
    Strategy,
    Query(
        description="`follow` holds what is called a buy, `long_short` sells short what is called a sell as well, "
        "`inverse` does the opposite"
    ),
]
CostBps = Annotated[
    float,
    Query(ge=0, le=MAX_COST_BPS, allow_inf_nan=False, description="Of what is traded, in hundredths of a percent"),
]
Reason = Annotated[str | None, Field(description="Why there are no figures, if there are none")]


class Score(Schema):
    channel_id: str
    as_of: Day | None = Field(description="The newest session of the benchmark")
    computed_at: Timestamp | None
    method: str
    benchmark: Benchmark
    risk_free: RiskFree | None = Field(description="Null while no rate is known: it counts as zero")
    cost_bps: float = Field(description="Cost of each opening and closing, in hundredths of a percent")
    calls: CallSet
    calls_sha256: str = Field(description="Over the calls that it rests on, as docs/scoring.md defines it")
    analysts: list[str] = Field(description="Names and versions of the analysts that read these calls")
    checked: Checked
    horizons: list[DetailedScore]
    reason: Reason


class LeaderboardItem(Schema):
    rank: int | None = Field(description="Null for a channel with too few calls")
    channel: Channel
    calls: int
    pending: int
    mean_excess_percent: float | None
    excess_low_percent: float | None
    excess_high_percent: float | None
    beat_rate: float | None
    base_beat_rate: float | None
    alpha_percent: float | None
    alpha_t: float | None
    expected_alpha_percent: float | None
    p_value: float | None
    timing_alpha_percent: float | None
    timing_p_value: float | None
    joint_p_value: float | None = Field(description="The larger of `p_value` and `timing_p_value`")
    q_value: float | None = Field(description="The joint p-value, corrected for all that is judged with it")
    alpha_q_value: float | None = Field(description="The same correction of `p_value`")
    placebo_p_value: float | None
    days_invested: int
    independent_calls: float | None
    flips_to_turn: int | None
    right_rate: float | None = Field(description="Share of the reported calls that are right")
    right_low: float | None = Field(description="The lower end of its 95 % interval")
    right_source: ReadingSource | None = Field(description="Whose figure that is; null while there is none")
    verdict: Verdict


class Leaderboard(NextPage):
    horizon: Horizon
    as_of: Day | None
    benchmark: Benchmark
    items: list[LeaderboardItem]
    reason: Reason


class CallsPage(NextPage):
    horizon: Horizon
    items: list[ScoredCall]
    reason: Reason


@dataclass(frozen=True, slots=True)
class StockCall(ScoredCall):
    channel: Channel


class StockCallsPage(NextPage):
    ticker: str
    horizon: Horizon
    items: list[StockCall]
    reason: Reason


class Backtest(Schema):
    strategy: Strategy
    horizon: Horizon
    cost_bps: float
    start: Day | None
    end: Day | None
    stats: BacktestStats
    benchmark_stats: BacktestStats
    same_days_stats: BacktestStats
    points: list[BacktestPoint]
    reason: Reason
