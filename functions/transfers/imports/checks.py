"""Validates the values of an import beyond their types. Each check returns what is wrong with a value."""

import re
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from typing import Any

from functions.reading.policy import Reason
from functions.reading.statements import MAX_PHRASE_LENGTH, Act, Speaker
from functions.reading.terms import Exchange, Sentiment
from functions.reading.tickers import is_ticker
from functions.record.channels.youtube_urls import parse_channel_url
from functions.record.models.records import AnalysisStatus, ChannelStatus, CheckEvery, ReviewOutcome, TranscriptStatus
from functions.record.models.series import PriceProblem, SeriesHeader
from functions.record.prices.validation import is_price
from functions.record.reviews.sample import SAMPLE_SIZE
from functions.record.runs.listing import MAX_TITLE_LENGTH
from functions.record.runs.reading import MAX_CONTEXT_LENGTH
from functions.runtime.errors import InvalidValue
from functions.runtime.ids import is_ulid, is_uuid
from functions.runtime.text import web_address
from functions.transfers.imports.problems import shown

Check = Callable[[Any], str | None]

MAX_NAME_LENGTH = 200
"""Maximum length of YouTube ids, analysts, people and sources."""
MAX_TEXT_LENGTH = 10_000
"""Maximum length of notes and reasons."""
MAX_MONTHS = 36
OLDEST_DAY = date(1900, 1, 1)
_YOUTUBE_ID = re.compile(r"[\w\-]{1,64}", re.ASCII)


def text(most: int) -> Check:
    def check(value: str) -> str | None:
        if "\0" in value:
            return "holds a NUL character"
        if not value.strip():
            return "is empty"
        return f"is longer than {most:,} characters" if len(value) > most else None

    return check


def one_of(allowed: type[StrEnum]) -> Check:
    choices = set(allowed)
    return lambda value: None if value in choices else f"must be one of {', '.join(allowed)}, not {shown(value)}"


def between(least: float, most: float) -> Check:
    return lambda value: None if least <= value <= most else f"must be from {least:,} to {most:,}, not {shown(value)}"


def an_id(value: str) -> str | None:
    return None if is_uuid(value) else f"must be a UUID in small letters, not {shown(value)}"


def a_note_id(value: str) -> str | None:
    return None if is_ulid(value) else f"must be a ULID, not {shown(value)}"


def a_ticker(value: str) -> str | None:
    return None if is_ticker(value) else f"must be a ticker, not {shown(value)}"


def a_price(value: float) -> str | None:
    return None if is_price(value) else f"cannot be a price: {shown(value)}"


def a_web_address(value: str) -> str | None:
    return None if web_address(value) else f"must be an http or https address, not {shown(value)}"


def a_channel_address(value: str) -> str | None:
    try:
        parse_channel_url(value)
    except ValueError as problem:
        return f"names no channel: {problem}"
    return text(MAX_URL_LENGTH)(value)


def a_youtube_video(value: str) -> str | None:
    return None if _YOUTUBE_ID.fullmatch(value) else f"must be YouTube's id of a video, not {shown(value)}"


def a_past_day(value: str) -> str | None:
    """At most today, in the earliest time zone."""
    latest = datetime.now(UTC).date() + timedelta(days=1)
    return None if OLDEST_DAY <= date.fromisoformat(value) <= latest else f"cannot be the day of a close: {value}"


def a_day(value: str) -> str | None:
    """The date of a premiere may be in the future."""
    latest = datetime.now(UTC).date() + timedelta(days=2 * 365)
    return None if OLDEST_DAY <= date.fromisoformat(value) <= latest else f"is not plausible: {value}"


def a_timestamp(value: str) -> str | None:
    """Timestamps in the year 1 can fall before the first date that New York time can represent."""
    return a_day(value[:10]) and f"is not plausible: {value}"


def names_on_youtube(value: tuple[str, ...]) -> str | None:
    if not 0 < len(value) <= MAX_GUARDS:
        return f"must hold from 1 to {MAX_GUARDS} names"
    return next((problem for name in value if (problem := text(MAX_NAME_LENGTH)(name))), None)


def splits(value: tuple[str, ...]) -> str | None:
    try:
        header = SeriesHeader("", "", splits=value)  # type: ignore[arg-type]
    except InvalidValue:
        return "must each be a day and a ratio"
    return next((f"cannot hold the ratio {each.ratio!r}" for each in header.splits if not is_price(each.ratio)), None)


def sampled_calls(value: tuple[str, ...]) -> str | None:
    if len(value) > SAMPLE_SIZE:
        return f"must hold at most {SAMPLE_SIZE} calls"
    if len(set(value)) < len(value):
        return "names a call twice"
    places = (each.partition(" ") for each in value)
    is_wrong = any(an_id(video_id) or a_ticker(ticker) for video_id, _, ticker in places)
    return "must each be a video's id and a ticker, with a space between" if is_wrong else None


MAX_URL_LENGTH = 2048
MAX_GUARDS = 20
MAX_SECONDS = 7 * 24 * 60 * 60

_NAME = text(MAX_NAME_LENGTH)
_TITLE = text(MAX_TITLE_LENGTH)
_LONG = text(MAX_TEXT_LENGTH)
_PHRASE = text(MAX_PHRASE_LENGTH)
_SENTIMENT = one_of(Sentiment)
_ACT = one_of(Act)
_REASON = one_of(Reason)
_SPEAKER = one_of(Speaker)
_COUNT = between(0, 10_000_000)
_SECOND = between(0, MAX_SECONDS)

CHECKS: dict[str, dict[str, Check]] = {
    "channels": {
        "id": an_id,
        "youtube_channel_id": _NAME,
        "name": _TITLE,
        "url": a_channel_address,
        "thumbnail_url": a_web_address,
        "status": one_of(ChannelStatus),
        "time_range_months": between(1, MAX_MONTHS),
        "check_every": one_of(CheckEvery),
        "video_count": _COUNT,
        "processed_video_count": _COUNT,
        "guards": names_on_youtube,
        "sample": sampled_calls,
        "newest_video_at": a_day,
        "listed_months": between(1, MAX_MONTHS),
    },
    "videos": {
        "id": an_id,
        "channel_id": an_id,
        "youtube_video_id": a_youtube_video,
        "title": _TITLE,
        "url": a_web_address,
        "published_at": a_day,
        "published_time": a_timestamp,
        "transcript_status": one_of(TranscriptStatus),
        "analysis_status": one_of(AnalysisStatus),
        "analyst": _NAME,
        "problem": _LONG,
    },
    "mentions": {
        "video_id": an_id,
        "channel_id": an_id,
        "ticker": a_ticker,
        "sentiment": _SENTIMENT,
        "possible_sentiment": _SENTIMENT,
        "price_at_mention": a_price,
        "confidence_score": between(0, 1),
        "context_snippet": text(MAX_CONTEXT_LENGTH),
        "start_seconds": _SECOND,
        "analyst": _NAME,
        "review": one_of(ReviewOutcome),
        "read_as": _SENTIMENT,
        "review_version": _COUNT,
        "act": _ACT,
        "reason": _REASON,
        "speaker": _SPEAKER,
        "possible_act": _ACT,
        "company": _PHRASE,
        "heard": _PHRASE,
        "condition": _PHRASE,
        "horizon": _PHRASE,
        "target_price": a_price,
        "conviction": between(1, 3),
        "second_quote": text(MAX_CONTEXT_LENGTH),
        "second_quote_seconds": _SECOND,
        "act_as_read": _ACT,
        "reason_as_read": _REASON,
        "speaker_as_read": _SPEAKER,
        "possible_act_as_read": _ACT,
        "condition_as_read": _PHRASE,
    },
    "reviews": {
        "channel_id": an_id,
        "video_id": an_id,
        "ticker": a_ticker,
        "version": between(1, 10_000_000),
        "outcome": one_of(ReviewOutcome),
        "sentiment": _SENTIMENT,
        "reviewed_by": _NAME,
        "note": _LONG,
        "quote": text(MAX_CONTEXT_LENGTH),
        "start_seconds": _SECOND,
        "act": _ACT,
        "speaker": _SPEAKER,
    },
    "stocks": {
        "ticker": a_ticker,
        "name": _TITLE,
        "exchange": one_of(Exchange),
        "last_price": a_price,
        "price_as_of": a_past_day,
        "price_problem": one_of(PriceProblem),
        "series_source": _NAME,
        "series_currency": text(10),
        "series_wanted_from": a_day,
        "series_fetched_from": a_day,
        "series_splits": splits,
    },
    "prices": {"ticker": a_ticker, "day": a_past_day, "close": a_price, "total_close": a_price},
    "notes": {
        "id": a_note_id,
        "channel_id": an_id,
        "ticker": a_ticker,
        "text": _LONG,
        "author": _NAME,
        "version": between(1, 10_000_000),
    },
}
"""By table and column of an archive."""
