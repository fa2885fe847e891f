"""The tone of headlines, rule by rule, and as a whole on the labelled headlines."""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench import headlines as bench
from functions.news.tone import read_tone
from functions.news.tone.evidence import DIRECT, RATINGS, THINGS, VERBS
from functions.news.tone.lexicon import FILE, WORD_LISTS
from functions.news.tone.text import MAX_CHARACTERS
from functions.record.models.tones import NewsSentiment
from local.engine import ROOT

POSITIVE, NEUTRAL, NEGATIVE = NewsSentiment
MILLION = 1_000_000


def misread(cases: dict[str, NewsSentiment], about: str | None = None) -> dict[str, str]:
    """The headlines that are not read as they should be, and how they are."""
    read = {text: read_tone(text, about).sentiment for text in cases}
    return {text: str(sentiment) for text, sentiment in read.items() if sentiment is not cases[text]}


def test_results_are_compared_with_what_was_expected() -> None:
    cases = {
        "Acme beats estimates": POSITIVE,
        "Acme Tops Q3 Revenue Estimates": POSITIVE,
        "Acme results better than feared": POSITIVE,
        "Acme misses profit forecasts": NEGATIVE,
        "Acme Lags Q3 Earnings Estimates": NEGATIVE,
        "Acme falls short of sales goal": NEGATIVE,
        "Acme swings to a loss": NEGATIVE,
        "Acme's results in line with expectations": NEUTRAL,
    }

    assert misread(cases) == {}


def test_the_sense_of_a_direction_depends_on_its_object() -> None:
    cases = {
        "Acme cuts costs": POSITIVE,
        "Acme cuts guidance": NEGATIVE,
        "Acme raises outlook": POSITIVE,
        "Acme raises concerns": NEGATIVE,
        "Rising debt at Acme": NEGATIVE,
        "Acme lowers debt": POSITIVE,
        "Acme narrows loss": POSITIVE,
        "Acme's loss widens": NEGATIVE,
        "Acme's medical costs ease": POSITIVE,
        "Acme's price target lifted": POSITIVE,
        "Acme forecast slashed": NEGATIVE,
        "Regulator lifts ban on Acme": POSITIVE,
        "Agency drops lawsuit against Acme": POSITIVE,
        "Acme drops to a two-year low": NEGATIVE,
        "Acme slides as yields jump": NEGATIVE,
        "Acme sees weak demand": NEGATIVE,
        "Acme fined a record $2 billion": NEGATIVE,
    }

    assert misread(cases) == {}


def test_ratings_are_read_by_their_change_or_by_what_they_begin_with() -> None:
    cases = {
        "Acme cut to sell at Demo Securities": NEGATIVE,
        "Acme cut to hold": NEGATIVE,
        "Acme upgraded to buy from hold": POSITIVE,
        "Acme raised to neutral from underweight": POSITIVE,
        "Acme downgraded to neutral": NEGATIVE,
        "Acme started with overweight rating": POSITIVE,
        "Acme initiated at underperform": NEGATIVE,
        "Acme initiated at equal weight": NEUTRAL,
        "Demo Securities reiterates neutral rating on Acme": NEUTRAL,
    }

    assert misread(cases) == {}


def test_grave_events_are_known() -> None:
    cases = {
        "Acme files for bankruptcy": NEGATIVE,
        "Acme files for Chapter 11": NEGATIVE,
        "Acme recalls pumps": NEGATIVE,
        "FDA rejects Acme's drug": NEGATIVE,
        "FDA approves Acme's drug": POSITIVE,
        "8-K: Acme receives notice of delisting": NEGATIVE,
        "NT 10-K: Acme Corp": NEGATIVE,
        "Acme to cut 1,900 U.S. jobs": NEGATIVE,
    }

    assert misread(cases) == {}


def test_negation_turns_or_cancels_what_is_said() -> None:
    cases = {
        "Acme fails to impress": NEGATIVE,
        "Acme wins no contract": NEGATIVE,
        "Acme avoids default": POSITIVE,
        "Acme shrugs off slowdown fears": POSITIVE,
        "Acme's losses not as bad as feared": POSITIVE,
        "Acme's drug less effective than thought": NEGATIVE,
        "Acme denies fraud": NEUTRAL,
        "Acme neither beats nor misses": NEUTRAL,
    }

    assert misread(cases) == {}


def test_the_price_reaction_weighs_more_than_the_news_and_mixed_news_is_neutral() -> None:
    cases = {
        "Acme shares fall despite record profit": NEGATIVE,
        "Despite record profit, Acme shares fall": NEGATIVE,
        "Acme shares jump even as sales dip": POSITIVE,
        "Acme tops estimates but soft outlook sends shares lower": NEGATIVE,
        "Acme beats on profit but misses on revenue": NEUTRAL,
        "Acme's sales rise, profit falls": NEUTRAL,
        "Acme -6% after hours": NEGATIVE,
        "Acme +6% after hours": POSITIVE,
        "ACME SHARES PLUNGE ON WEAK OUTLOOK": NEGATIVE,
    }

    assert misread(cases) == {}


def test_questions_notices_and_filings_have_no_tone() -> None:
    cases = dict.fromkeys(
        [
            "Is Acme stock a buy after its rally?",
            "Should you sell Acme before earnings?",
            "What to expect when Acme reports",
            "Acme sets date for earnings",
            "Acme to present at growth conference",
            "Acme Corp 10-Q",
            "10-Q - Quarterly report",
            "Form 4: Acme Corp, statement of changes in beneficial ownership",
            "Acme appoints new finance chief",
            "Acme shares unchanged after results",
            "",
            "   ",
            "Ελληνικά 日本語 العربية",
        ],
        NEUTRAL,
    )

    assert misread(cases) == {}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("AMD falls as Nvidia beats", {"AMD": NEGATIVE, "NVDA": POSITIVE, "Nvidia": POSITIVE}),
        ("Merck plunges as Pfizer's pill outshines its own", {"MRK": NEGATIVE, "PFE": POSITIVE}),
        ("GM outsells Ford for third year", {"GM": POSITIVE, "F": NEGATIVE}),
        ("Airbus widens lead over Boeing", {"Boeing": NEGATIVE, "Airbus": POSITIVE}),
        ("Moderna loses patent ruling against Pfizer", {"MRNA": NEGATIVE, "PFE": POSITIVE}),
        ("Costco traffic stays strong as rivals stumble", {"COST": POSITIVE}),
        ("Barclays cuts Apple to underweight", {"AAPL": NEGATIVE}),
        ("Google loses appeal of antitrust fine", {"Alphabet": NEGATIVE, "GOOGL": NEGATIVE}),
        ("Lilly jumps on trial data", {"Eli Lilly": POSITIVE, "LLY": POSITIVE, "ELI LILLY & Co": POSITIVE}),
    ],
)
def test_one_headline_is_read_differently_for_each_company_in_it(text: str, expected: dict[str, NewsSentiment]) -> None:
    assert {about: read_tone(text, about).sentiment for about in expected} == expected


def test_what_is_said_more_plainly_is_read_more_surely() -> None:
    hint, statement, certain = (
        read_tone(text).score
        for text in ("Acme shows strength", "Acme shares jump", "Acme shares soar on record profit")
    )

    assert 0.5 <= hint < statement < certain <= 1


@given(text=st.text(max_size=200), about=st.none() | st.text(max_size=20))
@settings(max_examples=100, deadline=None)
def test_any_text_has_a_tone(text: str, about: str | None) -> None:
    tone = read_tone(text, about)

    assert tone.sentiment in NewsSentiment
    assert 0 <= tone.score <= 1


HOSTILE = [
    "a",
    "as ",
    "cuts ",
    "not ",
    "Apple beats Nvidia ",
    "1",
    "1.,",
    "$",
    "a'",
    "a.",
    "-",
    "?",
    "§¤#",
    "\x00\x1b\u202e",
    "\ud800",
    "株",
    "\U0001d7d9",
]


def work(text: str, about: str | None) -> int:
    """The lines run to read it."""
    counted = 0

    def count(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal counted
        counted += event == "line"
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        read_tone(text, about)
    finally:
        sys.settrace(before)
    return counted


def test_no_input_costs_more_than_a_headline_of_a_thousand_characters() -> None:
    read_tone("Apple beats", "AAPL")
    costs = {
        part: (work(part * (MAX_CHARACTERS // len(part) + 1), "AAPL"), work(part * (5 * MILLION // len(part)), "AAPL"))
        for part in HOSTILE
    }

    assert {part: cost for part, cost in costs.items() if cost[1] > cost[0]} == {}
    assert max(cost for _, cost in costs.values()) < 500 * MAX_CHARACTERS


def test_an_overlong_company_name_is_harmless() -> None:
    read_tone("Acme falls", "Acme")
    assert work("Acme falls", "Acme " * MILLION) < 50 * work("Acme falls", "Acme Corp")


def test_reading_the_tone_loads_the_standard_library_alone() -> None:
    code = (
        "import sys; from functions.news.tone import read_tone; read_tone('Apple falls', 'AAPL');"
        "print([name for name in sys.modules if name.split('.')[0] not in sys.stdlib_module_names | {'functions'}"
        " and not name.startswith('_')])"
    )
    result = subprocess.run([sys.executable, "-S", "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)

    assert result.stdout.strip() == "[]"


def test_each_section_of_the_lexicon_is_one_the_rules_know_and_none_contradicts_another() -> None:
    sections = {
        name.rstrip("]"): {entry for line in lines for entry in line.split(" | ")}
        for name, *lines in (part.splitlines() for part in FILE.read_text(encoding="utf-8").split("\n[")[1:])
    }
    structure = {"negators", "denies", "concedes", "turns", "causes", "conjunctions", "contests", "notices"}
    known = {*DIRECT, *THINGS, *VERBS, *RATINGS, *WORD_LISTS, *structure, "restrictions", "nothing"}
    degrees = [sections[name] for name in DIRECT]

    assert set(sections) == known
    assert [entry for entries in sections.values() for entry in entries if entry != entry.lower()] == []
    assert sum(map(len, degrees)) == len(set().union(*degrees))
    assert sections["raise"] & sections["lower"] == sections["rise"] & sections["fall"] == set()


def test_the_labelled_headlines_are_many_varied_and_in_one_half_each() -> None:
    development, held_out = map(bench.load_half, bench.HALVES)
    both = development + held_out
    shares = Counter(headline.sentiment for headline in both)

    assert len(both) >= 360
    assert abs(len(development) - len(held_out)) <= 10
    assert shares[NEUTRAL] >= 0.25 * len(both)
    assert shares[NEGATIVE] >= 0.30 * len(both)
    assert {headline.text for headline in development}.isdisjoint(headline.text for headline in held_out)
    assert len({(headline.text, headline.about) for headline in both}) == len(both)


@pytest.mark.parametrize(("half", "floor"), [("development", 0.96), ("held_out", 0.90)])
def test_the_labelled_headlines_are_read_far_better_than_by_vader(half: str, floor: float) -> None:
    labelled = bench.load_half(half)

    rules, vader, majority = (
        bench.macro_f1(bench.pairs(labelled, read))
        for read in (bench.by_rules, bench.by_vader(), bench.by_majority(labelled))
    )

    assert rules >= floor
    assert rules > vader + 0.25 > majority


def test_macro_f1_is_the_mean_over_the_classes() -> None:
    found = [(POSITIVE, POSITIVE), (POSITIVE, NEGATIVE), (NEGATIVE, NEGATIVE), (NEUTRAL, NEUTRAL)]

    scores = bench.class_scores(Counter(found))
    low, high = bench.interval(found)

    assert (scores[NEGATIVE].precision, scores[NEGATIVE].recall) == (0.5, 1.0)
    assert bench.macro_f1(found) == pytest.approx((2 / 3 + 2 / 3 + 1) / 3)
    assert low < bench.macro_f1(found) <= high


def test_the_bench_measures_labels_from_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    labels = tmp_path / "mine.json"
    labels.write_text(
        json.dumps(
            [
                {"text": "Acme beats estimates", "about": "Acme", "sentiment": "positive"},
                {"text": "Acme slides", "about": None, "sentiment": "neutral"},
            ]
        )
    )

    bench.main(["--labels", str(labels), "--errors"])

    printed = capsys.readouterr().out
    assert "neutral, read as negative at 0.88: Acme slides" in printed
    assert "mine: 2 headlines" in printed
