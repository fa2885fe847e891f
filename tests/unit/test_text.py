"""Text from outside on one line."""

import pytest

from functions.core.text import cut_to, one_line


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("plain", "plain"),
        ("two\nlines", "two lines"),
        ("a\r\n\tb\x00c\x1b[0m", "a b c [0m"),
        ("next\x85line\u2028and\u2029more", "next line and more"),
        ("turned \u202e round", "turned round"),
        ("half \ud83d here", "half here"),
        ("  many   spaces ", "many spaces"),
        ("家族 👨‍👩‍👧 é", "家族 👨‍👩‍👧 é"),
        ("", ""),
    ],
)
def test_one_line(text: str, line: str) -> None:
    assert one_line(text, 100) == line


def test_a_long_line_ends_with_an_ellipsis() -> None:
    assert one_line("a" * 11, 10) == "a" * 9 + "…"
    assert one_line("a" * 10, 10) == "a" * 10


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("short", "short"),
        ("exactly 10", "exactly 10"),
        ("exactly 10 and more", "exactly 10"),
        ("one two three", "one two"),
        ("undividedword", "undividedw"),
        ("", ""),
    ],
)
def test_cut_to_keeps_whole_words(text: str, kept: str) -> None:
    assert cut_to(text, 10) == kept
