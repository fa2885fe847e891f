"""A transcript: what is said in a video, and at which second each piece of it begins."""

import json
import zlib
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Self

from functions.runtime.errors import InvalidValue

HANDED_IN = "handed in"
"""The source of a transcript that a person gave us."""
MAX_SECOND = 7 * 24 * 3600
"""No video is longer than a week; a later time is a mistake in the captions."""
MAX_BYTES = 5_000_000
"""Of a transcript that is handed in: more than forty hours of captions."""
MAX_UNPACKED_BYTES = 64_000_000
DAMAGED = "A kept transcript is damaged"


@dataclass(frozen=True, slots=True)
class Transcript:
    text: str
    source: str
    """`youtube`, `demo` or `handed in`."""
    language: str | None = None
    offsets: tuple[int, ...] = ()
    """Where in the text each timed piece begins, rising; empty where no times are known."""
    seconds: tuple[int, ...] = ()
    """When each of these pieces is said, in whole seconds from the start of the video."""

    @classmethod
    def of_pieces(cls, pieces: Iterable[tuple[float | None, str]], source: str, *, language: str | None = None) -> Self:
        """From pieces in the order they are said, each with its start in seconds, or None where that is not known."""
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
        """The second at which the piece that holds this character begins."""
        piece = bisect_right(self.offsets, position) - 1
        return self.seconds[piece] if piece >= 0 else None

    def packed(self) -> bytes:
        return zlib.compress(json.dumps(asdict(self), separators=(",", ":"), ensure_ascii=False).encode())

    @classmethod
    def unpacked(cls, content: bytes) -> Self:
        """InvalidValue if these are not the bytes of a packed transcript."""
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
        raise ValueError("cut short, or too large")
    return text
