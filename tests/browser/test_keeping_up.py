"""Runs followed live, channels that check themselves, plans, alerts and the watchlist."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest

from tests.browser.conftest import OpenPage, assert_fits, layout_shift
from tests.fakes import eventually
from tests.local_server import running_server

VALUE = "The Patient Value Investor"
MOMENTUM = "Rico Trades Momentum"
TALK = "Market Talk"
SMALL_PHONE = {"width": 375, "height": 812}
RUN_MILLISECONDS = 90_000


def send(method: str, address: str, body: Any = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(address, data, {"Content-Type": "application/json"}, method=method)) as response:
        content = response.read()
    return json.loads(content) if content else None


@pytest.fixture(scope="module")
def server(built: None, browser: Any, scored_demo: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server of these tests' own, once its three demo channels have been scored."""
    with running_server(tmp_path_factory.mktemp("keeping-up"), scored_demo, DEMO_PAUSE_SECONDS="0.2") as server:
        eventually(lambda: len(send("GET", f"{server.base_url}/api/leaderboard")["items"]) == 3)
        yield server.base_url


def id_of(server: str, name: str) -> str:
    channels = send("GET", f"{server}/api/channels")["items"]
    return next(str(each["id"]) for each in channels if each["name"].startswith(name))


def test_a_run_is_followed_on_activity_to_its_end(server: str, open_page: OpenPage, axe: Callable[[Any], None]) -> None:
    send("DELETE", f"{server}/api/channels/{id_of(server, TALK)}")
    page = open_page(f"{server}/activity")
    page.locator(".run-row").first.wait_for()

    send("POST", f"{server}/api/channels", {"url": "youtube.com/@DemoMarketTalk", "time_range_months": 36})

    page.reload()
    newest = page.locator(".run-row").first
    newest.get_by_text("Processing", exact=True).wait_for()
    newest.locator(".progress-text").filter(has_text=re.compile(r"[1-9]\d* of 52 videos")).wait_for()
    newest.get_by_text("Completed", exact=True).wait_for(timeout=RUN_MILLISECONDS)
    assert newest.get_by_role("progressbar").count() == 0
    axe(page)
    newest.get_by_role("link", name="All videos").click()
    page.get_by_role("heading", name=TALK).wait_for()
    assert page.locator("dt", has_text="Read").first.is_visible()
    axe(page)


def test_how_often_a_channel_is_checked_persists(server: str, open_page: OpenPage) -> None:
    page = open_page(f"{server}/channels/{id_of(server, VALUE)}")
    checks = page.get_by_label("Check for new videos")
    assert checks.input_value() == "off"

    checks.select_option("Daily")

    page.get_by_text(re.compile(r"^Checked daily · next check")).wait_for()
    page.reload()
    page.get_by_text(re.compile(r"^Checked daily · next check")).wait_for()
    assert checks.input_value() == "daily"


def test_a_plan_of_two_channels_is_followed_to_its_end(
    server: str, open_page: OpenPage, axe: Callable[[Any], None]
) -> None:
    for name in (TALK, MOMENTUM):
        send("DELETE", f"{server}/api/channels/{id_of(server, name)}")
    page = open_page(f"{server}/plans")
    page.get_by_role("button", name="New plan").click()
    dialog = page.get_by_role("dialog", name="New plan")
    dialog.get_by_label("Name").fill("Two of the demo")

    links = dialog.get_by_label("Channel links, one a line")
    links.fill("@DemoMarketTalk\nexample.com/@DemoMomentumTrader")
    dialog.get_by_text("Line 2: That isn\u2019t a YouTube link.").wait_for()
    links.fill("@DemoMarketTalk\nyoutube.com/@DemoMomentumTrader")
    dialog.get_by_role("button", name="Start plan").click()

    page.get_by_role("heading", name="Two of the demo").wait_for()
    assert page.locator(".plan-box").count() == 4
    assert page.locator(".plan-line").count() == 2
    axe(page)
    page.locator(".progress-text", has_text="4 of 4 tasks ended").wait_for(timeout=RUN_MILLISECONDS)
    page.locator(".facts").get_by_text("Completed", exact=True).wait_for()
    assert page.locator(".tasks tbody tr").filter(has_text="Completed").count() == 4
    page.get_by_role("link", name="Run of add-demomarkettalk").click()
    page.get_by_text("Started by a plan").wait_for()


def test_alert_settings_are_saved_and_a_private_address_is_refused(
    server: str, open_page: OpenPage, axe: Callable[[Any], None]
) -> None:
    page = open_page(f"{server}/alerts/settings", expected=["422 (Unprocessable", "409 (Conflict)"])
    save = page.get_by_role("button", name="Save")
    address = page.get_by_label("Webhook address")

    address.fill("https://127.0.0.1/alerts")
    save.click()

    page.locator(".field[aria-invalid=true]").wait_for()
    assert "private network" in page.locator(".field-help.invalid").inner_text()
    assert address.input_value() == "https://127.0.0.1/alerts"
    assert send("GET", f"{server}/api/alerts/settings")["webhook_url"] is None
    axe(page)

    address.fill("")
    page.get_by_label("Reversals").check()
    page.get_by_label("Once a day").check()
    save.click()
    page.get_by_text("Saved", exact=True).wait_for()
    saved = send("GET", f"{server}/api/alerts/settings")
    assert ("reversals" in saved["kinds"], saved["digest"]) == (True, "daily")

    asked = {key: saved[key] for key in ("webhook_url", "email", "kinds", "channels", "version")}
    send("PUT", f"{server}/api/alerts/settings", {**asked, "digest": "none"})
    page.get_by_label("Watched", exact=True).check()
    save.click()
    page.get_by_text("The settings were changed elsewhere.").wait_for()
    eventually(page.get_by_label("At once").is_checked)
    assert page.get_by_label("All", exact=True).is_checked()


def test_a_star_toggles_what_is_watched(server: str, open_page: OpenPage) -> None:
    channel = id_of(server, VALUE)
    page = open_page(f"{server}/channels/{channel}")
    page.get_by_role("button", name=f"Watch {VALUE}", pressed=False).click()
    eventually(lambda: send("GET", f"{server}/api/watchlist")["channel_ids"] == [channel])
    ticker = send("GET", f"{server}/api/channels/{channel}/stocks")["stocks"][0]["ticker"]

    page.goto(f"{server}/stocks/{ticker}")
    page.get_by_role("button", name=f"Watch {ticker}", pressed=False).click()

    eventually(lambda: send("GET", f"{server}/api/watchlist")["tickers"] == [ticker])
    page.goto(f"{server}/channels/{channel}/stocks/{ticker}")
    page.get_by_role("button", name=f"Watch {ticker}", pressed=True).click()
    eventually(lambda: send("GET", f"{server}/api/watchlist")["tickers"] == [])
    page.goto(f"{server}/channels/{channel}")
    page.get_by_role("button", name=f"Watch {VALUE}", pressed=True).wait_for()


def test_a_watchlist_that_needs_the_token_asks_for_it(server: str, open_page: OpenPage) -> None:
    page = open_page("about:blank", expected=["401 (Unauthorized)"])
    channel = id_of(server, VALUE)
    version = send("GET", f"{server}/api/watchlist")["version"]
    send("PUT", f"{server}/api/watchlist", {"tickers": [], "channel_ids": [], "version": version})

    def guard(route: Any) -> None:
        if route.request.headers.get("authorization") == "Bearer right":
            route.continue_()
        else:
            route.fulfill(status=401, json={"detail": "Unauthorized"})

    page.route("**/api/watchlist", guard)
    page.goto(f"{server}/channels/{channel}")
    star = page.get_by_role("button", name=f"Watch {VALUE}")
    star.wait_for()
    assert page.get_by_role("dialog").count() == 0, "looking at a page asks for nothing"

    star.click()
    dialog = page.get_by_role("dialog", name="Access token")
    dialog.get_by_label("Token").fill("right")
    with page.expect_response(lambda response: response.request.method == "PUT"):
        dialog.get_by_role("button", name="Continue").click()

    page.get_by_role("button", name=f"Watch {VALUE}", pressed=True).wait_for()
    assert send("GET", f"{server}/api/watchlist")["channel_ids"] == [channel]


def test_the_pages_of_what_happens_fit_a_phone_and_keep_still(
    server: str, open_page: OpenPage, axe: Callable[[Any], None]
) -> None:
    channel = id_of(server, VALUE)
    for path, shown in (
        ("/activity", ".run-row"),
        (f"/channels/{channel}/activity", ".run-row"),
        ("/plans", ".plan-row"),
        ("/alerts", ".alert-row"),
        ("/alerts/settings", ".alert-settings"),
    ):
        page = open_page(f"{server}{path}", SMALL_PHONE, "dark")
        page.locator(shown).first.wait_for()
        assert_fits(page)
        axe(page)
        assert layout_shift(page) < 0.1, path
    feeds = page.locator("head link[type='application/atom+xml']")
    page.get_by_role("link", name="Newest").click()
    page.locator(".alert-row").first.wait_for()
    assert feeds.get_attribute("href") == "/api/feed.atom"
    page.get_by_label("Verdicts").check()
    page.locator(".alert-row, .state").first.wait_for()
    assert "kind=verdict" in page.url
