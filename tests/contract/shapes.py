"""The objects of the contract: exactly these fields, of these types; null fields are present."""

import re
from collections.abc import Callable
from typing import Any
from uuid import UUID

Check = Callable[[Any], bool]

TIMESTAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")
DAY = re.compile(r"\d{4}-\d\d-\d\d")


def text(value: Any) -> bool:
    return isinstance(value, str)


def uuid(value: Any) -> bool:
    return isinstance(value, str) and str(UUID(value)) == value


def whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def count(value: Any) -> bool:
    return whole(value) and value >= 0


def number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def share(value: Any) -> bool:
    return number(value) and 0 <= value <= 1


def timestamp(value: Any) -> bool:
    return isinstance(value, str) and bool(TIMESTAMP.fullmatch(value))


def day(value: Any) -> bool:
    return isinstance(value, str) and bool(DAY.fullmatch(value))


def null(value: Any) -> bool:
    return value is None


def either(*checks: Check) -> Check:
    return lambda value: any(check(value) for check in checks)


def one_of(*choices: str) -> Check:
    return lambda value: value in choices


def has_shape(value: Any, shape: dict[str, Check]) -> None:
    assert isinstance(value, dict)
    assert value.keys() == shape.keys()
    wrong = {name: value[name] for name, check in shape.items() if not check(value[name])}
    assert not wrong


CHANNEL: dict[str, Check] = {
    "id": uuid,
    "youtube_channel_id": text,
    "name": text,
    "url": text,
    "thumbnail_url": either(text, null),
    "status": one_of("pending", "processing", "completed", "failed", "cancelled"),
    "video_count": count,
    "processed_video_count": count,
    "time_range_months": count,
    "check_every": one_of("off", "daily", "weekly"),
    "next_check_at": either(timestamp, null),
    "failed_runs": count,
    "is_slowed": lambda value: isinstance(value, bool),
    "created_at": timestamp,
    "updated_at": timestamp,
}
RUN: dict[str, Check] = {
    "id": text,
    "channel_id": uuid,
    "channel_name": text,
    "kind": one_of("process", "check", "reread"),
    "status": one_of("pending", "processing", "completed", "failed", "cancelled", "interrupted"),
    "started_by": one_of("person", "clock", "plan"),
    "starter": either(text, null),
    "started_at": timestamp,
    "ended_at": either(timestamp, null),
    **dict.fromkeys(("found", "videos", "processed", "skipped", "failed", "calls"), count),
    "analyst": either(text, null),
    "error": either(text, null),
    "continues": either(text, null),
    "continued_by": either(text, null),
    "tokens_in": count,
    "tokens_out": count,
}
ATTEMPT: dict[str, Check] = {
    "run_id": text,
    "outcome": one_of("completed", "skipped", "failed"),
    "ended_at": timestamp,
    "analyst": either(text, null),
    "mentions": count,
    "calls": count,
    "problem": either(text, null),
}
VIDEO: dict[str, Check] = {
    "id": uuid,
    "channel_id": uuid,
    "youtube_video_id": text,
    "title": text,
    "url": text,
    "published_at": day,
    "published_time": either(timestamp, null),
    "transcript_status": one_of("pending", "fetched", "unavailable", "failed"),
    "analysis_status": one_of("pending", "completed", "skipped", "failed"),
    "removed_at": either(timestamp, null),
    "created_at": timestamp,
}
ACTS = (
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
)
REASONS = (*ACTS[:8], "sponsored", "somebody_else", "on_condition", "opinion", "news", "unclear")
STATEMENT: dict[str, Check] = {
    "act": one_of(*ACTS),
    "speaker": one_of("host", "guest", "other"),
    "possible_act": either(one_of(*ACTS), null),
    **dict.fromkeys(("company", "heard", "condition", "horizon", "second_quote"), either(text, null)),
    "target_price": either(number, null),
    "conviction": either(lambda value: whole(value) and 1 <= value <= 3, null),
    "sponsored": lambda value: isinstance(value, bool),
    "listed": lambda value: isinstance(value, bool),
    "second_quote_seconds": either(count, null),
}
OWN_TARGET: dict[str, Check] = {
    "price": number,
    "reached": either(lambda value: isinstance(value, bool), null),
    "reached_on": either(day, null),
}


def shaped(shape: dict[str, Check]) -> Check:
    """A check of a nested object, which must be there and have this shape."""

    def check(value: Any) -> bool:
        has_shape(value, shape)
        return True

    return check


EVIDENCE: dict[str, Check] = {
    "start_seconds": either(count, null),
    "quote_url": text,
    "analyst": either(text, null),
    "review": either(one_of("confirmed", "corrected", "rejected"), null),
    "read_as": either(one_of("buy", "hold", "sell", "mentioned"), null),
    "review_version": either(count, null),
    "statement": either(null, shaped(STATEMENT)),
    "reason": either(one_of(*REASONS), null),
    "explanation": either(text, null),
}
CHANNEL_VIDEO: dict[str, Check] = {
    **VIDEO,
    "problem": either(text, null),
    "transcript_kept": lambda value: isinstance(value, bool),
    "analyst": either(text, null),
    "mentions": count,
    "calls": count,
    "tokens_in": either(count, null),
    "tokens_out": either(count, null),
}
MENTION: dict[str, Check] = {
    "id": uuid,
    "video_id": uuid,
    "ticker": text,
    "sentiment": one_of("buy", "hold", "sell", "mentioned"),
    "price_at_mention": either(number, null),
    "confidence_score": either(number, null),
    "context_snippet": either(text, null),
    "possible_sentiment": either(one_of("buy", "hold", "sell"), null),
    **EVIDENCE,
    "created_at": timestamp,
    "price_problem": either(text, null),
    "video": either(null, lambda value: isinstance(value, dict)),
}
REVIEWED_MENTION: dict[str, Check] = {**MENTION, "statement_as_read": either(null, shaped(STATEMENT))}
CHANNEL_STOCK: dict[str, Check] = {
    "ticker": text,
    "name": either(text, null),
    "first_mention_date": day,
    "first_mention_video_id": uuid,
    "first_mention_video_title": text,
    "price_at_first_mention": either(number, null),
    "current_price": either(number, null),
    "price_change_percent": either(number, null),
    "buy_count": count,
    "hold_count": count,
    "sell_count": count,
    "mentioned_count": count,
    "total_mentions": count,
    "yahoo_finance_url": text,
    "price_as_of": either(day, null),
    "price_problem": either(text, null),
}
BENCHMARK: dict[str, Check] = {"ticker": text, "name": text, "with_dividends": lambda value: isinstance(value, bool)}
KIND_SCORE: dict[str, Check] = {
    "calls": count,
    "mean_excess_percent": either(number, null),
    "beat_rate": either(share, null),
}
READING = {
    *("right_rate", "right_low", "right_high", "source", "found_rate", "tipping_excess"),
    *("mean_excess_corrected", "mean_excess_corrected_low", "mean_excess_corrected_high"),
}
HORIZON_SCORE: dict[str, Check] = {
    "horizon": one_of("1w", "1m", "3m", "6m", "1y"),
    **dict.fromkeys(("sessions", "calls", "pending", "unpriced", "ended", "departed", "days_invested"), count),
    **dict.fromkeys(
        (
            "mean_return_percent",
            "mean_excess_percent",
            "median_excess_percent",
            "excess_low_percent",
            "excess_high_percent",
            "mean_excess_net_percent",
            "independent_calls",
            "base_excess_percent",
            "alpha_percent",
            "alpha_t",
            "beta",
            "expected_alpha_percent",
            "timing_alpha_percent",
            "timing_t",
            "run_up_percent",
        ),
        either(number, null),
    ),
    **dict.fromkeys(
        (
            "hit_rate",
            "beat_rate",
            "beat_rate_low",
            "beat_rate_high",
            "base_hit_rate",
            "base_beat_rate",
            "placebo_p_value",
            "follows_news_rate",
            "p_value",
            "timing_p_value",
        ),
        either(share, null),
    ),
    "calls_needed": either(count, null),
    "flips_to_turn": either(count, null),
    "reading": lambda value: value.keys() == READING,
    "without_best_ticker": either(null, lambda value: value.keys() == {"ticker", "mean_excess_percent"}),
    "by_kind": lambda value: value.keys() == {"buy", "sell"},
    "entry_sensitivity": lambda value: (
        value.keys() == {"before_publication", "ours", "one_session_later", "five_sessions_later"}
    ),
    **dict.fromkeys(("distribution", "best", "worst"), lambda value: isinstance(value, list)),
}
LEADERBOARD_ITEM: dict[str, Check] = {
    "rank": either(count, null),
    "channel": lambda value: isinstance(value, dict),
    "calls": count,
    "pending": count,
    **dict.fromkeys(
        (
            "mean_excess_percent",
            "excess_low_percent",
            "excess_high_percent",
            "alpha_percent",
            "alpha_t",
            "expected_alpha_percent",
            "timing_alpha_percent",
            "independent_calls",
        ),
        either(number, null),
    ),
    **dict.fromkeys(
        (
            "beat_rate",
            "base_beat_rate",
            "p_value",
            "timing_p_value",
            "joint_p_value",
            "q_value",
            "alpha_q_value",
            "placebo_p_value",
            "right_rate",
            "right_low",
        ),
        either(share, null),
    ),
    "days_invested": count,
    "flips_to_turn": either(count, null),
    "right_source": either(one_of("reviews", "analyst"), null),
    "verdict": one_of(
        "beats_market", "lags_market", "like_its_stocks", "not_proven", "read_too_poorly", "too_few_calls"
    ),
}
SCORED_CALL: dict[str, Check] = {
    "video_id": uuid,
    "video_title": text,
    "ticker": text,
    "name": either(text, null),
    "sentiment": one_of("buy", "sell"),
    "published_at": day,
    "published_time": either(timestamp, null),
    "quote": either(text, null),
    "confidence": either(number, null),
    **EVIDENCE,
    "removed_at": either(timestamp, null),
    "status": one_of("scored", "pending", "unpriced", "ended"),
    "entry_date": either(day, null),
    "entry_price": either(number, null),
    "exit_date": either(day, null),
    "exit_price": either(number, null),
    "return_percent": either(number, null),
    "benchmark_percent": either(number, null),
    "excess_percent": either(number, null),
    "matures_on": either(day, null),
    "unpriced_reason": either(one_of("departed"), null),
    "news_before": either(null, lambda value: value.keys() == {"positive", "neutral", "negative"}),
    "own_target": either(null, shaped(OWN_TARGET)),
}
BACKTEST_STATS: dict[str, Check] = dict.fromkeys(
    ("cagr_percent", "volatility_percent", "sharpe", "max_drawdown_percent", "turnover_per_year", "final_value"),
    either(number, null),
)
LOG: dict[str, Check] = {
    "id": whole,
    "channel_id": uuid,
    "log_level": one_of("info", "warning", "error"),
    "message": text,
    "created_at": timestamp,
}
INVALID: dict[str, Check] = {
    "type": text,
    "loc": lambda value: isinstance(value, list) and value[0] in ("body", "query"),
    "msg": text,
    "input": lambda value: True,
}
QUEUED_MENTION: dict[str, Check] = {
    "mention": lambda value: isinstance(value, dict),
    "name": either(text, null),
    "reason": one_of("possible", "doubtful", "sampled"),
    "excess_percent": null,
}
CALL_IN_CONTEXT: dict[str, Check] = {
    "mention": lambda value: isinstance(value, dict),
    "name": either(text, null),
    "before": either(text, null),
    "quote": either(text, null),
    "after": either(text, null),
    "review": either(null, lambda value: isinstance(value, dict)),
}
CALL_TOLD: dict[str, Check] = {
    "ticker": text,
    "sentiment": one_of("buy", "sell"),
    "before": either(one_of("buy", "sell"), null),
    "is_reversal": lambda value: isinstance(value, bool),
    "quote": either(text, null),
    "quote_url": text,
}
ALERT: dict[str, Check] = {
    "id": text,
    "kind": one_of("calls", "verdict", "matured"),
    "channel_id": uuid,
    "channel_name": text,
    "occurred_at": timestamp,
    "created_at": timestamp,
    "video_id": either(uuid, null),
    "video_title": either(text, null),
    "details": lambda value: isinstance(value, list) and len(value) > 0,
}
ALERT_SETTINGS: dict[str, Check] = {
    "webhook_url": either(text, null),
    "email": either(text, null),
    "kinds": lambda value: isinstance(value, list),
    "channels": one_of("all", "watched"),
    "digest": one_of("none", "daily"),
    "signing_key": either(text, null),
    "email_available": lambda value: isinstance(value, bool),
    "email_confirmed": either(null, lambda value: isinstance(value, bool)),
    "last_delivered_at": either(timestamp, null),
    "last_problem": either(text, null),
    "failing": count,
    "version": count,
}
CHANGE: dict[str, Check] = {
    "id": text,
    "kind": one_of("reviewed", "reread", "handed_in", "restated", "redated", "removed"),
    "message": text,
    "created_at": timestamp,
    "changed_by": either(text, null),
    "video_id": either(uuid, null),
    "ticker": either(text, null),
}
ME: dict[str, Check] = {
    "user_id": text,
    "email": either(text, null),
    "first_seen_at": timestamp,
    "last_seen_at": timestamp,
    "name": either(text, null),
    "role": one_of("reader", "editor", "admin"),
}
SETTINGS: dict[str, Check] = {
    "horizon": one_of("1w", "1m", "3m", "6m", "1y"),
    "cost_bps": number,
    "review_below": share,
    "benchmark": text,
    "own": lambda value: isinstance(value, list),
    "version": count,
}
NOTE: dict[str, Check] = {
    "id": text,
    "channel_id": uuid,
    "ticker": text,
    "text": text,
    "author": text,
    "created_at": timestamp,
    "updated_at": timestamp,
    "version": count,
}
TASK: dict[str, Check] = {
    "key": text,
    "kind": one_of("add_channel", "process", "reread", "refresh_prices", "backfill_prices", "score", "export"),
    "channel_id": either(text, null),
    "url": either(text, null),
    "depends_on": lambda value: isinstance(value, list) and all(map(text, value)),
    "status": one_of("pending", "running", "completed", "failed", "skipped", "cancelled"),
    "attempts": count,
    "started_at": either(timestamp, null),
    "ended_at": either(timestamp, null),
    "error": either(text, null),
    "run_id": either(text, null),
    "export_id": either(text, null),
    "result": either(text, null),
}
EXPORT: dict[str, Check] = {
    "id": text,
    "user_id": text,
    "status": one_of("PENDING", "PROCESSING", "COMPLETED", "FAILED"),
    "format": one_of("csv", "jsonl"),
    "channel_ids": lambda value: isinstance(value, list) and all(map(uuid, value)),
    "channels": either(count, null),
    "channels_done": count,
    "zip_key": either(text, null),
    "size_bytes": either(count, null),
    "error_message": either(text, null),
    "created_at": timestamp,
    "updated_at": timestamp,
    "expires_at": timestamp,
}
IMPORT: dict[str, Check] = {
    "id": text,
    "user_id": text,
    "key": text,
    "status": one_of("PENDING", "PROCESSING", "COMPLETED", "FAILED"),
    "items": either(count, null),
    "items_done": count,
    "channels": count,
    "videos": count,
    "mentions": count,
    "skipped": lambda value: isinstance(value, list) and all(map(text, value)),
    "skipped_count": count,
    "error_message": either(text, null),
    "complaints": lambda value: isinstance(value, list) and all(map(text, value)),
    "complaint_count": count,
    "remarks": lambda value: isinstance(value, list) and all(map(text, value)),
    "created_at": timestamp,
    "updated_at": timestamp,
    "expires_at": timestamp,
}
PLAN_SUMMARY: dict[str, Check] = {
    "id": text,
    "name": text,
    "status": one_of("running", "completed", "failed", "cancelled"),
    "created_at": timestamp,
    "created_by": text,
    "ended_at": either(timestamp, null),
    "total": count,
    "ended": count,
    "failed": count,
}
PLAN: dict[str, Check] = {**PLAN_SUMMARY, "tasks": lambda value: isinstance(value, list)}
NEWS: dict[str, Check] = {
    **dict.fromkeys(("source_id", "source_url", "title", "text_snippet"), text),
    "timestamp": timestamp,
    "source_type": one_of("rss", "newsapi", "edgar", "manual", "demo"),
    "tags": lambda value: isinstance(value, list) and 1 <= len(value) <= 5 and all(map(text, value)),
    "sentiment": either(one_of("positive", "neutral", "negative"), null),
    "score": either(share, null),
    "model_version": either(text, null),
    "status": one_of("pending", "analyzed"),
    "metadata": lambda value: value.keys() == {"title", "author", "published_at", "source_name"},
}
DAY_OF_NEWS: dict[str, Check] = {
    "date": day,
    **dict.fromkeys(("positive", "neutral", "negative", "pending"), count),
}
