"""What is hard on a page: very many channels and videos, very long names, another script, HTML, and nothing at all."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.conftest import DESKTOP, NARROW, PHONE, OpenPage, assert_fits
from tests.browser.hard_data import (
    ARABIC_NAME,
    ARABIC_TITLE,
    HOSTILE_LINE,
    HOSTILE_NAME,
    HOSTILE_QUOTE,
    HOSTILE_STOCK,
    HOSTILE_TICKER,
    HOSTILE_TITLE,
    LONG_NAME,
)

Hard = tuple[str, Any]
VIEWPORTS = pytest.mark.parametrize("viewport", [DESKTOP, PHONE, NARROW], ids=["desktop", "phone", "narrow"])


@VIEWPORTS
def test_two_hundred_channels_come_in_pages(hard: Hard, open_page: OpenPage, viewport: dict[str, int]) -> None:
    address, _ = hard
    page = open_page(address, viewport)
    page.get_by_text("Page 1 of 9 · 200 channels").wait_for()
    assert page.locator(".card").count() == 24
    assert page.get_by_title(LONG_NAME).is_visible()
    assert_fits(page)

    page.get_by_role("link", name="Older").click()
    page.get_by_text("Page 2 of 9").wait_for()
    assert page.url.endswith("?page=2")
    page.goto(f"{address}/?page=9")
    page.get_by_text("Page 9 of 9").wait_for()
    assert page.locator(".card").count() == 8

    page.goto(f"{address}/?page=99")
    page.get_by_text("This page is past the last channel").wait_for()


@VIEWPORTS
@pytest.mark.parametrize("special", ["long", "arabic"])
@pytest.mark.parametrize("view", ["", "/timeline", "/log", "/stocks/BRK.B"])
def test_long_and_arabic_text_fits(
    hard: Hard,
    open_page: OpenPage,
    axe: Callable[[Any], None],
    viewport: dict[str, int],
    special: str,
    view: str,
) -> None:
    address, channels = hard
    page = open_page(f"{address}/channels/{channels[special].id}{view}", viewport)
    page.locator(".stocks tbody tr, .entry, .log li, .mention").first.wait_for()
    page.wait_for_load_state("networkidle")

    assert_fits(page)
    if special == "long":
        axe(page)


def test_text_is_shown_as_text_in_its_own_direction(hard: Hard, open_page: OpenPage) -> None:
    address, channels = hard
    page = open_page(f"{address}/channels/{channels['arabic'].id}/timeline")
    name = page.get_by_role("heading", name=ARABIC_NAME)
    name.wait_for()
    title = page.locator(".entry-title").filter(has_text=ARABIC_TITLE).first

    assert name.evaluate("(heading) => getComputedStyle(heading).direction") == "rtl"
    assert title.evaluate("(heading) => getComputedStyle(heading).direction") == "rtl"
    assert page.locator(".entry-title").filter(has_text="<b>not bold</b>").count() > 0
    assert page.locator(".entry-title b").count() == 0


@pytest.mark.parametrize(
    ("view", "shown"),
    [
        ("/", [HOSTILE_NAME]),
        ("/channels/{}", [HOSTILE_NAME, HOSTILE_STOCK]),
        ("/channels/{}/timeline", [HOSTILE_NAME, HOSTILE_TITLE, HOSTILE_QUOTE]),
        ("/channels/{}/log", [HOSTILE_NAME, HOSTILE_LINE]),
        (f"/channels/{{}}/stocks/{HOSTILE_TICKER}", [HOSTILE_NAME, HOSTILE_STOCK, HOSTILE_TITLE, HOSTILE_QUOTE]),
    ],
    ids=["channels", "stocks", "timeline", "log", "stock"],
)
def test_html_is_shown_as_text_and_only_web_addresses_are_links(
    hard: Hard, open_page: OpenPage, view: str, shown: list[str]
) -> None:
    address, channels = hard
    page = open_page(f"{address}{view.format(channels['hostile'].id)}")

    for text in shown:
        page.get_by_text(text, exact=True).first.wait_for()
    page.wait_for_load_state("networkidle")

    made = page.evaluate(
        """() => {
            const elements = [...document.querySelectorAll("*")]
            const attributes = elements.flatMap((each) => each.getAttributeNames())
            const leads = elements.flatMap((each) => [each.href, each.src, each.action].filter(Boolean).map(String))
            return {
                ran: window.ran,
                handlers: attributes.filter((name) => name.startsWith("on")),
                scripts: document.querySelectorAll("body script").length,
                pictures: document.querySelectorAll("img").length,
                leads: leads.filter((lead) => !/^https?:/.test(lead)),
                links: document.querySelectorAll(".entry-title a, .mention-title a, .channel-header a.out").length,
            }
        }"""
    )
    assert made == {"ran": None, "handlers": [], "scripts": 0, "pictures": 0, "leads": [], "links": 0}


def test_five_hundred_videos_scroll_as_smoothly_as_thirty(hard: Hard, open_page: OpenPage) -> None:
    """Against each other, not against the clock: how fast a frame is drawn is the machine's affair."""
    address, channels = hard
    page = open_page("about:blank")
    timeline = f"{address}/channels/{channels['arabic'].id}/timeline"
    page.route("**/api/**/timeline", lambda route: route.fulfill(json=newest(route, 30)))
    page.goto(timeline)
    page.locator(".entry").nth(29).wait_for(state="attached")
    of_thirty = frame_milliseconds(page)
    page.unroute_all()

    page.goto(timeline)
    page.locator(".entry").nth(499).wait_for(state="attached")
    of_all = frame_milliseconds(page)

    assert of_all <= max(2 * of_thirty, 34)


def newest(route: Any, count: int) -> dict[str, Any]:
    return {"timeline": route.fetch().json()["timeline"][:count]}


def frame_milliseconds(page: Any) -> float:
    """How long a frame takes while the page scrolls: the middle one of forty."""
    frames: list[float] = page.evaluate(
        """() => new Promise((resolve) => {
            const times = []
            let last = performance.now()
            const step = (now) => {
                times.push(now - last)
                last = now
                window.scrollBy(0, 120)
                if (times.length < 40) requestAnimationFrame(step)
                else resolve(times)
            }
            requestAnimationFrame(step)
        })"""
    )
    assert page.evaluate("window.scrollY") > 3_000
    return sorted(frames)[len(frames) // 2]


def test_a_channel_without_stocks_says_so(hard: Hard, open_page: OpenPage, axe: Callable[[Any], None]) -> None:
    address, channels = hard
    page = open_page(f"{address}/channels/{channels['empty'].id}")

    page.get_by_text("No stock was called").wait_for()
    axe(page)


@VIEWPORTS
def test_without_channels_the_demos_are_offered(
    hard: Hard, open_page: OpenPage, axe: Callable[[Any], None], viewport: dict[str, int]
) -> None:
    address, _ = hard
    page = open_page("about:blank", viewport)
    nothing = {"items": [], "total": 0, "page": 1, "per_page": 24}
    page.route("**/api/channels?*", lambda route: route.fulfill(json=nothing))
    page.goto(address)

    page.get_by_role("button", name="Rico Trades Momentum").wait_for()
    assert page.locator(".offer").count() == 3
    assert_fits(page)
    axe(page)
