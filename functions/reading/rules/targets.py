"""Resolves the stocks a phrase is about: named in its clause, in the next one, or the current topic."""

from bisect import bisect_left
from dataclasses import dataclass

from functions.reading.rules.context import Mention
from functions.reading.rules.lists import JOINING, LEAD_TO_NAME, LISTING
from functions.reading.rules.objects import SUCH_AS, SUCH_AS_WORDS
from functions.reading.rules.reading import Reading, runs_on, with_lead_in
from functions.reading.rules.stance import Stance
from functions.reading.rules.text import TIME_WORDS
from functions.reading.rules.topics import PRESENTS, Topics, coordinated
from functions.reading.rules.vocabulary import pattern, phrases
from functions.reading.terms import Sentiment

FARTHEST_OBJECT, NEXT_WORDS = 10, 5
"""Maximum words from a phrase to its object: past words that may lead to it, and past a pronoun or an adverb."""

COMPARED = pattern(
    r"(?:^| )(?:than|over|instead of|versus|vs|compared to|compared with|unlike|except|except for|apart from|aside from"
    r"|(?<!bet )(?<!betting )against"
    r"|(?<!stocks )(?<!names )(?<!companies )(?<!a company )(?<!a stock )(?<!own )(?<!something )"
    r"(?<!i )(?<!we )(?<!really )(?<!do )(?<!still )like)"
    r"(?: (?:in|own|buy|buying|owning|holding|at|my|the))?$|(?:^| )not$"
)
PRONOUN_OBJECT = pattern(
    r"^ (?:(?:to|of|into|on|in|up|out|more|all|some|a lot|half) )*"
    r"(?:(?:it|them|this one|that one|mine|both(?! §))(?= |$)|that(?= §)"
    r"|(?:that|this)(?=$| (?:and|but|at|here|now|because|again|for|in)(?!\w)))"
)
"""`sell it`: what is sold was named before, whatever stock the clause names next."""
NO_OBJECT_LEAD = pattern(r"(?<!\w)(?:at|from|for|on|and|while|then|through|with)(?!\w)")
"""`buy my coffee at §`, `bought popcorn and watched §`: what follows is not what was bought."""
SUBJECT_OF = pattern(
    r"(?:is|was|has|had|will|does|did|went|got|stays|looks|trades|makes|keeps|came|beat|missed|dropped|jumped|reported"
    r"|reports|fell|rose)(?!\w)"
)
"""`I bought §, § | was up`: what is said of the second is not what was done with the first."""
LEADS_TO_OBJECT = pattern(r"(?:^| )(?:in|into|of|on|to|with|from)(?: (?:my|our|the))?$")
"""`my stake in § | is down`"""
INTO = pattern(r"(?:^| )into$")
MEMBERS_FOLLOW = pattern(rf"^(?:(?:names|stocks|companies|things) like|{SUCH_AS_WORDS})(?: an?| the)? §(?! 's)")
"""`We're adding to the banks, | especially §`"""
OF_THE_LAST = pattern(r"^(?:(?:and|so|but) )*(?:it|this|that|this one|that one|they) (?:is|are|was|has|remains)(?!\w)")
"""`It's my biggest position, | § is the second`: said of the stock before."""
PLURAL = phrases("plural")
THOSE_ARE = pattern(
    r"(?<!\w)(?:these|those|they) (?:are|were|would be) (?:\S+ ){0,2}"
    r"(?:two|three|four|five|six|ones|stocks|names|companies)(?: that| which)?$"
    r"|§ (?:are|were) (?:both|all) (?:\S+ )?(?:stocks|names|companies|ones)(?: that| which)?$"
)
"""`§, § and §. Those are the ones | I'm buying`, `§ and § are both stocks | I'm buying`"""
ALL_THREE = r"(both(?! §)|(?:(?<=all )|(?<=these )|(?<=those )|(?<=the ))(?:two|three|four|five|six))(?!\w)"
ALL_OF = pattern(rf"^(?: up)?(?: more)?(?: of| to)? (?:all (?:of )?(?:the |these |those )?)?{ALL_THREE}")
HOW_MANY = pattern(rf"(?<!\w){ALL_THREE}(?! (?:years|months|weeks|days))")
FOR_ALL_OF_THEM = pattern(r"(?<!\w)(?:place|time|spot|moment|opportunity|opportunities|chance)(?!\w)")
"""`§ and § have come down. … This is a great | place to buy`"""
EXCEPT = pattern(r"^(?:but|except|except for|other than|apart from|aside from)(?: not)? §$")
"""`I own all of them | but §`"""
SOME_STOCKS = pattern(
    r"^(?: (?!§|¤|it |them |and |but |because |so |i |we |you )\S+){0,5}"
    r" (?:stocks|companies|names|businesses|equities)(?!\w)(?! like (?:this|it|that|these|§))"
)
"""`taking profits on | these stocks`, `selling | some of the weaker names`"""
SAYS_ONLY_WHEN = TIME_WORDS | {"it", "now", "here", "right", "this", "the", "moment", "at"}
"""`One I am buying | right now`"""
NEXT_PICK = pattern(r"(?:our|my|the|your) (?:next|first|second|third|last|top|best|number one) ")
SEVERAL_TO_COME = pattern(
    r"(?<!\w)(?:get (?:\S+ )?into|go (?:over|through)|move on to|give you|show you|share(?: with you)?|reveal"
    r"|talk about|cover|here are|jump into|dive into) (?:\S+ ){0,2}(?:my|our|the) (?:\S+ ){0,4}"
    r"(?:stocks|picks|names|companies|buys)(?!\w)"
)
"""`Let's go over my | four best stocks to buy`, none of which is the one spoken of."""
IS_NAMED_NEXT = pattern(r"^(?: \S+){0,4} (?:is|was|would|has)(?!\w)")
"""`Your second pick | is …`, `my top stock | for this month is …`: named after it."""
IS_NAMED_LATER = pattern(r"^(?: (?!§|¤|and |but |because )\S+){0,12} (?:is|are|would be|has to be) §")
"""`The next one | on my sell list that I want to talk about is §`"""


@dataclass(frozen=True, slots=True)
class Target:
    """A stock that a phrase is about, and how it was linked."""

    mention: Mention
    link: str


def about(
    stance: Stance,
    found: list[Stance],
    reading: Reading,
    previous: Reading | None,
    following: Reading | None,
    topics: Topics,
) -> list[Target]:
    """Returns the stocks that a phrase is about. `found` has all phrases of the clause."""
    those = previous if previous and runs_on(previous) and THOSE_ARE.search(previous.text) else None
    plural = bool(those or PLURAL.search(reading.text))
    here = _named_here(stance, found, reading, plural=plural)
    if here is not None:
        return here
    named_next = _named_next(stance, reading, following) if following and not reading.mentions else []
    if named_next:
        return [Target(mention, "announced") for mention in named_next]
    group = topics.counted(ALL_OF.search(stance.after), reading)
    if group:
        return [Target(mention, "topic list") for mention in group]
    if stance.object in {"thing", "belonging", "asset", "stocks"} and not (plural and stance.object == "stocks"):
        return []
    several = _several(reading, those, topics) if plural else []
    if FOR_ALL_OF_THEM.search(stance.words):
        several = several or topics.group(reading)
    if several:
        left_out = following.mentions[0].ticker if following and EXCEPT.search(following.text) else None
        return [Target(mention, "topic list") for mention in several if mention.ticker != left_out]
    return _spoken_of(stance, reading, topics)


def _named_here(stance: Stance, found: list[Stance], reading: Reading, *, plural: bool) -> list[Target] | None:
    """The stocks that the clause itself names, if it names any that the phrase may be about."""
    before = [mention for mention in reading.mentions if mention.last <= stance.first]
    after = _objects(stance, found, reading)
    if stance.about_subject and before and not stance.after.startswith(" rating on"):
        spoken_of = [mention for mention in before if not _is_compared(mention, reading)]
        return [Target(mention, "subject") for mention in coordinated(spoken_of or before)]
    if after and not PRONOUN_OBJECT.search(stance.after) and _reaches(stance, after[0]):
        if stance.object == "thing" and NO_OBJECT_LEAD.search(_text_between(stance, after[0], reading)):
            return []
        return [Target(mention, "object" if stance.object == "named" else "later") for mention in after]
    free = [mention for mention in before if not _is_object(mention, stance, found)]
    if free and stance.object == "thing" and stance.trades:
        return []
    if free:
        return [Target(mention, "before") for mention in (free if plural else free[-1:])]
    if before and stance.object == "pronoun" and not plural:
        return [Target(before[-1], "topic by pronoun")]  # bought § and sold | it
    return None


def _named_next(stance: Stance, reading: Reading, following: Reading) -> list[Mention]:
    """The stocks that the next clause gives the names of."""
    if following.clause.ends_with == "?":
        return []  # if you had to pick one, | is it § or §?
    if following.mentions and _announces(stance, reading, following):
        return following.mentions[: 1 if PRESENTS.search(following.text) else None]
    if following.mentions and _names_members(stance, following):
        return following.mentions
    return []


def _several(reading: Reading, those: Reading | None, topics: Topics) -> list[Mention]:
    """The stocks named together last, or as many of them as the clause counts."""
    return topics.several(reading) or topics.counted(HOW_MANY.search(with_lead_in(reading, those)), reading)


def _spoken_of(stance: Stance, reading: Reading, topics: Topics) -> list[Target]:
    """The stock spoken of last, unless the phrase speaks of others."""
    if stance.object == "named" or SOME_STOCKS.search(stance.after):
        return []
    if NEXT_PICK.match(stance.words) and IS_NAMED_NEXT.match(stance.after):
        return []
    if stance.about_subject and SEVERAL_TO_COME.search(reading.text):
        return []
    joined = topics.joined(reading) if stance.object == "shares" else []
    return [Target(mention, f"topic by {stance.object}") for mention in joined or topics.one(reading)]


def _announces(stance: Stance, reading: Reading, following: Reading) -> bool:
    """`One stock I'm adding: §`, `our next pick, §`, `our next pick, Somebody Systems, ticker §`"""
    if reading.clause.ends_with == ":":
        return True
    ends_here = SAYS_ONLY_WHEN.issuperset(stance.after.split())
    if PRESENTS.search(following.text) and (stance.about_subject or ends_here):
        return True
    if OF_THE_LAST.search(reading.text):
        return False
    leads = following.mentions[0].first - following.clause.first <= LEAD_TO_NAME or "ticker §" in following.text
    return reading.clause.ends_with == "," and stance.about_subject and leads


def _names_members(stance: Stance, following: Reading) -> bool:
    """`I'm adding to the banks, | especially §`, `we've been buying software. | §, § and §.`"""
    if stance.about_subject or stance.object not in {"stocks", "thing", "shares", "nothing"}:
        return False
    if MEMBERS_FOLLOW.search(following.text):
        return True
    return stance.object in {"stocks", "thing"} and LISTING.issuperset(following.text.split())


def _reaches(stance: Stance, mention: Mention) -> bool:
    """True if a name after a phrase is near enough to be its object."""
    distance = mention.first - stance.last
    if stance.about_subject and IS_NAMED_LATER.match(stance.after):
        return True
    return stance.object == "named" or distance <= (FARTHEST_OBJECT if stance.object == "thing" else NEXT_WORDS)


def _objects(stance: Stance, found: list[Stance], reading: Reading) -> list[Mention]:
    """The stock after the phrase and those joined to it, up to the next phrase that has objects of its own."""
    later = [other.first for other in found if other.first >= stance.last and not other.about_subject]
    end = min(later, default=reading.clause.last)
    after = [mention for mention in reading.mentions if stance.first <= mention.first < end]
    if not after or (_is_compared(after[0], reading) and not SUCH_AS.match(stance.after)):
        return []
    if stance.sentiment is Sentiment.SELL and INTO.search(_text_before(after[0], reading)):
        return []
    joined = after[:1]
    for mention in after[1:]:
        if _leads_on(joined[-1], mention, reading) or _is_compared(mention, reading):
            break
        joined.append(mention)
    ends = len(joined) > 1 or (not stance.about_subject and not stance.after.startswith(" §"))
    if ends and _is_next_subject(joined[-1], reading):
        joined.pop()  # bought §, | § is up; bought some | § is up
    return joined


def _is_next_subject(mention: Mention, reading: Reading) -> bool:
    """True if a name is the subject of the next words, not the object of the previous ones."""
    if not SUBJECT_OF.match(_text_after(mention, reading)):
        return False
    return not LEADS_TO_OBJECT.search(_text_before(mention, reading))


def _leads_on(earlier: Mention, later: Mention, reading: Reading) -> bool:
    """True if the words between two names do more than join them."""
    between = [
        reading.text[start:].split(" ", 1)[0]
        for start, index in zip(reading.starts, reading.indexes, strict=True)
        if earlier.last <= index < later.first
    ]
    return any(word not in JOINING and not word.lstrip("$").isdigit() for word in between)


def _is_object(mention: Mention, stance: Stance, found: list[Stance]) -> bool:
    """True if an earlier phrase has already taken the stock: `sold § to buy more` buys something else."""
    return any(
        other.last <= mention.first and other.first < stance.first and not other.about_subject for other in found
    )


def _is_compared(mention: Mention, reading: Reading) -> bool:
    """True if the stock is only a comparison: `rather Visa than Mastercard`."""
    return bool(COMPARED.search(_text_before(mention, reading)))


def _text_before(mention: Mention, reading: Reading) -> str:
    position = reading.starts[reading.indexes.index(max(mention.first, reading.clause.first))]
    return reading.text[:position].rstrip()


def _text_after(mention: Mention, reading: Reading) -> str:
    position = bisect_left(reading.indexes, mention.last)
    return reading.text[reading.starts[position] :] if position < len(reading.starts) else ""


def _text_between(stance: Stance, mention: Mention, reading: Reading) -> str:
    return _text_before(mention, reading).rpartition(stance.words)[2]
