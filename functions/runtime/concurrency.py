"""Running several functions at the same time."""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TypeVar

MAX_CONCURRENCY = 32
"""The most threads of a pool; the connection pool of the DynamoDB client is sized for it."""

A = TypeVar("A")
B = TypeVar("B")


def run_parallel(first: Callable[[], A], second: Callable[[], B]) -> tuple[A, B]:
    """Both results. Once both have ended, the first one's error is raised, else the second one's."""
    future = _threads("run_parallel").submit(second)
    try:
        result = first()
    finally:
        future.exception()
    return result, future.result()


def for_each(fn: Callable[[A], B], items: Iterable[A]) -> list[B]:
    """The results in the order of the items. May be called within `run_parallel`, but not within itself."""
    return list(_threads("for_each").map(fn, items))


@cache
def _threads(purpose: str) -> ThreadPoolExecutor:
    """A pool for each purpose: a task that waits for further ones must not take the threads they need."""
    return ThreadPoolExecutor(MAX_CONCURRENCY, thread_name_prefix=purpose)
