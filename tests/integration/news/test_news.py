"""News in the store: each story once, in the lists it belongs to, its record and copies always alike."""

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from functions.news import store as news
from functions.news.incoming import IncomingNews
from functions.news.models import KEPT_SECONDS, KnownUrl, NewsItem, NewsStatus, SourceType
from functions.record.models.tones import NewsSentiment
from functions.record.store.headlines import tones_of_tag
from functions.runtime.clock import timestamp
from functions.runtime.dynamodb.attributes import Item
from functions.runtime.dynamodb.connection import dynamodb, news_table
from local.entities import put_entities
from operations import check
from tests.builders import a_story
from tests.crashes import Crash, crash_at_write

POSITIVE, NEGATIVE = NewsSentiment.POSITIVE, NewsSentiment.NEGATIVE


def stored_items() -> list[Item]:
    items: list[Item] = dynamodb().scan(TableName=news_table())["Items"]
    return items


def titles_of(found: Any) -> list[str]:
    return [item.title for item in found.items]


def test_a_story_with_two_tags_is_one_record_and_two_copies_each_in_its_own_indexes(tables: str) -> None:
    item = a_story(tags=["AAPL", "MSFT"])

    assert news.put_news(item)
    assert news.set_tone(item, POSITIVE, 0.8, "v1.0.0")

    by_tag = [news.page_of_tag(tag, None, 10, None).items for tag in ("AAPL", "MSFT")]
    by_sentiment = news.page_of_sentiment(POSITIVE, None, 10, None).items
    expected = replace(item, sentiment=POSITIVE, score=0.8, model_version="v1.0.0")
    assert by_sentiment == [expected]
    assert by_tag == [[replace(expected, tag="AAPL")], [replace(expected, tag="MSFT")]]
    assert [found.status for found in (*by_sentiment, *by_tag[0])] == [NewsStatus.ANALYZED] * 2
    assert len(stored_items()) == 4


def test_a_url_is_stored_once_whatever_its_source_its_time_and_its_tracking(tables: str) -> None:
    published_at = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)
    first = a_story("https://www.example.com/story/?utm_source=rss&id=7", published_at=published_at)
    same = [
        a_story("http://example.com/story?id=7&.tsrc=rss#top", published_at=published_at),
        a_story("https://example.com:443/story?id=7", published_at=published_at + timedelta(hours=1)),
        a_story("https://EXAMPLE.com/story?id=7", published_at=published_at, source_type=SourceType.NEWSAPI),
    ]
    other = a_story("https://example.com/story?id=8", published_at=published_at)

    assert [news.put_news(item) for item in (first, *same, other)] == [True, False, False, False, True]
    assert len(news.page_of_tag("AAPL", None, 10, None).items) == 2


def test_of_many_that_store_one_story_at_once_one_does(
    concurrent_tables: str, in_threads: Callable[[int, Callable[[int], object]], list[object]]
) -> None:
    def put(number: int) -> bool:
        return news.put_news(a_story(tags=["AAPL", "MSFT"], published_at=datetime(2026, 3, 2, 9, number, tzinfo=UTC)))

    results = in_threads(8, put)

    assert sorted(map(str, results)) == ["False"] * 7 + ["True"]
    assert len(stored_items()) == 4


def test_a_tone_is_set_once_and_not_on_what_has_expired(tables: str) -> None:
    item = a_story()
    news.put_news(item)

    assert news.set_tone(item, POSITIVE, 0.8, "v1.0.0")
    assert not news.set_tone(item, NEGATIVE, 0.9, "v1.0.0")
    for stored in stored_items():
        key = {name: stored[name] for name in ("source_id", "timestamp")}
        dynamodb().delete_item(TableName=news_table(), Key=key)
    assert not news.set_tone(item, NEGATIVE, 0.9, "v1.0.0")

    assert stored_items() == []


def known_as(item: NewsItem) -> KnownUrl:
    known = news.put_or_find(item)
    assert known
    return known


def test_tags_are_added_to_a_story_and_their_tone_alone_is_read(tables: str) -> None:
    item = a_story(tags=["AAPL"])
    news.put_news(item)
    before = known_as(item)
    assert news.set_tone(item, POSITIVE, 0.8, "v1.0.0")

    added = [news.add_tags(before, tags) for tags in (["MSFT", "AAPL"], ["MSFT"], ["KO", "PEP", "XOM", "AMD"], ["JPM"])]

    assert added == [("MSFT",), (), ("KO", "PEP", "XOM"), ()]
    tags = ("AAPL", "MSFT", "KO", "PEP", "XOM")
    assert (known_as(item).tags, known_as(item).lacks(["JPM"])) == (tags, False)
    assert news.pending_news("9", 10) == [item.key]
    # It stays in the list of its tone while further tones are read.
    (record,) = news.page_of_sentiment(POSITIVE, None, 10, None).items
    assert (record.matched_tags, record.tags_to_read) == (tags, tags[1:])
    assert news.set_tone_of_new_tags(record, dict.fromkeys(tags[1:], (NEGATIVE, 0.6)), "v2.0.0")
    assert not news.set_tone_of_new_tags(record, dict.fromkeys(tags[1:], (POSITIVE, 0.6)), "v2.0.0")
    copies = [news.page_of_tag(tag, None, 10, None).items[0] for tag in tags]
    assert [copy.sentiment for copy in copies] == [POSITIVE, *[NEGATIVE] * 4]
    assert {copy.matched_tags for copy in copies} == {tags}
    assert news.pending_news("9", 10) == []
    assert list(problems()) == []


def test_a_tone_that_was_read_before_a_tag_was_added_is_not_written(tables: str) -> None:
    item = a_story(tags=["AAPL"])
    news.put_news(item)
    assert news.add_tags(known_as(item), ["MSFT"]) == ("MSFT",)

    assert not news.set_tone(item, POSITIVE, 0.8, "v1.0.0")
    with_both = news.news_by_key(*item.key)
    assert with_both and with_both.tags_to_read == ("AAPL", "MSFT")
    assert news.set_tone(with_both, POSITIVE, 0.8, "v1.0.0")

    assert news.pending_news("9", 10) == []
    assert list(problems()) == []


def test_no_tag_is_added_to_what_has_expired_or_was_stored_without_its_tags(tables: str) -> None:
    item = a_story(tags=["AAPL"])
    known = KnownUrl(item.digest, item.source_id, item.ttl_timestamp, item.timestamp, item.matched_tags)

    assert news.add_tags(known, ["MSFT"]) == ()
    assert stored_items() == []
    put_entities([KnownUrl(item.digest, item.source_id)])
    assert not known_as(item).lacks(["MSFT"])


def test_tags_that_many_add_at_once_are_all_added_while_its_tone_is_read(
    concurrent_tables: str, in_threads: Callable[[int, Callable[[int], object]], list[object]]
) -> None:
    item = a_story(tags=["AAPL"])
    news.put_news(item)
    known = known_as(item)

    def add_or_read(number: int) -> object:
        if number < 4:
            return news.add_tags(known, [("MSFT", "KO", "PEP", "XOM")[number]])
        record = news.news_by_key(*item.key)
        assert record
        tones = dict.fromkeys(record.tags_to_read, (NEGATIVE, 0.6))
        if record.sentiment:
            return news.set_tone_of_new_tags(record, tones, "v1.0.0")
        return news.set_tone(record, NEGATIVE, 0.6, "v1.0.0")

    results = in_threads(8, add_or_read)

    assert [len(added) for added in results[:4] if isinstance(added, tuple)] == [1] * 4
    record = news.news_by_key(*item.key)
    assert record and set(record.matched_tags) == {"AAPL", "MSFT", "KO", "PEP", "XOM"}
    assert list(problems()) == []


def problems() -> Iterator[str]:
    return check.problems(check.read_everything())


@pytest.mark.parametrize("event", ["before-call", "after-call"])
def test_a_worker_that_is_killed_leaves_all_or_nothing(tables: str, event: str) -> None:
    item = a_story(tags=["AAPL", "MSFT"])

    with pytest.raises(Crash), crash_at_write(1, event):
        news.put_news(item)
    assert len(stored_items()) == (0 if event == "before-call" else 4)
    news.put_news(item)
    with pytest.raises(Crash), crash_at_write(1, event):
        news.set_tone(item, POSITIVE, 0.8, "v1.0.0")
    known = known_as(item)
    with pytest.raises(Crash), crash_at_write(1, event):
        news.add_tags(known, ["KO"])
    assert len(stored_items()) == (4 if event == "before-call" else 5)
    assert list(problems()) == []

    tones = {found.sentiment for tag in ("AAPL", "MSFT") for found in news.page_of_tag(tag, None, 10, None).items}
    assert tones == ({None} if event == "before-call" else {POSITIVE})
    assert len(news.page_of_sentiment(POSITIVE, None, 10, None).items) == (0 if event == "before-call" else 1)


def test_lists_are_newest_first_by_page_and_from_a_time_on(tables: str) -> None:
    for day in range(1, 8):
        published_at = datetime(2026, 3, day, tzinfo=UTC)
        item = a_story(f"https://example.com/{day}", title=f"Day {day}", published_at=published_at)
        news.put_news(item)
        news.set_tone(item, POSITIVE, 0.8, "v1.0.0")

    first = news.page_of_tag("AAPL", None, 3, None)
    second = news.page_of_tag("AAPL", None, 3, first.next_key)
    third = news.page_of_tag("AAPL", None, 3, second.next_key)
    since = news.page_of_sentiment(POSITIVE, "2026-03-06T00:00:00.000Z", 3, None)

    assert [titles_of(page) for page in (first, second, third, since)] == [
        ["Day 7", "Day 6", "Day 5"],
        ["Day 4", "Day 3", "Day 2"],
        ["Day 1"],
        ["Day 7", "Day 6"],
    ]
    assert third.next_key is None and since.next_key is None
    timestamps = [at for at, _ in tones_of_tag("AAPL", "2026-03-02T00:00:00.000Z", "2026-03-04")]
    assert timestamps == ["2026-03-02T00:00:00.000Z", "2026-03-03T00:00:00.000Z"]


def test_what_is_pending_is_found_until_it_is_analysed(tables: str) -> None:
    old, new = (
        a_story(f"https://example.com/{minutes}", published_at=datetime.now(UTC) - timedelta(minutes=minutes))
        for minutes in (60, 1)
    )
    for item in (old, new):
        news.put_news(item)
    before = timestamp(datetime.now(UTC) - timedelta(minutes=5))

    assert news.pending_news(before, 10) == [(old.source_id, old.timestamp)]
    assert news.count_pending_news(before) == 1
    news.set_tone(old, NEGATIVE, 0.7, "v1.0.0")

    assert news.pending_news(before, 10) == []
    assert news.news_by_key(old.source_id, old.timestamp) == replace(
        old, sentiment=NEGATIVE, score=0.7, model_version="v1.0.0"
    )
    assert news.news_by_key(old.source_id, new.timestamp) is None


def test_news_expire_30_days_after_they_were_stored_and_those_of_the_demo_never(tables: str) -> None:
    story = IncomingNews(url="https://example.com/a", title="A", published_at="2021-03-01T09:00:00Z", tags=["AAPL"])

    told, demo = story.to_item(SourceType.RSS), story.to_item(SourceType.DEMO)

    assert told.ttl_timestamp and abs(told.ttl_timestamp - time.time() - KEPT_SECONDS) < 60
    assert demo.ttl_timestamp is None
    news.put_news(told)
    assert {item["ttl_timestamp"]["N"] for item in stored_items()} == {str(told.ttl_timestamp)}
    assert NewsItem.from_item(demo.to_item()) == demo
