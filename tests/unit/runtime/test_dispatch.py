"""Jobs that are sent to SQS."""

from collections.abc import Callable
from typing import Any

import pytest

from functions.runtime import dispatch
from functions.runtime.dispatch import AwsDispatcher, ScoreChannel, job_from_message, send_jobs
from functions.runtime.settings import settings


class Queues:
    def __init__(self, *refused: str) -> None:
        self.requests: list[list[str]] = []
        self._refused = refused

    def send_message_batch(self, QueueUrl: str, Entries: list[dict[str, str]]) -> dict[str, Any]:
        assert QueueUrl == "https://queue/JOBS"
        self.requests.append([entry["MessageBody"] for entry in Entries])
        return {"Failed": [{"Id": entry, "Code": "InternalError"} for entry in self._refused]}


@pytest.fixture
def queues(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Queues]:
    def install(*refused: str) -> Queues:
        made = Queues(*refused)
        monkeypatch.setattr(dispatch, "_client", lambda _: made)
        monkeypatch.setattr(dispatch, "_dispatchers", [])
        monkeypatch.setenv("JOBS_QUEUE_URL", "https://queue/JOBS")
        settings.cache_clear()
        return made

    return install


@pytest.mark.parametrize(("jobs", "requests"), [(0, 0), (1, 1), (10, 1), (25, 3)])
def test_many_jobs_are_sent_ten_in_a_request(queues: Callable[..., Queues], jobs: int, requests: int) -> None:
    made = queues()

    send_jobs(ScoreChannel(str(number)) for number in range(jobs))

    assert len(made.requests) == requests
    sent = {job_from_message(message) for request in made.requests for message in request}
    assert sent == {ScoreChannel(str(number)) for number in range(jobs)}


def test_jobs_that_the_queue_refuses_are_logged_and_left_to_the_scheduled_job(
    queues: Callable[..., Queues], log_lines: Callable[[], list[dict[str, Any]]]
) -> None:
    queues("0", "2")

    AwsDispatcher().send_all([ScoreChannel(str(number)) for number in range(3)])

    (line,) = log_lines()
    assert (line["level"], line["number"], line["reasons"]) == ("WARNING", 2, ["InternalError"])
