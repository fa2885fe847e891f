"""docs/policy.md has every act and every reason of the code, as the page words it."""

from pathlib import Path

from functions.reading.policy import CALLS, Reason, decide, explain
from functions.reading.statements import Act, Statement

PAGE = (Path(__file__).parents[3] / "docs" / "policy.md").read_text(encoding="utf-8")
ROWS = [[cell.strip() for cell in line.strip("|").split("|")] for line in PAGE.splitlines() if line.startswith("| `")]


def test_the_acts_stand_in_their_order_with_what_the_policy_makes_of_them() -> None:
    given = [(name, call, reason) for name, _, call, reason in (row for row in ROWS if len(row) == 4)]

    reasons = {act: decide(Statement("AAPL", act, (), 1.0)).reason for act in Act}
    assert given == [(f"`{act}`", CALLS.get(act, "none"), f"`{reasons[act]}`") for act in Act]


def test_the_reasons_stand_as_the_page_words_them() -> None:
    given = [row for row in ROWS if len(row) == 2]

    assert given == [[f"`{reason}`", explain(reason)] for reason in Reason]
