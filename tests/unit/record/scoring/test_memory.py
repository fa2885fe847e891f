"""Scoring takes memory for its calls, and little for each."""

from bench.scoring_cost import memory_of_scoring


def test_memory_grows_no_faster_than_the_calls_and_stays_small() -> None:
    few, many = memory_of_scoring(50), memory_of_scoring(200)

    assert many < 15
    assert many < 4.4 * few
