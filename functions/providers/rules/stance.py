"""Reads one clause: which phrases of buying, holding or selling it has, and what speaks for and against each."""

import re
from bisect import bisect_right
from dataclasses import dataclass
from itertools import pairwise

from functions.core.models import Sentiment
from functions.providers.rules import lexicon
from functions.providers.rules.context import Mention
from functions.providers.rules.known import is_possessive
from functions.providers.rules.lexicon import PHRASES, Phrase
from functions.providers.rules.text import AUXILIARIES, TIME_WORDS, Clause, Word, is_filler

REACH_OF_NEGATION = 42
"""Characters before a phrase in which a negation still governs it."""
MAX_ADVERBIAL = 4
"""Words of a clause such as `last January` that only dates the next one."""
NEAREST_SUBJECT = 9
"""Words before a verb within which `i` is surely its subject."""
MAX_PRICE = 6
"""Words of a clause that only says at what price the next one holds."""
NEAREST_VERB = 5
"""Words before a verb that are surely its subject and its auxiliaries."""
POSSESSIVE = "'s"
"""As in `Apple's margin`, which nobody buys."""
MOST_PHRASES = 8
"""No clause that someone spoke holds more."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A clause written out for the phrase patterns."""

    clause: Clause
    text: str
    starts: list[int]
    """Where each written word starts in `text`."""
    indexes: list[int]
    """Which word of the transcript each written word came from."""
    mentions: list[Mention]
    triggered: bool

    def word_at(self, position: int) -> int:
        return self.indexes[bisect_right(self.starts, position) - 1]


@dataclass(frozen=True, slots=True)
class Stance:
    sentiment: Sentiment
    """`mentioned` for a phrase that was denied: the speaker does not buy."""
    first: int
    last: int
    """The words it rests on."""
    about_subject: bool
    asked: bool
    """Only asked, not said."""
    denied: Sentiment
    """What it is if the answer is no."""
    words: str
    """The phrase itself."""
    after: str
    """How the clause goes on."""
    object: str
    """What is bought or sold: `named`, `shares`, `pronoun`, `nothing`, `stocks`, `asset`, `belonging` or `thing`."""
    traits: tuple[str, ...]
    """What speaks for or against the speaker's meaning it; `weights.csv` says how much."""

    @property
    def trades(self) -> bool:
        """Whether its verb is plain buying or selling, of shares or of anything else."""
        return bool(lexicon.TRADES.match(self.words))


def read(clause: Clause, words: list[Word], mentions: list[Mention]) -> Reading:
    parts: list[str] = []
    starts: list[int] = []
    indexes: list[int] = []
    length = 0
    covered = {index: mention for mention in mentions for index in range(mention.first, mention.last)}
    for index in range(clause.first, clause.last):
        mention = covered.get(index)
        if mention is None and is_filler(words, index):
            continue
        if mention is None:
            key = words[index].key
            written = lexicon.REWRITTEN.get(key) or (f"{key[:-3]} not" if key.endswith("n't") else key)
            if written == lexicon.DROPPED:
                continue
        elif index > max(mention.first, clause.first):
            continue
        else:
            written = "§" if mention.ticker else "¤"
            if is_possessive(words[mention.last - 1].key) and mention.last <= clause.last:
                written += f" {POSSESSIVE}"
        for part in written.split():
            if parts and part == parts[-1] and part not in {"§", "¤"}:
                continue
            parts.append(part)
            starts.append(length)
            indexes.append(index)
            length += len(part) + 1
    text = " ".join(parts)
    triggered = not lexicon.TRIGGERS.isdisjoint(parts) or any(phrase in text for phrase in lexicon.TRIGGER_PHRASES)
    return Reading(clause, text, starts, indexes, mentions, triggered)


def stances(reading: Reading, earlier: list[Reading], following: Reading | None) -> list[Stance]:
    """`earlier` are the clauses of the same sentence before this one, nearest first."""
    if not reading.triggered:
        return []
    taken = [match.span() for match in lexicon.NO_ADVICE.finditer(reading.text)]
    found = []
    said = reading.text.split()
    for phrase in PHRASES:
        if not phrase.may_be_in(said, reading.text):
            continue
        for match in phrase.pattern.finditer(reading.text):
            start, end = match.span()
            if any(start < other_end and other_start < end for other_start, other_end in taken):
                continue
            if len(taken) >= MOST_PHRASES:
                break
            taken.append((start, end))
            found.append((phrase, _stance(phrase, match, reading, earlier, following)))
    acts = [stance for phrase, stance in found if phrase.name not in lexicon.STATES]
    return sorted(acts or [stance for _, stance in found], key=lambda stance: stance.first)


def _stance(
    phrase: Phrase, match: re.Match[str], reading: Reading, earlier: list[Reading], following: Reading | None
) -> Stance:
    before, words, after = reading.text[: match.start()], match[0], reading.text[match.end() :]
    asked = _is_question(before, words, reading, earlier) or _is_one_option(reading, following)
    negated = phrase.negatable and not asked and _is_negated(before, earlier)
    goes_on = reading.text[_own_pronoun(match) :]
    target = "named" if _is_cleft(phrase, match, reading, earlier) else _object(phrase, words, goes_on)
    tense = _tense(before, words)
    by = speaker(phrase, before, words, after)
    if by == "dropped" and _has_subject_of(earlier, before, words):
        by = "other"
    if by == "unnamed" and _goes_on_for_others(earlier, before):
        by = "other"
    if by == "dropped" and words.split()[0].endswith("ing") and _is_a_participle(after, earlier):
        by = "participle"
    if by in {"other", "you", "if you"} and _speaker_agrees(after, following):
        by = "i"
    recent = bool(lexicon.RECENT.search(reading.text))
    led_in = " ".join((*(clause.text for clause in earlier[:1]), reading.text))
    traits = [
        f"{phrase.name} denied" if negated else phrase.name,
        f"speaker {by}",
        f"object {target}",
        "tense past recent" if recent and tense == "past" else f"tense {tense}",
    ]
    checks = (
        ("reported", _is_reported(phrase, before, after, earlier)),
        (
            "confirmed",
            by in {"you", "you did"} and following is not None and bool(lexicon.CONFIRMS.search(following.text)),
        ),
        ("not advising", _is_not_advising(phrase, before, earlier)),
        ("hedged", _is_hedged(before, earlier, following)),
        ("qualified", phrase.name == "liking" and _is_qualified(before, after, earlier, following)),
        (
            "conditional",
            _is_conditional(before, words, after, reading, earlier, following)
            or (phrase.sentiment is Sentiment.HOLD and by == "if you")
            or (not phrase.about_subject and bool(lexicon.IF_I.search(before)))
            or (phrase.about_subject and runs_on(reading) and _has_proviso(following)),
        ),
        ("narrated", bool(lexicon.NARRATION.search(led_in))),
        (
            "history",
            _is_past_perfect(before, words)
            or _is_recap(before, words, after, earlier)
            or (tense == "past" and not recent and _is_dated(reading, earlier, following))
            or (_is_past_progressive(before, words) and not recent)
            or (not phrase.needs_speaker and not recent and _was_presented(before, words))
            or _was_said_then(before, earlier)
            or (phrase.name in lexicon.STATES and bool(lexicon.USED_TO.search(before)))
            or (negated and bool(lexicon.REGRETS.search(before))),
        ),
        ("recent", recent),
        ("priced", bool(lexicon.PRICED.search(after))),
        ("example", bool(lexicon.EXAMPLE.search(led_in)) and not _is_a_case_in_point(phrase, by, led_in)),
        ("something else's", phrase.about_subject and not _names_the_speaker(words) and _has_own_subject(before)),
        ("sponsor", bool(lexicon.SPONSOR.search(reading.text)) or any(lexicon.SPONSOR.search(c.text) for c in earlier)),
    )
    traits += [name for name, holds in checks if holds]
    return Stance(
        phrase.denied if negated else phrase.sentiment,
        reading.word_at(match.start()),
        reading.word_at(match.end() - 1) + 1,
        phrase.about_subject,
        asked,
        phrase.denied,
        words,
        goes_on,
        target,
        tuple(traits),
    )


def _is_cleft(phrase: Phrase, match: re.Match[str], reading: Reading, earlier: list[Reading]) -> bool:
    led_in = f"{earlier[0].text} " if earlier else ""
    cleft = None if phrase.about_subject else lexicon.CLEFT.search(led_in + reading.text)
    return bool(cleft and cleft.start() < len(led_in) + match.start() < cleft.end())


def _own_pronoun(match: re.Match[str]) -> int:
    """Where what follows a phrase starts: with its own pronoun, if it ends in one (`not touching it`)."""
    pronoun = lexicon.FINAL_PRONOUN.search(match[0])
    return match.start() + pronoun.start() if pronoun else match.end()


def _object(phrase: Phrase, words: str, after: str) -> str:
    if phrase.about_subject:
        return "subject"
    if after.startswith((" from ", " of ")) and object_of(after[after.index(" ", 1) :]) == "thing":
        return "thing"  # keep your distance from | the whole group
    if "§" in words and not words.startswith("take "):
        return "named"  # raised my § position
    if after.startswith(" there") and lexicon.GOES_IN.search(words):
        return "pronoun"  # put some money in | there
    found = object_of(after)
    if found == "thing" and not phrase.needs_speaker:
        return "nothing"
    return "shares" if found in {"thing", "nothing"} and lexicon.HAS_ITS_OBJECT.search(words) else found


def object_of(after: str) -> str:
    """What the words after a verb say is bought or sold."""
    if lexicon.COUNTED_STOCKS.match(after):
        return "pronoun"  # bought | all three chip stocks
    if lexicon.SUCH_AS.match(after):
        return "named"
    lead = lexicon.OBJECT_LEAD.match(after)
    end = lead.end() if lead else 0
    led_by, rest = after[:end], after[end:].split(" ", 2)
    if rest[0] == "§":
        if len(rest) > 1 and rest[1] in lexicon.PRODUCTS:
            return "belonging"
        belongs = len(rest) > 1 and rest[1] == POSSESSIVE
        return "belonging" if belongs and not lexicon.SHARES.match(rest[-1]) else "named"
    if rest[0] == "¤":
        return "asset"
    if lexicon.SHARES.search(led_by):
        return "shares"
    if rest[0] in lexicon.COMPANIES:
        return "stocks"
    if rest[0] == "name" and led_by == " the ":
        return "pronoun"  # own | the name
    if lexicon.THIS_NAME.match(after[end:]):
        return "named"  # bought | this §
    if rest[0] in lexicon.DEMONSTRATIVES and len(rest) > 1 and rest[1] in TIME_WORDS:
        return "nothing"  # bought more | this morning
    if rest[0] in lexicon.DEMONSTRATIVES:
        alone = len(rest) == 1 or rest[1] in lexicon.AFTER_DEMONSTRATIVE
        return "pronoun" if alone else "thing"
    if rest[0] in lexicon.PRONOUNS:
        return "pronoun"
    if rest[0] == "is" and "§" in after:
        return "nothing"  # the one I'm buying | is called §
    if rest[0] == "" or rest[0] in lexicon.AFTER_OBJECT or rest[0].lstrip("$")[:1].isdigit():
        return "nothing"
    return "thing"


def speaker(phrase: Phrase, before: str, words: str, after: str = "") -> str:
    """Who acts or advises."""
    said = before.split()
    if (phrase.about_subject and _names_the_speaker(words)) or (
        lexicon.MINE.search(words) and not _has_first_person(phrase, said)
    ):
        return "own"
    if lexicon.RELATIVE.search(before):
        return "other"  # my dad's biggest position
    if phrase.needs_speaker and any(pattern.search(before) for pattern in lexicon.OTHERS_ACT):
        return "other"
    if said and said[-1] == "§" and (lexicon.PAST_TENSE.match(words) or _trades_a_name(words, after)):
        return "other"  # § bought, § buying §
    noun = phrase.about_subject or words in lexicon.NOUNS_OF_TRADES
    if noun and said and lexicon.SOMEBODYS.search(said[-1]) and not lexicon.ARTICLE.match(words):
        return "other"  # goldman's top pick, the senator's | buy
    if lexicon.PLAYS_A_PART.search(words) and lexicon.OWN.isdisjoint(said) and lexicon.IS_SOMEBODY.search(before):
        return "other"  # §, which is a big buyer
    if phrase.about_subject or not phrase.needs_speaker:
        if not lexicon.OWN.isdisjoint(said):
            return "own"
        return "other" if not lexicon.THIRD_PERSON.isdisjoint(said) else "unnamed"
    for position in range(len(said) - 1, -1, -1):
        word, following = said[position], said[position + 1] if position + 1 < len(said) else ""
        if word in lexicon.FIRST_PERSON:
            if words.split()[0].endswith("ing") and said[-1] in lexicon.BEFORE_A_PARTICIPLE:
                return "participle"  # i think betting against it was wrong, what i got for buying it
            far = len(said) - position > NEAREST_SUBJECT or not lexicon.OTHER_CLAUSE.isdisjoint(said[position:])
            if far:
                return f"{word} far"
            return word if lexicon.BEFORE_A_VERB.issuperset(said[position + 1 :]) else f"{word} loosely"
        if word in lexicon.SECOND_PERSON:
            if lexicon.PAST_TENSE.match(words) and lexicon.TOLD_TO_A_GUEST.search(before):
                return "you did"
            if lexicon.PAST_TENSE.match(words) and word != "you" and not following:
                return "other"  # investors bought
            if lexicon.PAST_TENSE.match(words) and lexicon.IF_YOU.search(before):
                return "if you"  # if you followed me and bought it
            if words.split()[0].endswith("ing") and said[-1] in lexicon.BEFORE_A_PARTICIPLE:
                return "participle"  # what you ask before buying it
            return _addressed(before + words)
        if word in lexicon.OTHER_PEOPLE and (word != "it" or _has_verb(following or words.split()[0])):
            advised = lexicon.EVERYBODY_SHOULD.match(" ".join((*said[position:], words)))
            return "you should" if advised else "other"
    return "other" if lexicon.COMPANY_PLANS.search(before) else _unnamed(said, words)


def _has_first_person(phrase: Phrase, said: list[str]) -> bool:
    """`I sold my shares`: who acts is plain, whoever owns what was sold."""
    return phrase.needs_speaker and not lexicon.FIRST_PERSON.isdisjoint(said)


def _is_a_participle(after: str, earlier: list[Reading]) -> bool:
    """`Buying § here is a gamble`; `that fund owns the market, holding § and §`"""
    others = any(lexicon.SOMEBODY_HOLDS.search(clause.text) for clause in earlier)
    return others or bool(lexicon.GERUND_SUBJECT.search(after))


def _has_subject_of(earlier: list[Reading], before: str, words: str) -> bool:
    """`A big fund, | Someone Capital, | bought a stake | and then sold it all`: a clause before has the subject."""
    apposed = not before and bool(earlier) and earlier[0].clause.ends_with == ","
    if not lexicon.PAST_TENSE.match(words) or not (apposed or before.startswith(("and ", "then ", "but "))):
        return False
    for clause in earlier:
        said = clause.text.split()
        if not lexicon.FIRST_PERSON.isdisjoint(said):
            return False
        if not (lexicon.OTHER_PEOPLE - {"it"}).isdisjoint(said) or lexicon.COMPANY_ACTS.search(clause.text):
            return True
    return False


def _goes_on_for_others(earlier: list[Reading], before: str) -> bool:
    """`He keeps raising his stake, | continuing to buy §`: the participle has the subject of the clause before."""
    if not earlier or not before.split(" ", 1)[0].endswith("ing"):
        return False
    said = earlier[0].text.split()
    return lexicon.FIRST_PERSON.isdisjoint(said) and not (lexicon.OTHER_PEOPLE - {"it"}).isdisjoint(said)


def _trades_a_name(words: str, after: str) -> bool:
    return words.split()[0].endswith("ing") and object_of(after) == "named"


def _has_verb(following: str) -> bool:
    """Whether `it` is a subject: `it expects`, `it will`; else it is an object."""
    past = lexicon.PAST_TENSE.match(following)
    return bool(past) or following in AUXILIARIES or following.endswith(("s", "ed", "ing"))


def _addressed(said: str) -> str:
    if lexicon.YOU_CAN.search(said):
        return "you can"
    if lexicon.IF_YOU.search(said) and not lexicon.IF_YOU_OWN.search(said):
        return "if you"
    return "you should" if lexicon.SHOULD.search(said) else "you"


def _unnamed(said: list[str], words: str) -> str:
    """`Sold mine.` and `sell it` have the speaker for a subject; `bezos sold` does not."""
    if not said or all(word in lexicon.LINKS or word in TIME_WORDS for word in said):
        return "dropped"  # yesterday | sold half
    if words.split()[0].endswith("ing") and said[-1] in lexicon.BEFORE_A_GERUND:
        return "participle"  # for me the cost of buying it
    if not lexicon.OWN.isdisjoint(said):
        return "own"
    if lexicon.PAST_TENSE.search(words):
        company_acts = lexicon.COMPANY_ACTS.search(" ".join(said))
        return "linked" if said[-1] in lexicon.LINKS and not company_acts else "other"
    if _has_other_subject(said, words):
        return "other"
    return "participle" if words.split()[0].endswith("ing") and said[-1] not in lexicon.LINKS else "unnamed"


def _has_own_subject(before: str) -> bool:
    """`memory would be | my pick`: said of what the clause itself speaks of, and not of the stock before."""
    said = before.split()
    between: set[str] = set()
    while said and said[-1] in lexicon.BEFORE_A_VERDICT:
        between.add(said.pop())
    if between.isdisjoint(AUXILIARIES):
        return False  # the most obvious | no brainer
    return bool(said) and "§" not in said and said[-1] not in lexicon.STANDS_FOR_A_STOCK


def _has_other_subject(said: list[str], words: str) -> bool:
    """`the stock is holding`, `§ will add`, `both prefer`: someone or something else does it."""
    doing = words.split()[0].endswith("ing")
    if said[-1] in lexicon.STATE_VERBS and doing:
        return True
    if words == "prefer" and said[-1] not in lexicon.LINKS:
        return True
    return said[-1] in lexicon.MODALS and len(said) > 1


def _tense(before: str, words: str) -> str:
    if lexicon.WANT.search(before):
        return "wish"
    if lexicon.WOULD_DO.search(before):
        return "would"
    if lexicon.FUTURE.search(before):
        return "future"
    if lexicon.PAST_TENSE.search(words) or lexicon.DID.search(before) or _is_past_progressive(before, words):
        return "past"
    return "progressive" if words.split()[0].endswith("ing") else "present"


def _is_reported(phrase: Phrase, before: str, after: str, earlier: list[Reading]) -> bool:
    if phrase.about_subject and (_is_rated_by_a_firm(before, after) or lexicon.OTHERS_THINK.search(before)):
        return True
    if lexicon.TOLD.search(before) or any(lexicon.TOLD.search(f"{clause.text} {before}") for clause in earlier[:1]):
        return True
    if lexicon.QUOTED.search(before) or any(lexicon.QUOTES.search(clause.text) for clause in earlier[:2]):
        return True
    if lexicon.SPEECH.search(before):
        return not lexicon.OWN_RATING.search(before)
    if not phrase.about_subject or not lexicon.OWN.isdisjoint(before.split()):
        return False
    return any(lexicon.SPEECH.search(clause.text) for clause in earlier[:1])


def _is_rated_by_a_firm(before: str, after: str) -> bool:
    near = [*before.split(), *after.split()[:NEAREST_VERB]]
    return bool(lexicon.RATED_BY.search(after)) or not lexicon.RATING_FIRMS.isdisjoint(near)


def _is_not_advising(phrase: Phrase, before: str, earlier: list[Reading]) -> bool:
    led_in = f"{earlier[0].text} " if earlier else ""
    if phrase.name == "liking" and lexicon.LIKED_IN_PASSING.search(led_in + before):
        return True
    if lexicon.BEING.search(before):
        return True
    return bool(lexicon.NOT_ADVISING.search(before)) or any(lexicon.NOT_ADVISING.search(c.text) for c in earlier)


def _is_a_case_in_point(phrase: Phrase, by: str, led_in: str) -> bool:
    """`For example, I own §`: what the speaker does have is no supposition."""
    return phrase.name in lexicon.STATES and by in {"i", "we"} and bool(lexicon.FOR_EXAMPLE.search(led_in))


def _names_the_speaker(words: str) -> bool:
    """`the answer is, | i am a buyer`"""
    return words.split()[0] in lexicon.FIRST_PERSON


def _is_hedged(before: str, earlier: list[Reading], following: Reading | None) -> bool:
    if following is not None and lexicon.DID_NOT.search(following.text):
        return True
    unmarked = earlier[:1] if earlier and not earlier[0].clause.ends_with else []
    return bool(lexicon.HEDGE.search(before)) or any(lexicon.ENDS_IN_MAYBE.search(clause.text) for clause in unmarked)


def _is_qualified(before: str, after: str, earlier: list[Reading], following: Reading | None) -> bool:
    """`I like it, but it is too dear.`"""
    if lexicon.BUT.search(after) or lexicon.QUALIFIED_BEFORE.search(before):
        return True
    if any(lexicon.QUALIFIED_BEFORE.search(clause.text) for clause in earlier[:1]):
        return True
    return following is not None and bool(lexicon.QUALIFIED_AFTER.search(following.text))


def _is_negated(before: str, earlier: list[Reading]) -> bool:
    if lexicon.DISBELIEVED.search(before):
        return True
    alternative = lexicon.ALTERNATIVE.search(before)
    governed = before[: alternative.start()] if alternative else before
    governing = before[max(0, len(governed) - REACH_OF_NEGATION) :]
    after_stock = governing.rpartition("§ ")[2]
    if lexicon.NEGATION.search(governing if after_stock.startswith(("or ", "nor ")) else after_stock):
        return True
    if earlier and lexicon.LAST_TO_BUY.search(earlier[0].text) and lexicon.WOULD.search(before):
        return True
    if earlier and earlier[0].text.endswith(" not"):
        return True  # you can't - literally - buy it
    unmarked = earlier[:1] if earlier and not earlier[0].clause.ends_with else []
    if len(before.split()) <= NEAREST_VERB and any(lexicon.DISBELIEF.search(clause.text) for clause in unmarked):
        return True
    return any(lexicon.CARRIED_NEGATION.search(clause.text) for clause in unmarked)


def _is_question(before: str, words: str, reading: Reading, earlier: list[Reading]) -> bool:
    if lexicon.TELLS_WHY.search(before):
        return False
    if reading.clause.ends_with == "?" or lexicon.ASKED.search(before):
        return True
    if before.startswith("if ") and any(lexicon.ASKED.search(clause.text) for clause in earlier[:1]):
        return True
    if lexicon.LINKS.issuperset(before.split()) and any(lexicon.QUESTION_START.search(f"{c.text} ") for c in earlier):
        return True  # are we buying it, | or selling it
    if lexicon.PAST_TENSE.search(words):
        return False
    return bool(lexicon.INVERTED.search(before) or lexicon.QUESTION_START.search(before))


def _is_one_option(reading: Reading, following: Reading | None) -> bool:
    """`Is it a buy, | hold, | or sell?`"""
    return (
        following is not None
        and bool(lexicon.OPTION.search(reading.text))
        and bool(lexicon.OTHER_OPTION.match(following.text))
    )


def _is_past_perfect(before: str, words: str) -> bool:
    """`I had sold`, which `I'd sold` is short for."""
    return before.endswith(" had ") or (before.endswith(" would ") and bool(lexicon.PARTICIPLE.search(words)))


def _is_past_progressive(before: str, words: str) -> bool:
    """`We were buying it`, which tells of a time that is over."""
    doing = words.split()[0].endswith("ing") and lexicon.PAST_PROGRESSIVE.search(before)
    return bool(doing or lexicon.STARTED_TO.search(before))


def _was_presented(before: str, words: str) -> bool:
    """`It was a great | time to buy` is over, `it was | a new position for us` is not."""
    return bool(lexicon.PRESENTED_THEN.search(before)) and not lexicon.NEWLY_OWNED.search(words)


def _was_said_then(before: str, earlier: list[Reading]) -> bool:
    """`Last year I said that | you should buy it.`"""
    led_in = " ".join((*(clause.text for clause in earlier[:1]), before))
    if lexicon.TOLD_BEFORE.search(led_in):
        return True
    return bool(lexicon.SAID_THEN.search(led_in)) and bool(lexicon.RECAP.search(led_in))


def _is_recap(before: str, words: str, after: str, earlier: list[Reading]) -> bool:
    if lexicon.STILL_HELD.search(f"{words}{after}"):
        return False
    if lexicon.LONG_AGO.search(after):
        return True
    tells = lexicon.PAST_TENSE.search(words) or lexicon.STORY_VERB.search(before) or lexicon.DID.search(before)
    if not tells and not _is_timeless(before, words):
        return False
    if lexicon.RECAP.search(before) or (tells and lexicon.RECAP.search(words + after)):
        return True
    if earlier and not earlier[0].clause.ends_with and lexicon.TELLS_OF_SHARES.search(earlier[0].text):
        return not (earlier[0].text.endswith("reason") and lexicon.THIS_WEEK.search(after))
    own_subject = not lexicon.FIRST_PERSON.isdisjoint(before.split())
    for clause in earlier[:1]:
        adverbial = len(clause.starts) <= MAX_ADVERBIAL
        if lexicon.RECAP.search(clause.text) and (adverbial or not own_subject):
            return True
    return False


def _is_dated(reading: Reading, earlier: list[Reading], following: Reading | None) -> bool:
    """`I bought § | when it was hated`, `that is | when I noticed § | and I bought it`: when it was done is told."""
    if following is not None and runs_on(reading) and lexicon.WHEN_IT_WAS.search(following.text):
        return True
    if any(lexicon.THAT_IS_WHEN.search(clause.text) and "when" in clause.text for clause in earlier):
        return True
    return any(
        lexicon.WHEN_I.search(clause.text) and lexicon.THAT_IS_WHEN.search(before.text)
        for clause, before in pairwise(earlier)
    )


def _is_timeless(before: str, words: str) -> bool:
    """`Buying it at nine`, `the mistake of selling it`: a gerund, whose tense only its context tells."""
    said = before.split()
    return words.split()[0].endswith("ing") and (not said or said[-1] in lexicon.BEFORE_A_GERUND)


def _is_conditional(
    before: str, words: str, after: str, reading: Reading, earlier: list[Reading], following: Reading | None
) -> bool:
    if _is_condition(reading) or lexicon.FOLLOWS.search(before):
        return True
    if earlier and earlier[0].text == "otherwise":
        return True
    if lexicon.NOT_YET.search(after) or lexicon.RIGHT_PRICE.search(before) or lexicon.RIGHT_PRICE.search(after):
        return True
    if following and runs_on(reading) and lexicon.NOT_YET.match(following.text):
        return True
    if following and words.startswith("do not") and lexicon.UNTIL.search(following.text):
        return True
    if lexicon.SUPPOSED.search(before) or any(lexicon.SUPPOSED.search(clause.text) for clause in earlier[:1]):
        return True
    if lexicon.IN_CLAUSE_CONDITION.search(before + after) and lexicon.WOULD.search(before):
        return "up to" not in after
    would = lexicon.WOULD.search(before)
    if not lexicon.PAST_TENSE.search(reading.text) and any(map(_is_condition, earlier)):
        return True
    if would and any(lexicon.MAYBE.search(clause.text) for clause in earlier[:1]):
        return True
    if would and earlier and _only_names_a_price(earlier[0]):
        return True
    if not would or not following or not runs_on(reading):
        return False
    return _is_condition(following) or (would[0] == "would" and bool(lexicon.CONDITION.search(following.text)))


def _has_proviso(following: Reading | None) -> bool:
    return following is not None and bool(lexicon.ONLY_IF.search(following.text))


def _only_names_a_price(reading: Reading) -> bool:
    """`At the right price, | I'd buy it`"""
    return len(reading.starts) <= MAX_PRICE and bool(lexicon.IN_CLAUSE_CONDITION.match(reading.text))


def _is_condition(reading: Reading) -> bool:
    """`If it drops to eighty`: something that has not happened yet."""
    return bool(lexicon.CONDITION.search(reading.text)) and bool(lexicon.EVENT.search(reading.text))


def runs_on(reading: Reading) -> bool:
    """Whether the sentence goes on after this clause."""
    return reading.clause.ends_with not in {".", "?", ";"}


def with_lead_in(reading: Reading, previous: Reading | None) -> str:
    """The clause with the one before it, if the sentence runs on: captions part `five stocks | I'm buying`."""
    return f"{previous.text} {reading.text}" if previous and runs_on(previous) else reading.text


def _speaker_agrees(after: str, following: Reading | None) -> bool:
    """`Insiders are buying, and so am I.`"""
    return bool(lexicon.AGREES.search(after)) or (following is not None and bool(lexicon.AGREES.search(following.text)))
