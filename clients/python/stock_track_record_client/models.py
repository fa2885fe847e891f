"""The objects of the API. Written from its document by `make types`; change the API's schemas instead."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

Act = Literal[
    "bought",
    "sold",
    "plans_to_buy",
    "plans_to_sell",
    "recommends",
    "advises_against",
    "keeps",
    "owns",
    "would_buy",
    "would_sell",
    "praises",
    "criticises",
    "reports",
]
"""Something a speaker says or does. Listed in order of precedence: of two acts, the first is the statement's."""
AlertKind = Literal["calls", "verdict", "matured"]
AnalysisStatus = Literal["pending", "completed", "skipped", "failed"]
AuditAction = Literal[
    "channel_added",
    "channel_changed",
    "channel_deleted",
    "run_started",
    "run_cancelled",
    "transcript_uploaded",
    "call_reviewed",
    "review_withdrawn",
    "plan_created",
    "plan_cancelled",
    "import_started",
    "news_added",
]
CallSet = Literal["all", "checked"]
"""Which calls a scorecard rests on."""
CallStatus = Literal["scored", "pending", "unpriced", "ended"]
ChangeKind = Literal["reviewed", "reread", "handed_in", "restated", "redated", "removed"]
"""Why a record changed after it was first written."""
ChannelStatus = Literal["pending", "processing", "completed", "failed", "cancelled"]
CheckEvery = Literal["off", "daily", "weekly"]
"""How often the scheduled job checks a channel for new videos."""
Digest = Literal["none", "daily"]
ExportStatus = Literal["PENDING", "PROCESSING", "COMPLETED", "FAILED"]
Horizon = Literal["1w", "1m", "3m", "6m", "1y"]
ImportStatus = Literal["PENDING", "PROCESSING", "COMPLETED", "FAILED"]
LogLevel = Literal["info", "warning", "error"]
NewsSentiment = Literal["positive", "neutral", "negative"]
NewsStatus = Literal["pending", "analyzed"]
PlanStatus = Literal["running", "completed", "failed", "cancelled"]
PriceProblem = Literal[
    "blocked",
    "unknown_ticker",
    "not_at_source",
    "departed",
    "delisted",
    "quota_used_up",
    "unavailable",
    "no_trading",
    "nonsense",
    "awaiting_close",
    "not_fetched",
]
"""Why there is no price."""
ReadingSource = Literal["reviews", "analyst"]
"""The source of the share of calls read correctly."""
Reason = Literal[
    "bought",
    "sold",
    "plans_to_buy",
    "plans_to_sell",
    "recommends",
    "advises_against",
    "keeps",
    "owns",
    "sponsored",
    "somebody_else",
    "on_condition",
    "opinion",
    "news",
    "unclear",
]
"""Why a statement is the call it is, or why it isn't one."""
ReviewOrder = Literal["doubt", "influence", "sample"]
"""The order of the queue: least certain first, or the calls drawn at random."""
ReviewOutcome = Literal["confirmed", "corrected", "rejected"]
"""A person's verdict on how a mention was read."""
ReviewReason = Literal["possible", "doubtful", "influential", "sampled"]
"""Why a mention is in the queue."""
Role = Literal["reader", "editor", "admin"]
"""In ascending order: each may do what those before it may."""
RunKind = Literal["process", "check", "reread"]
RunStatus = Literal["pending", "processing", "completed", "failed", "cancelled", "interrupted"]
Sentiment = Literal["buy", "hold", "sell", "mentioned"]
SourceType = Literal["rss", "newsapi", "edgar", "manual", "demo"]
Speaker = Literal["host", "guest", "other"]
"""Whose statement it is, in order of precedence."""
StartedBy = Literal["person", "clock", "plan"]
Strategy = Literal["follow", "long_short", "inverse"]
TaskKind = Literal[
    "add_channel", "process", "reread", "refresh_prices", "backfill_prices", "score", "export", "ingest_news"
]
TaskStatus = Literal["pending", "running", "completed", "failed", "skipped", "cancelled"]
TranscriptStatus = Literal["pending", "fetched", "unavailable", "failed"]
UnpricedReason = Literal["departed"]
"""Why a call has no price at entry, where that is known."""
Verdict = Literal["beats_market", "lags_market", "like_its_stocks", "not_proven", "read_too_poorly", "too_few_calls"]
WantedChannels = Literal["all", "watched"]
WantedKind = Literal["calls", "reversals", "verdict", "matured"]
"""The kinds of event a person can subscribe to."""


class Alert(TypedDict):
    id: str
    """Repeated deliveries of an alert have the same id."""
    kind: AlertKind
    channel_id: str
    channel_name: str
    occurred_at: str
    """When it happened: for calls, the publication of their video."""
    created_at: str
    video_id: str | None
    video_title: str | None
    details: list[CallTold] | list[VerdictTold] | list[MaturedTold]
    """One per call, or a single one for a verdict."""


class AlertSettings(TypedDict):
    webhook_url: str | None
    """An https address on the public internet; null for no webhook."""
    email: str | None
    """null for no e-mail."""
    kinds: list[WantedKind]
    channels: WantedChannels
    """`watched`: watched channels, and watched stocks in any channel."""
    digest: Digest
    """`daily`: one message a day with all alerts, at noon in UTC."""
    signing_key: str | None
    """The key that signs the webhook's messages."""
    email_available: bool
    """True if this deployment sends e-mail."""
    email_confirmed: bool | None
    """True once the address is confirmed; null without one."""
    last_delivered_at: str | None
    last_problem: str | None
    """Why the last message could not be delivered."""
    failing: int
    """Number of deliveries being retried."""
    version: int


class AlertSettingsRequest(TypedDict):
    webhook_url: str | None
    """An https address on the public internet; null for no webhook."""
    email: str | None
    """null for no e-mail."""
    kinds: list[WantedKind]
    channels: WantedChannels
    """`watched`: watched channels, and watched stocks in any channel."""
    digest: Digest
    """`daily`: one message a day with all alerts, at noon in UTC."""
    rotate_key: NotRequired[bool]
    """Replace the webhook's signing key."""
    version: int
    """The version that was read, 0 if there is none yet."""


class AlertsPage(TypedDict):
    nextToken: str | None
    items: list[Alert]


class Attempt(TypedDict):
    run_id: str
    outcome: AnalysisStatus
    """`completed`, `skipped` or `failed`."""
    ended_at: str
    analyst: str | None
    mentions: int
    calls: int
    problem: str | None
    """Why it could not be read."""


class AttemptsPage(TypedDict):
    nextToken: str | None
    items: list[Attempt]


class AuditEntry(TypedDict):
    id: str
    created_at: str
    action: AuditAction
    subject: str
    """The person's `user_id`."""
    name: str | None
    """Their display name at that time."""
    target: str
    """The path of what was changed."""
    detail: str | None
    """Names what was changed, in words that outlive it."""


class AuditPage(TypedDict):
    nextToken: str | None
    items: list[AuditEntry]


class Backfill(TypedDict):
    status: Literal["complete", "started"]
    missing: int


class Backtest(TypedDict):
    strategy: Strategy
    horizon: Horizon
    cost_bps: float
    start: str | None
    end: str | None
    stats: BacktestStats
    benchmark_stats: BacktestStats
    same_days_stats: BacktestStats
    points: list[BacktestPoint]
    reason: str | None
    """Why there are no figures, if there are none."""


class BacktestPoint(TypedDict):
    date: str
    value: float
    benchmark: float
    index_on_same_days: float
    """The index on the days on which something is held, risk-free on the others."""


class BacktestStats(TypedDict):
    cagr_percent: float | None
    volatility_percent: float | None
    sharpe: float | None
    max_drawdown_percent: float | None
    turnover_per_year: float | None
    final_value: float | None


class Bar(TypedDict):
    """How many calls have an excess return between two bounds."""

    from_percent: int
    """The first bar also holds what lies below it."""
    to_percent: int
    """The last bar also holds what lies above it."""
    calls: int


class Benchmark(TypedDict):
    ticker: str
    name: str
    with_dividends: bool


class ByKind(TypedDict):
    buy: KindScore
    sell: KindScore


class CallInContext(TypedDict):
    mention: ReviewedMention
    name: str | None
    """The company's name."""
    before: str | None
    """Three sentences before the quote; null if no transcript is stored."""
    quote: str | None
    after: str | None
    review: Review | None


class CallTold(TypedDict):
    ticker: str
    sentiment: Sentiment
    before: Sentiment | None
    """The channel's previous call on the stock, if known."""
    is_reversal: bool
    """True if the previous call was the opposite."""
    quote: str | None
    quote_url: str
    """The video, starting at the quote if its time is known."""


class CallsPage(TypedDict):
    nextToken: str | None
    horizon: Horizon
    items: list[ScoredCall]
    reason: str | None
    """Why there are no figures, if there are none."""


class Change(TypedDict):
    id: str
    kind: ChangeKind
    message: str
    created_at: str
    changed_by: str | None
    """The person who made the change: a display name, or null, for callers who are not signed in."""
    video_id: str | None
    ticker: str | None


class ChangesPage(TypedDict):
    nextToken: str | None
    items: list[Change]


class Channel(TypedDict):
    id: str
    youtube_channel_id: str
    name: str
    url: str
    thumbnail_url: str | None
    status: ChannelStatus
    video_count: int
    processed_video_count: int
    time_range_months: int
    check_every: CheckEvery
    """How often it is checked for new videos."""
    next_check_at: str | None
    """null if it is not checked."""
    failed_runs: int
    """Failed runs since the last success."""
    is_slowed: bool
    """True if it is checked less often because its runs keep failing."""
    created_at: str
    updated_at: str


class ChannelSettings(TypedDict):
    check_every: NotRequired[CheckEvery]
    """How often it is checked for new videos."""
    time_range_months: NotRequired[int]
    """Time range of its videos in months; applies from the next run on."""


class ChannelStock(TypedDict):
    """A channel's mentions of one stock, and its price since the first."""

    ticker: str
    name: str | None
    first_mention_date: str
    first_mention_video_id: str
    first_mention_video_title: str
    price_at_first_mention: float | None
    current_price: float | None
    price_change_percent: float | None
    buy_count: int
    hold_count: int
    sell_count: int
    mentioned_count: int
    total_mentions: int
    yahoo_finance_url: str
    price_as_of: str | None
    """The day on which it traded at the current price."""
    price_problem: PriceProblem | None
    """Why the first mention has no price, or why there is no newer current price."""


class ChannelStocks(TypedDict):
    channel_id: str
    stocks: list[ChannelStock]
    coverage: Coverage
    summary: Summary


class ChannelVideo(TypedDict):
    id: str
    channel_id: str
    youtube_video_id: str
    title: str
    url: str
    published_at: str
    """The date of publication, in New York."""
    published_time: str | None
    """The time of publication; null if only the date is known."""
    transcript_status: TranscriptStatus
    analysis_status: AnalysisStatus
    removed_at: str | None
    """When it was first found gone from YouTube; it stays in the record."""
    created_at: str
    problem: str | None
    """Why it could not be read."""
    transcript_kept: bool
    """True if its transcript is stored and can be reread."""
    analyst: str | None
    """The name and version of the analyst that read it."""
    tokens_in: int | None
    """Tokens that its latest reading sent to a model; null if none read it."""
    tokens_out: int | None
    """Tokens that the model returned."""
    mentions: int
    """How many stocks it mentions."""
    calls: int
    """How many of them it calls a buy or a sell."""


class ChannelVideosPage(TypedDict):
    nextToken: str | None
    items: list[ChannelVideo]


class Channels(TypedDict):
    items: list[Channel]
    total: int
    page: int
    per_page: int


class ChannelsPage(TypedDict):
    nextToken: str | None
    items: list[Channel]


class Checked(TypedDict):
    """How far people have checked what the analyst read as buys and sells."""

    calls: int
    checked: int
    """How many of them a person reviewed."""
    right: int
    """How many of these were confirmed."""
    right_rate: float | None
    right_low: float | None
    """95 % interval after Wilson."""
    right_high: float | None


class Close(TypedDict):
    date: str
    close: float


class CostEstimate(TypedDict):
    videos: int
    words: int
    """Words of their transcripts."""
    tokens_in: int
    tokens_out: int
    dollars: float | None
    """Null if the price of the model isn't known."""


class Coverage(TypedDict):
    videos: int
    """The channel's videos in its time range."""
    read: int
    without_transcript: int
    failed: int
    with_mentions: int
    """Videos that mention a stock."""
    unpriced: int
    """Buy and sell calls without a price on their day or a current one."""


class DayOfNews(TypedDict):
    date: str
    """In New York."""
    positive: int
    neutral: int
    negative: int
    pending: int
    """Not analysed yet."""


class DetailedScore(TypedDict):
    horizon: Horizon
    sessions: int
    calls: int
    """The scored calls, ended ones included."""
    pending: int
    unpriced: int
    ended: int
    departed: int
    """Unpriced calls on shares that had left the exchange."""
    mean_return_percent: float | None
    mean_excess_percent: float | None
    median_excess_percent: float | None
    mean_excess_net_percent: float | None
    """After the cost of opening and closing."""
    excess_low_percent: float | None
    """95 % interval, from daily sums."""
    excess_high_percent: float | None
    independent_calls: float | None
    """How many independent calls would have the same error."""
    flips_to_turn: int | None
    """How many of the most influential calls, had they been read as the opposite, leave an interval of the mean excess
    that reaches zero; 0 if it does already.
    """
    hit_rate: float | None
    beat_rate: float | None
    beat_rate_low: float | None
    beat_rate_high: float | None
    base_hit_rate: float | None
    base_beat_rate: float | None
    base_excess_percent: float | None
    """Mean excess of the same stocks and sides on any day of the period."""
    placebo_p_value: float | None
    alpha_percent: float | None
    alpha_t: float | None
    beta: float | None
    p_value: float | None
    days_invested: int
    timing_alpha_percent: float | None
    """Alpha over the channel's own stocks, held all the time."""
    timing_t: float | None
    timing_p_value: float | None
    expected_alpha_percent: float | None
    calls_needed: int | None
    run_up_percent: float | None
    follows_news_rate: float | None
    """Share of the calls with news of their stock in the five days before that have at least two headlines of their
    direction. Null without such calls.
    """
    without_best_ticker: WithoutBestTicker | None
    by_kind: ByKind
    entry_sensitivity: EntrySensitivity
    reading: Reading
    distribution: list[Bar]
    """The excess returns in bars of equal width, with zero on an edge."""
    best: list[ScoredCall]
    """The calls with the largest excess, best first."""
    worst: list[ScoredCall]
    """The calls with the smallest excess, worst first; none is in both."""


class EntrySensitivity(TypedDict):
    """The mean excess with other entries, in percent."""

    before_publication: float | None
    """At the last close before publication."""
    ours: float | None
    one_session_later: float | None
    five_sessions_later: float | None


class Export(TypedDict):
    id: str
    user_id: str
    status: ExportStatus
    format: Literal["csv", "jsonl"]
    channel_ids: list[str]
    """The requested channels; empty for all."""
    channels: int | None
    """Number of channels to write; null until writing starts."""
    channels_done: int
    zip_key: str | None
    """The file name, once it is complete."""
    size_bytes: int | None
    error_message: str | None
    """Why it failed."""
    created_at: str
    updated_at: str
    expires_at: str
    """30 days after its creation; then the export is deleted."""


class ExportInFull(TypedDict):
    id: str
    user_id: str
    status: ExportStatus
    format: Literal["csv", "jsonl"]
    channel_ids: list[str]
    """The requested channels; empty for all."""
    channels: int | None
    """Number of channels to write; null until writing starts."""
    channels_done: int
    zip_key: str | None
    """The file name, once it is complete."""
    size_bytes: int | None
    error_message: str | None
    """Why it failed."""
    created_at: str
    updated_at: str
    expires_at: str
    """30 days after its creation; then the export is deleted."""
    download_url: str | None
    """Once COMPLETED: on AWS a link valid for ten minutes, locally a path on this server."""


class ExportRequest(TypedDict):
    channel_ids: NotRequired[list[str] | None]
    """The channels to export; all if omitted."""
    format: Literal["csv", "jsonl"]
    """Format of the tables in the zip."""


class ExportsPage(TypedDict):
    nextToken: str | None
    items: list[Export]


class FoundStock(TypedDict):
    ticker: str
    name: str | None


class Health(TypedDict):
    status: str


class Import(TypedDict):
    id: str
    user_id: str
    key: str
    status: ImportStatus
    items: int | None
    """Videos and mentions in the file; null until it has been validated."""
    items_done: int
    channels: int
    """Number of imported channels."""
    videos: int
    mentions: int
    skipped: list[str]
    """Why channels were skipped, at most 50."""
    skipped_count: int
    error_message: str | None
    """Why it failed."""
    complaints: list[str]
    """Problems with the file, each with file and line, at most 50."""
    complaint_count: int
    remarks: list[str]
    """Content that was ignored, or read differently from the file."""
    created_at: str
    updated_at: str
    expires_at: str


class ImportRequest(TypedDict):
    key: str
    """The file in the exports bucket, or locally in the `exports` folder of the data: `imports/export.zip`,
    `imports/old.sql` or `imports/old.sql.gz`.
    """


class IncomingNews(TypedDict):
    url: str
    """Kept as it is; without its tracking parameters it says whether the story is known."""
    title: str
    published_at: str
    source_name: NotRequired[str | None]
    author: NotRequired[str | None]
    text: NotRequired[str | None]
    """The first 200 characters are kept."""
    tags: list[str]
    """Tickers of the stocks that it is about."""


class KindScore(TypedDict):
    calls: int
    mean_excess_percent: float | None
    beat_rate: float | None


class Leaderboard(TypedDict):
    nextToken: str | None
    horizon: Horizon
    as_of: str | None
    benchmark: Benchmark
    items: list[LeaderboardItem]
    reason: str | None
    """Why there are no figures, if there are none."""


class LeaderboardItem(TypedDict):
    rank: int | None
    """Null for a channel with too few calls."""
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
    joint_p_value: float | None
    """The larger of `p_value` and `timing_p_value`."""
    q_value: float | None
    """The joint p-value, corrected for all that is judged with it."""
    alpha_q_value: float | None
    """The same correction of `p_value`."""
    placebo_p_value: float | None
    days_invested: int
    independent_calls: float | None
    flips_to_turn: int | None
    right_rate: float | None
    """Share of the reported calls that are right."""
    right_low: float | None
    """The lower end of its 95 % interval."""
    right_source: ReadingSource | None
    """Whose figure that is; null while there is none."""
    verdict: Verdict


class Log(TypedDict):
    id: int
    channel_id: str
    log_level: LogLevel
    message: str
    created_at: str


class Logs(TypedDict):
    logs: list[Log]


class LogsPage(TypedDict):
    nextToken: str | None
    items: list[Log]


class MaturedTold(TypedDict):
    ticker: str
    sentiment: Sentiment
    horizon: Horizon
    excess_percent: float | None
    """Excess return; the sign is flipped for sells."""
    video_id: str


class Me(TypedDict):
    user_id: str
    """The subject of a JWT; `owner` with the API token, `local` without authentication."""
    email: str | None
    """From the token, if it has one."""
    name: str | None
    """The display name in the token, which anyone may see beside what they change."""
    role: Role
    """The role that decides what they may do; `admin` without JWTs."""
    first_seen_at: str
    last_seen_at: str
    """To the hour."""


class Mention(TypedDict):
    id: str
    video_id: str
    ticker: str
    sentiment: Sentiment
    price_at_mention: float | None
    confidence_score: float | None
    context_snippet: str | None
    possible_sentiment: Sentiment | None
    start_seconds: int | None
    """Where the quote starts, in seconds from the start of the video."""
    quote_url: str | None
    """The video, at the second of the quote where that is known."""
    analyst: str | None
    """The name and version of the analyst that read it."""
    review: ReviewOutcome | None
    """A person's verdict; a rejected mention counts in no score."""
    read_as: Sentiment | None
    """The analyst's reading, if a person corrected it."""
    review_version: int | None
    """Increases with each review."""
    statement: Statement | None
    """The statement; null for readings before this was recorded."""
    reason: Reason | None
    """Why the policy makes a call of the statement, or none: docs/policy.md."""
    explanation: str | None
    """The reason as a sentence."""
    created_at: str
    price_problem: PriceProblem | None
    """Why there is no price; set when listing the mentions of one stock."""
    video: Video | None


class NewChannel(TypedDict):
    url: str
    """The URL of a channel on youtube.com: /@handle, /channel/…, /c/… or /user/…"""
    time_range_months: NotRequired[int]


class NewNote(TypedDict):
    text: str


class News(TypedDict):
    source_id: str
    timestamp: str
    """When it was published."""
    source_type: SourceType
    source_url: str
    title: str
    text_snippet: str
    tags: list[str]
    """The stocks that it is about."""
    sentiment: NewsSentiment | None
    """Its tone; null until it has been analysed."""
    score: float | None
    """How sure that is, from 0 to 1."""
    model_version: str | None
    status: NewsStatus
    metadata: NewsMetadata


class NewsBefore(TypedDict):
    """The number of headlines of each tone."""

    positive: int
    neutral: int
    negative: int


class NewsMetadata(TypedDict):
    title: str | None
    author: str | None
    published_at: str | None
    source_name: str | None


class NewsPage(TypedDict):
    nextToken: str | None
    items: list[News]


class NewsSummary(TypedDict):
    tag: str
    days: list[DayOfNews]
    """The days with news, oldest first."""


class NoVideos(TypedDict):
    status: Literal["no_videos"]


class Note(TypedDict):
    id: str
    channel_id: str
    ticker: str
    text: str
    author: str
    """The author's `user_id`; only they may change or delete the note."""
    created_at: str
    updated_at: str
    version: int
    """Incremented on every change; used for optimistic locking."""


class NoteChange(TypedDict):
    text: str
    version: int
    """The version that was read, 0 if there is none yet."""


class NoteWithChannel(TypedDict):
    id: str
    channel_id: str
    ticker: str
    text: str
    author: str
    """The author's `user_id`; only they may change or delete the note."""
    created_at: str
    updated_at: str
    version: int
    """Incremented on every change; used for optimistic locking."""
    channel_name: str


class NotesOfTickerPage(TypedDict):
    nextToken: str | None
    items: list[NoteWithChannel]


class NotesPage(TypedDict):
    nextToken: str | None
    items: list[Note]


class OwnTarget(TypedDict):
    """A call by the speaker's own terms."""

    price: float
    """In today's shares, like the price at entry."""
    reached: bool | None
    """If a close reached it within a year of the entry; null while that is open, and for a target that the price at
    entry had already passed.
    """
    reached_on: str | None


class Plan(TypedDict):
    id: str
    name: str
    status: PlanStatus
    created_at: str
    created_by: str | None
    """A display name, or null, for callers who are not signed in."""
    ended_at: str | None
    total: int
    """Number of tasks."""
    ended: int
    """Number of tasks that have ended, whatever their outcome."""
    failed: int
    tasks: list[Task]


class PlanRequest(TypedDict):
    name: str
    tasks: list[TaskRequest]


class PlanSummary(TypedDict):
    id: str
    name: str
    status: PlanStatus
    created_at: str
    created_by: str | None
    """A display name, or null, for callers who are not signed in."""
    ended_at: str | None
    total: int
    """Number of tasks."""
    ended: int
    """Number of tasks that have ended, whatever their outcome."""
    failed: int


class PlansPage(TypedDict):
    nextToken: str | None
    items: list[PlanSummary]


class PriceHistory(TypedDict):
    ticker: str
    prices: list[Close]


class Prices(TypedDict):
    prices: dict[str, float]
    updated_at: str


class ProcessRequest(TypedDict):
    reread: NotRequired[bool]
    """Rereads stored transcripts with the current analyst, instead of looking for new videos."""


class QueuedMention(TypedDict):
    mention: ReviewedMention
    name: str | None
    """The company's name."""
    reason: ReviewReason
    excess_percent: float | None
    """Always null: no outcome is shown before an answer."""


class Reader(TypedDict):
    """The analyst that reads the transcripts, and what that costs."""

    name: str | None
    """The model, or the rules and their version; null if a setting is missing."""
    provider: str
    sends_to: str
    """The host that transcripts are sent to, or `this machine`."""
    dollars_per_hour: float | None
    """For an hour of speech; null if the price isn't known."""
    prices_as_of: str | None
    """The month of the list prices; null for prices that were set."""
    daily_tokens: int | None
    """Reading stops for the day after this many tokens; null for no limit."""


class ReaderFigures(TypedDict):
    """Buys and sells on real speech, counted."""

    reader: str
    """`rules`, the provider of a model, or `large language model` for a capable one."""
    right: int
    """Reported calls that are right."""
    reported: int
    right_on: str
    """The speech that these were counted on."""
    found: int
    """Calls made that are reported."""
    made: int
    found_on: str
    measured_at: str
    """The month or the day."""
    note: str


class Reading(TypedDict):
    """How well the calls were read, and what that does to the mean excess. Excesses are in percent."""

    right_rate: float | None
    """Share of the reported calls that are right."""
    right_low: float | None
    """95 % interval after Wilson."""
    right_high: float | None
    source: ReadingSource | None
    """`reviews`: the channel's sampled reviews. `analyst`: the published figure of the analyst that read most of its
    calls.
    """
    found_rate: float | None
    """Share of the calls made that the analyst reports."""
    mean_excess_corrected: float | None
    """The mean excess of the calls that were read correctly, estimated."""
    mean_excess_corrected_low: float | None
    """Its 95 % interval."""
    mean_excess_corrected_high: float | None
    tipping_excess: float | None
    """If the missed calls did this on average, the mean excess would be zero."""


class Review(TypedDict):
    outcome: ReviewOutcome | None
    """null once withdrawn."""
    sentiment: Sentiment
    """The sentiment the person read."""
    act: Act | None
    """The act the person read; null if they named only the sentiment."""
    speaker: Speaker | None
    sponsored: bool | None
    note: str | None
    reviewed_by: str | None
    """A display name, or null, for callers who are not signed in."""
    reviewed_at: str
    version: int
    blind: bool
    """True if it was given where what became of the call was not shown."""


class ReviewQueue(TypedDict):
    nextToken: str | None
    items: list[QueuedMention]
    remaining: int
    """Number of mentions to review in this order."""
    sample: SampleProgress | None
    """In the order `sample` only."""


class ReviewRequest(TypedDict):
    review: ReviewOutcome | None
    """null withdraws the review."""
    act: NotRequired[Act | None]
    """The corrected act; the policy makes the sentiment."""
    speaker: NotRequired[Speaker | None]
    """Whose statement it is; default: as it was read."""
    sponsored: NotRequired[bool | None]
    """Default: as it was read."""
    sentiment: NotRequired[Sentiment | None]
    """The correct sentiment; a correction needs this or a part of the statement."""
    note: NotRequired[str | None]
    blind: NotRequired[bool]
    """False if what became of the call was in view; such an answer never feeds `right_rate`."""
    version: NotRequired[int | None]
    """The `review_version` that the reviewer saw, 0 or null for none."""


class ReviewedMention(TypedDict):
    id: str
    video_id: str
    ticker: str
    sentiment: Sentiment
    price_at_mention: float | None
    confidence_score: float | None
    context_snippet: str | None
    possible_sentiment: Sentiment | None
    start_seconds: int | None
    """Where the quote starts, in seconds from the start of the video."""
    quote_url: str | None
    """The video, at the second of the quote where that is known."""
    analyst: str | None
    """The name and version of the analyst that read it."""
    review: ReviewOutcome | None
    """A person's verdict; a rejected mention counts in no score."""
    read_as: Sentiment | None
    """The analyst's reading, if a person corrected it."""
    review_version: int | None
    """Increases with each review."""
    statement: Statement | None
    """The statement; null for readings before this was recorded."""
    reason: Reason | None
    """Why the policy makes a call of the statement, or none: docs/policy.md."""
    explanation: str | None
    """The reason as a sentence."""
    created_at: str
    price_problem: PriceProblem | None
    """Why there is no price; set when listing the mentions of one stock."""
    video: Video | None
    statement_as_read: Statement | None
    """The analyst's statement, if a person corrected it."""


class RiskFree(TypedDict):
    """The annual rate, in percent, that is deducted from returns."""

    ticker: str
    name: str


class Run(TypedDict):
    id: str
    channel_id: str
    channel_name: str
    kind: RunKind
    status: RunStatus
    started_by: StartedBy
    starter: str | None
    """The plan and its task, or the person: a display name, or null, for callers who are not signed in."""
    started_at: str
    ended_at: str | None
    found: int
    """Videos found on YouTube, as far as this run listed them."""
    videos: int
    """Videos this run set out to read."""
    processed: int
    """Videos this run read."""
    skipped: int
    """Videos without a transcript."""
    failed: int
    calls: int
    """Buys and sells in the videos that it read."""
    analyst: str | None
    """The name and version of the analyst."""
    tokens_in: int
    """Tokens sent to a model for the videos that it read."""
    tokens_out: int
    """Tokens that the model returned."""
    error: str | None
    """Why it failed or ended early."""
    continues: str | None
    """The run it took over from, whose worker had died."""
    continued_by: str | None


class RunsPage(TypedDict):
    nextToken: str | None
    items: list[Run]


class SampleProgress(TypedDict):
    size: int
    """20, or all calls if there are fewer."""
    done: int
    """How many of them have a review."""


class Score(TypedDict):
    channel_id: str
    as_of: str | None
    """The newest session of the benchmark."""
    computed_at: str | None
    method: str
    benchmark: Benchmark
    risk_free: RiskFree | None
    """Null while no rate is known: it counts as zero."""
    cost_bps: float
    """Cost of each opening and closing, in hundredths of a percent."""
    calls: CallSet
    calls_sha256: str
    """Over the calls that it rests on, as docs/scoring.md defines it."""
    analysts: list[str]
    """Names and versions of the analysts that read these calls."""
    checked: Checked
    horizons: list[DetailedScore]
    reason: str | None
    """Why there are no figures, if there are none."""


class ScoredCall(TypedDict):
    video_id: str
    video_title: str
    ticker: str
    name: str | None
    sentiment: Sentiment
    published_at: str
    published_time: str | None
    quote: str | None
    quote_url: str
    """The video, at the second of the quote where that is known."""
    start_seconds: int | None
    """Where the quote starts, in seconds from the start of the video."""
    confidence: float | None
    review: ReviewOutcome | None
    review_version: int | None
    read_as: Sentiment | None
    """The analyst's reading, if a person corrected it."""
    analyst: str | None
    """Name and version of the analyst that read it."""
    removed_at: str | None
    """When its video was found gone from YouTube."""
    status: CallStatus
    entry_date: str | None
    entry_price: float | None
    """The close in today's shares, without dividends."""
    exit_date: str | None
    exit_price: float | None
    return_percent: float | None
    """Signed by the side, with dividends if known."""
    benchmark_percent: float | None
    """Signed by the side."""
    excess_percent: float | None
    matures_on: str | None
    """For a pending call: the day its horizon ends, estimated from weekdays."""
    unpriced_reason: UnpricedReason | None
    """`departed`: an unpriced call on a share that had left the exchange."""
    news_before: NewsBefore | None
    """Headlines of the stock in the week before, by tone; null if there are none."""
    reason: Reason | None
    """Why the policy makes a call of the statement: docs/policy.md."""
    explanation: str | None
    """The reason as a sentence."""
    statement: Statement | None
    """The statement; null for readings before this was recorded."""
    own_target: OwnTarget | None
    """The speaker's own price target, if the statement has one."""


class SearchResults(TypedDict):
    channels: list[Channel]
    stocks: list[FoundStock]


class Settings(TypedDict):
    horizon: Horizon
    cost_bps: float
    review_below: float
    benchmark: str
    own: list[Literal["horizon", "cost_bps", "review_below", "benchmark"]]
    """The settings that the caller has set; the others use the default."""
    version: int


class SettingsRequest(TypedDict):
    horizon: Horizon | None
    """Shown first in the dashboard; null, here and below, uses the default."""
    cost_bps: float | None
    """Trading costs in basis points."""
    review_below: float | None
    """Buys, holds and sells with lower confidence are queued for review."""
    benchmark: str | None
    """Must be the current benchmark: all stored scores are relative to it."""
    version: int
    """The version that was read, 0 if there is none yet."""


class Setup(TypedDict):
    videos: str
    """`demo` or `youtube`."""
    transcripts: str
    analyst: str
    prices: str
    missing_settings: list[str]
    """Settings that these providers need and do not have."""
    calls_read_right: float | None
    """The share of the buys and sells reported by this analyst that a person reads the same, measured on real speech;
    null when it has not been measured.
    """
    calls_found: float | None
    """The share of the buys and sells made that this analyst reports; null when it has not been measured."""
    reader: Reader
    estimate: CostEstimate
    """To read as many videos as `videos` says."""
    figures: list[ReaderFigures]
    """The counts of each reader that was measured."""


class Statement(TypedDict):
    """The words about the stock, before the policy decides whether it is a call."""

    act: Act
    """Something the speaker says or does."""
    speaker: Speaker
    """Whose statement it is."""
    possible_act: Act | None
    """The most probable act where the words aren't clear enough for one."""
    company: str | None
    """The company, as the analyst names it."""
    heard: str | None
    """The stock's name as the transcript spells it."""
    condition: str | None
    """The event or price that has to come first, in the speaker's words."""
    horizon: str | None
    """The speaker's own horizon, in their words."""
    target_price: float | None
    """The speaker's own target in dollars, in the shares of that day."""
    conviction: int | None
    """How firmly it is said: 1 (tentatively) to 3 (firmly)."""
    sponsored: bool
    """True if it is part of a sponsored segment."""
    listed: bool
    """False if no list of US shares knows the ticker, so it has no price."""
    second_quote: str | None
    """Other words that it rests on, if they stand elsewhere in the video."""
    second_quote_seconds: int | None
    """Where they start, in seconds from the start of the video."""


class StockCall(TypedDict):
    video_id: str
    video_title: str
    ticker: str
    name: str | None
    sentiment: Sentiment
    published_at: str
    published_time: str | None
    quote: str | None
    quote_url: str
    """The video, at the second of the quote where that is known."""
    start_seconds: int | None
    """Where the quote starts, in seconds from the start of the video."""
    confidence: float | None
    review: ReviewOutcome | None
    review_version: int | None
    read_as: Sentiment | None
    """The analyst's reading, if a person corrected it."""
    analyst: str | None
    """Name and version of the analyst that read it."""
    removed_at: str | None
    """When its video was found gone from YouTube."""
    status: CallStatus
    entry_date: str | None
    entry_price: float | None
    """The close in today's shares, without dividends."""
    exit_date: str | None
    exit_price: float | None
    return_percent: float | None
    """Signed by the side, with dividends if known."""
    benchmark_percent: float | None
    """Signed by the side."""
    excess_percent: float | None
    matures_on: str | None
    """For a pending call: the day its horizon ends, estimated from weekdays."""
    unpriced_reason: UnpricedReason | None
    """`departed`: an unpriced call on a share that had left the exchange."""
    news_before: NewsBefore | None
    """Headlines of the stock in the week before, by tone; null if there are none."""
    reason: Reason | None
    """Why the policy makes a call of the statement: docs/policy.md."""
    explanation: str | None
    """The reason as a sentence."""
    statement: Statement | None
    """The statement; null for readings before this was recorded."""
    own_target: OwnTarget | None
    """The speaker's own price target, if the statement has one."""
    channel: Channel


class StockCallsPage(TypedDict):
    nextToken: str | None
    ticker: str
    horizon: Horizon
    items: list[StockCall]
    reason: str | None
    """Why there are no figures, if there are none."""


class StockMentions(TypedDict):
    ticker: str
    channel_id: str
    mentions: list[Mention]


class StockPrice(TypedDict):
    ticker: str
    price: float | None
    updated_at: str | None
    as_of: str | None
    error: str | None


class Summary(TypedDict):
    first_mentions: dict[str, Sentiment]
    """The kind of each stock's first mention, by ticker."""
    prices_as_of: str | None
    """The newest of the current prices."""


class Task(TypedDict):
    key: str
    kind: TaskKind
    channel_id: str | None
    """The channel given, or the one that was added."""
    url: str | None
    depends_on: list[str]
    status: TaskStatus
    attempts: int
    started_at: str | None
    ended_at: str | None
    error: str | None
    """Why the task failed or was skipped, or why its last attempt failed."""
    run_id: str | None
    """The run that the task started."""
    export_id: str | None
    """The export that the task started."""
    result: str | None
    """A summary of what was done; only for `ingest_news`."""


class TaskRequest(TypedDict):
    key: str
    """The task's name within the plan."""
    kind: TaskKind
    channel_id: NotRequired[str | None]
    """Required except for `add_channel`, `export` and `ingest_news`, unless `depends_on` has exactly one task that
    adds a channel; an `export` without it covers the plan's channels, or all if the plan has none.
    """
    url: NotRequired[str | None]
    """URL of the channel to add; required for `add_channel`, and not allowed for other kinds."""
    depends_on: NotRequired[list[str]]
    """Keys of the tasks that must be completed first."""


class TestAlert(TypedDict):
    delivered: bool
    problem: str | None


class Timeline(TypedDict):
    timeline: list[TimelineEntry]


class TimelineEntry(TypedDict):
    video: Video
    mentions: list[Mention]


class TimelinePage(TypedDict):
    nextToken: str | None
    items: list[TimelineEntry]


class VerdictTold(TypedDict):
    horizon: Horizon
    verdict: Verdict
    before: Verdict
    by_review: NotRequired[bool]
    """True if people's reviews of how calls were read turned it, not the market."""


class Video(TypedDict):
    id: str
    channel_id: str
    youtube_video_id: str
    title: str
    url: str
    published_at: str
    """The date of publication, in New York."""
    published_time: str | None
    """The time of publication; null if only the date is known."""
    transcript_status: TranscriptStatus
    analysis_status: AnalysisStatus
    removed_at: str | None
    """When it was first found gone from YouTube; it stays in the record."""
    created_at: str


class Watchlist(TypedDict):
    tickers: list[str]
    channel_ids: list[str]
    version: int


class WatchlistRequest(TypedDict):
    tickers: list[str]
    channel_ids: list[str]
    version: int
    """The version that was read, 0 if there is none yet."""


class WithoutBestTicker(TypedDict):
    ticker: str
    """The stock whose calls add most to the excess."""
    mean_excess_percent: float | None
    """Null where it is the only stock."""
