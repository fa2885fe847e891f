"""Checks a whole data set for inconsistencies: `python -m operations.check`. Run it while nothing writes."""

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from botocore.exceptions import BotoCoreError, ClientError

from functions.news.models import Feed, KnownUrl, NewsItem
from functions.people.models import User
from functions.plans.models import OpenPlans, Plan, PlanChange, Task
from functions.record.models.alerts import Alert, AlertKind, Delivery, Subscription
from functions.record.models.audit import AuditEntry, DailyCounts
from functions.record.models.notes import Note
from functions.record.models.people import DefaultSettings, PersonalSettings
from functions.record.models.records import (
    AnalysisStatus,
    Change,
    Channel,
    ChannelStatus,
    ProcessingLog,
    Restatement,
    Review,
    Stock,
    StockMention,
    TranscriptStatus,
    Unread,
    Video,
)
from functions.record.models.runs import Attempt, Check, Run, RunStatus, WaitingRun
from functions.record.models.scores import (
    CallsItem,
    ReviewQueueItem,
    ReviewSampleItem,
    ScorecardItem,
    StandingItem,
    StocksListItem,
)
from functions.record.models.series import SeriesHeader, SeriesYear
from functions.record.models.watchlists import Watchlist
from functions.record.prices.calls import price_channel
from functions.record.prices.series import update_series
from functions.record.reviews.sample import SAMPLE_SIZE
from functions.record.store.channels import COUNTER, set_channel_counter
from functions.record.store.index_keys import ENTITY as INDEX_KEYS
from functions.record.store.scorecards import mark_changed
from functions.record.store.slots import ENTITY as PLACES
from functions.record.store.token_counts import ENTITY as TOKENS
from functions.runtime import ids
from functions.runtime.clock import now
from functions.runtime.dispatch import Job, UpdateSeries, dispatch_with
from functions.runtime.dynamodb import tables
from functions.runtime.dynamodb.attributes import Item, decode, encode
from functions.runtime.dynamodb.connection import dynamodb, main_table, news_table, stocks_table
from functions.runtime.dynamodb.entity import Entity
from functions.runtime.dynamodb.rate_limits import ENTITY as PACE
from functions.runtime.errors import InvalidValue, StockTrackRecordError
from functions.transfers.errors import ImportTaken
from functions.transfers.exports.models import Export, OpenExports
from functions.transfers.imports.models import ChannelImport, Import, OpenImports
from functions.transfers.imports.store import give_up_import
from functions.transfers.models import OpenTransfers, Transfer
from local.engine import using_data
from local.entities import put_entities
from operations.check_news import News
from operations.check_plans import PLAN_KINDS, Plans
from operations.check_transcripts import KeptTranscripts, are_kept_somewhere, read_kept

KEPT = (ScorecardItem, StandingItem, StocksListItem, CallsItem, ReviewQueueItem)
"""Items computed from a channel's videos."""
KINDS = (
    Channel,
    Video,
    StockMention,
    ProcessingLog,
    Restatement,
    Change,
    Review,
    Unread,
    Run,
    Attempt,
    Check,
    WaitingRun,
    ChannelImport,
    Import,
    OpenImports,
    Alert,
    Subscription,
    Watchlist,
    Delivery,
    Export,
    OpenExports,
    User,
    AuditEntry,
    DailyCounts,
    PersonalSettings,
    DefaultSettings,
    Note,
    Stock,
    SeriesHeader,
    SeriesYear,
    Feed,
    NewsItem,
    KnownUrl,
    *KEPT,
    ReviewSampleItem,
    *PLAN_KINDS,
)
ENTITIES: dict[str, type[Entity]] = {kind.__name__: kind for kind in KINDS}
OTHER_TABLES: dict[type[Entity], tables.Table] = {
    Stock: tables.STOCKS,
    NewsItem: tables.NEWS,
    KnownUrl: tables.NEWS,
}
"""The tables of the entities that are not in the main one."""
SHOWN = 50


@dataclass
class DataSet:
    channels: dict[str, Channel] = field(default_factory=dict)
    videos: dict[str, Video] = field(default_factory=dict)
    mentions: list[StockMention] = field(default_factory=list)
    logs: list[ProcessingLog] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    about_videos: list[Review | Unread | Attempt] = field(default_factory=list)
    plans: Plans = field(default_factory=Plans)
    news: News = field(default_factory=News)
    runs: list[Run] = field(default_factory=list)
    checks: dict[str, Check] = field(default_factory=dict)
    """By channel."""
    waiting: dict[str, str] = field(default_factory=dict)
    """The runs that wait for a slot, by channel."""
    alerts: list[Alert] = field(default_factory=list)
    subscribed: set[str] = field(default_factory=set)
    """The ids of users."""
    deliveries: list[Delivery] = field(default_factory=list)
    transfers: dict[tuple[type[OpenTransfers], str], Transfer] = field(default_factory=dict)
    """By the kind of list that they are in while they are open, and by id."""
    open_transfers: list[OpenTransfers] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    scored: set[str] = field(default_factory=set)
    samples: list[ReviewSampleItem] = field(default_factory=list)
    """The ids of channels that have stored items."""
    channel_items: int = 0
    """Counted like the channel counter: including unreadable and half-deleted ones."""
    channel_counter: int | None = None
    guards: dict[str, str] = field(default_factory=dict)
    """The channel that each is reserved for, by key."""
    deleting: set[str] = field(default_factory=set)
    """Half-deleted channels: what is left below them may be inconsistent."""
    importing: dict[str, ChannelImport] = field(default_factory=dict)
    """Half-imported channels, by id: what is there of them is not whole."""
    unreadable: list[str] = field(default_factory=list)
    transcripts: frozenset[tuple[str, str]] | None = None
    """The channel and video of each stored transcript; None if the settings name no storage."""

    def add(self, item: Item) -> None:
        values = decode(item)
        kind = str(values.get("entity", "nothing"))
        key = "/".join(str(values[name]) for name in ("PK", "SK", "ticker", "source_id", "timestamp") if name in item)
        self.channel_items += kind == Channel.__name__
        if kind == COUNTER:
            self.channel_counter = int(item["total"]["N"])
        elif kind == "Guard":
            self.guards[str(values["PK"])] = str(values["channel_id"])
        elif kind in ENTITIES:
            self._add_entity(ENTITIES[kind], item, key)
        elif kind not in (INDEX_KEYS, PACE, PLACES, TOKENS) and values.get("PK") != tables.IDEMPOTENCY:
            self.unreadable.append(f"{key}: an item of kind {kind!r} is not one of ours")
        if "deleting" in item:
            self.deleting.add(str(values["id"]))

    def _add_entity(self, kind: type[Entity], item: Item, key: str) -> None:
        try:
            entity = kind.from_item(item)
        except (InvalidValue, TypeError, ValueError) as problem:
            self.unreadable.append(f"{key}: {problem}")
            return
        table = OTHER_TABLES.get(kind, tables.MAIN)
        stored = {name: item[name]["S"] for name in table.key_attributes if name in item}
        if stored != entity.keys():
            self.unreadable.append(f"{key}: its keys are {stored}, and should be {entity.keys()}")
        if isinstance(entity, Video) and (wrong := _differing(item, encode(entity.call_attributes()))):
            self.unreadable.append(f"{key}: {', '.join(wrong)} should be what its calls say")
        self._keep(entity)

    # Long, but flat: one line for each kind.
    def _keep(self, entity: Entity) -> None:  # noqa: C901, PLR0912
        match entity:
            case Channel():
                self.channels[entity.id] = entity
            case Video():
                self.videos[entity.id] = entity
            case StockMention():
                self.mentions.append(entity)
            case ProcessingLog():
                self.logs.append(entity)
            case Change():
                self.changes.append(entity)
            case Alert():
                self.alerts.append(entity)
            case Subscription():
                self.subscribed.add(entity.user_id)
            case Delivery():
                self.deliveries.append(entity)
            case Transfer():
                self.transfers[entity.open_list, entity.id] = entity
            case OpenTransfers():
                self.open_transfers.append(entity)
            case Note():
                self.notes.append(entity)
            case Review() | Unread() | Attempt():
                self.about_videos.append(entity)
            case Run():
                self.runs.append(entity)
            case Check():
                self.checks[entity.channel_id] = entity
            case WaitingRun():
                self.waiting[entity.channel_id] = entity.run_id
            case ChannelImport():
                self.importing[entity.channel_id] = entity
            case ScorecardItem() | StandingItem() | StocksListItem() | CallsItem() | ReviewQueueItem():
                self.scored.add(entity.channel_id)
            case ReviewSampleItem():
                self.samples.append(entity)
            case Plan() | Task() | PlanChange() | OpenPlans():
                self.plans.add(entity)
            case NewsItem() | KnownUrl():
                self.news.add(entity)


def _differing(item: Item, expected: Item) -> list[str]:
    return [name for name in ("tickers", "unpriced") if item.get(name) != expected.get(name)]


def problems(data: DataSet) -> Iterator[str]:
    """Every broken rule, as a sentence."""
    yield from data.unreadable
    yield from _half_imports(data)
    yield from _orphans(data)
    yield from _counter(data)
    yield from _channels(data)
    yield from _runs(data)
    yield from _checks(data)
    yield from _waiting_runs(data)
    yield from _guards(data)
    yield from _videos(data)
    yield from _samples(data)
    yield from _alerts(data)
    yield from _transfers(data)
    yield from _transcripts(data).problems()
    yield from data.plans.problems()
    yield from data.news.problems()


def read_everything() -> DataSet:
    data = DataSet()
    for table in (main_table(), stocks_table(), news_table()):
        for item in _scan(table):
            data.add(item)
    if are_kept_somewhere():
        data.transcripts = read_kept()
    return data


def mend_counter(data: DataSet) -> bool:
    """Corrects the channel counter; returns whether that was needed."""
    is_off = data.channel_counter != data.channel_items
    return is_off and set_channel_counter(data.channel_items, replacing=data.channel_counter)


def mend_half_imports(data: DataSet) -> int:
    """Removes what interrupted imports have left; returns how many there were. One that is at work is left alone."""
    removed = 0
    for marker in data.importing.values():
        # To remove what is below the item of a channel that is there would remove the channel.
        if marker.lease_until < now() and marker.channel_id not in data.channels:
            with suppress(ImportTaken):
                give_up_import(marker.channel_id, marker.owner)
                removed += 1
    return removed


def mend(data: DataSet) -> int:
    """Rewrites the calls of videos from their mentions, which are authoritative; returns how many were wrong."""
    by_video = _by_video(data.mentions)
    stale = [video for video in data.videos.values() if set(video.calls) != set(by_video[video.id])]
    mended = [replace(video, calls=tuple(sorted(by_video[video.id], key=lambda call: call.ticker))) for video in stale]
    put_entities(mended)
    for channel_id in {video.channel_id for video in mended}:
        mark_changed(channel_id)
    return len(mended)


def mend_transcripts(data: DataSet) -> tuple[int, int]:
    """Removes the kept transcripts of no video, and the mark of videos whose transcript is missing; how many of each.

    None is removed while there are items that cannot be read, for one of them may be its video.
    """
    transcripts = _transcripts(data)
    return (0 if data.unreadable else transcripts.remove_orphans()), transcripts.clear_marks()


def mend_prices(data: DataSet) -> int:
    """Takes the prices of all calls from their series, which are fetched where they are missing; returns how many
    tickers were fetched. This is how calls that were priced before there were series come to their right prices."""
    later = _Jobs()
    dispatch_with(later)
    for channel_id in data.channels:
        price_channel(channel_id)
    for ticker in later.tickers:
        update_series([ticker])
    return len(later.tickers)


class _Jobs:
    """A dispatcher that keeps the tickers to fetch, since no worker may be there."""

    def __init__(self) -> None:
        self.tickers: list[str] = []

    def start_run(self, channel_id: str, run_id: str) -> None:
        raise NotImplementedError

    def stop_run(self, channel_id: str, run_id: str) -> None:
        raise NotImplementedError

    def send(self, job: Job, delay_seconds: float = 0) -> None:
        assert isinstance(job, UpdateSeries)
        self.tickers += job.tickers


def main(arguments: Sequence[str] = ()) -> int:
    options = _parser().parse_args(arguments)
    try:
        with using_data(options.data) if options.data else nullcontext():
            if options.mend:
                data = read_everything()
                if removed_imports := mend_half_imports(data):
                    print(f"{removed_imports} half imports were removed")
                    data = read_everything()
                print(f"{mend(data)} videos got their calls from their mentions")
                if mend_counter(data):
                    print(f"The counter of channels was set to {data.channel_items}")
                removed, cleared = mend_transcripts(data)
                print(f"{removed} kept transcripts of no video were removed, {cleared} videos lost the mark of one")
                print(f"The closes of {mend_prices(data)} stocks were fetched to price calls")
            return _report(read_everything())
    except (StockTrackRecordError, ClientError, BotoCoreError) as problem:
        print(f"The data could not be read: {problem}", file=sys.stderr)
        return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m operations.check", description="Checks the data for inconsistencies."
    )
    parser.add_argument("--data", type=Path, help="a folder of `make run`, stopped; else the tables of the settings")
    parser.add_argument(
        "--mend",
        action="store_true",
        help="first rewrite what can be derived (videos' calls, the number of channels, the prices of calls), "
        "and remove kept transcripts of no video",
    )
    return parser


def _report(data: DataSet) -> int:
    found = list(problems(data))
    if data.transcripts is None and any(video.transcript_kept for video in data.videos.values()):
        print("The kept transcripts were not checked: KEPT_TRANSCRIPTS_BUCKET does not name their bucket")
    for sentence in found[:SHOWN]:
        print(sentence)
    if len(found) > SHOWN:
        print(f"… and {len(found) - SHOWN} more")
    print(
        f"{len(data.channels)} channels, {len(data.videos)} videos, {len(data.mentions)} mentions, "
        f"{len(data.logs)} log lines, {data.news.count} news: "
        f"{len(found) or 'no'} problem{'' if len(found) == 1 else 's'}"
    )
    return 1 if found else 0


def _half_imports(data: DataSet) -> Iterator[str]:
    for channel_id in data.importing:
        if channel_id in data.channels:
            yield f"channel {channel_id} is there, and so is its item IMPORT, which should be deleted"
        else:
            yield f"channel {channel_id} is half imported: import it again, or remove what there is of it with --mend"


def _orphans(data: DataSet) -> Iterator[str]:
    yield from _orphaned_videos(data)
    yield from _orphaned_mentions(data)
    yield from _orphans_of_channels(data)
    yield from _orphans_of_videos(data)
    for channel_id in data.scored - data.channels.keys():
        yield f"a score belongs to channel {channel_id}, which is not there"


def _orphaned_videos(data: DataSet) -> Iterator[str]:
    known_channels = data.channels.keys() | data.importing.keys()
    for video in data.videos.values():
        if video.channel_id not in known_channels:
            yield f"video {video.id} belongs to channel {video.channel_id}, which is not there"


def _orphaned_mentions(data: DataSet) -> Iterator[str]:
    for mention in data.mentions:
        its_video = data.videos.get(mention.video_id)
        if its_video is None and mention.channel_id in data.importing:
            continue
        if its_video is None:
            yield f"mention {mention.id} belongs to video {mention.video_id}, which is not there"
        elif its_video.channel_id != mention.channel_id:
            yield f"mention {mention.id} names channel {mention.channel_id}, its video {its_video.channel_id}"


def _orphans_of_channels(data: DataSet) -> Iterator[str]:
    known_channels = data.channels.keys() | data.importing.keys()
    for channel_id in {log.channel_id for log in data.logs} - known_channels:
        yield f"log lines belong to channel {channel_id}, which is not there"
    for channel_id in {change.channel_id for change in data.changes} - data.channels.keys():
        yield f"changes belong to channel {channel_id}, which is not there"
    for channel_id in {alert.channel_id for alert in data.alerts} - data.channels.keys():
        yield f"alerts belong to channel {channel_id}, which is not there"
    for channel_id in {sample.channel_id for sample in data.samples} - known_channels:
        yield f"a sample belongs to channel {channel_id}, which is not there"
    for channel_id in {note.channel_id for note in data.notes} - known_channels:
        yield f"notes belong to channel {channel_id}, which is not there"


def _orphans_of_videos(data: DataSet) -> Iterator[str]:
    for entity in data.about_videos:
        known = data.videos.get(entity.video_id)
        # What is below a channel is written and removed side by side.
        if entity.channel_id in data.importing or entity.channel_id in data.deleting:
            continue
        if known is None or known.channel_id != entity.channel_id:
            kind = type(entity).__name__.lower()
            yield f"{kind} belongs to video {entity.video_id} of channel {entity.channel_id}, which is not there"


def _counter(data: DataSet) -> Iterator[str]:
    if data.channel_counter is None and data.channel_items:
        yield f"the counter of channels is missing, there are {data.channel_items}"
    elif data.channel_counter not in (None, data.channel_items):
        yield f"the counter of channels says {data.channel_counter}, there are {data.channel_items}"


def _channels(data: DataSet) -> Iterator[str]:
    videos = Counter(video.channel_id for video in data.videos.values())
    for channel in data.channels.values():
        name = f"channel {channel.id}"
        there, counted, finished = videos[channel.id], channel.video_count, channel.processed_video_count
        if channel.id in data.deleting:
            yield f"{name} is half deleted: delete it again"
            continue
        if not 0 <= finished <= counted:
            yield f"{name} counts {finished} of {counted} videos as processed"
        if channel.status == ChannelStatus.COMPLETED and not there == counted == finished:
            yield f"{name} is completed with {there} videos, but counts {finished} of {counted}"
        if channel.is_under_way and not channel.run_id:
            yield f"{name} is {channel.status} without a run"


def _runs(data: DataSet) -> Iterator[str]:
    for run in data.runs:
        channel = data.channels.get(run.channel_id)
        if channel is None:
            yield f"run {run.id} belongs to channel {run.channel_id}, which is not there"
        elif channel.id not in data.deleting and _is_told_wrong(run, channel):
            yield f"run {run.id} is {run.status}, its channel {channel.id} is {channel.status}"


def _is_told_wrong(run: Run, channel: Channel) -> bool:
    """True if record and channel disagree about the run in progress."""
    is_open = run.status in (RunStatus.PENDING, RunStatus.PROCESSING)
    is_its_own = run.id == channel.run_id
    if not is_open and not (is_its_own and channel.is_under_way):
        return False
    return not is_its_own or run.status.value != channel.status.value


def _checks(data: DataSet) -> Iterator[str]:
    for channel_id in data.checks.keys() - data.channels.keys():
        yield f"a check belongs to channel {channel_id}, which is not there"
    for channel in data.channels.values():
        check = data.checks.get(channel.id)
        queued = check.next_check_at if check else None
        if channel.id not in data.deleting and queued != channel.next_check_at:
            yield f"channel {channel.id} is checked at {channel.next_check_at}, the queue says {queued}"


def _waiting_runs(data: DataSet) -> Iterator[str]:
    for channel_id in data.waiting.keys() | {channel.id for channel in data.channels.values() if channel.is_waiting}:
        channel = data.channels.get(channel_id)
        waits = channel.run_id if channel and channel.is_waiting else None
        if channel_id not in data.deleting and waits != data.waiting.get(channel_id):
            yield f"run {waits} of channel {channel_id} waits for a slot, the queue says {data.waiting.get(channel_id)}"


def _guards(data: DataSet) -> Iterator[str]:
    wanted = {
        tables.guard_key(guard)["PK"]: channel.id for channel in data.channels.values() for guard in channel.guards
    }
    for key, channel_id in wanted.items():
        if channel_id not in data.deleting and data.guards.get(key) != channel_id:
            yield f"channel {channel_id} should hold {key}, which is held by {data.guards.get(key, 'nobody')}"
    for key in data.guards.keys() - wanted.keys():
        yield f"{key} is held for channel {data.guards[key]}, which does not know of it"


def _videos(data: DataSet) -> Iterator[str]:
    by_video = _by_video(data.mentions)
    for video in data.videos.values():
        if video.channel_id not in data.deleting and video.channel_id not in data.importing:
            yield from _one_video(video, by_video[video.id])


def _transfers(data: DataSet) -> Iterator[str]:
    listed = {(type(each), transfer_id) for each in data.open_transfers for transfer_id in each.ids}
    # Listed but missing transfers have expired; the user's next transfer removes them from the list.
    for key, transfer in sorted(data.transfers.items(), key=lambda each: each[1].id):
        name = f"{type(transfer).__name__.lower()} {transfer.id}"
        if transfer.is_open and key not in listed:
            yield f"{name} is under way, and not in the list of {transfer.user_id}"
        if not transfer.is_open and key in listed:
            yield f"{name} has ended, and is still in the list of {transfer.user_id}"


def _samples(data: DataSet) -> Iterator[str]:
    for sample in data.samples:
        if len(set(sample.calls)) < len(sample.calls) or len(sample.calls) > SAMPLE_SIZE:
            yield f"the sample of channel {sample.channel_id} holds a call twice, or more than {SAMPLE_SIZE}"
        if sample.channel_id in data.importing or sample.channel_id in data.deleting:
            continue
        videos = (data.videos.get(video_id) for video_id, _ in sample.places)
        if any(video is None or video.channel_id != sample.channel_id for video in videos):
            yield f"the sample of channel {sample.channel_id} names a video that is not there"


def _alerts(data: DataSet) -> Iterator[str]:
    for alert in data.alerts:
        if not alert.details:
            yield f"alert {alert.id} has no details"
        if alert.kind is AlertKind.CALLS and alert.video_id not in data.videos and _is_whole(data, alert.channel_id):
            yield f"alert {alert.id} refers to video {alert.video_id}, which does not exist"
    # An alert that is gone with its channel, or a setting that has changed, ends a delivery when that is due.
    for delivery in data.deliveries:
        if not delivery.ended_at and delivery.user_id not in data.subscribed:
            yield f"delivery of alert {delivery.alert_id} waits for {delivery.user_id}, who wants no alerts"


def _is_whole(data: DataSet, channel_id: str) -> bool:
    return channel_id in data.channels and channel_id not in data.deleting


def _transcripts(data: DataSet) -> KeptTranscripts:
    videos = data.videos if data.transcripts is not None else {}
    return KeptTranscripts(data.transcripts or frozenset(), data.channels, data.deleting, videos)


def _by_video(mentions: Sequence[StockMention]) -> dict[str, list[StockMention]]:
    by_video: dict[str, list[StockMention]] = defaultdict(list)
    for mention in mentions:
        by_video[mention.video_id].append(mention)
    return by_video


def _one_video(video: Video, mentions: Sequence[StockMention]) -> Iterator[str]:
    name = f"video {video.id}"
    tickers = Counter(mention.ticker for mention in mentions)
    analysed = video.analysis_status == AnalysisStatus.COMPLETED
    if video.id != ids.video_id(video.channel_id, video.youtube_video_id):
        yield f"{name} has not the id that its YouTube id gives it"
    if doubled := [ticker for ticker, count in tickers.items() if count > 1]:
        yield f"{name} has more than one mention of {', '.join(doubled)}"
    if set(video.tickers) != tickers.keys():
        yield f"{name} says it speaks of {sorted(video.tickers)}, its mentions of {sorted(tickers)}"
    elif differing := [mention.ticker for mention in mentions if mention not in video.calls]:
        yield f"{name} differs from its mentions on {', '.join(sorted(differing))}"
    if tickers and not analysed:
        yield f"{name} has mentions, but its analysis is {video.analysis_status}"
    if analysed and video.transcript_status != TranscriptStatus.FETCHED:
        yield f"{name} was analysed, but its transcript is {video.transcript_status}"


def _scan(table: str) -> Iterator[Item]:
    """Every item of a table. Only this check scans; the functions never do."""
    for page in dynamodb().get_paginator("scan").paginate(TableName=table, ConsistentRead=True):
        yield from page["Items"]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
