"""`python -m local.analyse`: a transcript in, the calls out as JSON."""

import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from functions.runtime.settings import settings
from functions.service.setup import reset_cache
from local.analyse import main
from tests.live_responses import call, completion
from tests.stub import Stub


def test_the_calls_of_a_file_are_printed_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    transcript = tmp_path / "transcript.txt"
    transcript.write_text("I'm buying Nvidia. Intel reported earnings.", encoding="utf-8")

    status = main([str(transcript)])

    calls = json.loads(capsys.readouterr().out)
    assert status == 0
    assert [(call["ticker"], call["sentiment"]) for call in calls] == [("NVDA", "buy"), ("INTC", "mentioned")]
    assert set(calls[0]) == {
        "ticker",
        "sentiment",
        "confidence",
        "context",
        "possible_sentiment",
        "position",
        "second",
        "reason",
        "statement",
    }
    assert [call["reason"] for call in calls] == ["Buy: recommends buying it.", "Mention: news or an example."]
    assert [(call["position"], call["second"]) for call in calls] == [(0, None), (19, None)]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "cp1252"])
def test_captions_tell_the_second_of_each_call(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], encoding: str
) -> None:
    captions = tmp_path / "captions.srt"
    captions.write_text(
        "1\n00:00:05,000 --> 00:00:07,000\n<i>I’m buying Nvidia.</i>\n\n"  # noqa: RUF001
        "2\n00:01:05,000 --> 00:01:07,000\nIntel reported earnings.\n",
        encoding=encoding,
    )

    status = main([str(captions)])

    calls = json.loads(capsys.readouterr().out)
    assert status == 0
    assert [(call["ticker"], call["second"]) for call in calls] == [("NVDA", 5), ("INTC", 65)]


def test_a_dash_reads_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"I sold my Lyft shares.")))

    status = main(["-"])

    assert status == 0
    assert json.loads(capsys.readouterr().out)[0]["sentiment"] == "sell"


def test_a_transcript_without_stocks_prints_an_empty_list(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    transcript = tmp_path / "transcript.txt"
    transcript.write_text("", encoding="utf-8")

    status = main([str(transcript)])

    assert status == 0
    assert json.loads(capsys.readouterr().out) == []


def test_a_missing_file_is_one_sentence_on_stderr(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    missing = tmp_path / "nowhere.txt"

    status = main([str(missing)])

    output = capsys.readouterr()
    assert status == 2
    assert output.out == ""
    assert output.err == f"{missing} cannot be read: No such file or directory.\n"


def test_a_file_that_is_no_text_is_one_line_on_stderr(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    binary = tmp_path / "transcript.txt"
    binary.write_bytes(b"%PDF-1.7 buy")

    status = main([str(binary)])

    output = capsys.readouterr()
    assert status == 2
    assert output.out == ""
    assert output.err.startswith(f"{binary} cannot be read: This is a PDF, not text.")
    assert output.err.count("\n") == 1


def test_the_threshold_is_the_setting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    transcript = tmp_path / "transcript.txt"
    transcript.write_text("I'm buying Nvidia.", encoding="utf-8")

    read = {}
    for threshold in ("0.5", "1", "7"):
        monkeypatch.setenv("CALL_THRESHOLD", threshold)
        settings.cache_clear()
        status = main([str(transcript)])
        read[threshold] = (status, capsys.readouterr())
    monkeypatch.undo()
    settings.cache_clear()

    assert json.loads(read["0.5"][1].out)[0]["sentiment"] == "buy"
    (unclear,) = json.loads(read["1"][1].out)
    assert (unclear["sentiment"], unclear["possible_sentiment"]) == ("mentioned", "buy")
    assert (read["7"][0], read["7"][1].out) == (2, "")
    assert read["7"][1].err.startswith("CALL_THRESHOLD must be a number from 0 to 1")


def test_a_transcript_is_read_as_on_its_day(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    transcript = tmp_path / "transcript.txt"
    transcript.write_text("I'm buying more Twitter stock today.", encoding="utf-8")

    main([str(transcript), "--day", "2020-05-01"])
    then = json.loads(capsys.readouterr().out)
    main([str(transcript)])
    today = json.loads(capsys.readouterr().out)

    assert [call["ticker"] for call in then] == ["TWTR"]
    assert today == []


@pytest.fixture
def model(stub: Stub, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stub]:
    """A model on this machine, behind the OpenAI protocol."""
    monkeypatch.setenv("OPENAI_BASE_URL", f"{stub.url}/v1")
    monkeypatch.setenv("OPENAI_MODEL", "small")
    settings.cache_clear()
    reset_cache()
    yield stub
    monkeypatch.undo()
    settings.cache_clear()
    reset_cache()


def test_a_model_can_read_it_instead(tmp_path: Path, capsys: pytest.CaptureFixture[str], model: Stub) -> None:
    transcript = tmp_path / "transcript.txt"
    transcript.write_text("I am buying Apple today. Tesla fell again.", encoding="utf-8")
    unheard = call("F", company="Ford", heard="Ford", quotes=["never said at all"])
    model.on("/v1/chat/completions", completion(json.dumps({"statements": [call(), unheard]})))

    status = main([str(transcript), "--analyst", "openai"])

    printed = capsys.readouterr()
    assert status == 0
    assert [found["ticker"] for found in json.loads(printed.out)] == ["AAPL"]
    assert "Read by small: " in printed.err
    assert "Left out: " in printed.err


def test_a_model_that_fails_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str], model: Stub) -> None:
    transcript = tmp_path / "transcript.txt"
    transcript.write_text("I am buying Apple today.", encoding="utf-8")
    model.on("/v1/chat/completions", completion("no"))

    assert main([str(transcript), "--analyst", "openai"]) == 1
    assert "did not return a list of statements" in capsys.readouterr().err


def test_a_model_that_is_not_set_up_names_what_is_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], model: Stub, monkeypatch: pytest.MonkeyPatch
) -> None:
    transcript = tmp_path / "transcript.txt"
    transcript.write_text("I am buying Apple today.", encoding="utf-8")
    monkeypatch.delenv("OPENAI_MODEL")
    settings.cache_clear()
    reset_cache()

    assert main([str(transcript), "--analyst", "openai"]) == 2
    assert "OPENAI_MODEL" in capsys.readouterr().err
