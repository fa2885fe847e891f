"""Finds people by e-mail address or by id: `python -m operations.user EMAIL|SUBJECT`."""

import argparse
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

from botocore.exceptions import BotoCoreError, ClientError

from functions.people.models import User
from functions.people.user_store import user_by_id, users_by_email
from functions.runtime.errors import StockTrackRecordError
from local.engine import using_data


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    try:
        with using_data(options.data) if options.data else nullcontext():
            users = find_users(options.user.strip())
    except (StockTrackRecordError, ClientError, BotoCoreError) as problem:
        print(f"The data could not be read: {problem}", file=sys.stderr)
        return 2
    for user in users:
        print(f"{user.user_id}  {user.email or '-'}  first seen {user.first_seen_at}, last seen {user.last_seen_at}")
    if not users:
        print("Nobody with that id or e-mail address has used the system.", file=sys.stderr)
    return 0 if users else 1


def find_users(text: str) -> list[User]:
    """Searches both, because some issuers use the e-mail address as the subject."""
    by_id = user_by_id(text) if text else None
    by_email = users_by_email(text) if "@" in text else []
    return [*([by_id] if by_id else []), *(user for user in by_email if user != by_id)]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m operations.user", description="Finds people who have used the system."
    )
    parser.add_argument("user", metavar="EMAIL|SUBJECT")
    parser.add_argument("--data", type=Path, help="a folder of `make run`, stopped; else the tables of the settings")
    return parser


if __name__ == "__main__":
    sys.exit(main())
