"""A transcript comes back as it was packed; bytes that are no packed transcript are refused."""

import json
import random
import zlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from functions.reading import transcripts
from functions.reading.transcripts import MAX_UNPACKED_BYTES, Transcript
from functions.runtime.errors import InvalidValue

FIELDS: dict[str, Any] = {"text": "a b", "source": "youtube", "language": "en", "offsets": [0, 2], "seconds": [0, 1]}
PIECES = st.lists(st.tuples(st.none() | st.floats(allow_nan=True), st.text()))


def packed(content: object) -> bytes:
    return zlib.compress(json.dumps(content).encode())


@given(PIECES, st.sampled_from(["youtube", "demo", "handed in"]), st.none() | st.text(max_size=12))
def test_a_transcript_comes_back_as_it_was_packed(
    pieces: list[tuple[float | None, str]], source: str, language: str | None
) -> None:
    transcript = Transcript.of_pieces(pieces, source, language=language)

    assert Transcript.unpacked(transcript.packed()) == transcript


def test_packing_makes_speech_much_smaller() -> None:
    words = ["shares", "the", "market", "I", "am", "buying", "earnings", "quarter", "and", "Apple", "so", "we", "see"]
    some = random.Random(1)
    pieces = [(second * 4.2, " ".join(some.choices(words, k=9))) for second in range(400)]
    transcript = Transcript.of_pieces(pieces, "youtube", language="en")

    assert len(transcript.packed()) < len(transcript.text) / 2


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{}",
        b"PK\x03\x04 a zip file",
        Transcript("a", "demo").packed()[:-1],
        Transcript("a" * 1000, "demo").packed()[4:],
        zlib.compress(b"not JSON"),
        zlib.compress(b"\xff\xfe"),
        packed([]),
        packed("text"),
        packed(None),
        *(packed({name: value for name, value in FIELDS.items() if name != left_out}) for left_out in FIELDS),
        packed({**FIELDS, "offsets": None}),
        packed({**FIELDS, "seconds": ["soon"]}),
        packed({**FIELDS, "seconds": [float("inf"), 1]}),
        packed({**FIELDS, "seconds": [1]}),
        packed({**FIELDS, "text": 5}),
        packed({**FIELDS, "language": 5}),
    ],
)
def test_what_is_no_packed_transcript_is_refused(content: bytes) -> None:
    with pytest.raises(InvalidValue, match=r"^A kept transcript is damaged$"):
        Transcript.unpacked(content)


@given(st.integers(min_value=0), st.integers(1, 255))
def test_a_changed_byte_never_becomes_other_words(place: int, change: int) -> None:
    transcript = Transcript.of_pieces([(0.4, "I am buying Apple"), (83.9, "and sell Tesla")], "youtube")
    content = bytearray(transcript.packed())
    content[place % len(content)] ^= change

    try:
        read = Transcript.unpacked(bytes(content))
    except InvalidValue:
        return

    # Some bits of the last byte of compressed data mean nothing.
    assert read == transcript


def test_what_unpacks_to_more_than_any_transcript_is_refused_before_it_is_unpacked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bomb = zlib.compress(b'{"text": "' + b" " * MAX_UNPACKED_BYTES + b'"}', level=9)
    read: list[int] = []
    monkeypatch.setattr("functions.reading.transcripts.json.loads", lambda content: read.append(len(content)))

    with pytest.raises(InvalidValue):
        Transcript.unpacked(bomb)

    assert len(bomb) < MAX_UNPACKED_BYTES / 500
    assert read == []


def test_the_largest_transcript_that_can_be_handed_in_can_be_read_back() -> None:
    """Words of one letter, each a timed piece: nothing has more times for its size."""
    pieces = ((second, "é") for second in range(transcripts.MAX_BYTES // 3))
    transcript = Transcript.of_pieces(((second % transcripts.MAX_SECOND, word) for second, word in pieces), "handed in")

    assert Transcript.unpacked(transcript.packed()) == transcript
