"""How an analyst is measured: one scoring, whatever the labels come from."""

import json
from pathlib import Path

import pytest

from bench import scoring
from bench.analyst import load, load_folder, main, scores
from bench.scoring import Label, LabelledText, Score
from functions.reading.analyst import Analysis, Speech
from functions.reading.analyst_figures import LARGE_MODEL, AnalystFigures, all_figures, figures_of
from functions.reading.rules import RulesAnalyst
from functions.reading.statements import Statement
from functions.reading.terms import Sentiment
from tests.fakes import stated

BUY, HOLD, SELL, MENTIONED = Sentiment


class Reader:
    """An analyst that returns what it was given for a text."""

    name = "reader"

    def __init__(self, **statements: list[Statement]) -> None:
        self._statements = statements

    def analyse(self, speech: Speech) -> Analysis:
        return Analysis(self._statements[speech.text])


def call(ticker: str, sentiment: Sentiment = BUY, confidence: float = 0.8) -> Statement:
    return stated(ticker, sentiment, confidence, "its words")


def text(name: str, optional: tuple[str, ...] = (), **labels: str | Label) -> LabelledText:
    made = {ticker: label if isinstance(label, Label) else Label(label) for ticker, label in labels.items()}
    return LabelledText(name, name, made, frozenset(optional))


TEXTS = [
    text("first", AAPL="buy", TSLA="sell", NVDA="hold", MSFT="mentioned", KO="buy"),
    text("second", AAPL="mentioned"),
]
READER = Reader(
    first=[call("AAPL"), call("TSLA"), call("NVDA", HOLD), call("MSFT", MENTIONED), call("IBM", SELL)],
    second=[call("AAPL", SELL)],
)


@pytest.mark.parametrize(
    ("measure", "right", "found", "labelled"),
    [
        ("ticker", 5, 6, 6),
        ("ticker and sentiment", 3, 6, 6),
        ("calls only", 2, 5, 4),
        ("buys and sells only", 1, 4, 3),
    ],
)
def test_each_measure_counts_what_its_name_says(measure: str, right: int, found: int, labelled: int) -> None:
    counted = scoring.score(scoring.read(TEXTS, READER), measure)

    assert (counted.right, counted.found, counted.labelled) == (right, found, labelled)
    assert counted.precision == right / found
    assert counted.recall == right / labelled
    assert counted.f1 == pytest.approx(2 * right / (found + labelled))


def test_the_confusion_has_every_ticker_once() -> None:
    result = scores(TEXTS, READER)

    assert result.confusion == {
        ("buy", "buy"): 1,
        ("sell", "buy"): 1,
        ("hold", "hold"): 1,
        ("mentioned", "mentioned"): 1,
        ("buy", "-"): 1,
        ("-", "sell"): 1,
        ("mentioned", "sell"): 1,
    }


def test_an_optional_ticker_counts_neither_for_nor_against() -> None:
    readings = scoring.read([text("first", optional=("IBM",), AAPL="buy")], Reader(first=[call("AAPL"), call("IBM")]))

    assert scoring.score(readings, "ticker").precision == 1.0
    assert [pair.ticker for pairs in readings for pair in pairs] == ["AAPL"]


def test_a_defensible_reading_is_right_only_beside_the_figure() -> None:
    labelled = text("first", AAPL=Label("hold", frozenset({"mentioned"})), TSLA=Label("buy", frozenset({"hold"})))
    readings = scoring.read([labelled], Reader(first=[call("AAPL", MENTIONED), call("TSLA", HOLD)]))

    strict = scoring.score(readings, "calls only")
    defended = scoring.score(readings, "calls only", lambda pair: pair.defended)

    assert (strict.right, strict.found, strict.labelled) == (0, 1, 2)
    assert (defended.right, defended.found, defended.labelled) == (1, 1, 1)


def test_calibration_looks_at_calls_alone() -> None:
    labelled = text("first", AAPL="buy", TSLA="mentioned", MSFT="mentioned", KO="sell")
    calls_read = [call("AAPL", BUY, 0.9), call("TSLA", BUY, 0.9), call("MSFT", MENTIONED, 0.1), call("KO", SELL, 1.0)]

    calibration = scoring.calibration(scoring.read([labelled], Reader(first=calls_read)))

    (only,) = calibration.bins
    assert (only.low, only.high, only.calls) == (0.9, 1.0, 3)
    assert only.mean_confidence == pytest.approx(2.8 / 3)
    assert only.share_right == pytest.approx(2 / 3)
    assert calibration.brier == pytest.approx((0.1**2 + 0.9**2 + 0) / 3)


def test_without_a_call_there_is_nothing_to_calibrate() -> None:
    readings = scoring.read([text("first", AAPL="buy")], Reader(first=[]))

    assert scoring.calibration(readings) == scoring.Calibration((), None)
    assert scoring.score(readings, "calls only").precision == 0.0


def test_the_interval_holds_the_figure_and_is_the_same_every_time() -> None:
    readings = scoring.read(TEXTS, READER)
    figure = scoring.score(readings, "ticker and sentiment").f1

    low, high = scoring.interval(readings, "ticker and sentiment", "f1")

    assert low <= figure <= high
    assert low < high
    assert (low, high) == scoring.interval(readings, "ticker and sentiment", "f1")


def test_texts_that_are_all_alike_leave_no_doubt() -> None:
    readings = scoring.read([TEXTS[0]] * 5, READER)

    low, high = scoring.interval(readings, "calls only", "precision")

    assert low == high == scoring.score(readings, "calls only").precision


def write_labels(folder: Path) -> None:
    (folder / "talk.txt").write_text("I am buying Apple today and selling Tesla.", encoding="utf-8")
    label = {
        "file": "talk.txt",
        "speaker": "Somebody",
        "calls": [
            {"ticker": "AAPL", "sentiment": "buy", "evidence": "I am buying Apple"},
            {"ticker": "FB", "sentiment": "hold", "alt": ["mentioned"]},
        ],
        "optional": ["TSLA"],
    }
    (folder / "labels.jsonl").write_text(json.dumps(label) + "\n", encoding="utf-8")


def test_a_folder_of_labels_names_its_texts(tmp_path: Path) -> None:
    write_labels(tmp_path)

    ((labelled,),) = load_folder(tmp_path).values()

    assert labelled.text.startswith("I am buying Apple")
    assert labelled.labels == {
        "AAPL": Label("buy", frozenset(), "I am buying Apple"),
        "META": Label("hold", frozenset({"mentioned"})),
    }
    assert labelled.optional == {"TSLA"}


def test_a_folder_of_passages_is_read_file_by_file(tmp_path: Path) -> None:
    passage = {"id": "p1", "text": "Words.", "calls": [{"ticker": "KO", "sentiment": "sell"}]}
    (tmp_path / "mine.json").write_text(json.dumps([passage]), encoding="utf-8")

    assert load_folder(tmp_path) == {"mine": [LabelledText("p1", "Words.", {"KO": Label("sell")})]}


def test_both_halves_of_the_passages_can_be_chosen() -> None:
    assert len(load("development")) > 100
    assert load("no such half") == []


def test_the_command_prints_every_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_labels(tmp_path)

    assert main(["--labels", str(tmp_path), "--errors"]) == 0

    printed = capsys.readouterr().out
    assert "talk.txt META: hold, read as -" in printed
    for title in (*scoring.MEASURES, "labelled, read as", "share right", "Brier score"):
        assert title in printed


def test_the_figures_are_kept_for_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_labels(tmp_path)
    kept = tmp_path / "figures.json"
    kept.write_text('{"bedrock": {}}', encoding="utf-8")
    monkeypatch.setattr("bench.analyst.FIGURES", kept)

    main(["--labels", str(tmp_path), "--record", "one talk"])

    figures = json.loads(kept.read_text(encoding="utf-8"))
    assert figures.keys() == {"bedrock", "rules"}
    counts = figures["rules"]
    assert counts["right"] == counts["reported"] == counts["found"] > 0
    assert (counts["right_on"], counts["found_on"]) == ("one talk", "one talk")


def test_the_figures_that_ship_say_what_they_were_measured_on() -> None:
    shipped = figures_of("rules")

    assert shipped is not None
    assert (shipped.right, shipped.reported, shipped.found, shipped.made) == (76, 100, 13, 78)
    assert (shipped.calls_right, shipped.calls_found) == (0.76, 0.167)
    assert shipped.right_on and shipped.found_on
    assert figures_of("bedrock") is None
    assert "upper bound" in all_figures()[LARGE_MODEL].note


def test_an_analyst_that_reported_nothing_has_no_share() -> None:
    figures = AnalystFigures(0, 0, "a talk", 0, 0, "a talk", "2026-11")

    assert (figures.calls_right, figures.calls_found) == (None, None)


def test_labels_may_say_who_did_what() -> None:
    labelled = text("first", AAPL=Label("buy", act="bought", speaker="guest"), TSLA=Label("buy", act="recommends"))
    reader = Reader(first=[call("AAPL"), call("TSLA"), call("IBM")])

    readings = scoring.read([labelled], reader)

    assert scoring.agreement(readings, "act") == (1, 2)
    assert scoring.agreement(readings, "speaker") == (0, 1)


def test_the_command_shows_how_statements_agree_with_their_labels(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "talk.txt").write_text("I am buying Apple today.", encoding="utf-8")
    calls = [{"ticker": "AAPL", "sentiment": "buy", "act": "plans_to_buy", "speaker": "host"}]
    (tmp_path / "labels.jsonl").write_text(json.dumps({"file": "talk.txt", "calls": calls}), encoding="utf-8")

    main(["--labels", str(tmp_path)])

    assert "statements that agree with their label" in capsys.readouterr().out


def test_the_command_refuses_a_folder_without_labels(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--labels", str(tmp_path)])

    assert "labels.jsonl" in capsys.readouterr().err


def test_folders_of_one_name_are_both_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folders = [tmp_path / "one" / "half", tmp_path / "other" / "half"]
    for folder in folders:
        folder.mkdir(parents=True)
        write_labels(folder)

    main(["--labels", *map(str, folders)])

    assert "together: 2 texts" in capsys.readouterr().out


def test_a_model_without_its_key_is_refused_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_labels(tmp_path)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)

    with pytest.raises(SystemExit):
        main(["--labels", str(tmp_path), "--analyst", "openai"])

    assert "error: OPENAI_API_KEY is not set." in capsys.readouterr().err


def test_a_text_is_read_as_on_its_day(tmp_path: Path) -> None:
    row = {"file": "a.txt", "day": "2022-04-04", "calls": [{"ticker": "TWTR", "sentiment": "mentioned"}]}
    (tmp_path / "labels.jsonl").write_text(json.dumps(row), encoding="utf-8")
    (tmp_path / "a.txt").write_text("Twitter shares rose today.", encoding="utf-8")
    (texts,) = load_folder(tmp_path).values()

    assert scoring.score(scoring.read(texts, RulesAnalyst()), "ticker") == Score(1, 1, 1)
