"""The pace that all processes keep together."""

from collections.abc import Callable

import pytest

from functions.news.sources.newsapi import NewsApi
from functions.runtime.dynamodb.rate_limits import NoTurn, hold, hold_longer, take_turn, wait_for_turn

pytestmark = pytest.mark.usefixtures("tables")

YEAR = 365 * 24 * 60 * 60
InThreads = Callable[[int, Callable[[int], object]], list[object]]


class StoppedClock:
    """Stands still until somebody sleeps by it."""

    def __init__(self) -> None:
        self.now = 1_700_000_000.0
        self.waits: list[float] = []

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.waits.append(round(seconds, 3))


def wait(clock: StoppedClock, service: str = "Yahoo", longest: float = 60) -> None:
    wait_for_turn(service, 2, longest, clock=clock, sleep=clock.sleep)


def test_each_request_gets_a_turn_of_its_own() -> None:
    clock = StoppedClock()

    for _ in range(4):
        wait(clock)
    wait(clock, "Tiingo")

    assert clock.waits == [0.5, 1.0, 1.5]


def test_turns_that_nobody_took_are_not_saved_up() -> None:
    clock = StoppedClock()
    wait(clock)
    clock.now += 100

    wait(clock)
    wait(clock)

    assert clock.waits == [0.5]


def test_many_at_once_keep_the_pace_together(concurrent_tables: str, in_threads: InThreads) -> None:
    clock = StoppedClock()

    assert in_threads(12, lambda _: wait(clock)) == [None] * 12

    assert sorted(clock.waits) == [number / 2 for number in range(1, 12)]


def test_a_turn_too_far_away_is_not_taken() -> None:
    clock = StoppedClock()
    for _ in range(5):
        wait(clock)

    with pytest.raises(NoTurn) as refused:
        wait(clock, longest=2.4)

    assert (refused.value.seconds, refused.value.reason) == (2.5, None)
    wait(clock)
    assert clock.waits[-1] == 2.5


def test_a_refusal_holds_everybody_back_and_says_why() -> None:
    clock = StoppedClock()
    hold("Yahoo", 300, "blocked", clock=clock)
    hold("Yahoo", 10, "unavailable", clock=clock)

    with pytest.raises(NoTurn) as refused:
        wait(clock)

    assert (refused.value.seconds, refused.value.reason) == (300.0, "blocked")
    clock.now += 300.001
    wait(clock)
    wait(clock)
    assert clock.waits == [0.5]


def test_a_short_hold_is_waited_for() -> None:
    clock = StoppedClock()
    wait(clock)
    hold("Yahoo", 5, "blocked", clock=clock)

    wait(clock)
    wait(clock)

    assert clock.waits == [5.0, 5.5]


def hold_again(clock: StoppedClock) -> float:
    return hold_longer("captions", 30, 100, "blocked", clock=clock)


def test_holds_grow_while_the_service_goes_on_refusing() -> None:
    clock = StoppedClock()
    lengths = []

    for _ in range(4):
        lengths.append(hold_again(clock))
        clock.now += lengths[-1] + 1

    assert lengths == [30, 60, 100, 100]


def test_a_hold_of_long_ago_is_forgotten() -> None:
    clock = StoppedClock()
    hold_again(clock)
    clock.now += 30 + 601

    assert hold_again(clock) == 30


def test_requests_that_are_refused_together_count_once(concurrent_tables: str, in_threads: InThreads) -> None:
    clock = StoppedClock()

    in_threads(8, lambda _: hold_again(clock))

    with pytest.raises(NoTurn) as refused:
        wait(clock, "captions", longest=1)
    assert (refused.value.seconds, refused.value.reason) == (30.0, "blocked")
    assert hold_again(clock) == 0


def test_a_source_with_a_daily_quota_never_exceeds_it_however_often_the_clock_ticks() -> None:
    day, quota = 24 * 60 * 60, 100
    for tick, expected in ((290, quota), (900, 96)):
        clock = StoppedClock()
        turns = 0
        for _ in range(0, day, tick):
            turns += take_turn(f"every {tick}", NewsApi.seconds_between, clock=clock)
            clock.now += tick
        assert turns <= quota
        assert turns == expected


def test_of_many_at_once_one_takes_the_turn(concurrent_tables: str, in_threads: InThreads) -> None:
    clock = StoppedClock()

    taken = in_threads(8, lambda _: take_turn("NewsAPI", 900, clock=clock))

    assert sorted(map(str, taken)) == ["False"] * 7 + ["True"]


def test_a_turn_that_a_wrong_clock_took_a_year_ahead_holds_nobody_up() -> None:
    clock = StoppedClock()
    clock.now += YEAR
    wait(clock)
    hold("Yahoo", 60, "blocked", clock=clock)
    clock.now -= YEAR

    wait(clock)
    wait(clock)

    assert clock.waits == [0.5]
