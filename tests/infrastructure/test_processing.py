"""The state machine knows the errors of the steps, and each of its states leads somewhere."""

from collections.abc import Iterator
from typing import Any

from functions.core.errors import StockTrackRecordError
from functions.pipeline import fail_run, finish_run, list_videos, process_video, record_failed_video
from functions.steps import NOBODYS_FAULT, RUN_STEPS, VIDEOS_AT_ONCE
from functions.store.runs import LEASE_SECONDS
from infra.constructs.processing_definition import OVER, processing_definition

MODULES = (list_videos, process_video, record_failed_video, finish_run, fail_run)
DEFINITION = processing_definition({step.module: f"arn:{step.module}" for step in RUN_STEPS})


def test_every_step_is_a_module_and_ends_before_the_lease_of_its_run() -> None:
    assert {step.module for step in RUN_STEPS} == {module.__name__.rpartition(".")[2] for module in MODULES}
    assert all(step.timeout_seconds < LEASE_SECONDS for step in RUN_STEPS)


def test_the_errors_it_knows_are_classes_of_ours() -> None:
    ours = {error.__name__ for error in _all_kinds(StockTrackRecordError)}

    assert {*NOBODYS_FAULT, OVER} <= ours


def test_the_steps_that_tell_of_a_failure_get_what_was_caught() -> None:
    each_video = DEFINITION["States"]["EachVideo"]["ItemProcessor"]["States"]

    for state in (DEFINITION["States"]["FailRun"], each_video["RecordFailedVideo"]):
        assert state["Parameters"]["error.$"] == "$.error"


def test_each_state_that_is_named_is_there_and_each_that_is_there_is_named() -> None:
    for states, start in _scopes(DEFINITION):
        named = {start} | {target for state in states.values() for target in _targets(state)}
        assert named == set(states)


def test_every_call_is_tried_again_with_growing_and_random_waits() -> None:
    calls = [state for states, _ in _scopes(DEFINITION) for state in states.values() if state["Type"] == "Task"]

    assert len(calls) == len(RUN_STEPS)
    for call in calls:
        (again,) = call["Retry"]
        assert "Unavailable" in again["ErrorEquals"]
        assert "Lambda.TooManyRequestsException" in again["ErrorEquals"]
        assert OVER not in again["ErrorEquals"]
        assert again["BackoffRate"] > 1
        assert again["JitterStrategy"] == "FULL"


def test_videos_are_processed_ten_at_a_time_within_a_time_limit() -> None:
    each = DEFINITION["States"]["EachVideo"]

    assert each["MaxConcurrency"] == VIDEOS_AT_ONCE == 10
    assert each["ItemSelector"]["video_id.$"] == "$$.Map.Item.Value"
    assert DEFINITION["TimeoutSeconds"] > 0


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
