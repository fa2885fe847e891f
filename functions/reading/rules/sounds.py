"""How a word sounds, roughly: automatic captions write a name as they hear it, `Palanteer` for Palantir."""

import re
from functools import lru_cache

SHORTEST = 5
"""Letters below which too many words sound alike."""
SILENT_STARTS = re.compile(r"^(?:pn|kn|gn|ps|wr)")
SPELLINGS = (
    (re.compile(r"ph"), "f"),
    (re.compile(r"gh(?=t|$)"), ""),
    (re.compile(r"(?<!^)x"), "ks"),
    (re.compile(r"^x"), "s"),
    (re.compile(r"c(?=[eiy])"), "s"),
    (re.compile(r"sch|tch|ch|sh|ti(?=on)|ci(?=a)"), "j"),
    (re.compile(r"dg"), "j"),
)
SAME_SOUND = str.maketrans("bcdgqvz", "pktkkfs", "aeiouyhw")
STUTTER = re.compile(r"(.{2,4})\1")
REPEATED = re.compile(r"(.)\1+")


def sound(word: str) -> str:
    """Its consonants, those that are easily confused written alike; a first vowel counts as one letter."""
    word = SILENT_STARTS.sub(lambda match: match[0][1], word)
    for spelling, letters in SPELLINGS:
        word = spelling.sub(letters, word)
    start = "a" if word[:1] in "aeiouy" else ""
    return start + REPEATED.sub(r"\1", word.translate(SAME_SOUND))


def differences(one: str, other: str) -> int:
    """Letters to add, drop or change to turn one word into the other."""
    row = list(range(len(other) + 1))
    for number, letter in enumerate(one, 1):
        diagonal, row[0] = row[0], number
        for column, other_letter in enumerate(other, 1):
            diagonal, row[column] = (
                row[column],
                min(row[column] + 1, row[column - 1] + 1, diagonal + (letter != other_letter)),
            )
    return row[-1]


def alike(heard: str, name: str) -> bool:
    """Whether captions may have written `heard` for the name: the same sound, and spelled much the same."""
    return differences(heard, name) * 3 <= max(len(heard), len(name))


@lru_cache(maxsize=8_192)
def without_stutter(word: str) -> str:
    """Captions that are written while somebody speaks repeat part of a word: `Rockck`, `Cororeweave`."""
    return STUTTER.sub(r"\1", word, count=1)
