"""Whom to believe: leaderboard, score, calls, stocks across channels, comparison, method and search."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

from tests.browser.conftest import (
    NARROW,
    SCREENS,
    OpenPage,
    assert_fits,
    assert_large_enough_to_touch,
    layout_shift,
)
from tests.fakes import eventually
from tests.local_server import running_server

VALUE = "The Patient Value Investor"
MOMENTUM = "Rico Trades Momentum"
TALK = "Market Talk"


def get(address: str) -> Any:
    with urlopen(address) as response:
        return json.load(response)


@pytest.fixture(scope="module")
def scored(built: None, browser: Any, scored_demo: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server whose three demo channels are scored."""
    with running_server(tmp_path_factory.mktemp("scored"), scored_demo) as server:
        eventually(lambda: len(get(f"{server.base_url}/api/leaderboard")["items"]) == 3)
        yield server.base_url


@pytest.fixture(scope="module")
def ids(scored: str) -> dict[str, str]:
    items = get(f"{scored}/api/leaderboard")["items"]
    return {each["channel"]["name"].removesuffix(" (demo)"): each["channel"]["id"] for each in items}


def percent(value: float) -> str:
    """As the page shows it."""
    return f"{value:+.1f}%"


def surplus_of_green(element: Any) -> int:
    """Above zero where text is green, below where it is red."""
    surplus: int = element.evaluate(
        """(each) => {
            const [red, green] = getComputedStyle(each).color.match(/\\d+/g).map(Number)
            return green - red
        }"""
    )
    return surplus


def row(page: Any, name: str) -> Any:
    return page.locator(".leaderboard tbody tr").filter(has_text=name)


def test_home_ranks_the_channels_with_a_verdict_in_words(scored: str, open_page: OpenPage) -> None:
    page = open_page(scored)
    row(page, VALUE).wait_for()
    first, _, third = get(f"{scored}/api/leaderboard")["items"]

    assert row(page, VALUE).locator(".verdict").inner_text().split("\n") == ["Beats the market", "(unchecked)"]
    assert row(page, MOMENTUM).locator(".verdict").inner_text().split("\n") == ["Lags the market", "(unchecked)"]
    assert row(page, TALK).locator(".verdict").inner_text().startswith("Not proven")
    ranks = [row(page, name).locator(".cell-rank").inner_text().strip()[:1] for name in (VALUE, TALK, MOMENTUM)]
    assert ranks == ["1", "2", "3"]
    assert percent(first["expected_alpha_percent"]) in row(page, VALUE).inner_text()
    assert percent(third["mean_excess_percent"]) in row(page, MOMENTUM).inner_text()
    low, high = percent(first["excess_low_percent"]), percent(first["excess_high_percent"])
    assert row(page, VALUE).get_by_role("img", name=f"95% interval between {low} and {high}").is_visible()
    base = f"base rate {first['base_beat_rate']:.0%}"
    assert base in row(page, VALUE).inner_text()
    page.get_by_text(re.compile("without dividends, until Dec 28, 2022.*Demo channels are fictional")).wait_for()


def test_a_channel_with_too_few_calls_is_listed_below_without_a_rank(scored: str, open_page: OpenPage) -> None:
    page = open_page(f"{scored}/?horizon=1y")
    row(page, TALK).filter(has_text="Too few calls").wait_for()

    assert page.get_by_text("Not ranked: too few calls, or too few days, to judge").is_visible()
    assert row(page, TALK).locator(".cell-rank").get_by_text("Not ranked").count() == 1


def test_the_horizon_is_part_of_the_address(scored: str, open_page: OpenPage) -> None:
    page = open_page(scored)
    row(page, VALUE).wait_for()
    page.get_by_role("radio", name="1 year").check()
    year = get(f"{scored}/api/leaderboard?horizon=1y")["items"]
    wanted = next(each for each in year if each["channel"]["name"].startswith(VALUE))

    row(page, VALUE).filter(has_text=percent(wanted["mean_excess_percent"])).wait_for()
    assert page.url.endswith("?horizon=1y")
    page.get_by_role("link", name=VALUE).click()
    page.get_by_role("heading", name=VALUE).wait_for()
    assert page.url.endswith("?horizon=1y")
    page.get_by_role("radio", name="1 year").wait_for(state="attached")
    assert page.get_by_role("radio", name="1 year").is_checked()


def test_figures_tell_their_definition_on_hover_and_on_focus(scored: str, open_page: OpenPage) -> None:
    page = open_page(scored)
    row(page, VALUE).wait_for()
    tip = page.get_by_role("tooltip")

    page.get_by_role("button", name="Expected alpha").focus()
    tip.filter(has_text="shrunk towards zero").wait_for()
    page.keyboard.press("Escape")
    tip.wait_for(state="detached")

    row(page, VALUE).locator(".cell-beat").hover()
    tip.filter(has_text="on any day of the same period").wait_for()
    described = page.get_by_role("button", name="Verdict").get_attribute("aria-describedby")
    assert "luck is an unlikely explanation" in page.locator(f"#{described}").text_content()


def test_a_channel_opens_on_its_score(scored: str, ids: dict[str, str], open_page: OpenPage) -> None:
    page = open_page(f"{scored}/channels/{ids[VALUE]}")
    figures = next(
        each for each in get(f"{scored}/api/channels/{ids[VALUE]}/score")["horizons"] if each["horizon"] == "3m"
    )
    verdict = page.get_by_role("region", name="Verdict")
    verdict.get_by_text("Beats the market", exact=True).first.wait_for()

    said = verdict.inner_text()
    assert (
        f"its {figures['calls']} scored calls did {figures['mean_excess_percent']:.1f}% better than the S&P 500" in said
    )
    assert f"{figures['pending']} pending" in said
    verdict.get_by_text("How often this analyst reads calls correctly has not been measured.").wait_for()
    horizons = page.get_by_role("region", name="All horizons").locator("tbody tr")
    assert horizons.count() == 5
    assert page.get_by_role("region", name="Distribution").get_by_role("img").get_attribute("aria-label")
    assert page.get_by_role("region", name="Best calls").locator(".top-calls > li").count() == 3
    assert page.get_by_role("region", name="Worst calls").locator(".top-calls > li").count() == 3
    for asked in ("Run-up before the call", "Without its best stock", "Calls needed", "Mean excess by entry"):
        assert page.get_by_role("button", name=asked).is_visible()


def test_the_curve_takes_strategy_and_costs_from_the_address(
    scored: str, ids: dict[str, str], open_page: OpenPage
) -> None:
    page = open_page(f"{scored}/channels/{ids[MOMENTUM]}")
    page.get_by_label("Strategy").select_option("Do the opposite")
    page.get_by_label("Costs per trade").select_option("none")
    query = "strategy=inverse&horizon=3m&cost_bps=0"
    backtest = get(f"{scored}/api/channels/{ids[MOMENTUM]}/backtest?{query}")
    page.get_by_label("Amount in dollars").fill("2000")
    final = f"Doing the opposite ${20 * backtest['stats']['final_value']:,.0f}"

    page.get_by_role("img", name=re.compile(re.escape(final))).wait_for()
    assert "strategy=inverse" in page.url
    same_days = f"S&P 500 on the same days ${20 * backtest['same_days_stats']['final_value']:,.0f}"
    page.get_by_role("img", name=re.compile(re.escape(same_days))).wait_for()
    page.reload()
    page.get_by_role("img", name=re.compile(re.escape(final))).wait_for()
    assert page.get_by_label("Costs per trade").input_value() == "0"


def test_calls_are_filtered_and_pending_is_never_a_zero(scored: str, ids: dict[str, str], open_page: OpenPage) -> None:
    page = open_page(f"{scored}/channels/{ids[VALUE]}/calls")
    page.locator(".calls tbody tr").first.wait_for()
    page.get_by_label("Status").select_option("Pending")
    page.wait_for_function(
        """() => {
            const outcomes = [...document.querySelectorAll(".outcome")]
            return outcomes.length > 0 && outcomes.every((each) => each.textContent.startsWith("Pending until"))
        }"""
    )
    assert "status=pending" in page.url
    assert "%" not in "".join(page.locator(".calls .cell-excess, .calls .cell-return").all_inner_texts())

    page.reload()
    page.get_by_label("Status").select_option("All")
    page.get_by_role("radio", name="Sell").check()
    page.wait_for_function(
        """() => {
            const kinds = [...document.querySelectorAll(".calls .chip")]
            return kinds.length > 5 && kinds.every((each) => each.textContent === "Sell")
        }"""
    )
    link = page.locator(".call-video a").first.get_attribute("href")
    assert link.startswith("https://www.youtube.com/watch?v=")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_colours_follow_the_outcome_and_not_the_price(
    scored: str, ids: dict[str, str], open_page: OpenPage, theme: str
) -> None:
    calls = get(f"{scored}/api/channels/{ids[MOMENTUM]}/calls?kind=sell&limit=100")["items"]
    rose = next(each for each in calls if each["status"] == "scored" and each["exit_price"] > 1.2 * each["entry_price"])
    page = open_page(f"{scored}/channels/{ids[MOMENTUM]}/calls?kind=sell&ticker={rose['ticker']}", theme=theme)
    shown = page.locator(".calls tbody tr").filter(has_text=percent(rose["excess_percent"]))
    shown.first.wait_for()

    assert rose["excess_percent"] < 0
    assert shown.first.locator(".outcome").inner_text() == "Wrong"
    assert surplus_of_green(shown.first.locator(".cell-excess .strong")) < -50
    right = page.locator(".outcome.up")
    assert all(surplus_of_green(right.nth(index)) > 50 for index in range(right.count()))


def test_the_chart_of_a_stock_marks_entry_and_exit(scored: str, ids: dict[str, str], open_page: OpenPage) -> None:
    page = open_page(f"{scored}/channels/{ids[VALUE]}/stocks/MSFT", expected=["willReadFrequently"])
    page.locator(".chart canvas").first.wait_for()
    page.get_by_text("right call, entry to exit").wait_for()
    calls = get(f"{scored}/api/channels/{ids[VALUE]}/calls?ticker=MSFT")["items"]
    excess = next(each["excess_percent"] for each in calls if each["status"] == "scored")

    assert page.locator(".mention").filter(has_text=percent(excess)).count() == 1
    page.get_by_role("radio", name="1 week").check()
    week = get(f"{scored}/api/channels/{ids[VALUE]}/calls?ticker=MSFT&horizon=1w")["items"]
    excess = next(each["excess_percent"] for each in week if each["status"] == "scored")
    page.locator(".mention").filter(has_text=percent(excess)).wait_for()
    assert page.url.endswith("?horizon=1w")
    # What the price did since the first mention is no verdict, says so, and has no colour.
    since = page.locator("[data-term=change_since_mention]")
    assert since.get_by_role("button", name="Since first mention").is_visible()
    assert abs(surplus_of_green(since.locator("dd"))) < 20


def test_a_stock_is_shown_across_channels(scored: str, ids: dict[str, str], open_page: OpenPage) -> None:
    page = open_page(f"{scored}/channels/{ids[VALUE]}/stocks/AAPL", expected=["willReadFrequently"])
    page.get_by_role("link", name="Every channel on AAPL").click()
    page.get_by_role("heading", name="AAPL").wait_for()
    callers = page.get_by_role("region", name="Channels that called AAPL").locator("tbody tr")
    callers.nth(1).wait_for()

    calls = get(f"{scored}/api/stocks/aapl/calls?limit=100")["items"]
    assert page.url.endswith("/stocks/AAPL")
    assert callers.count() == len({call["channel"]["id"] for call in calls}) >= 2
    assert page.locator(".calls tbody tr").count() == len(calls)
    page.goto(f"{scored}/stocks/ZZZZ")
    page.get_by_text("No channel has called ZZZZ").wait_for()


def test_channels_are_chosen_on_home_and_compared(scored: str, ids: dict[str, str], open_page: OpenPage) -> None:
    page = open_page(scored)
    row(page, VALUE).get_by_role("checkbox").check()
    page.get_by_text("1 channel chosen; choose one more").wait_for()
    row(page, MOMENTUM).get_by_role("checkbox").check()
    page.get_by_role("status").get_by_role("link", name="Compare").click()

    table = page.get_by_role("region", name="Figures side by side")
    table.get_by_text("Lags the market").wait_for()
    assert table.get_by_role("columnheader").all_inner_texts() == [VALUE, MOMENTUM]
    curves = page.get_by_role("region", name="Curves").get_by_role("img")
    assert re.search(f"{VALUE} .*{MOMENTUM} .*S&P 500", curves.get_attribute("aria-label"))
    page.get_by_label("Channel 3").select_option(TALK)
    table.get_by_text("Not proven").wait_for()
    assert page.url.endswith(f"?channels={ids[VALUE]}%2C{ids[MOMENTUM]}%2C{ids[TALK]}")
    page.reload()
    table.get_by_text("Not proven").wait_for()


def test_the_example_of_the_method_is_what_the_api_computes(
    scored: str, ids: dict[str, str], open_page: OpenPage
) -> None:
    page = open_page(f"{scored}/how-scores-are-made")
    worked = page.locator(".worked")
    worked.first.wait_for()

    for table, ticker, day, sentiment in ((0, "CVX", "2022-07-18", "buy"), (1, "AAPL", "2021-09-20", "sell")):
        calls = get(f"{scored}/api/channels/{ids[VALUE]}/calls?ticker={ticker}&kind={sentiment}")["items"]
        call = next(each for each in calls if each["entry_date"] == day)
        assert f"{call['excess_percent']:+.2f}%" in worked.nth(table).inner_text()
        assert f"{call['entry_price']:.3f}" in worked.nth(table).inner_text()


def test_the_method_lists_how_well_each_reader_reads(scored: str, open_page: OpenPage) -> None:
    figures = get(f"{scored}/api/setup")["figures"]
    page = open_page(f"{scored}/how-scores-are-made")
    rows = page.locator(".reader-figures tbody tr")
    rows.first.wait_for()

    assert rows.count() == len(figures) > 0
    for row, reader in zip(rows.all_inner_texts(), figures, strict=True):
        assert f"{reader['right']} of {reader['reported']} " in row
        assert f"{reader['found']} of {reader['made']} " in row
        assert reader["right_on"] in row
        assert reader["note"] in row


def test_the_search_finds_channels_and_stocks(scored: str, open_page: OpenPage) -> None:
    page = open_page(scored)
    box = page.get_by_role("combobox", name="Search channels and stocks")
    box.fill("momentum")
    page.get_by_role("option", name=MOMENTUM).wait_for()
    box.press("Enter")
    page.get_by_role("heading", name=MOMENTUM).wait_for()

    box.fill("apple")
    page.get_by_role("option", name="AAPL").click()
    page.get_by_role("heading", name="AAPL").wait_for()
    box.fill("no such thing")
    page.get_by_role("option", name="Nothing found").wait_for()
    box.press("Escape")
    page.get_by_role("option").wait_for(state="hidden")


def test_channels_being_processed_stand_below_with_their_progress(scored: str, open_page: OpenPage) -> None:
    page = open_page("about:blank")

    def without_talk(route: Any) -> None:
        board = route.fetch().json()
        route.fulfill(json=board | {"items": [each for each in board["items"] if TALK not in each["channel"]["name"]]})

    def running_talk(route: Any) -> None:
        body = route.fetch().json()
        items = [each | ({"status": "processing"} if TALK in each["name"] else {}) for each in body["items"]]
        route.fulfill(json=body | {"items": items})

    page.route("**/api/leaderboard?*", without_talk)
    page.route("**/api/channels?*", running_talk)
    page.goto(scored)

    below = page.get_by_role("region", name="Channels without a score yet")
    below.get_by_role("progressbar", name=re.compile(TALK)).wait_for()
    assert below.get_by_role("heading", name="Being processed").is_visible()
    assert row(page, TALK).count() == 0


def test_a_channel_without_a_score_says_why(scored: str, ids: dict[str, str], open_page: OpenPage) -> None:
    page = open_page("about:blank")
    reason = "The closes of the S&P 500 have not been fetched yet."
    page.route("**/score", lambda route: route.fulfill(json=route.fetch().json() | {"reason": reason}))
    page.goto(f"{scored}/channels/{ids[VALUE]}")

    page.get_by_text("No score yet").wait_for()
    assert page.get_by_text(reason).is_visible()


def test_a_leaderboard_without_figures_says_why(scored: str, open_page: OpenPage) -> None:
    page = open_page("about:blank")
    reason = "The closes of the S&P 500 have not been fetched yet. The price source refuses our requests."
    page.route("**/api/leaderboard?*", lambda route: route.fulfill(json=route.fetch().json() | {"reason": reason}))
    page.goto(scored)

    page.get_by_text(reason).wait_for()
    assert row(page, VALUE).is_visible()


VIEWS = {
    "leaderboard": ("/", ".leaderboard tbody tr"),
    "score": ("/channels/{value}", ".curve-place path"),
    "few": ("/channels/{talk}?horizon=1y", ".verdict"),
    "calls": ("/channels/{value}/calls?status=scored", ".calls tbody tr"),
    "stock": ("/channels/{value}/stocks/MSFT", ".chart canvas"),
    "ticker": ("/stocks/AAPL", ".calls tbody tr"),
    "compare": ("/compare?channels={value},{momentum}", ".curve-place path"),
}


def open_view(scored: str, ids: dict[str, str], open_page: OpenPage, view: str, *how: Any, **options: Any) -> Any:
    path, ready = VIEWS[view]
    address = scored + path.format(value=ids[VALUE], momentum=ids[MOMENTUM], talk=ids[TALK])
    page = open_page(address, *how, **options)
    page.locator(ready).first.wait_for()
    page.wait_for_load_state("networkidle")
    return page


@SCREENS
@pytest.mark.parametrize("view", VIEWS)
def test_a_view_is_accessible_and_fits_and_does_not_shift(
    scored: str,
    ids: dict[str, str],
    open_page: OpenPage,
    axe: Callable[[Any], None],
    screenshot: Callable[[Any, str], None],
    view: str,
    viewport: dict[str, int],
    theme: str,
) -> None:
    page = open_view(scored, ids, open_page, view, viewport, theme, has_touch=viewport is NARROW)

    assert layout_shift(page) < 0.1
    assert_fits(page)
    axe(page)
    if viewport is NARROW:
        assert_large_enough_to_touch(page)
    if view in ("leaderboard", "score") and (viewport["width"], theme) == (1280, "light"):
        screenshot(page, view)


def test_the_leaderboard_fits_between_phone_and_desktop(scored: str, ids: dict[str, str], open_page: OpenPage) -> None:
    page = open_view(scored, ids, open_page, "leaderboard")

    for width in (700, 1024, 1121, 1249):
        page.set_viewport_size({"width": width, "height": 800})
        assert_fits(page)


def shown_percent(value: float) -> str:
    """Zero has no sign, and thousands are grouped."""
    return f"{value:+,.1f}%" if round(value, 1) else "0.0%"


def luck(value: float | None) -> str:
    return "Too early to tell" if value is None else "< 1%" if value < 0.01 else f"{value:.0%}"


def cells(line: Any) -> dict[str, str]:
    """The figures of a row of a table, by what they are."""
    return {each.get_attribute("data-term"): " ".join(each.inner_text().split()) for each in line.locator("td").all()}


def test_the_figures_of_the_curves_have_their_values_and_units(
    scored: str, ids: dict[str, str], open_page: OpenPage
) -> None:
    page = open_page(f"{scored}/channels/{ids[VALUE]}")
    lines = page.get_by_role("region", name="Figures of the curves").locator("tbody tr")
    lines.nth(2).wait_for()
    amount = int(page.get_by_label("Amount in dollars").input_value())
    found = get(f"{scored}/api/channels/{ids[VALUE]}/backtest?strategy=follow&horizon=3m")

    assert [line.locator("th").inner_text() for line in lines.all()] == [
        "Following it",
        "S&P 500 on the same days",
        "S&P 500",
    ]
    for line, name in zip(lines.all(), ("stats", "same_days_stats", "benchmark_stats"), strict=True):
        stats = found[name]
        turnover = stats["turnover_per_year"]
        turned_over = "\N{EN DASH}" if turnover is None else f"{turnover:.1f}\N{MULTIPLICATION SIGN}"
        assert cells(line) == {
            "final_value": f"${stats['final_value'] * amount / 100:,.0f}",
            "cagr": shown_percent(stats["cagr_percent"]),
            "volatility": f"{stats['volatility_percent']:.0f}%",
            "sharpe": f"{stats['sharpe']:.2f}",
            "drawdown": shown_percent(stats["max_drawdown_percent"]),
            "turnover": turned_over,
        }
        assert 1 < stats["volatility_percent"] < 100


def test_every_horizon_has_its_own_figures(scored: str, ids: dict[str, str], open_page: OpenPage) -> None:
    page = open_page(f"{scored}/channels/{ids[VALUE]}")
    lines = page.get_by_role("region", name="All horizons").locator("tbody tr")
    lines.nth(4).wait_for()
    horizons = get(f"{scored}/api/channels/{ids[VALUE]}/score")["horizons"]

    for line, figures in zip(lines.all(), horizons, strict=True):
        pending = f" {figures['pending']} pending" if figures["pending"] else ""
        assert cells(line) == {
            "calls": f"{figures['calls']}{pending}",
            "mean_excess": shown_percent(figures["mean_excess_percent"]),
            "base_rate": f"{figures['beat_rate']:.0%} base rate {figures['base_beat_rate']:.0%}",
            "alpha": f"{shown_percent(figures['alpha_percent'])} t {figures['alpha_t']:.1f}",
            "luck": luck(figures["p_value"]),
            "timing": luck(figures["timing_p_value"]),
        }
    bars = lines.first.locator(".beat rect.filled")
    assert float(bars.get_attribute("width")) == pytest.approx(100 * horizons[0]["beat_rate"])


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_bars_and_calls_that_won_are_green_and_those_that_lost_red(
    scored: str, ids: dict[str, str], open_page: OpenPage, theme: str
) -> None:
    page = open_page(f"{scored}/channels/{ids[MOMENTUM]}", theme=theme)
    chart = page.get_by_role("region", name="Distribution")
    chart.locator("rect").first.wait_for()
    score = get(f"{scored}/api/channels/{ids[MOMENTUM]}/score")["horizons"]
    figures = next(each for each in score if each["horizon"] == "3m")

    bars = chart.locator("g").evaluate_all(
        """(groups) => groups.map((group) => {
            const rect = group.querySelector("rect")
            const [red, green] = getComputedStyle(rect).fill.match(/\\d+/g).map(Number)
            return [group.querySelector("text")?.textContent ?? "0", green - red]
        })"""
    )
    assert [int(count) for count, _ in bars] == [bar["calls"] for bar in figures["distribution"]]
    greener = [surplus > 0 for _, surplus in bars]
    assert greener == [bar["from_percent"] >= 0 for bar in figures["distribution"]]
    assert True in greener
    assert False in greener
    mean, median = (shown_percent(figures[f"{which}_excess_percent"]) for which in ("mean", "median"))
    assert f"Mean {mean}, median {median}" in chart.inner_text()
    for name, calls in (("Best calls", figures["best"]), ("Worst calls", figures["worst"])):
        shown = page.get_by_role("region", name=name).locator(".top-calls [data-term=excess]")
        expected = [call["excess_percent"] for call in calls[:3]]
        assert shown.all_inner_texts() == [shown_percent(excess) for excess in expected]
        for number, excess in enumerate(expected):
            assert (surplus_of_green(shown.nth(number)) > 50) == (excess > 0)


def test_buys_and_sells_have_their_own_figures(scored: str, ids: dict[str, str], open_page: OpenPage) -> None:
    page = open_page(f"{scored}/channels/{ids[VALUE]}")
    sides = page.get_by_role("region", name="Buys and sells").locator(".kind-score")
    sides.nth(1).wait_for()
    score = get(f"{scored}/api/channels/{ids[VALUE]}/score")["horizons"]
    figures = next(each for each in score if each["horizon"] == "3m")["by_kind"]

    for side, kind in zip(sides.all(), ("buy", "sell"), strict=True):
        said = " ".join(side.inner_text().split())
        assert f"{figures[kind]['calls']} scored call" in said
        assert f"Mean excess {shown_percent(figures[kind]['mean_excess_percent'])}" in said
        assert f"Beat rate {figures[kind]['beat_rate']:.0%}" in said
