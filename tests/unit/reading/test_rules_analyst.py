"""The deterministic analyst: the cases of `rules_cases/`, its confidence and limits, and the labelled passages."""

import json
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.analyst import load, scores
from functions.reading.analyst import Analyst, Speech
from functions.reading.listings import is_listed, listing
from functions.reading.policy import Call, calls_of
from functions.reading.rules import RulesAnalyst
from functions.reading.rules.clarity import HOLD, TRADE, clarity, learned_clarity
from functions.reading.rules.evidence import all_evidence
from functions.reading.rules.findings import findings_of
from functions.reading.rules.known import known_names, other_meanings
from functions.reading.rules.text import words_of
from functions.reading.rules.weighing import learned_weights, likeliest, probabilities
from functions.reading.rules.wording import learned_wording
from functions.reading.terms import Sentiment
from functions.record.sources.demo import channels as demo

MILLION = 1_000_000
LIKELY = 0.55
"""How likely a stance of a long transcript must be by its phrases, so that they are known."""
LONG_VIDEO = (
    "It was a long week, and hardly anything happened where I live. The weather was fine, so we went for a walk. " * 13
)
"""More words than a short clip has, without a stock."""
CASES = Path(__file__).with_name("rules_cases")
CHANNELS = Path(demo.__file__).with_name("channels.json")


def calls_in(transcript: str, day: date | None = None, threshold: float = 0.5) -> list[Call]:
    return calls_of(RulesAnalyst(threshold).analyse(Speech(transcript, day)).statements)


def unsure_calls_in(transcript: str) -> list[Call]:
    return calls_in(transcript, threshold=0.1)


def read(transcript: str, day: date | None = None) -> dict[str, str]:
    return {call.ticker: call.sentiment.value for call in calls_in(transcript, day)}


def by_phrases(transcript: str) -> dict[str, str]:
    """The calls that the phrases of a long transcript alone make of each stock, however clear they are."""
    read_as = {}
    for ticker, found in findings_of(transcript, words_of(transcript))[1].items():
        likely = probabilities(all_evidence(found, learned_wording()), learned_weights())
        best = likeliest(likely)
        read_as[ticker] = best.value if likely[best] >= LIKELY else Sentiment.MENTIONED.value
    return read_as


@dataclass(frozen=True)
class Case:
    """A text and the calls it must give; `rules_cases/README.md` describes the files."""

    name: str
    text: str
    expected: dict[str, str] | list[str]
    day: date | None = None
    why: str = ""
    in_a_long_video: bool = False
    ignore_other_stocks: bool = False

    def found(self) -> dict[str, str] | list[str]:
        calls = by_phrases(LONG_VIDEO + self.text) if self.in_a_long_video else read(self.text, self.day)
        if isinstance(self.expected, list):
            return sorted(calls)
        if self.ignore_other_stocks:
            return {ticker: sentiment for ticker, sentiment in calls.items() if ticker in self.expected}
        return calls

    def __str__(self) -> str:
        return "\n".join(filter(None, [self.name, self.why, self.text]))


def load_cases() -> Iterator[Case]:
    for file in sorted(CASES.glob("*.toml")):
        for rule in tomllib.loads(file.read_text(encoding="utf-8"))["rule"]:
            cases, before = rule.pop("cases"), rule.pop("before", "")
            for case in cases:
                text, *own = [case] if isinstance(case, str) else case
                own_fields = dict(zip(("expected", "day"), own, strict=False))
                yield Case(**{**rule, **own_fields, "text": before + text})


@pytest.mark.parametrize("case", list(load_cases()), ids=lambda case: f"{case.name}: {case.text[:100]}")
def test_a_text_gives_the_expected_calls(case: Case) -> None:
    assert case.found() == case.expected, str(case)


@pytest.mark.parametrize(
    ("filler", "expected"),
    [
        ("So this was a long week for the market and hardly anything happened. ", {"PTON": "mentioned"}),
        ("So this was a long week for the Fed and hardly anything happened on Friday. ", {}),
    ],
)
def test_small_letters_name_a_ticker_where_only_sentences_begin_large(filler: str, expected: dict[str, str]) -> None:
    assert read(filler * 20 + "Then i looked at the chart of pton and its shares.") == expected


@pytest.mark.parametrize(
    ("said", "side"),
    [
        ("Deere is an absolute steal at this price.", "buy"),
        ("Deere fell, and to me that is a great buying opportunity.", "buy"),
        ("I'm putting Deere in the avoid category.", "sell"),
        ("Deere is a name we are bullish on.", "buy"),
        ("Deere has doubled. Take your profits and move on.", "sell"),
        ("I can't recommend Deere.", "sell"),
    ],
)
def test_a_bargain_a_warning_and_dislike_speak_for_a_side(said: str, side: str) -> None:
    (call,) = calls_in(said)

    assert side in {call.sentiment, call.decision.possible_sentiment}


def test_a_laptop_of_hp_is_not_its_stock() -> None:
    assert "HPQ" not in read("I bought an HP laptop at Costco.")


def test_letters_after_ticker_are_read_as_a_whole() -> None:
    assert "GO" not in read("We like the shares of that search engine, ticker G O G L, at this price.")


def test_a_stock_that_is_talked_about_for_long_is_still_meant() -> None:
    talk = "It is a maker of pumps, and the company has plants in nine states and more than four thousand people. " * 4

    assert by_phrases(f"{LONG_VIDEO}Flowserve. Flowserve. Flowserve. {talk}So I've got May puts on it.") == {
        "FLS": "sell"
    }


def test_results_come_in_order_of_first_appearance() -> None:
    calls = calls_in("Walmart reported. I'm buying Apple. Walmart rose. Then there is Deere.")

    assert [call.ticker for call in calls] == ["WMT", "AAPL", "DE"]


def test_confidence_grows_with_what_is_said() -> None:
    once, often = (
        calls_in(transcript)[0].confidence
        for transcript in ("Deere reported. I sold on Friday.", "Deere reported. I sold on Friday. Deere is a sell.")
    )

    assert once < often < 1


def test_what_is_likely_but_not_clear_is_a_mention_with_a_possible_side() -> None:
    transcript = "Deere is down. I sold on Friday."

    (clear,) = calls_in(transcript)
    (unclear,) = calls_in(transcript, threshold=0.97)

    assert (clear.sentiment, clear.decision.possible_sentiment) == (Sentiment.SELL, None)
    assert (unclear.sentiment, unclear.decision.possible_sentiment) == (Sentiment.MENTIONED, Sentiment.SELL)
    assert unclear.confidence == clear.confidence


@pytest.mark.parametrize(
    "surer",
    [
        "I bought Deere yesterday.",
        "I bought Deere. Deere is a buy.",
        "I bought Deere. Deere makes tractors. Deere is in Illinois. Deere is old.",
    ],
)
def test_a_trade_of_a_long_video_is_clearer_if_more_is_said_of_it(surer: str) -> None:
    (once,) = unsure_calls_in(LONG_VIDEO + "I bought Deere.")
    (often,) = unsure_calls_in(LONG_VIDEO + surer)

    assert once.sentiment is often.sentiment is Sentiment.BUY
    assert once.confidence < often.confidence


def test_one_sentence_is_clearer_in_a_short_clip_than_in_a_long_video() -> None:
    said = "I keep adding to Deere under ninety."

    assert read(said) == {"DE": "buy"}
    (call,) = calls_in(LONG_VIDEO + said)
    assert (call.sentiment, call.decision.possible_sentiment) == (Sentiment.MENTIONED, Sentiment.BUY)


def test_a_plain_trade_of_these_days_is_clear_in_a_long_video() -> None:
    for said, expected in {
        "I bought Deere yesterday.": "buy",
        "I'm buying Deere here.": "buy",
        "I sold all my Deere this morning.": "sell",
        "Deere is a buy right now.": "buy",
        "I own Deere.": "hold",
    }.items():
        assert read(LONG_VIDEO + said) == {"DE": expected}


def test_what_makes_a_call_clear_is_known_for_trades_and_holds() -> None:
    assert learned_clarity().keys() == {TRADE, HOLD}
    assert 0 < clarity(Sentiment.HOLD, 0.5, [], 1) < clarity(Sentiment.HOLD, 1.0, [], 1) < 1


def test_what_hardly_looks_like_a_call_is_never_clear() -> None:
    assert clarity(Sentiment.BUY, 0.1, [], 12) == 0.1


def test_a_trade_on_the_other_side_makes_a_call_less_clear() -> None:
    (clear,) = unsure_calls_in(LONG_VIDEO + "I bought Deere this week. Deere is a buy.")
    (torn,) = unsure_calls_in(LONG_VIDEO + "I bought Deere this week. I sold Deere. Deere is a buy.")

    assert torn.confidence < clear.confidence


def test_contrary_signals_lower_the_confidence() -> None:
    clear, torn = (
        calls_in(transcript)[0].confidence
        for transcript in ("I sold Deere. I'm selling Deere.", "I bought Deere. I'm selling Deere.")
    )

    assert torn < clear


def test_context_is_the_sentence_the_call_rests_on() -> None:
    transcript = "Deere reported on Friday. I added twenty shares, and I may add more. The weather was nice."

    (call,) = calls_in(transcript)

    assert call.context == "I added twenty shares, and I may add more"


@pytest.mark.parametrize(
    "transcript",
    [
        "Deere reported on Friday. I added twenty shares, and I may add more. The weather was nice.",
        "\n\n  Deere fell.\n\nI'm  buying\nCostco.",
        f"{'x ' * 30}{' ' * 300}I'm buying Deere{' ' * 300}and{' y' * 30}",
        " ".join(["I", *["really"] * 30, "am buying Deere", *["soon"] * 30]),
    ],
)
def test_a_call_knows_where_its_context_begins(transcript: str) -> None:
    for call in calls_in(transcript):
        assert call.position is not None
        assert transcript[call.position :].startswith(call.context)


def test_the_name_tells_the_rules_and_any_threshold_of_one_s_own() -> None:
    assert RulesAnalyst().name == RulesAnalyst(0.5).name == "rules 4.0"
    assert RulesAnalyst(0.6).name == "rules 4.0, threshold 0.6"


SAYINGS = st.sampled_from(
    [
        "nvidia",
        "NVDA",
        "$AMD",
        "Tesla",
        "target",
        "i'm",
        "buying",
        "sold",
        "holding",
        "not",
        "if",
        "drops",
        "?",
        ".",
        ",",
        "and",
        "but",
        "the",
        "stock",
        "uh",
        "a",
        "buy",
        "sell",
        "it",
        "he",
        "said",
        "2015",
        "should",
        "you",
        "yes",
        "no",
        "ticker",
        "n",
        "v",
        "bitcoin",
        "\u00e9t\u00e9",
        "\u2019",
        "$",
        "&",
        "them",
    ]
)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.one_of(SAYINGS, st.text(max_size=12)), max_size=80).map(" ".join))
def test_any_text_gives_well_formed_calls_and_always_the_same(transcript: str) -> None:
    calls = calls_in(transcript)

    assert calls == calls_in(transcript)
    assert len({call.ticker for call in calls}) == len(calls)
    for call in calls:
        assert is_listed(call.ticker)
        assert 0 <= call.confidence <= 1
        assert call.position is not None
        assert transcript[call.position :].startswith(call.context)
        assert 0 < len(call.context) <= 200


def steps(transcript: str) -> int:
    """Lines of the analyst's code that run for a transcript."""
    counted = 0

    def count(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal counted
        counted += 1
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        calls_in(transcript)
    finally:
        sys.settrace(before)
    return counted


@pytest.mark.parametrize(
    "part",
    [
        "nvidia ",
        "nvidia, ",
        "Nvidia. ",
        "a ",
        "$A ",
        "buy ",
        "not ",
        "palanteer ",
        "rmbs ",
        "buy nvidia ",
        "should i buy nvidia? ",
        "i changed my mind on nvidia i sold it ",
        "nvidia took a b c d e off ",
        "five stocks i'm buying number one is nvidia ",
        "i bought nvidia. ",
        "i'm short nvidia. i covered it. ",
        "my portfolio. we have nvidia at number one. ",
        "my portfolio. nvidia. up 40 percent. ",
        'he says "i bought nvidia." ',
    ],
)
def test_work_grows_in_proportion_to_the_text(part: str) -> None:
    calls_in(part * 10)

    some, more = steps(part * 200), steps(part * 800)

    assert more < 5 * some


@pytest.mark.parametrize(
    "transcript",
    ["a" * 5 * MILLION, "$" * MILLION, "a'" * MILLION, '"a' * MILLION, "\n" * MILLION, "\u05d0" * MILLION],
    ids=lambda transcript: repr(transcript[:4]),
)
def test_megabytes_without_a_space_are_one_word(transcript: str) -> None:
    assert calls_in(transcript) == []


def test_one_name_ten_thousand_times_is_one_stock() -> None:
    assert read("nvidia " * 10_000) == {"NVDA": "mentioned"}


def test_every_alias_leads_to_a_listed_share() -> None:
    tickers = {name.ticker for group in known_names().values() for names in group.values() for name in names}
    tickers.update(other_meanings())

    unlisted = {ticker for ticker in tickers if ticker and listing(ticker) is None}

    assert unlisted == set()


@pytest.mark.parametrize(
    ("half", "ticker_floor", "sentiment_floor"), [("development", 0.98, 0.93), ("held_out", 0.95, 0.80)]
)
def test_labelled_passages_are_read_as_people_read_them(half: str, ticker_floor: float, sentiment_floor: float) -> None:
    passages = load(half)
    if not passages:
        pytest.skip(f"the {half} passages are not here")
    analyst: Analyst = RulesAnalyst()

    result = scores(passages, analyst)

    assert result.ticker.f1 >= ticker_floor
    assert result.ticker_and_sentiment.f1 >= sentiment_floor


def test_the_demo_is_read_as_it_is_meant() -> None:
    videos = [video for channel in json.loads(CHANNELS.read_text(encoding="utf-8")) for video in channel["videos"]]
    counts: Counter[str] = Counter()
    phantoms = []

    for video in videos:
        labels = {call["ticker"]: call["sentiment"] for call in video["calls"]}
        found = read(video["transcript"] or "", date.fromisoformat(video["published_at"][:10]))
        phantoms += [(video["title"], ticker) for ticker in found.keys() - labels.keys()]
        counts["made"] += sum(label != "mentioned" for label in labels.values())
        counts["read"] += sum(sentiment != "mentioned" for sentiment in found.values())
        counts["right"] += sum(
            sentiment != "mentioned" and labels.get(ticker) == sentiment for ticker, sentiment in found.items()
        )

    assert phantoms == []
    assert counts["right"] >= 0.95 * counts["read"]
    assert counts["right"] >= 0.8 * counts["made"]


def test_a_name_that_comes_long_after_its_place_on_a_list_is_not_on_it() -> None:
    talk = "We had rain for days, and the harvest was late again this year. " * 4

    result = read(f"Three stocks to buy this year. Number one is a secret. {talk} Deere reports on Friday.")

    assert result == {"DE": "mentioned"}


def test_a_list_that_was_announced_ends() -> None:
    talk = "We spoke of the weather, of the harvest and of trains for a long while. " * 60

    assert read(f"Three stocks I'm buying this year. {talk} Deere, ticker DE, is in trouble.") == {"DE": "mentioned"}


@pytest.mark.parametrize(
    ("said", "sentiment"),
    [
        ("Now Microsoft. I would buy it up to 500.", Sentiment.BUY),
        ("Microsoft is great. I would buy Microsoft up to 500 dollars.", Sentiment.BUY),
        ("I'd be buying Microsoft up to 500 dollars a share.", Sentiment.BUY),
        ("Now Microsoft. I would buy it up to around 500.", Sentiment.BUY),
        ("I would buy Microsoft at 450 up to 500 dollars a share.", Sentiment.BUY),
        ("I will buy Microsoft at prices up to 500.", Sentiment.BUY),
        ("I would buy Microsoft.", Sentiment.BUY),
        ("Now Microsoft. I would buy it at 500.", Sentiment.MENTIONED),
        ("I would buy Microsoft below 400.", Sentiment.MENTIONED),
        ("I would buy Microsoft if it falls to 400.", Sentiment.MENTIONED),
    ],
)
def test_the_most_that_somebody_would_pay_is_no_condition_and_a_price_to_wait_for_is_one(
    said: str, sentiment: Sentiment
) -> None:
    assert read(said) == {"MSFT": sentiment}
