"""The state machine knows the errors of the steps, and each of its states leads somewhere."""

from collections.abc import Iterator
from typing import Any

from functions.news.jobs import ITEMS_PER_JOB
from functions.news.models import MAX_TAGS
from functions.record.pipeline import fail_run, finish_run, list_videos, price_calls, process_video, record_failed_video
from functions.record.prices.refresh import WORK_SECONDS
from functions.record.store.runs import LEASE_SECONDS
from functions.runtime.errors import StockTrackRecordError
from functions.steps import (
    EXPECTED_ERRORS,
    JOB_ATTEMPTS,
    PLACE_WAIT_SECONDS,
    PRICE_CHECKS,
    RUN_JOBS,
    RUN_STEPS,
    TOKEN_WAIT_SECONDS,
    price_wait_seconds,
)
from infra.config import read_config
from infra.constructs.jobs_queue import MESSAGES_AT_ONCE
from infra.constructs.processing_definition import OVER, processing_definition
from tests.infrastructure.conftest import RICH, Synthesise
from tests.infrastructure.templates import text

MODULES = (list_videos, process_video, record_failed_video, price_calls, finish_run, fail_run)
DEFINITION = processing_definition({step.module: f"arn:{step.module}" for step in RUN_STEPS}, videos_at_once=7)


def test_every_step_is_a_module_and_ends_before_the_lease_of_its_run() -> None:
    assert {step.module for step in RUN_STEPS} == {module.__name__.rpartition(".")[2] for module in MODULES}
    assert all(step.timeout_seconds < LEASE_SECONDS for step in RUN_STEPS)


def test_the_errors_it_knows_are_classes_of_ours() -> None:
    ours = {error.__name__ for error in _all_kinds(StockTrackRecordError)}

    assert {*EXPECTED_ERRORS, OVER} <= ours


def test_the_steps_that_tell_of_a_failure_get_what_was_caught() -> None:
    each_video = DEFINITION["States"]["EachVideo"]["ItemProcessor"]["States"]

    for state in (DEFINITION["States"]["FailRun"], each_video["RecordFailedVideo"]):
        assert state["Parameters"]["error.$"] == "$.error"


def test_each_state_that_is_named_is_there_and_each_that_is_there_is_named() -> None:
    for states, start in _scopes(DEFINITION):
        named = {start} | {target for state in states.values() for target in _targets(state)}
        assert named == set(states)


def test_a_step_that_fails_for_good_ends_the_run_with_a_reason_and_one_that_is_over_without() -> None:
    """Whatever is raised, nobody is left waiting for a run that has stopped."""
    for name in ("ListVideos", "EachVideo", "PriceCalls", "FinishRun"):
        over, anything = DEFINITION["States"][name]["Catch"]
        assert over == {"ErrorEquals": [OVER], "ResultPath": None, "Next": "Done"}, name
        assert anything == {"ErrorEquals": ["States.ALL"], "ResultPath": "$.error", "Next": "FailRun"}, name
    (over,) = DEFINITION["States"]["FailRun"]["Catch"]
    assert over == {"ErrorEquals": [OVER], "ResultPath": None, "Next": "Done"}


def test_a_video_that_fails_is_recorded_and_only_the_end_of_the_run_stops_the_others() -> None:
    states = DEFINITION["States"]["EachVideo"]["ItemProcessor"]["States"]
    over, anything = states["ProcessVideo"]["Catch"]

    assert (over["ErrorEquals"], over["Next"]) == ([OVER], "StopOtherVideos")
    assert (anything["ErrorEquals"], anything["Next"]) == (["States.ALL"], "RecordFailedVideo")
    assert states["StopOtherVideos"]["Error"] == OVER


def test_as_many_videos_are_processed_at_once_as_the_setting_says_within_a_time_limit() -> None:
    each = DEFINITION["States"]["EachVideo"]

    assert each["MaxConcurrency"] == 7
    assert each["ItemSelector"]["video_id.$"] == "$$.Map.Item.Value"
    assert DEFINITION["TimeoutSeconds"] > 0


def test_a_run_without_a_place_tries_again_well_before_its_lease_ends() -> None:
    states = DEFINITION["States"]
    wait, done = states["HasPlace"]["Choices"]

    assert (wait["Variable"], wait["BooleanEquals"], wait["Next"]) == ("$.must_wait", True, "WaitForPlace")
    # A check without news has ended already.
    assert (done["Variable"], done["BooleanEquals"], done["Next"]) == ("$.nothing_to_do", True, "Done")
    assert states["HasPlace"]["Default"] == "EachVideo"
    assert states["WaitForPlace"] == {"Type": "Wait", "SecondsPath": "$.wait_seconds", "Next": "ListVideos"}
    assert max(PLACE_WAIT_SECONDS, TOKEN_WAIT_SECONDS) < LEASE_SECONDS / 2


def test_a_run_that_left_videos_for_another_day_waits_and_lists_them_again() -> None:
    states = DEFINITION["States"]
    (wait,) = states["IsFinished"]["Choices"]

    assert states["FinishRun"]["Next"] == "IsFinished"
    assert (wait["Variable"], wait["BooleanEquals"], wait["Next"]) == ("$.must_wait", True, "WaitForPlace")
    assert states["IsFinished"]["Default"] == "Done"


def test_a_run_waits_for_prices_as_long_as_its_step_says_and_then_finishes() -> None:
    states = DEFINITION["States"]
    (wait,) = states["HasPrices"]["Choices"]

    assert states["EachVideo"]["Next"] == "BeginPricing"
    assert states["BeginPricing"]["Parameters"]["checks"] == 0
    assert states["PriceCalls"]["Parameters"]["checks.$"] == "$.checks"
    assert (wait["Variable"], wait["BooleanEquals"], wait["Next"]) == ("$.must_wait", True, "WaitForPrices")
    assert states["HasPrices"]["Default"] == "FinishRun"
    assert states["WaitForPrices"] == {"Type": "Wait", "SecondsPath": "$.wait_seconds", "Next": "PriceCalls"}
    assert max(map(price_wait_seconds, range(PRICE_CHECKS))) < LEASE_SECONDS / 2


def test_the_deployed_machine_and_its_first_step_know_the_settings(system: Synthesise) -> None:
    chosen = system(**RICH)
    machines = [each["Properties"] for each in chosen.resources("AWS::StepFunctions::StateMachine").values()]
    (machine,) = [each for each in machines if each["StateMachineName"] == "StockTrackRecord-prod-processing"]

    assert '"MaxConcurrency": 3' in text(machine["DefinitionString"])
    environments = {module: each["Environment"]["Variables"] for module, each in chosen.functions().items()}
    told = {name for name, values in environments.items() if values.get("RUNS_AT_ONCE") == "4"}
    assert told == {name for name, values in environments.items() if "STATE_MACHINE_ARN" in values} - {"cancel_channel"}


def test_with_default_settings_an_account_of_ten_concurrent_executions_has_room_for_the_api() -> None:
    """But for the minutes in which exports are written, and every other function has as many calls as it may."""
    config = read_config({})
    clocks = 2
    without_exports = config.videos_at_once * config.runs_at_once + config.workers_at_once + clocks

    assert without_exports <= 10 - 2
    assert without_exports + config.workers_at_once <= 10


def test_a_worker_has_the_time_for_all_messages_it_is_given(system: Synthesise) -> None:
    sources = system().resources("AWS::Lambda::EventSourceMapping").values()
    (messages,) = {source["Properties"]["BatchSize"] for source in sources}

    assert messages * WORK_SECONDS < system().functions()["run_jobs"]["Timeout"] == RUN_JOBS.timeout_seconds
    assert messages == MESSAGES_AT_ONCE
    # A model may take more than a second for each stock of each story.
    assert system().functions()["analyse_news"]["Timeout"] > ITEMS_PER_JOB * MAX_TAGS


def test_each_queue_has_as_many_workers_as_the_setting_says(system: Synthesise) -> None:
    sources = system(**RICH, workers_at_once=5).resources("AWS::Lambda::EventSourceMapping").values()

    assert {source["Properties"]["ScalingConfig"]["MaximumConcurrency"] for source in sources} == {5}


def test_a_job_is_tried_as_often_as_the_table_of_steps_says(system: Synthesise) -> None:
    queues = [each["Properties"] for each in system().resources("AWS::SQS::Queue").values()]
    redrives = [queue["RedrivePolicy"] for queue in queues if "RedrivePolicy" in queue]

    assert [redrive["maxReceiveCount"] for redrive in redrives] == [JOB_ATTEMPTS] * 3


def tasks_of(definition: dict[str, Any]) -> list[dict[str, Any]]:
    return [state for states, _ in _scopes(definition) for state in states.values() if state["Type"] == "Task"]


def test_every_step_of_a_run_is_a_task() -> None:
    assert {task["Resource"] for task in tasks_of(DEFINITION)} == {f"arn:{step.module}" for step in RUN_STEPS}


def _all_kinds(kind: type[Exception]) -> set[type[Exception]]:
    return {kind}.union(*(_all_kinds(each) for each in kind.__subclasses__()))


def _scopes(definition: dict[str, Any]) -> Iterator[tuple[dict[str, Any], str]]:
    yield definition["States"], definition["StartAt"]
    for state in definition["States"].values():
        if "ItemProcessor" in state:
            yield from _scopes(state["ItemProcessor"])


def _targets(state: dict[str, Any]) -> set[str]:
    steps = [state, *state.get("Catch", []), *state.get("Choices", [])]
    return {step[name] for step in steps for name in ("Next", "Default") if name in step}
