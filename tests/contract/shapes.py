"""The objects of the contract: exactly these fields, of these types; null fields are present."""

import re
from collections.abc import Callable
from typing import Any
from uuid import UUID

Check = Callable[[Any], bool]

MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")
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


def moment(value: Any) -> bool:
    return isinstance(value, str) and bool(MOMENT.fullmatch(value))


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
    "created_at": moment,
    "updated_at": moment,
}
VIDEO: dict[str, Check] = {
    "id": uuid,
    "channel_id": uuid,
    "youtube_video_id": text,
    "title": text,
    "url": text,
    "published_at": day,
    "published_time": either(moment, null),
    "transcript_status": one_of("pending", "fetched", "unavailable", "failed"),
    "analysis_status": one_of("pending", "completed", "skipped", "failed"),
    "created_at": moment,
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
    "created_at": moment,
    "video": either(null, lambda value: isinstance(value, dict)),
}
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
}
LOG: dict[str, Check] = {
    "id": whole,
    "channel_id": uuid,
    "log_level": one_of("info", "warning", "error"),
    "message": text,
    "created_at": moment,
}
INVALID: dict[str, Check] = {
    "type": text,
    "loc": lambda value: isinstance(value, list) and value[0] in ("body", "query"),
    "msg": text,
    "input": lambda value: True,
}
