"""Doing several things at the same time."""

import threading
from collections.abc import Callable
from functools import partial

import pytest

from functions.runtime.concurrency import MAX_CONCURRENCY, for_each, run_parallel


class Refused(Exception):
    pass


def refuse() -> None:
    raise Refused("no")


def test_both_results_come_in_order() -> None:
    assert run_parallel(lambda: "first", lambda: 2) == ("first", 2)


def test_questions_are_under_way_at_the_same_time() -> None:
    meeting = threading.Barrier(2, timeout=30)

    assert sorted(run_parallel(meeting.wait, meeting.wait)) == [0, 1]


def test_many_are_under_way_at_the_same_time() -> None:
    meeting = threading.Barrier(MAX_CONCURRENCY, timeout=30)

    assert sorted(for_each(lambda _: meeting.wait(), range(MAX_CONCURRENCY))) == list(range(MAX_CONCURRENCY))


@pytest.mark.parametrize("failing", [0, 1])
def test_an_error_is_raised_once_both_have_ended(failing: int) -> None:
    ended: list[int] = []
    functions: list[Callable[[], None]] = [partial(ended.append, number) for number in range(2)]
    functions[failing] = refuse

    with pytest.raises(Refused):
        run_parallel(*functions)

    assert ended == [1 - failing]


def test_of_two_failures_the_first_in_order_is_raised() -> None:
    def refuse_otherwise() -> None:
        raise ValueError("otherwise")

    with pytest.raises(Refused):
        run_parallel(refuse, refuse_otherwise)


def test_results_come_in_the_order_of_the_items() -> None:
    assert for_each(lambda number: number * number, range(200)) == [number * number for number in range(200)]
    assert for_each(str, []) == []


def test_an_error_of_one_item_is_raised() -> None:
    def picky(number: int) -> int:
        if number == 5:
            raise Refused(number)
        return number

    with pytest.raises(Refused, match="5"):
        for_each(picky, range(10))


def test_for_each_may_be_called_within_run_parallel_by_more_than_there_are_threads() -> None:
    def add_up() -> int:
        return sum(for_each(lambda number: number, range(2 * MAX_CONCURRENCY)))

    everybody: list[tuple[int, int]] = []
    threads = [
        threading.Thread(target=lambda: everybody.append(run_parallel(add_up, add_up)))
        for _ in range(2 * MAX_CONCURRENCY)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)

    assert everybody == [(sum(range(2 * MAX_CONCURRENCY)),) * 2] * (2 * MAX_CONCURRENCY)
