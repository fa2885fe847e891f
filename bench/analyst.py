"""Measures an analyst on labelled texts: `python -m bench.analyst [--labels FOLDER ...] [--analyst NAME] [--errors]`.

A folder holds `labels.jsonl` beside the texts it names, or JSON files of passages as in tests/passages, which is
measured when no folder is given. `--record` keeps the figures for the page.
"""

import argparse
import json
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime
from itertools import chain
from pathlib import Path
from typing import Any

from bench import scoring
from bench.scoring import ABSENT, MEASURES, Label, LabelledText, Pair, Score
from functions.reading import analysts
from functions.reading.analyst import Analyst, Speech
from functions.reading.analyst_figures import FILE as FIGURES
from functions.reading.analyst_figures import AnalystFigures, model_of
from functions.reading.listings import current_ticker
from functions.reading.rules import RulesAnalyst
from functions.reading.terms import Sentiment
from functions.reading.transcripts import Transcript
from functions.runtime.errors import InvalidSetting
from functions.runtime.provider_errors import MissingSetting, ProviderError
from functions.runtime.settings import CHOICES

PASSAGES = Path(__file__).parents[1] / "tests" / "passages"
LABELS = "labels.jsonl"
FAILED = 1
SPEED_SAMPLE_WORDS = 10_000
PIECE_SECONDS, ROUNDS = 5, 10


@dataclass(frozen=True, slots=True)
class Scores:
    ticker: Score
    ticker_and_sentiment: Score
    calls_only: Score
    buys_and_sells_only: Score
    confusion: Counter[tuple[str, str]]


def scores(texts: Iterable[LabelledText], analyst: Analyst) -> Scores:
    readings = scoring.read(texts, analyst)
    ticker, ticker_and_sentiment, calls_only, buys_and_sells_only = (
        scoring.score(readings, measure) for measure in MEASURES
    )
    return Scores(ticker, ticker_and_sentiment, calls_only, buys_and_sells_only, scoring.confusion(readings))


def load(half: str) -> list[LabelledText]:
    """A half of the passages; none when it is not there."""
    path = PASSAGES / f"{half}.json"
    return _passages(path) if path.exists() else []


def load_folder(folder: Path) -> dict[str, list[LabelledText]]:
    """The labelled texts of a folder, by the name of their set."""
    labels = folder / LABELS
    if labels.exists():
        rows = [json.loads(line) for line in labels.read_text(encoding="utf-8").splitlines() if line.strip()]
        return {folder.resolve().name: [_labelled(row["file"], (folder / row["file"]), row) for row in rows]}
    return {path.stem: _passages(path) for path in sorted(folder.glob("*.json"))}


def words_per_second(texts: Sequence[LabelledText], analyst: Analyst) -> float:
    transcript = _sample(texts)
    speech = Speech(transcript)
    analyst.analyse(speech)
    return SPEED_SAMPLE_WORDS / _seconds(lambda: analyst.analyse(speech))


def cost_of_seconds(texts: Sequence[LabelledText], analyst: Analyst) -> float:
    """The time to read a transcript and find the second of each call in it, against that of reading alone."""
    pieces = ((number * PIECE_SECONDS, sentence) for number, sentence in enumerate(_sample(texts).split(". ")))
    transcript = Transcript.of_pieces(pieces, "demo")

    def read_with_seconds() -> None:
        for statement in analyst.analyse(Speech(transcript.text)).statements:
            transcript.second_at(statement.quotes[0].position)

    def read_alone() -> None:
        analyst.analyse(Speech(transcript.text))

    # The best of several alternating rounds: other load can only add time.
    rounds = [(_seconds(read_with_seconds), _seconds(read_alone)) for _ in range(ROUNDS)]
    return min(with_seconds for with_seconds, _ in rounds) / min(alone for _, alone in rounds)


def _sample(texts: Sequence[LabelledText]) -> str:
    words = " ".join(text.text for text in texts).split()
    return " ".join((words * (SPEED_SAMPLE_WORDS // len(words) + 1))[:SPEED_SAMPLE_WORDS])


def _seconds(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


def report(name: str, texts: Sequence[LabelledText], readings: Sequence[Sequence[Pair]]) -> str:
    labelled = scoring.score(readings, "ticker").labelled
    words = sum(len(text.text.split()) for text in texts)
    lines = [
        f"{name}: {len(texts)} texts, {words:,} words, {labelled} labelled stocks",
        f"{'':<22}precision  recall     F1   95 % of F1 (precision)          right   read labelled",
        *(_row(measure, readings) for measure in MEASURES),
        "where a label could be defended otherwise, the analyst given the benefit of the doubt:",
        *(_figures(measure, scoring.score(readings, measure, lambda pair: pair.defended)) for measure in MEASURES[1:]),
        "",
        *_confusion_table(scoring.confusion(readings)),
        "",
        *_calibration_table(scoring.calibration(readings)),
        *_statement_table(readings),
    ]
    return "\n".join(lines)


def error_lines(readings: Iterable[Sequence[Pair]]) -> Iterable[str]:
    for pair in scoring.differences(readings):
        evidence = pair.label.evidence if pair.label else ABSENT
        context = pair.call.context if pair.call else ABSENT
        confidence = f" at {pair.call.confidence:.2f}" if pair.call else ""
        yield (
            f"{pair.text_id} {pair.ticker}: {pair.labelled}, read as {pair.read}{confidence}. "
            f"Label rests on: {evidence} | read from: {context}"
        )


def run() -> tuple[str, dict[str, Any]]:
    """For `make bench`: the rules analyst on the passages."""
    analyst = RulesAnalyst()
    parts, kept = [], {}
    for half, texts in load_folder(PASSAGES).items():
        readings = scoring.read(texts, analyst)
        cost = cost_of_seconds(texts, analyst)
        parts.append(
            f"{report(half, texts, readings)}\n{words_per_second(texts, analyst):,.0f} words per second, "
            f"{cost:.2f} x the time with the second of each call"
        )
        kept[half] = {
            **{measure: scoring.score(readings, measure).f1 for measure in MEASURES[:2]},
            "seconds of calls": cost,
        }
    return "\n\n".join(parts), kept


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m bench.analyst", description="Measures an analyst on labelled texts."
    )
    parser.add_argument("--labels", type=Path, nargs="+", default=[PASSAGES], metavar="FOLDER")
    parser.add_argument("--analyst", choices=CHOICES["analyst"], default="rules")
    parser.add_argument("--errors", action="store_true", help="list every difference")
    parser.add_argument("--record", metavar="WORDS", help="save the figures, with a short description of the texts")
    options = parser.parse_args(arguments)
    sets: dict[str, list[LabelledText]] = {}
    for folder in options.labels:
        found = load_folder(folder)
        if not found:
            parser.error(f"{folder} holds neither {LABELS} nor JSON files of passages.")
        # Folders with the same name are distinguished by their paths.
        sets |= {str(folder) if name in sets else name: texts for name, texts in found.items()}
    try:
        analyst = analysts.analyst_named(options.analyst)
    except (InvalidSetting, MissingSetting) as problem:
        parser.error(str(problem))
    try:
        read = {name: scoring.read(texts, analyst) for name, texts in sets.items()}
    except ProviderError as problem:
        parser.exit(FAILED, f"{problem}\n")
    for name, texts in sets.items():
        if options.errors:
            print(*error_lines(read[name]), "", sep="\n")
        print(report(name, texts, read[name]), "", sep="\n")
    texts, readings = [*chain(*sets.values())], [*chain(*read.values())]
    if len(sets) > 1 and options.labels != [PASSAGES]:
        print(report("together", texts, readings), "", sep="\n")
    if options.record:
        record(options.analyst, options.record, readings)
    return 0


def record(analyst: str, measured_on: str, readings: Sequence[Sequence[Pair]]) -> None:
    """Saves the counts of an analyst for the dashboard."""
    calls = scoring.score(readings, "buys and sells only")
    figures = AnalystFigures(
        right=calls.right,
        reported=calls.found,
        right_on=measured_on,
        found=calls.right,
        made=calls.labelled,
        found_on=measured_on,
        measured_at=datetime.now(UTC).date().isoformat(),
        model=model_of(analyst),
    )
    kept = json.loads(FIGURES.read_text(encoding="utf-8")) | {analyst: asdict(figures)}
    FIGURES.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _passages(path: Path) -> list[LabelledText]:
    return [_labelled(row["id"], row["text"], row) for row in json.loads(path.read_text(encoding="utf-8"))]


def _labelled(name: str, text: str | Path, row: Mapping[str, Any]) -> LabelledText:
    day = date.fromisoformat(row["day"]) if row.get("day") else None
    # Exported reviews name shares by today's tickers, other labels as on the day.
    meant_on = None if row.get("current_tickers") else day
    labels = {
        current_ticker(call["ticker"], meant_on): Label(
            call["sentiment"],
            frozenset(call.get("alt", ())),
            call.get("evidence", ABSENT),
            call.get("act"),
            call.get("speaker"),
        )
        for call in row["calls"]
    }
    words = text if isinstance(text, str) else text.read_text(encoding="utf-8")
    optional = frozenset(current_ticker(ticker, meant_on) for ticker in row.get("optional", ()))
    return LabelledText(name, words, labels, optional, row.get("speaker", "").split(" +")[0], day, row.get("title"))


def _row(measure: str, readings: Sequence[Sequence[Pair]]) -> str:
    score = scoring.score(readings, measure)
    low, high = scoring.interval(readings, measure, "f1")
    lowest, highest = scoring.interval(readings, measure, "precision")
    intervals = f"{low:.3f} to {high:.3f} ({lowest:.3f} to {highest:.3f})"
    counts = f"{score.right:>7}{score.found:>7}{score.labelled:>9}"
    return f"{_figures(measure, score)}   {intervals:<31}{counts}"


def _figures(measure: str, score: Score) -> str:
    return f"{measure:<22}{score.precision:9.3f}{score.recall:8.3f}{score.f1:7.3f}"


def _statement_table(readings: Sequence[Sequence[Pair]]) -> list[str]:
    """Counts the statements that agree with labels which say more than a sentiment."""
    shares = {field: scoring.agreement(readings, field) for field in scoring.STATEMENT_FIELDS}
    rows = [f"{field:<22}{right:>7} of {read}" for field, (right, read) in shares.items() if read]
    return ["", "statements that agree with their label, of those read:", *rows] if rows else []


def _confusion_table(confusion: Counter[tuple[str, str]]) -> list[str]:
    names = [*(sentiment.value for sentiment in Sentiment), ABSENT]
    header = f"{'labelled, read as':<19}" + "".join(f"{name:>10}" for name in names)
    return [header, *(f"{label:<19}" + "".join(f"{confusion[label, name]:>10}" for name in names) for label in names)]


def _calibration_table(calibration: scoring.Calibration) -> list[str]:
    if calibration.brier is None:
        return ["No call was read: there is no confidence to check."]
    rows = (
        f"{each.low:.1f} to {each.high:.1f}{each.calls:>10}{each.mean_confidence:>17.2f}{each.share_right:>13.2f}"
        for each in calibration.bins
    )
    return [
        f"{'confidence':<10}{'calls':>10}{'mean confidence':>17}{'share right':>13}",
        *rows,
        f"Brier score {calibration.brier:.3f} (0 is perfect; always saying 0.5 gives 0.250)",
    ]


if __name__ == "__main__":
    raise SystemExit(main())
