"""A full disk and a damaged data file are recognised by what the engine and the system say."""

import errno

import pytest
from botocore.exceptions import ClientError

from functions.runtime.reasons import reason_for_people
from functions.runtime.storage import DISK_FULL, is_data_damaged, is_disk_full
from tests.events import call


def refusal(message: str) -> ClientError:
    return ClientError({"Error": {"Code": "InternalServerError", "Message": message}}, "PutItem")


FULL = refusal("commit failed (backend: database or disk is full) and rollback also failed")
DAMAGED = refusal("backend: database disk image is malformed")


@pytest.mark.parametrize(
    ("problem", "is_full", "is_damaged"),
    [
        (FULL, True, False),
        (DAMAGED, False, True),
        (refusal("backend: file is not a database"), False, True),
        (refusal("backend: constraint failed"), False, False),
        (OSError(errno.ENOSPC, "No space left on device"), True, False),
        (OSError(errno.EDQUOT, "Disk quota exceeded"), True, False),
        (OSError(errno.EACCES, "Permission denied"), False, False),
        (ValueError("database or disk is full"), False, False),
    ],
)
def test_only_these_problems_are_recognised(problem: Exception, is_full: bool, is_damaged: bool) -> None:
    assert (is_disk_full(problem), is_data_damaged(problem)) == (is_full, is_damaged)


def test_a_full_disk_is_a_507_with_the_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(**_: object) -> None:
        raise FULL

    monkeypatch.setattr("functions.service.api.health_live.Health", refuse)

    response = call("GET", "/health/live")

    assert (response.status, response.json()) == (507, {"detail": DISK_FULL})


def test_the_log_of_a_channel_says_that_the_disk_is_full() -> None:
    assert reason_for_people(FULL) == DISK_FULL
