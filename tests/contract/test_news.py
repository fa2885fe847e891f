"""News over HTTP: a story that is added, analysed, listed once by its tone and counted by its day."""

import time
from typing import Any
from uuid import uuid4

import httpx

from tests.contract.shapes import DAY_OF_NEWS, INVALID, NEWS, has_shape

LONGEST_ANALYSIS_SECONDS = 120


def a_story() -> dict[str, Any]:
    return {
        "url": f"https://news.example/{uuid4().hex}?utm_source=tests",
        "title": "Realty Income and Kimco file for bankruptcy",
        "published_at": "2026-02-03T15:00:00Z",
        "source_name": "The Paper",
        "tags": ["o", "KIM"],
    }


def source_ids(api: httpx.Client, query: dict[str, Any]) -> list[str]:
    return [each["source_id"] for each in api.get("/api/news", params=query).json()["items"]]


def test_a_story_is_added_analysed_listed_and_counted(api: httpx.Client) -> None:
    story = a_story()

    added = api.post("/api/news", json=story)
    again = api.post("/api/news", json=story)

    assert added.status_code == 201, added.text
    item = added.json()
    has_shape(item, NEWS)
    assert (item["tags"], item["source_url"]) == (["O", "KIM"], story["url"])
    assert (again.status_code, again.json()) == (409, {"detail": "This story is known already"})
    deadline = time.monotonic() + LONGEST_ANALYSIS_SECONDS
    query = {"sentiment": "negative", "since": story["published_at"], "limit": 100}
    while item["source_id"] not in (listed := source_ids(api, query)):
        assert time.monotonic() < deadline, "the story was never analysed"
        time.sleep(0.2)
    assert listed.count(item["source_id"]) == 1
    by_tag = api.get("/api/news", params={"tag": "kim", "limit": 100}).json()
    assert by_tag.keys() == {"items", "nextToken"}
    (found,) = [each for each in by_tag["items"] if each["source_id"] == item["source_id"]]
    has_shape(found, NEWS)
    assert (found["status"], found["model_version"]) == ("analyzed", "v1.0.0")
    summary = api.get("/api/news/summary", params={"tag": "kim"}).json()
    for day in summary["days"]:
        has_shape(day, DAY_OF_NEWS)
    assert [day["negative"] >= 1 for day in summary["days"] if day["date"] == "2026-02-03"] == [True]


def test_what_is_not_valid_is_refused(api: httpx.Client) -> None:
    refused = [
        api.post("/api/news", json={**a_story(), "published_at": "2999-01-01T00:00:00Z"}),
        api.post("/api/news", json={**a_story(), "tags": ["NOTATICKER"]}),
        api.get("/api/news"),
        api.get("/api/news", params={"tag": "O", "sentiment": "negative"}),
        api.get("/api/news/summary"),
    ]

    for response in refused:
        assert response.status_code == 422
        for problem in response.json()["detail"]:
            has_shape(problem, INVALID)
