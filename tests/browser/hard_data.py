"""Channels that are hard on a page: two hundred of them, a name of 200 characters, Arabic, 500 videos."""

from dataclasses import replace
from datetime import date, timedelta
from itertools import islice

from functions.core import ids
from functions.core.clock import now
from functions.core.models import Channel, ChannelStatus, LogLevel
from functions.store import runs
from functions.store.channels import create_channel
from functions.store.stocks import describe_stock, set_stock_price
from tests.builders import a_channel, a_mention, a_video, finished

LONG_NAME = ("Unabbreviated" * 16)[:200]
ARABIC_NAME = "قناة المستثمر الصبور للأسهم الأمريكية"
ARABIC_TITLE = "هل حان وقت شراء سهم آبل؟ نظرة على النتائج الفصلية (AAPL)"
TICKERS = ("AAPL", "BRK.B", "MSFT", "JPM", "XOM", "KO", "NVDA", "AMD", "PFE", "GE")
KINDS = ("buy", "hold", "sell", "mentioned")


def add_hard_data() -> dict[str, Channel]:
    """The special ones by what is special; 197 plain ones come with them."""
    for number in range(197):
        _completed(a_channel(f"Channel{number:03d}"))
    for ticker in TICKERS:
        describe_stock(ticker, f"{ticker} Incorporated", "NASDAQ")
        set_stock_price(ticker, 120.0 if ticker < "J" else 80.0, now())
    long = _with_videos(a_channel(LONG_NAME), 3)
    arabic = _with_videos(a_channel(ARABIC_NAME), 500)
    empty = _completed(a_channel("Never Speaks of Stocks"))
    return {"long": long, "arabic": arabic, "empty": empty}


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
