"""Edge cases: 200 channels, a name of 200 characters, Arabic, 500 videos, HTML as text, a cancelled run."""

from dataclasses import replace
from datetime import date, timedelta
from itertools import islice

from functions.reading.terms import Exchange
from functions.record.models.records import AnalysisStatus, Channel, ChannelStatus, LogLevel, TranscriptStatus
from functions.record.store import runs
from functions.record.store.channels import create_channel
from functions.record.store.stocks import describe_stock, set_stock_price
from functions.runtime import ids
from functions.runtime.clock import now
from tests.builders import a_channel, a_mention, a_video, finished

LONG_NAME = ("Unabbreviated" * 16)[:200]
ARABIC_NAME = "قناة المستثمر الصبور للأسهم الأمريكية"
ARABIC_TITLE = "هل حان وقت شراء سهم آبل؟ نظرة على النتائج الفصلية (AAPL)"
TICKERS = ("AAPL", "BRK.B", "MSFT", "JPM", "XOM", "KO", "NVDA", "AMD", "PFE", "GE")
KINDS = ("buy", "hold", "sell", "mentioned")
HTML = '<img src=x onerror="window.ran=1"><script>window.ran=1</script><a href="javascript:window.ran=1">{}</a>'
HOSTILE_NAME, HOSTILE_TITLE, HOSTILE_QUOTE, HOSTILE_STOCK, HOSTILE_LINE = (
    HTML.format(what) for what in ("name", "title", "quote", "stock", "line")
)
HOSTILE_TICKER = "EVIL"
UNSAFE_ADDRESSES = (
    "javascript:window.ran=1",
    "data:text/html,<script>window.ran=1</script>",
    "vbscript:x",
    "//x.example",
)


def add_edge_cases() -> dict[str, Channel]:
    """The edge cases by name; 195 plain channels come with them."""
    for number in range(195):
        _completed(a_channel(f"Channel{number:03d}"))
    for ticker in TICKERS:
        describe_stock(ticker, f"{ticker} Incorporated", Exchange.NASDAQ)
        set_stock_price(ticker, 120.0 if ticker < "J" else 80.0, now(), as_of=date.today())
    long = _with_videos(a_channel(LONG_NAME), 3)
    arabic = _with_videos(a_channel(ARABIC_NAME), 500)
    empty = _completed(a_channel("Never Mentions a Stock"))
    return {"long": long, "arabic": arabic, "empty": empty, "hostile": _hostile(), "cancelled": _cancelled()}


def _completed(channel: Channel) -> Channel:
    create_channel(channel)
    run_id = ids.new_run_id()
    runs.claim_run(channel.id, run_id)
    runs.begin_run(channel.id, run_id, "Started")
    runs.finish_run(channel.id, run_id, ChannelStatus.COMPLETED, LogLevel.INFO, "Finished")
    return channel


def _with_videos(channel: Channel, count: int) -> Channel:
    create_channel(channel)
    run_id = ids.new_run_id()
    runs.claim_run(channel.id, run_id)
    runs.begin_run(channel.id, run_id, "Started")
    videos = [
        a_video(
            channel.id,
            f"video{number:06d}",
            title=(ARABIC_TITLE, LONG_NAME, f"Video {number}: <b>not bold</b>")[number % 3],
            published_at=(date(2024, 12, 31) - timedelta(days=2 * number)).isoformat(),
        )
        for number in range(count)
    ]
    runs.add_videos(channel.id, run_id, videos)
    runs.set_video_counts(channel.id, run_id, count, 0, f"Found {count} videos.")
    for number, video in enumerate(videos):
        tickers = tuple(islice(TICKERS, number % 4, number % 4 + 5))
        calls = tuple(
            a_mention(
                video, ticker, sentiment=KINDS[(number + place) % 4], context_snippet="أنا أشتري المزيد اليوم " * 6
            )
            for place, ticker in enumerate(tickers)
        )
        read = replace(finished(video, run_id), calls=calls)
        runs.commit_video(run_id, read, LogLevel.INFO, f"Read {video.title}")
    runs.finish_run(channel.id, run_id, ChannelStatus.COMPLETED, LogLevel.INFO, "Finished")
    return channel


def _hostile() -> Channel:
    """As if every check on the way in had been bypassed."""
    # A valid picture, so that it would stay on the page if it got there.
    picture = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>"
    channel = a_channel(
        HOSTILE_NAME, youtube_channel_id="handle:hostile", url=UNSAFE_ADDRESSES[0], thumbnail_url=picture
    )
    create_channel(channel)
    describe_stock(HOSTILE_TICKER, HOSTILE_STOCK, Exchange.NASDAQ)
    run_id = ids.new_run_id()
    runs.claim_run(channel.id, run_id)
    runs.begin_run(channel.id, run_id, HOSTILE_LINE)
    videos = [
        a_video(channel.id, f"video{number:06d}", title=HOSTILE_TITLE, url=address)
        for number, address in enumerate(UNSAFE_ADDRESSES)
    ]
    runs.add_videos(channel.id, run_id, videos)
    runs.set_video_counts(channel.id, run_id, len(videos), 0, HOSTILE_LINE)
    for video in videos:
        read = finished(video, run_id, (HOSTILE_TICKER,), context_snippet=HOSTILE_QUOTE)
        runs.commit_video(run_id, read, LogLevel.ERROR, HOSTILE_LINE)
    runs.finish_run(channel.id, run_id, ChannelStatus.COMPLETED, LogLevel.INFO, HOSTILE_LINE)
    return channel


def _cancelled() -> Channel:
    """Cancelled after three of five videos: one read with an unpriced call, one without transcript, one failed."""
    channel = a_channel("Cancelled Early")
    create_channel(channel)
    run_id = ids.new_run_id()
    runs.claim_run(channel.id, run_id)
    runs.begin_run(channel.id, run_id, "Started")
    videos = [a_video(channel.id, f"video{number:06d}") for number in range(5)]
    runs.add_videos(channel.id, run_id, videos)
    runs.set_video_counts(channel.id, run_id, len(videos), 0, "Found 5 videos.")
    read, skipped, failed = videos[:3]
    outcomes = (
        finished(read, run_id, ("AAPL", "MSFT"), price_at_mention=None),
        replace(skipped, transcript_status=TranscriptStatus.UNAVAILABLE, analysis_status=AnalysisStatus.SKIPPED),
        replace(failed, transcript_status=TranscriptStatus.FAILED, analysis_status=AnalysisStatus.FAILED),
    )
    for outcome in outcomes:
        runs.commit_video(run_id, replace(outcome, run_id=run_id), LogLevel.INFO, f"Read {outcome.title}")
    runs.cancel_run(channel.id, "Cancelled. Videos finished so far are kept.")
    return channel
