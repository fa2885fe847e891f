"""Values as DynamoDB attributes."""

import pytest

from functions.runtime.dynamodb.attributes import Value, decode, decode_value, encode, encode_value


@pytest.mark.parametrize(
    ("value", "attribute"),
    [
        ("text", {"S": "text"}),
        ("", {"S": ""}),
        (7, {"N": "7"}),
        (0.30000000000000004, {"N": "0.30000000000000004"}),
        (True, {"BOOL": True}),
        (("A", "B"), {"L": [{"S": "A"}, {"S": "B"}]}),
    ],
)
def test_a_value_becomes_an_attribute_and_comes_back(value: Value, attribute: dict[str, object]) -> None:
    assert encode_value(value) == attribute
    assert decode_value(attribute) == value


def test_what_is_empty_is_left_out_of_an_item() -> None:
    assert encode({"name": None, "tickers": (), "count": 0, "text": ""}) == {"count": {"N": "0"}, "text": {"S": ""}}


def test_a_null_is_read_as_nothing() -> None:
    assert decode({"name": {"NULL": True}}) == {"name": None}


def test_a_type_that_is_not_ours_is_refused() -> None:
    with pytest.raises(TypeError, match="bytes has no DynamoDB attribute type"):
        encode_value(b"x")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="DynamoDB type B"):
        decode_value({"B": b"x"})
