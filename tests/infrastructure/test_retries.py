"""One retry policy: a step that fails is tried as often by the state machine as by the local runner."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from botocore.exceptions import (
    ClientError,
    ConnectionClosedError,
    ConnectTimeoutError,
    EndpointConnectionError,
    NoCredentialsError,
    ProxyConnectionError,
    ReadTimeoutError,
)

from functions.record.errors import RunEnded
from functions.record.runs.failures import RunFailed, UnusableResponse
from functions.record.store.runs import LEASE_SECONDS
from functions.runtime.dynamodb.connection import dynamodb
from functions.runtime.errors import BatchIncomplete, TransientError
from functions.runtime.pipeline.step import step
from functions.runtime.provider_errors import MissingSetting, NotFound, Refused, Unavailable
from functions.steps import RETRIES, RUN_STEPS, THROTTLED, TRANSIENT, Retry
from infra.constructs.processing_definition import processing_definition
from local.runner import Runner
from tests.infrastructure.test_processing import tasks_of

TASKS = tasks_of(processing_definition({step.module: f"arn:{step.module}" for step in RUN_STEPS}, videos_at_once=2))
URL = {"endpoint_url": "https://dynamodb.example"}


def aws_error(code: str, status: int = 400) -> ClientError:
    """An error of DynamoDB, of the class that botocore makes for it."""
    kind = dynamodb().exceptions.from_code(code)
    return kind({"Error": {"Code": code, "Message": "…"}, "ResponseMetadata": {"HTTPStatusCode": status}}, "PutItem")


TRANSIENT_PROBLEMS = [
    Unavailable("YouTube did not respond in time."),
    BatchIncomplete(["a"], 5),
    EndpointConnectionError(**URL),
    ConnectTimeoutError(**URL),
    ConnectionClosedError(**URL),
    ReadTimeoutError(**URL),
    ProxyConnectionError(proxy_url="http://proxy"),
    ConnectionResetError(),
    *map(
        aws_error,
        (
            "InternalServerError",
            "ProvisionedThroughputExceededException",
            "RequestLimitExceeded",
            "ThrottlingException",
            "TransactionCanceledException",
            "TransactionConflictException",
            "TransactionInProgressException",
        ),
    ),
    aws_error("SomethingNew", status=503),
]
PERMANENT_PROBLEMS = [
    aws_error("AccessDeniedException"),
    aws_error("ValidationException"),
    aws_error("ResourceNotFoundException"),
    NoCredentialsError(),
    Refused("The key is wrong."),
    MissingSetting("YOUTUBE_API_KEY", "list videos"),
    NotFound("There is no such channel."),
    RunFailed("It is tracked already."),
    UnusableResponse("The analyst calls AAPL 'moon'."),
    RunEnded("c", "r"),
    KeyError("choices"),
]


def local_attempts(problem: Exception) -> tuple[int, str]:
    """How often the runner calls a step that fails like this, and the class of the error that it sees."""
    attempts: Counter[str] = Counter()

    @step
    def handler(event: Any, context: object) -> None:
        raise problem

    def counted(event: Any, context: object) -> None:
        try:
            handler(event, context)
        except Exception as raised:
            attempts[type(raised).__name__] += 1
            raise

    runner = Runner(pause=lambda _: False)
    with pytest.raises(Exception, match=r".*"):
        runner._call(counted, {"channel_id": "c", "run_id": "r"})
    runner.stop()
    ((name, number),) = attempts.items()
    return number, name


def attempts_of_the_state_machine(task: dict[str, Any], error: str) -> int:
    """As Step Functions does it: the first retrier that names the error counts."""
    retriers = (retrier["MaxAttempts"] for retrier in task["Retry"] if error in retrier["ErrorEquals"])
    return 1 + next(retriers, 0)


@pytest.mark.parametrize("problem", [*TRANSIENT_PROBLEMS, *PERMANENT_PROBLEMS], ids=repr)
def test_both_try_a_step_as_often(problem: Exception) -> None:
    number, name = local_attempts(problem)

    assert number == (TRANSIENT.attempts if problem in TRANSIENT_PROBLEMS else 1)
    assert {attempts_of_the_state_machine(task, name) for task in TASKS} == {number}


def test_lambda_without_room_is_waited_for_longer_than_a_fault_but_not_longer_than_a_lease() -> None:
    for task in TASKS:
        assert attempts_of_the_state_machine(task, "Lambda.TooManyRequestsException") == THROTTLED.attempts

    assert sum(waits_of(TRANSIENT)) < sum(waits_of(THROTTLED)) < LEASE_SECONDS


def test_every_retrier_waits_longer_each_time_up_to_a_limit_and_at_random() -> None:
    for task in TASKS:
        assert [retrier["ErrorEquals"] for retrier in task["Retry"]] == [list(retry.errors) for retry in RETRIES]
        for retrier, retry in zip(task["Retry"], RETRIES, strict=True):
            assert retrier["IntervalSeconds"] == retry.longest_wait_before(1)
            assert retrier["BackoffRate"] > 1
            assert retrier["MaxDelaySeconds"] == max(waits_of(retry))
            assert retrier["JitterStrategy"] == "FULL"


def test_the_longest_waits_of_the_runner_are_those_of_the_state_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("functions.steps.random.uniform", lambda lowest, highest: highest)
    waits: list[float] = []
    runner = Runner(pause=lambda seconds: bool(waits.append(seconds)))

    def fail(event: Any, context: object) -> None:
        raise TransientError("YouTube did not respond in time.")

    with pytest.raises(TransientError):
        runner._call(fail, {})
    runner.stop()

    assert waits == list(waits_of(TRANSIENT))


def test_only_names_that_step_functions_can_see_are_in_the_policy() -> None:
    for retry in RETRIES:
        for error in retry.errors:
            assert re.fullmatch(r"Lambda\.\w+|TransientError", error)


def waits_of(retry: Retry) -> Iterator[float]:
    return (retry.longest_wait_before(number) for number in range(1, retry.attempts))
