"""Journeys of users on the dashboard, with the demo channels."""

import json
import re
from collections.abc import Callable
from typing import Any
from urllib.request import urlopen

import pytest

from tests.browser.conftest import NARROW, PHONE, SCREENS, OpenPage, assert_fits, layout_shift

VALUE = "The Patient Value Investor"
MOMENTUM = "Rico Trades Momentum"
TALK = "Market Talk"
RUN_MILLISECONDS = 90_000


def channel_id(product: str, name: str) -> str:
    with urlopen(f"{product}/api/channels") as response:
        return next(each["id"] for each in json.load(response)["items"] if each["name"].startswith(name))


@pytest.fixture(scope="session")
def value_page(product: str, browser: Any) -> str:
    """The address of the careful channel, once its run has completed."""
    page = browser.new_page()
    page.goto(f"{product}/channels/{channel_id(product, VALUE)}")
    page.get_by_text("Completed", exact=True).wait_for(timeout=RUN_MILLISECONDS)
    address: str = page.url
    page.close()
    return address


def delete(page: Any, name: str) -> None:
    page.get_by_role("link", name=name).click()
    page.get_by_role("button", name="Delete").click()
    dialog = page.get_by_role("dialog", name="Delete this channel?")
    dialog.get_by_role("button", name="Delete").click()
    page.get_by_text("Channel deleted").wait_for()
    page.get_by_role("heading", name="Leaderboard").wait_for()


def add(page: Any, url: str, months: int = 36) -> None:
    page.get_by_role("button", name="Add a channel").click()
    page.get_by_label("Channel URL").fill(url)
    page.get_by_label(f"{months} months", exact=True).check()
    page.get_by_role("button", name="Add channel").click()


def column(page: Any, selector: str) -> list[str]:
    texts: list[str] = page.locator(f"table.stocks tbody {selector}").all_inner_texts()
    return texts


def test_a_channel_is_deleted_and_a_new_run_is_followed_to_its_end(product: str, open_page: OpenPage) -> None:
    # A poll may be in flight while the channel is deleted.
    page = open_page(product, expected=["404 (Not Found)"])
    delete(page, TALK)
    assert page.get_by_role("link", name=TALK).count() == 0

    add(page, "youtube.com/@DemoMarketTalk")

    page.locator(".run").get_by_role("progressbar").wait_for()
    # Whichever lines are the newest by now.
    newest = re.compile(r"Started|Found 52 videos|“.+”: ")
    page.locator(".run-lines li").filter(has_text=newest).first.wait_for(timeout=RUN_MILLISECONDS)
    page.locator(".run .progress-text").filter(has_text=re.compile(r"[1-9]\d* of 52 videos")).wait_for(
        timeout=RUN_MILLISECONDS
    )
    page.get_by_text("Completed", exact=True).wait_for(timeout=RUN_MILLISECONDS)
    page.get_by_role("link", name="Stocks").click()
    page.locator("table.stocks tbody tr").first.wait_for()
    assert page.get_by_role("progressbar").count() == 0


def test_a_run_is_cancelled_and_started_again(product: str, open_page: OpenPage) -> None:
    page = open_page(product, expected=["404 (Not Found)"])
    delete(page, MOMENTUM)
    add(page, "@DemoMomentumTrader", months=12)
    page.locator(".run").wait_for()

    page.get_by_role("button", name="Cancel run").click()

    page.get_by_text("Cancelled", exact=True).wait_for()
    assert page.get_by_role("progressbar").count() == 0
    page.get_by_role("button", name="Run again").click()
    page.get_by_role("progressbar").wait_for()
    page.get_by_text("Completed", exact=True).wait_for(timeout=RUN_MILLISECONDS)
    page.get_by_role("link", name="Log", exact=True).click()
    page.locator(".log li").first.wait_for()
    logs = page.request.get(page.url.replace("/channels/", "/api/channels/").replace("/log", "/logs")).json()["logs"]
    assert page.locator(".log li").count() == len(logs), "a line that came with two polls is shown once"


def test_a_hidden_tab_sends_no_requests(product: str, value_page: str, open_page: OpenPage) -> None:
    page = open_page("about:blank")
    page.route("**/api/channels/*", lambda route: route.fulfill(json=json_of(route) | {"status": "processing"}))
    requested: list[str] = []
    page.on("request", lambda request: "/api/" in request.url and requested.append(request.url))
    page.goto(value_page)
    page.get_by_role("progressbar").wait_for()
    page.wait_for_timeout(4_500)
    assert any("since=" in url for url in requested), "a poll for log lines requests new ones only"

    show(page, "hidden")
    page.wait_for_timeout(500)
    requested.clear()
    page.wait_for_timeout(5_000)
    assert requested == []

    show(page, "visible")
    page.wait_for_timeout(3_000)
    assert requested != []


def json_of(route: Any) -> dict[str, Any]:
    body: dict[str, Any] = route.fetch().json()
    return body


def show(page: Any, state: str) -> None:
    page.evaluate(
        """(state) => {
            Object.defineProperty(document, 'visibilityState', { value: state, configurable: true })
            document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
        }""",
        state,
    )


def test_stocks_are_sorted_and_filtered(value_page: str, open_page: OpenPage) -> None:
    page = open_page(f"{value_page}/stocks")
    page.locator("table.stocks tbody tr").first.wait_for()

    page.get_by_role("button", name="Since first mention").click()
    changes = [float(text.strip("+%").replace(",", "")) for text in column(page, ".cell-change") if "%" in text]
    assert len(changes) > 5
    assert changes == sorted(changes, reverse=True)
    assert page.get_by_role("columnheader", name="Since first mention").get_attribute("aria-sort") == "descending"

    page.get_by_role("button", name="Stock", exact=True).click()
    tickers = column(page, ".ticker")
    assert tickers == sorted(tickers)

    page.get_by_label("Find a stock").fill("apple")
    assert column(page, ".ticker") == ["AAPL"]

    page.get_by_label("Find a stock").fill("no such stock")
    page.get_by_role("button", name="Clear filters").click()
    page.get_by_role("radio", name="Sell").check()
    assert 0 < len(column(page, ".ticker")) < len(tickers)


def test_the_chart_marks_each_mention(value_page: str, open_page: OpenPage) -> None:
    page = open_page(f"{value_page}/stocks", expected=["willReadFrequently"])
    page.locator(".stock-link").filter(has_text="AAPL").click()
    chart = page.get_by_role("img", name=re.compile("Daily closing prices of AAPL"))
    chart.wait_for()
    mentions = page.locator(".mention").count()

    assert mentions > 0
    assert f"with {mentions} mentions marked" in chart.get_attribute("aria-label")
    page.wait_for_timeout(300)
    assert_drawn(page, "sell")
    assert_drawn(page, "hold")

    page.locator(".mention").first.hover()
    tooltip = page.locator(".tooltip")
    tooltip.wait_for()
    said = tooltip.inner_text()
    assert page.locator(".mention-title").first.inner_text().strip() in said
    assert page.locator(".mention .quote").first.inner_text() in said
    assert re.search(r"\$\d+\.\d\d", said)
    assert page.get_by_role("link", name=re.compile("TradingView")).is_visible()

    page.go_back()
    page.locator("table.stocks tbody tr").first.wait_for()


def point_at_a_mark(page: Any) -> None:
    """Hovers over a mention, which shows where its mark is, and then over the mark itself.

    More than once if need be: on a busy machine the chart may still move after the mark's place was read.
    """
    quote = page.locator(".tooltip .quote")
    for _ in range(5):
        page.locator(".mention").nth(2).hover()
        place = page.locator(".tooltip").evaluate("({ style }) => [style.left, style.top].map(parseFloat)")
        page.locator(".chart").evaluate("(chart) => chart.scrollIntoView({ block: 'center' })")
        box = page.locator(".chart").bounding_box()
        page.mouse.move(box["x"] + place[0], box["y"] + place[1])
        page.wait_for_timeout(500)
        if quote.count():
            return
    quote.wait_for()


def assert_drawn(page: Any, kind: str) -> None:
    """The kind's colour is on one of the chart's canvases."""
    pixels = page.evaluate(
        """(kind) => {
            const probe = document.body.appendChild(document.createElement('span'))
            probe.className = kind
            probe.style.color = 'var(--mark)'
            const wanted = getComputedStyle(probe).color.match(/\\d+/g).map(Number)
            probe.remove()
            let found = 0
            for (const canvas of document.querySelectorAll('.chart canvas')) {
                const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
                for (let at = 0; at < data.length; at += 4)
                    if (data[at + 3] === 255 && wanted.every((part, index) => data[at + index] === part)) found++
            }
            return found
        }""",
        kind,
    )
    assert pixels > 20, f"no {kind} is marked"


def test_the_timeline_quotes_the_video_and_links_to_it(value_page: str, open_page: OpenPage) -> None:
    page = open_page(value_page)
    page.get_by_role("link", name="Timeline").click()
    first = page.locator(".entry").first
    first.wait_for()

    days = page.locator(".entry time").evaluate_all("(times) => times.map((time) => time.dateTime)")
    assert days == sorted(days, reverse=True)
    assert re.fullmatch(r"\w+ \d+, 2022\s+\d+:\d\d\s[AP]M in New York", first.locator("time").inner_text())
    assert first.locator(".quote").first.inner_text()
    assert first.locator(".entry-title a").get_attribute("href").startswith("https://www.youtube.com/watch?v=")
    assert page.url.endswith("/timeline")


def test_a_view_sends_each_request_once(value_page: str, open_page: OpenPage) -> None:
    page = open_page("about:blank")
    requested: list[str] = []
    page.on("request", lambda request: "/api/" in request.url and requested.append(request.url))

    page.goto(f"{value_page}/stocks")
    page.locator("table.stocks tbody tr").first.wait_for()
    page.wait_for_timeout(3_000)

    # The channel, its stocks, what the reader watches, and their settings.
    assert len(requested) == len(set(requested)) == 4


def test_a_part_that_cannot_be_loaded_is_told_and_the_rest_of_the_page_stays(
    value_page: str, open_page: OpenPage
) -> None:
    page = open_page(value_page, expected=["ERR_FAILED", "dynamically imported module", "CSS for"])
    page.get_by_role("heading", name=VALUE).wait_for()
    page.route("**/assets/**", lambda route: route.abort())

    page.get_by_role("link", name="Videos").click()
    page.get_by_role("alert").filter(has_text="This tab couldn\u2019t be shown").wait_for()
    assert page.get_by_role("heading", name=VALUE).is_visible()

    page.get_by_role("button", name="Export").click()
    page.get_by_role("dialog").get_by_role("button", name="Close").click()
    page.get_by_role("link", name="Score", exact=True).click()
    page.get_by_text("Calls scored").wait_for()

    pages = page.get_by_role("navigation", name="Pages")
    pages.get_by_role("link", name="News").click()
    page.get_by_role("alert").filter(has_text="This page couldn\u2019t be shown").wait_for()
    pages.get_by_role("link", name="Leaderboard").click()
    page.get_by_role("heading", name="Leaderboard").wait_for()

    page.unroute("**/assets/**")
    page.go_back()
    page.get_by_role("button", name="Reload the page").click()
    page.get_by_role("heading", name="News", exact=True).wait_for()


def test_typing_in_the_add_dialog_goes_into_its_field(product: str, open_page: OpenPage) -> None:
    page = open_page(product)
    page.get_by_role("button", name="Add a channel").click()

    page.keyboard.type("https://vimeo.com/x")

    dialog = page.get_by_role("dialog", name="Add a channel")
    assert dialog.get_by_label("Channel URL").input_value() == "https://vimeo.com/x"
    dialog.get_by_text("That isn\u2019t a YouTube link. Try youtube.com/@name.").wait_for()
    dialog.get_by_text("This is the demo, which knows its three fictional channels alone.").wait_for()
    assert dialog.get_by_role("button", name="Add channel").is_disabled()
    page.keyboard.press("Escape")
    dialog.wait_for(state="detached")
    assert page.evaluate("document.activeElement.innerText").strip() == "Add a channel"


def test_adding_a_channel_says_who_reads_where_and_at_what_cost(
    product: str, open_page: OpenPage, axe: Callable[[Any], None]
) -> None:
    page = open_page("about:blank", NARROW)
    model = {
        "reader": {
            "name": "gpt-5-mini",
            "provider": "openai",
            "sends_to": "api.openai.com",
            "dollars_per_hour": 0.01,
            "prices_as_of": "2025-12",
            "daily_tokens": None,
        },
        "estimate": {"videos": 100, "words": 350_000, "tokens_in": 1_060_000, "tokens_out": 140_000, "dollars": 1.5},
    }
    page.route("**/api/setup", lambda route: route.fulfill(json=route.fetch().json() | model))
    page.goto(product)

    page.get_by_role("button", name="Add a channel").click()

    cost = page.get_by_role("dialog", name="Add a channel").locator(".reading-cost")
    assert cost.inner_text() == (
        "Read by gpt-5-mini. Transcripts are sent to api.openai.com. "
        "Reading 100 videos takes about 1.2 million tokens, about $1.50 at list prices of December 2025."
    )
    axe(page)


def test_a_channel_that_exists_is_linked_to(product: str, value_page: str, open_page: OpenPage) -> None:
    page = open_page(product, expected=["400 (Bad Request)"])
    page.get_by_role("button", name="Add a channel").click()
    dialog = page.get_by_role("dialog", name="Add a channel")
    dialog.get_by_label("Channel URL").fill("https://www.youtube.com/@DemoValueInvestor")
    dialog.get_by_role("button", name="Add channel").click()
    dialog.get_by_text("Channel already exists").wait_for()

    dialog.get_by_role("link", name="Open it").click()

    page.get_by_role("heading", name=VALUE).wait_for()
    assert page.url == value_page
    assert dialog.count() == 0


def test_a_channel_of_which_nothing_was_read_is_not_judged(product: str, value_page: str, open_page: OpenPage) -> None:
    failed = {"status": "failed", "processed_video_count": 0}

    def leaderboard(route: Any) -> None:
        body = json_of(route)
        items = [
            entry | {"channel": entry["channel"] | failed} if VALUE in entry["channel"]["name"] else entry
            for entry in body["items"]
        ]
        route.fulfill(json=body | {"items": items})

    page = open_page("about:blank")
    page.route("**/api/leaderboard?*", leaderboard)
    page.route("**/api/channels/*", lambda route: route.fulfill(json=json_of(route) | failed))

    page.goto(product)
    page.get_by_role("region", name="Channels without a score yet").get_by_role("link", name=VALUE).wait_for()
    assert page.get_by_role("table").get_by_text(VALUE).count() == 0

    for tab in ("score", "calls", "stocks", "timeline", "review"):
        page.goto(f"{value_page}/{tab}")
        page.get_by_text("The last run failed before it read a video.").wait_for()
    assert page.get_by_text("Nothing to review").count() == 0


def test_a_server_error_is_shown_and_retried(value_page: str, open_page: OpenPage) -> None:
    page = open_page("about:blank", expected=["500 (Internal Server Error)"])
    page.route("**/api/**/stocks", lambda route: route.fulfill(status=500, json={"detail": "Internal Server Error"}))
    page.goto(f"{value_page}/stocks")
    page.get_by_text("Couldn\u2019t load the stocks").wait_for()
    page.get_by_text("Something went wrong on the server (500).").wait_for()

    page.unroute("**/api/**/stocks")
    page.get_by_role("button", name="Try again").click()

    page.locator("table.stocks tbody tr").first.wait_for()


def test_the_list_recovers_by_itself_when_the_server_is_back(product: str, open_page: OpenPage) -> None:
    page = open_page("about:blank", expected=["net::ERR_FAILED"])
    page.route("**/api/**", lambda route: route.abort())
    page.goto(f"{product}/channels")
    page.get_by_text("Can\u2019t reach the server. Retrying…").wait_for()
    page.get_by_role("button", name="Try again").wait_for()

    page.unroute("**/api/**")

    page.locator(".card").first.wait_for()
    assert page.get_by_text("Can\u2019t reach the server.").count() == 0


def test_a_list_that_cannot_be_refreshed_says_so_until_the_server_is_back(product: str, open_page: OpenPage) -> None:
    page = open_page("about:blank", expected=["net::ERR_FAILED"])
    running = lambda route: route.fulfill(json=with_status(route, "processing"))  # noqa: E731
    page.route("**/api/channels?*", running)
    page.goto(f"{product}/channels")
    page.locator(".card progress").first.wait_for()

    page.unroute("**/api/channels?*")
    page.route("**/api/**", lambda route: route.abort())
    page.get_by_text("Can\u2019t reach the server. Retrying…").wait_for()
    assert page.locator(".card").count() > 0

    page.unroute("**/api/**")
    page.get_by_text("Can\u2019t reach the server. Retrying…").wait_for(state="detached")


def with_status(route: Any, status: str) -> dict[str, Any]:
    body = json_of(route)
    return body | {"items": [channel | {"status": status} for channel in body["items"]]}


def test_a_phone_shows_the_verdict_first_and_what_can_be_done_on_demand(value_page: str, open_page: OpenPage) -> None:
    page = open_page(value_page, PHONE)
    verdict = page.get_by_role("region", name="Verdict").get_by_text("Beats the market")
    verdict.wait_for()

    assert verdict.bounding_box()["y"] < PHONE["height"]
    assert page.get_by_role("button", name="Delete").is_hidden()
    page.get_by_role("button", name="Manage").click()
    assert page.get_by_role("button", name="Delete").is_visible()
    assert page.get_by_label("Check for new videos").is_visible()


def test_touch_targets_on_a_phone_are_large_enough(product: str, value_page: str, open_page: OpenPage) -> None:
    for address, ready in (
        (f"{product}/channels", ".card"),
        (f"{product}/how-scores-are-made", ".worked"),
        (f"{value_page}/stocks", ".stocks tbody tr"),
        (f"{value_page}/timeline", ".entry"),
        (f"{value_page}/log", ".log li"),
        (f"{value_page}/stocks/MSFT", ".chart canvas"),
    ):
        page = open_page(address, PHONE, has_touch=True, expected=["willReadFrequently"])
        page.locator(ready).first.wait_for()
        page.wait_for_load_state("networkidle")

        sizes = page.locator(
            "a:not(.skip-link), button, select, input:not([type=radio]), .segments label"
        ).evaluate_all(
            """(elements) => elements.filter((each) => each.checkVisibility()).map((each) => {
                const { width, height } = (each.closest(".check, .card") ?? each).getBoundingClientRect()
                return [each.outerHTML.slice(0, 90), width, height]
            })"""
        )
        # What is not rendered before it is scrolled to has no size.
        small = [f"{html} {width:.0f}x{height:.0f}" for html, width, height in sizes if 0 < min(width, height) < 24]
        tickers = page.locator(".stock-link, .mention-row .ticker").evaluate_all(
            "(links) => links.map((link) => link.getBoundingClientRect().height)"
        )
        assert sizes
        assert small == []
        assert all(height >= 44 for height in tickers)
        page.close()


def test_log_lines_carry_their_date(value_page: str, open_page: OpenPage) -> None:
    page = open_page(f"{value_page}/log")
    times = page.locator(".log time")
    times.first.wait_for()

    assert all(
        re.fullmatch(r"[A-Z][a-z]{2} \d+, \d{4}, \d+:\d\d:\d\d.[AP]M", each) for each in times.all_text_contents()
    )


def test_the_favicon_is_served(product: str, open_page: OpenPage) -> None:
    response = open_page(product).request.get(f"{product}/favicon.ico")

    assert response.status == 200
    assert response.headers["content-type"].startswith("image/")
    assert response.body()[:4] == b"\x00\x00\x01\x00"


def test_the_chart_shows_a_range_and_names_the_month_of_each_day(value_page: str, open_page: OpenPage) -> None:
    page = open_page("about:blank")
    page.add_init_script(
        """const fillText = CanvasRenderingContext2D.prototype.fillText
        window.drawn = []
        CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {
            window.drawn.push(text)
            return fillText.call(this, text, ...rest)
        }"""
    )
    page.goto(f"{value_page}/stocks/MSFT")
    chart = page.get_by_role("img", name=re.compile("Daily closing prices of MSFT from .* on Jan 7, 2020 to"))
    chart.wait_for()
    page.wait_for_timeout(300)
    assert any(re.fullmatch(r"[A-Z][a-z]{2} \d+", text) for text in page.evaluate("window.drawn"))

    page.evaluate("window.drawn.length = 0")
    page.get_by_role("radio", name="1M").check()

    page.get_by_role("img", name=re.compile("on Nov 28, 2022 to .* on Dec 28, 2022, with 1 mention marked")).wait_for()
    page.wait_for_timeout(300)
    drawn = page.evaluate("window.drawn")
    assert "Dec 13" in drawn or any(text.startswith("Dec ") for text in drawn)
    assert "2021" not in drawn
    assert not [text for text in drawn if re.fullmatch(r"\d{1,2}", text)], "a day without its month"


def test_a_change_that_needs_a_token_asks_for_it_and_continues(value_page: str, open_page: OpenPage) -> None:
    page = open_page("about:blank", expected=["401 (Unauthorized)"])
    sent: list[str | None] = []

    def guard(route: Any) -> None:
        sent.append(route.request.headers.get("authorization"))
        if sent[-1] == "Bearer right":
            route.continue_()
        else:
            route.fulfill(status=401, json={"detail": "Unauthorized"})

    page.route("**/refresh-prices", guard)
    page.goto(value_page)
    page.get_by_role("button", name="Refresh prices").click()
    dialog = page.get_by_role("dialog", name="Access token")
    dialog.get_by_label("Token").fill("wrong")
    dialog.get_by_role("button", name="Continue").click()
    dialog.get_by_text("That token wasn\u2019t accepted.").wait_for()
    dialog.get_by_label("Token").fill("right")
    dialog.get_by_role("button", name="Continue").click()

    page.get_by_text("prices as of Dec 28, 2022").wait_for()
    assert sent == [None, "Bearer wrong", "Bearer right"]
    assert page.evaluate("[sessionStorage.length, localStorage.length]") == [1, 0]


def test_an_unknown_address_is_reported(product: str, open_page: OpenPage) -> None:
    page = open_page(f"{product}/channels/nobody", expected=["404 (Not Found)"])
    page.get_by_text("Channel not found").wait_for()

    page.goto(f"{product}/nothing/here")
    page.get_by_role("heading", name="Page not found").wait_for()


def test_the_theme_follows_the_system_until_one_is_chosen(product: str, open_page: OpenPage) -> None:
    page = open_page(product, theme="dark")
    background = "getComputedStyle(document.documentElement).backgroundColor"
    dark = page.evaluate(background)

    page.get_by_role("button", name="Switch to light theme").click()
    page.wait_for_function(f"() => {background} !== {dark!r}")
    light = page.evaluate(background)
    page.reload()

    assert light != dark
    assert page.evaluate(background) == light


def test_pages_work_with_the_keyboard(product: str, value_page: str, open_page: OpenPage) -> None:
    page = open_page(product)
    page.get_by_role("link", name=VALUE).wait_for()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.innerText") == "Skip to content"

    page.get_by_role("link", name=VALUE).focus()
    page.keyboard.press("Enter")
    page.get_by_role("heading", name=VALUE).wait_for()

    assert page.evaluate("document.activeElement.tagName") == "H1"
    assert VALUE in page.title()


def test_the_demo_is_marked_and_its_prices_carry_its_last_day(value_page: str, open_page: OpenPage) -> None:
    page = open_page(value_page)
    page.get_by_text("Demo data").wait_for()

    page.get_by_text("Prices are real, adjusted for splits and dividends, and end on Dec 28, 2022.").wait_for()
    page.get_by_text("The S&P 500 it is compared with is without dividends.").wait_for()


@SCREENS
@pytest.mark.parametrize("view", ["channels", "add", "method", "stocks", "timeline", "log", "stock"])
def test_a_view_is_accessible_and_fits_and_does_not_shift(
    product: str,
    value_page: str,
    open_page: OpenPage,
    axe: Callable[[Any], None],
    screenshot: Callable[[Any, str], None],
    view: str,
    viewport: dict[str, int],
    theme: str,
) -> None:
    address, ready = {
        "channels": (f"{product}/channels", ".card"),
        "add": (f"{product}/channels", ".card"),
        "method": (f"{product}/how-scores-are-made", ".worked"),
        "stocks": (f"{value_page}/stocks", ".stocks tbody tr"),
        "timeline": (f"{value_page}/timeline", ".entry"),
        "log": (f"{value_page}/log", ".log li"),
        "stock": (f"{value_page}/stocks/MSFT", ".chart canvas"),
    }[view]
    page = open_page(address, viewport, theme)
    page.locator(ready).first.wait_for()
    page.wait_for_load_state("networkidle")
    assert layout_shift(page) < 0.1
    if view == "add":
        page.get_by_role("button", name="Add a channel").click()
        page.get_by_label("Channel URL").fill("https://www.youtube.com/@DemoValueInvestor")
    if view == "stock":
        point_at_a_mark(page)

    assert_fits(page)
    axe(page)
    if (view, viewport["width"], theme) == ("stock", 1280, "dark"):
        screenshot(page, view)
