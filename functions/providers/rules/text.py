"""Words of a transcript and the clauses they form, in punctuated text and in bare captions alike."""

import re
from typing import NamedTuple

WORD = re.compile(r"\$?[^\W_]+(?:['’&][^\W_]+|\.(?:com|ai|io|[A-Za-z])\b)*|&")
LONGEST_WORD = 32
LONGEST_CLAUSE = 40

SENTENCE_END = re.compile(r"[.!?…]|\n\s*\n|>>|\[")
CLAUSE_END = re.compile(r"[;:—–]|\s-\s|\(|\)")
ABBREVIATIONS = frozenset(
    ["inc", "corp", "co", "ltd", "bros", "vs", "mr", "mrs", "ms", "dr", "st", "jr", "no", "u.s", "e.g", "i.e"]
)

SUBJECTS = frozenset(
    [
        "i",
        "i'm",
        "i've",
        "i'd",
        "i'll",
        "im",
        "ive",
        "we",
        "we're",
        "we've",
        "we'd",
        "we'll",
        "you",
        "you're",
        "you've",
        "you'd",
        "you'll",
        "he",
        "she",
        "he's",
        "she's",
        "they",
        "they're",
        "they've",
        "they'd",
        "it",
        "it's",
        "that's",
        "there's",
        "nobody",
        "everybody",
        "everyone",
        "somebody",
        "someone",
        "people",
        "analysts",
    ]
)
"""A clause starts here, unless the word before carries it on."""
CARRIES_ON = frozenset(
    [
        "that",
        "which",
        "what",
        "if",
        "when",
        "because",
        "how",
        "why",
        "where",
        "as",
        "than",
        "do",
        "does",
        "did",
        "am",
        "are",
        "is",
        "was",
        "were",
        "should",
        "would",
        "will",
        "can",
        "could",
        "have",
        "has",
        "had",
        "whether",
        "nor",
        "neither",
        "who",
        "whom",
        "whose",
        "unless",
        "until",
        "while",
        "though",
        "although",
        "and",
        "but",
        "so",
        "or",
        "then",
        "since",
        "once",
        "before",
        "after",
        "of",
        "to",
        "for",
        "with",
        "about",
        "on",
        "in",
        "at",
        "by",
        "from",
        "into",
        "like",
        "not",
        "own",
        "sell",
        "buy",
        "hold",
        "keep",
        "make",
        "let",
        "give",
        "tell",
        "told",
        "ask",
        "asked",
        "show",
        "shows",
        "help",
        "thank",
        "bought",
        "sold",
        "keeping",
        "holding",
        "buying",
        "selling",
        "leave",
        "left",
        "think",
        "want",
        "dump",
        "trim",
        "added",
        "avoid",
        "touch",
        "get",
        "got",
    ]
)
CONNECTIVES = frozenset(
    [
        "but",
        "because",
        "although",
        "though",
        "whereas",
        "while",
        "unless",
        "until",
        "if",
        "when",
        "however",
        "which",
        "okay",
        "ok",
        "anyway",
        "meanwhile",
        "plus",
        "then",
        "otherwise",
        "except",
        "once",
        "instead",
        "yes",
        "yep",
        "yeah",
        "nope",
        "please",
    ]
)
JOINERS = frozenset(["and", "so", "or"])
AUXILIARIES = frozenset(
    [
        "do",
        "does",
        "did",
        "am",
        "are",
        "is",
        "was",
        "were",
        "have",
        "has",
        "had",
        "will",
        "would",
        "can",
        "could",
        "should",
    ]
)
VERBS_AFTER_YOU = AUXILIARIES | frozenset(
    [
        "don't",
        "can't",
        "shouldn't",
        "won't",
        "didn't",
        "aren't",
        "haven't",
        "might",
        "must",
        "may",
        "own",
        "want",
        "need",
        "get",
        "got",
        "buy",
        "sell",
        "hold",
        "keep",
        "think",
        "see",
        "really",
        "just",
        "still",
        "like",
        "leave",
        "love",
        "never",
        "ought",
        "better",
        "gotta",
        "wanna",
    ]
)
VERBS_AFTER_IT = AUXILIARIES | frozenset(
    ["isn't", "doesn't", "won't", "wasn't", "hasn't", "might", "may", "must", "just", "still", "went", "fell", "never"]
)
"""`you` and `it` start a clause only before a verb; elsewhere they are its object."""
PAUSES = frozenset(["uh", "um", "er", "ah", "well", "okay", "ok", "now", "though", "then"])
OBJECT_LEADS = CARRIES_ON | frozenset(
    [
        "my",
        "our",
        "your",
        "his",
        "her",
        "their",
        "the",
        "a",
        "an",
        "this",
        "that",
        "some",
        "more",
        "any",
        "another",
        "between",
        "per",
        "love",
        "hate",
        "prefer",
        "picking",
        "up",
        "out",
        "off",
        "over",
        "both",
        "including",
        "named",
        "called",
        "than",
        "versus",
        "own",
        "owning",
        "short",
        "long",
        "shorting",
        "trimming",
        "trimmed",
        "adding",
        "dumping",
        "dumped",
        "avoiding",
        "trading",
        "getting",
        "putting",
        "ticker",
        "symbol",
        "against",
        "behind",
        "under",
        "following",
        "watching",
        "loading",
        "accumulating",
        "shares",
        "stock",
    ]
)
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
        key = word[:LONGEST_WORD].lower().replace("’", "'")
        found.append(Word(match.start(), match.end(), word, "and" if key == "&" else key))
    return found


def clauses_of(text: str, words: list[Word], names: dict[int, int]) -> list[Clause]:
    """`names` says of each word of a stock's name where that name starts: no clause breaks inside or just before one."""
    clauses: list[Clause] = []
    first = sentence = 0
    for index in range(1, len(words) + 1):
        mark = _mark_before(text, words, index)
        if mark == "," and not _comma_splits(words, index, names):
            mark = ""
        if not mark and index < len(words) and index - first < LONGEST_CLAUSE:
            if not _starts_clause(words, index, names):
                continue
            start = _topic_start(words, index, names)
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
    if gap == " ":
        return ""
    if SENTENCE_END.search(gap):
        if "?" in gap:
            return "?"
        abbreviated = gap == ". " and words[index - 1].key in ABBREVIATIONS
        return "" if abbreviated else "."
    if CLAUSE_END.search(gap):
        return ":" if ":" in gap else ";"
    return "," if "," in gap else ""


def _comma_splits(words: list[Word], index: int, names: dict[int, int]) -> bool:
    if index == len(words):
        return True
    following = words[index].key
    return index not in names and not (following in JOINERS and index + 1 in names)


def _starts_clause(words: list[Word], index: int, names: dict[int, int]) -> bool:
    key, previous = words[index].key, words[index - 1].key
    if index in names:
        return False
    if key in CONNECTIVES:
        return previous not in JOINERS
    following = words[index + 1].key if index + 1 < len(words) else ""
    if key in JOINERS:
        return following in SUBJECTS or following in CONNECTIVES
    if key not in SUBJECTS or (key == "you" and following not in VERBS_AFTER_YOU):
        return False
    if key == "it" and following not in VERBS_AFTER_IT and not following.endswith(("s", "ed")):
        return False
    if previous in AUXILIARIES and index > 1 and words[index - 2].key in SUBJECTS:
        return True
    return previous not in CARRIES_ON


def _topic_start(words: list[Word], index: int, names: dict[int, int]) -> int:
    """Where the next clause starts once a name put first, as in `Pepsi I'm holding`, is counted in."""
    end = index - 1
    while end > 0 and index - end < 4 and words[end].key in PAUSES:
        end -= 1
    start = names.get(end)
    if start is None or start < 1:
        return index
    lead = start - 1
    while words[lead].key in JOINERS and lead > 0:
        lead -= 1
    if lead in names or (words[lead].key in OBJECT_LEADS and words[start - 1].key not in JOINERS):
        return index
    return lead + 1
