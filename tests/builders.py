"""Entities for tests, with defaults for what a test does not set."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any
from uuid import uuid4

from functions.news.incoming import IncomingNews
from functions.news.models import NewsItem, SourceType
from functions.record.models.alerts import Alert
from functions.record.models.records import AnalysisStatus, Channel, LogLevel, StockMention, TranscriptStatus, Video
from functions.record.store import runs
from functions.record.store.channels import create_channel
from functions.runtime import ids
from functions.runtime.clock import now


def a_channel(name: str | None = None, **changes: Any) -> Channel:
    name = name or uuid4().hex
    created = now()
    defaults: dict[str, Any] = {
        "id": ids.new_channel_id(),
        "youtube_channel_id": f"handle:{name}",
        "name": name,
        "url": f"https://www.youtube.com/@{name}",
        "created_at": created,
        "updated_at": created,
        "time_range_months": 12,
    }
    values = defaults | changes
    return Channel(**({"guards": (values["youtube_channel_id"],)} | values))


def a_video(channel_id: str, youtube_video_id: str = "video000001", **changes: Any) -> Video:
    defaults: dict[str, Any] = {
        "id": ids.video_id(channel_id, youtube_video_id),
        "channel_id": channel_id,
        "youtube_video_id": youtube_video_id,
        "title": f"Video {youtube_video_id}",
        "url": f"https://www.youtube.com/watch?v={youtube_video_id}",
        "published_at": "2024-03-01",
        "created_at": now(),
    }
    return Video(**(defaults | changes))


def a_mention(video: Video, ticker: str = "AAPL", **changes: Any) -> StockMention:
    defaults: dict[str, Any] = {
        "video_id": video.id,
        "channel_id": video.channel_id,
        "ticker": ticker,
        "sentiment": "buy",
        "published_at": video.published_at,
        "created_at": now(),
        "price_at_mention": 101.25,
        "confidence_score": 0.9,
        "context_snippet": f"I am buying {ticker} here.",
    }
    return StockMention(**(defaults | changes))


def a_call_told(ticker: str = "AAPL", **changes: Any) -> dict[str, Any]:
    """A detail of an alert."""
    url = "https://www.youtube.com/watch?v=video000001&t=5s"
    told = {"ticker": ticker, "sentiment": "buy", "before": None, "is_reversal": False, "quote": f"Buy {ticker}."}
    return {**told, "quote_url": url, **changes}


def an_alert(channel_id: str, *details: dict[str, Any], **changes: Any) -> Alert:
    """An alert about a call of AAPL, in the outbox."""
    defaults: dict[str, Any] = {
        "id": ids.new_alert_id(),
        "channel_id": channel_id,
        "kind": "calls",
        "occurred_at": "2024-06-27T00:00:00.000Z",
        "created_at": now(),
        "details": details or (a_call_told(),),
        "video_id": ids.video_id(channel_id, "video000001"),
        "video_title": "Video 1",
        "undelivered": True,
    }
    return Alert(**(defaults | changes))


def finished(video: Video, run_id: str, tickers: Iterable[str] = ("AAPL",), **changes: Any) -> Video:
    """The video as a run leaves it, with a call of each ticker."""
    return replace(
        video,
        transcript_status=TranscriptStatus.FETCHED,
        analysis_status=AnalysisStatus.COMPLETED,
        run_id=run_id,
        calls=tuple(a_mention(video, ticker, **changes) for ticker in tickers),
    )


def in_a_run(channel: Channel, videos: int = 0) -> tuple[str, list[Video]]:
    """A stored channel with a run under way and that many videos to process."""
    create_channel(channel)
    run_id = ids.new_run_id()
    runs.claim_run(channel.id, run_id)
    runs.begin_run(channel.id, run_id, "Started")
    listed = [a_video(channel.id, f"video{number:06d}") for number in range(videos)]
    runs.add_videos(channel.id, run_id, listed)
    runs.set_video_counts(channel.id, run_id, len(listed), 0, "Found")
    return run_id, listed


def commit(run_id: str, video: Video, *tickers: str, **changes: Any) -> bool:
    """Commits a video with a mention of each ticker."""
    done = finished(video, run_id, tickers, **changes)
    return runs.commit_video(run_id, done, LogLevel.INFO, f"Done {video.title}")


def a_story(
    url: str = "https://example.com/story", *, source_type: SourceType = SourceType.RSS, **changes: Any
) -> NewsItem:
    """A news item that has not been analysed."""
    defaults: dict[str, Any] = {
        "title": "Apple beats expectations",
        "published_at": "2026-03-02T14:30:00Z",
        "tags": ["AAPL"],
        "source_name": "The Paper",
    }
    return IncomingNews(url=url, **(defaults | changes)).to_item(source_type)
