"""The videos of a channel, and transcripts that are handed in over HTTP."""

import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.contract.shapes import CHANNEL_VIDEO, INVALID, has_shape
from tests.contract.steps import DEMO_TO_CHANGE_URL, MAX_WAIT_SECONDS, Channel, channel_of, finished, scored

UNKNOWN = "00000000-0000-4000-8000-000000000000"
EVIL = "https://evil.example"
VTT = "WEBVTT\n\n00:01.000 --> 00:03.000\nI am buying Apple here, it is a strong buy.\n"
SRT = (
    "1\n00:00:05,000 --> 00:00:09,000\nI am buying <b>Apple</b> &amp; holding it, it is a strong buy.\n\n"
    "2\n00:00:02,000 --> 00:00:08,000\nNothing else here.\n\n"
    "3\n-00:00:01,000 --> 00:00:02,000\nThat is all for today.\n"
)

Video = dict[str, Any]


@pytest.fixture
def channel(api: httpx.Client) -> Channel:
    """A demo channel whose videos may be read from something else. Afterwards it is as it was."""
    return finished(api, channel_of(api, DEMO_TO_CHANGE_URL))


@pytest.fixture
def video(api: httpx.Client, channel: Channel) -> Iterator[Video]:
    yield videos_of(api, channel)[0]
    api.delete(f"/api/channels/{channel['id']}")


def videos_of(api: httpx.Client, channel: Channel, **query: Any) -> list[Video]:
    items: list[Video] = []
    token = None
    while True:
        parameters = {"limit": 100, **query, **({"nextToken": token} if token else {})}
        response = api.get(f"/api/channels/{channel['id']}/videos", params=parameters)
        assert response.status_code == 200, response.text
        items += response.json()["items"]
        token = response.json()["nextToken"]
        if token is None:
            return items


def put(api: httpx.Client, video: Video, content: bytes | str, **headers: str) -> httpx.Response:
    sent = {"Content-Type": "text/plain", **{name.replace("_", "-"): value for name, value in headers.items()}}
    path = f"/api/channels/{video['channel_id']}/videos/{video['id']}/transcript"
    return api.put(path, content=content, headers=sent)


def calls_of(api: httpx.Client, video: Video) -> dict[str, tuple[str, int | None]]:
    timeline = api.get(f"/api/channels/{video['channel_id']}/timeline").json()["timeline"]
    said = [entry["mentions"] for entry in timeline if entry["video"]["id"] == video["id"]]
    return {each["ticker"]: (each["sentiment"], each["start_seconds"]) for some in said for each in some}


def read(api: httpx.Client, video: Video, line: str = "transcript handed in") -> str:
    """The line of the log that tells of it."""
    deadline = time.monotonic() + MAX_WAIT_SECONDS
    while True:
        logs = api.get(f"/api/channels/{video['channel_id']}/logs", params={"strong": "true"}).json()["logs"]
        told = [each["message"] for each in logs if line in each["message"] and video["title"] in each["message"]]
        if told:
            return str(told[-1])
        assert time.monotonic() < deadline, logs[-3:]
        time.sleep(0.1)


def test_the_videos_of_a_channel_have_every_field_newest_first(api: httpx.Client, demo: Channel) -> None:
    videos = videos_of(api, demo)

    assert len(videos) == demo["video_count"]
    for video in videos:
        has_shape(video, CHANNEL_VIDEO)
    assert [video["published_at"] for video in videos] == sorted(
        (each["published_at"] for each in videos), reverse=True
    )
    assert [each["id"] for each in videos_of(api, demo, limit=7)] == [each["id"] for each in videos]
    assert any(video["calls"] for video in videos)
    assert all(video["calls"] <= video["mentions"] for video in videos)


def test_what_is_missing_says_why(api: httpx.Client, demo: Channel) -> None:
    missing = videos_of(api, demo, status="missing")
    read_ones = videos_of(api, demo, status="fetched")

    assert len(missing) + len(read_ones) == demo["video_count"]
    assert all(video["problem"] for video in missing)
    assert not any(video["problem"] for video in read_ones)


@pytest.mark.parametrize("query", [{"status": "lost"}, {"limit": 0}, {"limit": 101}])
def test_a_bad_question_is_invalid(api: httpx.Client, demo: Channel, query: dict[str, Any]) -> None:
    response = api.get(f"/api/channels/{demo['id']}/videos", params=query)

    assert response.status_code == 422
    for problem in response.json()["detail"]:
        has_shape(problem, INVALID)


def test_a_token_of_another_list_is_refused(api: httpx.Client, demo: Channel) -> None:
    token = api.get("/api/channels", params={"limit": 1}).json()["nextToken"] or "AAAA"

    assert api.get(f"/api/channels/{demo['id']}/videos", params={"nextToken": token}).status_code == 400
    assert api.get(f"/api/channels/{UNKNOWN}/videos").status_code == 404


def test_a_transcript_that_is_handed_in_becomes_the_record_of_its_video(
    api: httpx.Client, channel: Channel, video: Video
) -> None:
    response = put(api, video, VTT, Content_Type="text/vtt")

    assert response.status_code == 202
    has_shape(response.json(), CHANNEL_VIDEO)
    assert response.json()["id"] == video["id"]
    assert "AAPL buy" in read(api, video)
    assert calls_of(api, video) == {"AAPL": ("buy", 1)}
    after = next(each for each in videos_of(api, channel) if each["id"] == video["id"])
    assert (after["transcript_status"], after["problem"], after["calls"]) == ("fetched", None, 1)
    counted = api.get(f"/api/channels/{channel['id']}").json()
    assert counted["processed_video_count"] == counted["video_count"]
    scored(api, channel)


@pytest.mark.parametrize(
    ("content", "second"),
    [
        (SRT, 5),
        (SRT.encode("utf-16"), 5),
        ("Ich sage: I am buying Apple here, it is a strong buy.".encode("utf-16-le"), None),
        ("Où ? I am buying Apple here, it is a strong buy.".encode("latin-1"), None),
        ("\ufeffI am buying Apple here, it is a strong buy.".encode(), None),
    ],
    ids=["srt", "srt in utf-16", "utf-16 without a mark", "latin-1", "utf-8 with a mark"],
)
def test_any_encoding_and_any_times_are_read(
    api: httpx.Client, video: Video, content: bytes | str, second: int | None
) -> None:
    response = put(api, video, content, Content_Type="application/octet-stream")

    assert response.status_code == 202, response.text
    read(api, video)
    assert calls_of(api, video) == {"AAPL": ("buy", second)}


def test_another_language_is_told(api: httpx.Client, video: Video) -> None:
    put(api, video, "Der Kurs ist gestiegen und wir werden sehen wie es weiter geht mit dieser Aktie. " * 10)

    assert "does not look like English" in read(api, video)


@pytest.mark.parametrize(
    ("content", "content_type", "status"),
    [
        (b"PK\x03\x04\x14\x00\x08\x08\x00\x00", "application/octet-stream", 415),
        (b"PK\x03\x04\x14\x00\x08\x08\x00\x00", "application/zip", 415),
        (b'{"text": "buy Apple"}', "application/json", 415),
        (b"buy Apple", "application/x-www-form-urlencoded", 415),
        (b"", "text/plain", 422),
        (b" \n\t", "text/plain", 422),
        (b"WEBVTT\n\n00:01.000 --> 00:02.000\n\n", "text/vtt", 422),
        (b"a" * 5_000_001, "text/plain", 413),
    ],
    ids=["zip", "zip as such", "json", "form", "empty", "blank", "captions without words", "too large"],
)
def test_what_is_no_transcript_is_refused(
    api: httpx.Client, demo: Channel, content: bytes, content_type: str, status: int
) -> None:
    video = videos_of(api, demo)[0]

    response = put(api, video, content, Content_Type=content_type)

    assert response.status_code == status, response.text
    if status == 422:
        for problem in response.json()["detail"]:
            has_shape(problem, INVALID)
    else:
        assert isinstance(response.json()["detail"], str)
    assert videos_of(api, demo)[0] == video


def test_what_is_not_there_is_not_found(api: httpx.Client, demo: Channel) -> None:
    video = videos_of(api, demo)[0]

    nowhere = put(api, {**video, "channel_id": UNKNOWN}, VTT)
    nothing = put(api, {**video, "id": UNKNOWN}, VTT)

    assert (nowhere.status_code, nowhere.json()) == (404, {"detail": "Channel not found"})
    assert (nothing.status_code, nothing.json()) == (404, {"detail": "Video not found"})


def test_during_a_run_nothing_is_taken(api: httpx.Client, channel: Channel, video: Video) -> None:
    assert api.post(f"/api/channels/{channel['id']}/process").status_code == 200

    response = put(api, video, VTT)

    # A short run may be over by now.
    assert response.status_code in (202, 409)
    if response.status_code == 409:
        assert response.json() == {"detail": "The channel is being processed; try again when it has finished"}
    finished(api, api.get(f"/api/channels/{channel['id']}").json())


def test_a_page_of_another_origin_hands_nothing_in(api: httpx.Client, demo: Channel) -> None:
    video = videos_of(api, demo)[0]
    preflight = api.options(
        f"/api/channels/{demo['id']}/videos/{video['id']}/transcript",
        headers={"Origin": EVIL, "Access-Control-Request-Method": "PUT"},
    )

    assert "access-control-allow-origin" not in preflight.headers
    if "Authorization" not in api.headers:
        assert put(api, video, VTT, Origin=EVIL).status_code == 403
        assert videos_of(api, demo)[0] == video
