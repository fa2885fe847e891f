"""Recognises what happens to local data: a full disk, a damaged data file."""

import errno
from collections.abc import Mapping
from typing import Any

NO_ROOM = (errno.ENOSPC, errno.EDQUOT)
DISK_FULL = "The disk is full, so nothing was saved. Make room, and everything goes on by itself."


def is_disk_full(problem: BaseException) -> bool:
    """True for a file that could not be written, and for a write that the local engine refused for that reason."""
    if isinstance(problem, OSError):
        return problem.errno in NO_ROOM
    return "database or disk is full" in _engine_message(problem)


def is_data_damaged(problem: BaseException) -> bool:
    message = _engine_message(problem)
    return "database disk image is malformed" in message or "file is not a database" in message


def _engine_message(problem: BaseException) -> str:
    """The message of botocore's ClientError, which is not imported here for this alone."""
    response: Mapping[str, Any] = getattr(problem, "response", None) or {}
    return str(response.get("Error", {}).get("Message", ""))
