"""The routes of alerts: lists by page, and Atom feeds that every reader can parse."""

from collections import Counter
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree

import pytest

from functions.record.models.records import Channel
from functions.record.store.channels import create_channel, update_channel
from functions.runtime.settings import settings
from local.entities import put_entities
from tests.builders import a_call_told, a_channel, an_alert
from tests.events import call

ATOM = "{http://www.w3.org/2005/Atom}"
HOSTILE = "</title><script>alert(1)</script> ]]> & \" ' \x00\x08\x0b\x1f\ufffe \U0001f4c8 \u202e"


@pytest.fixture
def channel(tables: str) -> Channel:
    channel = a_channel("Some channel")
    create_channel(channel)
    return channel


def verdict(channel_id: str, day: str) -> Any:
    details = ({"horizon": "3m", "verdict": "beats_market", "before": "not_proven"},)
    return an_alert(
        channel_id, *details, kind="verdict", occurred_at=f"{day}T00:00:00.000Z", video_id=None, video_title=None
    )


def matured(channel_id: str, day: str) -> Any:
    detail = {"ticker": "AAPL", "sentiment": "sell", "horizon": "3m", "excess_percent": -4.25, "video_id": "v"}
    return an_alert(
        channel_id, detail, kind="matured", occurred_at=f"{day}T00:00:00.000Z", video_id=None, video_title=None
    )


def entries(text: str) -> list[ElementTree.Element]:
    return ElementTree.fromstring(text).findall(f"{ATOM}entry")


def text_of(element: ElementTree.Element, name: str) -> str:
    found = element.find(f"{ATOM}{name}")
    assert found is not None
    return found.text or ""


class TestLists:
    def test_give_all_channels_or_one_newest_first(self, channel: Channel) -> None:
        other = a_channel("Other")
        create_channel(other)
        put_entities([verdict(channel.id, "2024-06-03"), an_alert(other.id), matured(channel.id, "2024-06-01")])

        everything = call("GET", "/api/alerts").json()
        of_one = call("GET", f"/api/channels/{channel.id}/alerts").json()

        assert [(each["kind"], each["channel_name"]) for each in everything["items"]] == [
            ("calls", "Other"),
            ("verdict", "Some channel"),
            ("matured", "Some channel"),
        ]
        assert [each["kind"] for each in of_one["items"]] == ["verdict", "matured"]
        assert everything["items"][0]["details"] == [a_call_told()]
        assert everything["nextToken"] is None

    @pytest.mark.parametrize("path", ["/api/alerts", "/api/channels/{id}/alerts"])
    def test_pages_hold_every_alert_once(self, channel: Channel, path: str) -> None:
        stored = [an_alert(channel.id, occurred_at=f"2024-05-{day:02d}T00:00:00.000Z") for day in range(1, 8)]
        put_entities(stored)
        seen, token = [], ""
        while token is not None:
            query = f"limit=3&nextToken={token}" if token else "limit=3"
            page = call("GET", path.format(id=channel.id), query=query).json()
            seen += [each["id"] for each in page["items"]]
            token = page["nextToken"]

        assert seen == [alert.id for alert in reversed(stored)]

    def test_one_kind_can_be_asked_for(self, channel: Channel) -> None:
        put_entities([an_alert(channel.id), verdict(channel.id, "2024-06-01")])

        page = call("GET", "/api/alerts", query="kind=verdict").json()

        assert [each["details"] for each in page["items"]] == [
            [{"horizon": "3m", "verdict": "beats_market", "before": "not_proven", "by_review": False}]
        ]
        assert call("GET", "/api/alerts", query="kind=rumour").status == 422

    def test_a_token_of_another_kind_is_refused(self, channel: Channel) -> None:
        put_entities([an_alert(channel.id) for _ in range(3)])
        token = call("GET", "/api/alerts", query="limit=1").json()["nextToken"]

        assert call("GET", "/api/alerts", query=f"limit=1&kind=calls&nextToken={token}").status == 400

    def test_a_channel_that_is_being_deleted_is_not_told_of(self, channel: Channel) -> None:
        put_entities([an_alert(channel.id)])
        update_channel(channel.id, "SET deleting = :yes", "attribute_exists(PK)", {"yes": True})

        assert call("GET", "/api/alerts").json()["items"] == []
        assert call("GET", f"/api/channels/{channel.id}/alerts").status == 404
        assert entries(call("GET", "/api/feed.atom").text) == []
        assert call("GET", f"/api/channels/{channel.id}/feed.atom").status == 404


class TestFeeds:
    def test_have_an_entry_for_each_call_verdict_and_matured_call(self, channel: Channel) -> None:
        calls = an_alert(
            channel.id, a_call_told("AAPL"), a_call_told("TSLA", sentiment="sell", before="buy", is_reversal=True)
        )
        put_entities([calls, verdict(channel.id, "2024-06-01"), matured(channel.id, "2024-05-01")])

        response = call("GET", f"/api/channels/{channel.id}/feed.atom")

        found = entries(response.text)
        assert response.headers["content-type"] == "application/atom+xml; charset=utf-8"
        assert [text_of(entry, "title") for entry in found] == [
            "Some channel: buy AAPL",
            "Some channel: sell TSLA (before: buy)",
            "Some channel: beats the market (before: not proven)",
            "Some channel: sell AAPL after three months: -4.2 % against the S&P 500",
        ]
        assert text_of(found[0], "id") == f"urn:stock-track-record:alert:{calls.id}:AAPL"
        assert len({text_of(entry, "id") for entry in found}) == 4
        assert text_of(found[0], "updated") == calls.occurred_at
        assert found[0].find(f"{ATOM}link").attrib["href"].endswith("&t=5s")  # type: ignore[union-attr]
        assert [each.attrib["term"] for each in found[1].findall(f"{ATOM}category")] == ["calls", "reversal", "TSLA"]

    def test_name_reviews_that_turned_a_verdict(self, channel: Channel) -> None:
        alert = verdict(channel.id, "2024-06-01")
        put_entities([replace(alert, details=({**alert.details[0], "by_review": True},))])

        (entry,) = entries(call("GET", "/api/feed.atom").text)

        assert text_of(entry, "title") == (
            "Some channel: beats the market (before: not proven), turned by reviews and not by the market"
        )
        assert text_of(entry, "content") == (
            "The verdict at three months has changed. Reviews of how its calls were read turned it, not the market."
        )

    def test_say_what_they_are_and_that_they_are_no_advice(self, channel: Channel) -> None:
        feed = ElementTree.fromstring(call("GET", "/api/feed.atom").text)

        assert "Not investment advice" in text_of(feed, "subtitle")
        assert text_of(feed, "id") == "urn:stock-track-record:feed"
        assert feed.find(f"{ATOM}link").attrib["href"].endswith("/api/feed.atom")  # type: ignore[union-attr]
        assert feed.find(f"{ATOM}author") is not None

    def test_are_xml_whatever_strangers_write(self, channel: Channel) -> None:
        hostile = a_call_told("AAPL", quote=HOSTILE, quote_url=f"https://www.youtube.com/watch?v={HOSTILE}")
        put_entities([an_alert(channel.id, hostile, video_title=HOSTILE)])
        update_channel(channel.id, "SET #name = :name", "attribute_exists(PK)", {"name": HOSTILE})

        for path in ("/api/feed.atom", f"/api/channels/{channel.id}/feed.atom"):
            (entry,) = entries(call("GET", path).text)
            assert "</title><script>alert(1)</script>" in text_of(entry, "title")
            assert "\U0001f4c8" in text_of(entry, "content")
            assert not set(text_of(entry, "content")) & set("\x00\x08\x0b\x1f\ufffe")

    def test_are_cut_at_a_hundred_entries_in_a_few_requests(
        self, channel: Channel, requests_made: Counter[str]
    ) -> None:
        both = a_call_told("AAPL"), a_call_told("MSFT")
        put_entities(
            an_alert(channel.id, *both, occurred_at=f"2024-05-01T00:00:{second}.000Z")
            for second in range(10, 60)
            for _ in range(12)
        )
        for path in ("/api/feed.atom", f"/api/channels/{channel.id}/feed.atom"):
            requests_made.clear()

            assert len(entries(call("GET", path).text)) == 100
            assert requests_made.total() == 2

    def test_are_not_sent_again_to_a_reader_that_has_them(self, channel: Channel) -> None:
        put_entities([an_alert(channel.id)])
        first = call("GET", "/api/feed.atom")
        tag = first.headers["etag"]

        same = [
            call("GET", "/api/feed.atom", headers={"If-None-Match": known})
            for known in (tag, tag.removeprefix("W/"), f'"other", {tag}', "*")
        ]
        put_entities([an_alert(channel.id)])
        changed = call("GET", "/api/feed.atom", headers={"If-None-Match": tag})

        assert [(each.status, each.content, each.headers["etag"]) for each in same] == [(304, b"", tag)] * 4
        assert changed.status == 200
        assert changed.headers["etag"] != tag

    def test_are_compressed_where_the_reader_accepts_it(self, channel: Channel) -> None:
        put_entities(an_alert(channel.id) for _ in range(20))

        response = call("GET", "/api/feed.atom", headers={"Accept-Encoding": "gzip"})

        assert response.headers["content-encoding"] == "gzip"
        assert len(entries(response.text)) == 20

    def test_behind_cloudfront_do_not_name_an_address_that_is_not_for_callers(
        self, channel: Channel, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("ORIGIN_SECRET_ID", "its-id")
        monkeypatch.setattr("functions.runtime.http.origin_secret.read_secret", lambda secret_id, region: "secret")
        settings.cache_clear()

        feed = call("GET", "/api/feed.atom", headers={"X-Origin-Verify": "secret"}).text

        assert 'rel="self" type="application/atom+xml" href="/api/feed.atom"' in feed
        assert "execute-api" not in feed

    @pytest.mark.parametrize("channel_id", ["x", "00000000-0000-4000-8000-000000000000"])
    def test_of_an_unknown_channel_are_not_found(self, tables: str, channel_id: str) -> None:
        response = call("GET", f"/api/channels/{channel_id}/feed.atom")

        assert (response.status, response.json()) == (404, {"detail": "Channel not found"})
