"""The steps of a run: list the videos, process each, price their calls, finish. All steps are idempotent."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from functools import lru_cache

from functions.core import ids
from functions.core.clock import now
from functions.core.errors import ChannelAlreadyExists, RunEnded, RunMustWait
from functions.core.models import (
    AnalysisStatus,
    Channel,
    ChannelStatus,
    LogLevel,
    Sentiment,
    StockMention,
    TranscriptStatus,
    Video,
)
from functions.core.series import PriceProblem
from functions.core.settings import settings
from functions.core.text import cut_to, one_line, web_address
from functions.core.transcripts import Transcript
from functions.logic.call_prices import price_channel, request_series, send_lost_updates
from functions.logic.failures import RunFailed, UnusableResponse
from functions.logic.price_keeping import store_stocks
from functions.logic.pricing import MAX_AGE, price_at, pricing_day
from functions.logic.publication import day_and_time, redated, store_date
from functions.logic.score_requests import send_score_job
from functions.providers import selection
from functions.providers.listings import current_ticker, is_listed
from functions.providers.protocols import Call, NotFound, Throttled, VideoInfo
from functions.store import runs
from functions.store.channels import channel_by_id
from functions.store.places import take_place
from functions.store.price_series import headers_and_series_of
from functions.store.videos import each_video_of_channel, video_by_id

MAX_TITLE_LENGTH = 300
MAX_CONTEXT_LENGTH = 200
MAX_TICKERS_PER_LINE = 20
RUNS_CACHED = 64
MAX_VIDEOS_PER_RUN = 1000
"""An execution of Step Functions may have 25,000 events, and a video whose every try fails makes 24.

If throttling makes more, the execution ends and the run is resumed with the remaining videos.
"""


def list_videos(channel_id: str, run_id: str) -> list[str]:
    """Begins the run once it has a place; returns the ids of the videos to process, newest first."""
    channel = _channel_in_run(channel_id, run_id)
    _require_place(channel_id, run_id)
    months = channel.time_range_months
    runs.begin_run(channel_id, run_id, f"Started: looking for videos of the last {months} months.")
    selection.check()
    youtube_channel_id = _identify(channel, run_id)
    since = months_before(selection.prices().today(), months)
    infos = selection.videos().published_since(youtube_channel_id, since)
    listed = {ids.video_id(channel_id, info.youtube_video_id): info for info in infos}
    known, pending, to_retry = _known_videos(channel_id, run_id, listed)
    unknown = {video_id: info.published_at.isoformat() for video_id, info in listed.items() if video_id not in known}
    new = _newest(unknown, MAX_VIDEOS_PER_RUN - len(pending))
    retried = _newest(to_retry, MAX_VIDEOS_PER_RUN - len(pending) - len(new))
    runs.add_videos(channel_id, run_id, (_video(channel_id, listed[video_id]) for video_id in new))
    to_process = _newest(pending | new | retried, MAX_VIDEOS_PER_RUN)
    left = len(pending) + len(unknown) + len(to_retry) - len(to_process)
    message = (
        f"Found {_count(len(listed), 'video')} since {since}, {len(unknown)} of them new; "
        f"{len(to_process)} to process{_in_this_run(left)}."
    )
    total = len(known) + len(new)
    runs.set_video_counts(channel_id, run_id, total, total - len(to_process), message)
    return list(to_process)


def process_video(channel_id: str, run_id: str, video_id: str) -> None:
    """Finds and prices the calls of a transcript, and writes all in one transaction. RunEnded if the run is over."""
    video = video_by_id(channel_id, video_id, consistent=True)
    if video is None:
        raise RunEnded(channel_id, run_id)
    if video.run_id == run_id:
        return
    # A heartbeat, which also raises RunEnded before any work is done.
    channel = runs.renew_lease(channel_id, run_id)
    try:
        transcript = _transcript(run_id, video)
    except NotFound:
        skipped = _outcome(video, run_id, TranscriptStatus.UNAVAILABLE, AnalysisStatus.SKIPPED)
        runs.commit_video(run_id, skipped, LogLevel.WARNING, f"{_quoted(video)}: no transcript, skipped.")
        return
    day = date.fromisoformat(video.published_at)
    calls = _select_calls(selection.analyst().calls(transcript.text, day), day)
    mentions, problems = _priced([_mention(video, call) for call in calls])
    analysed = _outcome(video, run_id, TranscriptStatus.FETCHED, AnalysisStatus.COMPLETED, mentions)
    runs.commit_video(run_id, analysed, LogLevel.INFO, f"{_quoted(video)}: {_summary(mentions, problems)}")
    # After the commit, because a run that is over must write nothing. price_calls repeats what fails here.
    stored = _stored_in(run_id)
    if new := set(analysed.tickers) - stored:
        since = months_before(selection.prices().today(), channel.time_range_months)
        request_series([*sorted(new), selection.benchmark().ticker], min(since, day))
        store_stocks(new)
        stored.update(new)


def price_calls(channel_id: str, run_id: str, *, is_last_check: bool) -> bool:
    """Prices the channel's calls from the stored series. True if the run has to wait for series being fetched.

    Otherwise the log says which prices are missing and why; they follow when their series does.
    """
    runs.renew_lease(channel_id, run_id)
    prices = price_channel(channel_id)
    if prices.fetching and not is_last_check:
        send_lost_updates(prices.fetching)
        return True
    if prices.unpriced:
        runs.report_unpriced(channel_id, run_id, _missing_prices(prices.unpriced))
    return False


def finish_run(channel_id: str, run_id: str) -> None:
    """Sets the final status, with the totals."""
    runs.renew_lease(channel_id, run_id)
    outcomes: Counter[AnalysisStatus] = Counter()
    mentions: Counter[str] = Counter()
    for video in each_video_of_channel(channel_id):
        outcomes[video.analysis_status] += 1
        mentions.update(video.tickers)
    store_stocks(mentions)
    analysed, failed = outcomes[AnalysisStatus.COMPLETED], outcomes[AnalysisStatus.FAILED]
    totals = (
        f"{_count(outcomes.total(), 'video')}: {analysed} analysed, "
        f"{outcomes[AnalysisStatus.SKIPPED]} without transcript, {failed} failed. "
        f"{_count(mentions.total(), 'mention')} of {_count(len(mentions), 'stock')}."
    )
    if failed and failed == outcomes.total():
        runs.finish_run(channel_id, run_id, ChannelStatus.FAILED, LogLevel.ERROR, f"Failed. {totals}")
    else:
        runs.finish_run(channel_id, run_id, ChannelStatus.COMPLETED, LogLevel.INFO, f"Finished. {totals}")
    # The end of the run has marked the channel.
    send_score_job(channel_id)


def months_before(day: date, months: int) -> date:
    """The same day of an earlier month, or that month's last day where it has no such day."""
    years, month = divmod(day.year * 12 + day.month - 1 - months, 12)
    first_of_next = date(years + (month + 1) // 12, (month + 1) % 12 + 1, 1)
    return date(years, month + 1, min(day.day, (first_of_next - timedelta(days=1)).day))


def _channel_in_run(channel_id: str, run_id: str) -> Channel:
    channel = channel_by_id(channel_id, consistent=True)
    if channel is None or channel.run_id != run_id or not channel.is_under_way:
        raise RunEnded(channel_id, run_id)
    return channel


def _require_place(channel_id: str, run_id: str) -> None:
    """Raises RunMustWait while all places are taken; renews the lease and says in the channel's log why it waits."""
    places = settings().runs_at_once
    if not take_place(channel_id, run_id, places):
        others = "1 other channel is" if places == 1 else f"{places} other channels are"
        runs.wait_for_place(channel_id, run_id, f"Waiting: {others} being processed.")
        raise RunMustWait(f"{places} other runs are under way")


def _known_videos(
    channel_id: str, run_id: str, listed: Mapping[str, VideoInfo]
) -> tuple[dict[str, str], dict[str, str], dict[str, str]]:
    """The publication days of all known videos, of the pending ones, and of those worth another try.

    A skipped or failed video is finished for its own run; the next run tries it once more. A video that is listed
    under another date than the stored one gets that date.
    """
    known: dict[str, str] = {}
    pending: dict[str, str] = {}
    to_retry: dict[str, str] = {}
    moved: list[tuple[Video, Video]] = []
    for video in each_video_of_channel(channel_id):
        known[video.id] = video.published_at
        if video.analysis_status == AnalysisStatus.PENDING:
            pending[video.id] = video.published_at
        elif video.analysis_status != AnalysisStatus.COMPLETED and video.run_id != run_id:
            to_retry[video.id] = video.published_at
        if len(moved) < MAX_VIDEOS_PER_RUN and (after := redated(video, listed)):
            moved.append((video, after))
    for before, after in moved:
        store_date(run_id, before, after)
    return known, pending, to_retry


def _identify(channel: Channel, run_id: str) -> str:
    """Resolves the channel on YouTube, stores its id and reserves it; RunFailed if another channel has it."""
    known = channel.youtube_channel_id
    info = selection.videos().resolve(known if ":" in known else f"channel_id:{known}")
    title = one_line(info.title, MAX_TITLE_LENGTH) or channel.name
    try:
        runs.identify_channel(channel.id, run_id, info.youtube_channel_id, title, web_address(info.thumbnail_url))
    except ChannelAlreadyExists as taken:
        first = channel_by_id(taken.existing_id) if taken.existing_id else None
        name = f"“{first.name}” ({first.url})" if first else "another channel"
        raise RunFailed(f"This is the same YouTube channel as {name}, which is tracked already.") from None
    return info.youtube_channel_id


def _newest(published: Mapping[str, str], limit: int) -> dict[str, str]:
    """The newest first, up to a limit; videos of the same day are ordered by id."""
    newest_first = sorted(published.items(), key=lambda each: (each[1], each[0]), reverse=True)
    return dict(newest_first[: max(0, limit)])


def _in_this_run(left: int) -> str:
    return f" in this run. Process the channel again for the other {left}" if left else ""


def _video(channel_id: str, info: VideoInfo) -> Video:
    day, time = day_and_time(info)
    return Video(
        id=ids.video_id(channel_id, info.youtube_video_id),
        channel_id=channel_id,
        youtube_video_id=info.youtube_video_id,
        title=one_line(info.title, MAX_TITLE_LENGTH) or info.youtube_video_id,
        url=f"https://www.youtube.com/watch?v={info.youtube_video_id}",
        published_at=day,
        published_time=time,
        created_at=now(),
    )


@lru_cache(maxsize=RUNS_CACHED)
def _stored_in(run_id: str) -> set[str]:
    """The stocks that this process has stored for a run, since most of its videos mention the same few."""
    return set()


def _transcript(run_id: str, video: Video) -> Transcript:
    try:
        return selection.transcripts().read(video.youtube_video_id)
    except Throttled as refusal:
        if refusal.retry_after:
            message = f"YouTube withholds captions: the next ones are requested in {refusal.retry_after:.0f} seconds."
            runs.write_line(video.channel_id, run_id, LogLevel.WARNING, message)
        raise


def _mention(video: Video, call: Call) -> StockMention:
    return StockMention(
        video_id=video.id,
        channel_id=video.channel_id,
        ticker=call.ticker,
        sentiment=call.sentiment,
        published_at=video.published_at,
        published_time=video.published_time,
        created_at=now(),
        confidence_score=call.confidence,
        context_snippet=call.context,
        possible_sentiment=call.possible_sentiment,
    )


def _outcome(
    video: Video,
    run_id: str,
    transcript_status: TranscriptStatus,
    analysis_status: AnalysisStatus,
    calls: Sequence[StockMention] = (),
) -> Video:
    return replace(
        video,
        run_id=run_id,
        transcript_status=transcript_status,
        analysis_status=analysis_status,
        calls=tuple(calls),
    )


def _select_calls(calls: Sequence[Call], day: date) -> list[Call]:
    """One call per share that was US-listed that day, most confident first, as many as one transaction can hold.

    Only a hostile transcript reaches that limit.
    """
    surest_first = sorted(
        map(_validated, calls), key=lambda call: (call.sentiment == Sentiment.MENTIONED, -call.confidence)
    )
    by_ticker: dict[str, Call] = {}
    for call in surest_first:
        if is_listed(call.ticker, day):
            by_ticker.setdefault(call.ticker, call)
    return list(by_ticker.values())[: runs.MAX_MENTIONS_PER_VIDEO]


def _validated(call: Call) -> Call:
    """The call with its current ticker and a truncated quote; UnusableResponse if the analyst broke its Protocol."""
    ticker = current_ticker(call.ticker)
    if call.sentiment not in set(Sentiment):
        choices = ", ".join(Sentiment)
        raise UnusableResponse(f"The analyst calls {ticker} {call.sentiment!r}, which is none of {choices}.")
    if not 0 <= call.confidence <= 1:
        raise UnusableResponse(f"The analyst's confidence in {ticker} is {call.confidence!r}, and not from 0 to 1.")
    return replace(call, ticker=ticker, context=cut_to(call.context, MAX_CONTEXT_LENGTH))


def _priced(mentions: Sequence[StockMention]) -> tuple[list[StockMention], dict[str, PriceProblem]]:
    """The mentions with the prices that the stored series have, and why others have none."""
    if not mentions:
        return [], {}
    day = pricing_day(mentions[0])
    stored = headers_and_series_of([mention.ticker for mention in mentions], day - MAX_AGE, day)
    priced: list[StockMention] = []
    problems: dict[str, PriceProblem] = {}
    for mention in mentions:
        found = price_at(mention, *stored[mention.ticker])
        if isinstance(found, PriceProblem):
            problems[mention.ticker] = found
            priced.append(mention)
        else:
            priced.append(replace(mention, price_at_mention=found))
    return priced, problems


def _missing_prices(unpriced: Mapping[PriceProblem, Mapping[str, int]]) -> str:
    """Why prices are missing, the most frequent reason first."""
    by_count = sorted(unpriced.items(), key=lambda each: -sum(each[1].values()))
    reasons = [f"{problem.sentence.rstrip('.')} ({_some(sorted(tickers))})" for problem, tickers in by_count]
    total = sum(sum(tickers.values()) for tickers in unpriced.values())
    return f"{_count(total, 'price')} missing: {'; '.join(reasons)}. They are filled in once they can be had."


def _some(tickers: Sequence[str]) -> str:
    more = len(tickers) - MAX_TICKERS_PER_LINE
    return ", ".join(tickers[:MAX_TICKERS_PER_LINE]) + (f" and {more} more" if more > 0 else "")


def _summary(mentions: Sequence[StockMention], problems: Mapping[str, PriceProblem]) -> str:
    if not mentions:
        return "no stocks mentioned."
    said = _some([f"{mention.ticker} {mention.sentiment}" for mention in mentions])
    # What is still being fetched follows within the run, which says at its end what could not be had.
    told = {ticker: problem for ticker, problem in problems.items() if problem != PriceProblem.NOT_FETCHED}
    return f"{said}." + "".join(f" No price of {ticker}: {told[ticker].sentence}" for ticker in sorted(told))


def _quoted(video: Video) -> str:
    return f"“{video.title}”"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
