"""The columns of a mention's statement in an archive. No I/O."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from functions.reading.policy import Decision, decide
from functions.reading.statements import Act, Speaker, Statement
from functions.record.models.records import StockMention
from functions.record.models.said import Said
from functions.runtime.dynamodb.attributes import Value

COLUMNS = {field.name: "target_price" if field.name == "target" else field.name for field in fields(Said)}
"""Each field of a statement with its column."""
CORRECTABLE = ("act", "reason", "speaker", "possible_act", "condition", "sponsored")
"""The fields that a correction changes. They have another column for what the analyst read."""
AS_READ = {name: f"{COLUMNS[name]}_as_read" for name in CORRECTABLE}
STATEMENT_COLUMNS = (*COLUMNS.values(), *AS_READ.values())


def statement_cells(mention: StockMention) -> dict[str, Value]:
    """Returns the columns of the statement by name, all None without one."""
    cells: dict[str, Value] = dict.fromkeys(STATEMENT_COLUMNS)
    for said, columns in ((mention.said, COLUMNS), (mention.said_as_read, AS_READ)):
        if said:
            cells |= {column: getattr(said, name) for name, column in columns.items()}
    return cells


def statements_of(row: Mapping[str, Any]) -> tuple[Said | None, Said | None]:
    """Returns the statement of a valid row, and the analyst's version if a person corrected it."""
    given = _given(row, COLUMNS)
    unchanged = {name: value for name, value in given.items() if name not in CORRECTABLE}
    return _said(given), _said(unchanged | _given(row, AS_READ))


def wrong_statement(row: Mapping[str, Any]) -> str | None:
    """Returns what is wrong with the columns of a statement together."""
    for columns in (COLUMNS, AS_READ):
        given = [column for column in columns.values() if row[column] is not None]
        if given and columns["act"] not in given:
            return f"{given[0]} is given without {columns['act']}"
    if row["act_as_read"] and not row["act"]:
        return "act_as_read is given without act"
    if row["act"] and not row["reason"]:
        sentiment = _decision(_given(row, COLUMNS)).sentiment
        if sentiment != row["sentiment"]:
            return f"sentiment is {row['sentiment']}, but the policy makes {sentiment} of the act {row['act']}"
    return None


def _given(row: Mapping[str, Any], columns: Mapping[str, str]) -> dict[str, Any]:
    return {name: row[column] for name, column in columns.items() if row[column] is not None}


def _said(given: Mapping[str, Any]) -> Said | None:
    """A statement without a reason gets the policy's."""
    return Said(**{"reason": _decision(given).reason, **given}) if "act" in given else None


def _decision(given: Mapping[str, Any]) -> Decision:
    possible = given.get("possible_act")
    statement = Statement(
        ticker="",
        act=Act(given["act"]),
        quotes=(),
        confidence=1.0,
        possible_act=Act(possible) if possible else None,
        speaker=Speaker(given.get("speaker", Speaker.HOST)),
        condition=given.get("condition"),
        sponsored=given.get("sponsored", False),
    )
    return decide(statement)
