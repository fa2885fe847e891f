"""Evidence: the time of each quote, reviews, transcripts handed in, what a score rests on and what was changed."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest

from functions.reading.models.recorded import NAME as ANALYST
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
SAID_AT = re.compile(r"^Watch at (\d+:)?\d+:\d\d on YouTube$")


def get(address: str) -> Any:
    with urlopen(address) as response:
        return json.load(response)


def put(address: str, body: dict[str, Any]) -> Any:
    request = Request(address, json.dumps(body).encode(), {"Content-Type": "application/json"}, method="PUT")
    with urlopen(request) as response:
        return json.load(response)


@pytest.fixture(scope="module")
def scored(built: None, browser: Any, scored_demo: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server whose three demo channels are scored, and whose calls these tests review."""
    # The demo's reader is sure of nearly all its calls, so that few would be queued for review by default.
    with running_server(tmp_path_factory.mktemp("evidence"), scored_demo, REVIEW_BELOW="0.93") as server:
        eventually(lambda: len(get(f"{server.base_url}/api/leaderboard")["items"]) == 3)
        yield server.base_url


@pytest.fixture(scope="module")
def ids(scored: str) -> dict[str, str]:
    items = get(f"{scored}/api/leaderboard")["items"]
    return {each["channel"]["name"].removesuffix(" (demo)"): each["channel"]["id"] for each in items}


@pytest.fixture(scope="module")
def value_api(scored: str, ids: dict[str, str]) -> str:
    return f"{scored}/api/channels/{ids[VALUE]}"


@pytest.fixture(scope="module")
def reviewed(scored: str, ids: dict[str, str]) -> None:
    """One of the calls has been checked by a person, and the score tells."""
    api = f"{scored}/api/channels/{ids[MOMENTUM]}"
    call = get(f"{api}/calls?status=scored&limit=1")["items"][0]
    put(f"{api}/videos/{call['video_id']}/calls/{call['ticker']}", {"review": "confirmed"})
    eventually(lambda: get(f"{api}/score")["checked"]["checked"] > 0)


def mention_of(api: str, video_id: str, ticker: str) -> Any:
    return get(f"{api}/videos/{video_id}/calls/{ticker}")["mention"]


def review_of(api: str, item: Any) -> str | None:
    review: str | None = mention_of(api, item["mention"]["video_id"], item["mention"]["ticker"])["review"]
    return review


def shows(panel: Any, item: Any) -> None:
    """Waits until this item of the queue is the one in focus."""
    panel.filter(has_text=item["mention"]["video"]["title"]).get_by_role(
        "link", name=item["mention"]["ticker"], exact=True
    ).wait_for()


def test_each_quote_links_to_the_second_it_is_said_at(
    scored: str, ids: dict[str, str], value_api: str, open_page: OpenPage
) -> None:
    call = get(f"{value_api}/calls?limit=1")["items"][0]
    views = {
        "/calls": ".calls tbody",
        "/timeline": ".timeline",
        "": ".top-calls >> nth=0",
        f"/stocks/{call['ticker']}": ".mentions",
    }
    page = open_page("about:blank", expected=["willReadFrequently"])

    for view, place in views.items():
        page.goto(f"{scored}/channels/{ids[VALUE]}{view}")
        link = page.locator(place).get_by_role("link", name=SAID_AT).first
        link.wait_for()
        minutes, seconds = link.inner_text().strip().split(":")
        assert link.get_attribute("href").endswith(f"&t={int(minutes) * 60 + int(seconds)}s")
    page.goto(f"{scored}/channels/{ids[VALUE]}/calls")
    page.locator(".calls tbody").get_by_role("link", name=SAID_AT).first.wait_for()
    assert page.locator(f'.calls .quote-time[href="{call["quote_url"]}"]').count() >= 1


def test_a_removed_video_is_marked_and_not_linked_to(scored: str, ids: dict[str, str], open_page: OpenPage) -> None:
    page = open_page("about:blank")

    def removed(route: Any) -> None:
        body = route.fetch().json()
        for call in body["items"]:
            call["removed_at"] = "2026-11-12T08:00:00.000Z"
        route.fulfill(json=body)

    page.route("**/api/channels/*/calls?*", removed)
    page.goto(f"{scored}/channels/{ids[VALUE]}/calls")

    note = "Removed from YouTube on Nov 12, 2026; what was said stays in the record"
    page.get_by_text(note).first.wait_for()
    assert page.locator(".calls tbody .quote").first.is_visible()
    assert page.locator(".calls tbody a[href*=youtube]").count() == 0


def test_the_queue_is_reviewed_by_keyboard(
    scored: str, ids: dict[str, str], value_api: str, open_page: OpenPage
) -> None:
    first, second, third, *_ = get(f"{value_api}/review?limit=5")["items"]
    left = get(f"{value_api}/review")["remaining"]
    page = open_page(f"{scored}/channels/{ids[VALUE]}/review")
    panel = page.locator(".queue-item")
    shows(panel, first)

    page.keyboard.press("j")
    shows(panel, second)
    page.keyboard.press("k")
    shows(panel, first)
    page.keyboard.press("n")
    page.keyboard.type("1 of 2 xu")
    note = page.get_by_label("Note (optional)")
    assert note.input_value() == "1 of 2 xu"
    assert review_of(value_api, first) is None
    page.keyboard.press("Escape")
    page.keyboard.press("x")
    page.get_by_text(f"{first['mention']['ticker']} rejected: it counts nowhere").wait_for()
    shows(panel, second)
    assert note.input_value() == ""
    reviewed = get(f"{value_api}/videos/{first['mention']['video_id']}/calls/{first['mention']['ticker']}")
    assert (reviewed["mention"]["review"], reviewed["review"]["note"]) == ("rejected", "1 of 2 xu")
    page.get_by_text(f"1 reviewed now, {left - 1} left").wait_for()

    page.keyboard.press("Enter")
    page.get_by_text(f"2 reviewed now, {left - 2} left").wait_for()
    assert review_of(value_api, second) == "confirmed"
    shows(panel, third)

    page.keyboard.press("u")
    page.get_by_text(f"1 reviewed now, {left - 1} left").wait_for()
    shows(panel, second)
    assert review_of(value_api, second) is None
    page.keyboard.press("u")
    page.get_by_text(f"0 reviewed now, {left} left").wait_for()
    assert review_of(value_api, first) is None


def test_the_keys_are_shown_and_can_be_turned_off(
    scored: str, ids: dict[str, str], value_api: str, open_page: OpenPage
) -> None:
    first = get(f"{value_api}/review?limit=1")["items"][0]
    page = open_page(f"{scored}/channels/{ids[VALUE]}/review")
    shows(page.locator(".queue-item"), first)

    page.keyboard.press("?")
    page.get_by_label("Use these keys").uncheck()
    page.locator(".queue-item").focus()
    page.keyboard.press("x")
    page.keyboard.press("j")

    page.wait_for_timeout(500)
    shows(page.locator(".queue-item"), first)
    assert page.url.endswith("?keys=off")
    assert review_of(value_api, first) is None


def test_a_reviewer_sees_no_outcome_before_answering(
    scored: str, ids: dict[str, str], value_api: str, open_page: OpenPage
) -> None:
    first = get(f"{value_api}/review?limit=1")["items"][0]
    page = open_page(f"{scored}/channels/{ids[VALUE]}/review?order=influence")
    panel = page.locator(".queue-item")
    shows(panel, first)

    assert page.locator(".review .price-around").count() == 0
    assert page.get_by_text("Most influential first").count() == 0
    assert not re.search(r"[+-]\d+\.\d%|\$\d", panel.inner_text())

    priced = next(each for each in get(f"{value_api}/calls?status=scored&limit=100")["items"] if not each["review"])
    place = f"{value_api}/videos/{priced['video_id']}/calls/{priced['ticker']}"
    put(place, {"review": "confirmed"})
    page.goto(f"{scored}/channels/{ids[VALUE]}/stocks/{priced['ticker']}")
    mention = page.locator(".mention").filter(has_text=priced["video_title"])
    mention.get_by_role("button", name="See the review").click()
    chart = page.get_by_role("dialog").locator(".price-around").get_by_role("img")
    chart.wait_for()
    assert "when it was said" in chart.get_attribute("aria-label")
    put(place, {"review": None})


def test_a_random_sample_is_checked(scored: str, ids: dict[str, str], value_api: str, open_page: OpenPage) -> None:
    first = get(f"{value_api}/review?order=sample&limit=1")["items"][0]
    place = f"{value_api}/videos/{first['mention']['video_id']}/calls/{first['mention']['ticker']}"
    page = open_page(f"{scored}/channels/{ids[VALUE]}/review")

    page.get_by_role("radio", name="20 at random").check()
    shows(page.locator(".queue-item"), first)
    page.get_by_text("Check 20 at random: 0 of 20 done").wait_for()
    page.keyboard.press("Enter")

    page.get_by_text("Check 20 at random: 1 of 20 done").wait_for()
    assert page.url.endswith("?order=sample")
    put(place, {"review": None})


def test_a_correction_is_of_what_was_said(
    scored: str, ids: dict[str, str], value_api: str, open_page: OpenPage
) -> None:
    call = next(each for each in get(f"{value_api}/calls?kind=buy&limit=100")["items"] if not each["review"])
    place = f"{value_api}/videos/{call['video_id']}/calls/{call['ticker']}"
    page = open_page(f"{scored}/channels/{ids[VALUE]}/calls?ticker={call['ticker']}&kind=buy")
    row = page.locator(".calls tbody tr").filter(has_text=call["video_title"]).first
    row.get_by_text(call["explanation"]).wait_for()
    row.get_by_role("button", name="This reading is wrong").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("Correct what was said, who said it").click()
    dialog.get_by_label("What was said", exact=True).select_option("Bought it")
    dialog.get_by_label("Who said it").select_option("Somebody else")

    dialog.get_by_text("Mention: somebody else's view.").wait_for()
    dialog.get_by_role("button", name="Save what was said").click()

    page.get_by_text(f"{call['ticker']} corrected to only mentioned").wait_for()
    mention = get(place)["mention"]
    assert (mention["sentiment"], mention["explanation"]) == ("mentioned", "Mention: somebody else's view.")
    assert (mention["statement"]["act"], mention["statement"]["speaker"]) == ("bought", "other")
    put(place, {"review": None})


def test_a_queue_without_calls_says_what_that_means(scored: str, ids: dict[str, str], open_page: OpenPage) -> None:
    page = open_page("about:blank")
    empty: dict[str, Any] = {"items": [], "nextToken": None, "remaining": 0}
    page.route("**/api/channels/*/review?*", lambda route: route.fulfill(json=empty))
    page.goto(f"{scored}/channels/{ids[VALUE]}/review")

    page.get_by_text("Nothing to review").wait_for()
    assert page.get_by_text("has been checked by a person, or there is none").is_visible()


def test_a_wrong_reading_is_corrected_where_it_is_shown_and_undone(
    scored: str, ids: dict[str, str], value_api: str, open_page: OpenPage
) -> None:
    call = next(each for each in get(f"{value_api}/calls?kind=buy&limit=100")["items"] if each["ticker"] == "MSFT")
    before = get(f"{value_api}/score")
    page = open_page(f"{scored}/channels/{ids[VALUE]}/calls?ticker=MSFT&kind=buy")
    row = page.locator(".calls tbody tr").filter(has_text=call["video_title"]).first
    row.get_by_role("button", name="This reading is wrong").click()

    dialog = page.get_by_role("dialog", name="What was said of MSFT")
    context = get(f"{value_api}/videos/{call['video_id']}/calls/MSFT")
    dialog.locator("mark").filter(has_text=context["quote"]).wait_for()
    assert dialog.locator(".around").count() == 2
    assert f"by {ANALYST}, confidence" in dialog.inner_text()
    dialog.get_by_label("Note (optional)").fill("He already owned it.")
    dialog.get_by_role("button", name="Hold", exact=True).click()

    page.get_by_text("MSFT corrected to a hold").wait_for()
    assert dialog.count() == 0
    row.wait_for(state="detached")
    mention = mention_of(value_api, call["video_id"], "MSFT")
    assert (mention["sentiment"], mention["read_as"], mention["review"]) == ("hold", "buy", "corrected")

    page.goto(f"{scored}/channels/{ids[VALUE]}/timeline?ticker=MSFT&kind=hold")
    corrected = page.locator(".entry").filter(has_text=call["video_title"])
    corrected.get_by_text("Corrected: was read as a buy").wait_for()
    corrected.get_by_role("button", name="See the review").first.click()
    dialog.get_by_text("He already owned it.").first.wait_for()
    dialog.get_by_role("button", name="Confirm a buy").click()
    page.get_by_text("MSFT confirmed as a buy").wait_for()

    page.get_by_role("button", name="Undo").click()

    page.get_by_text("Undone: MSFT is as it was before").wait_for()
    restored = get(f"{value_api}/videos/{call['video_id']}/calls/MSFT")
    assert restored["mention"]["review"] == "corrected"
    assert restored["review"]["note"] == "He already owned it."
    eventually(lambda: get(f"{value_api}/score")["calls_sha256"] != before["calls_sha256"])
    changes = get(f"{value_api}/changes")["items"]
    assert len([each for each in changes if each["kind"] == "reviewed" and each["ticker"] == "MSFT"]) >= 3


def test_a_rejected_mention_is_struck_through_and_counts_nowhere(
    scored: str, ids: dict[str, str], value_api: str, open_page: OpenPage
) -> None:
    call = next(each for each in get(f"{value_api}/calls?limit=100")["items"] if each["ticker"] == "AAPL")
    put(f"{value_api}/videos/{call['video_id']}/calls/AAPL", {"review": "rejected"})
    page = open_page(f"{scored}/channels/{ids[VALUE]}/stocks/AAPL", expected=["willReadFrequently"])
    mention = page.locator(".mention").filter(has_text=call["video_title"])

    mention.get_by_text("Rejected: counts nowhere").wait_for()
    assert mention.locator("s .quote").count() == 1
    chart = page.get_by_role("img", name=re.compile("Daily closing prices of AAPL"))
    marked = page.locator(".mention").count() - 1
    assert f"with {marked} mentions marked" in chart.get_attribute("aria-label")


def test_of_two_reviewers_the_second_is_told_and_sees_what_the_first_said(
    scored: str, ids: dict[str, str], value_api: str, open_page: OpenPage
) -> None:
    call = next(each for each in get(f"{value_api}/calls?limit=100")["items"] if not each["review"])
    page = open_page(f"{scored}/channels/{ids[VALUE]}/calls?ticker={call['ticker']}", expected=["409 (Conflict)"])
    row = page.locator(".calls tbody tr").filter(has_text=call["video_title"]).first
    row.get_by_role("button", name="This reading is wrong").click()
    dialog = page.get_by_role("dialog")
    dialog.locator("mark").wait_for()
    place = f"{value_api}/videos/{call['video_id']}/calls/{call['ticker']}"
    put(place, {"review": "confirmed", "note": "I listened to it."})

    dialog.get_by_role("button", name="Not about this stock").click()

    page.get_by_text("Somebody else has reviewed this call meanwhile. Look at it again.").wait_for()
    dialog.get_by_text("I listened to it.").first.wait_for()
    dialog.get_by_text("Confirmed by a person").wait_for()
    assert get(place)["mention"]["review"] == "confirmed"
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.className") == "wrong-reading"


def test_a_score_can_be_shown_over_the_checked_calls_alone(
    scored: str, ids: dict[str, str], open_page: OpenPage
) -> None:
    api = f"{scored}/api/channels/{ids[MOMENTUM]}"
    page = open_page(f"{scored}/channels/{ids[MOMENTUM]}")
    page.get_by_text(re.compile(r"None of the \d+ calls the program found has been checked by a person yet")).wait_for()
    page.get_by_role("radio", name="Checked by a person").check()
    page.get_by_text("No call of this channel has been checked by a person yet.").wait_for()
    assert page.url.endswith("?calls=checked")

    for call in get(f"{api}/calls?status=scored&limit=3")["items"]:
        put(f"{api}/videos/{call['video_id']}/calls/{call['ticker']}", {"review": "confirmed"})
    eventually(lambda: get(f"{api}/score")["checked"]["checked"] == 3)
    page.reload()

    page.get_by_text("Only 3 checked calls are scored at this horizon").wait_for()
    checked = get(f"{api}/score")["checked"]
    sentence = (
        f"3 of the {checked['calls']} calls the program found were checked by a person, 3 were read correctly (100%, "
    )
    assert page.get_by_text(sentence).is_visible()
    page.get_by_role("radio", name="All calls").check()
    page.get_by_text("Lags the market").first.wait_for()
    assert "calls=" not in page.url


def test_a_score_names_what_it_was_made_with(scored: str, ids: dict[str, str], open_page: OpenPage) -> None:
    page = open_page(f"{scored}/channels/{ids[MOMENTUM]}")
    foot = page.locator(".fingerprint")
    score = get(f"{scored}/api/channels/{ids[MOMENTUM]}/score")
    foot.get_by_text(f"Made with method {score['method']}, read by {ANALYST}.").wait_for()

    foot.get_by_text(f"Fingerprint {score['calls_sha256'][:6]}…").click()

    assert foot.get_by_text(score["calls_sha256"]).is_visible()
    foot.get_by_role("link", name="Change log").click()
    page.get_by_role("region", name="Change log").wait_for()
    assert page.url.endswith("/changes")


def test_the_change_log_tells_what_was_changed_and_by_whom(
    scored: str, ids: dict[str, str], value_api: str, open_page: OpenPage
) -> None:
    changes = get(f"{value_api}/changes")["items"]
    page = open_page(f"{scored}/channels/{ids[VALUE]}/changes")
    lines = page.locator(".changes li")
    lines.first.wait_for()

    assert lines.count() == len(changes) > 0
    assert changes[0]["message"] in lines.first.inner_text()
    assert "Reviewed by a person" in lines.first.inner_text()
    assert changes[0]["changed_by"] in lines.first.inner_text()


def test_reading_again_is_explained_before_it_begins(scored: str, ids: dict[str, str], open_page: OpenPage) -> None:
    page = open_page(f"{scored}/channels/{ids[VALUE]}/log")
    page.get_by_role("button", name="Read again").click()
    dialog = page.get_by_role("dialog", name="Read the transcripts again")
    dialog.get_by_text("Reviews are kept").wait_for()
    videos = get(f"{scored}/api/channels/{ids[VALUE]}")["video_count"]
    dialog.get_by_text(f"Transcripts stay on this machine. Reading {videos} videos costs nothing.").wait_for()

    dialog.get_by_role("button", name="Read again").click()

    dialog.wait_for(state="detached")
    eventually(lambda: get(f"{scored}/api/channels/{ids[VALUE]}")["status"] == "completed")
    page.get_by_text("Completed", exact=True).wait_for()


def missing_videos(scored: str, ids: dict[str, str], name: str) -> list[Any]:
    items: list[Any] = get(f"{scored}/api/channels/{ids[name]}/videos?status=missing")["items"]
    return items


def test_a_transcript_is_handed_in_for_its_video(
    scored: str, ids: dict[str, str], open_page: OpenPage, tmp_path: Path
) -> None:
    video = missing_videos(scored, ids, VALUE)[0]
    file = tmp_path / "captions.vtt"
    file.write_text("WEBVTT\n\n00:01:23.000 --> 00:01:27.000\nI bought more Microsoft today.\n", "utf-8")
    page = open_page(f"{scored}/channels/{ids[VALUE]}/videos?status=missing")
    row = page.locator(".video").filter(has_text=video["title"]).first
    row.get_by_text("No transcript", exact=True).wait_for()
    assert video["problem"] in row.inner_text()

    row.get_by_label("Upload the transcript of").set_input_files(file)

    page.get_by_role("status").filter(has_text="1 of 1 file uploaded").wait_for()
    address = f"{scored}/api/channels/{ids[VALUE]}/videos?limit=100"
    eventually(
        lambda: any(
            each["id"] == video["id"] and each["analysis_status"] == "completed" and each["transcript_kept"]
            for each in get(address)["items"]
        )
    )
    page.get_by_role("radio", name="All").check()
    read = page.locator(".video").filter(has_text=video["title"]).first
    read.get_by_text("Read", exact=True).wait_for()


def test_many_files_find_their_videos_by_name(
    scored: str, ids: dict[str, str], open_page: OpenPage, tmp_path: Path
) -> None:
    videos = missing_videos(scored, ids, MOMENTUM)[:2]
    names = [f"A title [{each['youtube_video_id']}].en.vtt" for each in videos]
    for name in names:
        (tmp_path / name).write_text("WEBVTT\n\n00:00:05.000 --> 00:00:09.000\nApple is a buy for me.\n", "utf-8")
    (tmp_path / "notes.txt").write_text("Apple", "utf-8")
    empty = tmp_path / f"{videos[0]['youtube_video_id']}.srt"
    empty.write_text("1\n00:00:01,000 --> 00:00:02,000\n\n", "utf-8")
    page = open_page(f"{scored}/channels/{ids[MOMENTUM]}/videos", expected=["422 (Unprocessable Entity)", "422 ()"])
    page.locator(".video").first.wait_for()

    page.get_by_label("Choose transcript files").set_input_files(
        [*(tmp_path / name for name in names), tmp_path / "notes.txt", empty]
    )

    page.get_by_text("2 of 4 files uploaded, 2 not").wait_for()
    lines = page.locator(".files li")
    assert [lines.nth(place).locator(".file-state").inner_text() for place in range(4)] == [
        "Uploaded, being read",
        "Uploaded, being read",
        "There is no YouTube id in its name. Drop it on its video instead.",
        "There are no words in it.",
    ]


VIEWS = {
    "review": ("/channels/{value}/review", ".queue-item mark"),
    "videos": ("/channels/{value}/videos", ".video"),
    "changes": ("/channels/{momentum}/changes", ".changes li"),
    "checked": ("/channels/{momentum}?calls=checked", ".checked-title"),
    "wrong-reading": ("/channels/{value}/calls", ".calls tbody tr"),
}


def open_view(scored: str, ids: dict[str, str], open_page: OpenPage, view: str, *how: Any, **options: Any) -> Any:
    path, ready = VIEWS[view]
    page = open_page(scored + path.format(value=ids[VALUE], momentum=ids[MOMENTUM]), *how, **options)
    page.locator(ready).first.wait_for()
    page.wait_for_load_state("networkidle")
    return page


@SCREENS
@pytest.mark.parametrize("view", VIEWS)
def test_a_view_is_accessible_and_fits_and_does_not_shift(
    scored: str,
    ids: dict[str, str],
    reviewed: None,
    open_page: OpenPage,
    axe: Callable[[Any], None],
    screenshot: Callable[[Any, str], None],
    view: str,
    viewport: dict[str, int],
    theme: str,
) -> None:
    page = open_view(scored, ids, open_page, view, viewport, theme, has_touch=viewport is NARROW)
    assert layout_shift(page) < 0.1
    if view == "wrong-reading":
        page.get_by_role("button", name="This reading is wrong").first.click()
        page.locator(".judgement").wait_for()

    assert_fits(page)
    axe(page)
    if viewport is NARROW:
        assert_large_enough_to_touch(page)
    if (view, viewport["width"], theme) == ("review", 1280, "light"):
        page.locator(".queue-item").evaluate_all("(items) => items.forEach((each) => each.scrollIntoView())")
        screenshot(page, view)
