"""The sample of a channel's calls: drawn by chance alone, the same each time, and kept while others come and go."""

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from functions.reading.terms import Sentiment
from functions.record.models.records import ReviewOutcome, StockMention
from functions.record.reviews.sample import SAMPLE_SIZE, sample_of, sampled_reviews
from functions.record.scoring.reading import SampledReviews
from tests.builders import a_mention, a_video

CHANNEL = "00000000-0000-4000-8000-000000000000"
OTHER = "00000000-0000-4000-8000-000000000001"


def calls(number: int, prefix: str = "T") -> list[StockMention]:
    video = replace(a_video(CHANNEL), id="00000000-0000-4000-8000-00000000000a")
    return [a_mention(video, f"{prefix}{each}") for each in range(number)]


def test_it_does_not_depend_on_the_order_of_the_calls() -> None:
    every = calls(100)

    assert sample_of(CHANNEL, every) == sample_of(CHANNEL, reversed(every))
    assert len(sample_of(CHANNEL, every)) == SAMPLE_SIZE == 20


def test_each_channel_has_its_own() -> None:
    every = calls(100)

    assert sample_of(CHANNEL, every) != sample_of(OTHER, every)


def test_each_call_is_as_likely_as_another() -> None:
    every = calls(40)
    drawn = Counter(
        call.ticker for number in range(500) for call in sample_of(f"00000000-0000-4000-8000-{number:012d}", every)
    )

    # Five standard deviations of a binomial around 250.
    assert len(drawn) == 40
    assert all(190 < count < 310 for count in drawn.values())


def test_new_calls_leave_the_others_in_their_order() -> None:
    every = calls(100)
    before = sample_of(CHANNEL, every)

    after = sample_of(CHANNEL, every + calls(10, "NEW"))

    still = [call for call in after if not call.ticker.startswith("NEW")]
    assert still == before[: len(still)]
    assert len(still) >= 15


def test_a_call_that_is_gone_is_replaced_by_the_next() -> None:
    every = calls(100)
    before = sample_of(CHANNEL, every)

    after = sample_of(CHANNEL, [call for call in every if call != before[3]])

    assert after[:-1] == [*before[:3], *before[4:]]
    assert after[-1] not in before


@pytest.mark.parametrize(
    "reviewed",
    [
        {"review": ReviewOutcome.CONFIRMED},
        {"review": ReviewOutcome.REJECTED},
        {"review": ReviewOutcome.CORRECTED, "sentiment": Sentiment.HOLD, "read_as": Sentiment.BUY},
    ],
)
def test_an_answer_moves_no_call(reviewed: dict[str, Any]) -> None:
    every = calls(100)
    before = sample_of(CHANNEL, every)

    after = sample_of(CHANNEL, [replace(call, **reviewed) for call in every])

    assert [call.ticker for call in after] == [call.ticker for call in before]


def test_only_what_the_analyst_called_is_drawn() -> None:
    buy, hold, mentioned = calls(3)
    found_by_a_person = replace(mentioned, read_as=Sentiment.MENTIONED, review=ReviewOutcome.CORRECTED)

    assert sample_of(CHANNEL, [buy, replace(hold, sentiment=Sentiment.HOLD), found_by_a_person]) == [buy]


def test_only_a_confirmed_call_was_read_right() -> None:
    first, second, third, fourth = calls(4)
    sample = [
        replace(first, review=ReviewOutcome.CONFIRMED),
        replace(second, review=ReviewOutcome.REJECTED),
        replace(third, review=ReviewOutcome.CORRECTED, sentiment=Sentiment.SELL, read_as=Sentiment.BUY),
        fourth,
    ]

    assert sampled_reviews(sample) == SampledReviews(right=1, checked=3)
