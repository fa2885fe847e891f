"""What people do on the dashboard, with the demo's channels."""

import json
import re
from collections.abc import Callable
from typing import Any
from urllib.request import urlopen

import pytest

from tests.browser.conftest import DESKTOP, PHONE, OpenPage, assert_fits, layout_shift

VALUE = "The Patient Value Investor"
MOMENTUM = "Rico Trades Momentum"
TALK = "Market Talk"
WHILE_IT_RUNS = 90_000


def channel_id(product: str, name: str) -> str:
    with urlopen(f"{product}/api/channels") as answer:
        return next(each["id"] for each in json.load(answer)["items"] if each["name"].startswith(name))


@pytest.fixture(scope="session")
def value_page(product: str, browser: Any) -> str:
    """The address of the careful channel, once it has been processed."""
    page = browser.new_page()
    page.goto(f"{product}/channels/{channel_id(product, VALUE)}")
    page.get_by_text("Completed", exact=True).wait_for(timeout=WHILE_IT_RUNS)
    address: str = page.url
    page.close()
    return address


def delete(page: Any, name: str) -> None:
    page.get_by_role("link", name=name).click()
    page.get_by_role("button", name="Delete").click()
    dialog = page.get_by_role("dialog", name="Delete this channel?")
    dialog.get_by_role("button", name="Delete").click()
    page.get_by_text("The channel was deleted.").wait_for()
    page.get_by_role("heading", name="Channels").wait_for()


def add(page: Any, url: str, months: int = 36) -> None:
    page.get_by_role("button", name="Add a channel").click()
    page.get_by_label("Channel URL").fill(url)
    page.get_by_label(f"{months} months", exact=True).check()
    page.get_by_role("button", name="Add channel").click()


def column(page: Any, selector: str) -> list[str]:
    texts: list[str] = page.locator(f"table.stocks tbody {selector}").all_inner_texts()
    return texts


def test_a_deleted_channel_is_gone_and_one_that_is_added_is_watched_until_it_is_done(
    product: str, open_page: OpenPage
) -> None:
    # A poll may be on its way while the channel goes.
    page = open_page(product, expected=["404 (Not Found)"])
    delete(page, TALK)
    assert page.locator(".card").filter(has_text=TALK).count() == 0

    add(page, "youtube.com/@DemoMarketTalk")

    page.locator(".run").get_by_role("progressbar").wait_for()
    # The newest lines, whichever these are by now.
    newest = re.compile(r"Started|Found 40 videos|“.+”: ")
    page.locator(".run-lines li").filter(has_text=newest).first.wait_for(timeout=WHILE_IT_RUNS)
    page.locator(".run .progress-words").filter(has_text=re.compile(r"[1-9]\d* of 40 videos")).wait_for(
        timeout=WHILE_IT_RUNS
    )
    page.get_by_text("Completed", exact=True).wait_for(timeout=WHILE_IT_RUNS)
    page.locator("table.stocks tbody tr").first.wait_for()
    assert page.get_by_role("progressbar").count() == 0
    assert page.get_by_role("region", name="Track record at a glance").is_visible()


def test_a_run_can_be_cancelled_and_begun_again(product: str, open_page: OpenPage) -> None:
    page = open_page(product, expected=["404 (Not Found)"])
    delete(page, MOMENTUM)
    add(page, "@DemoMomentumTrader", months=12)
    page.locator(".run").wait_for()

    page.get_by_role("button", name="Cancel").click()

    page.get_by_text("Cancelled", exact=True).wait_for()
    assert page.get_by_role("progressbar").count() == 0
    page.get_by_role("button", name="Process again").click()
    page.get_by_role("progressbar").wait_for()
    page.get_by_text("Completed", exact=True).wait_for(timeout=WHILE_IT_RUNS)
    page.get_by_role("link", name="Log", exact=True).click()
    page.locator(".log li").first.wait_for()
    logs = page.request.get(page.url.replace("/channels/", "/api/channels/").replace("/log", "/logs")).json()["logs"]
    assert page.locator(".log li").count() == len(logs), "a line that came with two polls is shown once"


def test_a_hidden_tab_asks_for_nothing(product: str, value_page: str, open_page: OpenPage) -> None:
    page = open_page("about:blank")
    page.route("**/api/channels/*", lambda route: route.fulfill(json=json_of(route) | {"status": "processing"}))
    asked: list[str] = []
    page.on("request", lambda request: "/api/" in request.url and asked.append(request.url))
    page.goto(value_page)
    page.get_by_role("progressbar").wait_for()
    page.wait_for_timeout(4_500)
    assert any("since=" in url for url in asked), "a poll for log lines asks for new ones only"

    show(page, "hidden")
    page.wait_for_timeout(500)
    asked.clear()
    page.wait_for_timeout(5_000)
    assert asked == []

    show(page, "visible")
    page.wait_for_timeout(3_000)
    assert asked != []


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


def test_the_stocks_are_sorted_and_found(value_page: str, open_page: OpenPage) -> None:
    page = open_page(value_page)
    page.locator("table.stocks tbody tr").first.wait_for()

    page.get_by_role("button", name="Change").click()
    changes = [float(text.strip("+%").replace(",", "")) for text in column(page, ".cell-change") if "%" in text]
    assert len(changes) > 5
    assert changes == sorted(changes, reverse=True)
    assert page.get_by_role("columnheader", name="Change").get_attribute("aria-sort") == "descending"

    page.get_by_role("button", name="Stock").click()
    tickers = column(page, ".ticker")
    assert tickers == sorted(tickers)

    page.get_by_label("Find a stock").fill("apple")
    assert column(page, ".ticker") == ["AAPL"]

    page.get_by_label("Find a stock").fill("no such stock")
    page.get_by_role("button", name="Show all").click()
    page.get_by_role("radio", name="Sell").check()
    assert 0 < len(column(page, ".ticker")) < len(tickers)


def test_a_stock_shows_its_chart_with_a_mark_for_each_call(value_page: str, open_page: OpenPage) -> None:
    page = open_page(value_page, expected=["willReadFrequently"])
    page.get_by_role("link", name="AAPL", exact=True).click()
    chart = page.get_by_role("img", name=re.compile("Daily closing prices of AAPL"))
    chart.wait_for()
    mentions = page.locator(".mention").count()

    assert mentions > 0
    assert f"with {mentions} calls marked" in chart.get_attribute("aria-label")
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
    """First in the list, which says where the mark is; then on the chart itself."""
    page.locator(".mention").nth(2).hover()
    place = page.locator(".tooltip").evaluate("({ style }) => [style.left, style.top].map(parseFloat)")
    page.evaluate("window.scrollTo(0, 0)")
    box = page.locator(".chart").bounding_box()
    page.mouse.move(box["x"] + place[0], box["y"] + place[1])
    page.locator(".tooltip .quote").wait_for()


def assert_drawn(page: Any, kind: str) -> None:
    """The kind's colour is somewhere on the chart's canvases."""
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


def test_the_timeline_quotes_what_was_said_and_links_to_the_video(value_page: str, open_page: OpenPage) -> None:
    page = open_page(value_page)
    page.get_by_role("link", name="Timeline").click()
    first = page.locator(".entry").first
    first.wait_for()

    days = page.locator(".entry time").evaluate_all("(times) => times.map((time) => time.dateTime)")
    assert days == sorted(days, reverse=True)
    assert first.locator(".quote").first.inner_text()
    assert first.locator(".entry-title a").get_attribute("href").startswith("https://www.youtube.com/watch?v=")
    assert page.url.endswith("/timeline")


def test_a_view_asks_once_for_each_thing_however_many_stocks_there_are(value_page: str, open_page: OpenPage) -> None:
    page = open_page("about:blank")
    asked: list[str] = []
    page.on("request", lambda request: "/api/" in request.url and asked.append(request.url))

    page.goto(value_page)
    page.locator("table.stocks tbody tr").first.wait_for()
    page.wait_for_timeout(3_000)

    assert len(asked) == len(set(asked))
    assert len(asked) <= 4


def test_a_url_is_checked_while_it_is_typed_and_the_servers_refusal_is_shown(
    product: str, value_page: str, open_page: OpenPage
) -> None:
    page = open_page(product, expected=["400 (Bad Request)"])
    page.get_by_role("button", name="Add a channel").click()
    dialog = page.get_by_role("dialog", name="Add a channel")
    submit = dialog.get_by_role("button", name="Add channel")

    dialog.get_by_label("Channel URL").fill("https://vimeo.com/x")
    dialog.get_by_text("This is not a page on youtube.com").wait_for()
    assert submit.is_disabled()

    dialog.get_by_label("Channel URL").fill("https://www.youtube.com/@DemoValueInvestor")
    submit.click()
    dialog.get_by_text("Channel already exists").wait_for()

    page.keyboard.press("Escape")
    dialog.wait_for(state="detached")
    assert page.evaluate("document.activeElement.innerText").strip() == "Add a channel"


def test_a_server_error_is_told_and_tried_again(value_page: str, open_page: OpenPage) -> None:
    page = open_page("about:blank", expected=["500 (Internal Server Error)"])
    page.route("**/stocks", lambda route: route.fulfill(status=500, json={"detail": "Internal Server Error"}))
    page.goto(value_page)
    page.get_by_text("The stocks could not be loaded").wait_for()
    page.get_by_text("The server had a problem (500)").wait_for()

    page.unroute("**/stocks")
    page.get_by_role("button", name="Try again").click()

    page.locator("table.stocks tbody tr").first.wait_for()


def test_a_server_that_is_away_is_told(product: str, open_page: OpenPage) -> None:
    page = open_page("about:blank", expected=["net::ERR_FAILED"])
    page.route("**/api/**", lambda route: route.abort())

    page.goto(product)

    page.get_by_text("The server could not be reached.").wait_for()
    page.get_by_role("button", name="Try again").wait_for()


def test_a_change_that_needs_a_token_asks_for_it_and_goes_on(value_page: str, open_page: OpenPage) -> None:
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
    dialog.get_by_role("button", name="Go on").click()
    dialog.get_by_text("did not accept this token").wait_for()
    dialog.get_by_label("Token").fill("right")
    dialog.get_by_role("button", name="Go on").click()

    page.get_by_text("up to date.").wait_for()
    assert sent == [None, "Bearer wrong", "Bearer right"]
    assert page.evaluate("[sessionStorage.length, localStorage.length]") == [1, 0]


def test_an_address_that_leads_nowhere_says_so(product: str, open_page: OpenPage) -> None:
    page = open_page(f"{product}/channels/nobody", expected=["404 (Not Found)"])
    page.get_by_text("There is no such channel").wait_for()

    page.goto(f"{product}/nothing/here")
    page.get_by_role("heading", name="No such page").wait_for()


def test_the_theme_is_the_systems_until_one_is_chosen_and_then_remembered(product: str, open_page: OpenPage) -> None:
    page = open_page(product, theme="dark")
    background = "getComputedStyle(document.documentElement).backgroundColor"
    dark = page.evaluate(background)

    page.get_by_role("button", name="Switch to the light theme").click()
    page.wait_for_function(f"{background} !== {dark!r}")
    light = page.evaluate(background)
    page.reload()

    assert light != dark
    assert page.evaluate(background) == light


def test_everything_can_be_reached_by_keyboard(product: str, value_page: str, open_page: OpenPage) -> None:
    page = open_page(product)
    page.locator(".card").first.wait_for()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.innerText") == "Skip to the content"

    page.get_by_role("link", name=VALUE).focus()
    page.keyboard.press("Enter")
    page.get_by_role("heading", name=VALUE).wait_for()

    assert page.evaluate("document.activeElement.tagName") == "H1"
    assert VALUE in page.title()


def test_the_demo_is_marked_and_its_day_comes_from_its_prices(value_page: str, open_page: OpenPage) -> None:
    page = open_page(value_page)
    page.get_by_text("Demo data").wait_for()

    page.get_by_text("the newest price, of Dec 28, 2022").wait_for()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("view", ["channels", "add", "stocks", "timeline", "log", "stock"])
def test_a_view_is_accessible_fits_the_screen_and_does_not_jump(
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
        "channels": (product, ".card"),
        "add": (product, ".card"),
        "stocks": (value_page, ".stocks tbody tr"),
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
    wanted = {("stocks", 1280, "light"), ("stock", 1280, "dark"), ("stocks", 390, "light"), ("channels", 1280, "light")}
    if (view, viewport["width"], theme) in wanted:
        screenshot(page, f"{view}-phone" if viewport is PHONE else view)
