"""The call that the policy makes of a statement."""

from dataclasses import replace
from typing import Any

import pytest

from functions.reading.policy import CALLS, PLAIN_ACTS, Decision, Reason, decide, explain, main_statements
from functions.reading.statements import Act, Quote, Speaker, Statement
from functions.reading.terms import Sentiment

BUY, HOLD, SELL, MENTIONED = Sentiment


def statement(act: Act, **facts: Any) -> Statement:
    return replace(Statement("AAPL", act, (Quote("words that were said", 0),), 0.9), **facts)


@pytest.mark.parametrize(
    ("act", "sentiment", "reason"),
    [
        (Act.BOUGHT, BUY, Reason.BOUGHT),
        (Act.PLANS_TO_BUY, BUY, Reason.PLANS_TO_BUY),
        (Act.RECOMMENDS, BUY, Reason.RECOMMENDS),
        (Act.SOLD, SELL, Reason.SOLD),
        (Act.PLANS_TO_SELL, SELL, Reason.PLANS_TO_SELL),
        (Act.ADVISES_AGAINST, SELL, Reason.ADVISES_AGAINST),
        (Act.KEEPS, HOLD, Reason.KEEPS),
        (Act.OWNS, HOLD, Reason.OWNS),
        (Act.WOULD_BUY, MENTIONED, Reason.ON_CONDITION),
        (Act.WOULD_SELL, MENTIONED, Reason.ON_CONDITION),
        (Act.PRAISES, MENTIONED, Reason.OPINION),
        (Act.CRITICISES, MENTIONED, Reason.OPINION),
        (Act.REPORTS, MENTIONED, Reason.NEWS),
    ],
)
@pytest.mark.parametrize("speaker", [Speaker.HOST, Speaker.GUEST])
def test_each_act_has_its_sentiment_and_reason(
    act: Act, sentiment: Sentiment, reason: Reason, speaker: Speaker
) -> None:
    assert decide(statement(act, speaker=speaker)) == Decision(sentiment, reason)


@pytest.mark.parametrize("act", CALLS)
def test_what_somebody_else_says_is_not_the_channels_call(act: Act) -> None:
    assert decide(statement(act, speaker=Speaker.OTHER)) == Decision(MENTIONED, Reason.SOMEBODY_ELSE)


@pytest.mark.parametrize("act", CALLS)
def test_what_a_sponsor_pays_for_is_not_a_call(act: Act) -> None:
    assert decide(statement(act, sponsored=True)) == Decision(MENTIONED, Reason.SPONSORED)


@pytest.mark.parametrize("act", [Act.RECOMMENDS, Act.PLANS_TO_BUY, Act.PLANS_TO_SELL, Act.ADVISES_AGAINST])
def test_a_condition_suspends_what_is_still_to_come(act: Act) -> None:
    assert decide(statement(act, condition="if it falls to 110")) == Decision(MENTIONED, Reason.ON_CONDITION)


@pytest.mark.parametrize("act", [Act.BOUGHT, Act.SOLD, Act.KEEPS, Act.OWNS])
def test_a_condition_does_not_undo_what_is_a_fact(act: Act) -> None:
    assert decide(statement(act, condition="more if it falls to 110")).sentiment is CALLS[act]


@pytest.mark.parametrize(("act", "sentiment"), [(Act.RECOMMENDS, BUY), (Act.SOLD, SELL), (Act.PRAISES, None)])
def test_an_unclear_statement_is_a_mention_with_a_possible_side(act: Act, sentiment: Sentiment | None) -> None:
    unclear = statement(Act.REPORTS, possible_act=act)

    assert decide(unclear) == Decision(MENTIONED, Reason.UNCLEAR, sentiment)


@pytest.mark.parametrize("sentiment", Sentiment)
def test_the_plain_act_of_a_sentiment_leads_back_to_it(sentiment: Sentiment) -> None:
    assert decide(statement(PLAIN_ACTS[sentiment])).sentiment is sentiment


@pytest.mark.parametrize("reason", Reason)
def test_every_reason_is_explained_with_the_label_it_leads_to(reason: Reason) -> None:
    assert explain(reason).split(":")[0] in {"Buy", "Hold", "Sell", "Mention"}
    assert explain(reason).endswith(".")


def test_a_condition_is_explained_in_the_speakers_words() -> None:
    sentence = explain(Reason.ON_CONDITION, "if it falls to 110")

    assert sentence == "Mention: only on a condition (“if it falls to 110”)."


def test_of_two_acts_the_first_in_the_order_stands() -> None:
    owns, sold = statement(Act.OWNS), statement(Act.SOLD, confidence=0.2)

    assert main_statements([owns, sold, statement(Act.REPORTS)]) == [sold]


def test_of_the_same_act_the_surest_stands() -> None:
    unsure, sure = statement(Act.BOUGHT, confidence=0.4), statement(Act.BOUGHT, confidence=0.8)

    assert main_statements([unsure, sure]) == [sure]


def test_the_hosts_call_stands_before_a_guests() -> None:
    host, guest = statement(Act.OWNS), statement(Act.BOUGHT, speaker=Speaker.GUEST)

    assert main_statements([guest, host]) == [host]


def test_a_guests_call_stands_before_news_from_the_host() -> None:
    news, call = statement(Act.REPORTS), statement(Act.RECOMMENDS, speaker=Speaker.GUEST)

    assert main_statements([news, call]) == [call]


def test_a_conditional_buy_does_not_hide_a_position() -> None:
    conditional, owns = statement(Act.RECOMMENDS, condition="under 20"), statement(Act.OWNS)

    assert main_statements([conditional, owns]) == [owns]


def test_stocks_keep_their_order() -> None:
    others = [replace(statement(Act.BOUGHT), ticker=ticker) for ticker in ("TSLA", "AAPL", "TSLA")]

    assert [each.ticker for each in main_statements(others)] == ["TSLA", "AAPL"]
