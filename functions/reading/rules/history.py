"""Detects statements about the past: stories, old trades, former opinions and positions."""

from collections.abc import Sequence
from itertools import chain, pairwise, takewhile

from functions.reading.rules.phrases import STATES
from functions.reading.rules.reading import Occurrence, Reading, runs_on
from functions.reading.rules.speakers import BEFORE_A_GERUND, FIRST_PERSON, STATE_VERBS
from functions.reading.rules.tenses import DID, PAST_TENSE, is_doing, is_past_perfect, is_past_progressive
from functions.reading.rules.text import AUXILIARIES
from functions.reading.rules.vocabulary import pattern, phrases
from functions.reading.terms import Sentiment

MAX_ADVERBIAL, MAX_AFTERTHOUGHT = 4, 9
"""Maximum words of a clause that only dates the next one (`last January`) or the previous one (`I think two years
ago`)."""

RECENT = phrases("recent")
NARRATION = pattern(
    r"(?<!\w)(?:i|we|they|he|she) (?:\S+ )?"
    r"(?:thought|asked|mentioned|knew|met|had not|did not know|(?:was|were)(?= ))(?!\w)"
)
"""`I was sure …`, but not the reply `I was`."""
RECAP = phrases("recap")
"""A past tense next to one of these is a story."""
STILL_HELD = pattern(r"^have (?:held|kept|owned|had)(?!\w)(?: \S+){0,6} (?:since|forever|through|throughout|for)(?!\w)")
"""`I have held it since 2009`: still true today."""
LONG_AGO = pattern(r"(?<!\w)(?:years?|months|decades?) ago(?!\w)")
"""`my reason for investing in it years ago`: past, regardless of the verb form."""
OUT = pattern(r"been out(?!\w)")
FOR_LONG = pattern(r"(?<!\w)(?:for (?:\S+ ){0,3}(?:years?|months?|decades?|while|time)|since)(?!\w)")
"""`We have | been out of it for a year`"""
HAS = pattern(r"(?<!\w)(?:have|had) (?:\S+ )?$")
OVER_TIME = pattern(r"(?<!\w)over the (?:years|(?:past|last) (?:\S+ ){0,2}(?:years?|months?|decade))(?!\w)")
"""`I have | taken profits on it over the years`"""
BEFORE_NOW = pattern(
    r"^(?: (?!and |but |because |so )\S+){1,4} (?:(?:a few times |many times |once )?before|in the past"
    r"|at (?:one|some) point|at various (?:times|points)|(?:a few|many|multiple|several) times)$"
)
"""`I have | been short § before`: done at some time in the past."""
NAMES_OF_TRADES = frozenset({"buying", "selling", "owning", "holding", "short", "shorting", "avoiding", "trimming"})
WAS_SO = pattern(
    r"^(?: (?!i |we |you |they |he |she |and |but |because |while |who |that |which )\S+){1,4} (?:was|were)(?!\w)"
)
"""`Shorting | § was wrong`: a trade in retrospect."""
VERBS = AUXILIARIES | STATE_VERBS
"""After one of these the trade is stated, not just named: `I am | short §`."""
STORY_VERB = pattern(r"(?<!\w)(?:told|called|was|were|had)(?!\w)|(?<!\w)(?:started|began) $")
TELLS_OF_SHARES = pattern(r"(?<!\w)(?:shares|calls|contracts|position|ones|reason|reason why|when|remember)$")
"""`… the shares | we bought` are an old purchase, `the reason | we got into §` is a story."""
JOINED = pattern(r" (?:and|but|then) ")
"""Joins two trades in one clause."""
REASON = pattern(r"(?<!\w)reason(?:s|ing)? (?:(?:why|that) )?(?=(?:i|we)(?!\w))")
"""`the reasons why | I bought §` refer to an old trade, unless it is dated."""
THIS_WEEK = pattern(r"(?<!\w)(?:today|yesterday|this (?:morning|week|month)|last (?:night|week))(?!\w)")
"""`The reason | we bought § this week` refers to a recent trade."""
WHEN_IT_WAS = pattern(
    r"^(?:back )?when (?:it|they|§|the (?:stock|company|shares)|everyone|everybody|nobody|no one|people)"
    r" (?:\S+ )?(?:was|were|had|hated|traded|doubled|tripled)(?!\w)"
)
"""`I bought § | when it was at ninety`"""
AT_A_PRICE = pattern(r"^(?: \S+){0,3} (?:at|for|around|under) \$?(?:\d|{ten})")
PRICE_NOW = pattern(
    r"^(?:(?:and|so|but) )*(?:now )?(?:it|that|that one|§|the stock) (?:is|has) "
    r"(?:(?:now|at|about|around|currently|trading|up|to) )*\$?(?:\d|{ten})"
)
"""`I bought it at 190. | It's 350 now`: the result of an older trade."""
USED_TO_OWN = pattern(
    r"(?<!\w)used to (?:own|have|hold|love|be (?:in|long|short))(?!\w)"
    r"|^(?:and )?(?:i|we) (?:had|owned|was in|were in) (?:it|§|that one|them)$"
)
"""`I used to own §, | I sold it after the crash`, `I had it, | I lost forty percent, | I sold`"""
NEVER_BACK = pattern(
    r"(?<!\w)never (?:(?:gone|went|looked|got|gotten|been) (?:\S+ )?back|bought it (?:back|again)|touched it)(?!\w)"
)
"""`I sold it | and I have never gone back`"""
SETS_THE_TIME = pattern(
    r"^(?:(?:and|so|but|now|look|well) )*(?:back (?:in|when)|when (?:i|we) |in the |my (?:very )?first )"
)
"""`When we ran the other fund, | we bought §`: a clause that dates the next one."""
THAT_IS_WHEN = pattern(r"(?<!\w)(?:that|this|it|which) (?:is|was)(?: really| about| actually)?(?: when(?!\w)|$)")
WHEN_I_STARTED = pattern(r"(?<!\w)when (?:i|we) (?:first |started |began |was |were )+$")
"""`When I started | buying it, it was at seven`"""
WHEN_I_WAS = pattern(r"(?<!\w)when (?:i|we) (?:was|were|used to)(?!\w)")
"""`When I was trading §, | I would sell a put`: a former habit."""
WORKED_OUT = pattern(
    r"^(?:(?:and|so|but|well|you know) )*(?:(?:that|it|this)(?: one| trade)?|the trade)"
    r" (?:(?!has |have |had |not )\S+ )?(?:worked|paid off|did (?:\S+ )?(?:well|great|good|fine))(?!\w)"
)
"""`I went heavy on §, | and that one worked`: the result of an older trade."""
WHEN_I = pattern(r"^when (?:i|we)(?!\w)")
"""`That is | when I looked at § | and I bought it`: a story."""
PRESENTED_THEN = pattern(
    r"(?<!\w)(?:highlighted|mentioned|named|called|picked|pitched|recommended|presented|listed|featured|flagged"
    r"|(?<!have )(?:ranked|rated))"
    r"(?: \S+){0,9} as (?:\S+ )?$|(?<!\w)(?:was|were|had been) (?:(?:definitely|always|clearly|still|once) )?"
    r"(?:an? |the )?(?:\S+ )?$"
    r"|(?<!\w)(?:has|have) been (?:an? |the )(?:\S+ )?$"
    r"|(?<!\w)had been (?:ranking|rating|calling|recommending)(?: \S+){0,4} as (?:\S+ )?$"
    r"|(?<!\w)(?:was|were) (?:an? |the )(?:\S+ )?(?:time|place|moment|opportunity|chance) to (?:be )?$"
)
"""`I presented it in May as | my top pick`, `that was a great | time to buy`"""
NEWLY_OWNED = pattern(r"(?<!\w)(?:new|newest|latest|recent)(?!\w)")
TOLD_BEFORE = pattern(
    r"(?<!\w)(?:when (?:i|we) (?:\S+ )?(?:said|told|recommended)|(?:remember|recall) (?:\S+ )?(?:telling|saying)"
    r"|made (?:a|the|my) (?:\S+ )?video)(?!\w)"
)
"""`I remember telling you to | buy it`"""
SAID_THEN = pattern(r"(?<!\w)(?:i|we) (?:\S+ )?(?:said|told|argued|suggested|recommended|wrote)(?!\w)")
QUOTES_ITSELF = pattern(
    r"(?<!\w)(?:i|we) (?:said|was like|told (?:him|her|them|clients|people))(?: (?:no|look|hey|listen|wait))+$"
)
"""`They called me, and I said no, | we are not selling`"""
USED_TO = pattern(r"(?<!\w)(?:was|were|used to be|had been) (?:(?:a|an|the|one|also|once|still|right|there) )*$")
"""`§ was | in my portfolio`"""
REGRETS = pattern(
    r"(?<!\w)(?:should|would|could|wish (?:i|we) had|wish (?:i|we)) not have (?:\S+ )?$|(?<!\w)had not (?:\S+ )?$"
)
"""`I should not have | sold it`: implies having sold."""
LONG_PAST = phrases("long past")
PRESENT = phrases("present")
DATE_REACH, DATE_AHEAD = 60, 25
"""Words before and after a trade within which a stated time dates it."""

WHICH_I = pattern(r"^(?:which|that) (?:i|we) (?:\S+ ){0,2}$")
"""`I sold §, | which I bought in May`"""


def is_recent(at: Occurrence) -> bool:
    return bool(RECENT.search(at.reading.text))


def is_aside(at: Occurrence) -> bool:
    """True if the trade is an aside in a sentence with another statement about the stock."""
    return bool(WHICH_I.search(at.before)) and bool(at.earlier)


def is_narrated(at: Occurrence) -> bool:
    return bool(NARRATION.search(at.lead_in + at.reading.text))


def is_long_ago(readings: Sequence[Reading], number: int) -> bool:
    """`In 2021 I had oil stocks. They doubled. So I sold them`: the nearest stated time is long past."""
    first, last = readings[number].clause.first, readings[number].clause.last
    before = takewhile(
        lambda other: first - other.clause.first <= DATE_REACH,
        reversed(readings[max(0, number - DATE_REACH) : number + 1]),
    )
    after = takewhile(
        lambda other: other.clause.first - last <= DATE_AHEAD,
        readings[number + 1 : number + 1 + DATE_AHEAD],
    )
    for other in chain(before, after):
        if PRESENT.search(other.text):
            return False
        if LONG_PAST.search(other.text):
            return True
    return False


def is_history(at: Occurrence, tense: str, *, recent: bool, negated: bool) -> bool:
    return (
        is_past_perfect(at)
        or _is_recap(at)
        or (not recent and _was_then(at, tense))
        or _was_said_then(at)
        or (at.phrase.name in STATES and bool(USED_TO.search(at.before)))
        or (negated and bool(REGRETS.search(at.before)))
    )


def _was_then(at: Occurrence, tense: str) -> bool:
    """True if it is over. Only valid without `today`, `this week` or the like."""
    if at.phrase.sentiment is Sentiment.SELL and HAS.search(at.before) and OVER_TIME.search(at.after):
        return True
    if (tense == "past" and _is_dated(at)) or is_past_progressive(at):
        return True
    if WHEN_I_STARTED.search(at.before):
        return True
    if tense == "would" and any(WHEN_I_WAS.search(clause.text) for clause in at.earlier):
        return True
    return not at.phrase.needs_speaker and _was_presented(at)


def _is_recap(at: Occurrence) -> bool:
    """True if a past tense occurs next to words such as `last year`."""
    if STILL_HELD.search(f"{at.words}{at.after}"):
        return False
    if LONG_AGO.search(at.after) or _is_dated_by_the_clause_after(at) or _is_looked_back_on(at):
        return True
    tells = PAST_TENSE.search(at.words) or STORY_VERB.search(at.before) or DID.search(at.before)
    if not tells and not _is_timeless(at):
        return False
    if RECAP.search(_before_it(at)) or (tells and RECAP.search(at.words + at.after)):
        return True
    if any(TELLS_OF_SHARES.search(clause.text) for clause in at.unmarked):
        return not (at.earlier[0].text.endswith(("reason", "reason why")) and THIS_WEEK.search(at.after))
    return _is_dated_by_the_clause_before(at)


def _is_looked_back_on(at: Occurrence) -> bool:
    """`Shorting § was wrong`, `I have been short § before`, `we have been out of it for a year`"""
    if BEFORE_NOW.search(at.after) and (PAST_TENSE.search(at.words) or HAS.search(at.before)):
        return True
    if at.words in NAMES_OF_TRADES and WAS_SO.search(at.after) and VERBS.isdisjoint(at.before.split()[-1:]):
        return True
    return bool(OUT.match(at.words) and FOR_LONG.search(at.after))


def _before_it(at: Occurrence) -> str:
    """Returns the words before the phrase that may date it.

    In `I bought § years ago and | sold it today` the first trade doesn't date the second, and `the reason that I |
    bought § this week` isn't an old one.
    """
    before = REASON.sub("", at.before) if THIS_WEEK.search(at.after) else at.before
    return JOINED.split(before)[-1] if RECENT.search(at.after) else before


def _is_timeless(at: Occurrence) -> bool:
    """`Buying it at nine`, `the mistake of selling it`: a gerund, whose tense depends on the context."""
    said = at.before.split()
    return is_doing(at.words) and (not said or said[-1] in BEFORE_A_GERUND)


def _is_dated_by_the_clause_before(at: Occurrence) -> bool:
    """`Last January | I bought it`, `years ago they came out | and bought it`"""
    own_subject = not FIRST_PERSON.isdisjoint(at.before.split())
    if is_recent(at):
        return False  # i sold it last year | but bought it back today
    return any(
        RECAP.search(clause.text)
        and (len(clause.starts) <= MAX_ADVERBIAL or not own_subject or SETS_THE_TIME.search(clause.text))
        for clause in at.earlier[:1]
    )


def _is_dated_by_the_clause_after(at: Occurrence) -> bool:
    """`We sold it, | I want to say, some two years ago`"""
    if at.following is None or not runs_on(at.reading) or not PAST_TENSE.search(at.words):
        return False
    return len(at.following.starts) <= MAX_AFTERTHOUGHT and bool(LONG_AGO.search(at.following.text))


def _is_dated(at: Occurrence) -> bool:
    """`I bought § | when it was hated`, `that is | when I noticed § | and I bought it`: the trade is dated."""
    if at.following is not None and runs_on(at.reading) and WHEN_IT_WAS.search(at.following.text):
        return True
    if at.following is not None and AT_A_PRICE.search(at.after) and PRICE_NOW.search(at.following.text):
        return True
    if at.following is not None and runs_on(at.reading) and WORKED_OUT.search(at.following.text):
        return True
    if any(USED_TO_OWN.search(clause.text) for clause in at.earlier):
        return True
    if any(_tells_of_it(at, clause) for clause in at.earlier[:1]):
        return True
    if at.following is not None and NEVER_BACK.search(at.following.text):
        return True
    if any(THAT_IS_WHEN.search(clause.text) and "when" in clause.text for clause in at.earlier):
        return True
    return any(
        WHEN_I.search(clause.text) and THAT_IS_WHEN.search(before.text) for clause, before in pairwise(at.earlier)
    )


def _tells_of_it(at: Occurrence, clause: Reading) -> bool:
    """`We sold the airlines in 2020, | we sold all four`: the previous clause dates the same action."""
    return at.words.split()[0] in clause.text.split() and bool(RECAP.search(clause.text))


def _was_presented(at: Occurrence) -> bool:
    """`It was a great | time to buy` is over, `it was | a new position for us` is not."""
    return bool(PRESENTED_THEN.search(at.before)) and not NEWLY_OWNED.search(at.words)


def _was_said_then(at: Occurrence) -> bool:
    """`Last year I said that | you should buy it.`"""
    said = at.lead_in + at.before
    if TOLD_BEFORE.search(said) or (at.earlier and QUOTES_ITSELF.search(at.earlier[0].text)):
        return True
    return bool(SAID_THEN.search(said)) and bool(RECAP.search(said))
