"""Runs whose worker died: finding them, and giving their channels back."""

from collections.abc import Iterator
from contextlib import suppress

from functions.core import ids
from functions.core.clock import now
from functions.core.errors import ChannelNotProcessing
from functions.core.models import Channel, ChannelStatus
from functions.store import runs
from functions.store.channels import newest_channels

UNDER_WAY = (ChannelStatus.PENDING, ChannelStatus.PROCESSING)
PAGE = 100


def dead_runs(*, lease_before: str | None = None) -> Iterator[Channel]:
    """Channels under way whose lease ended before now, or before the moment given.

    The list may lag behind the truth, so whoever acts on it writes under the same condition.
    """
    before = lease_before or now()
    for channel in _every_channel():
        if channel.status in UNDER_WAY and (channel.lease_until or "") < before:
            yield channel


def free_dead_runs() -> list[str]:
    """Ends the dead runs, so that their channels can be processed again; the ids of those channels."""
    message = (
        "Failed. The run stopped without a word and was given up. Videos finished so far are kept; "
        "process the channel again to go on with the others."
    )
    freed = []
    for channel in dead_runs():
        with suppress(ChannelNotProcessing):
            runs.release_dead_run(channel.id, message)
            freed.append(channel.id)
    return freed


def take_over(channel: Channel, *, lease_before: str | None = None) -> str | None:
    """A new run in the place of a channel's dead one; None when that one is over, or alive after all."""
    run_id = ids.new_run_id()
    message = "The run was interrupted. Going on with the videos that are not finished."
    try:
        runs.take_over_run(channel.id, run_id, message, lease_before=lease_before)
    except ChannelNotProcessing:
        return None
    return run_id


def _every_channel() -> Iterator[Channel]:
    start = None
    while True:
        page = newest_channels(PAGE, start)
        yield from page.items
        start = page.next_key
        if start is None:
            return
