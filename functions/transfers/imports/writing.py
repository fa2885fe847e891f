"""Writes the contents of a validated file: stocks and closes first, then one channel at a time."""

import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import date
from uuid import uuid4

from functions.record.errors import ChannelAlreadyExists, ChannelNotFound, SeriesChanged
from functions.record.models.records import Channel, Stock, Video
from functions.record.models.series import Series, SeriesHeader
from functions.record.prices.calls import want_closes
from functions.record.runs.listing import count_of
from functions.record.sources import selection
from functions.record.store.channels import channel_by_id, delete_channel, holder_of
from functions.record.store.price_series import headers_of, save_series
from functions.record.store.stocks import describe_stock, set_price_problem, set_stock_price, stocks_by_ticker
from functions.runtime.clock import now
from functions.runtime.concurrency import for_each
from functions.runtime.dispatch import BackfillPrices, ScoreChannel, dispatcher
from functions.runtime.dynamodb.requests import Action, chunked
from functions.transfers.errors import ImportTaken
from functions.transfers.imports import store as imports
from functions.transfers.imports.contents import Contents
from functions.transfers.imports.models import CLEARING, ChannelImport

ITEMS_AT_ONCE = 1_000
"""Items written before the lease is renewed."""
STOCKS_AT_ONCE = 500
LOOK_AGAIN_SECONDS = 1.0


@dataclass(slots=True)
class Summary:
    videos: int = 0
    mentions: int = 0
    series: int = 0
    imported: list[str] = field(default_factory=list)
    """The ids of the channels that were written."""
    skipped: dict[str, str] = field(default_factory=dict)
    """A sentence for each skipped channel, by its id in the file."""
    is_whole: bool = True
    """True if there was time for all channels."""

    @property
    def channels(self) -> int:
        return len(self.imported)


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of an import."""

    done: int
    total: int
    """Mentions and videos."""
    name: str
    """The name of the channel."""


Note = Callable[[str, int, int], Iterable[Action]]


def write_contents(
    contents: Contents,
    *,
    replacing: bool = False,
    on_progress: Callable[[Progress], None] = lambda progress: None,
    is_time_left: Callable[[], bool] = lambda: True,
    summary: Summary | None = None,
    note: Note = lambda channel_id, videos, mentions: (),
) -> Summary:
    """Writes everything that is not there yet. Repeated after a crash, it goes on where that happened.

    With `replacing`, channels that are there are deleted first. Between channels it looks whether there is time left.
    A `summary` that is given tells how far it came also when it fails. `note` returns further writes for the
    transaction that adds a channel, with its videos and mentions.
    """
    summary = summary or Summary()
    _write_stocks(contents.stocks())
    summary.series = sum(_write_series(*each) for each in contents.series())
    writer = _Writer(contents, summary, on_progress, note)
    for channel in contents.channels():
        if not is_time_left():
            summary.is_whole = False
            break
        writer.write(channel, replacing)
    return summary


def existing_channels(channel: Channel) -> list[str]:
    """Returns the channels that have this id, or one of its YouTube names."""
    own = [channel.id] if channel_by_id(channel.id, consistent=True) else []
    return list(dict.fromkeys([*own, *filter(None, map(holder_of, channel.guards))]))


@dataclass(slots=True)
class _Below:
    """The items written below a channel."""

    videos: int = 0
    mentions: int = 0
    tickers: set[str] = field(default_factory=set)
    oldest: str | None = None
    """The day of the oldest video with mentions."""

    def add(self, video: Video) -> None:
        self.videos += 1
        self.mentions += len(video.calls)
        if video.calls:
            self.tickers.update(video.tickers)
            self.oldest = min(self.oldest or video.published_at, video.published_at)


class _Writer:
    def __init__(
        self, contents: Contents, summary: Summary, on_progress: Callable[[Progress], None], note: Note
    ) -> None:
        self._contents = contents
        self._summary = summary
        self._on_progress = on_progress
        self._note = note
        self._owner = uuid4().hex
        self._total = contents.videos + contents.mentions
        self._done = 0

    def write(self, channel: Channel, replacing: bool) -> None:
        existing = existing_channels(channel)
        if len(existing) > 1 and replacing:
            self._skip(channel, f"it is there as the channels {', '.join(existing)}; delete all but one first")
            return
        if existing and replacing:
            with suppress(ChannelNotFound):
                delete_channel(existing[0])
        elif existing:
            if channel.id not in existing:
                self._remove_half_import(channel)
            other = "" if channel.id in existing else f" as channel {existing[0]}"
            self._skip(channel, f"it is there already{other}")
            return
        try:
            written = self._claim(channel)
            below = self._write_below(channel, written)
            _want_series(below)
            self._finish(channel, below)
        except ImportTaken:
            self._skip(channel, "another process is importing it")
        except ChannelAlreadyExists as found:
            with suppress(ImportTaken):
                imports.give_up_import(channel.id, self._owner)
            self._skip(channel, f"it was added meanwhile as channel {found.existing_id or channel.id}")

    def _claim(self, channel: Channel) -> set[str]:
        """Returns the videos that an earlier attempt with the same file wrote; removes those of other files."""
        deadline = time.monotonic() + 2 * imports.LEASE_SECONDS
        own = self._contents.fingerprint
        while True:
            before = imports.channel_import(channel.id)
            fingerprint = own if before is None or before.fingerprint == own else CLEARING
            if _is_over(before) and imports.claim_import(channel.id, self._owner, fingerprint, before):
                break
            if time.monotonic() > deadline or channel_by_id(channel.id, consistent=True):
                raise ImportTaken(channel.id)
            time.sleep(LOOK_AGAIN_SECONDS)
        if before is None:
            return set()
        if before.fingerprint == own:
            return imports.imported_video_ids(channel.id)
        # If the writer dies here, the next one must not mistake the remains for its own.
        imports.clear_below_import(channel.id, self._owner)
        imports.renew_import(channel.id, self._owner, fingerprint=own, writing=())
        return set()

    def _remove_half_import(self, channel: Channel) -> None:
        """Removes the remains of an import interrupted before the channel was added under another id."""
        before = imports.channel_import(channel.id)
        if before and _is_over(before):
            with suppress(ImportTaken):
                imports.give_up_import(channel.id, before.owner)

    def _write_below(self, channel: Channel, written: set[str]) -> _Below:
        below = _Below()
        for others in chunked(self._contents.others_of(channel.id), ITEMS_AT_ONCE):
            imports.renew_import(channel.id, self._owner)
            imports.put_below_import((), others)
        some: list[Video] = []
        items = 0
        for video in self._contents.videos_of(channel.id):
            below.add(video)
            if video.id in written:
                self._tell(channel, [video])
                continue
            some.append(video)
            items += 1 + len(video.calls)
            if items >= ITEMS_AT_ONCE:
                self._put(channel, some)
                some, items = [], 0
        self._put(channel, some)
        return below

    def _put(self, channel: Channel, videos: list[Video]) -> None:
        if videos:
            imports.renew_import(channel.id, self._owner, writing=tuple(video.id for video in videos))
            imports.put_below_import(videos)
            self._tell(channel, videos)

    def _finish(self, channel: Channel, below: _Below) -> None:
        message = f"Imported: {count_of(below.videos, 'video')}, {count_of(below.mentions, 'mention')}."
        noted = self._note(channel.id, below.videos, below.mentions)
        imports.finish_import(channel, self._owner, message, noted)
        self._summary.imported.append(channel.id)
        self._summary.videos += below.videos
        self._summary.mentions += below.mentions
        # Series that were stored here may be in other shares than the prices of the file. Should this be lost, the
        # next check of each series does it, and the scheduler has the score computed.
        dispatcher().send(BackfillPrices(channel.id))
        dispatcher().send(ScoreChannel(channel.id))

    def _tell(self, channel: Channel, videos: Iterable[Video]) -> None:
        self._done += sum(1 + len(video.calls) for video in videos)
        self._on_progress(Progress(self._done, self._total, channel.name))

    def _skip(self, channel: Channel, reason: str) -> None:
        self._summary.skipped[channel.id] = f"{channel.name} ({channel.id}) is skipped: {reason}."
        self._done += self._contents.items_below(channel.id)
        self._on_progress(Progress(self._done, self._total, channel.name))


def _is_over(marker: ChannelImport | None) -> bool:
    return marker is None or marker.lease_until < now()


def _want_series(below: _Below) -> None:
    """Called before the channel exists: if its writer then dies, the scheduler still fetches its closes."""
    if below.oldest:
        want_closes([*sorted(below.tickers), *selection.tickers_in_every_score()], date.fromisoformat(below.oldest))


def _write_stocks(stocks: Iterable[Stock]) -> None:
    """Stores unknown names, and prices newer than the stored ones."""
    for some in chunked(stocks, STOCKS_AT_ONCE):
        known = stocks_by_ticker(stock.ticker for stock in some)
        for_each(lambda stock: _write_stock(stock, known.get(stock.ticker)), some)  # noqa: B023


def _write_stock(stock: Stock, known: Stock | None) -> None:
    if stock.name and stock.exchange and not (known and known.name):
        describe_stock(stock.ticker, stock.name, stock.exchange)
    if stock.last_price is not None and stock.price_updated_at and stock.price_as_of:
        day = date.fromisoformat(stock.price_as_of)
        set_stock_price(stock.ticker, stock.last_price, stock.price_updated_at, as_of=day)
    if stock.price_problem and known is None:
        set_price_problem(stock.ticker, stock.price_problem)


def _write_series(header: SeriesHeader, series: Series) -> bool:
    """True if it was written: stored closes stay, since they came from their source."""
    known = headers_of([header.ticker], consistent=True).get(header.ticker)
    if known and (known.as_of or not header.as_of):
        return False
    after = header
    if known:
        after = replace(
            header, wanted_from=min(known.wanted_from, header.wanted_from), basis=known.basis, version=known.version
        )
    try:
        save_series(after, series, Series(header.ticker))
    except SeriesChanged:
        # The concurrent writer that won has asked the source.
        return False
    return bool(series)
