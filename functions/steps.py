"""The background functions: the DynamoDB actions each may use, and when it is retried."""

import random
from dataclasses import dataclass
from http import HTTPStatus

from functions.routes import NEWS_OF_STOCKS, READ_TRANSCRIPT, EmailAction, FileAction, Grant
from functions.runtime.dynamodb.tables import (
    BY_STATUS,
    BY_TICKER_OR_LISTING,
    BY_YOUTUBE_CHANNEL_OR_CHANNEL,
    BY_YOUTUBE_VIDEO_OR_STATE,
    MAIN,
    NEWS,
    STOCKS,
)


@dataclass(frozen=True, slots=True)
class Step:
    room: str
    module: str
    """The module in the package's `pipeline/` folder, which also names its Lambda function."""
    grants: tuple[Grant, ...]
    timeout_seconds: int = 60
    memory: int = 512
    uses_providers: bool = False
    """May read the keys of the live providers."""
    uses_model: bool = False
    """May call the model on Amazon Bedrock, if that is the analyst."""
    reads_tone: bool = False
    """May call that model, if it classifies news sentiment."""
    starts_runs: bool = False
    sends_jobs: bool = False
    sends_exports: bool = False
    """May send exports and imports to their queue."""
    export_files: tuple[FileAction, ...] = ()
    """Allowed actions on export files."""
    sends_news: bool = False
    """May send news to be analysed."""
    transcripts: tuple[FileAction, ...] = ()
    """Allowed actions on stored transcripts."""
    signs_webhooks: bool = False
    """May read the secret from which webhook keys are derived."""
    email: tuple[EmailAction, ...] = ()
    """Allowed actions on the SNS topic that sends alerts by e-mail."""

    @property
    def import_name(self) -> str:
        return f"functions.{self.room}.pipeline.{self.module}"


@dataclass(frozen=True, slots=True)
class Retry:
    """Defines when a step is retried. The state machine is generated from it, and the local runner follows it."""

    errors: tuple[str, ...]
    """Step Functions error names: the class of an exception, or an error of Lambda itself."""
    attempts: int
    """Total number of attempts, including the first."""
    first_wait: int
    backoff: float
    longest_wait: int

    def longest_wait_before(self, retry: int) -> float:
        """Maximum wait in seconds before a retry (1 for the first); the actual wait is random below that."""
        return float(min(self.longest_wait, self.first_wait * self.backoff ** min(retry - 1, 100)))

    def wait_before(self, retry: int, retry_after: float | None = None) -> float:
        """Full jitter, like Step Functions. A Retry-After from the source takes precedence, up to the longest wait."""
        if retry_after is not None:
            return min(retry_after, self.longest_wait)
        return random.uniform(0, self.longest_wait_before(retry))


PRICES = Grant(STOCKS, ("BatchGetItem", "UpdateItem"))
WAITING_AND_DUE = Grant(MAIN, ("Query",), BY_TICKER_OR_LISTING)
"""The runs that wait for a slot and the checks that are due. A run that ends starts the next."""

RUN_STEPS = (
    Step(
        "record",
        "list_videos",
        (Grant(MAIN, ("BatchGetItem", "DeleteItem", "GetItem", "Query", "PutItem", "UpdateItem")), WAITING_AND_DUE),
        timeout_seconds=240,
        uses_providers=True,
        starts_runs=True,
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
        (
            Grant(MAIN, ("BatchGetItem", "DeleteItem", "GetItem", "Query", "PutItem", "UpdateItem")),
            WAITING_AND_DUE,
            PRICES,
        ),
        timeout_seconds=240,
        sends_jobs=True,
        starts_runs=True,
    ),
    Step(
        "record",
        "fail_run",
        (Grant(MAIN, ("BatchGetItem", "DeleteItem", "GetItem", "PutItem", "UpdateItem")), WAITING_AND_DUE),
        starts_runs=True,
    ),
)
"""Called by the state machine. Each times out before the lease of a run expires."""

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
"""Called by the jobs queue."""

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
"""Called by the exports queue, which also carries imports. The timeout is Lambda's maximum; this memory size comes with
a full vCPU."""

RESUME_DEAD_RUNS = Step(
    "record",
    "resume_dead_runs",
    (
        Grant(MAIN, ("BatchGetItem", "DeleteItem", "GetItem", "PutItem", "UpdateItem")),
        Grant(MAIN, ("Query",), BY_TICKER_OR_LISTING),
        Grant(MAIN, ("Query",), BY_YOUTUBE_VIDEO_OR_STATE),
    ),
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
)
"""Called on a schedule."""

DELIVER_ALERTS = Step(
    "alerts",
    "deliver_alerts",
    (
        Grant(MAIN, ("BatchGetItem", "BatchWriteItem", "GetItem", "PutItem", "UpdateItem")),
        Grant(MAIN, ("Query",), BY_TICKER_OR_LISTING),
        Grant(MAIN, ("Query",), BY_YOUTUBE_CHANNEL_OR_CHANNEL),
        Grant(MAIN, ("Query",), BY_YOUTUBE_VIDEO_OR_STATE),
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
    # A job has 25 stories with a few stocks each, and a model takes a second or two for each of them.
    timeout_seconds=240,
    uses_providers=True,
    reads_tone=True,
    sends_jobs=True,
)
"""Called by the news queue."""

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
"""Number of videos that the local runner processes concurrently."""
JOB_ATTEMPTS = 3
"""Attempts before a job is given up, which on AWS moves it to the dead-letter queue."""

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
"""No concurrency left in the account. The waits add up to less than a lease, so the run stays alive."""
TASK_RETRY = Retry((), attempts=4, first_wait=10, backoff=4, longest_wait=300)
"""For tasks of plans: all errors except those that another attempt would repeat."""
EXPORT_RETRY = Retry((), attempts=3, first_wait=10, backoff=4, longest_wait=300)
"""For exports and imports: the same errors."""
RETRIES = (TRANSIENT, THROTTLED)
PLACE_WAIT_SECONDS = 60
"""How long a run waits before it tries again to get a slot. Each try is a heartbeat."""

TOKEN_WAIT_SECONDS = 120
"""How long a run whose tokens are spent waits before it checks for a new day. Each check is a heartbeat."""

PRICE_CHECKS = 25
"""How often a run polls for the closes of its stocks: for at most six minutes."""
LONGEST_PRICE_WAIT = 15


def price_wait_seconds(checks: int) -> int:
    """Wait after this many polls; short at first, because most closes are fetched while videos are analysed."""
    return int(min(LONGEST_PRICE_WAIT, 2 ** min(checks, 10)))


LONGEST_LOOK_WAIT = 30


def look_wait_seconds(looks: int) -> int:
    """Wait after this many polls of a run; short at first, because many runs find nothing new."""
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
"""Errors that the user has to correct, such as a mistyped channel: they trigger no alarm."""


def retry_of(error: str) -> Retry | None:
    """Returns the retry for an error name; None for a permanent error."""
    return next((retry for retry in RETRIES if error in retry.errors), None)


def is_transient(problem: BaseException) -> bool:
    """True if a retry may help, judging by the class of the error, or by the code and status of a ClientError."""
    names = {kind.__name__ for kind in type(problem).__mro__}
    response = getattr(problem, "response", None)
    if "ClientError" in names and isinstance(response, dict):
        names.add(response.get("Error", {}).get("Code", ""))
        if response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0) >= HTTPStatus.INTERNAL_SERVER_ERROR:
            return True
    return bool(names & TRANSIENT_ERRORS)
