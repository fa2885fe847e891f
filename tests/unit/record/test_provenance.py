"""The provenance of a score: a hash that does not depend on order, and shares that need a review to exist."""

import hashlib
from dataclasses import replace

from functions.reading.terms import Sentiment
from functions.record.models.records import ReviewOutcome
from functions.record.scores.provenance import analysts_of, calls_sha256, how_far_checked
from functions.record.scoring.types import Checked
from tests.builders import a_mention, a_video

VIDEO = a_video("00000000-0000-4000-8000-000000000000")
BUY = a_mention(VIDEO, "AAPL", published_time="2024-03-01T14:00:00.000Z")
SELL = a_mention(VIDEO, "KO", sentiment="sell")


def test_the_hash_is_over_a_sorted_line_for_each_call() -> None:
    lines = f"{VIDEO.id}\tAAPL\tbuy\t2024-03-01\t2024-03-01T14:00:00.000Z\n{VIDEO.id}\tKO\tsell\t2024-03-01\t\n"

    assert calls_sha256([SELL, BUY]) == calls_sha256([BUY, SELL]) == hashlib.sha256(lines.encode()).hexdigest()
    assert calls_sha256([]) == hashlib.sha256(b"").hexdigest()


def test_the_hash_changes_with_a_side_a_date_and_a_call() -> None:
    others = [
        [BUY, replace(SELL, sentiment=Sentiment.BUY)],
        [BUY, replace(SELL, published_at="2024-03-02")],
        [replace(BUY, published_time=None), SELL],
        [BUY],
    ]

    assert calls_sha256([BUY, SELL]) not in map(calls_sha256, others)


def test_the_analysts_are_named_once() -> None:
    named = [replace(BUY, analyst=name) for name in ("rules 2.0", None, "a model", "rules 2.0")]

    assert analysts_of(named) == ["a model", "rules 2.0"]


def test_only_what_the_analyst_called_can_be_right_or_wrong() -> None:
    mentions = [
        replace(BUY, review=ReviewOutcome.CONFIRMED),
        replace(BUY, review=ReviewOutcome.REJECTED),
        replace(BUY, sentiment=Sentiment.HOLD, read_as=Sentiment.BUY, review=ReviewOutcome.CORRECTED),
        SELL,
        replace(BUY, read_as=Sentiment.MENTIONED, review=ReviewOutcome.CORRECTED),
        replace(BUY, sentiment=Sentiment.HOLD, review=ReviewOutcome.CONFIRMED),
    ]

    checked = how_far_checked(mentions)

    assert (checked.calls, checked.checked, checked.right, checked.right_rate) == (4, 3, 1, 1 / 3)
    assert checked.right_low is not None and 0 < checked.right_low < 1 / 3


def test_without_a_review_there_is_no_share() -> None:
    assert how_far_checked([BUY]) == Checked(1, 0, 0, None, None, None)
