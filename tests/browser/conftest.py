"""A real browser on a real server."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from functions.runtime.dynamodb.connection import dynamodb
from functions.runtime.settings import settings
from local.engine import ROOT, Engine
from local.pages import BUILT
from local.tables import create_tables
from tests.browser.edge_cases import add_edge_cases
from tests.conftest import cannot_run
from tests.local_server import running_server
from tests.soak import SOAKING

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
"""The first is the same browser without windows, which takes less of the processor."""
FEATURES_OFF = (
    # Each new window loads two pages of the address bar's popup, and starts a process for the next site: they took half
    # of the processor time of these tests.
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxFullPopup",
    "SpareRendererForSitePerProcess",
    # Those of Playwright's own list that matter here, since the last list is the one that counts.
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable",
    "PaintHolding",
)
ARGUMENTS = (
    f"--disable-features={','.join(FEATURES_OFF)}",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
DESKTOP = {"width": 1280, "height": 900}
PHONE = {"width": 390, "height": 844}
NARROW = {"width": 320, "height": 640}
EVERY_SCREEN = SOAKING or bool(os.environ.get("SCREENSHOTS"))
"""Every combination of a width and a theme. Otherwise the widest in light and the narrowest in dark, since layout
depends on the width and colours on the theme."""
WIDTHS = (DESKTOP, PHONE, NARROW) if EVERY_SCREEN else (DESKTOP, NARROW)
SCREENS = pytest.mark.parametrize(
    ("viewport", "theme"),
    [
        pytest.param(viewport, theme, id=f"{viewport['width']}-{theme}")
        for viewport in WIDTHS
        for theme in ("light", "dark")
        if EVERY_SCREEN or (viewport is DESKTOP) == (theme == "light")
    ],
)
TOUCHED = "a:not(.skip-link), button, select, summary, .segments label, .compare-box, .choose-files"
"""Elements that people touch."""

OpenPage = Callable[..., Any]


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        cannot_run("playwright is not installed: run `make setup`")
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        cannot_run("there is no chromium: install Debian's package of that name")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def built() -> None:
    if not (BUILT / "index.html").exists():
        cannot_run("the dashboard is not built: run `make test`, or `npm run build` in web/")


@pytest.fixture(scope="session")
def product(built: None, browser: Any, scored_demo: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server with the three demo channels, whose runs are slow enough to be watched."""
    with running_server(tmp_path_factory.mktemp("product"), scored_demo, DEMO_PAUSE_SECONDS="0.6") as server:
        yield server.base_url


@pytest.fixture(scope="session")
def table_environment(built: None, browser: Any, engine: Engine) -> Iterator[dict[str, str]]:
    """The settings of a server whose tables this process fills before it starts."""
    prefix = f"Browser{uuid4().hex[:12]}"
    before = os.environ.get("DYNAMODB_TABLE_PREFIX")
    os.environ["DYNAMODB_TABLE_PREFIX"] = prefix
    settings.cache_clear()
    create_tables(dynamodb(), prefix)
    yield {"DYNAMODB_ENDPOINT": engine.endpoint, "DYNAMODB_TABLE_PREFIX": prefix}
    if before is None:
        del os.environ["DYNAMODB_TABLE_PREFIX"]
    settings.cache_clear()


@pytest.fixture(scope="module")
def edge_cases(
    table_environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, Any]]:
    """The address of a server with the channels of `edge_cases.py`, and those channels by name."""
    channels = add_edge_cases()
    with running_server(tmp_path_factory.mktemp("edge-cases"), **table_environment) as server:
        yield server.base_url, channels


@pytest.fixture
def open_page(browser: Any) -> Iterator[OpenPage]:
    """Opens a page in a fresh browser context, and fails on console errors, warnings and exceptions at the end."""
    contexts: list[Any] = []
    console_errors: list[str] = []

    def open_page(address: str, viewport: dict[str, int] = DESKTOP, theme: str = "light", **options: Any) -> Any:
        expected = options.pop("expected", ())
        context = browser.new_context(
            viewport=viewport, color_scheme=theme, locale="en-US", timezone_id="UTC", reduced_motion="reduce", **options
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(20_000)

        def record(message: str) -> None:
            if not any(part in message for part in expected):
                console_errors.append(message)

        page.on("pageerror", lambda error: record(str(error)))
        page.on("console", lambda message: message.type in ("error", "warning") and record(message.text))
        page.goto(address)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert console_errors == []


@pytest.fixture
def axe() -> Callable[[Any], None]:
    script = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
    if not script.exists():
        cannot_run("axe is not installed: run `make setup`")
    source = script.read_text("utf-8")

    def check(page: Any) -> None:
        page.evaluate(source)
        # A button that has just been enabled fades to its colours.
        page.evaluate(
            "Promise.allSettled(document.getAnimations().filter(each => each instanceof CSSTransition)"
            ".map(each => each.finished)).then(() => null)"
        )
        result = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        found = [f"{each['id']}: {each['nodes'][0]['html']}" for each in result["violations"]]
        assert found == []

    return check


@pytest.fixture
def screenshot() -> Callable[[Any, str], None]:
    """Takes a screenshot; keeps it in docs/ when SCREENSHOTS is set or there is none yet."""

    def take(page: Any, name: str) -> None:
        file = ROOT / "docs" / "screenshots" / f"{name}.png"
        picture: bytes = page.screenshot(animations="disabled")
        assert len(picture) < 200_000
        if os.environ.get("SCREENSHOTS") or not file.exists():
            file.parent.mkdir(parents=True, exist_ok=True)
            Path(file).write_bytes(picture)

    return take


def assert_fits(page: Any) -> None:
    """Nothing overflows the viewport sideways."""
    width, shown = page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
    assert width <= shown


def assert_fits_every_width(page: Any, look: Callable[[Any], None] | None = None) -> None:
    """A page that was opened narrow fits then and when it is made wider; and whatever else is looked at is right."""
    for viewport in reversed(WIDTHS):
        page.set_viewport_size(viewport)
        # What is laid out by script follows a moment later.
        page.wait_for_function("() => document.documentElement.scrollWidth <= window.innerWidth", timeout=5_000)
        if look:
            look(page)


def assert_large_enough_to_touch(page: Any) -> None:
    sizes = page.locator(TOUCHED).evaluate_all(
        """(elements) => elements.filter((each) => each.checkVisibility()).map((each) => {
            const { width, height } = each.getBoundingClientRect()
            return [each.outerHTML.slice(0, 90), width, height]
        })"""
    )
    # What is not rendered before it is scrolled to has no size.
    small = [f"{html} {width:.0f}x{height:.0f}" for html, width, height in sizes if 0 < min(width, height) < 24]
    assert sizes
    assert small == []


def layout_shift(page: Any) -> float:
    """The cumulative layout shift since the page was opened."""
    shift: float = page.evaluate(
        """() => new Promise((resolve) => {
            let sum = 0
            const add = (entries) => entries.forEach((entry) => { sum += entry.hadRecentInput ? 0 : entry.value })
            const observer = new PerformanceObserver((list) => add(list.getEntries()))
            observer.observe({ type: 'layout-shift', buffered: true })
            setTimeout(() => { add(observer.takeRecords()); resolve(sum) }, 200)
        })"""
    )
    return shift
