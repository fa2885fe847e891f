"""News under load: written and read at the same time without an error, and each story once."""

from concurrent.futures import ThreadPoolExecutor

from bench.news import paced, some_news, some_queries
from functions.news.store import page_of_sentiment, put_news, set_tone
from functions.record.models.tones import NewsSentiment
from tests.soak import times


def test_writes_and_reads_side_by_side_meet_no_error(concurrent_tables: str) -> None:
    items = some_news(times(short=100, long=1000))

    def write(number: int) -> bool:
        # Each comes twice, as from two feeds.
        item = items[number // 2]
        return put_news(item) is not None and set_tone(item, NewsSentiment.POSITIVE, 0.9, "v1.0.0") is not None

    with ThreadPoolExecutor(2) as both:
        writes = both.submit(paced, [lambda number=number: write(number) for number in range(2 * len(items))], 1, 8)
        reads = both.submit(paced, some_queries(times(short=100, long=1000)), 1, 8)
        outcomes = [writes.result(), reads.result()]

    assert [outcome["first_errors"] for outcome in outcomes] == [[], []]
    found, start = [], None
    while True:
        page = page_of_sentiment(NewsSentiment.POSITIVE, None, 100, start)
        found += [item.source_id for item in page.items]
        start = page.next_key
        if start is None:
            break
    assert sorted(found) == sorted(item.source_id for item in items)
