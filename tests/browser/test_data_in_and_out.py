"""Exports, notes, what is watched, and a person's settings."""

import json
import re
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest

from tests.browser.conftest import NARROW, PHONE, OpenPage, assert_fits, layout_shift
from tests.fakes import eventually
from tests.local_server import running_server

VALUE = "The Patient Value Investor"
RICO = "Rico Trades Momentum"
TOUCH_PIXELS = 44


def send(method: str, address: str, body: Any = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(address, data, {"Content-Type": "application/json"}, method=method)) as response:
        content = response.read()
    return json.loads(content) if content else None


@pytest.fixture(scope="module")
def server(built: None, browser: Any, scored_demo: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server of these tests' own, once its three demo channels have been scored."""
    with running_server(tmp_path_factory.mktemp("data-in-and-out"), scored_demo) as server:
        eventually(lambda: len(send("GET", f"{server.base_url}/api/leaderboard")["items"]) == 3)
        yield server.base_url


@pytest.fixture(scope="module")
def channels(server: str) -> dict[str, str]:
    """Ids by name."""
    items = send("GET", f"{server}/api/channels")["items"]
    return {each["name"].removesuffix(" (demo)"): each["id"] for each in items}


def test_an_export_is_begun_followed_over_a_reload_downloaded_and_deleted(
    server: str, channels: dict[str, str], open_page: OpenPage, axe: Callable[[Any], None], tmp_path: Path
) -> None:
    page = open_page(f"{server}/channels/{channels[VALUE]}")
    page.get_by_role("button", name="Export").click()
    dialog = page.get_by_role("dialog", name="Export")
    dialog.get_by_label(VALUE).wait_for()
    dialog.get_by_label("JSON Lines").check()
    axe(page)

    dialog.get_by_role("button", name="Start export").click()

    page.wait_for_url("**/exports")
    row = page.locator(".export-row")
    row.filter(has_text=VALUE).filter(has_text="JSON Lines").wait_for()
    page.reload()
    row.get_by_text("Ready", exact=True).wait_for()
    assert re.search(r"\d kB, until [A-Z][a-z]+ \d", row.locator(".export-state").inner_text())
    axe(page)
    with page.expect_download() as download:
        page.get_by_role("button", name=f"Download {VALUE}, JSON Lines").click()
    saved = tmp_path / "export.zip"
    download.value.save_as(saved)
    with zipfile.ZipFile(saved) as archive:
        assert VALUE in archive.read("channels.jsonl").decode()
        assert "recompute.py" in archive.namelist()

    page.get_by_role("button", name=f"Delete {VALUE}").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    page.get_by_text("No exports yet").wait_for()
    eventually(lambda: page.evaluate("document.activeElement.tagName") == "H1")
    assert send("GET", f"{server}/api/exports")["items"] == []


def test_tables_are_saved_as_csv_with_the_filters_that_are_set(
    server: str, channels: dict[str, str], open_page: OpenPage, tmp_path: Path
) -> None:
    page = open_page(f"{server}/channels/{channels[VALUE]}/calls?horizon=1m&kind=sell")
    with page.expect_download() as download:
        page.get_by_role("link", name="These calls as CSV").click()

    saved = tmp_path / "calls.csv"
    download.value.save_as(saved)
    heading, *rows = saved.read_text("utf-8-sig").splitlines()
    assert heading.startswith("horizon,")
    assert rows and all(row.startswith("1m,") and ",sell," in row for row in rows)
    assert download.value.suggested_filename.endswith(".csv")

    too_long = "The calls are too many for one response: make an export of the channel"
    page = open_page("about:blank", expected=["413 ("])
    page.route("**/stocks?format=csv*", lambda route: route.fulfill(status=413, json={"detail": too_long}))
    page.goto(f"{server}/channels/{channels[VALUE]}/stocks")
    page.get_by_role("link", name="All stocks of this channel as CSV").click()
    page.get_by_text(too_long).wait_for()
    page.locator(".notice").get_by_role("button", name="Exports").click()
    page.get_by_role("heading", name="Exports").wait_for()


def test_a_note_is_written_changed_in_two_places_and_deleted(
    server: str, channels: dict[str, str], open_page: OpenPage, axe: Callable[[Any], None]
) -> None:
    path = f"/channels/{channels[VALUE]}/stocks/JPM"
    page = open_page(server + path, expected=["409 (Conflict)"])
    page.get_by_role("button", name="Write a note").click()
    field = page.get_by_role("textbox", name="Note on JPM")
    field.fill("x" * 5001)
    page.get_by_text("1 too many").wait_for()
    assert page.get_by_role("button", name="Save note").is_disabled()
    field.fill("First line\n\n<b>second</b> https://example.com")
    page.keyboard.press("Control+Enter")

    note = page.locator(".note")
    text = note.locator(".note-text")
    text.wait_for()
    assert text.inner_text() == "First line\n\n<b>second</b> https://example.com"
    assert text.locator("a, b").count() == 0
    assert "You" in note.inner_text()
    eventually(lambda: page.evaluate("document.activeElement.textContent") == "Write a note")

    page.get_by_role("button", name="Edit this note").click()
    page.get_by_role("textbox", name="Edit this note").fill("mine")
    stored = send("GET", f"{server}/api{path}/notes")["items"][0]
    elsewhere = {"text": "theirs", "version": stored["version"]}
    send("PUT", f"{server}/api{path}/notes/{stored['id']}", elsewhere)
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_text("Which version should stay?").wait_for()
    assert page.get_by_label("Your version").locator(".note-text").inner_text() == "mine"
    assert page.get_by_label("The other version").locator(".note-text").inner_text() == "theirs"
    axe(page)
    page.get_by_role("button", name="Keep yours").click()
    text.filter(has_text="mine").wait_for()
    note.get_by_text("edited").wait_for()
    assert send("GET", f"{server}/api{path}/notes")["items"][0]["text"] == "mine"

    page.get_by_role("link", name="Every channel on JPM").click()
    page.locator(".note").filter(has_text="mine").get_by_role("link", name=VALUE).click()
    page.get_by_role("button", name="Delete this note").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    page.get_by_text("Nothing noted on this stock yet.").wait_for()
    eventually(lambda: page.evaluate("document.activeElement.textContent") == "Notes")
    assert send("GET", f"{server}/api{path}/notes")["items"] == []


def test_what_is_watched_comes_first(server: str, channels: dict[str, str], open_page: OpenPage) -> None:
    stocks = send("GET", f"{server}/api/channels/{channels[RICO]}/stocks")["stocks"]
    last = min(stocks, key=lambda stock: (stock["total_mentions"], stock["ticker"]))["ticker"]
    newest = send("GET", f"{server}/api/channels")["items"]
    watched = newest[-1]["id"]
    version = send("GET", f"{server}/api/watchlist")["version"]
    send("PUT", f"{server}/api/watchlist", {"tickers": [last], "channel_ids": [watched], "version": version})

    page = open_page(f"{server}/channels")
    first = page.locator(".card").first
    first.get_by_text("watched").wait_for()
    assert first.get_by_role("link").get_attribute("href") == f"/channels/{watched}"
    assert page.locator(".card").count() == 3

    page.goto(f"{server}/channels/{channels[RICO]}/stocks")
    ticker = page.locator("table.stocks tbody tr").first.locator(".ticker")
    ticker.filter(has_text=last).wait_for()
    page.get_by_label("Watched first").uncheck()
    ticker.filter(has_not_text=last).wait_for()
    assert "watched=mixed" in page.url


def test_settings_are_ones_own_until_the_default_is_taken_back(
    server: str, channels: dict[str, str], open_page: OpenPage
) -> None:
    page = open_page(f"{server}/settings", expected=["409 (Conflict)"])
    page.get_by_text("The server runs on this computer").wait_for()

    page.get_by_label("1 year").check()
    page.get_by_text("Saved", exact=True).wait_for()
    # Changed elsewhere as well: both changes hold.
    send("PUT", f"{server}/api/settings", {
        "horizon": "1y", "cost_bps": None, "review_below": 0.9, "benchmark": None, "version": 1,
    })  # fmt: skip
    page.get_by_label("Costs per trade").select_option("0.50%")
    page.get_by_text("Your own choice").nth(2).wait_for()
    saved = send("GET", f"{server}/api/settings")
    assert (saved["horizon"], saved["cost_bps"], saved["review_below"]) == ("1y", 50, 0.9)

    page.get_by_role("link", name="Leaderboard", exact=True).click()
    page.wait_for_url("**/?horizon=1y")
    assert page.get_by_label("1 year").is_checked()
    page.get_by_role("link", name=VALUE).click()
    page.wait_for_url(re.compile(r"horizon=1y.*costs=50|costs=50.*horizon=1y"))
    page.get_by_label("3 months").check()
    page.get_by_label("Channel views").get_by_role("link", name="Calls").click()
    page.wait_for_url("**/calls?horizon=3m*")
    assert page.get_by_label("3 months").is_checked()

    page.goto(f"{server}/settings")
    reset = page.get_by_role("button", name="Use the default")
    for left in (2, 1, 0):
        reset.first.click()
        eventually(lambda left=left: reset.count() == left)
    assert page.get_by_label("3 months").is_checked()
    assert send("GET", f"{server}/api/settings")["own"] == []


def test_what_needs_the_token_asks_for_it(server: str, open_page: OpenPage) -> None:
    page = open_page("about:blank", expected=["401 (Unauthorized)"])

    def guard(route: Any) -> None:
        if route.request.headers.get("authorization") == "Bearer right":
            route.continue_()
        else:
            route.fulfill(status=401, json={"detail": "Unauthorized"})

    page.route(re.compile(r"/api/(settings|me|exports)"), guard)
    page.goto(f"{server}/settings")
    page.get_by_role("button", name="Enter the token").click()
    dialog = page.get_by_role("dialog", name="Access token")
    dialog.get_by_label("Token").fill("right")
    dialog.get_by_role("button", name="Continue").click()

    page.get_by_text("Review threshold").wait_for()
    page.get_by_text("local", exact=True).wait_for()


def test_the_pages_fit_a_phone_and_keep_still(
    server: str, channels: dict[str, str], open_page: OpenPage, axe: Callable[[Any], None]
) -> None:
    path = f"/channels/{channels[VALUE]}/stocks/JPM"
    send("POST", f"{server}/api{path}/notes", {"text": "A note.\n" + "long" * 60})
    send("POST", f"{server}/api/exports", {"format": "csv", "channel_ids": list(channels.values())[:2]})
    for viewport, theme, address, shown in (
        (PHONE, "dark", "/exports", ".export-row .status-completed"),
        (NARROW, "light", "/exports", ".export-row"),
        (NARROW, "dark", "/settings", ".who"),
        (NARROW, "light", path, ".note"),
        (PHONE, "dark", "/stocks/JPM", ".note"),
        (PHONE, "light", "/channels", ".card"),
    ):
        page = open_page(server + address, viewport, theme)
        page.locator(shown).first.wait_for()
        assert_fits(page)
        axe(page)
        assert layout_shift(page) < 0.1, address
        for control in page.locator(
            ".export-row button, .setting select, .setting label, .setting button, .notes button, .page-actions button"
        ).all():
            box = control.bounding_box()
            assert box is None or box["height"] >= TOUCH_PIXELS, control.inner_text()
