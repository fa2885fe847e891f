"""Responses near and over the 6 MB that Lambda hands over."""

import json
import random
from base64 import b64encode
from dataclasses import replace

from functions.record.store.channels import create_channel
from local.entities import put_entities
from tests.builders import a_channel, a_mention
from tests.events import call
from tests.seeds import fill, newest_first

TICKERS = [f"T{number}" for number in range(10)]
GZIP = {"accept-encoding": "gzip"}


def test_a_timeline_over_6_mb_is_refused_unless_compression_makes_it_fit(tables: str) -> None:
    channel = a_channel()
    create_channel(channel)
    videos = fill(channel, 350, TICKERS, snippet="I am buying. " * 150)
    path = f"/api/channels/{channel.id}/timeline"

    refused = call("GET", path)
    compressed = call("GET", path, headers=GZIP)
    page = call("GET", path, query="limit=50")

    assert refused.status == 413
    assert "`limit`" in refused.json()["detail"]
    assert refused.headers["content-type"] == "application/json"
    assert compressed.status == 200
    assert compressed.headers["content-encoding"] == "gzip"
    entries = compressed.json()["timeline"]
    assert [entry["video"]["id"] for entry in entries] == newest_first(videos)
    assert all(len(entry["mentions"]) == 10 for entry in entries)
    assert page.status == 200
    assert page.json()["items"] == entries[:50]


def test_what_does_not_fit_compressed_either_is_refused(tables: str) -> None:
    channel = a_channel()
    create_channel(channel)
    noise = random.Random(1)
    for video in fill(channel, 70, []):
        noises = [b64encode(noise.randbytes(7500)).decode() for _ in TICKERS]
        calls = (a_mention(video, ticker, context_snippet=said) for ticker, said in zip(TICKERS, noises, strict=True))
        put_entities([replace(video, calls=tuple(calls))])

    response = call("GET", f"/api/channels/{channel.id}/timeline", headers=GZIP)

    assert response.status == 413
    assert "content-encoding" not in response.headers
    assert call("GET", f"/api/channels/{channel.id}/stocks").status == 200


def test_a_response_just_over_the_limit_in_bytes_is_refused(tables: str) -> None:
    """Letters of three bytes and escaped quotes count as what they are."""
    channel = a_channel()
    create_channel(channel)
    fill(channel, 80, TICKERS, snippet='"株"' * 800)
    path = f"/api/channels/{channel.id}/timeline"

    response = call("GET", path)

    compressed = call("GET", path, headers=GZIP)
    assert response.status == 413
    assert len(compressed.text) < 6_000_000
    assert len(json.dumps(compressed.text, ensure_ascii=False).encode()) > 6 * 1024 * 1024
