"""Turns the cause of a failure into a sentence for people."""

from functions.runtime.errors import StockTrackRecordError
from functions.runtime.storage import DISK_FULL, is_disk_full


def reason_for_people(problem: BaseException) -> str:
    """The reason for the channel's log: the message of a domain error, but only the class name of any other error."""
    if is_disk_full(problem):
        return DISK_FULL
    return reason_of_kind(type(problem).__name__, str(problem))


def reason_of_kind(kind: str, message: str) -> str:
    """Like `reason_for_people`, from the name of the error's class and its message."""
    # Subclasses are only found after their modules have been imported.
    if kind in _kinds_of(StockTrackRecordError):
        return message
    return f"An unexpected problem ({kind}); the operator's log has the details."


def _kinds_of(error: type[Exception]) -> set[str]:
    return {error.__name__}.union(*map(_kinds_of, error.__subclasses__()))
