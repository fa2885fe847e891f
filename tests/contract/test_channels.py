"""Creating, listing and finding channels."""

import httpx
import pytest

from tests.contract.conftest import Create
from tests.contract.shapes import CHANNEL, INVALID, has_shape
from tests.contract.steps import Channel, a_new_url

NOT_FOUND = {"detail": "Channel not found"}
KINDS = [
    ("https://www.youtube.com/@{}", "handle:{}"),
    ("youtube.com/@{}", "handle:{}"),
    ("HTTPS://M.YOUTUBE.COM/@{}/videos?view=0", "handle:{}"),
    ("https://youtube.com/channel/{}", "channel_id:{}"),
    ("https://youtube.com/c/{}", "custom:{}"),
    ("https://youtube.com/user/{}", "user:{}"),
]


@pytest.mark.parametrize(("url", "identifier"), KINDS)
def test_a_created_channel_is_pending_and_says_where_it_is(api: httpx.Client, url: str, identifier: str) -> None:
    name = a_new_url().rpartition("@")[2]

    response = api.post("/api/channels", json={"url": url.format(name), "time_range_months": 36})

    channel = response.json()
    api.delete(f"/api/channels/{channel['id']}")
    assert response.status_code == 201
    has_shape(channel, CHANNEL)
    assert channel["status"] == "pending"
    assert channel["url"] == url.format(name)
    assert channel["name"] == name
    assert channel["youtube_channel_id"] == identifier.format(name)
    assert (channel["video_count"], channel["processed_video_count"], channel["time_range_months"]) == (0, 0, 36)
    assert channel["thumbnail_url"] is None
    assert response.headers["location"] == f"/api/channels/{channel['id']}"


def test_twelve_months_unless_told_otherwise(a_new_channel: Create) -> None:
    assert a_new_channel()["time_range_months"] == 12


def test_letters_of_any_script_may_name_a_channel(api: httpx.Client) -> None:
    url = f"{a_new_url()}-株.हिन्दी"

    channel = api.post("/api/channels", json={"url": url}).json()

    api.delete(f"/api/channels/{channel['id']}")
    assert channel["url"] == url


def test_a_url_is_added_once_whatever_its_case(api: httpx.Client, a_new_channel: Create) -> None:
    url = a_new_channel()["url"]

    for again in (url, url.upper().replace("HTTPS", "https"), url.removeprefix("https://www."), f"{url}/videos?x=1"):
        response = api.post("/api/channels", json={"url": again})
        assert response.status_code == 400
        assert response.json() == {"detail": "Channel already exists"}


def test_a_resolved_channel_is_known_by_all_its_names(api: httpx.Client, demo: Channel) -> None:
    assert demo["youtube_channel_id"] == "UCDemoValueInvestor00000"
    assert demo["name"] == "The Patient Value Investor (demo)"
    assert demo["url"] == "https://www.youtube.com/@DemoValueInvestor"

    for again in (demo["url"], demo["url"].lower(), f"youtube.com/channel/{demo['youtube_channel_id']}"):
        response = api.post("/api/channels", json={"url": again})
        assert (response.status_code, response.json()) == (400, {"detail": "Channel already exists"})


@pytest.mark.parametrize(
    "url",
    [
        "",
        "not a url",
        "https://example.com/@name",
        "https://example.com/?next=youtube.com/@name",
        "https://youtube.com.example.com/@name",
        "https://example.com@youtube.com/@name",
        "https://youtube.com\\@example.com/@name",
        "https://youtube.com/watch?v=dQw4w9WgXcQ",
        "ftp://youtube.com/@name",
        "https://y\u043eutube.com/@name",
        "https://youtube.com/@a\u0000b",
        "https://youtube.com/@" + "a" * 2048,
    ],
)
def test_what_is_no_url_of_a_channel_is_refused(api: httpx.Client, url: str) -> None:
    response = api.post("/api/channels", json={"url": url})

    assert response.status_code == 422
    (detail,) = response.json()["detail"]
    has_shape(detail, INVALID)
    assert detail["loc"] == ["body", "url"]
    assert detail["type"] == ("string_too_long" if len(url) > 2048 else "value_error")


@pytest.mark.parametrize(
    ("months", "kind"),
    [(0, "greater_than_equal"), (-1, "greater_than_equal"), (37, "less_than_equal"), ("x", "int_parsing"), (1.5, None)],
)
def test_months_are_from_1_to_36(api: httpx.Client, months: object, kind: str | None) -> None:
    response = api.post("/api/channels", json={"url": a_new_url(), "time_range_months": months})

    assert response.status_code == 422
    (detail,) = response.json()["detail"]
    has_shape(detail, INVALID)
    assert detail["loc"] == ["body", "time_range_months"]
    assert kind in (None, detail["type"])


def test_a_channel_is_found_by_id(api: httpx.Client, demo: Channel) -> None:
    response = api.get(f"/api/channels/{demo['id']}")

    assert response.status_code == 200
    has_shape(response.json(), CHANNEL)
    assert response.json() == demo


def test_a_channel_just_created_is_found_when_read_consistently(api: httpx.Client, a_new_channel: Create) -> None:
    channel = a_new_channel()

    response = api.get(f"/api/channels/{channel['id']}", params={"strong": "true"})

    assert response.status_code == 200
    has_shape(response.json(), CHANNEL)


def test_strong_is_yes_or_no(api: httpx.Client, demo: Channel) -> None:
    response = api.get(f"/api/channels/{demo['id']}", params={"strong": "perhaps"})

    assert response.status_code == 422
    assert response.json()["detail"][0]["loc"] == ["query", "strong"]


def test_channels_are_listed_newest_first(api: httpx.Client, demo: Channel, a_new_channel: Create) -> None:
    newest = a_new_channel()["id"]

    response = api.get("/api/channels")

    body = response.json()
    assert response.status_code == 200
    assert body.keys() == {"items", "total", "page", "per_page"}
    assert (body["page"], body["per_page"]) == (1, 20)
    assert body["total"] >= 2
    for channel in body["items"]:
        has_shape(channel, CHANNEL)
    timestamps = [channel["created_at"] for channel in body["items"]]
    assert timestamps == sorted(timestamps, reverse=True)
    assert newest in [channel["id"] for channel in body["items"]]


def test_pages_follow_each_other(api: httpx.Client, demo: Channel, a_new_channel: Create) -> None:
    a_new_channel()

    both = api.get("/api/channels", params={"page": 1, "per_page": 2}).json()["items"]
    ones = [api.get("/api/channels", params={"page": page, "per_page": 1}).json() for page in (1, 2)]

    assert [channel["id"] for page in ones for channel in page["items"]] == [channel["id"] for channel in both]
    assert [(page["page"], page["per_page"]) for page in ones] == [(1, 1), (2, 1)]


def test_past_the_end_there_is_nothing_but_the_true_total(api: httpx.Client, demo: Channel) -> None:
    body = api.get("/api/channels", params={"page": 1000000, "per_page": 100}).json()

    assert body["items"] == []
    assert body["total"] >= 1
    assert (body["page"], body["per_page"]) == (1000000, 100)


@pytest.mark.parametrize(
    ("name", "value", "kind"),
    [
        ("page", "0", "greater_than_equal"),
        ("page", "-1", "greater_than_equal"),
        ("page", "x", "int_parsing"),
        ("page", "", "int_parsing"),
        ("page", "9" * 5000, "int_parsing_size"),
        ("per_page", "0", "greater_than_equal"),
        ("per_page", "101", "less_than_equal"),
        ("per_page", "1.5", "int_parsing"),
    ],
)
def test_pages_out_of_range_are_refused(api: httpx.Client, name: str, value: str, kind: str) -> None:
    response = api.get("/api/channels", params={name: value})

    assert response.status_code == 422
    (detail,) = response.json()["detail"]
    has_shape(detail, INVALID)
    assert detail["type"] == kind
    assert detail["loc"] == ["query", name]


@pytest.mark.parametrize(
    "channel_id",
    [
        "x",
        "00000000-0000-4000-8000-000000000000",
        "%00",
        "%0a",
        "%ff",
        "%F0%9F%98%80",
        "..%20",
        "a" * 3000,
        "null",
        "%25",
    ],
)
@pytest.mark.parametrize(
    ("method", "rest"),
    [
        ("GET", ""),
        ("DELETE", ""),
        ("POST", "/process"),
        ("POST", "/cancel"),
        ("GET", "/logs"),
        ("GET", "/stocks"),
        ("GET", "/timeline"),
        ("GET", "/stocks/AAPL"),
        ("POST", "/refresh-prices"),
        ("POST", "/backfill-prices"),
    ],
)
def test_an_id_that_names_nothing_is_not_found(api: httpx.Client, method: str, rest: str, channel_id: str) -> None:
    response = api.request(method, f"/api/channels/{channel_id}{rest}")

    assert (response.status_code, response.json()) == (404, NOT_FOUND)
