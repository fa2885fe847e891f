"""Channels and uploads as the YouTube Data API v3 tells them."""

from datetime import UTC, date, datetime

import pytest

from functions.record.sources.protocols import ChannelInfo, VideoInfo
from functions.record.sources.youtube import YouTubeVideos
from functions.runtime.provider_errors import Blocked, NotFound, Refused, Unavailable
from tests.live_responses import IMPATIENT, channel, google_error, listing, upload
from tests.stub import Request, Response, Stub, json_response

SINCE = date(2025, 1, 10)


def videos(stub: Stub) -> YouTubeVideos:
    return YouTubeVideos("key", stub.url, limits=IMPATIENT)


def ids(stub: Stub, since: date = SINCE) -> list[str]:
    stub.on("/channels", listing(channel()))
    return [video.youtube_video_id for video in videos(stub).published_since("UCabc", since)]


@pytest.mark.parametrize(
    ("identifier", "parameter", "value"),
    [
        ("handle:moneytalks", "forHandle", "moneytalks"),
        ("channel_id:UCabc", "id", "UCabc"),
        ("user:MoneyTalks", "forUsername", "MoneyTalks"),
    ],
)
def test_each_identifier_has_its_parameter(stub: Stub, identifier: str, parameter: str, value: str) -> None:
    stub.on("/channels", listing(channel()))

    found = videos(stub).resolve(identifier)

    assert found == ChannelInfo("UCabc", "Money Talks", "https://pictures.example/88.jpg")
    assert stub.requests[0].query[parameter] == value
    assert stub.requests[0].headers["x-goog-api-key"] == "key"
    assert "key" not in stub.requests[0].query


@pytest.mark.parametrize("identifier", ["handle:nobody", "user:nobody", "handle:", "nobody", "playlist:PL1", ""])
def test_what_names_no_channel_is_not_found(stub: Stub, identifier: str) -> None:
    stub.on("/channels", json_response({"kind": "youtube#channelListResponse", "pageInfo": {"totalResults": 0}}))

    with pytest.raises(NotFound):
        videos(stub).resolve(identifier)


def test_a_channel_may_have_no_picture(stub: Stub) -> None:
    stub.on("/channels", listing(channel(thumbnails={})))

    assert videos(stub).resolve("channel_id:UCabc").thumbnail_url is None


def by_parameter(**responses: Response) -> object:
    def choose(request: Request) -> Response:
        return next((response for name, response in responses.items() if name in request.query), listing())

    return choose


def test_a_custom_name_is_tried_as_a_handle_and_then_as_a_user(stub: Stub) -> None:
    stub.on("/channels", by_parameter(forUsername=listing(channel(id="UCuser"))))  # type: ignore[arg-type]

    found = videos(stub).resolve("custom:MoneyTalks")

    assert found.youtube_channel_id == "UCuser"
    assert [sorted(request.query) for request in stub.requests] == [["forHandle", "part"], ["forUsername", "part"]]


def test_a_custom_name_is_searched_for_last_and_must_match_exactly(stub: Stub) -> None:
    hits = [{"id": {"kind": "youtube#channel", "channelId": id}} for id in ("UCother", "UCright")]
    stub.on("/search", listing(*hits))
    candidates = [channel("UCother", customUrl="@moneytalks2"), channel("UCright", customUrl="@moneytalks")]
    stub.on("/channels", by_parameter(id=listing(*candidates)))  # type: ignore[arg-type]

    found = videos(stub).resolve("custom:MoneyTalks")

    assert found.youtube_channel_id == "UCright"
    assert stub.requests[-1].query["id"] == "UCother,UCright"


@pytest.mark.parametrize("hits", [[], [{"id": {"kind": "youtube#channel", "channelId": "UCother"}}]])
def test_a_search_that_only_comes_near_is_not_found(stub: Stub, hits: list[dict[str, object]]) -> None:
    stub.on("/search", listing(*hits))
    stub.on("/channels", by_parameter(id=listing(channel("UCother", customUrl="@moneytalks2"))))  # type: ignore[arg-type]

    with pytest.raises(NotFound):
        videos(stub).resolve("custom:MoneyTalks")


def test_videos_come_with_their_title_and_the_time_they_were_published(stub: Stub) -> None:
    stub.on("/channels", listing(channel()))
    stub.on("/playlistItems", listing(upload("v1", "2025-01-15T23:30:00Z", "Three stocks")))

    found = list(videos(stub).published_since("UCabc", SINCE))

    published_time = datetime(2025, 1, 15, 23, 30, tzinfo=UTC)
    assert found == [VideoInfo("v1", "Three stocks", date(2025, 1, 15), published_time)]
    query = stub.requests[-1].query
    assert query == {"part": "snippet,contentDetails", "playlistId": "UUabc", "maxResults": "50"}


@pytest.mark.parametrize(
    ("published_at", "day"),
    [
        ("2025-01-15T04:59:59Z", date(2025, 1, 14)),
        ("2025-01-15T05:00:00Z", date(2025, 1, 15)),
        ("2025-07-15T03:59:59Z", date(2025, 7, 14)),
        ("2025-07-15T04:00:00Z", date(2025, 7, 15)),
    ],
)
def test_the_day_of_a_video_is_new_yorks_in_winter_and_summer(stub: Stub, published_at: str, day: date) -> None:
    stub.on("/channels", listing(channel()))
    stub.on("/playlistItems", listing(upload("v1", published_at)))

    (found,) = videos(stub).published_since("UCabc", SINCE)

    assert found.published_at == day


def test_the_first_day_requested_is_new_yorks(stub: Stub) -> None:
    evening, morning = upload("evening", "2025-01-10T04:59:00Z"), upload("morning", "2025-01-10T05:01:00Z")
    stub.on("/playlistItems", listing(morning, evening))

    assert ids(stub, since=date(2025, 1, 10)) == ["morning"]


def test_every_page_is_read_until_one_is_wholly_older(stub: Stub) -> None:
    stub.on(
        "/playlistItems",
        listing(upload("v3", "2025-01-20T00:00:00Z"), next_page="p2"),
        listing(upload("v2", "2025-01-10T05:00:00Z"), upload("v1", "2025-01-10T04:59:59Z"), next_page="p3"),
        listing(upload("v0", "2024-12-01T00:00:00Z"), next_page="p4"),
    )

    assert ids(stub) == ["v3", "v2"]
    assert [request.query.get("pageToken") for request in stub.requests[1:]] == [None, "p2", "p3"]


def test_the_newest_cost_two_requests_where_the_first_page_reaches_back_far_enough(stub: Stub) -> None:
    stub.on("/channels", listing(channel()))
    stub.on(
        "/playlistItems",
        listing(upload("v2", "2025-01-20T00:00:00Z"), upload("v1", "2024-12-01T00:00:00Z"), next_page="p2"),
    )

    info, found = videos(stub).newest("UCabc", SINCE)

    assert (info.youtube_channel_id, [video.youtube_video_id for video in found]) == ("UCabc", ["v2"])
    assert [request.path for request in stub.requests] == ["/channels", "/playlistItems"]


def test_the_newest_go_on_as_long_as_a_page_is_wholly_new(stub: Stub) -> None:
    stub.on("/channels", listing(channel()))
    stub.on(
        "/playlistItems",
        listing(upload("v3", "2025-01-20T00:00:00Z"), next_page="p2"),
        listing(upload("v2", "2025-01-19T00:00:00Z"), upload("v0", "2024-12-01T00:00:00Z"), next_page="p3"),
    )

    _, found = videos(stub).newest("UCabc", SINCE)

    assert [video.youtube_video_id for video in found] == ["v3", "v2"]
    assert len(stub.requests) == 3


def test_the_newest_of_a_channel_that_is_gone_are_not_found(stub: Stub) -> None:
    stub.on("/channels", listing())

    with pytest.raises(NotFound):
        videos(stub).newest("UCabc", SINCE)


def test_uploads_out_of_order_are_all_found_and_put_in_order(stub: Stub) -> None:
    stub.on(
        "/playlistItems",
        listing(upload("old", "2024-01-01T00:00:00Z"), upload("v1", "2025-01-11T00:00:00Z"), next_page="p2"),
        listing(upload("v3", "2025-01-13T00:00:00Z"), upload("v2", "2025-01-12T00:00:00Z")),
    )

    assert ids(stub) == ["v3", "v2", "v1"]


def test_private_and_deleted_videos_are_passed_over(stub: Stub) -> None:
    stand_in = upload("gone2", "2025-01-20T00:00:00Z", "Deleted video")
    stand_in["snippet"]["thumbnails"] = {}
    stub.on(
        "/playlistItems",
        listing(upload("gone1", None, "Private video"), stand_in, next_page="p2"),
        listing(upload("v1", "2025-01-11T00:00:00Z", "Private video")),
    )

    assert ids(stub) == ["v1"]


def test_a_page_token_that_comes_again_ends_the_list(stub: Stub) -> None:
    stub.on("/playlistItems", listing(upload("v1", "2025-01-11T00:00:00Z"), next_page="again"))

    assert ids(stub) == ["v1"]
    assert len(stub.requests) == 3


def test_a_channel_without_a_video_has_no_playlist_and_no_videos(stub: Stub) -> None:
    stub.on("/playlistItems", google_error(404, "playlistNotFound"))

    assert ids(stub) == []


def test_the_videos_of_an_unknown_channel_are_not_found(stub: Stub) -> None:
    stub.on("/channels", json_response({"kind": "youtube#channelListResponse"}))

    with pytest.raises(NotFound):
        videos(stub).published_since("UCnone", SINCE)


@pytest.mark.parametrize(
    ("response", "error", "words"),
    [
        (google_error(403, "quotaExceeded"), Refused, "daily quota"),
        (google_error(403, "dailyLimitExceeded"), Refused, "daily quota"),
        (
            google_error(
                429, "rateLimitExceeded", reason="RATE_LIMIT_EXCEEDED", metadata={"quota_unit": "1/d/{project}"}
            ),
            Refused,
            "daily quota",
        ),
        (google_error(403, "rateLimitExceeded"), Unavailable, "slow down"),
        (google_error(400, "keyInvalid"), Refused, "check YOUTUBE_API_KEY"),
        (google_error(400, "badRequest", reason="API_KEY_INVALID"), Refused, "check YOUTUBE_API_KEY"),
        (google_error(403, "accessNotConfigured"), Refused, "not enabled"),
        (google_error(403, "forbidden"), Refused, "restrictions"),
        (google_error(400, "invalidPageToken"), Refused, "HTTP 400"),
        (json_response({"error": "plain"}, 403), Blocked, "HTTP 403"),
    ],
)
def test_a_refusal_says_what_to_do_about_it(stub: Stub, response: Response, error: type[Exception], words: str) -> None:
    stub.on("/channels", response)

    with pytest.raises(error, match=words) as raised:
        videos(stub).resolve("handle:moneytalks")

    assert type(raised.value) is error


@pytest.mark.parametrize("body", [[], {"items": {}}, {"items": [{}]}, {"items": [{"id": "UC1", "snippet": None}]}])
def test_a_response_of_another_shape_is_a_transient_error(stub: Stub, body: object) -> None:
    stub.on("/channels", json_response(body))

    with pytest.raises(Unavailable, match="format"):
        videos(stub).resolve("handle:moneytalks")


@pytest.mark.parametrize(
    "item", [{}, upload("v1", "soon"), upload("v1", "2025-01-15T23:30:00"), upload("v1", "0001-01-01T00:00:00Z")]
)
def test_uploads_of_another_shape_are_a_transient_error(stub: Stub, item: dict[str, object]) -> None:
    stub.on("/playlistItems", listing(item))

    with pytest.raises(Unavailable, match="format"):
        ids(stub)
