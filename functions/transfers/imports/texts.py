"""Text from untrusted files, in pieces of bounded size."""

import codecs
from collections.abc import Iterator
from typing import Protocol

from functions.transfers.imports.problems import FileRefused

BYTES_AT_ONCE = 64 * 1024
MAX_LINE_BYTES = 1024 * 1024
_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...


def decoded_chunks(stream: Readable, name: str, size: int) -> Iterator[str]:
    """Decodes a file. Bytes that are not UTF-8 become surrogates, so that a complaint can name their location."""
    decoder = codecs.getincrementaldecoder("utf-8")(errors="surrogateescape")
    is_first = True
    while chunk := stream.read(size):
        text = decoder.decode(_checked_start(chunk, name) if is_first else chunk)
        is_first = False
        if text:
            yield text
    if rest := decoder.decode(b"", final=True):
        yield rest


def lines_of(stream: Readable, name: str) -> Iterator[str]:
    """Yields the lines of a file, including their line ends."""
    rest = b""
    is_first = True
    number = 0
    while chunk := stream.read(BYTES_AT_ONCE):
        chunk = _checked_start(chunk, name) if is_first else chunk
        is_first = False
        *whole, rest = (rest + chunk).split(b"\n")
        for line in whole:
            number += 1
            yield line.decode(errors="surrogateescape") + "\n"
        if len(rest) > MAX_LINE_BYTES:
            raise FileRefused([f"{name}, line {number + 1}: longer than {MAX_LINE_BYTES:,} bytes"])
    if rest:
        yield rest.decode(errors="surrogateescape")


def _checked_start(chunk: bytes, name: str) -> bytes:
    """Removes the byte order mark that some programs put before UTF-8."""
    if chunk.startswith(_UTF_16) or b"\0" in chunk[:4]:
        raise FileRefused([f"{name} is not a text in UTF-8. Save it as UTF-8 and try again."])
    return chunk.removeprefix(codecs.BOM_UTF8)
