"""News: the list with its filters, the lane under a price chart, and the headlines before a call."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import (
    NARROW,
    PHONE,
    OpenPage,
    assert_fits_every_width,
    assert_large_enough_to_touch,
    layout_shift,
)
from tests.fakes import eventually
from tests.local_server import LocalServer, running_server

TICKER = "AAPL"
HOSTILE = '"><img src=x onerror="window.ran=1"> Apple raises its outlook'
STORY = {
    "url": "https://example.com/story",
    "title": HOSTILE.replace("<", "< "),
    "published_at": "2022-12-28T20:00:00Z",
    "source_name": "The Paper",
    "tags": [TICKER],
}
"""A tag would be removed as HTML; this is none, and has to stay text."""


@pytest.fixture(scope="module")
def server(
    built: None, browser: Any, scored_demo: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[LocalServer]:
    """With the demo's channels and headlines, each of them analysed, and scores that know them."""
    with running_server(tmp_path_factory.mktemp("news"), scored_demo) as server:
        yield server


def channel_of(server: LocalServer, name: str) -> str:
    channels = server.request("GET", "/api/channels")[1]["items"]
    return next(str(each["id"]) for each in channels if each["name"].startswith(name))


def follows_news(server: LocalServer) -> float | None:
    _, score = server.request("GET", f"/api/channels/{channel_of(server, 'Rico')}/score")
    rate: float | None = next(each for each in score["horizons"] if each["horizon"] == "3m")["follows_news_rate"]
    return rate


def tones(page: Any) -> set[str]:
    return set(page.locator(".news-row .tone-chip").all_text_contents())


def test_the_list_is_filtered_by_its_address_and_follows_what_is_new(
    server: LocalServer, open_page: OpenPage, axe: Callable[[Any], None]
) -> None:
    page = open_page(f"{server.base_url}/news", viewport=NARROW, theme="dark")
    page.locator(".news-row").first.wait_for()
    assert layout_shift(page) < 0.1
    page.get_by_text("these headlines are fictional").wait_for()
    assert_fits_every_width(page, assert_large_enough_to_touch)
    axe(page)
    timestamps = page.locator(".news-row time").evaluate_all("(times) => times.map((each) => each.dateTime)")
    assert timestamps == sorted(timestamps, reverse=True) and tones(page) == {"Positive", "Neutral", "Negative"}

    page.get_by_role("button", name="Load older news").click()

    page.wait_for_function(f"() => document.querySelectorAll('.news-row').length > {len(timestamps)}")
    older = page.locator(".news-row time").evaluate_all("(times) => times.map((each) => each.dateTime)")
    assert older[: len(timestamps)] == timestamps and older == sorted(older, reverse=True)

    page.get_by_role("radio", name="Negative").check()
    page.get_by_label("Stock", exact=True).fill(TICKER.lower())
    page.keyboard.press("Enter")

    page.wait_for_url(f"**/news?tone=negative&ticker={TICKER}")
    page.reload()
    page.locator(".news-row").first.wait_for()
    assert tones(page) == {"Negative"}
    assert all(TICKER in each for each in page.locator(".news-tickers").all_text_contents())

    page.get_by_label("Stock", exact=True).fill("ZZZZ")
    page.keyboard.press("Enter")
    page.get_by_text("No negative headlines about ZZZZ").wait_for()
    axe(page)
    page.get_by_role("button", name="Show all news").click()
    page.wait_for_url("**/news")

    page.clock.install()
    page.goto(f"{server.base_url}/news?ticker={TICKER}&since=2022-12-28")
    page.get_by_text(f"No news about {TICKER} in this period").wait_for()
    assert server.request("POST", "/api/news", STORY)[0] == 201
    eventually(lambda: server.request("GET", f"/api/news?tag={TICKER}&limit=1")[1]["items"][0]["sentiment"])
    page.clock.fast_forward(6_000)

    story = page.locator(".news-row").filter(has_text="raises its outlook")
    story.get_by_text("Positive", exact=True).wait_for()
    assert story.get_by_role("link", name=re.compile("raises its outlook")).get_attribute("href") == STORY["url"]
    assert story.get_by_text("Fictional").count() == 0
    assert page.evaluate("window.ran") is None


def test_news_that_cannot_be_loaded_say_what_to_do(server: LocalServer, open_page: OpenPage) -> None:
    page = open_page(f"{server.base_url}/how-scores-are-made", expected=("Failed to load resource",))
    page.get_by_role("heading", name="Early, or after the headlines?").wait_for()
    page.route("**/api/news*", lambda route: route.fulfill(status=400, json={"detail": "Not now"}))
    page.get_by_role("navigation", name="Pages").get_by_role("link", name="News").click()
    page.get_by_text(re.compile("Couldn.t load the news")).wait_for()

    page.unroute("**/api/news*")
    page.get_by_role("button", name="Try again").click()

    page.locator(".news-row").first.wait_for()


def test_the_lane_under_the_chart_shows_the_headlines_of_a_day(
    server: LocalServer, open_page: OpenPage, axe: Callable[[Any], None]
) -> None:
    page = open_page(f"{server.base_url}/channels/{channel_of(server, 'Rico')}/stocks/{TICKER}")
    lane = page.get_by_role("slider", name=f"News about {TICKER} by day")
    lane.wait_for()
    assert layout_shift(page) < 0.1
    everything = int(lane.get_attribute("aria-valuemax"))

    lane.focus()
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")

    tip = page.locator(".lane-tip")
    tip.locator("li").first.wait_for()
    told = lane.get_attribute("aria-valuetext")
    assert re.search(r"\d{4}: .*headline", told)
    assert tip.locator("li [dir]").first.inner_text() in told
    axe(page)
    page.keyboard.press("Escape")
    assert tip.count() == 0

    page.get_by_role("radio", name="1Y").check()

    page.wait_for_function(
        f"() => Number(document.querySelector('.lane')?.getAttribute('aria-valuemax')) < {everything}"
    )
    bar = page.locator(".lane-bars rect").first.bounding_box()
    page.mouse.move(bar["x"] + 2, bar["y"] + 2)
    tip.locator("li").first.wait_for()
    assert tip.get_by_role("link").count() == 0
    page.mouse.move(0, 0)
    assert tip.count() == 0

    page.mouse.click(bar["x"] + 2, bar["y"] + 2)
    shown = tip.locator("li [dir]").all_text_contents()
    tip.get_by_role("link", name="Open in News").click()
    page.wait_for_url(f"**/news?ticker={TICKER}&since=*")
    page.locator(".news-row").first.wait_for()
    assert page.locator(".news-row .entry-title").all_text_contents() == shown


def test_the_lane_is_tapped_on_a_phone(server: LocalServer, open_page: OpenPage, axe: Callable[[Any], None]) -> None:
    page = open_page(f"{server.base_url}/stocks/{TICKER}", viewport=PHONE, theme="dark", has_touch=True)
    page.get_by_role("slider").wait_for()
    bar = page.locator(".lane-bars rect").first
    bar.scroll_into_view_if_needed()
    place = bar.bounding_box()

    page.touchscreen.tap(place["x"] + 2, place["y"] + 2)

    page.locator(".lane-tip li").first.wait_for()
    assert_fits_every_width(page)
    axe(page)


def test_a_call_says_how_many_headlines_came_before_it(server: LocalServer, open_page: OpenPage) -> None:
    channel = channel_of(server, "Rico")
    page = open_page(f"{server.base_url}/channels/{channel}/calls")
    row = page.locator("tr", has=page.locator(".news-before")).first
    told = row.locator(".news-before").inner_text()
    assert re.fullmatch(r"\d+ (positive |neutral |negative )?headlines?( \(.*\))? in the week before", told)

    row.get_by_role("button", name="This reading is wrong").click()
    in_dialog = page.locator("dialog .news-before")
    assert in_dialog.inner_text() == told
    in_dialog.click()

    page.wait_for_url("**/news?ticker=*&since=*&before=*")
    page.locator(".news-row").first.wait_for()
    assert page.locator(".news-row").count() == int(told.split()[0])
    assert page.locator("dialog").count() == 0

    page.goto(f"{server.base_url}/channels/{channel}")
    rate = follows_news(server)
    assert rate is not None
    assert page.locator(".question[data-term=follows_news] .question-value").inner_text() == f"{rate:.0%}"
