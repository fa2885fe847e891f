"""Dispatches work that continues after the response: to Step Functions and SQS on AWS, to a local queue otherwise."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from functools import cache
from math import ceil
from typing import Any, Protocol, get_args

from functions.runtime.concurrency import for_each
from functions.runtime.errors import InvalidSetting
from functions.runtime.observability import logger
from functions.runtime.settings import settings


@dataclass(frozen=True, slots=True)
class RefreshPrices:
    tickers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class UpdateSeries:
    tickers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BackfillPrices:
    channel_id: str


@dataclass(frozen=True, slots=True)
class ScoreChannel:
    channel_id: str


@dataclass(frozen=True, slots=True)
class ScoreMentions:
    """Score every channel that mentions one of these stocks."""

    tickers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ScoreMentionsOfDays:
    """Score every channel that mentioned one of these stocks on these days, both inclusive."""

    tickers: tuple[str, ...]
    first_day: str
    last_day: str


@dataclass(frozen=True, slots=True)
class ReadTranscript:
    """Analyse an uploaded transcript."""

    channel_id: str
    video_id: str


@dataclass(frozen=True, slots=True)
class RunTask:
    """Run one task of a plan."""

    plan_id: str
    key: str

    @property
    def name(self) -> str:
        return f"{self.plan_id}/{self.key}"


@dataclass(frozen=True, slots=True)
class FinishPlanChange:
    """Finish a change to a plan, such as `create`, whose writer crashed."""

    plan_id: str
    change: str


@dataclass(frozen=True, slots=True)
class WriteExport:
    """Goes to a dedicated queue and worker, because it can take many minutes."""

    export_id: str


@dataclass(frozen=True, slots=True)
class ImportData:
    """Import an uploaded file. Shares the exports queue, because it can take just as long."""

    import_id: str


@dataclass(frozen=True, slots=True)
class AnalyseNews:
    """Classify stories that have no sentiment yet. Each item is a source id and a timestamp, separated by a space."""

    items: tuple[str, ...]


Job = (
    RefreshPrices
    | UpdateSeries
    | BackfillPrices
    | ScoreChannel
    | ScoreMentions
    | ScoreMentionsOfDays
    | ReadTranscript
    | RunTask
    | FinishPlanChange
    | WriteExport
    | ImportData
    | AnalyseNews
)
JOBS: dict[str, type[Job]] = {kind.__name__: kind for kind in get_args(Job)}
LONG_JOBS = (WriteExport, ImportData)
"""Jobs with a dedicated queue and worker."""
JOBS_AT_ONCE = 10
"""The most messages that a request to SQS may have."""
MAX_DELAY_SECONDS = 900
"""Maximum SQS message delay."""


class Dispatcher(Protocol):
    def start_run(self, channel_id: str, run_id: str) -> None:
        """Starts a run. Idempotent."""

    def stop_run(self, channel_id: str, run_id: str) -> None:
        """Stops the workers of a cancelled run. Their writes are already rejected."""

    def send(self, job: Job, delay_seconds: float = 0) -> None:
        """Sends a job after the given delay, capped at 15 minutes."""


def job_to_message(job: Job) -> str:
    return json.dumps({"kind": type(job).__name__, **asdict(job)})


def job_from_message(message: str) -> Job:
    """Parses a job; raises ValueError if the message does not contain one."""
    content = json.loads(message)
    kind = JOBS.get(content.pop("kind", "")) if isinstance(content, dict) else None
    if kind is None:
        raise ValueError(f"not a job: {message[:200]}")
    values: dict[str, Any] = {}
    for field in fields(kind):
        value = content.get(field.name)
        # Job fields are either strings or tuples of strings.
        if not isinstance(value, str if field.type is str else list):
            raise ValueError(f"not a job: {message[:200]}")
        values[field.name] = value if isinstance(value, str) else tuple(map(str, value))
    return kind(**values)


class AwsDispatcher:
    def start_run(self, channel_id: str, run_id: str) -> None:
        client = _client("stepfunctions")
        # The execution is named after its run, so Step Functions itself rejects a duplicate start.
        try:
            client.start_execution(
                stateMachineArn=_require(settings().state_machine_arn, "STATE_MACHINE_ARN", "process channels"),
                name=run_id,
                input=json.dumps({"channel_id": channel_id, "run_id": run_id}),
            )
        except client.exceptions.ExecutionAlreadyExists:
            return

    def stop_run(self, channel_id: str, run_id: str) -> None:
        client = _client("stepfunctions")
        machine = _require(settings().state_machine_arn, "STATE_MACHINE_ARN", "process channels")
        execution = f"{machine.replace(':stateMachine:', ':execution:')}:{run_id}"
        try:
            client.stop_execution(executionArn=execution, cause=f"channel {channel_id} was cancelled")
        except client.exceptions.ExecutionDoesNotExist:
            return

    def send(self, job: Job, delay_seconds: float = 0) -> None:
        queue = _queue_of(job)
        delay = {"DelaySeconds": min(MAX_DELAY_SECONDS, ceil(delay_seconds))} if delay_seconds > 0 else {}
        _client("sqs").send_message(QueueUrl=queue, MessageBody=job_to_message(job), **delay)

    def send_all(self, jobs: Sequence[Job]) -> None:
        """Sends jobs of one queue, ten in a request. Logs those that the queue refuses."""
        for_each(self._send_some, [jobs[start : start + JOBS_AT_ONCE] for start in range(0, len(jobs), JOBS_AT_ONCE)])

    def _send_some(self, jobs: Sequence[Job]) -> None:
        entries = [{"Id": str(number), "MessageBody": job_to_message(job)} for number, job in enumerate(jobs)]
        refused = _client("sqs").send_message_batch(QueueUrl=_queue_of(jobs[0]), Entries=entries).get("Failed", [])
        if refused:
            reasons = sorted({str(each.get("Code")) for each in refused})
            logger.warning("Jobs were not sent", extra={"number": len(refused), "reasons": reasons})


_dispatchers: list[Dispatcher] = []


def dispatcher() -> Dispatcher:
    return _dispatchers[-1] if _dispatchers else AwsDispatcher()


def send_jobs(jobs: Iterable[Job]) -> None:
    """Sends many jobs of one kind. Those that are lost must be sent again by a scheduled job."""
    every, present = list(jobs), dispatcher()
    if isinstance(present, AwsDispatcher):
        present.send_all(every)
        return
    for job in every:
        present.send(job)


def dispatch_with(local: Dispatcher) -> None:
    """Replaces the AWS dispatcher, for the local profile and the tests."""
    _dispatchers[:] = [local]


def _queue_of(job: Job) -> str:
    if isinstance(job, LONG_JOBS):
        return _require(settings().exports_queue_url, "EXPORTS_QUEUE_URL", "write exports")
    if isinstance(job, AnalyseNews):
        return _require(settings().news_queue_url, "NEWS_QUEUE_URL", "analyse news")
    return _require(settings().jobs_queue_url, "JOBS_QUEUE_URL", "work on jobs")


def _require(value: str | None, name: str, purpose: str) -> str:
    if value is None:
        raise InvalidSetting(f"{name} is not set. It is needed to {purpose}.")
    return value


@cache
def _client(service: str) -> Any:
    import boto3

    return boto3.session.Session().client(service)
