"""Collecting and analysing news: which feeds are read when, each story once, and nothing lost with a worker."""

import re
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

import pytest

from functions.news import incoming as incoming_news
from functions.news import ingest as news_ingest
from functions.news import providers
from functions.news.analysis import analyse_news
from functions.news.feed_store import claim_feed, feeds_by_place
from functions.news.ingest import SourceTick, ingest_due_news, ingest_news
from functions.news.models import Feed, SourceType
from functions.news.pipeline import ingest_news as ingest_step
from functions.news.pipeline import watch_news
from functions.news.protocols import FeedReading, Headline, Validators
from functions.news.store import page_of_sentiment, page_of_tag
from functions.news.tone.tone import Tone
from functions.news.urls import url_digest
from functions.plans.models import TaskKind, TaskStatus
from functions.plans.pipeline.plan_tasks import run_task
from functions.plans.plans import create_plan
from functions.plans.store import plan_with_tasks
from functions.plans.validation import NewTask
from functions.record.models.tones import NewsSentiment
from functions.record.models.watchlists import Watchlist
from functions.record.store.price_series import want_series
from functions.record.store.watchlists import save_watchlist
from functions.runtime.caller import Caller
from functions.runtime.clock import seconds_from_now
from functions.runtime.dispatch import AnalyseNews, ScoreMentionsOfDays
from functions.runtime.dynamodb.attributes import encode
from functions.runtime.dynamodb.connection import dynamodb, main_table
from functions.runtime.dynamodb.tables import task_key
from functions.runtime.provider_errors import Nonsense, NotFound, ProviderError, Refused, Throttled
from functions.runtime.settings import settings
from functions.service import setup
from functions.steps import TASK_RETRY
from operations import check
from tests.crashes import Crash, crash_at_write
from tests.fakes import RecordingDispatcher
from tests.markets import FIRST

LATER = "9999"
"""Every feed was read before."""


def a_headline(number: int = 1, *tags: str, **changes: Any) -> Headline:
    values: dict[str, Any] = {
        "url": f"https://example.com/{number}",
        "title": f"Apple beats expectations, part {number}",
        "published_at": "2026-03-02T14:30:00Z",
        "tags": tags or ("AAPL",),
    }
    return Headline(**(values | changes))


@dataclass
class FakeNews:
    """Tells of each ticker what it is given."""

    told: dict[str, list[Headline]] = field(default_factory=dict)
    problems: dict[str, BaseException] = field(default_factory=dict)
    asked: list[tuple[str, Validators]] = field(default_factory=list)
    source_type: SourceType = SourceType.RSS
    feeds_at_once: int = 10
    seconds_between: int = 0
    partly: str | None = None
    etag: str = "etag"

    def headlines(self, ticker: str, known: Validators) -> FeedReading:
        self.asked.append((ticker, known))
        if ticker in self.problems:
            raise self.problems[ticker]
        if known.etag == self.etag:
            return FeedReading(validators=known, is_unchanged=True)
        return FeedReading(tuple(self.told.get(ticker, ())), Validators(self.etag), problem=self.partly)

    @property
    def tickers(self) -> list[str]:
        return [ticker for ticker, _ in self.asked]


@pytest.fixture
def dispatched(monkeypatch: pytest.MonkeyPatch) -> RecordingDispatcher:
    return RecordingDispatcher().install(monkeypatch)


@pytest.fixture
def source(tables: str, dispatched: RecordingDispatcher, monkeypatch: pytest.MonkeyPatch) -> FakeNews:
    fake = FakeNews()
    monkeypatch.setattr(providers, "news_source", lambda name: fake)
    return fake


def use(*tickers: str) -> None:
    """As channels do that mention them."""
    want_series(tickers, FIRST)


def titles_of(tag: str) -> list[str]:
    return [item.title for item in page_of_tag(tag, None, 100, None).items]


def only_source(read_before: str = LATER, **options: Any) -> SourceTick:
    (tick,) = ingest_news(read_before, **options).sources
    return tick


def test_news_are_asked_for_the_stocks_in_use_those_watched_first_and_the_stalest_first(source: FakeNews) -> None:
    use("AAPL", "MSFT", "XOM", "^GSPC")
    save_watchlist(Watchlist("somebody", 1, ("KO", "XOM", "NOTATICKER")))

    ingest_news(LATER)
    source.feeds_at_once = 2
    for _ in range(3):
        ingest_news(LATER)

    assert source.tickers[:4] == ["KO", "XOM", "AAPL", "MSFT"]
    # Of two places one is for those that nobody watches.
    assert source.tickers[4:] == ["KO", "AAPL", "XOM", "MSFT", "KO", "AAPL"]


def test_a_source_with_one_place_at_a_tick_is_asked_for_watched_stocks_and_others_in_turn(source: FakeNews) -> None:
    use("AAPL", "MSFT")
    save_watchlist(Watchlist("somebody", 1, ("KO", "XOM")))
    source.feeds_at_once = 1

    for _ in range(6):
        ingest_news(LATER)

    assert source.tickers == ["KO", "AAPL", "XOM", "MSFT", "KO", "AAPL"]


def test_a_source_with_a_quota_is_asked_at_one_tick_in_its_interval_also_by_another_process(source: FakeNews) -> None:
    use("AAPL", "MSFT")
    source.feeds_at_once = 1
    source.seconds_between = 900

    first, second = only_source(), only_source()

    assert source.tickers == ["AAPL"]
    # No feed counts as read for which the source was not asked.
    assert (first.feeds, first.left, second.feeds, second.left) == (1, 1, 0, 2)
    assert list(feeds_by_place([("demo", "AAPL"), ("demo", "MSFT")])) == [("demo", "AAPL")]


def test_a_feed_is_read_when_it_is_due_and_asked_whether_it_has_changed(
    source: FakeNews, monkeypatch: pytest.MonkeyPatch
) -> None:
    use("AAPL")
    source.told["AAPL"] = [a_headline()]

    ticks = [ingest_due_news(), ingest_due_news()]
    again, from_scratch = only_source(), only_source(from_scratch=True)

    assert [tick.sources[0].feeds for tick in ticks] == [1, 0]
    assert [known.etag for _, known in source.asked] == [None, "etag", None]
    assert (again.unchanged, again.stored, from_scratch.known, from_scratch.stored) == (1, 0, 1, 0)
    monkeypatch.setenv("NEWS_EVERY", "off")
    settings.cache_clear()
    assert ingest_due_news().sources == ()
    settings.cache_clear()


def test_stories_that_a_feed_told_of_before_are_not_written_again(
    source: FakeNews, requests_made: Counter[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    use("AAPL")
    source.told["AAPL"] = [a_headline(number) for number in range(5)]
    ingest_news(LATER)
    source.told["AAPL"].append(a_headline(9))
    source.etag = "another"
    requests_made.clear()

    tick = only_source()

    assert (tick.known, tick.stored) == (5, 1)
    assert requests_made["TransactWriteItems"] == 1


def test_a_story_in_two_feeds_is_stored_once_with_both_tags_and_sent_to_be_analysed(
    source: FakeNews, dispatched: RecordingDispatcher
) -> None:
    use("AAPL", "MSFT")
    source.told["AAPL"] = [a_headline(1), a_headline(2)]
    source.told["MSFT"] = [a_headline(1, "MSFT", url="http://www.example.com/1/?utm_source=rss")]

    tick = only_source()

    assert (tick.feeds, tick.stored, tick.known, tick.left) == (2, 2, 0, 0)
    (shared,) = page_of_tag("MSFT", None, 10, None).items
    assert shared.matched_tags == ("AAPL", "MSFT")
    (job,) = dispatched.jobs
    assert isinstance(job, AnalyseNews) and len(job.items) == 2


def test_a_story_that_another_feed_tells_of_later_gets_its_tag_and_the_tone_for_that_stock(
    source: FakeNews, dispatched: RecordingDispatcher
) -> None:
    use("AMD")
    source.told["AMD"] = [a_headline(1, "AMD", title="AMD falls as Nvidia beats")]
    ingest_news(LATER)
    analyse_all(dispatched)
    use("NVDA")
    source.told["NVDA"] = [a_headline(1, "NVDA", title="AMD falls as Nvidia beats", url="http://example.com/1/")]

    tick = only_source()

    assert (tick.stored, tick.known, tick.tagged) == (0, 1, 1)
    (before,) = page_of_tag("NVDA", None, 10, None).items
    assert (before.sentiment, before.matched_tags) == (None, ("AMD", "NVDA"))
    analyse_all(dispatched)
    tones = {tag: page_of_tag(tag, None, 10, None).items[0].sentiment for tag in ("AMD", "NVDA")}
    assert tones == {"AMD": NewsSentiment.NEGATIVE, "NVDA": NewsSentiment.POSITIVE}


def test_a_story_that_has_its_tags_takes_one_request_and_later_none(
    source: FakeNews, requests_made: Counter[str]
) -> None:
    use("AAPL")
    source.told["AAPL"] = [a_headline(1, "AAPL", "MSFT")]
    ingest_news(LATER)
    use("MSFT")
    source.told["MSFT"] = [a_headline(1, "MSFT")]
    counts = []
    for etag in ("another", "a third"):
        source.etag = etag
        requests_made.clear()
        ingest_news(LATER)
        counts.append((requests_made["TransactWriteItems"], requests_made["GetItem"]))

    assert counts == [(1, 0), (0, 0)]


def test_a_worker_that_is_killed_at_any_write_loses_no_tag(
    source: FakeNews, dispatched: RecordingDispatcher, in_memory_watch: Callable[[], None]
) -> None:
    use("AAPL")
    stories = [a_headline(number) for number in range(2)]
    source.told["AAPL"] = stories
    ingest_news(LATER)
    in_memory_watch()
    use("MSFT")
    source.told["MSFT"] = [replace(story, tags=("MSFT",)) for story in stories]
    source.etag = "another"

    ingest_killed_at_each_write()
    in_memory_watch()

    found = page_of_tag("MSFT", None, 10, None).items
    assert [item.matched_tags for item in found] == [("AAPL", "MSFT")] * 2
    assert {item.sentiment for item in found} == {NewsSentiment.POSITIVE}
    assert list(check.problems(check.read_everything())) == []


def ingest_killed_at_each_write() -> None:
    """And then once to the end."""
    for event in ("before-call", "after-call"):
        for number in range(1, 9):
            with crash_at_write(number, event) as seen, suppress(Crash):
                ingest_news(LATER)
            if len(seen) < number:
                break
    ingest_news(LATER)


def analyse_all(dispatched: RecordingDispatcher) -> None:
    for job in dispatched.jobs:
        if isinstance(job, AnalyseNews):
            analyse_news(job.items)
    dispatched.jobs.clear()


def test_the_link_of_a_story_is_the_address_that_its_source_gave(source: FakeNews) -> None:
    use("AAPL")
    address = "HTTP://www.Example.com/story/?utm_source=rss&b=2&a=1#part"
    source.told["AAPL"] = [a_headline(url=address)]

    ingest_news(LATER)

    (item,) = page_of_tag("AAPL", None, 10, None).items
    assert item.source_url == address
    assert item.digest == url_digest("https://example.com/story?a=1&b=2")


@pytest.mark.parametrize(
    "changes",
    [
        {"published_at": None},
        {"published_at": "2999-01-01T00:00:00Z"},
        {"url": ""},
        {"url": "javascript:alert(1)"},
        {"url": "https://example.com@example.net/story"},
        {"url": "https://example.com\\.example.net/story"},
        {"url": "https://example.com:port/"},
        {"url": "https://example.com/" + "a" * 2_048},
        {"title": "\u0000 <b> </b>"},
        {"tags": ("NOTATICKER",)},
    ],
)
def test_what_is_not_valid_is_counted_and_logged_and_the_rest_is_stored(
    source: FakeNews, log_lines: Callable[[], list[dict[str, Any]]], changes: dict[str, Any]
) -> None:
    use("AAPL")
    source.told["AAPL"] = [a_headline(1, **changes), a_headline(2)]

    tick = only_source()

    assert (tick.invalid, tick.stored) == (1, 1)
    lines = [line for line in log_lines() if line["message"] == "A story is not valid and was not stored"]
    assert [(line["source"], line["ticker"]) for line in lines] == [("demo", "AAPL")]
    (counted,) = [line for line in log_lines() if line["message"] == "News ingested"]
    assert (counted["invalid"], counted["stored"], counted["source"]) == (1, 1, "demo")


def test_tags_that_are_no_tickers_are_dropped_and_old_tickers_are_those_of_today(source: FakeNews) -> None:
    use("META")
    tags = ("META", "FB", "USD", "AAPL", "MSFT", "XOM", "KO", "PEP")
    source.told["META"] = [a_headline(1, *tags, published_at="2021-03-02T14:30:00Z", text="x" * 100_000)]

    assert only_source().stored == 1

    (item,) = page_of_tag("META", None, 10, None).items
    assert item.matched_tags == ("META", "AAPL", "MSFT", "XOM", "KO")


def test_a_feed_that_fails_does_not_keep_the_others_waiting(source: FakeNews) -> None:
    use("AAPL", "KO", "MSFT")
    source.problems = {"AAPL": NotFound("no such feed"), "KO": Nonsense("what")}
    source.told["MSFT"] = [a_headline(1, "MSFT")]

    tick = only_source()

    assert (tick.feeds, tick.failed, tick.stored, tick.problem) == (3, 2, 1, None)
    feeds = feeds_by_place([("demo", "AAPL"), ("demo", "MSFT")])
    assert (feeds["demo", "AAPL"].problem, feeds["demo", "MSFT"].etag) == ("no such feed", "etag")


def test_a_fault_in_one_feed_or_story_does_not_keep_the_others_waiting(
    source: FakeNews, log_lines: Callable[[], list[dict[str, Any]]]
) -> None:
    use("AAPL", "KO", "MSFT")
    source.problems = {"AAPL": IndexError("list index out of range")}
    source.told["KO"] = [
        a_headline(1, "KO", url="https://[2001:db8::1]/story"),
        a_headline(2, "KO", text=f"&#{'9' * 5_000};"),
        a_headline(3, "KO", title="Coca-Cola <![foo[x"),
    ]
    source.told["MSFT"] = [a_headline(4, "MSFT")]

    tick = only_source()

    assert (tick.feeds, tick.failed, tick.stored, tick.invalid) == (3, 1, 4, 0)
    assert "IndexError" in str(feeds_by_place([("demo", "AAPL")])["demo", "AAPL"].problem)
    (line,) = [line for line in log_lines() if line["message"] == "Reading a feed failed"]
    assert (line["ticker"], "exception" in line) == ("AAPL", True)


def test_a_source_that_refuses_is_left_alone_until_the_next_tick(source: FakeNews) -> None:
    use("AAPL", "KO", "MSFT", "PEP", "XOM")
    source.problems = {"AAPL": Throttled("slow down")}

    throttled = only_source()
    source.problems = dict.fromkeys(("KO", "MSFT", "PEP", "XOM"), Nonsense("what"))
    failing = only_source()

    assert (throttled.feeds, throttled.left, isinstance(throttled.problem, Throttled)) == (1, 4, True)
    assert (failing.feeds, failing.failed, failing.left) == (3, 3, 2)


def test_failures_that_are_scattered_end_no_tick(source: FakeNews) -> None:
    tickers = ("AAPL", "ABBV", "AMD", "AMZN", "KO", "MSFT", "PEP", "XOM")
    use(*tickers)
    source.problems = dict.fromkeys(("AAPL", "ABBV", "AMZN", "PEP"), Nonsense("what"))
    source.problems |= {"KO": IndexError("list index out of range")}

    tick = only_source()

    # Two in a row, then two, then one: each reading between them begins the count again.
    assert source.tickers == list(tickers)
    assert (tick.feeds, tick.failed, tick.left, tick.problem) == (8, 5, 0, None)


def test_a_source_that_lacks_a_setting_does_not_stop_the_others(
    tables: str, dispatched: RecordingDispatcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    use("AAPL")
    monkeypatch.setenv("NEWS_PROVIDERS", "edgar,newsapi")
    settings.cache_clear()
    setup.reset_cache()

    edgar, newsapi = ingest_news(LATER).sources

    assert "NEWS_CONTACT" in str(edgar.problem)
    assert "NEWSAPI_KEY" in str(newsapi.problem)
    settings.cache_clear()
    setup.reset_cache()


def test_what_was_read_in_part_is_stored_and_asked_for_again(source: FakeNews) -> None:
    use("AAPL")
    source.told["AAPL"] = [a_headline(1)]
    source.partly = "it is no well-formed XML"

    tick = only_source()

    assert (tick.stored, tick.failed) == (1, 1)
    assert feeds_by_place([("demo", "AAPL")])["demo", "AAPL"].problem == "it is no well-formed XML"


def test_a_feed_with_stories_of_the_future_is_read_again_though_it_has_not_changed(
    source: FakeNews, monkeypatch: pytest.MonkeyPatch
) -> None:
    use("AAPL")
    source.told["AAPL"] = [a_headline(1), a_headline(2, published_at=seconds_from_now(3_600))]

    early = only_source()
    monkeypatch.setattr(incoming_news, "CLOCKS_DIFFER_BY", timedelta(hours=2))
    later, last = only_source(), only_source()

    assert (early.stored, early.invalid) == (1, 1)
    assert (later.unchanged, later.stored, later.known) == (0, 1, 1)
    assert last.unchanged == 1


def test_of_two_clocks_one_reads_a_feed(source: FakeNews, monkeypatch: pytest.MonkeyPatch) -> None:
    use("AAPL")
    seen_before = feeds_by_place([("demo", "AAPL")])

    ingest_news(LATER)
    monkeypatch.setattr(news_ingest, "feeds_by_place", lambda places: seen_before)
    tick = only_source()

    assert (source.tickers, tick.feeds) == (["AAPL"], 0)


def test_a_worker_that_is_killed_at_any_write_loses_nothing(
    source: FakeNews, dispatched: RecordingDispatcher, in_memory_watch: Callable[[], None]
) -> None:
    use("AAPL")
    source.told["AAPL"] = [a_headline(number) for number in range(3)]

    ingest_killed_at_each_write()
    in_memory_watch()

    assert len(titles_of("AAPL")) == 3
    assert {item.sentiment for item in page_of_tag("AAPL", None, 10, None).items} == {NewsSentiment.POSITIVE}


@pytest.fixture
def in_memory_watch(dispatched: RecordingDispatcher) -> Callable[[], None]:
    """Sends what is stuck, and does the jobs that are sent."""

    def watch() -> None:
        watch_news.handler({}, None)
        analyse_all(dispatched)

    return watch


def test_analysing_twice_is_once_and_late_news_have_scores_computed_again(
    source: FakeNews, dispatched: RecordingDispatcher
) -> None:
    use("AAPL")
    source.told["AAPL"] = [a_headline(1), a_headline(2, title="Apple cuts its outlook and plunges")]
    ingest_news(LATER)
    (job,) = dispatched.jobs
    assert isinstance(job, AnalyseNews)

    done = [analyse_news(job.items), analyse_news(job.items), analyse_news(["rss#gone 2026-03-02T14:30:00.000Z"])]

    assert done == [2, 0, 0]
    assert [len(page_of_sentiment(tone, None, 10, None).items) for tone in NewsSentiment] == [1, 0, 1]
    assert dispatched.jobs[1:] == [ScoreMentionsOfDays(("AAPL",), "2026-03-02", "2026-03-09")] * 2


def test_a_story_has_for_each_stock_the_tone_that_it_has_for_that_one(
    source: FakeNews, dispatched: RecordingDispatcher
) -> None:
    use("AMD")
    source.told["AMD"] = [a_headline(1, "AMD", "NVDA", title="AMD falls as Nvidia beats")]
    ingest_news(LATER)
    (job,) = dispatched.jobs
    assert isinstance(job, AnalyseNews)

    assert analyse_news(job.items) == 1

    tones = {tag: page_of_tag(tag, None, 10, None).items[0].sentiment for tag in ("AMD", "NVDA")}
    assert tones == {"AMD": NewsSentiment.NEGATIVE, "NVDA": NewsSentiment.POSITIVE}
    # The record has the tone of its first stock.
    assert [len(page_of_sentiment(tone, None, 10, None).items) for tone in NewsSentiment] == [0, 0, 1]


def test_what_the_model_cannot_read_stays_pending_and_is_sent_again(
    source: FakeNews,
    dispatched: RecordingDispatcher,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    class Model:
        version = "a-model"
        problem: ProviderError | None = Refused("no credentials")

        def read(self, headline: str, tag: str) -> Tone:
            if self.problem:
                raise self.problem
            return Tone(NewsSentiment.NEUTRAL, 0.5)

    model = Model()
    monkeypatch.setattr(providers, "news_analyst", lambda: model)
    use("AAPL")
    source.told["AAPL"] = [a_headline(1)]
    ingest_news(LATER)
    (job,) = dispatched.jobs
    assert isinstance(job, AnalyseNews)

    assert analyse_news(job.items) == 0
    assert watch_news.handler({}, None) == {"stuck": 1}
    # Nothing has changed for the scores yet.
    assert dispatched.jobs == [job, job]
    model.problem = None
    assert analyse_news(job.items) == 1
    assert dispatched.jobs[2:] == [ScoreMentionsOfDays(("AAPL",), "2026-03-02", "2026-03-09")]
    assert watch_news.handler({}, None) == {"stuck": 0}

    assert [item.model_version for item in page_of_sentiment(NewsSentiment.NEUTRAL, None, 5, None).items] == ["a-model"]
    assert '"StuckItems":[1.0]' in capsys.readouterr().out.replace(" ", "")


def test_the_clock_reports_failures_and_lag(source: FakeNews, capsys: pytest.CaptureFixture[str]) -> None:
    use("AAPL")
    source.problems = {"AAPL": NotFound("no such feed")}

    ingest_step.handler({}, None)

    written = capsys.readouterr().out.replace(" ", "")
    assert '"NewsFailures":[1.0]' in written
    assert '"NewsLagSeconds":[0.0]' in written


@dataclass
class ClockOfTest:
    passed: float = 0.0

    def monotonic(self) -> float:
        return self.passed

    def time(self) -> float:
        return time.time()


@dataclass
class SlowNews(FakeNews):
    """Takes its time for each feed, by a clock of the test."""

    clock: ClockOfTest = field(default_factory=ClockOfTest)
    seconds: float = 15.0

    def headlines(self, ticker: str, known: Validators) -> FeedReading:
        self.clock.passed += self.seconds
        return FakeNews.headlines(self, ticker, known)


def choose(monkeypatch: pytest.MonkeyPatch, **sources: FakeNews) -> None:
    monkeypatch.setenv("NEWS_PROVIDERS", ",".join(sources))
    settings.cache_clear()
    monkeypatch.setattr(providers, "news_source", sources.__getitem__)


def test_a_slow_source_does_not_take_the_time_of_the_others(source: FakeNews, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = ClockOfTest()
    slow, next_one, last = SlowNews(clock=clock), FakeNews(), SlowNews(clock=clock)
    choose(monkeypatch, yahoo_rss=slow, edgar=next_one, newsapi=last)
    monkeypatch.setattr(news_ingest, "time", clock)
    monkeypatch.setattr(news_ingest, "SECONDS_TO_BEGIN", 90.0)
    use("AAPL", "AMD", "KO", "MSFT", "PEP", "XOM")

    ticks = ingest_news(LATER).sources

    # Feeds are begun within 30 of 90 seconds; the one that has nothing to wait for leaves its part to the last.
    assert [(tick.feeds, tick.left) for tick in ticks] == [(3, 3), (6, 0), (4, 2)]
    settings.cache_clear()


def test_the_lag_is_that_of_the_source_that_is_furthest_behind(
    source: FakeNews, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    choose(monkeypatch, yahoo_rss=source, edgar=FakeNews())
    use("AAPL")
    hours_ago = seconds_from_now(-7_200)
    assert claim_feed(Feed("edgar", "AAPL", hours_ago), None)
    assert claim_feed(Feed("yahoo_rss", "AAPL", seconds_from_now(0)), None)

    ingest_step.handler({}, None)

    (lag,) = re.findall(r'"NewsLagSeconds":\[(\d+)', capsys.readouterr().out.replace(" ", ""))
    assert int(lag) >= 7_200
    settings.cache_clear()


class TestPlan:
    def test_reads_every_feed_in_full_some_at_each_look(
        self, source: FakeNews, dispatched: RecordingDispatcher
    ) -> None:
        use("AAPL", "KO", "MSFT")
        ingest_news(LATER)
        source.asked.clear()
        source.feeds_at_once = 2

        plan = create_plan("News", [NewTask("news", TaskKind.INGEST_NEWS)], Caller("somebody")).plan
        for _ in range(2):
            run_task(plan.id, "news")
            make_due(plan.id, "news")

        assert sorted(source.asked, key=lambda asked: asked[0]) == [
            (ticker, Validators()) for ticker in ("AAPL", "KO", "MSFT")
        ]
        (task,) = plan_with_tasks(plan.id)[1]
        assert task.status == TaskStatus.COMPLETED
        assert task.result == "Feeds of news read in full: 3; not read, or only in part: 0."

    def test_tells_which_feeds_could_not_be_read(self, source: FakeNews, dispatched: RecordingDispatcher) -> None:
        use("AAPL", "KO", "MSFT")
        source.problems = {"KO": NotFound("no such feed")}

        plan = create_plan("News", [NewTask("news", TaskKind.INGEST_NEWS)], Caller("somebody")).plan
        run_task(plan.id, "news")

        (task,) = plan_with_tasks(plan.id)[1]
        assert (task.status, task.attempts) == (TaskStatus.COMPLETED, 1)
        assert task.result == "Feeds of news read in full: 2; not read, or only in part: 1, namely KO (demo)."

    def test_is_tried_again_when_every_feed_failed_and_then_reads_those_again(
        self, source: FakeNews, dispatched: RecordingDispatcher
    ) -> None:
        use("AAPL", "KO", "MSFT")
        source.problems = dict.fromkeys(("AAPL", "KO", "MSFT"), Nonsense("That is no feed."))
        plan = create_plan("News", [NewTask("news", TaskKind.INGEST_NEWS)], Caller("somebody")).plan

        run_task(plan.id, "news")
        (failing,) = plan_with_tasks(plan.id)[1]
        source.problems, source.feeds_at_once = {"KO": NotFound("no such feed")}, 2
        for _ in range(2):
            make_due(plan.id, "news")
            run_task(plan.id, "news")

        assert failing.status == TaskStatus.PENDING
        assert failing.error == "None of 3 feeds of news could be read in full. The first: That is no feed."
        (task,) = plan_with_tasks(plan.id)[1]
        assert (task.status, task.attempts, task.error) == (TaskStatus.COMPLETED, 2, None)
        assert task.result == "Feeds of news read in full: 2; not read, or only in part: 1, namely KO (demo)."
        assert len(source.asked) == 6

    def test_fails_when_every_feed_fails_at_each_attempt(
        self, source: FakeNews, dispatched: RecordingDispatcher
    ) -> None:
        use("AAPL")
        source.problems = {"AAPL": Nonsense("That is no feed.")}
        plan = create_plan("News", [NewTask("news", TaskKind.INGEST_NEWS)], Caller("somebody")).plan

        for _ in range(TASK_RETRY.attempts):
            run_task(plan.id, "news")
            make_due(plan.id, "news")

        (task,) = plan_with_tasks(plan.id)[1]
        assert (task.status, len(source.asked)) == (TaskStatus.FAILED, TASK_RETRY.attempts)

    def test_reads_feeds_again_whose_reader_was_killed(self, source: FakeNews, dispatched: RecordingDispatcher) -> None:
        use("AAPL", "KO")
        plan = create_plan("News", [NewTask("news", TaskKind.INGEST_NEWS)], Caller("somebody")).plan
        source.problems = {"KO": Crash()}
        for _ in range(3):
            with suppress(Crash):
                run_task(plan.id, "news")
            source.problems = {}
            make_due(plan.id, "news")

        (task,) = plan_with_tasks(plan.id)[1]
        assert task.status == TaskStatus.COMPLETED
        assert task.result == "Feeds of news read in full: 2; not read, or only in part: 0."
        assert source.tickers == ["AAPL", "KO"] * 2

    def test_fails_with_the_reason_when_a_source_refuses(
        self, source: FakeNews, dispatched: RecordingDispatcher
    ) -> None:
        use("AAPL")
        source.problems = {"AAPL": Refused("The key is wrong.")}

        plan = create_plan("News", [NewTask("news", TaskKind.INGEST_NEWS)], Caller("somebody")).plan
        run_task(plan.id, "news")

        (task,) = plan_with_tasks(plan.id)[1]
        assert (task.status, task.error) == (TaskStatus.FAILED, "The key is wrong.")


def make_due(plan_id: str, key: str) -> None:
    """As after the pause before the next look."""
    (task,) = plan_with_tasks(plan_id)[1]
    if task.due_at:
        due = seconds_from_now(-1)
        dynamodb().update_item(
            TableName=main_table(),
            Key=encode(task_key(plan_id, key)),
            UpdateExpression="SET due_at = :due, GSI1SK = :due",
            ExpressionAttributeValues=encode({":due": due}),
        )
