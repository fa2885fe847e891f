"""The demo's reader: recorded responses of a model, replayed through the checks that every model's pass."""

import json
from collections.abc import Iterator
from datetime import date
from typing import Any, NoReturn

import pytest

from functions.reading.analyst import Analysis, Speech
from functions.reading.models import recorded
from functions.reading.models.prompt import RESPONSE_SCHEMA
from functions.reading.models.recorded import RecordedAnalyst, text_key
from functions.reading.policy import Reason, calls_of, decide
from functions.reading.rules import RulesAnalyst
from functions.reading.statements import Act, Speaker
from functions.reading.terms import SIDES
from functions.record.sources.demo import channels as demo_channels
from functions.record.sources.demo.channels import channels

ANSWERS: dict[str, Any] = json.loads(recorded.FILE.read_bytes())
FIELDS = RESPONSE_SCHEMA["properties"]["statements"]["items"]["properties"]


def no_fallback() -> NoReturn:
    raise AssertionError("the fallback was created for a recorded text")


def speeches() -> Iterator[tuple[str, Speech]]:
    for channel in channels():
        for video in channel.videos:
            if text := channel.transcripts.get(video.youtube_video_id):
                yield video.youtube_video_id, Speech(text, video.published_at, video.title)


def analysis_of(speech: Speech) -> Analysis:
    return RecordedAnalyst(no_fallback).analyse(speech)


def test_each_transcript_of_the_demo_has_a_response_to_the_words_it_has_today() -> None:
    assert {video_id: answer["text"] for video_id, answer in ANSWERS.items()} == {
        video_id: text_key(speech.text) for video_id, speech in speeches()
    }


def test_the_responses_have_the_shape_that_models_are_asked_for() -> None:
    entries = [entry for answer in ANSWERS.values() for entry in answer["response"]["statements"]]

    assert all(entry.keys() == FIELDS.keys() for entry in entries)
    assert {entry["act"] for entry in entries} <= set(FIELDS["act"]["enum"])
    assert {entry["speaker"] for entry in entries} == set(FIELDS["speaker"]["enum"])


def test_no_statement_of_the_responses_fails_a_check() -> None:
    for video_id, speech in speeches():
        analysis = analysis_of(speech)

        assert analysis.rejected == (), video_id
        assert len(analysis.statements) == len(ANSWERS[video_id]["response"]["statements"]), video_id
        assert not [one for one in analysis.statements if one.possible_act], video_id


def test_every_quote_stands_in_its_transcript() -> None:
    for video_id, speech in speeches():
        for statement in analysis_of(speech).statements:
            given = next(e for e in ANSWERS[video_id]["response"]["statements"] if e["ticker"] == statement.ticker)
            assert len(statement.quotes) == len(given["quotes"]), (video_id, statement.ticker)
            for quote in statement.quotes:
                assert speech.text[quote.position :].startswith(quote.text[:30]), (video_id, quote.text)


def test_a_blind_reading_finds_the_buys_and_sells_that_the_scripts_intend() -> None:
    """The two that it leaves out are the only differences: docs/demo.md."""
    intended = {
        (video["youtube_video_id"], call["ticker"], call["sentiment"])
        for channel in json.loads(demo_channels.DATA.read_bytes())
        for video in channel["videos"]
        for call in video["calls"]
        if video["transcript"] and call["sentiment"] in SIDES
    }

    read = {
        (video_id, call.ticker, str(call.sentiment))
        for video_id, speech in speeches()
        for call in calls_of(analysis_of(speech).statements)
        if call.sentiment in SIDES
    }

    assert read - intended == set()
    assert {ticker for _, ticker, _ in intended - read} == {"BBY", "GE"}
    assert len(intended - read) == 2


def test_the_demo_shows_what_a_statement_can_hold() -> None:
    statements = [statement for _, speech in speeches() for statement in analysis_of(speech).statements]
    reasons = {decide(statement).reason for statement in statements}

    assert reasons == set(Reason) - {Reason.UNCLEAR, Reason.PLANS_TO_BUY}
    assert sum(statement.speaker is Speaker.GUEST for statement in statements) > 30
    assert sum(statement.condition is not None for statement in statements) > 10
    assert sum(statement.horizon is not None for statement in statements) > 20
    assert sum(statement.target is not None for statement in statements) > 4
    assert sum(statement.sponsored for statement in statements) == 2
    assert [statement.ticker for statement in statements if not statement.listed] == ["QFBX"]
    assert {"shev ron", "proctor and gambol", "gee ee"} <= {statement.heard for statement in statements}


def test_a_purchase_is_read_as_one_although_an_earlier_sale_is_told_as_well() -> None:
    said = "I bought Bank of America. I know I sold it three weeks ago"
    (speech,) = [speech for _, speech in speeches() if said in speech.text]

    acts = {statement.ticker: statement.act for statement in analysis_of(speech).statements}

    assert acts["BAC"] is Act.BOUGHT


@pytest.mark.parametrize("text", ["I am buying Apple today. Tesla fell again.", "Nothing about stocks.", ""])
def test_a_text_without_a_response_is_read_by_the_fallback_which_is_named(text: str) -> None:
    speech, rules = Speech(text, date(2022, 5, 2)), RulesAnalyst()

    analysis = RecordedAnalyst(lambda: rules).analyse(speech)

    assert analysis.analyst == rules.name
    assert analysis.statements == rules.analyse(speech).statements


def test_a_recorded_reading_is_the_recorded_model_s() -> None:
    _, speech = next(speeches())

    assert analysis_of(speech).analyst is None
    assert RecordedAnalyst(no_fallback).name == "recorded large model"


def test_white_space_does_not_hide_the_response_but_one_changed_word_does() -> None:
    _, speech = next(speeches())

    assert text_key(speech.text.replace(" ", "\n")) == text_key(speech.text)
    assert text_key(f"{speech.text} Indeed.") != text_key(speech.text)
