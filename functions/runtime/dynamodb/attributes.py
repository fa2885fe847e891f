"""Converts plain values to DynamoDB attributes and back."""

from collections.abc import Mapping
from typing import Any

Item = Mapping[str, Mapping[str, Any]]
"""An item in the format of the low-level client: `{"ticker": {"S": "AAPL"}}`."""

Value = str | int | float | bool | tuple[str, ...] | frozenset[str] | Mapping[str, str] | None


_NOTHING: tuple[Value, ...] = (None, (), frozenset())


def encode(values: Mapping[str, Value]) -> dict[str, dict[str, Any]]:
    """Omits None, empty tuples and empty sets."""
    return {name: encode_value(value) for name, value in values.items() if value not in _NOTHING}


def encode_value(value: Value) -> dict[str, Any]:
    if isinstance(value, str):
        return {"S": str(value)}
    if isinstance(value, bool):
        return {"BOOL": value}
    if isinstance(value, int | float):
        return {"N": repr(value)}
    if isinstance(value, tuple):
        return {"L": [{"S": text} for text in value]}
    if isinstance(value, frozenset):
        return {"SS": sorted(value)}
    if isinstance(value, Mapping):
        return {"M": encode(value)}
    raise TypeError(f"{type(value).__name__} has no DynamoDB attribute type here")


def decode(item: Item) -> dict[str, Value]:
    return {name: decode_value(attribute) for name, attribute in item.items()}


def decode_value(attribute: Mapping[str, Any]) -> Value:
    if (text := attribute.get("S")) is not None:
        return text  # type: ignore[no-any-return]
    ((kind, value),) = attribute.items()
    if kind == "BOOL":
        return value  # type: ignore[no-any-return]
    if kind == "N":
        return _number(value)
    if kind == "L":
        return tuple(element["S"] for element in value)
    if kind == "SS":
        return frozenset(value)
    if kind == "M":
        return {name: element["S"] for name, element in value.items()}
    if kind == "NULL":
        return None
    raise TypeError(f"an attribute of DynamoDB type {kind} is not one of ours")


def _number(text: str) -> int | float:
    try:
        return int(text)
    except ValueError:
        return float(text)
