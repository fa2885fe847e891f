"""Lets a local process interrupt long work when it shuts down. Never used on AWS."""

from collections.abc import Callable
from contextvars import ContextVar


class WorkStopped(BaseException):
    """Not an Exception, so that nothing mistakes it for a failure of the work."""


_is_stopping: ContextVar[Callable[[], bool]] = ContextVar("is_stopping", default=lambda: False)


def stop_when(is_stopping: Callable[[], bool]) -> None:
    """Applies to all work of this thread."""
    _is_stopping.set(is_stopping)


def raise_if_stopping() -> None:
    if _is_stopping.get()():
        raise WorkStopped
