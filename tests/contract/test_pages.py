"""Lists by `limit` and `nextToken`."""

import re
from typing import Any

import httpx
import pytest

from tests.contract.conftest import Create
from tests.contract.steps import Channel

LISTS = ["/api/channels", "/api/channels/{id}/logs", "/api/channels/{id}/timeline"]


def walk(api: httpx.Client, path: str, limit: int) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = []
    token = None
    while True:
        response = api.get(path, params={"limit": limit, **({"nextToken": token} if token else {})})
        assert response.status_code == 200, response.text
        body = response.json()
        assert body.keys() == {"items", "nextToken"}
        assert len(body["items"]) <= limit
        items += body["items"]
        token = body["nextToken"]
        if token is None:
            return items
        assert re.fullmatch(r"[A-Za-z0-9_-]+", token)


@pytest.mark.parametrize(("rest", "name"), [("logs", "logs"), ("timeline", "timeline")])
@pytest.mark.parametrize("limit", [1, 7, 100])
def test_a_walk_meets_what_the_whole_list_holds(
    api: httpx.Client, demo: Channel, rest: str, name: str, limit: int
) -> None:
    path = f"/api/channels/{demo['id']}/{rest}"

    assert walk(api, path, limit) == api.get(path).json()[name]


def test_a_walk_over_channels_meets_each_once(api: httpx.Client, demo: Channel, a_new_channel: Create) -> None:
    created = [a_new_channel()["id"] for _ in range(3)]

    walked = [channel["id"] for channel in walk(api, "/api/channels", 2)]

    assert len(walked) == len(set(walked))
    assert {*created, demo["id"]} <= set(walked)


def test_a_channel_added_during_a_walk_repeats_nothing(api: httpx.Client, demo: Channel, a_new_channel: Create) -> None:
    first = api.get("/api/channels", params={"limit": 1}).json()
    added = a_new_channel()["id"]

    second = api.get("/api/channels", params={"limit": 100, "nextToken": first["nextToken"]}).json()

    rest = [channel["id"] for channel in second["items"]]
    assert added not in rest
    assert first["items"][0]["id"] not in rest


@pytest.mark.parametrize("path", LISTS)
@pytest.mark.parametrize(
    ("limit", "kind"),
    [("0", "greater_than_equal"), ("101", "less_than_equal"), ("x", "int_parsing"), ("", "int_parsing")],
)
def test_a_limit_is_from_1_to_100(api: httpx.Client, demo: Channel, path: str, limit: str, kind: str) -> None:
    response = api.get(path.format(id=demo["id"]), params={"limit": limit})

    assert response.status_code == 422
    (detail,) = response.json()["detail"]
    assert (detail["type"], detail["loc"]) == (kind, ["query", "limit"])


@pytest.mark.parametrize("path", LISTS)
def test_a_token_of_another_list_or_damaged_is_refused(
    api: httpx.Client, demo: Channel, a_new_channel: Create, path: str
) -> None:
    a_new_channel()
    paths = [each.format(id=demo["id"]) for each in LISTS]
    tokens = {each: api.get(each, params={"limit": 1}).json()["nextToken"] for each in paths}
    own = path.format(id=demo["id"])
    foreign = [token for each, token in tokens.items() if each != own]
    damaged = [tokens[own][:-1], tokens[own] + "A", tokens[own].swapcase(), "", "x", "é", "a,b", "A" * 3000]

    for token in foreign + damaged:
        response = api.get(own, params={"limit": 1, "nextToken": token})
        assert response.status_code == 400, token
        assert isinstance(response.json()["detail"], str)
    assert api.get(own, params={"nextToken": tokens[own]}).status_code == 200


def test_a_token_of_another_channel_is_refused(api: httpx.Client, demo: Channel, a_new_channel: Create) -> None:
    other = a_new_channel()["id"]
    for rest in ("logs", "timeline"):
        token = api.get(f"/api/channels/{demo['id']}/{rest}", params={"limit": 1}).json()["nextToken"]

        assert api.get(f"/api/channels/{other}/{rest}", params={"nextToken": token}).status_code == 400
