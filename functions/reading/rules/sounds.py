"""Approximates how a word sounds: automatic captions misspell names, `Palanteer` for Palantir."""

import re

SHORTEST = 5
"""Minimum letters: too many shorter words sound alike."""
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
REPEATED = re.compile(r"(.)\1+")


def sound(word: str) -> str:
    """Returns a phonetic key: its consonants, with similar ones merged, after an `a` for any initial vowel."""
    word = SILENT_STARTS.sub(lambda match: match[0][1], word)
    for spelling, letters in SPELLINGS:
        word = spelling.sub(letters, word)
    start = "a" if word[:1] in "aeiouy" else ""
    return start + REPEATED.sub(r"\1", word.translate(SAME_SOUND))


def differences(one: str, other: str) -> int:
    """The Levenshtein distance of two words."""
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
    """True if captions may have written `heard` for a name with the same sound: the spelling is similar."""
    return differences(heard, name) * 3 <= max(len(heard), len(name))
