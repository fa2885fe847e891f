"""Text files in any common encoding, and files that are no text."""

import codecs
import random
import struct
import zlib

import pytest

from functions.reading.decoding import decoded
from functions.reading.errors import NotText

SAID = "I’m buying Nestlé – and “Apple”."  # noqa: RUF001


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(SAID.encode(), id="utf-8"),
        pytest.param(codecs.BOM_UTF8 + SAID.encode(), id="utf-8-with-mark"),
        pytest.param(codecs.BOM_UTF16_LE + SAID.encode("utf-16-le"), id="utf-16-le-with-mark"),
        pytest.param(codecs.BOM_UTF16_BE + SAID.encode("utf-16-be"), id="utf-16-be-with-mark"),
        pytest.param(SAID.encode("utf-16-le"), id="utf-16-le"),
        pytest.param(SAID.encode("utf-16-be"), id="utf-16-be"),
        pytest.param(SAID.encode("cp1252"), id="windows-1252"),
    ],
)
def test_every_common_encoding_gives_the_same_text(content: bytes) -> None:
    assert decoded(content) == SAID


def test_latin_1_is_decoded() -> None:
    assert decoded("Société Générale".encode("latin-1")) == "Société Générale"


def test_a_byte_without_meaning_does_not_lose_the_rest() -> None:
    assert decoded(b"Buy Apple \x81 now") == "Buy Apple \ufffd now"


def test_utf_8_that_was_cut_within_a_character_stays_utf_8() -> None:
    assert decoded("“Nestlé”, I said, “and Apple”".encode()[:-1]) == "“Nestlé”, I said, “and Apple\ufffd"


def test_utf_16_that_was_cut_within_a_character_keeps_the_rest() -> None:
    assert decoded("Buy Apple now".encode("utf-16")[:-1]) == "Buy Apple no\ufffd"


def test_utf_16_of_another_script_is_known_by_its_spaces() -> None:
    text = "00:00:01.000 --> 00:00:02.000\nпокупаю акции"  # noqa: RUF001

    assert decoded(text.encode("utf-16-le")) == decoded(text.encode("utf-16-be")) == text


def test_a_stray_control_character_becomes_a_space() -> None:
    assert decoded(b"Buy Apple.\x1a") == "Buy Apple. "


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"PK\x03\x04\x14\x00\x06\x00", "ZIP"),
        (b"\x1f\x8b\x08\x00", "gzip"),
        (b"%PDF-1.7\n%\xe2\xe3", "PDF"),
        (b"\x89PNG\r\n\x1a\n", "image"),
        (b"\xff\xd8\xff\xe0\x00\x10JFIF", "image"),
        (b"GIF89a", "image"),
        (b"{\\rtf1\\ansi", "rich text"),
        (b"\x1aE\xdf\xa3\x01", "video"),
        (b"ID3\x04", "sound"),
    ],
)
def test_a_known_format_is_named_with_what_to_hand_in_instead(content: bytes, kind: str) -> None:
    with pytest.raises(NotText, match=rf"This is .*{kind}.*, not text\. Hand .* plain text"):
        decoded(content)


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(random.Random(1).randbytes(5000), id="random"),
        pytest.param(zlib.compress(random.Random(1).randbytes(5000)), id="compressed"),
        pytest.param(bytes(100), id="nothing-but-nul"),
        pytest.param(bytes(range(32)) * 10, id="controls"),
        pytest.param(struct.pack("<500i", *range(500)), id="numbers"),
        pytest.param(b"\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00mp42isom", id="mp4"),
        pytest.param(codecs.BOM_UTF32_LE + b"B\0\0\0u\0\0\0y\0\0\0", id="utf-32"),
        pytest.param(codecs.BOM_UTF16_LE + random.Random(1).randbytes(5000), id="random-after-a-mark"),
    ],
)
def test_other_binary_content_is_refused(content: bytes) -> None:
    with pytest.raises(NotText, match=r"This is not text\. Hand "):
        decoded(content)


@pytest.mark.parametrize("content", [b"", b"a", b"\x00", b"PK", b"BMW is a buy", b"7z and PK and PDF"])
def test_short_texts_are_not_mistaken_for_something_else(content: bytes) -> None:
    assert decoded(content).strip() == content.decode().strip("\0")
