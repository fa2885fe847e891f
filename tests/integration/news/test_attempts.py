"""A headline that cannot be analysed is given up, and keeps no other waiting."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from functions.news import providers
from functions.news import store as news
from functions.news.add import add_by_hand
from functions.news.errors import NewsAlreadyKnown
from functions.news.incoming import IncomingNews
from functions.news.models import MAX_ATTEMPTS, NewsItem
from functions.news.pipeline import analyse_news, watch_news
from functions.news.tone.tone import Tone
from functions.record.models.tones import NewsSentiment
from functions.runtime.dispatch import AnalyseNews, job_to_message
from functions.runtime.provider_errors import Declined, Nonsense, Unavailable
from tests.builders import a_story
from tests.crashes import Crash
from tests.fakes import RecordingDispatcher

PUBLISHED = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)


class Analyst:
    version = "v1"

    def __init__(self, poison: str | None, problem: BaseException) -> None:
        self.poison = poison
        self.problem = problem
        self.read_titles: list[str] = []

    def read(self, headline: str, tag: str) -> Tone:
        self.read_titles.append(headline)
        if self.poison in (headline, "every one"):
            raise self.problem
        return Tone(NewsSentiment.POSITIVE, 0.9)


@pytest.fixture
def jobs(tables: str, monkeypatch: pytest.MonkeyPatch) -> RecordingDispatcher:
    dispatcher = RecordingDispatcher()
    dispatcher.install(monkeypatch)
    return dispatcher


@pytest.fixture
def stories(jobs: RecordingDispatcher) -> list[NewsItem]:
    """As many as a job carries."""
    items = [
        a_story(
            f"https://example.com/{number}", title=f"Headline {number}", published_at=PUBLISHED + timedelta(0, number)
        )
        for number in range(25)
    ]
    for item in items:
        news.put_news(item)
    return items


def reads_with(monkeypatch: pytest.MonkeyPatch, poison: str | None, problem: BaseException) -> Analyst:
    analyst = Analyst(poison, problem)
    monkeypatch.setattr(providers, "news_analyst", lambda: analyst)
    return analyst


def deliver(jobs: RecordingDispatcher) -> None:
    """Has what is pending sent, and does the jobs as the queue's worker does."""
    jobs.jobs.clear()
    watch_news.handler({}, None)
    for job in [job for job in jobs.jobs if isinstance(job, AnalyseNews)]:
        record: dict[str, Any] = {"messageId": "1", "body": job_to_message(job)}
        analyse_news.handler({"Records": [{**record, "attributes": {"ApproximateReceiveCount": "1"}}]}, None)


def stored(item: NewsItem) -> NewsItem:
    found = news.news_by_key(*item.key)
    assert found
    return found


def test_one_poisoned_headline_of_25_keeps_no_other_waiting(
    stories: list[NewsItem], jobs: RecordingDispatcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    poison, *others = stories
    analyst = reads_with(monkeypatch, poison.title, Crash())

    with pytest.raises(Crash):
        deliver(jobs)
    assert stored(poison).attempts == 1
    with pytest.raises(Crash):
        deliver(jobs)

    assert all(stored(item).sentiment for item in others)
    for _ in range(MAX_ATTEMPTS - 2):
        with pytest.raises(Crash):
            deliver(jobs)
    deliver(jobs)
    deliver(jobs)
    assert analyst.read_titles.count(poison.title) == MAX_ATTEMPTS
    assert (stored(poison).sentiment, stored(poison).problem) == (
        None,
        "Its analysis failed or was interrupted 3 times.",
    )
    assert news.pending_news("9", 100) == []


@pytest.mark.parametrize(
    ("problem", "times", "reason"),
    [
        (Declined("The model declined."), 1, "The model declined."),
        (Nonsense("No tone."), MAX_ATTEMPTS, "Its analysis failed or was interrupted 3 times."),
        (ValueError("a bug"), MAX_ATTEMPTS, "Its analysis failed or was interrupted 3 times."),
    ],
)
def test_a_headline_that_always_fails_is_given_up(
    stories: list[NewsItem],
    jobs: RecordingDispatcher,
    monkeypatch: pytest.MonkeyPatch,
    problem: Exception,
    times: int,
    reason: str,
) -> None:
    analyst = reads_with(monkeypatch, stories[3].title, problem)

    for _ in range(MAX_ATTEMPTS + 3):
        deliver(jobs)

    assert analyst.read_titles.count(stories[3].title) == times
    assert stored(stories[3]).problem == reason
    assert all(stored(item).sentiment for item in stories if item != stories[3])


def test_while_the_model_is_down_nothing_is_given_up(
    stories: list[NewsItem], jobs: RecordingDispatcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads_with(monkeypatch, "every one", Unavailable("The model is down."))
    for _ in range(MAX_ATTEMPTS + 1):
        deliver(jobs)
    assert len(news.pending_news("9", 100)) == 25

    reads_with(monkeypatch, None, ValueError())
    deliver(jobs)

    assert all(stored(item).sentiment and stored(item).attempts is None for item in stories)


def test_a_story_that_was_given_up_is_tried_again_when_it_is_added_again(
    stories: list[NewsItem], jobs: RecordingDispatcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads_with(monkeypatch, stories[0].title, Declined("The model declined."))
    deliver(jobs)
    again = IncomingNews(url=stories[0].source_url, title="Another title", published_at=PUBLISHED, tags=["AAPL"])
    reads_with(monkeypatch, None, ValueError())

    assert add_by_hand(again).key == stories[0].key
    deliver(jobs)

    assert stored(stories[0]).sentiment is NewsSentiment.POSITIVE
    with pytest.raises(NewsAlreadyKnown):
        add_by_hand(again)


def test_a_new_tag_of_a_story_that_was_given_up_is_analysed(
    stories: list[NewsItem], jobs: RecordingDispatcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads_with(monkeypatch, stories[0].title, Declined("The model declined."))
    deliver(jobs)
    reads_with(monkeypatch, None, ValueError())
    known = news.put_or_find(stories[0])
    assert known

    news.add_tags(known, ["MSFT"])
    deliver(jobs)

    assert (stored(stories[0]).sentiment, stored(stories[0]).problem) == (NewsSentiment.POSITIVE, None)
