"""The life cycle of a channel: creating, listing, processing, cancelling and deleting it, and its log."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from functions.record.channels.starting import start_or_leave, start_or_wait
from functions.record.channels.youtube_urls import parse_channel_url
from functions.record.errors import ChannelNotFound
from functions.record.models.check_intervals import next_check
from functions.record.models.records import Channel, ChannelStatus, CheckEvery, LogLevel, ProcessingLog
from functions.record.models.runs import SOMEBODY, RunKind, StartedBy, Starter
from functions.record.store import channels, checks, logs, runs
from functions.runtime import ids
from functions.runtime.caller import OPERATOR, Caller
from functions.runtime.clock import now, seconds_from_now
from functions.runtime.concurrency import run_parallel
from functions.runtime.dynamodb.attributes import Item
from functions.runtime.dynamodb.requests import Page
from functions.runtime.settings import settings

if TYPE_CHECKING:
    from functions.runtime.dispatch import Dispatcher

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class NumberedPage:
    items: list[Channel]
    total: int
    page: int
    per_page: int


def create_channel(
    url: str, time_range_months: int, *, starter: Starter = SOMEBODY, run_id: str | None = None
) -> Channel:
    """Creates a channel and starts its first run, under `run_id` or a new id."""
    name = parse_channel_url(url)
    created = now()
    check_every = CheckEvery(settings().check_every)
    channel = Channel(
        id=ids.new_channel_id(),
        youtube_channel_id=name.identifier,
        name=name.name,
        url=url,
        created_at=created,
        updated_at=created,
        time_range_months=time_range_months,
        run_id=run_id or ids.new_run_id(),
        lease_until=seconds_from_now(runs.LEASE_SECONDS),
        guards=(name.identifier,),
        check_every=check_every,
        next_check_at=next_check(created, check_every, failed_runs=0),
    )
    channels.create_channel(channel, starter)
    _start(channel, starter)
    return channel


def get_channel(channel_id: str, *, consistent: bool = False) -> Channel:
    channel = channels.channel_by_id(require_channel_id(channel_id), consistent=consistent)
    if channel is None:
        raise ChannelNotFound(channel_id)
    return channel


def list_channels(page: int, per_page: int) -> NumberedPage:
    items, total = run_parallel(lambda: channels.channels_on_page(page, per_page), channels.count_channels)
    return NumberedPage(items, total, page, per_page)


def channels_after(start: Item | None, limit: int) -> Page[Channel]:
    return channels.newest_channels(limit, start)


def delete_channel(channel_id: str, by: Caller = OPERATOR) -> None:
    channels.delete_channel(require_channel_id(channel_id), by)


def process_channel(
    channel_id: str, *, rereading: bool = False, starter: Starter = SOMEBODY, run_id: str | None = None
) -> Channel:
    """Starts a run that looks for new videos, or one that rereads the stored transcripts.

    Idempotent for the same `run_id`.
    """
    run_id = run_id or ids.new_run_id()
    kind = RunKind.REREAD if rereading else RunKind.PROCESS
    channel = runs.claim_run(require_channel_id(channel_id), run_id, kind=kind, starter=starter)
    if channel.run_id == run_id and channel.is_under_way:
        _start(channel, starter)
    return channel


def change_channel(
    channel_id: str, check_every: CheckEvery | None, time_range_months: int | None, by: Caller = OPERATOR
) -> Channel:
    """Changes how often a channel is checked, its time range in months, or both; None leaves a setting unchanged."""
    return checks.change_channel(require_channel_id(channel_id), check_every, time_range_months, by)


def cancel_channel(channel_id: str, by: Caller = OPERATOR) -> Channel:
    """Ends the run under way. Raises NotTheOwner for a person who did not start it, unless they are an admin."""
    get_channel(channel_id, consistent=True)
    if run_id := runs.cancel_run(channel_id, "Cancelled. Videos finished so far are kept.", by):
        _dispatcher().stop_run(channel_id, run_id)
    return get_channel(channel_id, consistent=True)


def list_logs(channel_id: str, since: str | None, *, consistent: bool) -> list[ProcessingLog]:
    _, lines = channel_and(
        channel_id,
        lambda: logs.logs_of_channel(channel_id, since, consistent=consistent),
        consistent=consistent,
    )
    return lines


def logs_after(
    channel_id: str, start: Item | None, limit: int, since: str | None, *, consistent: bool
) -> Page[ProcessingLog]:
    _, page = channel_and(
        channel_id,
        lambda: logs.page_of_logs(channel_id, limit, start, since, consistent=consistent),
        consistent=consistent,
    )
    return page


def channel_and(channel_id: str, read: Callable[[], Result], *, consistent: bool = False) -> tuple[Channel, Result]:
    """Returns the channel and the result of `read`, fetched in parallel; raises ChannelNotFound if it is unknown."""
    require_channel_id(channel_id)
    return run_parallel(lambda: get_channel(channel_id, consistent=consistent), read)


def living_channel_and(channel_id: str, read: Callable[[], Result]) -> tuple[Channel, Result]:
    """The same, but raises ChannelNotFound for a channel that is being deleted too."""
    channel, result = channel_and(channel_id, read)
    if channel.deleting:
        raise ChannelNotFound(channel_id)
    return channel, result


def require_channel_id(channel_id: str) -> str:
    """Returns the id, or raises ChannelNotFound for text that cannot be one, without a request to DynamoDB."""
    if not ids.is_uuid(channel_id):
        raise ChannelNotFound(channel_id)
    return channel_id


def _start(channel: Channel, starter: Starter) -> None:
    """Dispatches the run, or lets it wait for a slot. If that fails, the run is marked failed immediately, so another
    can start; a plan's run is left to be resumed, since no person will start another."""
    assert channel.run_id
    if starter.kind is StartedBy.PLAN:
        start_or_leave(_dispatcher().start_run, channel.id, channel.run_id)
        return
    try:
        start_or_wait(_dispatcher().start_run, channel.id, channel.run_id)
    except Exception:
        runs.begin_run(channel.id, channel.run_id, "Starting…")
        message = "The run could not be started. Process the channel again in a while."
        runs.finish_run(channel.id, channel.run_id, ChannelStatus.FAILED, LogLevel.ERROR, message, error=message)
        raise


def _dispatcher() -> "Dispatcher":
    # Imported here, because most requests dispatch nothing.
    from functions.runtime.dispatch import dispatcher

    return dispatcher()
