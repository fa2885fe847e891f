"""Running several functions at the same time."""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TypeVar

MAX_CONCURRENCY = 32
"""Maximum threads per pool; the DynamoDB client's connection pool is sized to match."""

A = TypeVar("A")
B = TypeVar("B")


def run_parallel(first: Callable[[], A], second: Callable[[], B]) -> tuple[A, B]:
    """Returns both results. If either fails, raises once both have finished: the first one's error takes precedence."""
    future = _threads("run_parallel").submit(second)
    try:
        result = first()
    finally:
        future.exception()
    return result, future.result()


def for_each(fn: Callable[[A], B], items: Iterable[A]) -> list[B]:
    """Returns the results in item order. Safe to call inside `run_parallel`, but not inside itself."""
    return list(_threads("for_each").map(fn, items))


@cache
def _threads(purpose: str) -> ThreadPoolExecutor:
    """One pool per purpose: a task that waits for subtasks must not occupy the threads they need."""
    return ThreadPoolExecutor(MAX_CONCURRENCY, thread_name_prefix=purpose)
