"""Operators can follow a run that fails: the saved queries find its lines, and each line names the run."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest

from functions.record.models.records import ChannelStatus
from functions.record.pipeline import fail_run, process_video, record_failed_video
from functions.record.pipeline.reasons import as_caught
from functions.record.store.channels import channel_by_id
from functions.routes import ROUTES
from functions.runtime.observability import logger
from functions.runtime.provider_errors import NotFound, Unavailable
from infra.saved_queries import ERRORS, ONE_CHANNEL, ONE_REQUEST, ONE_RUN
from local.runner import Runner
from tests.builders import a_channel, in_a_run
from tests.events import api_event, invoke
from tests.fakes import ImmediateDispatcher, World, eventually, some_videos
from tests.integration.record.test_slots import claimed

LogLines = Callable[[], list[dict[str, Any]]]


@pytest.fixture
def world(concurrent_tables: str, monkeypatch: pytest.MonkeyPatch) -> World:
    ImmediateDispatcher().install(monkeypatch)
    return World().install(monkeypatch)


def run_to_its_end(run: dict[str, str]) -> None:
    """Through the real handlers of the steps, as the state machine calls them."""
    runner = Runner(videos_at_once=2, pause=lambda _: False)
    runner.start_run(**run)
    under_way = (ChannelStatus.PENDING, ChannelStatus.PROCESSING)
    eventually(lambda: (found := channel_by_id(run["channel_id"], consistent=True)) and found.status not in under_way)
    runner.stop()


def test_the_saved_queries_find_the_lines_of_a_run_that_fails(world: World, log_lines: LogLines) -> None:
    def broken(transcript: str) -> Any:
        raise ZeroDivisionError("division by zero")

    world.videos.listed = some_videos(2)
    world.analyst.read = broken
    run, other = claimed(), claimed()
    run_to_its_end(run)
    run_to_its_end(other)

    lines = log_lines()
    of_run = [line for line in lines if ONE_RUN.finds(line, run["run_id"])]
    errors = [line for line in of_run if ERRORS.finds(line)]

    steps = {"list_videos", "process_video", "record_failed_video", "price_calls", "finish_run"}
    assert {line["step"] for line in of_run} == steps
    assert {line["channel_id"] for line in of_run} == {run["channel_id"]}
    assert [line for line in lines if ONE_CHANNEL.finds(line, run["channel_id"])] == of_run
    assert len(lines) > len(of_run), "the lines of another run are not among them"
    assert {line["exception_name"] for line in errors} == {"ZeroDivisionError"}
    assert {line["step"] for line in errors} == {"process_video", "record_failed_video"}
    assert all(line["video_id"] for line in errors)
    assert any("division by zero" in line.get("exception", "") for line in errors)


def test_every_step_that_ends_says_so_once(world: World, log_lines: LogLines) -> None:
    world.videos.listed = some_videos(3)
    run = claimed()

    run_to_its_end(run)

    finished = sorted(line["step"] for line in log_lines() if line["message"] == "Step finished")
    assert finished == ["finish_run", "list_videos", "price_calls", *["process_video"] * 3]
    assert {line["level"] for line in log_lines()} == {"INFO"}


def test_a_transient_error_is_a_warning_until_the_last_try_has_failed(world: World, log_lines: LogLines) -> None:
    def time_out(identifier: str) -> None:
        raise Unavailable("YouTube did not respond in time.")

    world.videos.before_resolve = time_out
    run = claimed()

    run_to_its_end(run)

    warnings = [line for line in log_lines() if line["level"] == "WARNING"]
    (error,) = [line for line in log_lines() if ERRORS.finds(line)]
    assert {(line["step"], line["exception_name"], line["reason"]) for line in warnings} == {
        ("list_videos", "Unavailable", "YouTube did not respond in time.")
    }
    assert error["message"] == "The run failed. YouTube did not respond in time."
    assert (error["step"], error["run_id"]) == ("fail_run", run["run_id"])


def test_a_mistyped_channel_is_one_line_without_a_traceback_and_no_error(world: World, log_lines: LogLines) -> None:
    def not_there(identifier: str) -> None:
        raise NotFound("There is no YouTube channel @typo.")

    world.videos.before_resolve = not_there

    run_to_its_end(claimed())

    (line,) = [line for line in log_lines() if line["level"] != "INFO"]
    assert (line["level"], line["message"]) == ("WARNING", "The run failed. There is no YouTube channel @typo.")
    assert not [line for line in log_lines() if "exception" in line]


def test_what_lambda_itself_ends_is_an_error_all_the_same(world: World, log_lines: LogLines) -> None:
    run = claimed()

    fail_run.handler({**run, "error": {"Error": "States.Timeout"}}, None)

    (error,) = [line for line in log_lines() if ERRORS.finds(line)]
    assert (error["run_id"], error["exception_name"]) == (run["run_id"], "States.Timeout")


def test_a_line_never_names_the_run_of_another_call(world: World, log_lines: LogLines) -> None:
    run_id, (video,) = in_a_run(a_channel(), videos=1)
    event = {"channel_id": video.channel_id, "run_id": run_id, "video_id": video.id}
    process_video.handler(event, None)
    record_failed_video.handler({**event, "error": as_caught(KeyError("x"))}, None)

    logger.info("Nothing to do with a run")

    assert not {"run_id", "channel_id", "video_id", "step"} & log_lines()[-1].keys()


def test_one_request_finds_the_lines_of_a_request_that_fails(
    tables: str, monkeypatch: pytest.MonkeyPatch, log_lines: LogLines
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr("functions.record.store.channels.channel_by_id", fail)
    event = api_event("GET", f"/api/channels/{uuid4()}")

    invoke(next(route for route in ROUTES if route.module == "get_channel"), event)

    (error,) = [line for line in log_lines() if ERRORS.finds(line)]
    assert ONE_REQUEST.finds(error, event["requestContext"]["requestId"])
