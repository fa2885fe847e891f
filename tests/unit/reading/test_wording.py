"""How what is said of a stock is worded."""

from datetime import date

import pytest

from functions.reading.rules.evidence import Findings, all_evidence
from functions.reading.rules.findings import findings_of
from functions.reading.rules.text import words_of
from functions.reading.rules.wording import ALWAYS, Said, Worth, learned_wording, likeness, runs
from functions.reading.terms import Sentiment

NOTHING: Worth = (-2.0, -2.0, -2.0)


def findings(transcript: str) -> dict[str, Findings]:
    return findings_of(transcript, words_of(transcript), date(2026, 1, 5))[1]


def said(transcript: str, ticker: str) -> list[list[str]]:
    return [[clause.words for clause in stretch] for stretch in findings(transcript)[ticker].stretches]


def test_a_stretch_is_a_clause_that_names_the_stock_and_those_that_go_on_about_it() -> None:
    assert said("Etsy fell. I picked some up at 45 dollars. Micron rose. Nothing else happened.", "ETSY") == [
        ["§ fell", "i picked some up at # dollars"]
    ]


def test_names_beside_the_stock_are_told_from_it() -> None:
    assert said("I sold Etsy for Micron and gold.", "ETSY") == [["i sold § for ¤ and ¤"]]
    assert said("I sold Etsy for Micron and gold.", "MU") == [["i sold ¤ for § and ¤"]]


def test_long_talk_of_one_stock_is_cut_into_stretches() -> None:
    stretches = said("Etsy reported. " + "It was a good year. " * 9, "ETSY")

    assert [len(stretch) for stretch in stretches] == [6, 4]


def test_a_stock_named_again_and_again_takes_time_in_proportion() -> None:
    stretches = said("Etsy rose. " * 3_000, "ETSY")

    assert sum(map(len, stretches)) == 3_000
    assert max(map(len, stretches)) <= 6


def test_runs_are_of_one_and_two_words_and_know_where_a_clause_starts_and_ends() -> None:
    assert list(runs(Said("sold §", 0))) == ["^", "^ sold", "sold", "sold §", "§", "§ $", "$"]


def test_the_most_telling_stretch_counts_and_its_most_telling_clause_is_shown() -> None:
    worth = {ALWAYS: NOTHING, "picked some": (3.0, 0.0, 0.0), "good": (0.5, 0.0, 0.0)}
    found = findings("Etsy had a good year. Micron is down. Now Etsy. It is late. I picked some up today.")["ETSY"]

    like = likeness(found.stretches, worth)[Sentiment.BUY]

    assert like.log_odds == pytest.approx(0.76, abs=0.01)
    assert found.stretches[-1][-1] == Said("i picked some up today", like.first)


def test_a_run_counts_once_however_often_it_is_said() -> None:
    worth = {ALWAYS: NOTHING, "love": (1.0, 0.0, 0.0)}
    once, often = (
        likeness(findings(text)["ETSY"].stretches, worth)[Sentiment.BUY].log_odds
        for text in ("Etsy people love the site.", "Etsy people love love the site, love the app, love the logo.")
    )

    assert once == often


def worded(sentence: str) -> dict[str, str]:
    """The evidence of phrases beside each wording."""
    evidence = all_evidence(findings(sentence)["ETSY"], {ALWAYS: NOTHING})
    return {e.traits[0]: e.traits[1] for e in evidence if e.traits[0].startswith("worded as")}


@pytest.mark.parametrize(
    ("sentence", "phrases"),
    [
        ("I bought Etsy.", "phrases agree"),
        ("I might have bought Etsy.", "phrases in doubt"),
        ("I sold Etsy.", "phrases differ"),
        ("Etsy rose.", "no phrases"),
    ],
)
def test_doubts_about_a_phrase_reach_the_wording_around_it(sentence: str, phrases: str) -> None:
    assert worded(sentence)["worded as a buy"] == phrases


def test_where_somebody_plainly_trades_no_wording_speaks_for_a_hold() -> None:
    assert worded("I'm buying Etsy.").keys() == {"worded as a buy", "worded as a sell"}
    assert worded("Etsy rose.").keys() == {"worded as a buy", "worded as a hold", "worded as a sell"}


def test_what_ships_has_what_always_counts_and_no_names() -> None:
    worth = learned_wording()

    assert ALWAYS in worth
    assert len(worth) > 500
    assert not {"nvidia", "tesla", "apple's"} & {word for run in worth for word in run.split()}
