"""News: how fast it is written, read and analysed, what a page takes, and what a story costs."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from bench.costs import units_of
from bench.measure import Timing, milliseconds, requests_of, table
from functions.news.incoming import IncomingNews
from functions.news.lists import page_of_news
from functions.news.models import NewsItem, SourceType
from functions.news.sources.demo_headlines import demo_headlines
from functions.news.store import put_news, set_tone
from functions.news.tone.tone import read_tone
from functions.record.models.tones import NewsSentiment
from functions.runtime.clock import from_milliseconds

ITEMS, WRITE_SECONDS, WRITERS = 1000, 10.0, 16
QUERIES_PER_SECOND, QUERY_SECONDS, READERS = 100, 60.0, 16
TICKERS = ("AAPL", "MSFT", "XOM", "KO", "PEP")
PAGE = 20


def run() -> tuple[str, dict[str, Any]]:
    items = some_news(ITEMS)
    written = paced([partial(_stored, item) for item in items], WRITE_SECONDS, WRITERS)
    queries = paced(some_queries(int(QUERIES_PER_SECOND * QUERY_SECONDS)), QUERY_SECONDS, READERS)
    headlines = [(headline.title, headline.tags[0]) for headline in demo_headlines()]
    started = time.perf_counter()
    for title, ticker in headlines:
        read_tone(title, ticker)
    per_second = len(headlines) / (time.perf_counter() - started)
    page = requests_of(lambda: page_of_news("AAPL", None, None, None, PAGE))
    single = some_news(1, start=ITEMS)[0]
    put, tone = units_of(lambda: put_news(single)), units_of(lambda: _analysed(single))
    rows = [
        (f"{ITEMS:,} items written in {WRITE_SECONDS:.0f} s", *_cells(written)),
        (f"{QUERIES_PER_SECOND} queries a second for {QUERY_SECONDS:.0f} s", *_cells(queries)),
    ]
    text = table("News", ("", "errors", "seconds", "median ms", "p95 ms"), rows)
    text += f"\n{per_second:,.0f} headlines analysed a second; {page} requests a page of {PAGE}; "
    text += f"{put.write:.0f} write units to store an item with one tag, {tone.write:.0f} to analyse it"
    figures = {
        "written": written,
        "queried": queries,
        "headlines_per_second": per_second,
        "requests_per_page": page,
        "units": {"store": put.write, "analyse": tone.write},
    }
    return text, figures


def some_news(count: int, *, start: int = 0) -> list[NewsItem]:
    """With one tag or two, a minute apart."""
    first = 1_760_000_000
    return [
        IncomingNews.model_validate(
            {
                "url": f"https://example.com/stories/{number}",
                "title": f"{TICKERS[number % 5]} beats expectations for the {number}th time and raises its outlook",
                "published_at": from_milliseconds(1000 * (first + 60 * number)),
                "source_name": "The Paper",
                "text": "The company told of higher sales in all of its markets. " * 4,
                "tags": TICKERS[number % 5 : number % 5 + 1 + number % 2] or TICKERS[:1],
            }
        ).to_item(SourceType.RSS)
        for number in range(start, start + count)
    ]


def some_queries(count: int) -> list[Callable[[], object]]:
    """Pages by tag and by tone in turns."""
    tones = list(NewsSentiment)

    def query(number: int) -> object:
        by_tag = number % 2 == 0
        tag, tone = (TICKERS[number % 5], None) if by_tag else (None, tones[number % 3])
        return page_of_news(tag, tone, None, None, PAGE)

    return [partial(query, number) for number in range(count)]


def paced(work: list[Callable[[], object]], seconds: float, workers: int) -> dict[str, Any]:
    """Does the work evenly over a time: how many failed, how long it took in all, and how long each."""
    begun = time.perf_counter()
    taken: list[float] = []
    errors: list[str] = []
    lock = threading.Lock()

    def one(number: int) -> None:
        wait = begun + number * seconds / len(work) - time.perf_counter()
        if wait > 0:
            time.sleep(wait)
        started = time.perf_counter()
        problem = None
        try:
            if work[number]() is False:
                problem = "nothing was written"
        except Exception as failed:
            problem = repr(failed)
        with lock:
            taken.append(time.perf_counter() - started)
            if problem:
                errors.append(problem)

    with ThreadPoolExecutor(workers) as threads:
        list(threads.map(one, range(len(work))))
    timing = Timing.of(taken)
    return {
        "errors": len(errors),
        "first_errors": errors[:3],
        "seconds": time.perf_counter() - begun,
        "median": timing.median,
        "p95": timing.p95,
    }


def _stored(item: NewsItem) -> bool:
    return put_news(item) and _analysed(item)


def _analysed(item: NewsItem) -> bool:
    tone = read_tone(item.title, item.matched_tags[0])
    return set_tone(item, tone.sentiment, tone.score, "v1.0.0")


def _cells(figures: dict[str, Any]) -> tuple[object, ...]:
    return (
        figures["errors"],
        f"{figures['seconds']:.1f}",
        milliseconds(figures["median"]),
        milliseconds(figures["p95"]),
    )
