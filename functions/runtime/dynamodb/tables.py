"""The tables, their indexes and their keys: the single definition used by CDK, the local engine, stores and tests."""

from dataclasses import dataclass
from typing import Literal

TIME_TO_LIVE = "expires_at"
"""The attribute with the epoch second after which DynamoDB may delete an item."""


@dataclass(frozen=True, slots=True)
class Index:
    name: str
    partition: str
    sort: str | None
    projection: Literal["ALL", "KEYS_ONLY"]


@dataclass(frozen=True, slots=True)
class Table:
    suffix: str
    partition: str
    sort: str | None = None
    indexes: tuple[Index, ...] = ()
    time_to_live: str | None = None

    def name(self, prefix: str) -> str:
        return f"{prefix}{self.suffix}"

    @property
    def id(self) -> str:
        """The table name without the prefix."""
        return self.suffix.strip("-") or "Main"

    @property
    def key_attributes(self) -> list[str]:
        """Every attribute that is part of a key, without duplicates. All of them are strings."""
        pairs = [(self.partition, self.sort), *((index.partition, index.sort) for index in self.indexes)]
        return list(dict.fromkeys(attribute for pair in pairs for attribute in pair if attribute))


BY_TICKER_OR_LISTING = Index("GSI1-index", "GSI1PK", "GSI1SK", "ALL")
BY_YOUTUBE_CHANNEL_OR_CHANNEL = Index("GSI2-index", "GSI2PK", None, "ALL")
BY_YOUTUBE_VIDEO_OR_STATE = Index("GSI3-index", "GSI3PK", None, "KEYS_ONLY")

MAIN = Table(
    suffix="",
    partition="PK",
    sort="SK",
    indexes=(BY_TICKER_OR_LISTING, BY_YOUTUBE_CHANNEL_OR_CHANNEL, BY_YOUTUBE_VIDEO_OR_STATE),
    time_to_live=TIME_TO_LIVE,
)
STOCKS = Table(suffix="-Stocks", partition="ticker")
BY_SENTIMENT = Index("by_sentiment", "sentiment", "timestamp", "ALL")
BY_TAG = Index("by_tag", "tag", "timestamp", "ALL")
BY_STATUS = Index("by_status", "status", "timestamp", "KEYS_ONLY")
NEWS = Table(
    suffix="-News",
    partition="source_id",
    sort="timestamp",
    indexes=(BY_SENTIMENT, BY_TAG, BY_STATUS),
    time_to_live="ttl_timestamp",
)
TABLES = (MAIN, STOCKS, NEWS)

ALL_CHANNELS = "CHANNELS"
CHANNEL_COUNTER_KEY = {"PK": "COUNTER#CHANNELS", "SK": "COUNTER#CHANNELS"}
"""The item that stores the number of channels."""
INDEX_KEYS_KEY = {"PK": "INDEX_KEYS", "SK": "INDEX_KEYS"}
"""The item that stores how far channels from before an upgrade were given their new index key."""
VIDEO_PREFIX = "VIDEO#"
MENTION_PREFIX = "MENTION#"
LOG_PREFIX = "LOG#"
RESTATEMENT_PREFIX = "RESTATED#"
ALL_SERIES = "SERIES"
SERIES_SK = "SERIES"
"""Sorts before the years, so that one query reads a series with its header first."""
PACE_PREFIX = "PACE#"
ALL_SCORECARDS = "SCORECARDS"
REVIEW_PREFIX = "REVIEW#"
CHANGE_PREFIX = "CHANGE#"
ALL_UNREAD = "UNREAD"
RUN_PREFIX = "RUN#"
ALL_RUNS = "RUNS"
ATTEMPT_PREFIX = "ATTEMPT#"
ALL_CHECKS = "CHECKS"
ALL_WAITING_RUNS = "WAITING"
RUNS_UNDER_WAY = "UNDER_WAY"
"""The index key of channels whose run has a worker, so that dead runs are found without reading the other channels."""
ALL_PLANS = "PLANS"
IDEMPOTENCY = "IDEMPOTENCY"
"""The partition of the records of Idempotency-Keys, which expire after a day."""
TASK_PREFIX = "TASK#"
AFTER_TASKS = "TASK$"
"""Sorts after the tasks of a plan, and before its unfinished changes."""
OPEN_TASKS = "TASKS"
"""Tasks that can still be worked on, or whose end has not been propagated to dependent tasks."""
ALERT_PREFIX = "ALERT#"
ALL_ALERTS = "ALERTS"
OUTBOX = "OUTBOX"
"""Alerts that have not been handed to their subscribers yet."""
ALL_SUBSCRIPTIONS = "SUBSCRIPTIONS"
ALL_WATCHLISTS = "WATCHLISTS"
DELIVERY_PREFIX = "DELIVERY#"
OPEN_DELIVERIES = "DELIVERIES"
FAILING_DELIVERIES = "FAILING_DELIVERIES"
"""The index key of queued deliveries that have failed repeatedly, so that they are counted without the others."""
KNOWN_URL = "url"
"""The sort key of the items that make each URL unique."""
EXPORT_PREFIX = "EXPORT#"
IMPORT_PREFIX = "IMPORT#"
OPEN_EXPORTS = "OPEN_EXPORTS"
OPEN_IMPORTS = "OPEN_IMPORTS"
"""Unfinished transfers, where the scheduler finds those whose message was lost or whose worker died."""
NOTE_PREFIX = "NOTE#"
AUDIT = "AUDIT"
"""The partition of the record of who changed what."""
DEFAULT_SETTINGS_KEY = {"PK": "SETTINGS", "SK": "DEFAULTS"}
"""The item with the settings of people who have not chosen their own."""


def channel_pk(channel_id: str) -> str:
    return f"CHANNEL#{channel_id}"


def video_sk(video_id: str) -> str:
    return f"{VIDEO_PREFIX}{video_id}"


def video_pk(video_id: str) -> str:
    """The partition of a video's mentions."""
    return f"VIDEO#{video_id}"


def mention_sk(mention_id: str) -> str:
    return f"{MENTION_PREFIX}{mention_id}"


def log_sk(created_at: str, sequence: int) -> str:
    return f"{LOG_PREFIX}{created_at}#{sequence:08d}"


def youtube_channel_pk(youtube_channel_id: str) -> str:
    return f"YT#{youtube_channel_id}"


def youtube_video_pk(youtube_video_id: str) -> str:
    return f"YTVID#{youtube_video_id}"


def ticker_pk(ticker: str) -> str:
    return f"TICKER#{ticker}"


def channel_key(channel_id: str) -> dict[str, str]:
    return {"PK": channel_pk(channel_id), "SK": channel_pk(channel_id)}


def scorecard_key(channel_id: str) -> dict[str, str]:
    return {"PK": channel_pk(channel_id), "SK": "SCORECARD"}


def standing_key(channel_id: str) -> dict[str, str]:
    """The part of a scorecard that the leaderboard reads."""
    return {"PK": channel_pk(channel_id), "SK": "STANDING"}


def review_sk(video_id: str, ticker: str = "") -> str:
    """Without a ticker: the prefix of all reviews of a video."""
    return f"{REVIEW_PREFIX}{video_id}#{ticker}"


def review_key(channel_id: str, video_id: str, ticker: str) -> dict[str, str]:
    return {"PK": channel_pk(channel_id), "SK": review_sk(video_id, ticker)}


def change_key(channel_id: str, change_id: str) -> dict[str, str]:
    return {"PK": channel_pk(channel_id), "SK": f"{CHANGE_PREFIX}{change_id}"}


def unread_key(channel_id: str, video_id: str) -> dict[str, str]:
    return {"PK": channel_pk(channel_id), "SK": f"UNREAD#{video_id}"}


def review_queue_key(channel_id: str) -> dict[str, str]:
    return {"PK": channel_pk(channel_id), "SK": "REVIEW_QUEUE"}


def review_sample_key(channel_id: str) -> dict[str, str]:
    return {"PK": channel_pk(channel_id), "SK": "SAMPLE"}


def stocks_list_key(channel_id: str) -> dict[str, str]:
    return {"PK": channel_pk(channel_id), "SK": "STOCKS"}


def kept_calls_key(channel_id: str) -> dict[str, str]:
    return {"PK": channel_pk(channel_id), "SK": "CALLS"}


def run_key(channel_id: str, run_id: str) -> dict[str, str]:
    return {"PK": channel_pk(channel_id), "SK": f"{RUN_PREFIX}{run_id}"}


def run_pk(run_id: str) -> str:
    """The index key that finds a run by its id alone."""
    return f"{RUN_PREFIX}{run_id}"


def attempt_sk(video_id: str, run_id: str = "") -> str:
    """Without a run: the prefix of all attempts at a video."""
    return f"{ATTEMPT_PREFIX}{video_id}#{run_id}"


def attempt_key(channel_id: str, video_id: str, run_id: str) -> dict[str, str]:
    return {"PK": channel_pk(channel_id), "SK": attempt_sk(video_id, run_id)}


def check_key(channel_id: str) -> dict[str, str]:
    """The item that holds when a channel is checked next."""
    return {"PK": channel_pk(channel_id), "SK": "CHECK"}


def waiting_run_key(channel_id: str) -> dict[str, str]:
    """The item of a channel whose run waits for a slot."""
    return {"PK": channel_pk(channel_id), "SK": "WAITING"}


def channel_import_key(channel_id: str) -> dict[str, str]:
    """The item that represents a channel while it is being imported."""
    return {"PK": channel_pk(channel_id), "SK": "IMPORT"}


def alert_key(channel_id: str, occurred_at: str, alert_id: str) -> dict[str, str]:
    return {"PK": channel_pk(channel_id), "SK": f"{ALERT_PREFIX}{occurred_at}#{alert_id}"}


def plan_pk(plan_id: str) -> str:
    return f"PLAN#{plan_id}"


def plan_key(plan_id: str) -> dict[str, str]:
    """Sorts before its tasks, so that one query reads a plan together with its tasks."""
    return {"PK": plan_pk(plan_id), "SK": "PLAN"}


def task_key(plan_id: str, key: str) -> dict[str, str]:
    return {"PK": plan_pk(plan_id), "SK": f"{TASK_PREFIX}{key}"}


def plan_change_key(plan_id: str, kind: str) -> dict[str, str]:
    return {"PK": plan_pk(plan_id), "SK": f"UNFINISHED#{kind}"}


def plan_request_key(request: str) -> dict[str, str]:
    return {"PK": IDEMPOTENCY, "SK": f"PLAN#{request}"}


def audit_key(entry_id: str) -> dict[str, str]:
    return {"PK": AUDIT, "SK": entry_id}


def user_pk(user_id: str) -> str:
    return f"USER#{user_id}"


def subscription_key(user_id: str) -> dict[str, str]:
    """A person's alert subscription: the events they want and how they are delivered."""
    return {"PK": user_pk(user_id), "SK": "ALERTS"}


def watchlist_key(user_id: str) -> dict[str, str]:
    return {"PK": user_pk(user_id), "SK": "WATCHLIST"}


def user_key(user_id: str) -> dict[str, str]:
    return {"PK": user_pk(user_id), "SK": "USER"}


def daily_counts_key(user_id: str, day: str) -> dict[str, str]:
    """The item that counts what a person has added on a day."""
    return {"PK": user_pk(user_id), "SK": f"ADDED#{day}"}


def open_plans_key(user_id: str) -> dict[str, str]:
    """The item that lists the plans of a person that may be open."""
    return {"PK": user_pk(user_id), "SK": "OPEN_PLANS"}


def email_pk(email: str) -> str:
    """The index key that finds people by e-mail address, case-insensitively."""
    return f"EMAIL#{email.lower()}"


def settings_key(user_id: str) -> dict[str, str]:
    return {"PK": user_pk(user_id), "SK": "SETTINGS"}


def note_sk(ticker: str, note_id: str = "") -> str:
    """Without an id: the prefix of all notes on a stock."""
    return f"{NOTE_PREFIX}{ticker}#{note_id}"


def note_key(channel_id: str, ticker: str, note_id: str) -> dict[str, str]:
    return {"PK": channel_pk(channel_id), "SK": note_sk(ticker, note_id)}


def notes_pk(ticker: str) -> str:
    """The index key of a stock's notes across all channels."""
    return f"NOTES#{ticker}"


def note_request_key(channel_id: str, ticker: str, request: str) -> dict[str, str]:
    """The item that records which note a request with an Idempotency-Key created."""
    return {"PK": IDEMPOTENCY, "SK": f"{NOTE_PREFIX}{channel_id}#{ticker}#{request}"}


def delivery_key(user_id: str, alert_id: str, way: str) -> dict[str, str]:
    """The delivery of an alert to a person, by webhook or by e-mail."""
    return {"PK": user_pk(user_id), "SK": f"{DELIVERY_PREFIX}{alert_id}#{way}"}


def transfer_sk(prefix: str, transfer_id: str) -> str:
    """The sort key of an export or import, and the index key under which a worker finds it by id alone."""
    return f"{prefix}{transfer_id}"


def transfer_key(prefix: str, user_id: str, transfer_id: str) -> dict[str, str]:
    return {"PK": user_pk(user_id), "SK": transfer_sk(prefix, transfer_id)}


def open_transfers_key(listed_as: str, user_id: str) -> dict[str, str]:
    """The item that lists a person's unfinished exports or imports."""
    return {"PK": user_pk(user_id), "SK": listed_as}


def transfer_request_key(prefix: str, request: str) -> dict[str, str]:
    """The item that records which export or import a request with an Idempotency-Key started."""
    return {"PK": IDEMPOTENCY, "SK": transfer_sk(prefix, request)}


def guard_key(youtube_channel_id: str) -> dict[str, str]:
    """The item that reserves a YouTube channel. Names are case-insensitive, ids are not."""
    kind, is_name, name = youtube_channel_id.partition(":")
    identity = youtube_channel_id.casefold() if is_name and kind != "channel_id" else name or kind
    return {"PK": youtube_channel_pk(identity), "SK": youtube_channel_pk(identity)}


def slots_key() -> dict[str, str]:
    """The single item that lists the runs in progress."""
    return {"PK": "PLACES", "SK": "PLACES"}


def tokens_key(day: str) -> dict[str, str]:
    """The item that counts the tokens that models used on a day."""
    return {"PK": f"TOKENS#{day}", "SK": f"TOKENS#{day}"}


def video_key(channel_id: str, video_id: str) -> dict[str, str]:
    return {"PK": channel_pk(channel_id), "SK": video_sk(video_id)}


def mention_key(video_id: str, mention_id: str) -> dict[str, str]:
    return {"PK": video_pk(video_id), "SK": mention_sk(mention_id)}


def restatement_key(channel_id: str, ticker: str, as_of: str) -> dict[str, str]:
    """The item that counts a channel's prices that changed with a ticker's closes."""
    return {"PK": channel_pk(channel_id), "SK": f"{RESTATEMENT_PREFIX}{ticker}#{as_of}"}


def timeline_sk(published_at: str, published_time: str | None, video_id: str) -> str:
    """Orders videos by publication. The day comes first: it is in New York time, while the timestamp is in UTC."""
    return f"{published_at}#{published_time}#{video_id}" if published_time else f"{published_at}#{video_id}"


def series_pk(ticker: str) -> str:
    """The partition of a ticker's closes."""
    return f"PRICES#{ticker}"


def series_key(ticker: str) -> dict[str, str]:
    return {"PK": series_pk(ticker), "SK": SERIES_SK}


def series_check_keys(next_check_at: str) -> dict[str, str]:
    """The index keys of the series in use, most overdue first."""
    return {"GSI1PK": ALL_SERIES, "GSI1SK": next_check_at}


def series_year_sk(year: int) -> str:
    return f"YEAR#{year:04d}"


def series_year_key(ticker: str, year: int) -> dict[str, str]:
    return {"PK": series_pk(ticker), "SK": series_year_sk(year)}


def pace_key(service: str) -> dict[str, str]:
    """The item that stores when the next request to a service may be sent."""
    return {"PK": f"{PACE_PREFIX}{service}", "SK": f"{PACE_PREFIX}{service}"}


def feed_key(source: str, ticker: str) -> dict[str, str]:
    """The item that records when a stock's news was last read from a source, and what was read."""
    return {"PK": f"FEED#{source}#{ticker}", "SK": "FEED"}


def news_key(source_id: str, timestamp: str, tag: str | None = None) -> dict[str, str]:
    """The key of a news item, or of its copy under a tag."""
    return {"source_id": source_id, "timestamp": f"{timestamp}#{tag}" if tag else timestamp}


def known_url_key(digest: str) -> dict[str, str]:
    """The item that identifies a URL regardless of source and timestamp."""
    return {"source_id": f"url#{digest}", "timestamp": KNOWN_URL}
