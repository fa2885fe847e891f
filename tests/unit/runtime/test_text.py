"""Text from outside on one line."""

import pytest

from functions.runtime.text import cut_to, one_line, web_address


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


@pytest.mark.parametrize(
    "address",
    [
        "https://yt3.ggpht.com/a=s88-c-k",
        "http://pictures.example/88.jpg",
        "HTTPS://pictures.example",
        "https://é.example/ü",
    ],
)
def test_the_address_of_a_web_page_is_kept(address: str) -> None:
    assert web_address(address) == address


@pytest.mark.parametrize(
    "address",
    [
        *(None, "", 5, ["https://a.example"], {"url": "https://a.example"}),
        *("javascript:alert(1)", "JavaScript:alert(1)", "java\nscript:alert(1)", "\x01javascript:alert(1)"),
        *("data:text/html,<script>alert(1)</script>", "data:image/svg+xml,<svg onload='alert(1)'/>"),
        *("vbscript:x", "file:///etc/passwd", "blob:https://a.example/1", "ftp://a.example", "//a.example/x"),
        *("a.example/x", "/x", "https:", "https://", "https:///x", "https:a.example", "https://[::1"),
        *(
            "https://a.example/\r\nSet-Cookie: a",
            "https://a.example/a b",
            " https://a.example",
            "https://a.example/\u202e",
        ),
        "https://a.example/" + "x" * 2048,
    ],
    ids=lambda address: repr(address)[:24],
)
def test_no_other_address_is(address: object) -> None:
    assert web_address(address) is None
