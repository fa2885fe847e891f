"""The Idempotency-Key header."""

import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import uuid4

import httpx

from tests.contract.steps import Channel, a_new_url, all_channels

AT_ONCE = int(os.environ.get("API_AT_ONCE", "20"))


def create(api: httpx.Client, url: str, key: str, **more: Any) -> httpx.Response:
    return api.post("/api/channels", json={"url": url, **more}, headers={"Idempotency-Key": key})


def remove(api: httpx.Client, *responses: httpx.Response) -> None:
    for channel_id in {response.json()["id"] for response in responses if response.status_code == 201}:
        assert api.delete(f"/api/channels/{channel_id}").status_code == 204


def test_the_same_key_and_body_get_the_first_response_again(api: httpx.Client) -> None:
    url, key = a_new_url(), uuid4().hex

    first, again = create(api, url, key), create(api, url, key)

    remove(api, first, again)
    assert first.status_code == again.status_code == 201
    assert first.json() == again.json()
    assert first.headers["location"] == again.headers["location"]


def test_the_same_key_with_another_body_is_a_conflict(api: httpx.Client) -> None:
    url, key = a_new_url(), uuid4().hex
    first = create(api, url, key)

    other = create(api, url, key, time_range_months=24)

    remove(api, first, other)
    assert other.status_code == 409
    assert isinstance(other.json()["detail"], str)


def test_a_refused_request_is_forgotten(api: httpx.Client) -> None:
    url, key = a_new_url(), uuid4().hex
    taken = create(api, url, uuid4().hex)
    refused = create(api, url, key)
    remove(api, taken)

    again = create(api, url, key)

    remove(api, again)
    assert refused.status_code == 400
    assert again.status_code == 201


def test_many_at_once_make_one_channel(api: httpx.Client, client_options: dict[str, Any]) -> None:
    url, key = a_new_url(), uuid4().hex

    with httpx.Client(**client_options) as client, ThreadPoolExecutor(AT_ONCE) as threads:
        responses = list(threads.map(lambda _: create(client, url, key), range(AT_ONCE)))

    made = [channel for channel in all_channels(api) if channel["url"] == url]
    remove(api, *responses)
    assert {response.status_code for response in responses} <= {201, 409}
    assert len({response.json()["id"] for response in responses if response.status_code == 201}) == 1
    assert len(made) == 1


def test_many_at_once_without_a_key_make_one_channel_too(api: httpx.Client, client_options: dict[str, Any]) -> None:
    url = a_new_url()

    with httpx.Client(**client_options) as client, ThreadPoolExecutor(AT_ONCE) as threads:
        responses = list(threads.map(lambda _: client.post("/api/channels", json={"url": url}), range(AT_ONCE)))

    remove(api, *responses)
    assert sorted(response.status_code for response in responses) == [201] + [400] * (AT_ONCE - 1)


def test_other_posts_take_a_key_too(api: httpx.Client, demo: Channel) -> None:
    key = {"Idempotency-Key": uuid4().hex}
    path = f"/api/channels/{demo['id']}/refresh-prices"

    first, again = api.post(path, headers=key), api.post(path, headers=key)
    other = api.post(path, headers=key, content=b"{}")

    assert first.json() == again.json()
    assert other.status_code == 409
