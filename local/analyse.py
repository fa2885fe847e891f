"""Prints the stock calls in a transcript as JSON: `python -m local.analyse FILE`, or `-` for standard input."""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from datetime import date
from pathlib import Path

from functions.reading import analysts
from functions.reading.analyst import Analysis, Speech
from functions.reading.captions import read_captions
from functions.reading.errors import EmptyTranscript, NotText
from functions.reading.policy import Call, calls_of, explain
from functions.reading.transcripts import HANDED_IN, Transcript
from functions.runtime.errors import InvalidSetting
from functions.runtime.provider_errors import MissingSetting, ProviderError
from functions.runtime.settings import CHOICES, settings

FAILED = 1
UNREADABLE = 2


def day(text: str) -> date:
    return date.fromisoformat(text)


def read_transcript(name: str) -> Transcript:
    content = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    try:
        return read_captions(content)
    except EmptyTranscript:
        return Transcript("", HANDED_IN)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m local.analyse", description="Finds the stock calls in a transcript."
    )
    parser.add_argument("file", help="a transcript as plain text, SubRip or WebVTT, or - for standard input")
    parser.add_argument("--day", type=day, help="when it was said, as 2021-05-03; without it, today")
    parser.add_argument("--analyst", choices=CHOICES["analyst"], help="who reads it; without it, as in the settings")
    options = parser.parse_args(arguments)
    name = options.file
    source = "standard input" if name == "-" else name
    try:
        transcript = read_transcript(name)
    except NotText as problem:
        print(f"{source} cannot be read: {problem}", file=sys.stderr)
        return UNREADABLE
    except OSError as error:
        print(f"{source} cannot be read: {error.strerror}.", file=sys.stderr)
        return UNREADABLE
    try:
        analyst = analysts.analyst_named(options.analyst or settings().providers.analyst)
    except (InvalidSetting, MissingSetting) as problem:
        print(problem, file=sys.stderr)
        return UNREADABLE
    try:
        analysis = analyst.analyse(Speech(transcript.text, options.day))
    except ProviderError as problem:
        print(problem, file=sys.stderr)
        return FAILED
    _report(analyst.name, analysis)
    calls = [_described(call, transcript) for call in calls_of(analysis.statements)]
    print(json.dumps(calls, indent=2, ensure_ascii=False))
    return 0


def _report(name: str, analysis: Analysis) -> None:
    """Prints what a model took and what was left out, beside the calls themselves."""
    if analysis.usage.total:
        print(f"Read by {name}: {analysis.usage.total:,} tokens.", file=sys.stderr)
    for reason in analysis.rejected:
        print(f"Left out: {reason}", file=sys.stderr)


def _described(call: Call, transcript: Transcript) -> dict[str, object]:
    """Returns the call and its statement, with its second in the video if the transcript has times."""
    return {
        "ticker": call.ticker,
        "sentiment": call.sentiment,
        "confidence": call.confidence,
        "context": call.context,
        "possible_sentiment": call.decision.possible_sentiment,
        "position": call.position,
        "second": transcript.second_at(call.position),
        "reason": explain(call.decision.reason, call.statement.condition),
        "statement": asdict(call.statement),
    }


if __name__ == "__main__":
    raise SystemExit(main())
