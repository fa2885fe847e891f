"""The list of a channel's videos, and the file that is handed in as the body of a request."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from functions.reading.transcripts import MAX_BYTES
from functions.record.models.records import Channel, Video
from functions.record.store.channels import channel_by_id
from functions.record.store.kept_transcripts import kept_transcript
from functions.record.store.uploads import unread_of_video
from functions.record.store.videos import videos_of_channel
from functions.runtime.dispatch import ReadTranscript
from functions.runtime.settings import settings
from local.entities import put_entities
from tests.builders import a_channel, a_mention, a_video, in_a_run
from tests.events import Response, call
from tests.fakes import RecordingDispatcher
from tests.seeds import a_finished_channel

WORDS = "Ich würde Apple kaufen — that is: buy Apple."


@pytest.fixture
def channel(tables: str, kept_transcripts: Path) -> Channel:
    return a_finished_channel([("2024-03-01", ("AAPL", "MSFT"))])


@pytest.fixture
def video(channel: Channel) -> Video:
    return videos_of_channel(channel.id)[0]


def put(video: Video, body: str | bytes | None, **headers: str) -> Response:
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    return call("PUT", f"/api/channels/{video.channel_id}/videos/{video.id}/transcript", body=body, headers=sent)


def listed(channel: Channel, query: str = "") -> dict[str, Any]:
    response = call("GET", f"/api/channels/{channel.id}/videos", query=query)
    assert response.status == 200, response.text
    page: dict[str, Any] = response.json()
    return page


class TestHandingIn:
    @pytest.mark.parametrize(
        "body",
        [
            WORDS,
            WORDS.encode(),
            WORDS.encode("utf-8-sig"),
            WORDS.encode("utf-16"),
            WORDS.encode("utf-16-be"),
            WORDS.replace("—", "-").encode("latin-1"),
        ],
        ids=["text", "utf-8", "with a mark", "utf-16", "utf-16 without a mark", "latin-1"],
    )
    def test_the_words_arrive_as_they_were_written(
        self, video: Video, dispatched: RecordingDispatcher, body: str | bytes
    ) -> None:
        response = put(video, body, content_type="text/plain")

        assert response.status == 202, response.text
        assert response.json()["id"] == video.id
        kept = kept_transcript(video.channel_id, video.id)
        assert kept
        assert kept.text.replace("—", "-") == WORDS.replace("—", "-")
        assert dispatched.jobs == [ReadTranscript(video.channel_id, video.id)]

    @pytest.mark.parametrize(
        "content_type",
        ["text/plain; charset=utf-8", "Text/VTT", "text/srt", "application/x-subrip", "application/octet-stream", ""],
    )
    def test_it_may_be_called_what_a_transcript_is(self, video: Video, content_type: str) -> None:
        assert put(video, WORDS.encode(), **({"content_type": content_type} if content_type else {})).status == 202

    @pytest.mark.parametrize(
        "content_type", ["application/json", "application/zip", "multipart/form-data; boundary=x", "text/html"]
    )
    def test_another_type_is_refused(self, video: Video, content_type: str) -> None:
        response = put(video, WORDS, content_type=content_type)

        assert response.status == 415
        assert response.json() == {
            "detail": "Send the transcript as text/plain, text/vtt, text/srt or application/octet-stream"
        }
        assert unread_of_video(video.channel_id, video.id) is None

    def test_a_zip_is_refused_whatever_it_is_called(self, video: Video) -> None:
        response = put(video, b"PK\x03\x04\x14\x00\x08\x08\x00\x00", content_type="text/plain")

        assert response.status == 415
        assert isinstance(response.json()["detail"], str)

    @pytest.mark.parametrize("body", [None, b" \r\n", "1\n00:00:01,000 --> 00:00:02,000\n\n"])
    def test_one_without_words_is_invalid(self, video: Video, body: str | bytes | None) -> None:
        response = put(video, body)

        assert response.status == 422
        assert response.json() == {
            "detail": [
                {"type": "value_error", "loc": ["body"], "msg": "There are no words in this transcript.", "input": None}
            ]
        }

    def test_five_million_bytes_are_taken_and_one_more_is_not(self, video: Video) -> None:
        words = b"buy Apple " * (MAX_BYTES // 10)

        assert put(video, words).status == 202
        refused = put(video, words + b".")

        assert (refused.status, refused.json()) == (413, {"detail": "This file is larger than 5 MB"})

    def test_nothing_is_taken_during_a_run(self, kept_transcripts: Path, tables: str) -> None:
        _, (video,) = in_a_run(a_channel(), videos=1)

        response = put(video, WORDS)

        assert response.status == 409
        assert response.json() == {"detail": "The channel is being processed; try again when it has finished"}

    def test_what_is_not_there_is_not_found(self, video: Video) -> None:
        elsewhere = a_video(a_channel().id)
        other = replace(video, id="no-such-video")

        assert (put(elsewhere, WORDS).status, put(elsewhere, WORDS).json()) == (404, {"detail": "Channel not found"})
        assert (put(other, WORDS).status, put(other, WORDS).json()) == (404, {"detail": "Video not found"})

    def test_repeating_it_is_harmless(self, video: Video) -> None:
        first = put(video, WORDS)
        second = put(video, WORDS)

        assert first.json() == second.json()

    def test_it_is_told_who_handed_it_in(self, video: Video) -> None:
        put(video, WORDS)

        noted = unread_of_video(video.channel_id, video.id)
        assert noted
        assert noted.handed_in_by == "local"


class TestBrowsers:
    @pytest.fixture(autouse=True)
    def checked(self, channel: Channel, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("CHECK_BROWSERS", "true")
        settings.cache_clear()

    @pytest.mark.parametrize(
        "headers", [{"origin": "https://evil.example"}, {"origin": "null"}, {"sec_fetch_site": "cross-site"}], ids=str
    )
    def test_another_page_hands_nothing_in(self, video: Video, headers: dict[str, str]) -> None:
        response = put(video, WORDS, content_type="text/plain", **headers)

        assert response.status == 403
        assert unread_of_video(video.channel_id, video.id) is None

    def test_a_page_of_ours_sends_a_file_as_what_it_is(self, video: Video) -> None:
        response = put(video, WORDS, content_type="text/vtt", origin="http://localhost:5173")

        assert response.status == 202
        assert response.headers["access-control-allow-origin"] == "http://localhost:5173"

    def test_a_preflight_allows_it(self, video: Video) -> None:
        response = call(
            "OPTIONS",
            f"/api/channels/{video.channel_id}/videos/{video.id}/transcript",
            headers={"origin": "http://localhost:5173", "access-control-request-method": "PUT"},
        )

        assert "PUT" in response.headers["access-control-allow-methods"]


class TestListing:
    @pytest.fixture
    def videos(self, channel: Channel) -> list[Video]:
        """Newest first: a pending one, one that failed, one without captions that is gone, one of a later hour."""
        others = [
            a_video(channel.id, "pending0000", published_at="2024-05-01"),
            a_video(
                channel.id,
                "failed00000",
                published_at="2024-04-01",
                transcript_status="failed",
                analysis_status="failed",
            ),
            a_video(
                channel.id,
                "removed0000",
                published_at="2024-03-01",
                published_time="2024-03-01T15:00:00.000Z",
                transcript_status="unavailable",
                analysis_status="skipped",
                problem="It has no captions.",
                removed_at="2024-06-01T00:00:00.000Z",
            ),
        ]
        put_entities(others)
        read = videos_of_channel(channel.id)
        return sorted(read, key=lambda video: video.timeline_position, reverse=True)

    def test_every_video_comes_newest_first_with_what_is_known_of_it(
        self, channel: Channel, videos: list[Video]
    ) -> None:
        page = listed(channel)

        assert [item["id"] for item in page["items"]] == [video.id for video in videos]
        assert page["nextToken"] is None
        by_status = {item["transcript_status"]: item for item in page["items"]}
        fetched, unavailable = by_status["fetched"], by_status["unavailable"]
        assert (fetched["mentions"], fetched["calls"], fetched["transcript_kept"]) == (2, 2, False)
        assert (unavailable["problem"], unavailable["mentions"]) == ("It has no captions.", 0)
        assert unavailable["removed_at"] == "2024-06-01T00:00:00.000Z"

    @pytest.mark.parametrize(
        ("status", "number"),
        [("pending", 1), ("fetched", 1), ("unavailable", 1), ("failed", 1), ("missing", 2), ("removed", 1)],
    )
    def test_they_are_filtered_by_status(self, channel: Channel, videos: list[Video], status: str, number: int) -> None:
        assert len(listed(channel, f"status={status}")["items"]) == number

    def test_pages_follow_each_other(self, channel: Channel, videos: list[Video]) -> None:
        found: list[str] = []
        query = "limit=1"
        while query:
            page = listed(channel, query)
            found += [item["id"] for item in page["items"]]
            query = f"limit=1&nextToken={page['nextToken']}" if page["nextToken"] else ""

        assert found == [video.id for video in videos]

    def test_a_rejected_mention_counts_nowhere(self, channel: Channel, video: Video) -> None:
        kept, rejected = a_mention(video, "AAPL"), a_mention(video, "MSFT", review="rejected")
        put_entities([replace(video, calls=(kept, rejected))])

        (item,) = listed(channel)["items"]

        assert (item["mentions"], item["calls"]) == (1, 1)

    def test_bad_questions_are_refused(self, channel: Channel) -> None:
        path = f"/api/channels/{channel.id}/videos"

        assert call("GET", path, query="status=lost").status == 422
        assert call("GET", path, query="limit=101").status == 422
        assert call("GET", path, query="nextToken=AAAA").status == 400
        assert call("GET", f"/api/channels/{a_channel().id}/videos").status == 404

    def test_a_channel_that_is_being_deleted_is_not_found(self, channel: Channel) -> None:
        stored = channel_by_id(channel.id)
        assert stored
        put_entities([replace(stored, deleting=True)])

        assert call("GET", f"/api/channels/{channel.id}/videos").status == 404
