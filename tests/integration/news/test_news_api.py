"""The routes of news: lists, days, and stories that people add."""

from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from functions.news import store as news
from functions.news.incoming import OLDEST
from functions.news.watch import resend_stuck_news
from functions.record.models.tones import NewsSentiment
from functions.runtime.dispatch import AnalyseNews
from tests.builders import a_story
from tests.events import call
from tests.fakes import RecordingDispatcher

BODY = {
    "url": "https://example.com/story?utm_source=x",
    "title": "Apple <b>beats</b> expectations",
    "published_at": "2026-03-02T14:30:00+01:00",
    "source_name": "The Paper",
    "text": "Sales rose.\u0007 <script>alert(1)</script>" + "More. " * 100,
    "tags": ["aapl", "MSFT"],
}


def store(count: int, *, tags: list[str] | None = None, sentiment: NewsSentiment | None = None) -> None:
    for number in range(count):
        published_at = datetime(2026, 3, 2, 5, tzinfo=UTC) + timedelta(hours=number)
        item = a_story(f"https://example.com/{sentiment}/{number}", published_at=published_at, tags=tags or ["AAPL"])
        news.put_news(item)
        if sentiment:
            news.set_tone(item, sentiment, 0.9, "v1.0.0")


def test_a_story_that_is_added_is_stored_plainly_and_sent_to_be_analysed(
    tables: str, dispatched: RecordingDispatcher
) -> None:
    response = call("POST", "/api/news", json_body=BODY)

    assert response.status == 201
    added = response.json()
    assert added["source_url"] == BODY["url"]
    assert (added["title"], added["tags"]) == ("Apple beats expectations", ["AAPL", "MSFT"])
    assert added["timestamp"] == "2026-03-02T13:30:00.000Z"
    assert added["text_snippet"].startswith("Sales rose. More.") and len(added["text_snippet"]) <= 200
    assert (added["status"], added["sentiment"], added["score"], added["model_version"]) == (
        "pending",
        None,
        None,
        None,
    )
    assert added["metadata"] == {
        "title": "Apple beats expectations",
        "author": None,
        "source_name": "The Paper",
        "published_at": "2026-03-02T13:30:00.000Z",
    }
    (stored,) = news.page_of_tag("MSFT", None, 5, None).items
    assert dispatched.jobs == [AnalyseNews((f"{stored.source_id} {stored.timestamp}",))]
    assert call("GET", "/api/news", query="tag=msft").json() == {"items": [added], "nextToken": None}


def test_a_story_that_is_known_is_refused_and_one_with_the_same_key_is_told_again(
    tables: str, dispatched: RecordingDispatcher
) -> None:
    key = {"Idempotency-Key": "one"}

    statuses = [
        call("POST", "/api/news", json_body=BODY, headers=key).status,
        call("POST", "/api/news", json_body=BODY, headers=key).status,
        call("POST", "/api/news", json_body={**BODY, "url": "http://example.com/story/?.tsrc=rss#top"}).status,
    ]

    assert statuses == [201, 201, 409]
    assert len(dispatched.jobs) == 1


def test_a_story_that_is_stored_is_added_though_it_cannot_be_sent_to_be_analysed(
    tables: str, dispatched: RecordingDispatcher
) -> None:
    dispatched.problem = ConnectionError("the queue is out of reach")

    added = call("POST", "/api/news", json_body=BODY)
    dispatched.problem = None
    stuck = resend_stuck_news()

    assert (added.status, stuck) == (201, 1)
    assert [type(job) for job in dispatched.jobs] == [AnalyseNews]


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"url": "javascript:alert(1)"}, "url"),
        ({"url": "https://exa mple.com/"}, "url"),
        ({"url": "https://example.com:99999/"}, "url"),
        ({"title": "<b></b>"}, "title"),
        ({"published_at": None}, "published_at"),
        ({"published_at": 1700000000}, "published_at"),
        ({"published_at": "2024-01-01"}, "published_at"),
        ({"published_at": "2999-01-01T00:00:00Z"}, "published_at"),
        ({"published_at": "0001-01-01T00:00:00Z"}, "published_at"),
        ({"tags": []}, "tags"),
        ({"tags": ["A", "AA", "AAL", "AAPL", "MSFT", "XOM"]}, "tags"),
        ({"tags": ["AAPL", "NOTATICKER"]}, "tags"),
        ({"tags": ["bad ticker"]}, "tags"),
    ],
)
def test_what_is_not_valid_is_refused_and_not_stored(
    tables: str, dispatched: RecordingDispatcher, changes: dict[str, Any], field: str
) -> None:
    response = call("POST", "/api/news", json_body=BODY | changes)

    assert response.status == 422
    assert response.json()["detail"][0]["loc"][:2] == ["body", field]
    assert not dispatched.jobs
    assert not news.page_of_tag("AAPL", None, 5, None).items


@pytest.mark.parametrize(
    ("published_at", "sentence"),
    [
        ("2024-01-01", "Must be an ISO 8601 timestamp, such as 2024-01-31T08:30:00Z"),
        ("2999-01-01T00:00:00Z", "This timestamp is in the future"),
        ("0001-01-01T00:00:00Z", f"This timestamp is before {OLDEST.year}"),
        ("0001-01-01T00:00:00+14:00", "This timestamp is outside the calendar"),
    ],
)
def test_a_refused_time_of_publication_says_what_is_wrong_with_it(
    tables: str, published_at: str, sentence: str
) -> None:
    response = call("POST", "/api/news", json_body=BODY | {"published_at": published_at})

    assert response.json()["detail"][0]["msg"].endswith(sentence)


def test_a_story_with_several_tags_comes_once_in_the_list_of_its_tone(tables: str) -> None:
    store(3, tags=["AAPL", "MSFT"], sentiment=NewsSentiment.NEGATIVE)

    page = call("GET", "/api/news", query="sentiment=negative&limit=2").json()
    rest = call("GET", "/api/news", query=f"sentiment=negative&limit=2&nextToken={page['nextToken']}").json()

    assert [item["timestamp"][11:13] for item in (*page["items"], *rest["items"])] == ["07", "06", "05"]
    assert rest["nextToken"] is None


@pytest.mark.parametrize(
    "query",
    [
        "",
        "tag=AAPL&sentiment=positive",
        "tag=",
        "sentiment=good",
        "tag=A&since=12",
        "tag=A&since=2026-03-02T05:00:00Z&before=2026-03-02T05:00:00Z",
    ],
)
def test_a_list_is_of_one_tag_or_one_tone(tables: str, query: str) -> None:
    assert call("GET", "/api/news", query=query).status == 422


def test_a_period_that_ends_before_it_begins_is_refused_in_words(tables: str) -> None:
    response = call("GET", "/api/news", query="tag=A&since=2026-03-02T05:00:00Z&before=2026-03-02T05:00:00Z")

    assert response.json()["detail"][0]["msg"] == "Must be later than since"


def test_a_period_has_its_beginning_and_not_its_end(tables: str) -> None:
    store(5, tags=["AAPL", "MSFT"], sentiment=NewsSentiment.POSITIVE)
    period = "since=2026-03-02T06:00:00Z&before=2026-03-02T08:00:00Z"

    for which in ("tag=MSFT", "sentiment=positive"):
        page = call("GET", "/api/news", query=f"{which}&{period}&limit=1").json()
        rest = call("GET", "/api/news", query=f"{which}&{period}&limit=1&nextToken={page['nextToken']}").json()
        other = call("GET", "/api/news", query=f"{which}&since=2026-03-02T08:00:00Z&nextToken={page['nextToken']}")

        assert [item["timestamp"][11:13] for item in (*page["items"], *rest["items"])] == ["07", "06"]
        assert rest["nextToken"] is None
        assert other.status == 400
    (day,) = call("GET", "/api/news/summary", query=f"tag=MSFT&{period}").json()["days"]
    assert day["positive"] == 2


def test_a_token_is_good_for_its_own_list_alone(tables: str) -> None:
    store(3, sentiment=NewsSentiment.POSITIVE)

    token = call("GET", "/api/news", query="tag=AAPL&limit=1").json()["nextToken"]

    assert call("GET", "/api/news", query=f"tag=MSFT&limit=1&nextToken={token}").status == 400
    assert call("GET", "/api/news", query=f"sentiment=positive&limit=1&nextToken={token}").status == 400


def test_days_are_those_of_new_york(tables: str) -> None:
    # From midnight in New York on.
    store(2, sentiment=NewsSentiment.POSITIVE)
    evening = a_story("https://example.com/evening", published_at="2026-03-02T04:59:00Z")
    news.put_news(evening)

    summary = call("GET", "/api/news/summary", query="tag=aapl").json()
    since = call("GET", "/api/news/summary", query="tag=aapl&since=2026-03-02T05:30:00Z").json()

    assert summary == {
        "tag": "AAPL",
        "days": [
            {"date": "2026-03-01", "positive": 0, "neutral": 0, "negative": 0, "pending": 1},
            {"date": "2026-03-02", "positive": 2, "neutral": 0, "negative": 0, "pending": 0},
        ],
    }
    assert [day["positive"] for day in since["days"]] == [1]
    assert call("GET", "/api/news/summary").status == 422


def test_a_page_takes_as_many_requests_however_much_news_there_is(requests_made: Counter[str]) -> None:
    counts = []
    for count in (30, 90):
        store(count, sentiment=NewsSentiment.POSITIVE)
        for query in ("tag=AAPL&limit=20", "sentiment=positive&limit=20"):
            requests_made.clear()
            assert len(call("GET", "/api/news", query=query).json()["items"]) == 20
            counts.append(dict(requests_made))

    assert counts == [{"Query": 2}] * 4
