"""Statements are stored with mentions, and changed by a person's correction."""

from dataclasses import replace

import pytest

from functions.reading.policy import Reason, decide
from functions.reading.statements import Act, Quote, Speaker, Statement
from functions.reading.terms import Sentiment
from functions.record.models.records import Review, ReviewOutcome, StockMention, Video
from functions.record.models.said import Said, said_in
from functions.record.reviews.corrections import as_read, reviewed_mention

TIMESTAMP = "2025-01-15T08:30:00.000Z"
FULL = Said(
    act=Act.WOULD_BUY,
    reason=Reason.ON_CONDITION,
    speaker=Speaker.GUEST,
    company="Palantir Technologies",
    heard="Pounder",
    condition="if it falls to “110”",
    horizon="five years",
    target=200.5,
    conviction=3,
    sponsored=True,
    listed=False,
    second_quote="number six is Pounder",
    second_quote_seconds=77,
)
MENTION = StockMention(
    "v1", "c1", "PLTR", Sentiment.MENTIONED, "2025-01-15", TIMESTAMP, context_snippet="at 110 I would", said=FULL
)
VIDEO = Video("v1", "c1", "y1", "Title", "https://example.com", "2025-01-15", TIMESTAMP, calls=(MENTION,))


def review(outcome: ReviewOutcome, sentiment: Sentiment, **facts: object) -> Review:
    plain = Review("c1", "v1", "PLTR", 1, sentiment, "ann", TIMESTAMP, outcome)
    return replace(plain, **facts)  # type: ignore[arg-type]


def test_a_statement_comes_back_from_its_item_and_from_its_video() -> None:
    corrected = replace(MENTION, said_as_read=replace(FULL, act=Act.OWNS))

    assert StockMention.from_item(corrected.to_item()) == corrected
    (of_video,) = Video.from_item(replace(VIDEO, calls=(corrected,)).to_item()).calls
    assert (of_video.said, of_video.said_as_read) == (corrected.said, corrected.said_as_read)


def test_a_mention_without_a_statement_takes_no_more_room_than_before() -> None:
    plain = replace(MENTION, said=None)

    assert "said" not in plain.to_item()
    assert StockMention.from_item(plain.to_item()).said is None


def test_only_what_is_known_is_stored() -> None:
    assert Said(Act.REPORTS, Reason.NEWS).compact() == {"act": "reports", "reason": "news"}


def test_fields_of_a_later_version_are_ignored() -> None:
    assert Said.read('{"act":"reports","reason":"news","mood":"sunny"}') == Said(Act.REPORTS, Reason.NEWS)


def test_a_statement_is_stored_with_the_reason_of_the_policy() -> None:
    quotes = (Quote("They're all buys", 5), Quote("number six is Pounder", 90))
    statement = Statement("PLTR", Act.RECOMMENDS, quotes, 0.9, condition="under 110", heard="Pounder")

    said = said_in(statement, decide(statement), 77)

    assert (said.reason, said.second_quote, said.second_quote_seconds) == (
        Reason.ON_CONDITION,
        "number six is Pounder",
        77,
    )
    assert said.explanation == "Mention: only on a condition (“under 110”)."


def test_a_corrected_act_changes_statement_and_sentiment_and_can_be_withdrawn() -> None:
    correction = review(ReviewOutcome.CORRECTED, Sentiment.BUY, act=Act.BOUGHT, speaker=Speaker.HOST, sponsored=False)

    after = reviewed_mention(MENTION, correction)

    assert after.said == replace(
        FULL, act=Act.BOUGHT, reason=Reason.BOUGHT, speaker=Speaker.HOST, condition=None, sponsored=False
    )
    assert (after.sentiment, after.read_as, after.said_as_read) == (Sentiment.BUY, Sentiment.MENTIONED, FULL)
    assert as_read(after) == MENTION


def test_a_corrected_act_with_the_same_sentiment_is_a_correction_too() -> None:
    correction = review(ReviewOutcome.CORRECTED, Sentiment.MENTIONED, act=Act.PRAISES, speaker=Speaker.GUEST)

    after = reviewed_mention(MENTION, correction)

    assert (after.review, after.read_as) == (ReviewOutcome.CORRECTED, None)
    assert after.said is not None
    assert (after.said.act, after.said.reason) == (Act.PRAISES, Reason.OPINION)
    assert as_read(after) == MENTION


@pytest.mark.parametrize("said", [FULL, None])
def test_a_correction_of_the_sentiment_alone_gives_its_plain_act(said: Said | None) -> None:
    mention = replace(MENTION, said=said)

    after = reviewed_mention(mention, review(ReviewOutcome.CORRECTED, Sentiment.SELL))

    assert after.said is not None
    assert (after.sentiment, after.said.act, after.said.reason) == (
        Sentiment.SELL,
        Act.ADVISES_AGAINST,
        Reason.ADVISES_AGAINST,
    )
    assert as_read(after) == mention


def test_a_confirmation_leaves_the_statement_as_it_is() -> None:
    after = reviewed_mention(MENTION, review(ReviewOutcome.CONFIRMED, Sentiment.MENTIONED))

    assert (after.said, after.said_as_read, after.review) == (FULL, None, ReviewOutcome.CONFIRMED)
