"""Channels: adding, processing and deleting them, and what they said."""

from datetime import date, datetime
from typing import Literal

from stock_track_record_client.models import (
    Backfill,
    Change,
    ChangesPage,
    Channel,
    ChannelsPage,
    ChannelStocks,
    ChannelVideo,
    ChannelVideosPage,
    CheckEvery,
    Log,
    LogsPage,
    Mention,
    NoVideos,
    Prices,
    SearchResults,
    Sentiment,
    StockMentions,
    TimelineEntry,
    TimelinePage,
)
from stock_track_record_client.pages import Pages
from stock_track_record_client.routes import Routes
from stock_track_record_client.waiting import wait_until

VideoStatus = Literal["pending", "fetched", "unavailable", "failed", "missing", "removed"]
UNDER_WAY = ("pending", "processing")


class ChannelRoutes(Routes):
    def channels(self) -> Pages[ChannelsPage, Channel]:
        """Newest first."""
        return self._list(ChannelsPage, Channel, "channels")

    def channel(self, channel_id: str, *, strong: bool = False) -> Channel:
        """Eventually consistent, or with `strong` consistent."""
        return self._get(Channel, "channels", channel_id, strong=strong or None)

    def add_channel(self, url: str, *, time_range_months: int = 12) -> Channel:
        """Adds a channel and starts its first run. An existing one is a 400, whose `location` is its path."""
        body = {"url": url, "time_range_months": time_range_months}
        return self._post(Channel, "channels", body=body)

    def change_channel(
        self, channel_id: str, *, check_every: CheckEvery | None = None, time_range_months: int | None = None
    ) -> Channel:
        """Changes what is given."""
        given = {"check_every": check_every, "time_range_months": time_range_months}
        body = {name: value for name, value in given.items() if value is not None}
        return self._patch(Channel, "channels", channel_id, body=body)

    def delete_channel(self, channel_id: str) -> None:
        self._delete("channels", channel_id)

    def process(self, channel_id: str, *, reread: bool = False) -> Channel:
        """Starts a run that looks for new videos or, with `reread`, analyses the stored transcripts again."""
        return self._post(Channel, "channels", channel_id, "process", body={"reread": reread})

    def cancel(self, channel_id: str) -> Channel:
        """Cancels the run that is under way."""
        return self._post(Channel, "channels", channel_id, "cancel")

    def wait_until_processed(self, channel_id: str, *, timeout: float = 3600.0) -> Channel:
        """The channel once no run is under way: completed, failed or cancelled."""
        return wait_until(
            lambda channel: channel["status"] not in UNDER_WAY,
            lambda: self.channel(channel_id, strong=True),
            timeout,
        )

    def logs(self, channel_id: str, *, since: datetime | None = None) -> Pages[LogsPage, Log]:
        """Oldest first, `since` included."""
        timestamp = since.isoformat() if since else None
        return self._list(LogsPage, Log, "channels", channel_id, "logs", since=timestamp)

    def timeline(
        self,
        channel_id: str,
        *,
        before: date | None = None,
        ticker: str | None = None,
        sentiment: Sentiment | None = None,
    ) -> Pages[TimelinePage, TimelineEntry]:
        """Videos that mention stocks, newest first."""
        day = before.isoformat() if before else None
        return self._list(
            TimelinePage,
            TimelineEntry,
            "channels",
            channel_id,
            "timeline",
            before=day,
            ticker=ticker,
            sentiment=sentiment,
        )

    def stocks(self, channel_id: str) -> ChannelStocks:
        """The channel's mentions by stock, most mentioned first."""
        return self._get(ChannelStocks, "channels", channel_id, "stocks")

    def stocks_csv(self, channel_id: str) -> str:
        """The same as a CSV file."""
        return self._get_csv("channels", channel_id, "stocks")

    def mentions(self, channel_id: str, ticker: str) -> list[Mention]:
        """The channel's mentions of one stock, newest first."""
        return self._get(StockMentions, "channels", channel_id, "stocks", ticker)["mentions"]

    def videos(self, channel_id: str, *, status: VideoStatus | None = None) -> Pages[ChannelVideosPage, ChannelVideo]:
        return self._list(ChannelVideosPage, ChannelVideo, "channels", channel_id, "videos", status=status)

    def hand_in_transcript(self, channel_id: str, video_id: str, transcript: str | bytes) -> ChannelVideo:
        """Has a video read from plain text, SRT or WebVTT of at most 5 MB."""
        content = transcript.encode() if isinstance(transcript, str) else transcript
        return self._put_file(ChannelVideo, content, "channels", channel_id, "videos", video_id, "transcript")

    def changes(self, channel_id: str) -> Pages[ChangesPage, Change]:
        """Changes made to the record after the fact, newest first."""
        return self._list(ChangesPage, Change, "channels", channel_id, "changes")

    def refresh_prices(self, channel_id: str) -> Prices:
        return self._post(Prices, "channels", channel_id, "refresh-prices")

    def backfill_prices(self, channel_id: str) -> Backfill | NoVideos:
        """Has the prices fetched that mentions lack."""
        begun: Backfill | NoVideos = self._request("POST", "channels", channel_id, "backfill-prices")
        return begun

    def search(self, text: str) -> SearchResults:
        """Channels and stocks by a part of their names."""
        return self._get(SearchResults, "search", q=text)
