"""Detects phrases that aren't the speaker's firm advice: reported, hedged, retracted, an example or an advertisement.

Conditional phrases are in `conditions.py`, past ones in `history.py`.
"""

from functions.reading.rules.phrases import STATES
from functions.reading.rules.reading import Occurrence, runs_on
from functions.reading.rules.speakers import BEFORE_A_VERB, FIRST_PERSON, MINE, OWN, names_the_speaker
from functions.reading.rules.text import AUXILIARIES
from functions.reading.rules.vocabulary import pattern, phrases, words

SPEECH = phrases("speech")
"""Somebody else's opinion is being reported."""
TOLD = pattern(
    r"(?<!\w)(?:you|people|they|those|everyone|everybody|somebody|someone|some|viewers?|others|bears|bulls|critics|experts"
    r"|he|she|investors?|street|market|traders) (?:\S+ ){0,2}"
    r"(?:think|thinking|say|saying|said|want|wanted|tells?|telling|told|asked?)(?: me)?(?: that)?"
    r" (?:i|we|me|you)(?!\w)|(?<!\w)(?:was|were|been|being) told(?: that)? (?:i|we|you)(?!\w)"
    r"|(?<!\w)(?:says|writes|wrote|asks)(?: to)?(?: that| me| us)? (?:i|we|you)(?!\w)"
    r"|(?<!\w)(?:told|tells|telling|asked|convinced|begged|advised) (?:me|us) (?:not )?to (?:\S+ )?$"
)
"""`A few of you think I should buy it`, `my son says I should buy it`, `my cousin told me to | buy it`."""
INTERJECTIONS = r"(?: (?:oh|man|hey|okay|well|wow|dude|gosh|boy|god|my|crap|geez|yeah|no|shoot|damn|look|listen))*"
QUOTES = pattern(
    r"^(?!(?:.* )?(?:i|we|it|that|this|which|data|report) (?:\S+ )?(?:says|writes|wrote)(?!\w))(?:\S+ ){1,8}"
    r"(?:says|writes|wrote(?: in)?(?: and said)?|emailed|commented)(?: (?:hey|hi|dear|so|well|okay))?(?: \w+)?$"
    r"|(?<!\w)(?:(?:you|he|she|they|people|everyone|everybody|guy|somebody|someone)(?: (?:are|is|was|were)|'s)|be)"
    rf" like{INTERJECTIONS}$|(?<!\w)(?:it|that) (?:is|was) like(?:$| (?:oh|man|hey|wow|dude|gosh|yeah) )"
    r"|(?<!\w)(?:take|takes|need|needs)(?: for)? (?:me|us|you|someone|somebody|anyone) to (?:say|think|go)"
    rf"{INTERJECTIONS}$"
    r"|(?<!\w)(?:by|there and|be|keep|kept) say(?:ing)?(?: (?:look|hey|oh|okay|well|listen|yeah|you know))*$"
    r"|(?<!\w)(?:say|saying) (?:hey|look|oh|okay)$"
    r"|(?<!\w)(?<!as )(?<!like )(?<!what )(?:you|he|she|they|people|everyone|everybody|somebody|someone|guy)"
    r" (?:\S+ ){0,4}(?:say|says|said|go|goes|told me)(?: (?:look|hey|listen|well|okay|you know))*$"
    r"|(?<!\w)(?:easy|tempting|natural) to (?:think|say)$|(?<!\w)(?<!stock )(?<!price )quotes? from \S+(?: \S+)?$"
    r"|(?:^|(?<!\w)(?:and|say|says|said|saying|write|writes|wrote|(?:is|was)(?: (?:an?|the|his|her|their))?) )quote$"
    r"|(?<!\w)(?:viewers?|subscribers|people|folks|guys|friends|clients|callers?|members|everyone|everybody|somebody)"
    r" (?:\S+ )?(?:writing|telling|emailing|texting|messaging|calling in|commenting)(?: (?:me|us|in))?"
    r"(?: (?!about(?!\w))\S+){0,3}$"
)
"""`Brian says, Tom, | I sold it`: a comment that is read aloud; `you're like, oh man, | I'm buying it`: a thought."""
OTHERS_THINK = pattern(
    r"(?<!\w)(?:people|they|everyone|everybody|some|many|most|investors|he|she|others) (?:\S+ )?"
    r"(?:think|thinks|thought|believe|believes|believed|call|calls|called|consider|feel|argue|view|see)"
    r"(?: that)? (?:\S+ ){0,3}$"
    r"|(?<!\w)(?:community|members|viewers|subscribers|audience|followers|patrons) (?:\S+ )?"
    r"(?:has|have|had|rates?|rated|ranks?|ranked|calls?|called|think|thinks|votes?|voted) (?:\S+ ){0,3}$"
)
"""`Most people think § is | a must own`"""
QUOTED = pattern(
    r"(?<!\w)(?:(?:you|he|she|they|these|those|people|everyone|everybody|somebody|someone|investors) "
    r"(?:are|is|was|were|be|will be|go|goes)|every(?:one|body)'s) (?:all )?like (?:\S+ ){0,4}$"
    r"|(?<!\w)quote (?:\S+ ){0,4}$"
)
"""`Those people were like, | buy it`"""
RATING_FIRMS = words("rating firms")
NEAR_A_RATING = 5
"""Maximum words from a rating to the firm that gave it."""
RATED_BY = pattern(
    r"^ (?:for|from|by|at|according to) (?:(?:\S+ ){0,3}(?:analysts?|street|brokers?|banks?)(?!\w)"
    r"|[§¤]|(?:mr|mrs)(?!\w))"
)
WITH_A_TARGET = pattern(r"^ and (?:an? |the )?(?:\S+ ){0,3}(?:price )?target(?!\w)")
"""`§ with a buy | and a 90 dollar price target`"""
OWN_RATING = pattern(
    r"(?<!\w)(?:i|we|our|my) (?:\S+ ){0,3}"
    r"(?:rate|rated|rating|downgraded?|upgraded?|initiated?|are|have|lower|say|coverage)(?!\w)"
)
RERATED = pattern(
    r"(?<!\w)(?:cut|cuts|cutting|lowers?|lowered|downgrade[sd]?|upgrade[sd]?|raised|raises|moved|moves|took|takes"
    r"|slashed|dropped|reiterated|reiterates|initiated|started|put|puts) (?:§|it|this|that|them|the (?:stock|shares))"
    r" (?:\S+ ){0,4}(?:to|at|with|as|on) (?:an? )?(?:\S+ )?$"
)
"""`The bank cut § from neutral to | a sell`"""

NOT_ADVISING = phrases("not advising")
BEING = pattern(r"[§¤] being (?:an? |the )?(?:\S+ )?$")
"""`The idea of § being | a buy`"""
ANY_STOCK = pattern(
    r"(?<!\w)(?:an?|any|some) (?:stocks?|compan(?:y|ies)|names?|business(?:es)?)(?: that| which)? you (?:\S+ )?$"
)
"""`Never do this on a stock that you | do not want to own`"""
GENERAL_RULE = pattern(
    r"^(?:(?:and|so|but|because|well|now|usually|often|typically|generally) )*(?:the|an?) "
    r"(?:best|good|great|right|perfect|ideal|better) (?:time|place|moment|price|point)s? to "
)
"""`The best time to buy it is | when nobody wants it`, but not `the best time to buy it is today`"""
SAID_OF_NOW = pattern(r"(?<!\w)(?:now|today|here|this (?:week|month|morning)|these)(?!\w)")
"""Words that turn a rule or an old story into current advice."""
SITUATION = pattern(
    r"(?<!\w)(?:game|market|world|environment|situation|cycle|trend|spot|place|where|regime|moment|time|era|phase)$"
)
"""`This is the market | we are in`"""
PAY_LATER = pattern(r"^pay later(?!\w)")
LIKED_IN_PASSING = pattern(
    r"(?<!\w)(?:(?<!those )(?<!these )(?<!that )reasons?(?: why)?|what|if|things?|whether) (?:i|we|you) (?:\S+ )?$"
)
"""`One of the reasons I | like §`, `see if I | like it`"""

NOT_SHORT = pattern(r"(?<!\w)(?:not|never|nor) (?:\S+ ){0,2}short(?: (?:it|them|§|either)|$)")
"""`… | and I would not short it`: staying out on both sides isn't a warning."""
USES = pattern(
    r"(?<!\w)(?:am|been|was) an? (?:\S+ ){0,2}(?:member|subscriber|customer|user)(?!\w)|"
    r"(?<!\w)(?:i|we) (?:\S+ )?(?:use|used|using) (?:it|them|§|the(?:ir)? (?:apps?|products?))(?!\w)|"
    r"(?<!\w)(?:i|we|kids|wife|husband|daughter|son|family|everyone|everybody) (?:\S+ )?"
    r"(?:wear|wears|drink|drinks|eat|eats|drive|drives|fly|shop|shops|subscribe)(?!\w)"
)
"""`I love it, | I use it every day`: a customer praises the product, not necessarily the stock."""

HEDGE = phrases("hedge")
ENDS_IN_MAYBE = pattern(
    r"(?<!\w)(?:maybe|perhaps|possibly|not sure|(?:i|we) could (?:say|tell (?:you|people))(?: that)?"
    r"|(?:think|thinking|thought|say|saying|said) to"
    r"|(?:might|may|could) (?:have been|well be|be)(?: \S+){1,9} (?:stock|name|one|compan(?:y|ie)|list)s?(?: that)?)$"
)
"""Captions split `maybe | we should buy it`, `I said to [myself] | I should buy it`, `it may be a stock | I bought`."""
AS_A_HABIT = pattern(
    r"^(?:(?:and|but|so|now|because) )*(?:(?:in )?(?:some|most|other|certain) (?:years|months|weeks|days|cases)"
    r"|sometimes|typically|normally|usually)(?!\w)"
)
"""`Some years, | I buy a lot of it`: a habit, not necessarily current."""
DID_NOT = pattern(
    r"^(?:(?:and|but|so) )+(?:i|we) (?:(?:did|have|could) not(?: (?:do it|pull the trigger))?|never did)$"
    r"|^(?:(?:and|but|so) )*(?:i|we) (?:am|are) not doing (?:it|that)(?!\w)"
)
"""`I thought I would buy it, | but I didn't`"""

QUALIFIED_BEFORE = pattern(r"(?<!\w)(?:although|though|while|as much as|get me wrong)(?!\w)")
QUALIFIED_AFTER = pattern(r"^(?:but|however|although|though|except|when it comes to)(?!\w)")
BUT = pattern(r"(?<!\w)(?:but|however|although|as a company|as a business|than|over|versus|compared|in terms of)(?!\w)")
"""`I like §, | but I would wait`, `I like § better than §`: praise that is retracted or only a comparison."""

EXAMPLE = phrases("example")
"""Phrases that teach rather than advise."""
AT_ONE_TIME = pattern(r"(?<!\w)(?:in (?:19|20)\d\d|last year|years? ago|back then)(?!\w)")
"""`You buy it at six in 2024, and a year later …`"""
FOR_EXAMPLE = pattern(r"(?<!\w)for (?:example|instance)(?!\w)")

STANDS_FOR_A_STOCK = words("stands for a stock")
BEFORE_A_VERDICT = (BEFORE_A_VERB | words("between a stock and a verdict")) - STANDS_FOR_A_STOCK
"""`this is [one of my most] favourite stocks`"""

SPONSOR = phrases("sponsor")
SPONSORED = pattern(r"(?<!\w)(?:brought to you by|sponsored)(?!\w)")
"""Marks the clause before as an advertisement; `I'm buying it, | subscribe for more` isn't one."""


def is_reported(at: Occurrence) -> bool:
    """True if it is somebody else's opinion."""
    if at.reading.clause.quoted and at.reading.clause.ends_with != "?":
        return True  # a question may be answered
    if at.phrase.about_subject and (_is_rated_by_a_firm(at) or OTHERS_THINK.search(at.before)):
        return True
    told_by = at.earlier if not at.before else at.earlier[:1]  # he keeps telling you to wait, | sell this, | sell that
    if TOLD.search(at.before) or any(TOLD.search(f"{clause.text} {at.before}") for clause in told_by):
        return True
    if QUOTED.search(at.before) or any(QUOTES.search(clause.text) for clause in at.earlier):
        return True
    if SPEECH.search(at.before):
        return not OWN_RATING.search(at.before) and not MINE.search(at.words)
    if not at.phrase.about_subject or not OWN.isdisjoint(at.before.split()):
        return False
    return any(SPEECH.search(clause.text) for clause in at.earlier[:1])


def _is_rated_by_a_firm(at: Occurrence) -> bool:
    near = [*at.before.split(), *at.after.split()[:NEAR_A_RATING]]
    targeted = WITH_A_TARGET.search(at.after) and not OWN_RATING.search(at.before)
    rerated = RERATED.search(at.before) and FIRST_PERSON.isdisjoint(at.before.split())
    return bool(RATED_BY.search(at.after) or targeted or rerated) or not RATING_FIRMS.isdisjoint(near)


def _is_used(at: Occurrence) -> bool:
    """`I love it, | I use it every day`: the speaker likes the product, not the stock."""
    following = [at.following] if at.following and runs_on(at.reading) else []
    return any(USES.search(clause.text) for clause in (at.reading, *at.earlier[:1], *following))


def _takes_neither_side(at: Occurrence) -> bool:
    """`I would not own it | and I would not short it`"""
    if at.phrase.name != "sell fixed":
        return False
    return bool(NOT_SHORT.search(at.after) or NOT_SHORT.search(at.led_on))


def _is_a_loan(at: Occurrence) -> bool:
    """`the buy now, | pay later lender`; without a comma it is an everyday phrase."""
    return at.reading.text.endswith("buy now") and bool(PAY_LATER.search(at.led_on))


def is_not_advising(at: Occurrence) -> bool:
    if at.phrase.name == "liking" and _is_used(at):
        return True
    if at.phrase.name == "liking" and LIKED_IN_PASSING.search(at.lead_in + at.before):
        return True
    if BEING.search(at.before) or _takes_neither_side(at) or _is_a_loan(at):
        return True
    if at.phrase.name == "sell fixed" and ANY_STOCK.search(at.lead_in + at.before):
        return True
    if GENERAL_RULE.search(at.before + at.words) and not SAID_OF_NOW.search(f"{at.after} {at.led_on}"):
        return True
    if at.words.endswith(" in") and any(SITUATION.search(clause.text) for clause in at.unmarked):
        return True
    return bool(NOT_ADVISING.search(at.before)) or any(NOT_ADVISING.search(clause.text) for clause in at.earlier)


def is_hedged(at: Occurrence) -> bool:
    if at.following is not None and DID_NOT.search(at.following.text):
        return True
    if HEDGE.search(at.before) or any(ENDS_IN_MAYBE.search(clause.text) for clause in at.unmarked):
        return True
    return any(AS_A_HABIT.search(clause.text) for clause in at.earlier[:1])


def is_qualified(at: Occurrence) -> bool:
    """`I like it, but it is too dear.`"""
    if at.phrase.name != "liking":
        return False
    if BUT.search(at.after) or QUALIFIED_BEFORE.search(at.before):
        return True
    if any(QUALIFIED_BEFORE.search(clause.text) for clause in at.earlier[:1]):
        return True
    return at.following is not None and bool(QUALIFIED_AFTER.search(at.following.text))


def is_an_example(at: Occurrence, by: str) -> bool:
    said = " ".join((*(clause.text for clause in reversed(at.earlier)), at.reading.text))
    if by == "you" and AT_ONE_TIME.search(said) and not SAID_OF_NOW.search(at.reading.text):
        return True
    return bool(EXAMPLE.search(said)) and not _is_a_case_in_point(at, by, said)


def _is_a_case_in_point(at: Occurrence, by: str, said: str) -> bool:
    """`For example, I own §`: a position the speaker has isn't hypothetical."""
    return at.phrase.name in STATES and by in {"i", "we"} and bool(FOR_EXAMPLE.search(said))


def is_of_something_else(at: Occurrence) -> bool:
    """`memory would be | my pick`: refers to the subject of its own clause, not to the stock before."""
    if not at.phrase.about_subject or names_the_speaker(at):
        return False
    said = at.before.split()
    between: set[str] = set()
    while said and said[-1] in BEFORE_A_VERDICT:
        between.add(said.pop())
    if between.isdisjoint(AUXILIARIES):
        return False  # the most obvious | no brainer
    return bool(said) and "§" not in said and said[-1] not in STANDS_FOR_A_STOCK


def is_sponsored(at: Occurrence) -> bool:
    if at.following and runs_on(at.reading) and SPONSORED.search(at.following.text):
        return True
    return any(SPONSOR.search(clause.text) for clause in (at.reading, *at.earlier))
