"""Channels and their videos from the YouTube Data API v3."""

from collections.abc import Callable, Iterable, Iterator
from datetime import date, datetime
from typing import Any

from functions.record.sources.protocols import ChannelInfo, VideoInfo
from functions.runtime.http.json_client import JsonClient, RateLimit, documented_shape
from functions.runtime.http.outbound import Limits
from functions.runtime.new_york import market_day
from functions.runtime.provider_errors import Nonsense, NotFound, ProviderError, Refused, Unavailable

BASE_URL = "https://www.googleapis.com/youtube/v3"
PAGE = 50
MAX_PAGES = 400
"""An uploads playlist holds at most 20,000 videos."""

HIDDEN = ("Private video", "Deleted video")

QUOTA = frozenset({"quotaExceeded", "dailyLimitExceeded", "dailyLimitExceededUnreg"})
TOO_FAST = frozenset({"rateLimitExceeded", "userRateLimitExceeded", "RATE_LIMIT_EXCEEDED"})
WRONG_KEY = frozenset({"keyInvalid", "keyExpired", "API_KEY_INVALID"})
NOT_ENABLED = frozenset({"accessNotConfigured", "SERVICE_DISABLED"})
RESTRICTED = frozenset({"forbidden", "ipRefererBlocked", "API_KEY_SERVICE_BLOCKED", "API_KEY_IP_ADDRESS_BLOCKED"})


class YouTubeVideos:
    def __init__(
        self,
        api_key: str,
        base_url: str = BASE_URL,
        *,
        limits: Limits | None = None,
        rate: RateLimit | None = None,
    ) -> None:
        self._base_url = base_url
        self._client = JsonClient(
            "YouTube", headers={"X-Goog-Api-Key": api_key}, limits=limits, rate=rate, explain=_explain
        )

    def resolve(self, identifier: str) -> ChannelInfo:
        kind, _, value = identifier.partition(":")
        channel = self._find(kind, value) if value else None
        if channel is None:
            raise NotFound(f"YouTube has no channel {identifier}.")
        return _channel_info(channel)

    def published_since(self, youtube_channel_id: str, since: date) -> Iterator[VideoInfo]:
        channel = self._channel_with_playlist(youtube_channel_id, "contentDetails")
        # Uploads come newest first, but not strictly (premieres, videos made public later): one older video does not
        # end the list, a whole page of them does.
        return self._uploads_since(channel, since, is_last=all)

    def newest(self, youtube_channel_id: str, since: date) -> tuple[ChannelInfo, Iterator[VideoInfo]]:
        # A channel costs one quota unit however many parts are requested, as does a page of uploads.
        channel = self._channel_with_playlist(youtube_channel_id, "snippet,contentDetails")
        return _channel_info(channel), self._uploads_since(channel, since, is_last=any)

    def _uploads_since(
        self, channel: dict[str, Any], since: date, is_last: Callable[[Iterable[bool]], bool]
    ) -> Iterator[VideoInfo]:
        """`is_last` decides, from which videos of a page are older, if it is the last page to read."""
        with documented_shape("YouTube"):
            playlist = str(channel["contentDetails"]["relatedPlaylists"]["uploads"])
        found: dict[str, tuple[datetime, VideoInfo]] = {}
        for page in self._upload_pages(playlist):
            dated = _dated_videos(page)
            found |= {video.youtube_video_id: (at, video) for at, video in dated if video.published_at >= since}
            if dated and is_last(video.published_at < since for _, video in dated):
                break
        newest_first = sorted(found.values(), key=lambda entry: entry[0], reverse=True)
        return iter([video for _, video in newest_first])

    def _find(self, kind: str, value: str) -> dict[str, Any] | None:
        match kind:
            case "handle":
                return self._channel(forHandle=value)
            case "channel_id":
                return self._channel(id=value)
            case "user":
                return self._channel(forUsername=value)
            case "custom":
                return self._channel(forHandle=value) or self._channel(forUsername=value) or self._searched(value)
        return None

    def _channel(self, **filters: str) -> dict[str, Any] | None:
        return next(iter(self._channels(**filters)), None)

    def _channels(self, part: str = "snippet", **filters: str) -> list[dict[str, Any]]:
        return self._items("channels", {"part": part, **filters})

    def _searched(self, custom: str) -> dict[str, Any] | None:
        """The API has no filter for legacy `/c/…` names, and a search is fuzzy, so only an exact match counts."""
        hits = self._items("search", {"part": "snippet", "type": "channel", "maxResults": "10", "q": custom})
        with documented_shape("YouTube"):
            ids = ",".join(hit["id"]["channelId"] for hit in hits)
        candidates = self._channels(id=ids) if ids else []
        with documented_shape("YouTube"):
            return next((channel for channel in candidates if _custom_name(channel) == custom.casefold()), None)

    def _channel_with_playlist(self, youtube_channel_id: str, part: str) -> dict[str, Any]:
        channels = self._channels(part=part, id=youtube_channel_id)
        if not channels:
            raise NotFound(f"YouTube has no channel {youtube_channel_id}.")
        return channels[0]

    def _upload_pages(self, playlist: str) -> Iterator[list[dict[str, Any]]]:
        query = {"part": "snippet,contentDetails", "playlistId": playlist, "maxResults": str(PAGE)}
        tokens: list[str] = []
        while len(tokens) < MAX_PAGES:
            try:
                page = self._list("playlistItems", query | ({"pageToken": tokens[-1]} if tokens else {}))
            except NotFound:
                # YouTube creates the uploads playlist with the first video, so a channel without videos has none.
                return
            yield page.get("items", [])
            token = page.get("nextPageToken")
            if not token or token in tokens:
                return
            tokens.append(token)

    def _items(self, resource: str, query: dict[str, str]) -> list[dict[str, Any]]:
        items: list[dict[str, Any]] = self._list(resource, query).get("items", [])
        return items

    def _list(self, resource: str, query: dict[str, str]) -> dict[str, Any]:
        response = self._client.get_json(f"{self._base_url}/{resource}", query)
        if not isinstance(response, dict) or not isinstance(response.get("items", []), list):
            raise Nonsense("YouTube sent a response in an undocumented format.")
        return response


def _channel_info(channel: dict[str, Any]) -> ChannelInfo:
    with documented_shape("YouTube"):
        snippet = channel["snippet"]
        return ChannelInfo(channel["id"], snippet["title"], _thumbnail(snippet.get("thumbnails", {})))


def _dated_videos(items: list[dict[str, Any]]) -> list[tuple[datetime, VideoInfo]]:
    with documented_shape("YouTube"):
        return [_dated_video(item) for item in items if not _hidden(item)]


def _dated_video(item: dict[str, Any]) -> tuple[datetime, VideoInfo]:
    details = item["contentDetails"]
    published = datetime.fromisoformat(details["videoPublishedAt"])
    if published.tzinfo is None:
        raise ValueError("a timestamp without a zone")
    return published, VideoInfo(details["videoId"], item["snippet"]["title"], market_day(published), published)


def _hidden(item: dict[str, Any]) -> bool:
    """Private and deleted videos stay in the playlist, without a date, or with a placeholder title and no thumbnail."""
    snippet = item["snippet"]
    return "videoPublishedAt" not in item["contentDetails"] or (
        snippet["title"] in HIDDEN and not snippet.get("thumbnails")
    )


def _custom_name(channel: dict[str, Any]) -> str:
    return str(channel["snippet"].get("customUrl", "")).removeprefix("@").casefold()


def _thumbnail(thumbnails: dict[str, Any]) -> str | None:
    return next((thumbnails[size]["url"] for size in ("medium", "high", "default") if size in thumbnails), None)


def _explain(status: int, body: Any) -> ProviderError | None:
    error = body["error"]
    details = error.get("details", [])
    reasons = {entry.get("reason") for entry in [*error.get("errors", []), *details]}
    if reasons & QUOTA or (reasons & TOO_FAST and any(_counts_days(detail) for detail in details)):
        return Refused("YouTube's daily quota for this key is used up; it is renewed at midnight Pacific time.")
    if reasons & TOO_FAST:
        return Unavailable("YouTube asks us to slow down.")
    if reasons & WRONG_KEY:
        return Refused("YouTube does not know this key: check YOUTUBE_API_KEY.")
    if reasons & NOT_ENABLED:
        return Refused("The YouTube Data API v3 is not enabled in the project that YOUTUBE_API_KEY belongs to.")
    if reasons & RESTRICTED:
        return Refused("YouTube forbids this request: check the restrictions on YOUTUBE_API_KEY.")
    return None


def _counts_days(detail: dict[str, Any]) -> bool:
    """Google reports some daily limits as rate limits whose unit is a day."""
    return str(detail.get("metadata", {}).get("quota_unit", "")).startswith("1/d")
