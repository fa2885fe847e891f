"""Runs whose worker died: finding them, and resuming them a few times before giving up."""

from collections.abc import Container, Iterator
from contextlib import suppress
from dataclasses import dataclass, field

from functions.record.channels.starting import Start, start_or_leave
from functions.record.errors import ChannelNotProcessing
from functions.record.models.records import Channel
from functions.record.store import runs
from functions.record.store.channels import channels_under_way
from functions.runtime import ids
from functions.runtime.clock import now


@dataclass(frozen=True, slots=True)
class Swept:
    """The channels whose run was found dead, by outcome."""

    resumed: list[Channel] = field(default_factory=list)
    given_up: list[Channel] = field(default_factory=list)


def dead_runs(*, lease_before: str | None = None) -> Iterator[Channel]:
    """Yields channels in progress whose lease expired before `lease_before`, by default now.

    Reads the channels whose run has a worker, as many as there are slots, and no other. The index is eventually
    consistent, so callers must write under the same condition.
    """
    before = lease_before or now()
    for channel in channels_under_way():
        if channel.is_under_way and (channel.lease_until or "") < before:
            yield channel


def resume_dead_runs(start: Start, *, lease_before: str | None = None, at_work: Container[str] = ()) -> Swept:
    """Replaces each dead run with a new one. A run that keeps dying is marked failed instead.

    `at_work` holds the ids of channels whose run is alive, whatever its lease says.
    """
    swept = Swept()
    for channel in dead_runs(lease_before=lease_before):
        if channel.id in at_work:
            continue
        if run_id := take_over(channel, lease_before=lease_before):
            swept.resumed.append(channel)
            start_or_leave(start, channel.id, run_id)
        elif _give_up(channel, lease_before=lease_before):
            swept.given_up.append(channel)
    return swept


def take_over(channel: Channel, *, lease_before: str | None = None) -> str | None:
    """Returns the id of a new run that replaces the dead one; None if that is over, alive, or resumed too often."""
    run_id = ids.new_run_id()
    message = "The run was interrupted. Continuing with the videos that are not finished."
    try:
        runs.take_over_run(channel.id, run_id, message, lease_before=lease_before)
    except ChannelNotProcessing:
        return None
    return run_id


def _give_up(channel: Channel, *, lease_before: str | None) -> bool:
    error = f"The run was interrupted {runs.MAX_RESUMPTIONS + 1} times in a row without finishing a video."
    message = f"Failed. {error} Videos finished before are kept; process the channel again to continue."
    with suppress(ChannelNotProcessing):
        runs.release_dead_run(channel.id, message, lease_before=lease_before, error=error)
        return True
    return False
