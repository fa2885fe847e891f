"""Checking calls: the queue, a call with its words, its review, and the change log, while the score follows."""

import hashlib
import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.contract.shapes import CALL_IN_CONTEXT, CHANGE, QUEUED_MENTION, REVIEWED_MENTION, VIDEO, has_shape
from tests.contract.steps import MAX_WAIT_SECONDS, Channel, scored

UNKNOWN = "00000000-0000-4000-8000-000000000000"


@pytest.fixture(scope="module")
def judged(api: httpx.Client, demo: Channel) -> Channel:
    return scored(api, demo)


@pytest.fixture
def queued(api: httpx.Client, judged: Channel) -> Iterator[dict[str, Any]]:
    """A mention that waits for a review. What a test says of it is withdrawn afterwards."""
    item: dict[str, Any] = queue(api, judged)["items"][0]["mention"]
    yield item
    assert api.put(path_of(judged, item), json={"review": None}).status_code == 200


def queue(api: httpx.Client, channel: Channel, **query: str) -> dict[str, Any]:
    response = api.get(f"/api/channels/{channel['id']}/review", params={"order": "sample", **query})
    assert response.status_code == 200, response.text
    page: dict[str, Any] = response.json()
    return page


def path_of(channel: Channel, mention: dict[str, Any]) -> str:
    return f"/api/channels/{channel['id']}/videos/{mention['video_id']}/calls/{mention['ticker']}"


def every_call(api: httpx.Client, channel: Channel) -> list[dict[str, Any]]:
    calls, token = [], ""
    while True:
        query = {"limit": "100", **({"nextToken": token} if token else {})}
        page = api.get(f"/api/channels/{channel['id']}/calls", params=query).json()
        calls += page["items"]
        token = page["nextToken"]
        if token is None:
            return calls


def score_of(api: httpx.Client, channel: Channel, calls: str = "all") -> dict[str, Any]:
    return dict(api.get(f"/api/channels/{channel['id']}/score", params={"calls": calls}).json())


def once_checked(api: httpx.Client, channel: Channel, number: int) -> dict[str, Any]:
    """The score over checked calls, once so many have been checked."""
    deadline = time.monotonic() + MAX_WAIT_SECONDS
    while (score := score_of(api, channel, "checked"))["checked"]["checked"] != number:
        assert time.monotonic() < deadline, score["checked"]
        time.sleep(0.2)
    return score


@pytest.mark.parametrize("order", ["doubt", "influence", "sample"])
def test_the_queue_has_mentions_with_their_videos(api: httpx.Client, judged: Channel, order: str) -> None:
    page = queue(api, judged, order=order)

    assert page.keys() == {"items", "nextToken", "remaining", "sample"}
    for item in page["items"]:
        has_shape(item, QUEUED_MENTION)
        has_shape(item["mention"], REVIEWED_MENTION)
        has_shape(item["mention"]["video"], VIDEO)
        assert item["mention"]["review"] is None


def test_the_pages_of_the_queue_are_the_queue(api: httpx.Client, judged: Channel) -> None:
    whole = queue(api, judged, limit="100")["items"]
    page = queue(api, judged, limit="3")
    seen = page["items"]
    while page["nextToken"] and len(seen) < len(whole):
        page = queue(api, judged, limit="3", nextToken=page["nextToken"])
        seen += page["items"]

    assert [item["mention"]["id"] for item in seen] == [item["mention"]["id"] for item in whole]


def test_a_call_comes_with_the_words_around_it(api: httpx.Client, judged: Channel, queued: dict[str, Any]) -> None:
    body = api.get(path_of(judged, queued)).json()

    has_shape(body, CALL_IN_CONTEXT)
    has_shape(body["mention"], REVIEWED_MENTION)
    assert body["quote"] == queued["context_snippet"]


def test_a_review_changes_the_call_the_queue_the_change_log_and_the_score(
    api: httpx.Client, judged: Channel, queued: dict[str, Any]
) -> None:
    other = "sell" if queued["sentiment"] == "buy" else "buy"
    version = queued["review_version"]

    response = api.put(path_of(judged, queued), json={"review": "corrected", "sentiment": other, "version": version})

    mention = response.json()
    assert response.status_code == 200
    has_shape(mention, REVIEWED_MENTION)
    assert (mention["sentiment"], mention["read_as"], mention["review"]) == (other, queued["sentiment"], "corrected")
    assert queued["id"] not in [item["mention"]["id"] for item in queue(api, judged)["items"]]
    change = api.get(f"/api/channels/{judged['id']}/changes", params={"limit": "1"}).json()["items"][0]
    has_shape(change, CHANGE)
    assert change["message"].endswith(f"corrected from {queued['sentiment']} to {other}.")
    score = once_checked(api, judged, 1)
    assert (score["checked"]["right"], score["checked"]["right_rate"]) == (0, 0)
    assert score["horizons"][0]["calls"] + score["horizons"][0]["pending"] + score["horizons"][0]["unpriced"] == 1


def test_a_corrected_act_changes_the_statement_and_what_the_policy_makes_of_it(
    api: httpx.Client, judged: Channel, queued: dict[str, Any]
) -> None:
    corrected = api.put(path_of(judged, queued), json={"review": "corrected", "act": "would_sell"}).json()
    refused = api.put(path_of(judged, queued), json={"review": "corrected", "act": "would_sell", "sentiment": "sell"})

    has_shape(corrected, REVIEWED_MENTION)
    assert (corrected["sentiment"], corrected["reason"]) == ("mentioned", "on_condition")
    assert corrected["statement"]["act"] == "would_sell"
    assert corrected["statement_as_read"] == queued["statement"]
    assert (refused.status_code, refused.json()["detail"][0]["loc"]) == (422, ["body", "sentiment"])


def test_a_second_reviewer_who_saw_the_call_before_is_told(
    api: httpx.Client, judged: Channel, queued: dict[str, Any]
) -> None:
    seen = {"version": queued["review_version"]}
    assert api.put(path_of(judged, queued), json={"review": "confirmed", **seen}).status_code == 200

    second = api.put(path_of(judged, queued), json={"review": "rejected", **seen})

    assert second.status_code == 409
    assert second.json().keys() == {"detail", "present"}
    assert second.json()["detail"] == "This call has been reviewed meanwhile; look at it again"
    has_shape(second.json()["present"], REVIEWED_MENTION)
    assert second.json()["present"]["review"] == "confirmed"


def test_the_hash_of_a_score_can_be_computed_from_its_calls(api: httpx.Client, judged: Channel) -> None:
    once_checked(api, judged, 0)
    lines = sorted(
        f"{call['video_id']}\t{call['ticker']}\t{call['sentiment']}\t{call['published_at']}\t"
        f"{call['published_time'] or ''}\n"
        for call in every_call(api, judged)
    )

    score = score_of(api, judged)

    assert score["calls_sha256"] == hashlib.sha256("".join(lines).encode()).hexdigest()
    assert score["analysts"] and all(score["analysts"])
    assert score["checked"]["calls"] == len(lines)


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"review": "corrected"}, 422),
        ({"review": "corrected", "sentiment": "short"}, 422),
        ({"review": "perhaps"}, 422),
        ({}, 422),
        ({"review": "confirmed", "note": "x" * 2001}, 422),
    ],
)
def test_a_review_that_cannot_be_is_refused(
    api: httpx.Client, judged: Channel, queued: dict[str, Any], body: dict[str, Any], status: int
) -> None:
    assert api.put(path_of(judged, queued), json=body).status_code == status


def test_what_is_not_there_cannot_be_reviewed(api: httpx.Client, judged: Channel, queued: dict[str, Any]) -> None:
    gone = path_of(judged, {**queued, "ticker": "ZZZZ"})
    nowhere = path_of({"id": UNKNOWN}, queued)

    for path, detail in ((gone, "Call not found"), (nowhere, "Channel not found")):
        for response in (api.get(path), api.put(path, json={"review": "confirmed"})):
            assert (response.status_code, response.json()) == (404, {"detail": detail})
    assert api.get(f"/api/channels/{UNKNOWN}/changes").status_code == 404
    assert api.get(f"/api/channels/{UNKNOWN}/review").status_code == 404
