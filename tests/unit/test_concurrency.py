"""Asking several questions at the same time."""

import threading

import pytest

from functions.core.concurrency import WIDTH, for_each, together


class Refused(Exception):
    pass


def refuse() -> None:
    raise Refused("no")


def test_answers_come_in_the_order_of_the_questions() -> None:
    assert together(lambda: "first", lambda: 2) == ("first", 2)
    assert together(lambda: "first", lambda: 2, lambda: None) == ("first", 2, None)


def test_questions_are_under_way_at_the_same_time() -> None:
    meeting = threading.Barrier(3, timeout=30)

    assert sorted(together(meeting.wait, meeting.wait, meeting.wait)) == [0, 1, 2]


def test_many_are_under_way_at_the_same_time() -> None:
    meeting = threading.Barrier(WIDTH, timeout=30)

    assert sorted(for_each(lambda _: meeting.wait(), range(WIDTH))) == list(range(WIDTH))


@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_failure_is_raised_once_all_have_ended(place: int) -> None:
    ended: list[int] = []
    questions = [lambda number=number: ended.append(number) for number in range(3)]
    questions[place] = refuse

    with pytest.raises(Refused):
        together(*questions)

    assert sorted(ended) == [number for number in range(3) if number != place]


def test_of_two_failures_the_first_in_order_is_raised() -> None:
    def refuse_otherwise() -> None:
        raise ValueError("otherwise")

    with pytest.raises(Refused):
        together(refuse, refuse_otherwise)
    with pytest.raises(Refused):
        together(lambda: None, refuse, refuse_otherwise)


def test_each_subject_is_asked_about_in_order() -> None:
    assert for_each(lambda number: number * number, range(200)) == [number * number for number in range(200)]
    assert for_each(str, []) == []


def test_a_failure_about_one_subject_is_raised() -> None:
    def picky(number: int) -> int:
        if number == 5:
            raise Refused(number)
        return number

    with pytest.raises(Refused, match="5"):
        for_each(picky, range(10))


def test_for_each_may_be_asked_within_together_by_more_than_there_are_threads() -> None:
    def ask() -> int:
        return sum(for_each(lambda number: number, range(2 * WIDTH)))

    everybody: list[tuple[int, int]] = []
    threads = [threading.Thread(target=lambda: everybody.append(together(ask, ask))) for _ in range(2 * WIDTH)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)

    assert everybody == [(sum(range(2 * WIDTH)),) * 2] * (2 * WIDTH)
