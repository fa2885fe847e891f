"""Each budget of work ends well before the timeout above it, and each claim after that of its worker."""

import os
import subprocess
import sys

import pytest

from functions.alerts import delivery, webhooks
from functions.news import ingest
from functions.plans import store as plans
from functions.reading.models import bedrock_client
from functions.record.prices import refresh, series
from functions.record.sources import rate_limit
from functions.record.sources.protocols import MAX_WAIT_SECONDS
from functions.record.store import runs
from functions.routes import ROUTES
from functions.steps import JOB_ATTEMPTS, STEPS
from functions.transfers import store as transfers
from functions.transfers import transfers as sending
from functions.transfers.pipeline import import_jobs, worker
from tests.infrastructure.conftest import RICH, Synthesise
from tests.infrastructure.templates import text

TIMEOUTS = {step.module: step.timeout_seconds for step in STEPS}
API_GATEWAY_SECONDS = 30
"""The longest that an HTTP API waits for its function."""
LAMBDA_SECONDS = 900


def test_the_timeouts_of_steps_are_these_and_are_deployed(system: Synthesise) -> None:
    deployed = system().functions()

    assert TIMEOUTS == {
        "list_videos": 240,
        "process_video": 240,
        "record_failed_video": 60,
        "price_calls": 240,
        "finish_run": 240,
        "fail_run": 60,
        "run_jobs": 240,
        "write_exports": 900,
        "resume_dead_runs": 60,
        "update_prices": 60,
        "send_due_tasks": 60,
        "check_channels": 60,
        "deliver_alerts": 120,
        "analyse_news": 240,
        "ingest_news": 240,
        "watch_news": 60,
    }
    assert {module: deployed[module]["Timeout"] for module in TIMEOUTS} == TIMEOUTS
    assert max(TIMEOUTS.values()) <= LAMBDA_SECONDS


@pytest.mark.parametrize(
    ("module", "budget", "needed_after"),
    [
        # A feed that is begun at the last second is read, and then all stories are stored.
        ("ingest_news", ingest.SECONDS_TO_BEGIN, 120),
        # A series that is begun at the last second waits for its turn at the source three times.
        ("run_jobs", series.WORK_SECONDS, series.TRIES * MAX_WAIT_SECONDS),
        ("run_jobs", refresh.WORK_SECONDS, 60),
        ("deliver_alerts", delivery.SECONDS_TO_HAND_OVER + delivery.SECONDS_TO_DELIVER, 4 * webhooks.TOTAL_SECONDS),
        ("write_exports", import_jobs.WORK_SECONDS, 300),
        ("process_video", rate_limit.CAPTIONS_MAX_WAIT, 60),
    ],
)
def test_work_is_begun_only_as_long_as_there_is_time_to_end_it(module: str, budget: float, needed_after: float) -> None:
    assert budget + needed_after <= TIMEOUTS[module]


@pytest.mark.parametrize(
    ("lease", "module"),
    [
        (plans.CLAIM_SECONDS, "run_jobs"),
        (series.CLAIM_SECONDS, "run_jobs"),
        (delivery.CLAIM_SECONDS, "deliver_alerts"),
        *((runs.LEASE_SECONDS, module) for module in ("list_videos", "process_video", "price_calls", "finish_run")),
    ],
)
def test_a_claim_outlives_the_worker_that_has_it(lease: float, module: str) -> None:
    """Otherwise a second worker begins while the first is at work."""
    assert lease >= TIMEOUTS[module] + 60


def test_a_lease_that_is_shorter_than_its_work_is_renewed_in_time() -> None:
    assert worker.PROGRESS_SECONDS < transfers.LEASE_SECONDS / 4
    assert transfers.LEASE_SECONDS < sending.PATIENCE_SECONDS


def test_no_model_is_waited_for_longer_than_its_step_lives() -> None:
    of_bedrock = bedrock_client._new_client("us-east-1").meta.config
    # Imported as on AWS, where the limit of a model is another than on a laptop.
    own = "from functions.reading.models.openai_compatible import MODEL_LIMITS; print(MODEL_LIMITS.total_seconds)"
    on_aws = {**os.environ, "AWS_LAMBDA_INITIALIZATION_TYPE": "on-demand"}
    of_others = subprocess.run([sys.executable, "-c", own], env=on_aws, capture_output=True, text=True, check=True)

    assert (
        max(of_bedrock.connect_timeout + of_bedrock.read_timeout, float(of_others.stdout)) + 30
        < TIMEOUTS["process_video"]
    )


def test_every_route_ends_before_the_gateway_gives_up(system: Synthesise) -> None:
    made = system()
    integrations = made.resources("AWS::ApiGatewayV2::Integration").values()

    assert max(route.timeout_seconds for route in ROUTES) < API_GATEWAY_SECONDS
    assert all(each["Properties"].get("TimeoutInMillis", 30_000) == 30_000 for each in integrations)
    (refreshing,) = [route for route in ROUTES if route.module == "refresh_prices"]
    assert refreshing.timeout_seconds >= 2 * refresh.REQUEST_SECONDS
    of_plans = [route.timeout_seconds for route in ROUTES if route.module in ("create_plan", "cancel_plan")]
    assert len(of_plans) == 2
    assert 2 * max(of_plans) < plans.CHANGE_SECONDS


def test_a_message_is_hidden_for_longer_than_all_its_worker_may_take(system: Synthesise) -> None:
    made = system(**RICH)
    queues = {name.partition("/")[2]: each["Properties"] for name, each in made.resources("AWS::SQS::Queue").items()}
    functions = {
        name.partition("/")[2]: each["Properties"] for name, each in made.resources("AWS::Lambda::Function").items()
    }
    sources = [each["Properties"] for each in made.resources("AWS::Lambda::EventSourceMapping").values()]

    timeouts = {}
    for source in sources:
        queue = queues[text(source["EventSourceArn"]).strip("{}").removesuffix(".Arn")]
        function = functions[text(source["FunctionName"]).strip("{}")]
        timeouts[function["Handler"].split(".")[-2]] = (function["Timeout"], queue["VisibilityTimeout"])
        assert queue["RedrivePolicy"]["maxReceiveCount"] == JOB_ATTEMPTS
        assert queue.get("MessageRetentionPeriod", 345_600) > JOB_ATTEMPTS * queue["VisibilityTimeout"]

    assert timeouts == {
        module: (TIMEOUTS[module], 6 * TIMEOUTS[module]) for module in ("run_jobs", "write_exports", "analyse_news")
    }
