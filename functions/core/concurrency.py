"""Asking several questions at the same time."""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TypeVar, overload

WIDTH = 32
"""How many questions may be under way at once; the client's connection pool is sized for it."""

A = TypeVar("A")
B = TypeVar("B")
C = TypeVar("C")
Question = Callable[[], object]


@overload
def together(first: Callable[[], A], second: Callable[[], B], /) -> tuple[A, B]: ...
@overload
def together(first: Callable[[], A], second: Callable[[], B], third: Callable[[], C], /) -> tuple[A, B, C]: ...
def together(*questions: Question) -> tuple[object, ...]:
    """The answers in the order of the questions; the first failure in that order is raised once all have ended."""
    first, *others = questions
    futures = [_threads("together").submit(question) for question in others]
    try:
        answers = [first()]
    finally:
        for future in futures:
            future.exception()
    return tuple(answers + [future.result() for future in futures])


def for_each(ask: Callable[[A], B], subjects: Iterable[A]) -> list[B]:
    """The answers in the order of the subjects. May be asked within `together`, but not within itself."""
    return list(_threads("for_each").map(ask, subjects))


@cache
def _threads(purpose: str) -> ThreadPoolExecutor:
    """A pool for each purpose: a question that waits for further ones must not take the threads they need."""
    return ThreadPoolExecutor(WIDTH, thread_name_prefix=purpose)
