"""The inputs and outputs of scoring: calls, their results, a channel's figures, the leaderboard and the backtest."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from functions.runtime.clock import Day, Timestamp
from functions.runtime.json_schema import JsonSchema

METHOD = "2.0"
"""The version of the definitions: a scorecard of another version is recomputed."""


class Horizon(StrEnum):
    WEEK = "1w"
    MONTH = "1m"
    QUARTER = "3m"
    HALF_YEAR = "6m"
    YEAR = "1y"

    @property
    def sessions(self) -> int:
        return _SESSIONS[self]


_SESSIONS = {Horizon.WEEK: 5, Horizon.MONTH: 21, Horizon.QUARTER: 63, Horizon.HALF_YEAR: 126, Horizon.YEAR: 252}
PRIMARY_HORIZON = Horizon.QUARTER
"""The horizon of a channel's verdict; the others are secondary, and are corrected for being four."""
DEFAULT_HORIZON = PRIMARY_HORIZON
DEFAULT_COST_BPS = 10.0
"""Cost of each opening and each closing of a position, in basis points of its value."""
MAX_COST_BPS = 10_000.0


class CallStatus(StrEnum):
    SCORED = "scored"
    PENDING = "pending"
    UNPRICED = "unpriced"
    ENDED = "ended"


class Verdict(StrEnum):
    BEATS_MARKET = "beats_market"
    LAGS_MARKET = "lags_market"
    LIKE_ITS_STOCKS = "like_its_stocks"
    NOT_PROVEN = "not_proven"
    READ_TOO_POORLY = "read_too_poorly"
    TOO_FEW_CALLS = "too_few_calls"


class UnpricedReason(StrEnum):
    """Why a call has no price at entry, where that is known."""

    DEPARTED = "departed"
    """The share left the exchange before the call could be priced."""


class ReadingSource(StrEnum):
    """The source of the share of calls read correctly."""

    REVIEWS = "reviews"
    ANALYST = "analyst"


class CallSet(StrEnum):
    """Which calls a scorecard rests on."""

    ALL = "all"
    CHECKED = "checked"
    """Calls that a person has confirmed or corrected."""


class Strategy(StrEnum):
    FOLLOW = "follow"
    LONG_SHORT = "long_short"
    INVERSE = "inverse"


@dataclass(frozen=True, slots=True)
class Call:
    """A mention with a side."""

    video_id: str
    ticker: str
    side: int
    """+1 for a buy, -1 for a sell."""
    published_at: Day
    """The day in New York."""
    published_time: Timestamp | None = None


@dataclass(frozen=True, slots=True)
class CallResult:
    """What became of a call at a horizon."""

    status: CallStatus
    entry_date: Day | None = None
    entry_price: Annotated[float | None, JsonSchema(description="The close in today's shares, without dividends")] = (
        None
    )
    exit_date: Day | None = None
    exit_price: float | None = None
    return_percent: Annotated[float | None, JsonSchema(description="Signed by the side, with dividends if known")] = (
        None
    )
    benchmark_percent: Annotated[float | None, JsonSchema(description="Signed by the side")] = None
    excess_percent: float | None = None
    matures_on: Annotated[
        Day | None, JsonSchema(description="For a pending call: the day its horizon ends, estimated from weekdays")
    ] = None
    unpriced_reason: Annotated[
        UnpricedReason | None,
        JsonSchema(description="`departed`: an unpriced call on a share that had left the exchange"),
    ] = None


@dataclass(frozen=True, slots=True)
class KindScore:
    calls: int
    mean_excess_percent: float | None
    beat_rate: float | None


@dataclass(frozen=True, slots=True)
class ByKind:
    buy: KindScore
    sell: KindScore


@dataclass(frozen=True, slots=True)
class WithoutBestTicker:
    ticker: Annotated[str, JsonSchema(description="The stock whose calls add most to the excess")]
    mean_excess_percent: Annotated[float | None, JsonSchema(description="Null where it is the only stock")]


@dataclass(frozen=True, slots=True)
class EntrySensitivity:
    """The mean excess with other entries, in percent."""

    before_publication: Annotated[float | None, JsonSchema(description="At the last close before publication")]
    ours: float | None
    one_session_later: float | None
    five_sessions_later: float | None


@dataclass(frozen=True, slots=True)
class Reading:
    """How well the calls were read, and what that does to the mean excess. Excesses are in percent."""

    right_rate: Annotated[float | None, JsonSchema(description="Share of the reported calls that are right")]
    right_low: Annotated[float | None, JsonSchema(description="95 % interval after Wilson")]
    right_high: float | None
    source: Annotated[
        ReadingSource | None,
        JsonSchema(
            description="`reviews`: the channel's sampled reviews. `analyst`: the published figure of the analyst that "
            "read most of its calls"
        ),
    ]
    found_rate: Annotated[float | None, JsonSchema(description="Share of the calls made that the analyst reports")]
    mean_excess_corrected: Annotated[
        float | None, JsonSchema(description="The mean excess of the calls that were read correctly, estimated")
    ]
    mean_excess_corrected_low: Annotated[float | None, JsonSchema(description="Its 95 % interval")]
    mean_excess_corrected_high: float | None
    tipping_excess: Annotated[
        float | None, JsonSchema(description="If the missed calls did this on average, the mean excess would be zero")
    ]


@dataclass(frozen=True, slots=True)
class HorizonScore:
    """A channel's figures at one horizon."""

    horizon: Horizon
    sessions: int
    calls: Annotated[int, JsonSchema(description="The scored calls, ended ones included")]
    pending: int
    unpriced: int
    ended: int
    departed: Annotated[int, JsonSchema(description="Unpriced calls on shares that had left the exchange")]
    mean_return_percent: float | None
    mean_excess_percent: float | None
    median_excess_percent: float | None
    mean_excess_net_percent: Annotated[float | None, JsonSchema(description="After the cost of opening and closing")]
    excess_low_percent: Annotated[float | None, JsonSchema(description="95 % interval, from daily sums")]
    excess_high_percent: float | None
    independent_calls: Annotated[
        float | None, JsonSchema(description="How many independent calls would have the same error")
    ]
    flips_to_turn: Annotated[
        int | None,
        JsonSchema(
            description="How many of the most influential calls, had they been read as the opposite, leave an interval "
            "of the mean excess that reaches zero; 0 if it does already"
        ),
    ]
    hit_rate: float | None
    beat_rate: float | None
    beat_rate_low: float | None
    beat_rate_high: float | None
    base_hit_rate: float | None
    base_beat_rate: float | None
    base_excess_percent: Annotated[
        float | None, JsonSchema(description="Mean excess of the same stocks and sides on any day of the period")
    ]
    placebo_p_value: float | None
    alpha_percent: float | None
    alpha_t: float | None
    beta: float | None
    p_value: float | None
    days_invested: int
    timing_alpha_percent: Annotated[
        float | None, JsonSchema(description="Alpha over the channel's own stocks, held all the time")
    ]
    timing_t: float | None
    timing_p_value: float | None
    expected_alpha_percent: float | None
    calls_needed: int | None
    run_up_percent: float | None
    follows_news_rate: Annotated[
        float | None,
        JsonSchema(
            description="Share of the calls with news of their stock in the five days before that have at least two "
            "headlines of their direction. Null without such calls"
        ),
    ]
    without_best_ticker: WithoutBestTicker | None
    by_kind: ByKind
    entry_sensitivity: EntrySensitivity
    reading: Reading


@dataclass(frozen=True, slots=True)
class Benchmark:
    ticker: str
    name: str
    with_dividends: bool


@dataclass(frozen=True, slots=True)
class RiskFree:
    """The annual rate, in percent, that is deducted from returns."""

    ticker: str
    name: str


@dataclass(frozen=True, slots=True)
class Checked:
    """How far people have checked what the analyst read as buys and sells."""

    calls: int
    checked: Annotated[int, JsonSchema(description="How many of them a person reviewed")]
    right: Annotated[int, JsonSchema(description="How many of these were confirmed")]
    right_rate: float | None
    right_low: Annotated[float | None, JsonSchema(description="95 % interval after Wilson")]
    right_high: float | None


@dataclass(frozen=True, slots=True)
class Scorecard:
    channel_id: str
    as_of: Annotated[Day | None, JsonSchema(description="The newest session of the benchmark")]
    computed_at: Timestamp | None
    method: str
    benchmark: Benchmark
    risk_free: Annotated[RiskFree | None, JsonSchema(description="Null while no rate is known: it counts as zero")]
    cost_bps: Annotated[float, JsonSchema(description="Cost of each opening and closing, in hundredths of a percent")]
    calls: CallSet
    calls_sha256: str
    analysts: list[str]
    checked: Checked
    horizons: list[HorizonScore]
    reason: Annotated[str | None, JsonSchema(description="Why there are no figures, if there are none")]


@dataclass(frozen=True, slots=True)
class Standing:
    """What the leaderboard needs of a channel's score at its horizon."""

    channel_id: str
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
    placebo_p_value: float | None
    days_invested: int
    independent_calls: float | None
    flips_to_turn: int | None
    timing_alpha_percent: float | None
    timing_p_value: float | None
    right_rate: float | None
    right_low: float | None
    right_source: ReadingSource | None


@dataclass(frozen=True, slots=True)
class LeaderboardEntry(Standing):
    rank: Annotated[int | None, JsonSchema(description="Null for a channel with too few calls")]
    joint_p_value: float | None
    q_value: float | None
    alpha_q_value: float | None
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class BacktestStats:
    cagr_percent: float | None
    volatility_percent: float | None
    sharpe: float | None
    max_drawdown_percent: float | None
    turnover_per_year: float | None
    final_value: float | None


@dataclass(frozen=True, slots=True)
class BacktestPoint:
    date: Day
    value: float
    benchmark: float
    index_on_same_days: Annotated[
        float, JsonSchema(description="The index on the days on which something is held, risk-free on the others")
    ]


@dataclass(frozen=True, slots=True)
class Backtest:
    strategy: Strategy
    horizon: Horizon
    cost_bps: float
    start: Day | None
    end: Day | None
    stats: BacktestStats
    benchmark_stats: BacktestStats
    same_days_stats: BacktestStats
    points: list[BacktestPoint]
