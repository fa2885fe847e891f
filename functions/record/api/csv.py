"""CSV as a response: when a caller wants it instead of JSON, and its headers."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.openapi.params import Query

from functions.record.files.csv import CsvFile
from functions.routes import CSV

BYTE_ORDER_MARK = "\ufeff"

AsFormat = Annotated[
    Literal["json", "csv"] | None,
    Query(alias="format", description="`csv` gives the whole list as a CSV file, as does `Accept: text/csv`"),
]
WithMark = Annotated[
    bool, Query(alias="bom", description="Begins the CSV file with a byte order mark, by which Excel knows UTF-8")
]


def wants_csv(event: Mapping[str, Any], as_format: str | None) -> bool:
    """Follows `format` if given; otherwise True if the Accept header prefers CSV to JSON."""
    if as_format:
        return as_format == "csv"
    weights = _weights(event.get("headers", {}).get("accept", ""))
    return weights.get(CSV, 0.0) > weights.get("application/json", 0.0)


def csv_response(file: CsvFile, *, with_mark: bool) -> "Response[Any]":
    return Response(
        200,
        content_type=f"{CSV}; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{file.name}"'},
        body=(BYTE_ORDER_MARK if with_mark else "") + file.text,
    )


def _weights(accept: str) -> dict[str, float]:
    """Returns the weight of each content type in the header; an unreadable weight counts as 0."""
    weights = {}
    for choice in accept.lower().split(","):
        kind, *parameters = (part.strip() for part in choice.split(";"))
        weight = next((each.removeprefix("q=") for each in parameters if each.startswith("q=")), "1")
        try:
            weights[kind] = float(weight)
        except ValueError:
            weights[kind] = 0.0
    return weights
