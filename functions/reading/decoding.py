"""Decodes text files in any common encoding, and rejects files that aren't text."""

import codecs
import re

from functions.reading.errors import NotText

SIGNATURES = (
    (b"PK\x03\x04", "a ZIP archive or an office document"),
    (b"PK\x05\x06", "an empty ZIP archive"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"\xfd7zXZ\x00", "an xz archive"),
    (b"\x28\xb5\x2f\xfd", "a zstd archive"),
    (b"Rar!\x1a\x07", "a RAR archive"),
    (b"%PDF-", "a PDF"),
    (b"{\\rtf", "a rich text document"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an office document"),
    (b"\x89PNG", "an image"),
    (b"\xff\xd8\xff", "an image"),
    (b"GIF8", "an image"),
    (b"RIFF", "an image, a video or a sound"),
    (b"OggS", "a video or a sound"),
    (b"ID3", "a sound"),
    (b"\x1aE\xdf\xa3", "a video"),
)
ADVICE = "Hand the transcript in as plain text, as SubRip (.srt) or as WebVTT (.vtt)."
BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
SAMPLE = 4096
"""Bytes inspected to detect an encoding without a byte order mark."""
CONTROLS = re.compile("[\x00-\x08\x0e-\x1f\x7f]")
MAX_SHARE_UNREADABLE = 0.02
"""Maximum share of undecodable and control characters in a text. In binary files it is close to a tenth."""


def decoded(content: bytes) -> str:
    """Returns the text of a file. Raises NotText for archives, PDFs, images and the like."""
    for signature, kind in SIGNATURES:
        if content.startswith(signature):
            raise NotText(f"This is {kind}, not text. {ADVICE}")
    text, controls = CONTROLS.subn(" ", _decoded(content))
    # One damaged character alone must not disqualify a short text.
    if controls + text.count("\ufffd") > 1 + MAX_SHARE_UNREADABLE * len(text):
        raise NotText(f"This is not text. {ADVICE}")
    return text


def _decoded(content: bytes) -> str:
    for mark, encoding in BYTE_ORDER_MARKS:
        if content.startswith(mark):
            return content[len(mark) :].decode(encoding, "replace")
    if encoding := _utf_16_by_nul_bytes(content[:SAMPLE]):
        return content.decode(encoding, "replace")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return _damaged_utf_8(content) or content.decode("cp1252", "replace")


def _utf_16_by_nul_bytes(sample: bytes) -> str:
    """Detects UTF-16 without a byte order mark: Latin text has a NUL in every other byte."""
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    fewer, more = sorted((even, odd))
    if more < max(2, len(sample) / 10, 10 * fewer):
        return ""
    return "utf-16-le" if odd > even else "utf-16-be"


def _damaged_utf_8(content: bytes) -> str:
    """Returns the text if most non-ASCII characters decode as UTF-8, as in a file truncated within a character."""
    text = content.decode("utf-8", "replace")
    damaged = text.count("\ufffd")
    beyond_ascii = len(text) - len(text.encode("ascii", "ignore"))
    return text if beyond_ascii > 2 * damaged else ""
