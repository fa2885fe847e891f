"""A video's transcript, with the second at which each piece of it starts."""

import json
import re
import zlib
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Self

from functions.runtime.errors import InvalidValue

HANDED_IN = "handed in"
"""The source of an uploaded transcript."""
MAX_SECOND = 7 * 24 * 3600
"""No video is longer than a week: later times are errors in the captions."""
MAX_BYTES = 5_000_000
"""Maximum size of an uploaded transcript: more than forty hours of captions."""
MAX_UNPACKED_BYTES = 64_000_000
DAMAGED = "A kept transcript is damaged"


WORD = re.compile(r"[^\W_]+")
MAX_WORD_LENGTH = 10
"""Average characters of a word and the gap behind it, nearly twice those of speech, in a text that is read in full."""


@dataclass(frozen=True, slots=True)
class Transcript:
    text: str
    source: str
    """`youtube`, `demo` or `handed in`."""
    language: str | None = None
    offsets: tuple[int, ...] = ()
    """Offset of each timed piece in the text, ascending; empty if no times are known."""
    seconds: tuple[int, ...] = ()
    """Start of each of these pieces, in whole seconds from the start of the video."""

    @classmethod
    def of_pieces(cls, pieces: Iterable[tuple[float | None, str]], source: str, *, language: str | None = None) -> Self:
        """Joins pieces in spoken order, each with its start in seconds, or None if unknown."""
        texts: list[str] = []
        offsets: list[int] = []
        seconds: list[int] = []
        position = 0
        for start, piece in pieces:
            text = " ".join(piece.split())
            if not text:
                continue
            if start is not None and 0 <= start <= MAX_SECOND:
                offsets.append(position)
                seconds.append(int(start))
            texts.append(text)
            position += len(text) + 1
        return cls(" ".join(texts), source, language, tuple(offsets), tuple(seconds))

    def second_at(self, position: int) -> int | None:
        """Returns the start, in seconds, of the piece that contains this character."""
        piece = bisect_right(self.offsets, position) - 1
        return self.seconds[piece] if piece >= 0 else None

    def first_words(self, most: int) -> str:
        """Returns as much of the text as has that many words, whatever stands between them."""
        text = self.text[: most * MAX_WORD_LENGTH]
        following = next(islice(WORD.finditer(text), most, None), None)
        return text[: following.start()].rstrip() if following else text

    def packed(self) -> bytes:
        return zlib.compress(json.dumps(asdict(self), separators=(",", ":"), ensure_ascii=False).encode())

    @classmethod
    def unpacked(cls, content: bytes) -> Self:
        """Raises InvalidValue if the bytes aren't a packed transcript."""
        try:
            fields = json.loads(_decompressed(content))
            text, source, language = fields["text"], fields["source"], fields["language"]
            offsets, seconds = tuple(map(int, fields["offsets"])), tuple(map(int, fields["seconds"]))
        except (zlib.error, ArithmeticError, ValueError, TypeError, LookupError):
            raise InvalidValue(DAMAGED) from None
        if not (isinstance(text, str) and isinstance(source, str) and isinstance(language, str | None)):
            raise InvalidValue(DAMAGED)
        if len(offsets) != len(seconds):
            raise InvalidValue(DAMAGED)
        return cls(text, source, language, offsets, seconds)


def _decompressed(content: bytes) -> bytes:
    reader = zlib.decompressobj()
    text = reader.decompress(content, MAX_UNPACKED_BYTES)
    if not reader.eof:
        raise ValueError("truncated, or too large")
    return text
