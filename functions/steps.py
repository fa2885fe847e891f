"""The background functions: the DynamoDB actions each may use, and when it is retried."""

import random
from dataclasses import dataclass
from http import HTTPStatus

from functions.routes import NEWS_OF_STOCKS, READ_TRANSCRIPT, EmailAction, FileAction, Grant
from functions.runtime.dynamodb.tables import (
    BY_STATUS,
    BY_TICKER_OR_LISTING,
    BY_YOUTUBE_CHANNEL_OR_CHANNEL,
    MAIN,
    NEWS,
    STOCKS,
)


@dataclass(frozen=True, slots=True)
class Step:
    room: str
    module: str
    """The file in the room's `pipeline/` folder, which also names its Lambda function."""
    grants: tuple[Grant, ...]
    timeout_seconds: int = 60
    memory: int = 512
    uses_providers: bool = False
    """Whether it may read the keys of the live providers."""
    uses_model: bool = False
    """Whether it may call the model on Amazon Bedrock, where that is the analyst."""
    reads_tone: bool = False
    """Whether it may call that model where it reads the tone of news."""
    starts_runs: bool = False
    sends_jobs: bool = False
    sends_exports: bool = False
    """Whether it may send exports and imports to their queue."""
    export_files: tuple[FileAction, ...] = ()
    """What it may do to the files of exports."""
    sends_news: bool = False
    """Whether it may send news to be analysed."""
    transcripts: tuple[FileAction, ...] = ()
    """What it may do to the kept transcripts."""
    signs_webhooks: bool = False
    """Whether it may read the secret that the keys of webhooks are derived from."""
    email: tuple[EmailAction, ...] = ()
    """What it may do to the topic that sends alerts as e-mail."""
    takes_places: bool = False
    """Whether it needs the setting of how many runs may be under way at once."""

    @property
    def import_name(self) -> str:
        return f"functions.{self.room}.pipeline.{self.module}"


@dataclass(frozen=True, slots=True)
class Retry:
    """When a step is retried. The state machine is generated from it, and the local runner follows it."""

    errors: tuple[str, ...]
    """As Step Functions names them: the class of an exception, or an error of Lambda itself."""
    attempts: int
    """In all, the first one included."""
    first_wait: int
    backoff: float
    longest_wait: int

    def longest_wait_before(self, retry: int) -> float:
        """The longest wait in seconds before a retry, the first being 1; the actual wait is shorter at random."""
        return float(min(self.longest_wait, self.first_wait * self.backoff ** min(retry - 1, 100)))

    def wait_before(self, retry: int, retry_after: float | None = None) -> float:
        """With full jitter, like Step Functions. A Retry-After of the source goes before, up to the longest wait."""
        if retry_after is not None:
            return min(retry_after, self.longest_wait)
        return random.uniform(0, self.longest_wait_before(retry))


PRICES = Grant(STOCKS, ("BatchGetItem", "UpdateItem"))

RUN_STEPS = (
    Step(
        "record",
        "list_videos",
        (Grant(MAIN, ("BatchGetItem", "GetItem", "Query", "PutItem", "UpdateItem")),),
        timeout_seconds=240,
        uses_providers=True,
        takes_places=True,
    ),
    Step(
        "record",
        "process_video",
        (Grant(MAIN, ("BatchGetItem", "DeleteItem", "GetItem", "Query", "PutItem", "UpdateItem")), PRICES),
        timeout_seconds=240,
        memory=1024,
        uses_providers=True,
        uses_model=True,
        sends_jobs=True,
        transcripts=(*READ_TRANSCRIPT, "PutObject", "DeleteObject"),
    ),
    Step("record", "record_failed_video", (Grant(MAIN, ("GetItem", "PutItem", "UpdateItem")),)),
    Step(
        "record",
        "price_calls",
        (Grant(MAIN, ("BatchGetItem", "ConditionCheckItem", "Query", "PutItem", "UpdateItem")), PRICES),
        timeout_seconds=240,
        memory=1024,
        uses_providers=True,
        sends_jobs=True,
    ),
    Step(
        "record",
        "finish_run",
        (Grant(MAIN, ("GetItem", "Query", "PutItem", "UpdateItem")), PRICES),
        timeout_seconds=240,
        sends_jobs=True,
    ),
    Step("record", "fail_run", (Grant(MAIN, ("GetItem", "PutItem", "UpdateItem")),)),
)
"""Called by the state machine. Each times out before the lease of a run ends."""

RUN_JOBS = Step(
    "service",
    "run_jobs",
    (
        Grant(MAIN, ("BatchGetItem", "ConditionCheckItem", "DeleteItem", "GetItem", "Query", "PutItem", "UpdateItem")),
        Grant(MAIN, ("Query",), BY_TICKER_OR_LISTING),
        PRICES,
        Grant(NEWS, ("GetItem", "PutItem", "UpdateItem")),
        NEWS_OF_STOCKS,
    ),
    timeout_seconds=240,
    memory=1024,
    uses_providers=True,
    uses_model=True,
    starts_runs=True,
    sends_jobs=True,
    sends_exports=True,
    sends_news=True,
    transcripts=(*READ_TRANSCRIPT, "DeleteObject"),
)
"""Called by the queue of jobs."""

WRITE_EXPORTS = Step(
    "transfers",
    "write_exports",
    (
        Grant(
            MAIN,
            (
                "BatchGetItem",
                "BatchWriteItem",
                "ConditionCheckItem",
                "DeleteItem",
                "GetItem",
                "PutItem",
                "Query",
                "UpdateItem",
            ),
        ),
        Grant(MAIN, ("Query",), BY_TICKER_OR_LISTING),
        PRICES,
    ),
    timeout_seconds=900,
    memory=1769,
    sends_jobs=True,
    sends_exports=True,
    export_files=("AbortMultipartUpload", "DeleteObject", "GetObject", "ListBucket", "PutObject"),
)
"""Called by the queue of exports, which holds imports too. Lambda allows no longer time; with this memory it has a
whole processor."""

RESUME_DEAD_RUNS = Step(
    "record",
    "resume_dead_runs",
    (Grant(MAIN, ("GetItem", "PutItem", "UpdateItem")), Grant(MAIN, ("Query",), BY_TICKER_OR_LISTING)),
    starts_runs=True,
)
"""Called on a schedule."""

UPDATE_PRICES = Step("record", "update_prices", (Grant(MAIN, ("Query",), BY_TICKER_OR_LISTING),), sends_jobs=True)
"""Called on a schedule."""

SEND_DUE_TASKS = Step(
    "plans",
    "send_due_tasks",
    (
        Grant(MAIN, ("UpdateItem",)),
        Grant(MAIN, ("Query",), BY_TICKER_OR_LISTING),
        Grant(MAIN, ("Query",), BY_YOUTUBE_CHANNEL_OR_CHANNEL),
    ),
    sends_jobs=True,
    sends_exports=True,
)
"""Called on a schedule."""

CHECK_CHANNELS = Step(
    "record",
    "check_channels",
    (
        Grant(MAIN, ("BatchGetItem", "DeleteItem", "GetItem", "PutItem", "UpdateItem")),
        Grant(MAIN, ("Query",), BY_TICKER_OR_LISTING),
    ),
    starts_runs=True,
    takes_places=True,
)
"""Called on a schedule."""

DELIVER_ALERTS = Step(
    "alerts",
    "deliver_alerts",
    (
        Grant(MAIN, ("BatchGetItem", "BatchWriteItem", "GetItem", "PutItem", "UpdateItem")),
        Grant(MAIN, ("Query",), BY_TICKER_OR_LISTING),
        Grant(MAIN, ("Query",), BY_YOUTUBE_CHANNEL_OR_CHANNEL),
    ),
    timeout_seconds=120,
    signs_webhooks=True,
    email=("Publish",),
)
"""Called on a schedule."""

ANALYSE_NEWS = Step(
    "news",
    "analyse_news",
    (Grant(NEWS, ("GetItem", "UpdateItem")),),
    # A job of 25 stories with a few stocks each: a model takes a second or two for each of them.
    timeout_seconds=240,
    uses_providers=True,
    reads_tone=True,
    sends_jobs=True,
)
"""Called by the queue of news."""

INGEST_NEWS = Step(
    "news",
    "ingest_news",
    (
        Grant(MAIN, ("BatchGetItem", "UpdateItem")),
        Grant(MAIN, ("Query",), BY_TICKER_OR_LISTING),
        Grant(NEWS, ("GetItem", "PutItem", "UpdateItem")),
    ),
    timeout_seconds=240,
    uses_providers=True,
    sends_news=True,
)
"""Called on a schedule."""

WATCH_NEWS = Step("news", "watch_news", (Grant(NEWS, ("Query",), BY_STATUS),), sends_news=True)
"""Called on a schedule."""

STEPS = (
    *RUN_STEPS,
    RUN_JOBS,
    WRITE_EXPORTS,
    RESUME_DEAD_RUNS,
    UPDATE_PRICES,
    SEND_DUE_TASKS,
    CHECK_CHANNELS,
    DELIVER_ALERTS,
    ANALYSE_NEWS,
    INGEST_NEWS,
    WATCH_NEWS,
)

VIDEOS_AT_ONCE = 10
"""How many videos the local runner processes at the same time."""
JOB_ATTEMPTS = 3
"""How often a job is tried before it is given up, which on AWS moves it to the dead-letter queue."""

TRANSIENT = Retry(
    (
        "TransientError",
        "Lambda.AWSLambdaException",
        "Lambda.ClientExecutionTimeoutException",
        "Lambda.SdkClientException",
        "Lambda.ServiceException",
    ),
    attempts=5,
    first_wait=2,
    backoff=2.5,
    longest_wait=30,
)
THROTTLED = Retry(("Lambda.TooManyRequestsException",), attempts=18, first_wait=2, backoff=2, longest_wait=20)
"""The account has no concurrent execution left. All waits together are shorter than a lease, so the run stays alive."""
TASK_RETRY = Retry((), attempts=4, first_wait=10, backoff=4, longest_wait=300)
"""Of the tasks of plans, for all errors but those that another attempt would repeat."""
EXPORT_RETRY = Retry((), attempts=3, first_wait=10, backoff=4, longest_wait=300)
"""Of exports and imports, for the same errors."""
RETRIES = (TRANSIENT, THROTTLED)
PLACE_WAIT_SECONDS = 60
"""How long a run waits before it tries again to take a place. Each try is a heartbeat."""

PRICE_CHECKS = 25
"""How often a run looks whether the closes of its stocks have been fetched: for six minutes at the most."""
LONGEST_PRICE_WAIT = 15


def price_wait_seconds(checks: int) -> int:
    """How long a run waits after so many looks; short at first, since most closes are fetched while videos are read."""
    return int(min(LONGEST_PRICE_WAIT, 2 ** min(checks, 10)))


LONGEST_LOOK_WAIT = 30


def look_wait_seconds(looks: int) -> int:
    """How long a task waits after so many looks at its run; short at first, since many runs find nothing new."""
    return int(min(LONGEST_LOOK_WAIT, 2 * 1.5 ** min(looks, 20)))


TRANSIENT_ERRORS = frozenset(
    {
        # Exception classes, with their subclasses.
        "BatchIncomplete",
        "ConnectionError",
        "HTTPClientError",
        "Unavailable",
        # Error codes of DynamoDB and other AWS services.
        "InternalFailure",
        "InternalServerError",
        "ProvisionedThroughputExceededException",
        "RequestLimitExceeded",
        "ServiceUnavailable",
        "Throttling",
        "ThrottlingException",
        "TransactionCanceledException",
        "TransactionConflictException",
        "TransactionInProgressException",
    }
)
EXPECTED_ERRORS = ("NotFound", "RunFailed")
"""Errors that the user has to correct, such as a mistyped channel: no alarm for the operator."""


def retry_of(error: str) -> Retry | None:
    """The retry for the error of this name; None for a permanent error."""
    return next((retry for retry in RETRIES if error in retry.errors), None)


def is_transient(problem: BaseException) -> bool:
    """Whether a retry may help, judged by the class of the error, or by the code and status of a ClientError."""
    names = {kind.__name__ for kind in type(problem).__mro__}
    response = getattr(problem, "response", None)
    if "ClientError" in names and isinstance(response, dict):
        names.add(response.get("Error", {}).get("Code", ""))
        if response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0) >= HTTPStatus.INTERNAL_SERVER_ERROR:
            return True
    return bool(names & TRANSIENT_ERRORS)
