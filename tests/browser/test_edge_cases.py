"""Many channels and videos, very long names, another script, HTML as text, partial runs, and nothing at all."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.conftest import NARROW, OpenPage, assert_fits_every_width
from tests.browser.edge_cases import (
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
from tests.soak import SOAKING

EdgeCases = tuple[str, Any]


def test_two_hundred_channels_come_in_pages(edge_cases: EdgeCases, open_page: OpenPage) -> None:
    address, _ = edge_cases
    page = open_page(f"{address}/channels", NARROW)
    page.get_by_text("Page 1 of 9 · 200 channels").wait_for()
    page.locator(".card").first.wait_for()
    assert page.locator(".card").count() == 24
    assert page.get_by_title(LONG_NAME).is_visible()
    assert_fits_every_width(page)

    page.get_by_role("link", name="Older").click()
    page.get_by_text("Page 2 of 9").wait_for()
    assert page.url.endswith("?page=2")
    page.goto(f"{address}/channels?page=9")
    page.get_by_text("Page 9 of 9").wait_for()
    assert page.locator(".card").count() == 8

    page.goto(f"{address}/channels?page=99")
    page.get_by_text("No channels on this page").wait_for()


@pytest.mark.parametrize("case", ["arabic", "long"] if SOAKING else ["long"])
@pytest.mark.parametrize("view", ["/calls", "/stocks", "/timeline", "/log", "/stocks/BRK.B"])
def test_long_and_arabic_text_fits(
    edge_cases: EdgeCases,
    open_page: OpenPage,
    axe: Callable[[Any], None],
    case: str,
    view: str,
) -> None:
    address, channels = edge_cases
    page = open_page(f"{address}/channels/{channels[case].id}{view}", NARROW)
    page.locator(".calls tbody tr, .stocks tbody tr, .entry, .log li, .mention").first.wait_for()
    page.wait_for_load_state("networkidle")

    assert_fits_every_width(page, axe if case == "long" else None)


def test_text_is_shown_as_text_in_its_own_direction(edge_cases: EdgeCases, open_page: OpenPage) -> None:
    address, channels = edge_cases
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
        ("/channels", [HOSTILE_NAME]),
        ("/channels/{}/calls", [HOSTILE_NAME, HOSTILE_TITLE, HOSTILE_QUOTE]),
        ("/channels/{}/stocks", [HOSTILE_NAME, HOSTILE_STOCK]),
        ("/channels/{}/timeline", [HOSTILE_NAME, HOSTILE_TITLE, HOSTILE_QUOTE]),
        ("/channels/{}/log", [HOSTILE_NAME, HOSTILE_LINE]),
        (f"/channels/{{}}/stocks/{HOSTILE_TICKER}", [HOSTILE_NAME, HOSTILE_STOCK, HOSTILE_TITLE, HOSTILE_QUOTE]),
        (f"/stocks/{HOSTILE_TICKER}", [HOSTILE_NAME, HOSTILE_STOCK, HOSTILE_TITLE, HOSTILE_QUOTE]),
    ],
    ids=["channels", "calls", "stocks", "timeline", "log", "stock", "stock in all channels"],
)
def test_html_is_shown_as_text_and_only_web_addresses_are_links(
    edge_cases: EdgeCases, open_page: OpenPage, view: str, shown: list[str]
) -> None:
    address, channels = edge_cases
    page = open_page(f"{address}{view.format(channels['hostile'].id)}")

    for text in shown:
        page.get_by_text(text, exact=True).first.wait_for()
    page.wait_for_load_state("networkidle")

    made = page.evaluate(
        """() => {
            const titles = ".entry-title a, .mention-title a, .call-video a, .channel-header a.out"
            const elements = [...document.querySelectorAll("*")]
            const attributes = elements.flatMap((each) => each.getAttributeNames())
            const leads = elements.flatMap((each) => [each.href, each.src, each.action].filter(Boolean).map(String))
            return {
                ran: window.ran,
                handlers: attributes.filter((name) => name.startsWith("on")),
                scripts: document.querySelectorAll("body script").length,
                pictures: document.querySelectorAll("img").length,
                leads: leads.filter((lead) => !/^https?:/.test(lead)),
                links: document.querySelectorAll(titles).length,
            }
        }"""
    )
    assert made == {"ran": None, "handlers": [], "scripts": 0, "pictures": 0, "leads": [], "links": 0}


def test_the_timeline_of_500_videos_is_loaded_page_by_page(edge_cases: EdgeCases, open_page: OpenPage) -> None:
    address, channels = edge_cases
    page = open_page("about:blank")
    pages: list[Any] = []
    # Their bodies are read later: within this callback the page itself would have to wait for them.
    page.on("response", lambda response: "/timeline?" in response.url and pages.append(response))
    page.goto(f"{address}/channels/{channels['arabic'].id}/timeline")
    page.locator(".entry").first.wait_for()

    assert page.locator(".entry").count() == 20
    assert page.evaluate("document.querySelectorAll('*').length") < 2_500
    page.get_by_role("button", name="Load older videos").click()
    page.locator(".entry").nth(20).wait_for(state="attached")

    days = page.locator(".entry time").evaluate_all("(times) => times.map((time) => time.dateTime)")
    assert len(days) == len(set(days)) == 40
    assert days == sorted(days, reverse=True)
    assert len(pages) == 2
    assert max(len(response.body()) for response in pages) < 100_000


def test_the_stocks_tab_does_not_download_the_timeline(edge_cases: EdgeCases, open_page: OpenPage) -> None:
    address, channels = edge_cases
    page = open_page("about:blank")
    requested: list[str] = []
    page.on("request", lambda request: "/api/" in request.url and requested.append(request.url))

    page.goto(f"{address}/channels/{channels['arabic'].id}/stocks")
    page.locator(".stocks tbody tr").first.wait_for()
    page.wait_for_load_state("networkidle")

    assert {url.rpartition("/")[2] for url in requested} == {channels["arabic"].id, "stocks", "watchlist", "settings"}


def test_the_timeline_is_filtered_and_goes_to_a_date(edge_cases: EdgeCases, open_page: OpenPage) -> None:
    address, channels = edge_cases
    page = open_page(f"{address}/channels/{channels['arabic'].id}/timeline")
    page.locator(".entry").first.wait_for()

    page.get_by_label("Go to date").fill("2023-06-17")
    page.locator(".entry time").filter(has_text="Jun 16, 2023").wait_for()
    assert page.locator(".entry time").first.get_attribute("datetime") == "2023-06-16"

    page.get_by_role("radio", name="Hold").check()
    page.get_by_label("Stock", exact=True).select_option("BRK.B")
    page.wait_for_function(
        """() => {
            const tickers = [...document.querySelectorAll(".mention-row .ticker")]
            return tickers.length > 0 && tickers.every((each) => each.textContent === "BRK.B")
        }"""
    )
    assert set(page.locator(".mention-row .chip").all_text_contents()) == {"Hold"}
    assert page.locator(".entry time").first.get_attribute("datetime") <= "2023-06-16"

    page.reload()
    page.locator(".entry").first.wait_for()
    assert page.get_by_label("Stock", exact=True).input_value() == "BRK.B"

    page.get_by_label("Go to date").fill("1999-01-01")
    page.get_by_text("No matching videos").wait_for()
    page.get_by_role("button", name="Clear filters").click()
    page.locator(".entry time").filter(has_text="Dec 31, 2024").wait_for()


def test_a_cancelled_channel_says_that_its_figures_are_partial(
    edge_cases: EdgeCases, open_page: OpenPage, axe: Callable[[Any], None]
) -> None:
    address, channels = edge_cases
    page = open_page(f"{address}/channels/{channels['cancelled'].id}", NARROW)

    partial = page.locator(".banner.partial")
    partial.wait_for()

    assert partial.inner_text().strip() == (
        "Partial results: 1 of 5 videos read, 1 without transcript, 1 failed, 2 calls unpriced."
    )
    assert_fits_every_width(page, axe)


def test_a_channel_without_stocks_says_so(
    edge_cases: EdgeCases, open_page: OpenPage, axe: Callable[[Any], None]
) -> None:
    address, channels = edge_cases
    page = open_page(f"{address}/channels/{channels['empty'].id}/stocks")

    page.get_by_text("No stocks mentioned").wait_for()
    axe(page)


def open_empty_list(open_page: OpenPage, address: str, setup: dict[str, Any]) -> Any:
    """The list of a server without channels, with the given providers."""
    page = open_page("about:blank", NARROW)
    empty = {"items": [], "total": 0, "page": 1, "per_page": 24}
    page.route("**/api/channels?*", lambda route: route.fulfill(json=empty))
    if setup:
        page.route("**/api/setup", lambda route: route.fulfill(json=route.fetch().json() | setup))
    page.goto(address)
    page.get_by_text("No channels yet").wait_for()
    return page


def test_without_channels_the_demo_offers_its_own(
    edge_cases: EdgeCases, open_page: OpenPage, axe: Callable[[Any], None]
) -> None:
    page = open_empty_list(open_page, edge_cases[0], {})

    page.get_by_role("button", name="Rico Trades Momentum").wait_for()
    assert page.locator(".offer").count() == 3
    assert_fits_every_width(page, axe)


@pytest.mark.parametrize("missing", [[], ["YOUTUBE_API_KEY"]], ids=["with key", "without key"])
def test_with_live_providers_no_demo_is_offered_and_a_missing_key_is_named(
    edge_cases: EdgeCases,
    open_page: OpenPage,
    axe: Callable[[Any], None],
    missing: list[str],
) -> None:
    live = {"videos": "youtube", "missing_settings": missing}
    page = open_empty_list(open_page, edge_cases[0], live)

    page.get_by_text("Add a YouTube channel").wait_for()
    page.wait_for_load_state("networkidle")
    assert page.locator(".offer").count() == 0
    assert page.get_by_text("YOUTUBE_API_KEY is not set.").count() == len(missing)
    assert_fits_every_width(page, axe)
