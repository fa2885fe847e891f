"""Splits a transcript into words and clauses, both punctuated text and raw captions."""

import re
from typing import NamedTuple

from functions.reading.rules import vocabulary

WORD = re.compile(r"\$?[^\W_]+(?:['\u2019&][^\W_]+|\.(?:com|ai|io|[A-Za-z])\b)*|&")
MAX_WORD = 32
MAX_CLAUSE = 40

SENTENCE_END = re.compile(r"[.!?…]|\n\s*\n|>>|\[")
CLAUSE_END = re.compile(r"[;:()]")
DASH = re.compile(r"[\u2013\u2014]|\s-\s")
"""An interruption; the sentence may continue after it."""
ABBREVIATIONS = vocabulary.words("words before a full stop")

SUBJECTS = vocabulary.words("subjects")
"""A clause starts at one of these, unless the previous word continues it."""
CARRIES_ON = vocabulary.words("carries on")
TAKES_OBJECT = vocabulary.words("takes an object")
CONNECTIVES = vocabulary.words("connectives")
JOINERS = vocabulary.words("joiners")
AUXILIARIES = vocabulary.words("auxiliaries")
VERBS_AFTER_YOU = AUXILIARIES | vocabulary.words("verbs after you")
VERBS_AFTER_IT = AUXILIARIES | vocabulary.words("verbs after it")
"""`you` and `it` start a clause only before a verb; elsewhere they are its object."""
COMPANIES = vocabulary.words("company words")
"""`the stocks you can buy` is one clause."""
TIME_WORDS = vocabulary.words("time words")
"""A name right after one of these starts something new: `… I sold on Tuesday | Amazon …`."""
PAUSES = vocabulary.words("pauses")
REASONS_AND_CONTRASTS = frozenset({"although", "because", "but", "though", "whereas", "while"})
"""`I recommend Pepsi | because it is cheap`: such a word starts a new clause, without the name before it."""
OBJECT_LEADS = CARRIES_ON | TAKES_OBJECT | vocabulary.words("object leads")
"""A name after one of these belongs to its clause; after another word, with a new subject behind it, it opens the next:
`… the lawsuits and | Pepsi I'm holding`."""


class Word(NamedTuple):
    start: int
    end: int
    text: str
    key: str
    """Lower case, with plain apostrophes; cut short if overlong."""


class Clause(NamedTuple):
    first: int
    """Index of its first word; `last` is the one after its final word."""
    last: int
    sentence: int
    ends_with: str
    """`.`, `?`, `:` and the like, or nothing where the next clause follows without a mark."""


def words_of(text: str) -> list[Word]:
    found = []
    for match in WORD.finditer(text):
        word = match[0]
        key = word[:MAX_WORD].lower().replace("\u2019", "'")
        found.append(Word(match.start(), match.end(), word, "and" if key == "&" else key))
    return found


def clauses_of(text: str, words: list[Word], names: dict[int, int]) -> list[Clause]:
    """`names` maps each word of a stock's name to the name's first word: no clause breaks inside or just before one."""
    clauses: list[Clause] = []
    first = sentence = 0
    marks = [_mark_before(text, words, index) for index in range(1, len(words) + 1)]
    for index, mark in enumerate(marks, 1):
        if mark == "," and not _comma_splits(words, index, names):
            mark = ""
        if not mark and index < len(words) and index - first < MAX_CLAUSE:
            following = "" if index + 1 >= len(words) or marks[index] else words[index + 1].key
            if not _starts_clause(words, index, following, names):
                continue
            start = _topic_start(words, first, index, names)
        else:
            start = index
        if start > first:
            clauses.append(Clause(first, start, sentence, mark))
            first = start
        sentence += mark in {".", "?"}
    return clauses


def _mark_before(text: str, words: list[Word], index: int) -> str:
    if index == len(words):
        gap = text[words[-1].end : words[-1].end + 4]
    else:
        gap = text[words[index - 1].end : words[index].start][:64]
    if gap == " " or (gap in {".", ","} and _in_number(words, index)):
        return ""
    if SENTENCE_END.search(gap):
        if "?" in gap:
            return "?"
        return "" if gap == ". " and words[index - 1].key in ABBREVIATIONS else "."
    if CLAUSE_END.search(gap):
        return ":" if ":" in gap else ";"
    if DASH.search(gap):
        return "-"
    return "," if "," in gap else ""


def _in_number(words: list[Word], index: int) -> bool:
    """`7.35`, `1,200`"""
    return index < len(words) and words[index - 1].key[-1].isdigit() and words[index].key[0].isdigit()


def _comma_splits(words: list[Word], index: int, names: dict[int, int]) -> bool:
    if index == len(words):
        return True
    following = words[index].key
    return not (index in names or (following in JOINERS and index + 1 in names) or following == "ticker")


def _starts_clause(words: list[Word], index: int, following: str, names: dict[int, int]) -> bool:
    key, previous = words[index].key, words[index - 1].key
    if index in names:
        return names[index] == index and previous in TIME_WORDS
    if key in CONNECTIVES:
        return previous not in JOINERS
    if key in JOINERS:
        return following in SUBJECTS or following in CONNECTIVES
    return _is_a_new_subject(words, index, following, previous)


def _is_a_new_subject(words: list[Word], index: int, following: str, previous: str) -> bool:
    """`I sold Intel | it keeps falling`, but not `I sold it`"""
    key = words[index].key
    if key not in SUBJECTS or (key == "you" and following not in VERBS_AFTER_YOU):
        return False
    if key == "you" and previous in COMPANIES:
        return False
    if key == "it" and following not in VERBS_AFTER_IT and not following.endswith(("s", "ed")):
        return False
    if key in {"it", "you"} and (previous in TAKES_OBJECT or previous.endswith("ing")):
        return False
    if previous in AUXILIARIES and index > 1 and words[index - 2].key in SUBJECTS:
        return True
    return previous not in CARRIES_ON


def _topic_start(words: list[Word], first: int, index: int, names: dict[int, int]) -> int:
    """Returns the start of the next clause, including a leading name as in `Pepsi I'm holding`."""
    if words[index].key in REASONS_AND_CONTRASTS:
        return index
    end = index - 1
    while end > 0 and index - end < 4 and words[end].key in PAUSES:
        end -= 1
    start = names.get(end)
    if start is None:
        return index
    if start == 0:
        return 0
    lead = start - 1
    while words[lead].key in JOINERS and lead > 0:
        lead -= 1
    after_topic = first in names or (words[first].key in JOINERS and first + 1 in names)
    if after_topic and start > first + 2 and words[start - 1].key.endswith("ing"):
        return start
    if lead in names or (words[lead].key in OBJECT_LEADS and words[start - 1].key not in JOINERS):
        return index
    return lead + 1
