"""The table of steps: the functions that work behind the API, and exactly what each may do to which table."""

from dataclasses import dataclass

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


PRICES = Grant(STOCKS, ("BatchGetItem", "UpdateItem"))

RUN_STEPS = (
    Step(
        "list_videos",
        (Grant(MAIN, ("GetItem", "Query", "PutItem", "UpdateItem")),),
        timeout_seconds=240,
        asks_providers=True,
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

FREE_DEAD_RUNS = Step(
    "free_dead_runs",
    (Grant(MAIN, ("PutItem", "UpdateItem")), Grant(MAIN, ("Query",), BY_TICKER_OR_LISTING)),
)
"""What the clock calls."""

VIDEOS_AT_ONCE = 10
"""How many videos of a run are processed side by side."""

STEPS = (*RUN_STEPS, RUN_JOBS, FREE_DEAD_RUNS)

PASSING_FAULTS = (
    "BatchIncomplete",
    "ClientError",
    "ConnectTimeoutError",
    "ConnectionClosedError",
    "EndpointConnectionError",
    "InternalServerError",
    "ProvisionedThroughputExceededException",
    "ReadTimeoutError",
    "RequestLimitExceeded",
    "ThrottlingException",
    "TransactionCanceledException",
    "TransactionConflictException",
    "Unavailable",
)
"""Errors of a step, by class, that pass when it is tried again after a while."""

NOBODYS_FAULT = ("NotFound", "RunFailed")
"""Errors of a run that are an answer to its user and no alarm to the operator."""
