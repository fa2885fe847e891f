"""The sample of a channel's calls: drawn by chance alone, the same each time, and kept when others come."""

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from functions.reading.terms import Sentiment
from functions.record.models.records import Review, ReviewOutcome, StockMention
from functions.record.reviews.sample import SAMPLE_SIZE, drawn_as, sample_of, sampled_reviews
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


def test_new_calls_displace_none_that_was_drawn() -> None:
    every = calls(100)
    before = sample_of(CHANNEL, every)

    after = sample_of(CHANNEL, every + calls(1_000, "NEW"), [drawn_as(call) for call in before])

    assert after == before


def test_new_calls_fill_a_sample_that_is_short() -> None:
    few = calls(12)
    before = sample_of(CHANNEL, few)

    after = sample_of(CHANNEL, few + calls(100, "NEW"), [drawn_as(call) for call in before])

    assert after[:12] == before
    assert len(after) == SAMPLE_SIZE


@pytest.mark.parametrize("found", ["gone", "only mentioned"])
def test_a_call_that_another_reading_lacks_is_replaced_and_the_others_stay(found: str) -> None:
    every = calls(100)
    before = sample_of(CHANNEL, every)
    lost = before[3]
    still = [call for call in every if call != lost]
    read_again = still if found == "gone" else [*still, replace(lost, sentiment=Sentiment.MENTIONED)]

    after = sample_of(CHANNEL, read_again + calls(50, "NEW"), [drawn_as(call) for call in before])

    assert after[:-1] == [*before[:3], *before[4:]]
    assert after[-1].ticker not in [call.ticker for call in before]


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

    assert sampled_reviews(sample, reviews_of(sample, blind=True)) == SampledReviews(right=1, checked=3)


@pytest.mark.parametrize("blind", [False, None])
def test_an_answer_given_with_the_outcome_in_view_does_not_count(blind: bool | None) -> None:
    sample = [replace(call, review=ReviewOutcome.CONFIRMED) for call in calls(20)]

    assert sampled_reviews(sample, reviews_of(sample, blind=blind)) == SampledReviews(right=0, checked=0)
    assert sampled_reviews(sample, {}) == SampledReviews(right=0, checked=0)


def reviews_of(sample: list[StockMention], *, blind: bool | None) -> dict[str, Review]:
    return {
        call.id: Review(
            CHANNEL, call.video_id, call.ticker, 1, call.sentiment, "somebody", "2024-03-02T00:00:00.000Z", blind=blind
        )
        for call in sample
    }
