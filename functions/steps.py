"""The table of steps: the functions that work behind the API, what each may do to which table, when it is retried."""

from dataclasses import dataclass
from http import HTTPStatus

from functions.core.tables import BY_TICKER_OR_LISTING, MAIN, STOCKS
from functions.routes import Grant


@dataclass(frozen=True, slots=True)
class Step:
    module: str
    """The file in `functions/pipeline/`."""
    grants: tuple[Grant, ...]
    timeout_seconds: int = 60
    memory: int = 512
    asks_providers: bool = False
    """Whether it may read the keys of the live providers."""
    asks_model: bool = False
    """Whether it may ask the model of Amazon Bedrock, where that is the analyst."""
    starts_runs: bool = False
    takes_places: bool = False
    """Whether it has to know how many runs may be under way at once."""


@dataclass(frozen=True, slots=True)
class Retry:
    """When a step is tried again. The state machine is made from it, and the local runner follows it."""

    errors: tuple[str, ...]
    """By the names that Step Functions knows them by: an exception's class, or an error of Lambda's own."""
    attempts: int
    """How often a step is tried in all, the first time included."""
    first_wait: int
    backoff: float
    longest_wait: int

    def longest_wait_before(self, retry: int) -> float:
        """The most seconds to wait before a retry, the first being 1. How long it really is, is left to chance."""
        return float(min(self.longest_wait, self.first_wait * self.backoff ** min(retry - 1, 100)))


PRICES = Grant(STOCKS, ("BatchGetItem", "UpdateItem"))

RUN_STEPS = (
    Step(
        "list_videos",
        (Grant(MAIN, ("GetItem", "Query", "PutItem", "UpdateItem")),),
        timeout_seconds=240,
        asks_providers=True,
        takes_places=True,
    ),
    Step(
        "process_video",
        (Grant(MAIN, ("GetItem", "PutItem", "UpdateItem")), PRICES),
        timeout_seconds=240,
        memory=1024,
        asks_providers=True,
        asks_model=True,
    ),
    Step("record_failed_video", (Grant(MAIN, ("GetItem", "PutItem", "UpdateItem")),)),
    Step(
        "finish_run",
        (Grant(MAIN, ("Query", "PutItem", "UpdateItem")), PRICES),
        timeout_seconds=240,
        asks_providers=True,
    ),
    Step("fail_run", (Grant(MAIN, ("PutItem", "UpdateItem")),)),
)
"""What the state machine calls. Each ends before the lease of a run does."""

RUN_JOBS = Step(
    "run_jobs",
    (Grant(MAIN, ("ConditionCheckItem", "GetItem", "Query", "PutItem", "UpdateItem")), PRICES),
    timeout_seconds=240,
    asks_providers=True,
)
"""What the queue calls."""

RESUME_DEAD_RUNS = Step(
    "resume_dead_runs",
    (Grant(MAIN, ("PutItem", "UpdateItem")), Grant(MAIN, ("Query",), BY_TICKER_OR_LISTING)),
    starts_runs=True,
)
"""What the clock calls."""

STEPS = (*RUN_STEPS, RUN_JOBS, RESUME_DEAD_RUNS)

VIDEOS_AT_ONCE = 10
"""How many videos the local runner processes at the same time."""
JOB_ATTEMPTS = 3
"""How often a price job is tried before it is given up: on AWS it is in the dead-letter queue then."""

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
"""The account has no concurrent execution left. All waits together are shorter than a lease: the run is not dead."""
RETRIES = (TRANSIENT, THROTTLED)
PLACE_WAIT_SECONDS = 60
"""How long a run waits before it asks again for a place. Each time it asks is a heartbeat."""

TRANSIENT_ERRORS = frozenset(
    {
        # Classes, with all that are made from them.
        "BatchIncomplete",
        "ConnectionError",
        "HTTPClientError",
        "Unavailable",
        # Codes of DynamoDB and of AWS itself.
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
"""Errors of a run that its user has to see to, such as a mistyped channel: no alarm for the operator."""


def retry_of(error: str) -> Retry | None:
    """The retry that an error gets, by its name; None for a permanent one."""
    return next((retry for retry in RETRIES if error in retry.errors), None)


def is_transient(problem: BaseException) -> bool:
    """Whether trying again may help, by the error's class and its bases, or by what AWS says in a ClientError."""
    names = {kind.__name__ for kind in type(problem).__mro__}
    response = getattr(problem, "response", None)
    if "ClientError" in names and isinstance(response, dict):
        names.add(response.get("Error", {}).get("Code", ""))
        if response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0) >= HTTPStatus.INTERNAL_SERVER_ERROR:
            return True
    return bool(names & TRANSIENT_ERRORS)
