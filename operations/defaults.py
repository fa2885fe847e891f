"""Sets what applies to people who have not chosen for themselves: `python -m operations.defaults horizon=6m …`."""

import argparse
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

from botocore.exceptions import BotoCoreError, ClientError

from functions.record.models.people import DefaultSettings
from functions.record.scores.preferences import NAMES, choice_of, set_defaults
from functions.record.store.personal_settings import default_settings
from functions.runtime.errors import NotAccepted, StockTrackRecordError
from local.engine import using_data


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    try:
        with using_data(options.data) if options.data else nullcontext():
            changes = dict(map(_change, options.changes))
            defaults = set_defaults(changes) if changes else default_settings()
    except NotAccepted as problem:
        print(problem, file=sys.stderr)
        return 1
    except (StockTrackRecordError, ClientError, BotoCoreError) as problem:
        print(f"The defaults could not be set: {problem}", file=sys.stderr)
        return 2
    print(table_of(defaults))
    return 0


def table_of(defaults: DefaultSettings) -> str:
    chosen = {name: getattr(defaults, name) for name in NAMES}
    return "\n".join(f"{name}={'' if value is None else value}" for name, value in chosen.items())


def _change(text: str) -> tuple[str, str | float | None]:
    name, equals, value = text.partition("=")
    if not equals or name not in NAMES:
        raise NotAccepted(name, f"{text!r} is not NAME=VALUE with one of {', '.join(NAMES)}.", text)
    return name, choice_of(name, value)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m operations.defaults",
        description="Sets, or without any shows, what applies to people who have not chosen for themselves.",
    )
    parser.add_argument(
        "changes", metavar="NAME=VALUE", nargs="*", help="with no value after `=`, what is built in applies again"
    )
    parser.add_argument("--data", type=Path, help="a folder of `make run`, stopped; else the tables of the settings")
    return parser


if __name__ == "__main__":
    sys.exit(main())
