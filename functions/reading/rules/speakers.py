"""Who acts or advises: the speaker, the listener, or somebody else."""

from functions.reading.rules.objects import object_of
from functions.reading.rules.reading import Occurrence, Reading
from functions.reading.rules.tenses import PAST_TENSE, is_doing
from functions.reading.rules.text import AUXILIARIES, TIME_WORDS
from functions.reading.rules.vocabulary import pattern, words

STORY_LASTS, STORY_TAKES = 40, 2
"""Maximum words of a story about somebody else, and the pronouns such as `he` and `his` that it requires."""
NEAREST_SUBJECT = 9
"""Maximum words before a verb in which `i` is certainly its subject."""

FIRST_PERSON = words("first person")
SECOND_PERSON = words("second person")
THIRD_PERSON = words("third person")
OTHER_PEOPLE = words("other people")
OWN = words("own")
SOMEBODY = frozenset({"he", "she", "his", "her", "him"})
"""Pronouns that indicate a story about somebody else."""
OURSELVES = frozenset({"i", "we", "you", "my", "our", "me", "us", "your"})
"""Pronouns that end it."""
WITHOUT_SUBJECT = frozenset({"speaker dropped", "speaker linked", "speaker participle"})
"""Traits of an action without a subject in its clause."""
DEEDS = frozenset({"tense past", "tense progressive"})
"""Tenses of a narrated action; `buy it` and `it is a buy` are advice, regardless of the story."""
MINE = pattern(r"(?<!\w)(?:my|our)(?!\w)")
ON_A_SIDE = pattern(r"(?:net )?(?:short|long|overweight|underweight)(?!\w)")
"""Positions stated with `is`: `the fund is | short §`."""
IDEAS = frozenset({"call", "idea", "move", "pick", "play", "thing", "trade"})
"""`The trade is | short §` says what to do."""
NOUNS_OF_TRADES = frozenset({"buy", "sell", "trim", "exit", "short"})
STATE_VERBS = words("state verbs")
MODALS = words("modals")
OF_OTHERS = frozenset({"are", "is", "were", "was"})
"""A clause that starts with one of these has a subject before it that is not `i` or `you`."""
LINKS = words("links")
"""A verb after one of these has its subject further back, or none."""
BEFORE_A_VERB = words("between a subject and its verb")
"""`i [am still slowly] buying`; in `i [think] betting against it` nobody bets."""
BEFORE_A_PARTICIPLE = words("before a participle")
BEFORE_A_GERUND = words("before a gerund")
"""`for me the cost of | buying it`"""
OTHER_CLAUSE = words("starts another clause")

SOMEBODYS_OWN = frozenset({"his", "her", "their"})
"""`which was his | bet against §`"""
SOMEBODYS = pattern(r"(?<!stock)(?<!company)(?<!week)(?<!month)(?<!year)(?<!today)'s$")
"""`goldman's | top pick` is somebody's, `the stock's | a buy` is not."""
ARTICLE = pattern(r"(?:an?|still|the|my|our)(?!\w)")
"""`the senator's | buy`, but `it's | a buy`"""
RELATIVE = pattern(
    r"(?<!\w)(?:my|our|your|his|her) (?:\w+'s|(?:friend|cousin|neighbou?r|brother|sister|uncle|aunt|wife|husband|son"
    r"|daughter|dad|father|mom|mother|boss|barber|dentist|communit(?:y|ies)|member|viewer|subscriber|follower|listener"
    r"|audience|chat)s?(?: members?)?(?: and \w+)?) (?:\S+ )?$"
)
"""`my dad's | biggest position`, `our neighbors | bought it`"""
PLAYS_A_PART = pattern(r"(?:buyer|seller)s?$")
SOMEBODY_DOES = pattern(
    r"(?<!\w)(?:it|market|street|crowd|nobody|people|they|investors|funds|who|he|she) "
    r"(?:do|does|did|will|would|has|have|had)(?: \S+)? $"
)
"""`The market says it does | not want to own §`, `a client who will | never sell §`"""
THERE_IS = pattern(r"(?<!\w)there (?:is|are|was|were|has been|have been) (?:\S+ )?$")
"""`I hear there is | a buyer in §`"""
IS_SOMEBODY = pattern(r"(?<!\w)(?:is|are|was|were|has been|have been|been|became|remains?) (?:(?!i |we |you )\S+ )?$")
"""`§, which is | a big buyer` of somebody's goods."""
OTHERS_WHO = pattern(
    r"(?<!\w)(?:you|those|people|folks|ones|investors|traders|anyone|everyone|somebody|someone|community|members|viewers"
    r"|guys) (?:that|who) (?!i |we )(?:\S+ ){0,3}$"
    r"|(?<!\w)(?:some|many|most|all|few|lot|lots|none) of (?:these|those|them|you|the) (?:\S+ )?$"
    r"|(?<!\w)(?:lot|lots|bunch|plenty) of (?:are|were|have|had|will|would|out there) (?:\S+ )?$"
)
"""`All of you who are long`, `some of these people bought`"""
LET_US = pattern(r"(?<!\w)let us (?:(?:go|ahead|and|start|all|try|to) )*$")
"""`Someone may think, it is cheap, let us | buy it`"""
INVESTORS_DO = pattern(
    r"(?<!if )(?<!for )(?<!\w)(?:investors|holders|owners) "
    r"(?:are|were|have|had|got|became|turned|continue|continued|keep|kept|started|began|seem|rushed|decided|who|that)(?!\w)"
    r"|(?<!if )(?<!\w)anyone (?:is|was|has)(?!\w)"
)
"""`Investors keep selling` tells what they do, `investors should sell` advises them."""
SOMEBODY_PLANS = pattern(
    r"(?<!\w)(?:wants|plans|hopes|intends|expects|offers|aims|tries|decides|needs) to (?:\S+ )?$"
    r"|(?<!\w)(?:expected|projected|forecast|forecasted|estimated|poised|scheduled) to"
    r" (?:(?!i |we |you |so |but |because |and (?!to ))\S+ ){0,5}$"
)
"""`A rival wants to | buy §`"""
TOLD_TO = pattern(r"(?<!\w)told (?:him|her|them|my \S+|our \S+) (?:not )?to (?:\S+ )?$")
"""`I told my sister to | sell it`"""
SEEN_TO = pattern(
    r"(?<!\w)(?:see|saw|seen|seeing|watch|watched) (?:me|him|her|them|you|people|someone|somebody|everyone) (?:\S+ )?$"
)
"""`I saw him | buy it`"""
COMPANY_MAY = pattern(r"[§¤] (?:should|could|would|will|might|may|must|can|ought to|has to|had to|needs to) (?:\S+ )?$")
"""`I think § should | buy §`"""
WHY_OTHERS = pattern(
    r"(?<!\w)why (?:(?:you|people|someone|somebody|anyone|they) (?:would|might|could|may|want to)"
    r"|(?:people|they|investors|others|some) (?:are|were|have been|keep)) (?:\S+ )?$"
    r"|(?<!\w)(?:understand|get|see) (?:\S+ )?why you (?:are|were|have been|keep) (?:\S+ )?$"
)
"""`I get why people would | sell it`"""
ENABLED_TO = pattern(
    r"(?<!\w)(?:give|gives|giving|gave|hands|handed|offers|offered|allow|allows|allowing|allowed|let|lets|letting|enables?)"
    r" (?:[§¤]|each|them|both|all)(?: of (?:them|these|those))? (?:\S+ ){0,6}$"
)
"""`The deal gives § the opportunity to | take a stake in §`"""
OTHERS_ACT = (ENABLED_TO, OTHERS_WHO, LET_US, INVESTORS_DO, SOMEBODY_PLANS, TOLD_TO, SEEN_TO, COMPANY_MAY, WHY_OTHERS)
TRADES_BEFORE = pattern(
    r"(?<!\w)(?:i|we) (?:\S+ ){0,2}(?:{buy,sell,add,trim,short}|own|long) (?:(?!and |but |because )\S+ ){0,5}§ $"
)
"""`I sold § | bought §`: the first stock is an object, not the subject of the second verb."""
COMPANY_HAS = pattern(r"[§¤] (?:(?:has|had|is|was|recently|been) )+$")
"""`We know that § has | invested in §`"""
COMPANY_ACTS = pattern(r"[§¤] (?:has )?(?:bought|sold|cut|put|took|kept|\w+ed)(?!\w)")
"""`§ sold its oldest unit and bought …`"""
HAS_TRADED = pattern(
    r"^((?:\S+ ){1,6}?)"
    r"(?:bought|sold|added|trimmed|picked|exited|dumped|shorted|opened|took|increased|reduced|went)(?!\w)"
)
"""`the senator's account sold § and bought …`"""
COMPANY_PLANS = pattern(
    r"[§¤] (?:expects|plans|wants|hopes|needs|intends|continues|aims|tries|is going"
    r"|(?:(?:is|was|has|have|had|will|can|could|also|now|been|gets|got) ){0,2}(?:the |a |an |announced |signed )?"
    r"(?:rights?|options?|warrants?|plans?|deal|agreement|agreed|offered|decided|trying|looking|planning|able|set|talks)"
    r"(?: in place)?) to (?:\S+ )?$"
)
"""`§ expects to sell more of its planes`, `§ has the right to buy shares`"""
SOMEBODY_HOLDS = pattern(r"(?<!\w)(?:holds|owns|buys|sells|contains|includes|invests)(?!\w)")
"""`The index holds everything, | buying § and §`"""
GERUND_SUBJECT = pattern(
    r"^(?: (?!i |we |you |they |and (?!§)|but |because |while )\S+){1,9}"
    r" (?:is|was|means?|meant|makes?|made|would|will|could|can|has|requires?|feels?|felt|takes?)(?!\w)"
    r"(?! (?:(?:a|the|my|our|what|very|such|so|lot|of|perfect|total) )*"
    r"(?:sense|good|great|right|smart|best|plan|move|what|easy|perfect|brainer|no|i|we)(?!\w))"
)
"""`Buying | § here is a gamble`: a general remark, not an action; `buying § here makes sense` is advice."""

TOLD_TO_A_GUEST = pattern(
    r"^(?:(?:and|so|but|now|okay|well|i know|i see|i think|also|then) )*you (?:have |also |just |then )*$"
)
"""`So you | bought more of §`: a host tells what the guest has done."""
YOU_CAN = pattern(r"(?<!\w)you (?:can|could) (?:\S+ )?\S+$")
EVERYBODY_SHOULD = pattern(r"(?:everyone|everybody) (?:should|must|ought to|needs to|has to)(?!\w)")
"""`Everyone should | own it`"""
IF_YOU = pattern(r"(?<!\w)(?:if|unless|when|once|before|after) (?:you|anyone|investors)(?!\w)")
WHETHER_YOU = pattern(r"(?<!\w)(?:if|whether) (?:you|anyone|investors)(?!\w)")
"""`If you own it | or you want to buy it`"""
MADE_TO = pattern(r"(?<!\w)(?:keeps?|kept|makes?|made|gets?|got|lets?) you $")
"""`That keeps you | holding on`"""
IF_YOU_WANT_TO = pattern(
    r"(?<!\w)(?:if|unless|whether|when) (?:you|anyone) (?:\S+ )?(?:want|wanted|need|plan|decide|choose|hope|like) to"
    r"(?: (?!you |i |we )\S+){1,4}$"
)
"""`If you want to | buy §, wait for a pullback`"""
IF_YOU_OWN = pattern(
    r"(?<!\w)(?:if|when) (?:you|anyone) (?:\S+ ){0,3}(?:own|owned|owns|have|hold|holding|bought|in|got|like|want"
    r"|believe|missed|need|followed|agree|owning|long)(?!\w)(?: \S+)|(?<!\w)(?:should|ought)(?!\w)"
)
"""`If you own it, sell` is advice to those who do."""
SHOULD = pattern(
    r"(?<!\w)(?:should|must|ought|got to|have to|need to|(?:want|need|urge|encourage|advise) you to)(?!\w)"
    r"|(?<!\w)(?:i|we) (?:\S+ )?(?:think|believe|say) you (?:buy|sell|own|add|trim|hold|take|get|stay|avoid)(?!\w)"
)
"""`You should | buy it`, `I want you to | buy it`, `I think you buy it`"""
ADVISES_CLIENTS = pattern(
    r"(?<!\w)(?:i|we) (?:am|are|have been|keep) (?:telling|advising|urging|encouraging) (?:(?:my|our|the|all|of) )*"
    r"(?:clients|investors|members|people|subscribers|viewers|everyone|everybody) to (?:\S+ )?$"
)
"""`We are telling clients to | take profits in §`"""
AGREES = pattern(
    r"(?<!\w)(?:(?:so|neither|nor) (?:am|do|did|have) (?:i|we)|(?:i|we) (?:am|do|did|have) too|me too|i agree)(?!\w)"
    r"|^ ?(?:of )?(?:which|as|like) (?:i|we) (?:am|are|do|did)$|^(?:(?:like|including) (?:me|myself|us)|me being one)$"
    r"|^(?:myself|me) (?:included|being one of them)$"
)
"""`Insiders are buying, | and so am I`, `if you are a shareholder, | which I am`"""
CONFIRMS = pattern(
    r"^(?:(?:yeah|yes|yep|right|correct|exactly|absolutely)$|(?:(?:yeah|yes|yep) )?(?:i|we) (?:did|have|do)$)"
)
"""`You bought more of it. | I did.`"""


class Story:
    """Tracks stories about somebody else: `He wrote to his board. … | Shorting § was painful.`"""

    def __init__(self) -> None:
        self._told_at: list[int] = []

    def note(self, reading: Reading) -> None:
        said = reading.text.split()
        if not OURSELVES.isdisjoint(said):
            self._told_at = []
        elif not SOMEBODY.isdisjoint(said):
            self._told_at += [reading.clause.first for word in said if word in SOMEBODY]

    def tells(self, traits: tuple[str, ...], reading: Reading) -> bool:
        """True if an action without a subject or a recent date belongs to the person in the story."""
        told = self._told_at[-STORY_TAKES:]
        goes_on = len(told) == STORY_TAKES and reading.clause.first - told[0] <= STORY_LASTS
        return goes_on and not WITHOUT_SUBJECT.isdisjoint(traits) and not DEEDS.isdisjoint(traits)


def speaker(at: Occurrence) -> str:
    """Returns who acts or advises, judged by the phrase's clause and those around it."""
    by = _speaker_in_clause(at)
    if by == "dropped" and (_has_subject_of_earlier(at) or _goes_on_after_an_aside(at)):
        by = "other"
    if by == "unnamed" and _goes_on_for_others(at):
        by = "other"
    if by == "dropped" and is_doing(at.words) and _is_a_participle(at):
        by = "participle"
    if by in {"other", "you", "if you"} and _speaker_agrees(at):
        by = "i"
    return by


def is_confirmed(at: Occurrence, by: str) -> bool:
    """True if the guest confirms the host's statement: `I did`."""
    if at.following is None or at.reading.clause.ends_with == ",":
        return False  # you buy it, | right, | and it falls
    return by in {"you", "you did"} and bool(CONFIRMS.search(at.following.text))


def names_the_speaker(at: Occurrence) -> bool:
    """`the answer is, | i am a buyer`"""
    return at.words.split()[0] in FIRST_PERSON


def _speaker_in_clause(at: Occurrence) -> str:
    said = at.before.split()
    if (at.phrase.about_subject and names_the_speaker(at)) or (
        MINE.search(at.words) and not _has_first_person(at, said)
    ):
        return "own"
    if ADVISES_CLIENTS.search(at.before):
        return "you should"
    if _is_somebody_elses(at, said):
        return "other"
    if not at.phrase.about_subject and at.phrase.needs_speaker:
        return _subject(at, said)
    if not OWN.isdisjoint(said):
        return "own"
    return "other" if not THIRD_PERSON.isdisjoint(said) else "unnamed"


def _has_first_person(at: Occurrence, said: list[str]) -> bool:
    """`I sold my shares`: the subject is explicit, so `my` doesn't decide."""
    return at.phrase.needs_speaker and not FIRST_PERSON.isdisjoint(said)


def _is_somebody_elses(at: Occurrence, said: list[str]) -> bool:
    """True if the words right before a phrase attribute it to somebody else, regardless of earlier subjects."""
    if RELATIVE.search(at.before):
        return True  # my dad's biggest position
    if at.phrase.needs_speaker and any(others.search(at.before) for others in OTHERS_ACT):
        return True
    if at.phrase.name in {"sell fixed", "hold fixed"} and SOMEBODY_DOES.search(at.before):
        return True
    if at.words == "buys" and object_of(at.after) in {"named", "pronoun", "shares", "thing"}:
        return True  # if § buys §
    after_a_name = (said and said[-1] == "§") or COMPANY_HAS.search(at.before)
    acts = after_a_name and (PAST_TENSE.match(at.words) or _trades_a_name(at))
    if acts and not TRADES_BEFORE.search(at.before):
        return True  # § bought, § buying §
    noun = at.phrase.about_subject or at.words in NOUNS_OF_TRADES
    if noun and said and SOMEBODYS.search(said[-1]) and not ARTICLE.match(at.words):
        return True  # goldman's top pick, the senator's | buy
    if not PLAYS_A_PART.search(at.words):
        return False
    is_somebody = OWN.isdisjoint(said) and IS_SOMEBODY.search(at.before)  # §, which is a big buyer
    return bool(is_somebody or THERE_IS.search(at.before))


def _trades_a_name(at: Occurrence) -> bool:
    return is_doing(at.words) and object_of(at.after) == "named"


def _subject(at: Occurrence, said: list[str]) -> str:
    """The person nearest before a verb."""
    for position in range(len(said) - 1, -1, -1):
        word, following = said[position], said[position + 1] if position + 1 < len(said) else ""
        if word in FIRST_PERSON:
            return _first_person(at, said, position)
        if word in SECOND_PERSON:
            return _second_person(at, said, position)
        if word in OTHER_PEOPLE and (word != "it" or _has_verb(following or at.words.split()[0])):
            advised = EVERYBODY_SHOULD.match(" ".join((*said[position:], at.words)))
            return "you should" if advised else "other"
    return "other" if COMPANY_PLANS.search(at.before) else _unnamed(at, said)


def _first_person(at: Occurrence, said: list[str], position: int) -> str:
    """Classifies `i` and `we` by how certainly they are the subject of the verb."""
    if is_doing(at.words) and said[-1] in BEFORE_A_PARTICIPLE:
        return "participle"  # i think betting against it was wrong, what i got for buying it
    if TRADES_BEFORE.search(at.before):
        return said[position]  # i sold § bought §
    far = len(said) - position > NEAREST_SUBJECT or not OTHER_CLAUSE.isdisjoint(said[position:])
    if far:
        return f"{said[position]} far"
    return said[position] if BEFORE_A_VERB.issuperset(said[position + 1 :]) else f"{said[position]} loosely"


def _second_person(at: Occurrence, said: list[str], position: int) -> str:
    """`you`, and those who are addressed as `investors`."""
    if IF_YOU_WANT_TO.search(at.before + at.words):
        return "if you"
    if at.before.startswith("or ") and at.earlier and WHETHER_YOU.search(at.earlier[0].text):
        return "if you"
    if MADE_TO.search(at.before):
        return "other"
    past = PAST_TENSE.match(at.words)
    if past and TOLD_TO_A_GUEST.search(at.before):
        return "you did"
    if past and said[position] != "you" and position + 1 == len(said):
        return "other"  # investors bought
    if past and IF_YOU.search(at.before):
        return "if you"  # if you followed me and bought it
    if is_doing(at.words) and said[-1] in BEFORE_A_PARTICIPLE:
        return "participle"  # what you ask before buying it
    return _addressed(at.before + at.words)


def _addressed(said: str) -> str:
    if YOU_CAN.search(said):
        return "you can"
    if IF_YOU.search(said) and not IF_YOU_OWN.search(said):
        return "if you"
    return "you should" if SHOULD.search(said) else "you"


def _has_verb(following: str) -> bool:
    """True if `it` is a subject (`it expects`, `it will`) rather than an object."""
    past = PAST_TENSE.match(following)
    return bool(past) or following in AUXILIARIES or following.endswith(("s", "ed", "ing"))


def _unnamed(at: Occurrence, said: list[str]) -> str:
    """`Sold mine.` and `sell it` have the speaker for a subject; `bezos sold` does not."""
    if len(said) > 1 and said[-1] in {"did", "does"}:
        return "other"  # Somebody Capital did | open a position
    if said and said[-1] in SOMEBODYS_OWN:
        return "other"  # which was his | bet against it
    if said and said[0] in OF_OTHERS and AUXILIARIES.issuperset(said):
        return "other"  # microsoft, meta et cetera | are buying more
    if not said or all(word in LINKS or word in TIME_WORDS for word in said):
        return "dropped"  # yesterday | sold half
    if is_doing(at.words) and said[-1] in BEFORE_A_GERUND:
        return "participle"  # for me the cost of buying it
    if not OWN.isdisjoint(said):
        return "own"
    if PAST_TENSE.search(at.words):
        acts = COMPANY_ACTS.search(at.before) or _somebody_traded(at.before)
        return "linked" if said[-1] in LINKS and not acts else "other"
    if _has_other_subject(at, said):
        return "other"
    return "participle" if is_doing(at.words) and said[-1] not in LINKS else "unnamed"


def _has_other_subject(at: Occurrence, said: list[str]) -> bool:
    """`the stock is holding`, `§ will add`, `both prefer`: someone or something else does it."""
    if said[-1] in STATE_VERBS and is_doing(at.words):
        return True
    if said[-1] in {"is", "was"} and ON_A_SIDE.match(at.words) and IDEAS.isdisjoint(said):
        return True  # the fund manager is | short §
    if at.words == "prefer" and said[-1] not in LINKS:
        return True
    return said[-1] in MODALS and len(said) > 1


def _has_subject_of_earlier(at: Occurrence) -> bool:
    """`A big fund, | Someone Capital, | bought a stake | and then sold it all`: a clause before has the subject."""
    apposed = not at.before and bool(at.earlier) and at.earlier[0].clause.ends_with == ","
    if not PAST_TENSE.match(at.words) or not (apposed or at.before.startswith(("and ", "then ", "but "))):
        return False
    for clause in at.earlier:
        if not FIRST_PERSON.isdisjoint(clause.text.split()):
            return False
        if _has_other_people(clause) or COMPANY_ACTS.search(clause.text) or _somebody_traded(clause.text):
            return True
    return False


def _somebody_traded(said: str) -> bool:
    """True if a trade has an explicit subject, such as an unknown person; `yesterday sold` has none."""
    traded = HAS_TRADED.search(said)
    return traded is not None and not (LINKS | TIME_WORDS | OWN | SECOND_PERSON).issuperset(traded[1].split())


def _goes_on_after_an_aside(at: Occurrence) -> bool:
    """`They did, | of course, | add §`: the verb has the subject before the aside."""
    if at.before or PAST_TENSE.match(at.words):
        return False
    for clause in at.earlier:
        said = clause.text.split()
        if said and said[-1] in AUXILIARIES:
            return FIRST_PERSON.isdisjoint(said) and SECOND_PERSON.isdisjoint(said) and _has_other_people(clause)
    return False


def _goes_on_for_others(at: Occurrence) -> bool:
    """`He keeps raising his stake, | continuing to buy §`: the participle has the subject of the clause before."""
    if not at.earlier or not at.before.split(" ", 1)[0].endswith("ing"):
        return False
    return FIRST_PERSON.isdisjoint(at.earlier[0].text.split()) and _has_other_people(at.earlier[0])


def _has_other_people(clause: Reading) -> bool:
    return not (OTHER_PEOPLE - {"it"}).isdisjoint(clause.text.split())


def _is_a_participle(at: Occurrence) -> bool:
    """`Buying § here is a gamble`; `that fund owns the market, holding § and §`"""
    others = any(SOMEBODY_HOLDS.search(clause.text) for clause in at.earlier)
    return others or bool(GERUND_SUBJECT.search(at.after))


def _speaker_agrees(at: Occurrence) -> bool:
    """`Insiders are buying, and so am I.`"""
    return bool(AGREES.search(at.after)) or (at.following is not None and bool(AGREES.search(at.following.text)))
