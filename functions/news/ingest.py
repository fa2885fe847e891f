"""Collects news about the stocks that channels mention and users watch, each story once.

A feed is claimed before it is read, and its state is saved after its stories are stored. A worker that dies in between
loses nothing: the next read stores the missing stories.
"""

import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime, timedelta

from pydantic import ValidationError

from functions.news import providers
from functions.news.add import listed_tags
from functions.news.feed_store import Place, claim_feed, feeds_by_place, save_feed
from functions.news.incoming import MAX_TEXT, IncomingNews, NotYet
from functions.news.jobs import ITEMS_PER_JOB, request_analysis
from functions.news.models import MAX_TAGS, Feed, NewsItem
from functions.news.protocols import FeedReading, Headline, NewsSource, Validators
from functions.news.store import NewsKey, add_tags, put_or_find
from functions.reading.listings import is_listed
from functions.record.store.price_series import tickers_in_use
from functions.record.store.watchlists import watched_tickers
from functions.runtime.clock import now, timestamp, to_milliseconds
from functions.runtime.dynamodb.rate_limits import take_turn
from functions.runtime.dynamodb.requests import chunked
from functions.runtime.observability import describe, logger
from functions.runtime.provider_errors import ProviderError, Refused, Throttled
from functions.runtime.settings import settings
from functions.runtime.text import one_line

SECONDS_TO_BEGIN = 120.0
"""No feed is started after this many seconds, which leaves a four-minute function time to store what it has read."""
FAILURES_IN_A_ROW = 3
"""Consecutive failures after which a source is skipped until the next tick."""
OTHERS_SHARE = 4
"""One slot in this many is for stocks that nobody watches, if there are any."""
KEPT_DAYS = 90
"""Days for which the state of a feed is stored."""
SLACK = timedelta(minutes=1)
"""The scheduler may fire a little early."""
UNFINISHED = "Reading it was not finished."
LOGGED_PER_FEED = 3
SEEN_DIGITS = 16
MAX_SEEN = 200


@dataclass(frozen=True, slots=True)
class SourceTick:
    """The result of one source in one scheduled run."""

    source: str
    feeds: int = 0
    unchanged: int = 0
    stored: int = 0
    known: int = 0
    tagged: int = 0
    """Known stories that got another tag."""
    invalid: int = 0
    failed: int = 0
    """Feeds that could not be read completely."""
    left: int = 0
    """Feeds that are still due."""
    lag_seconds: int = 0
    """Seconds since the least recently read feed of this source was read."""
    problem: ProviderError | None = None
    """The reason why the remaining feeds were not read."""


@dataclass(frozen=True, slots=True)
class Tick:
    sources: tuple[SourceTick, ...] = ()

    @property
    def lag_seconds(self) -> int:
        """The lag of the source that is furthest behind."""
        return max((source.lag_seconds for source in self.sources), default=0)


@dataclass(frozen=True, slots=True)
class _Due:
    """Selects the feeds last read before one timestamp, or failed before another."""

    read_before: str
    failed_before: str

    def takes(self, feed: Feed | None) -> bool:
        if feed is None or feed.read_at < self.read_before:
            return True
        return feed.problem is not None and feed.read_at < self.failed_before


@dataclass(slots=True)
class _Read:
    feed: Feed
    reading: FeedReading
    seen_before: frozenset[str]
    """Stories in the previous read. They are stored, or have expired since."""
    seen: list[str] = field(default_factory=list)
    is_early: bool = False
    """True if it had stories dated in the future, which become valid later."""


def ingest_due_news() -> Tick:
    """Reads the feeds due according to the setting NEWS_EVERY; none if that is off."""
    minutes = settings().news_every_minutes
    if minutes is None:
        return Tick()
    return ingest_news(timestamp(datetime.now(UTC) - timedelta(minutes=minutes) + SLACK))


def ingest_news(read_before: str, *, from_scratch: bool = False, failed_before: str | None = None) -> Tick:
    """Reads feeds last read before one timestamp, or failed before another, up to the limit per tick.

    With `from_scratch` they are read in full, ignoring cache validators.
    """
    watched, others = tickers_with_news()
    names = settings().news_providers
    feeds = feeds_by_place((name, ticker) for name in names for ticker in (*watched, *others))
    due = _Due(read_before, failed_before or "")
    end = time.monotonic() + SECONDS_TO_BEGIN
    ticks: list[SourceTick] = []
    for name in names:
        # An equal part of the remaining time: a slow source must not starve the next ones.
        began = time.monotonic()
        deadline = began + (end - began) / (len(names) - len(ticks))
        ticks.append(_tick(name, watched, others, feeds, due, deadline, from_scratch))
    return Tick(tuple(ticks))


def tickers_with_news() -> tuple[list[str], list[str]]:
    """Returns the watched tickers, and the others that channels mention. Skips unlisted ones, such as indices."""
    watched = {ticker for ticker in watched_tickers() if is_listed(ticker)}
    return sorted(watched), sorted(ticker for ticker in set(tickers_in_use()) - watched if is_listed(ticker))


def _tick(
    name: str,
    watched: Sequence[str],
    others: Sequence[str],
    feeds: dict[Place, Feed],
    due: _Due,
    deadline: float,
    from_scratch: bool,
) -> SourceTick:
    known = {ticker: feeds.get((name, ticker)) for ticker in (*watched, *others)}
    due_watched, due_others = (_stalest_first(some, known, due) for some in (watched, others))
    tick = SourceTick(name, lag_seconds=_lag(known.values()))
    try:
        source = providers.news_source(name)
    except ProviderError as problem:
        _log_failure(name, None, problem)
        return _told(replace(tick, failed=1, problem=problem))
    is_others_turn = _last_read(known) in watched
    chosen = _chosen(due_watched, due_others, source.feeds_at_once, is_others_turn)
    if chosen and source.seconds_between and not take_turn(f"news from {name}", source.seconds_between):
        return replace(tick, left=len(due_watched) + len(due_others))
    tick, read = _read_all(tick, source, chosen, known, deadline, from_scratch)
    tick = _store(tick, source, read)
    for each in read:
        save_feed(_noted(each))
    return _told(replace(tick, left=len(due_watched) + len(due_others) - tick.feeds))


def _stalest_first(tickers: Iterable[str], known: dict[str, Feed | None], due: _Due) -> list[str]:
    read_at = {ticker: feed.read_at if (feed := known[ticker]) else "" for ticker in tickers}
    return sorted((ticker for ticker in read_at if due.takes(known[ticker])), key=lambda each: read_at[each])


def _last_read(known: dict[str, Feed | None]) -> str | None:
    newest = max((feed for feed in known.values() if feed), key=lambda feed: feed.read_at, default=None)
    return newest.ticker if newest else None


def _chosen(watched: list[str], others: list[str], most: int, is_others_turn: bool) -> list[str]:
    """Puts watched tickers first without starving the others. A single slot alternates between the two."""
    share = max(1, most // OTHERS_SHARE) if most > 1 else int(is_others_turn)
    kept = min(len(others), share)
    first = watched[: most - kept] if len(watched) + len(others) > most else watched
    return [*first, *others][:most]


def _read_all(
    tick: SourceTick,
    source: NewsSource,
    tickers: Iterable[str],
    known: dict[str, Feed | None],
    deadline: float,
    from_scratch: bool,
) -> tuple[SourceTick, list[_Read]]:
    read: list[_Read] = []
    in_a_row = 0
    for ticker in tickers:
        if time.monotonic() > deadline or in_a_row == FAILURES_IN_A_ROW:
            break
        before = known[ticker]
        # The feed keeps the problem UNFINISHED if the worker dies.
        expires_at = int(time.time()) + KEPT_DAYS * 86_400
        feed = Feed(tick.source, ticker, now(), problem=UNFINISHED, expires_at=expires_at)
        if not claim_feed(feed, before.read_at if before else None):
            continue
        validators = Validators(before.etag, before.last_modified) if before and not from_scratch else Validators()
        try:
            reading = source.headlines(ticker, validators)
        except ProviderError as problem:
            _log_failure(tick.source, ticker, problem)
            save_feed(_failed(feed, before, str(problem)))
            tick = replace(tick, feeds=tick.feeds + 1, failed=tick.failed + 1)
            in_a_row += 1
            if isinstance(problem, Throttled | Refused):
                return replace(tick, problem=problem), read
            continue
        except Exception as fault:
            # One unexpected response must not stop the other feeds.
            logger.exception("Reading a feed failed", extra={"source": tick.source, "ticker": ticker})
            save_feed(_failed(feed, before, f"Reading it failed with {type(fault).__name__}."))
            tick = replace(tick, feeds=tick.feeds + 1, failed=tick.failed + 1)
            in_a_row += 1
            continue
        in_a_row = 0
        if reading.problem:
            logger.warning("A feed was read in part", source=tick.source, ticker=ticker, reason=reading.problem)
        seen = (before.seen or "").split() if before and not from_scratch else ()
        read.append(_Read(feed, reading, frozenset(seen)))
        tick = replace(
            tick,
            feeds=tick.feeds + 1,
            unchanged=tick.unchanged + reading.is_unchanged,
            failed=tick.failed + bool(reading.problem),
        )
    return tick, read


def _store(tick: SourceTick, source: NewsSource, read: Sequence[_Read]) -> SourceTick:
    """Stores a story once with all its tags, even if several feeds report it, in this tick or in different ones."""
    stories: dict[str, NewsItem] = {}
    invalid = known = 0
    for each in read:
        refused = 0
        for headline in each.reading.headlines:
            try:
                story = _validated(headline).to_item(source.source_type)
            except ValueError as problem:
                refused += 1
                each.is_early = each.is_early or _is_early(problem)
                if refused <= LOGGED_PER_FEED:
                    _log_invalid(each.feed, headline, problem)
                continue
            digest = story.digest
            each.seen.append(digest[:SEEN_DIGITS])
            if digest[:SEEN_DIGITS] in each.seen_before:
                known += 1
                continue
            tags = (*(stories[digest].matched_tags if digest in stories else ()), *story.matched_tags)
            stories[digest] = replace(story, matched_tags=tuple(dict.fromkeys(tags))[:MAX_TAGS])
        invalid += refused
    stored = tagged = 0
    new_tags: list[str] = []
    for some in chunked(stories.values(), ITEMS_PER_JOB):
        unread: list[NewsKey] = []
        for item in some:
            url = put_or_find(item)
            if url is None:
                stored += 1
                new_tags += item.matched_tags
                unread.append(item.key)
            elif url.lacks(item.matched_tags) and (added := add_tags(url, item.matched_tags)):
                tagged += 1
                new_tags += added
                unread.append((url.source_id, url.published_at))
        request_analysis(unread)
    _log_tags(tick.source, new_tags)
    return replace(tick, stored=stored, known=known + len(stories) - stored, tagged=tagged, invalid=invalid)


def _noted(read: _Read) -> Feed:
    """The state of the feed for the next read."""
    reading = read.reading
    seen = read.seen_before if reading.is_unchanged else dict.fromkeys(read.seen)
    # With validators, an unchanged feed would be skipped next time, and its early story lost.
    validators = Validators() if read.is_early else reading.validators
    return replace(
        read.feed,
        etag=validators.etag,
        last_modified=validators.last_modified,
        seen=" ".join(list(seen)[:MAX_SEEN]) or None,
        problem=reading.problem,
    )


def _failed(feed: Feed, before: Feed | None, problem: str) -> Feed:
    """Keeps the previous state of the feed."""
    return replace(before or feed, read_at=feed.read_at, expires_at=feed.expires_at, problem=problem)


def _validated(headline: Headline) -> IncomingNews:
    """Raises ValueError if the story is invalid or isn't about a listed share."""
    values = {name: value[:MAX_TEXT] if isinstance(value, str) else value for name, value in asdict(headline).items()}
    # For most sources the first tag is the requested stock. The others are arbitrary.
    own = [tag for tag in headline.tags[:1] if is_listed(tag)]
    story = IncomingNews.model_validate({**values, "tags": own})
    tags = [*own, *listed_tags(headline.tags[1:], story.published_at.date())]
    return story.model_copy(update={"tags": list(dict.fromkeys(tags))[:MAX_TAGS]})


def _is_early(problem: ValueError) -> bool:
    errors = problem.errors() if isinstance(problem, ValidationError) else []
    return any(isinstance(each.get("ctx", {}).get("error"), NotYet) for each in errors)


def _lag(feeds: Iterable[Feed | None]) -> int:
    """Ignores feeds that were never read: they are new."""
    oldest = min((feed.read_at for feed in feeds if feed), default=None)
    return max(0, (to_milliseconds(now()) - to_milliseconds(oldest)) // 1000) if oldest else 0


def _told(tick: SourceTick) -> SourceTick:
    if tick.feeds or tick.failed:
        fields = {name: value for name, value in asdict(replace(tick, problem=None)).items() if name != "problem"}
        logger.info("News ingested", extra=fields)
    return tick


def _log_failure(source: str, ticker: str | None, problem: ProviderError) -> None:
    logger.warning("A feed could not be read", extra={"source": source, "ticker": ticker, **describe(problem)})


def _log_invalid(feed: Feed, headline: Headline, problem: ValueError) -> None:
    reason = problem.errors()[0]["msg"] if isinstance(problem, ValidationError) else str(problem)
    fields = {"source": feed.source, "ticker": feed.ticker, "url": one_line(headline.url, 200), "reason": reason}
    logger.warning("A story is not valid and was not stored", extra=fields)


def _log_tags(source: str, tags: Iterable[str]) -> None:
    """Logs one line per tag, to count the most common ones."""
    for tag, count in Counter(tags).items():
        logger.info("News of a stock stored", source=source, tag=tag, stories=count)
