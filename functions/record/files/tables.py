"""The files of an archive and their columns, shared by the export, the import and the data dictionary."""

from dataclasses import dataclass
from enum import StrEnum

FORMAT_VERSION = 1
"""Increases when a reader of the previous version would misread an archive."""
MANIFEST, DICTIONARY, RECOMPUTE = "manifest.json", "README.md", "recompute.py"
"""The files of an archive that aren't tables."""


class FileFormat(StrEnum):
    """The file format of the tables."""

    CSV = "csv"
    JSONL = "jsonl"


class Kind(StrEnum):
    """The type of a column's values."""

    TEXT = "text"
    INTEGER = "integer"
    NUMBER = "number"
    BOOLEAN = "boolean"
    DAY = "day"
    TIMESTAMP = "timestamp"
    LIST = "list"
    """An ordered list of texts."""


@dataclass(frozen=True, slots=True)
class Column:
    name: str
    kind: Kind
    description: str
    optional: bool = False
    """True if it may be empty. A list is never optional: it may be an empty list."""


@dataclass(frozen=True, slots=True)
class TableFile:
    """A table of an archive, in a separate file."""

    name: str
    description: str
    key: tuple[str, ...]
    """The columns that identify a row."""
    columns: tuple[Column, ...]
    derived: bool = False
    """True if it is derived from the other tables. An import skips it and recomputes it."""

    def file_name(self, file_format: FileFormat) -> str:
        return f"{self.name}.{file_format}"

    @property
    def column_names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)


def _text(name: str, description: str) -> Column:
    return Column(name, Kind.TEXT, description)


def _integer(name: str, description: str) -> Column:
    return Column(name, Kind.INTEGER, description)


def _day(name: str, description: str) -> Column:
    return Column(name, Kind.DAY, description)


def _timestamp(name: str, description: str) -> Column:
    return Column(name, Kind.TIMESTAMP, description)


def _list(name: str, description: str) -> Column:
    return Column(name, Kind.LIST, description)


def _optional(name: str, kind: Kind, description: str) -> Column:
    return Column(name, kind, description, optional=True)


def _figure(name: str, description: str) -> Column:
    """A number that cannot always be computed."""
    return Column(name, Kind.NUMBER, description, optional=True)


CHANNEL_ID = _text("channel_id", "The channel's id")
VIDEO_ID = _text("video_id", "The video's id, which is not YouTube's")
TICKER = _text("ticker", "The stock's ticker")

CHANNELS = TableFile(
    "channels",
    "The channels, the one that was added first at the top",
    ("id",),
    (
        _text("id", "The channel's id"),
        _text("youtube_channel_id", "YouTube's id of it, or `handle:x` and the like until it has been looked up"),
        _text("name", "Its name on YouTube"),
        _text("url", "The address it was added with"),
        _optional("thumbnail_url", Kind.TEXT, "Its picture"),
        _text("status", "pending, processing, completed, failed or cancelled: the state of its last run"),
        _integer("time_range_months", "How many months of videos are looked at"),
        _optional("check_every", Kind.TEXT, "How often it is checked for new videos: off, daily or weekly"),
        _integer("video_count", "How many videos it has here"),
        _integer("processed_video_count", "How many of them are finished, whatever their outcome"),
        _list("guards", "The YouTube ids and names that no other channel may have"),
        _optional("newest_video_at", Kind.DAY, "The day of the newest video that a run has listed"),
        _optional("fully_listed_at", Kind.TIMESTAMP, "When a run last looked through all videos of the time range"),
        _optional("listed_months", Kind.INTEGER, "How many months that time range had"),
        _timestamp("created_at", "When it was added"),
        _timestamp("updated_at", "When it last changed"),
        _list("sample", "The calls drawn at random for review: a video's id and a ticker, with a space between"),
    ),
)

VIDEOS = TableFile(
    "videos",
    "The videos of each channel, the oldest first. Transcripts are not part of the archive",
    ("id",),
    (
        _text("id", "The video's id"),
        CHANNEL_ID,
        _text("youtube_video_id", "YouTube's id of it"),
        _text("title", "Its title"),
        _text("url", "Its address"),
        _day("published_at", "The day of publication, in New York"),
        _optional("published_time", Kind.TIMESTAMP, "The time of publication; none where only the day is known"),
        _timestamp("created_at", "When it was first listed here"),
        _text("transcript_status", "pending, fetched, unavailable or failed"),
        _text("analysis_status", "pending, completed, skipped or failed"),
        _optional("analyst", Kind.TEXT, "Name and version of the analyst that read it"),
        _optional("problem", Kind.TEXT, "Why it could not be read"),
        _optional("removed_at", Kind.TIMESTAMP, "When it was found gone from YouTube"),
    ),
)

MENTIONS = TableFile(
    "mentions",
    "What each video says of a stock: one row for a video and a stock, in the order of the videos, then by ticker. "
    "Buys and sells are calls and are scored, unless a person has rejected them",
    ("video_id", "ticker"),
    (
        VIDEO_ID,
        CHANNEL_ID,
        TICKER,
        _text("sentiment", "buy, hold, sell or mentioned: what the analyst read, or what a person corrected it to"),
        _optional("possible_sentiment", Kind.TEXT, "The side that a mention without a clear one probably takes"),
        _figure("price_at_mention", "The last close before publication, in today's shares, without dividends"),
        _figure("confidence_score", "How certain the analyst was, from 0 to 1"),
        _optional("context_snippet", Kind.TEXT, "The words it rests on"),
        _optional("start_seconds", Kind.INTEGER, "When they are said, in seconds from the start of the video"),
        _optional("analyst", Kind.TEXT, "Name and version of the analyst that read it"),
        _optional("review", Kind.TEXT, "confirmed, corrected or rejected by a person; what is rejected counts nowhere"),
        _optional("read_as", Kind.TEXT, "What the analyst read, where a person corrected it"),
        _optional("review_version", Kind.INTEGER, "How often it has been reviewed"),
        _timestamp("created_at", "When it was first read"),
        _optional("act", Kind.TEXT, "The act of the speaker, as docs/policy.md lists it; none if not recorded"),
        _optional("reason", Kind.TEXT, "Why the policy makes a call of it, or none"),
        _optional("speaker", Kind.TEXT, "host, guest or other: whose statement it is"),
        _optional("possible_act", Kind.TEXT, "The most probable act where the words aren't clear enough for one"),
        _optional("company", Kind.TEXT, "The company, as the analyst names it"),
        _optional("heard", Kind.TEXT, "The stock's name as the transcript spells it"),
        _optional("condition", Kind.TEXT, "The event or price that has to come first, in the speaker's words"),
        _optional("horizon", Kind.TEXT, "The speaker's own horizon, in their words"),
        _figure("target_price", "The speaker's own target in dollars, in the shares of that day"),
        _optional("conviction", Kind.INTEGER, "How firmly it is said: 1 (tentatively) to 3 (firmly)"),
        _optional("sponsored", Kind.BOOLEAN, "True in a sponsored segment"),
        _optional("listed", Kind.BOOLEAN, "False if no list of US shares knows the ticker"),
        _optional("second_quote", Kind.TEXT, "Other words that it rests on"),
        _optional("second_quote_seconds", Kind.INTEGER, "When they are said, in seconds from the start of the video"),
        _optional("act_as_read", Kind.TEXT, "The act that the analyst read, where a person corrected the statement"),
        _optional("reason_as_read", Kind.TEXT, "The reason likewise"),
        _optional("speaker_as_read", Kind.TEXT, "The speaker likewise"),
        _optional("possible_act_as_read", Kind.TEXT, "The most probable act likewise"),
        _optional("condition_as_read", Kind.TEXT, "The condition likewise"),
        _optional("sponsored_as_read", Kind.BOOLEAN, "Sponsored likewise"),
    ),
)

REVIEWS = TableFile(
    "reviews",
    "What people said of how mentions were read, by video id and ticker. It applies to later readings as well",
    ("video_id", "ticker"),
    (
        CHANNEL_ID,
        VIDEO_ID,
        TICKER,
        _integer("version", "Rises with each review of the mention"),
        _optional("outcome", Kind.TEXT, "confirmed, corrected or rejected; none once it was withdrawn"),
        _text("sentiment", "What the person read: buy, hold, sell or mentioned"),
        _text("reviewed_by", "Who it was"),
        _timestamp("reviewed_at", "When"),
        _optional("note", Kind.TEXT, "What the person noted"),
        _optional("quote", Kind.TEXT, "The words that were judged"),
        _optional("start_seconds", Kind.INTEGER, "When they are said, in seconds from the start of the video"),
        _optional("act", Kind.TEXT, "The act the person read; none if they named the sentiment only"),
        _optional("speaker", Kind.TEXT, "Whose statement it is, to the person"),
        _optional("sponsored", Kind.BOOLEAN, "True if the person read it as sponsored"),
        _optional("blind", Kind.BOOLEAN, "True if it was given where what became of the call was not shown"),
    ),
)

CALLS = TableFile(
    "calls",
    "What became of each call at each horizon, in the order of the mentions",
    ("video_id", "ticker", "horizon"),
    (
        CHANNEL_ID,
        VIDEO_ID,
        TICKER,
        _text("sentiment", "buy or sell"),
        _text("horizon", "1w, 1m, 3m, 6m or 1y: 5, 21, 63, 126 or 252 sessions"),
        _text("status", "scored, pending, unpriced, or ended: settled at the last close of a stock that is gone"),
        _optional("entry_date", Kind.DAY, "The first session that opens after publication"),
        _figure("entry_price", "Its close in today's shares, without dividends"),
        _optional("exit_date", Kind.DAY, "The last session of the horizon, or of the stock"),
        _figure("exit_price", "Its close in today's shares, without dividends"),
        _figure("return_percent", "Between the two, signed by the side, with dividends where they are known"),
        _figure("benchmark_percent", "What the benchmark did between the two, signed by the side"),
        _figure("excess_percent", "The difference of the two"),
        _optional("matures_on", Kind.DAY, "Of a pending call: the day its horizon ends, estimated from weekdays"),
        _optional("unpriced_reason", Kind.TEXT, "departed: an unpriced call on a share that had left the exchange"),
    ),
    derived=True,
)

SCORECARDS = TableFile(
    "scorecards",
    "The figures of each channel at each horizon, over all its calls",
    ("channel_id", "horizon"),
    (
        CHANNEL_ID,
        _text("horizon", "1w, 1m, 3m, 6m or 1y"),
        _integer("sessions", "How many sessions that is"),
        _text("method", "The version of the definitions"),
        _optional("as_of", Kind.DAY, "The newest session of the benchmark"),
        _text("calls_sha256", "SHA-256 of the calls, as the API gives it"),
        _optional(
            "risk_free", Kind.TEXT, "The ticker of the risk-free rate; none while it is unknown and counts as zero"
        ),
        Column("cost_bps", Kind.NUMBER, "Cost of each opening and closing, in hundredths of a percent"),
        _list("analysts", "Who read the calls"),
        _integer("calls", "The scored calls, ended ones included"),
        _integer("pending", "The pending calls"),
        _integer("unpriced", "The calls without a price at entry"),
        _integer("ended", "The calls settled at the last close of a stock that is gone"),
        _integer("departed", "The unpriced calls on shares that had left the exchange"),
        _figure("mean_return_percent", "Mean of the signed returns of the scored calls"),
        _figure("mean_excess_percent", "Mean of the signed excess over the benchmark"),
        _figure("median_excess_percent", "Its median"),
        _figure("mean_excess_net_percent", "The mean excess less the cost of opening and closing"),
        _figure("excess_low_percent", "The mean less 1.959964 standard errors, from daily sums"),
        _figure("excess_high_percent", "The mean plus as many"),
        _figure("independent_calls", "How many independent calls would have this error"),
        _optional("flips_to_turn", Kind.INTEGER, "So many calls turned to the other side, and the interval holds zero"),
        _figure("hit_rate", "Share of scored calls with a signed return above zero"),
        _figure("beat_rate", "Share of scored calls with an excess above zero"),
        _figure("beat_rate_low", "Its 95 % interval after Wilson"),
        _figure("beat_rate_high", "Its 95 % interval after Wilson"),
        _figure("base_hit_rate", "The hit rate of the same stocks and sides on all days from first to last entry"),
        _figure("base_beat_rate", "The beat rate likewise"),
        _figure("base_excess_percent", "The mean excess likewise"),
        _figure("placebo_p_value", "How often the same calls, all moved by as many days, do as well"),
        _figure("alpha_percent", "Alpha a year of the calendar-time portfolio of the calls"),
        _figure("alpha_t", "Its t-value, with Newey-West errors"),
        _figure("beta", "The portfolio's share in the benchmark"),
        _figure("p_value", "Two-sided, of alpha being none"),
        _integer("days_invested", "On how many days the portfolio held something"),
        _figure("timing_alpha_percent", "Alpha a year over the channel's own stocks, held all the time"),
        _figure("timing_t", "Its t-value"),
        _figure("timing_p_value", "Two-sided, of that alpha being none"),
        _figure("expected_alpha_percent", "Alpha shrunk towards none by as much as it is uncertain"),
        _optional("calls_needed", Kind.INTEGER, "So many independent calls would show an excess of 2 %"),
        _figure("run_up_percent", "Mean excess of the stocks over the 21 sessions before entry, not signed"),
        _optional("without_best_ticker_ticker", Kind.TEXT, "The stock whose calls add most to the excess"),
        _figure("without_best_ticker_mean_excess_percent", "The mean excess without it"),
        _integer("by_kind_buy_calls", "The scored buys"),
        _figure("by_kind_buy_mean_excess_percent", "Their mean excess"),
        _figure("by_kind_buy_beat_rate", "Their beat rate"),
        _integer("by_kind_sell_calls", "The scored sells"),
        _figure("by_kind_sell_mean_excess_percent", "Their mean excess"),
        _figure("by_kind_sell_beat_rate", "Their beat rate"),
        _figure("entry_sensitivity_before_publication", "Mean excess with entry at the last close before publication"),
        _figure("entry_sensitivity_ours", "Mean excess with our entry"),
        _figure("entry_sensitivity_one_session_later", "Mean excess with entry one session later"),
        _figure("entry_sensitivity_five_sessions_later", "Mean excess with entry five sessions later"),
        _figure("reading_right_rate", "Share of the reported calls that are right"),
        _figure("reading_right_low", "Its 95 % interval"),
        _figure("reading_right_high", "Its 95 % interval"),
        _optional("reading_source", Kind.TEXT, "Where that comes from: reviews or analyst"),
        _figure("reading_found_rate", "Share of the calls made that the analyst reports"),
        _figure("reading_mean_excess_corrected", "The mean excess without the misread calls, in percent"),
        _figure("reading_mean_excess_corrected_low", "Its 95 % interval"),
        _figure("reading_mean_excess_corrected_high", "Its 95 % interval"),
        _figure("reading_tipping_excess", "If missed calls had this mean excess, in percent, the edge would be gone"),
    ),
    derived=True,
)

STOCKS = TableFile(
    "stocks",
    "The mentioned stocks, the benchmark and the risk-free rate, by ticker, and what is known of their closes",
    ("ticker",),
    (
        TICKER,
        _optional("name", Kind.TEXT, "The company's name"),
        _optional("exchange", Kind.TEXT, "NYSE or NASDAQ"),
        _figure("last_price", "The newest price"),
        _optional("price_as_of", Kind.DAY, "The day on which it traded at that price"),
        _optional("price_updated_at", Kind.TIMESTAMP, "When that price was fetched"),
        _optional("price_problem", Kind.TEXT, "Why there is no price, or no newer one"),
        _optional("series_source", Kind.TEXT, "Where the closes come from; none without a series"),
        _optional("series_currency", Kind.TEXT, "The currency of the closes"),
        _optional("series_wanted_from", Kind.DAY, "The oldest day that somebody needs; none without a series"),
        _optional("series_fetched_from", Kind.DAY, "The oldest day that the source was asked for"),
        _optional("series_as_of", Kind.TIMESTAMP, "When the source last gave a good response"),
        _list("series_splits", "Each as the first day after it and the shares for one before: `2022-06-06 20.0`"),
    ),
)

PRICES = TableFile(
    "prices",
    "The closes of every stock in `stocks`, by ticker, then by day",
    ("ticker", "day"),
    (
        TICKER,
        _day("day", "The day of the session"),
        Column("close", Kind.NUMBER, "In today's shares, without dividends"),
        Column("total_close", Kind.NUMBER, "With dividends where they are known; only ratios mean something"),
    ),
)

NOTES = TableFile(
    "notes",
    "What people noted on the stocks of each channel, by ticker, the oldest first",
    ("id",),
    (
        _text("id", "The note's id"),
        CHANNEL_ID,
        TICKER,
        _text("text", "The note"),
        _text("author", "Who wrote it"),
        _timestamp("created_at", "When it was written"),
        _timestamp("updated_at", "When it was last edited"),
        _integer("version", "Rises with each edit"),
    ),
)

TABLE_FILES = (CHANNELS, VIDEOS, MENTIONS, REVIEWS, CALLS, SCORECARDS, STOCKS, PRICES, NOTES)
"""In the order of the archive: rows come after the rows they refer to."""
