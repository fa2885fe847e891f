"""Prints the stock calls in a transcript as JSON: `python -m local.analyse FILE`, or `-` for standard input."""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from functions.providers.rules import RulesAnalyst

UNREADABLE = 2


def read_transcript(name: str) -> str:
    content = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    return content.decode("utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m local.analyse", description="Finds the stock calls in a transcript."
    )
    parser.add_argument("file", help="a transcript in UTF-8, or - for standard input")
    name = parser.parse_args(arguments).file
    source = "standard input" if name == "-" else name
    try:
        transcript = read_transcript(name)
    except UnicodeDecodeError:
        print(f"{source} is not UTF-8 text.", file=sys.stderr)
        return UNREADABLE
    except OSError as error:
        print(f"{source} cannot be read: {error.strerror}.", file=sys.stderr)
        return UNREADABLE
    calls = [asdict(call) for call in RulesAnalyst().calls(transcript)]
    print(json.dumps(calls, indent=2, ensure_ascii=False))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
