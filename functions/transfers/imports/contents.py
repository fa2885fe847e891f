"""The contents of a validated file, as the entities to store."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from typing import Any

from functions.record.files.statements import STATEMENT_COLUMNS, statements_of
from functions.record.models.check_intervals import next_check
from functions.record.models.notes import Note
from functions.record.models.records import (
    AnalysisStatus,
    Channel,
    ChannelStatus,
    ProcessingLog,
    Review,
    Stock,
    StockMention,
    Video,
)
from functions.record.models.scores import ReviewSampleItem
from functions.record.models.series import Series, SeriesHeader, series_of_rows
from functions.record.store.readings import MAX_MENTIONS_PER_VIDEO
from functions.runtime.clock import from_milliseconds, now
from functions.runtime.dynamodb.entity import Entity
from functions.transfers.imports.problems import Findings
from functions.transfers.imports.staging import Content, Kind, Staging

PARENTS = {
    Kind.VIDEO: Kind.CHANNEL,
    Kind.MENTION: Kind.VIDEO,
    Kind.REVIEW: Kind.VIDEO,
    Kind.NOTE: Kind.CHANNEL,
    Kind.CLOSE: Kind.STOCK,
}
SERIES_PREFIX = "series_"


def check_whole(staged: Staging, findings: Findings) -> None:
    """Reports problems that only show across all rows."""
    for kind, parent_kind in PARENTS.items():
        for place, parent in staged.without_parent(kind, parent_kind):
            findings.complain(place, f"there is no {parent_kind} {parent.rpartition('/')[2]} of this {kind}")
    for parent, number in staged.larger_than(Kind.MENTION, MAX_MENTIONS_PER_VIDEO):
        if staged.get(Kind.VIDEO, parent):
            place = staged.place_of(Kind.VIDEO, parent)
            findings.complain(place, f"the video has {number} mentions, and {MAX_MENTIONS_PER_VIDEO} at most are read")
    for parent in staged.parents_of(Kind.MENTION):
        video = staged.get(Kind.VIDEO, parent)
        if video and video["analysis_status"] != AnalysisStatus.COMPLETED:
            place = staged.place_of(Kind.VIDEO, parent)
            findings.complain(place, f"the video has mentions, but its analysis is {video['analysis_status']}")
    for ticker in staged.parents_of(Kind.CLOSE):
        stock = staged.get(Kind.STOCK, ticker)
        if stock and not (stock["series_wanted_from"] and stock["series_as_of"]):
            place = staged.place_of(Kind.STOCK, ticker)
            findings.complain(place, "the stock has closes, but no series_wanted_from or series_as_of")


class Contents:
    """The entities of a validated file. Not thread-safe."""

    def __init__(self, staged: Staging) -> None:
        self._staged = staged
        self.fingerprint = staged.fingerprint()
        self.videos = staged.count(Kind.VIDEO)
        self.mentions = staged.count(Kind.MENTION)

    def channels(self) -> list[Channel]:
        """The channel added first comes first."""
        return [self._channel(content) for _, content in self._staged.of_parent(Kind.CHANNEL, "")]

    def videos_of(self, channel_id: str) -> Iterator[Video]:
        """Each video with its mentions."""
        for key, content in self._staged.of_parent(Kind.VIDEO, channel_id):
            # An analysis only looks for reviews if somebody has changed the video.
            reviews = self._staged.count(Kind.REVIEW, key)
            video = Video(**content, edits=reviews)
            mentions = [_mention(video, each) for _, each in self._staged.of_parent(Kind.MENTION, key)]
            yield replace(video, calls=tuple(mentions))

    def items_below(self, channel_id: str) -> int:
        """The number of its videos and mentions."""
        return self._staged.count(Kind.VIDEO, channel_id) + self._staged.count_under(Kind.MENTION, channel_id)

    def others_of(self, channel_id: str) -> Iterator[Entity]:
        channel = self._staged.get(Kind.CHANNEL, channel_id)
        if channel and channel["sample"]:
            yield ReviewSampleItem(channel_id, tuple(channel["sample"]))
        for key, _ in self._staged.of_parent(Kind.VIDEO, channel_id):
            for _, review in self._staged.of_parent(Kind.REVIEW, key):
                yield Review(**review)
        for _, note in self._staged.of_parent(Kind.NOTE, channel_id):
            yield Note(**note)
        for _, log in self._staged.of_parent(Kind.LOG, channel_id):
            milliseconds, sequence = log["position"]
            yield ProcessingLog(channel_id, log["log_level"], log["message"], from_milliseconds(milliseconds), sequence)

    def stocks(self) -> Iterator[Stock]:
        for _, content in self._staged.all_of(Kind.STOCK):
            yield Stock(**{name: value for name, value in content.items() if not name.startswith(SERIES_PREFIX)})

    def series(self) -> Iterator[tuple[SeriesHeader, Series]]:
        for ticker, content in self._staged.all_of(Kind.STOCK):
            if content["series_wanted_from"]:
                yield _header(ticker, content), self._series(ticker)

    def _series(self, ticker: str) -> Series:
        rows = (
            (date.fromisoformat(each["day"]), each["close"], each["total_close"])
            for _, each in self._staged.of_parent(Kind.CLOSE, ticker)
        )
        return series_of_rows(ticker, rows)

    def _channel(self, content: Content) -> Channel:
        """As after its last run: work in progress is cancelled, and counts are recomputed from its videos."""
        statuses = [each["analysis_status"] for _, each in self._staged.of_parent(Kind.VIDEO, content["id"])]
        finished = sum(status != AnalysisStatus.PENDING for status in statuses)
        values = {name: value for name, value in content.items() if name != "sample"}
        channel = Channel(**{**values, "guards": tuple(content["guards"])})
        is_whole = channel.status is not ChannelStatus.COMPLETED or finished == len(statuses)
        counts = (channel.video_count, channel.processed_video_count)
        is_counted = counts[0] == len(statuses) and counts[1] <= counts[0]
        if channel.status is ChannelStatus.COMPLETED or not is_counted:
            counts = (len(statuses), finished)
        return replace(
            channel,
            status=ChannelStatus.CANCELLED if channel.is_under_way or not is_whole else channel.status,
            video_count=counts[0],
            processed_video_count=counts[1],
            next_check_at=next_check(now(), channel.check_every, channel.failed_runs),
        )


def _mention(video: Video, content: Content) -> StockMention:
    said, said_as_read = statements_of(content)
    values: dict[str, Any] = {
        **{name: value for name, value in content.items() if name not in STATEMENT_COLUMNS},
        "said": said,
        "said_as_read": said_as_read,
        # A call without an analyst gets the one of its video.
        "analyst": content["analyst"] or video.analyst,
        "published_at": video.published_at,
        "published_time": video.published_time,
    }
    return StockMention(**values, video_url=video.url)


def _header(ticker: str, content: Content) -> SeriesHeader:
    """Due immediately, so that its source is asked if the closes still hold."""
    return SeriesHeader(
        ticker,
        wanted_from=content["series_wanted_from"],
        next_check_at=now(),
        fetched_from=content["series_fetched_from"],
        source=content["series_source"],
        currency=content["series_currency"],
        splits=tuple(content["series_splits"]),
        as_of=content["series_as_of"],
        problem=content["price_problem"],
    )
