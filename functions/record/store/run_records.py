"""The records of runs: what each found, how it ended, and the outcome of each video in it."""

from collections.abc import Mapping
from typing import Any

from functions.reading.analyst import TokenUsage
from functions.record.models.records import AnalysisStatus, Video
from functions.record.models.runs import Attempt, Run, RunKind, RunStatus, StartedBy
from functions.runtime import ids
from functions.runtime.clock import from_milliseconds, now
from functions.runtime.dynamodb import tables
from functions.runtime.dynamodb.attributes import Item, Value, encode
from functions.runtime.dynamodb.connection import main_table
from functions.runtime.dynamodb.requests import Action, Page, get, query, query_page, update_action

MAX_FILTERED_REQUESTS = 20
"""Maximum requests per page of a filtered list. If few runs match, a page may be short and still have a next one."""
WORKER_DIED = "Its worker died before the run was finished."

_COUNTERS = {
    AnalysisStatus.COMPLETED: "processed",
    AnalysisStatus.SKIPPED: "skipped",
    AnalysisStatus.FAILED: "failed",
}


def run_of_channel(channel_id: str, run_id: str) -> Run | None:
    item = get(main_table(), tables.run_key(channel_id, run_id), consistent=True)
    return Run.from_item(item) if item else None


def run_by_id(run_id: str) -> Run | None:
    """The index is eventually consistent: a run that has just been claimed may not be found yet."""
    items = query(
        TableName=main_table(),
        IndexName=tables.BY_YOUTUBE_CHANNEL_OR_CHANNEL.name,
        KeyConditionExpression="GSI2PK = :pk",
        ExpressionAttributeValues=encode({":pk": tables.run_pk(run_id)}),
    )
    return next(map(Run.from_item, items), None)


def runs_of_channel(channel_id: str, limit: int, start: Item | None = None) -> Page[Run]:
    """Newest first."""
    page = query_page(limit, start, **_below_channel(channel_id, tables.RUN_PREFIX), ScanIndexForward=False)
    return Page([Run.from_item(item) for item in page.items], page.next_key)


def all_runs(
    limit: int, start: Item | None = None, *, status: RunStatus | None = None, analyst: str | None = None
) -> Page[Run]:
    """Returns the runs of all channels, newest first; with a filter, as many as a limited number of requests finds."""
    wanted = {name: value for name, value in (("status", status), ("analyst", analyst)) if value is not None}
    filters: dict[str, Any] = {}
    if wanted:
        filters = {
            "FilterExpression": " AND ".join(f"#{name} = :{name}" for name in wanted),
            "ExpressionAttributeNames": {f"#{name}": name for name in wanted},
        }
    values = {":pk": tables.ALL_RUNS, **{f":{name}": value for name, value in wanted.items()}}
    page = query_page(
        limit,
        start,
        TableName=main_table(),
        IndexName=tables.BY_TICKER_OR_LISTING.name,
        KeyConditionExpression="GSI1PK = :pk",
        ExpressionAttributeValues=encode(values),
        ScanIndexForward=False,
        max_requests=MAX_FILTERED_REQUESTS if wanted else None,
        **filters,
    )
    return Page([Run.from_item(item) for item in page.items], page.next_key)


def attempts_of_video(channel_id: str, video_id: str, limit: int, start: Item | None = None) -> Page[Attempt]:
    """Newest first."""
    below = _below_channel(channel_id, tables.attempt_sk(video_id))
    page = query_page(limit, start, **below, ScanIndexForward=False)
    return Page([Attempt.from_item(item) for item in page.items], page.next_key)


def record_action(
    channel_id: str, run_id: str, sets: Mapping[str, Value], adds: Mapping[str, int] | None = None
) -> Action:
    """Returns the write to a run's record, which creates the record if it is missing because the run began before
    records existed. Another action's condition must ensure that the run may write at all."""
    identity = _identity(channel_id, run_id)
    given = {name: value for name, value in sets.items() if value is not None}
    assignments = [
        *(f"#{name} = :{name}" for name in given),
        *(f"#{name} = if_not_exists(#{name}, :{name})" for name in identity if name not in given),
    ]
    added = {name: number for name, number in (adds or {}).items() if number}
    expression = f"SET {', '.join(assignments)}"
    if added:
        expression += f" ADD {', '.join(f'#{name} :{name}' for name in added)}"
    values = {**identity, **given, **added}
    return {"Update": update_action(tables.run_key(channel_id, run_id), expression, "", values)}


def interrupted_action(channel_id: str, run_id: str, continued_by: str) -> Action:
    """Returns the write to the record of a run whose worker died, once another run has taken over."""
    ended: dict[str, Value] = {
        "status": RunStatus.INTERRUPTED,
        "ended_at": now(),
        "error": WORKER_DIED,
        "continued_by": continued_by,
    }
    return record_action(channel_id, run_id, ended)


def new_record(run: Run) -> Action:
    """Returns the write that creates a run's record; refused if the run already has one."""
    return {
        "Put": {"TableName": main_table(), "Item": run.to_item(), "ConditionExpression": "attribute_not_exists(PK)"}
    }


def attempt_actions(
    run_id: str, video: Video, outcome: AnalysisStatus, problem: str | None, usage: TokenUsage
) -> list[Action]:
    """Returns the writes that record a video's outcome and count it in the run's record."""
    is_read = outcome == AnalysisStatus.COMPLETED
    calls = sum(mention.side != 0 for mention in video.calls) if is_read else 0
    attempt = Attempt(
        channel_id=video.channel_id,
        video_id=video.id,
        run_id=run_id,
        outcome=outcome,
        ended_at=now(),
        analyst=video.analyst if is_read else None,
        mentions=sum(mention.counts for mention in video.calls) if is_read else 0,
        calls=calls,
        problem=None if is_read else problem,
    )
    counts = {_COUNTERS[outcome]: 1, "calls": calls} if outcome in _COUNTERS else {}
    counts |= {"tokens_in": usage.input, "tokens_out": usage.output}
    return [
        record_action(video.channel_id, run_id, {"status": RunStatus.PROCESSING}, counts),
        {"Put": {"TableName": main_table(), "Item": attempt.to_item()}},
    ]


def _identity(channel_id: str, run_id: str) -> dict[str, Value]:
    """The attributes every record has."""
    started_at = from_milliseconds(ids.milliseconds_of(run_id)) if ids.is_ulid(run_id) else now()
    run = Run(run_id, channel_id, started_at, RunStatus.PROCESSING)
    index_keys = {name: key for name, key in run.keys().items() if name not in ("PK", "SK")}
    return {
        **index_keys,
        "entity": Run.__name__,
        "id": run_id,
        "channel_id": channel_id,
        "started_at": started_at,
        "status": run.status,
        "kind": RunKind.PROCESS,
        "started_by": StartedBy.PERSON,
    }


def _below_channel(channel_id: str, prefix: str) -> dict[str, Any]:
    return {
        "TableName": main_table(),
        "KeyConditionExpression": "PK = :pk AND begins_with(SK, :prefix)",
        "ExpressionAttributeValues": encode({":pk": tables.channel_pk(channel_id), ":prefix": prefix}),
    }
