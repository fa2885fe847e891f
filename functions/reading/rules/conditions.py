"""Detects conditional statements: `I'd buy it if it fell to fifty`."""

from functions.reading.rules.phrases import STATES
from functions.reading.rules.reading import Occurrence, Reading, runs_on
from functions.reading.rules.tenses import PAST_TENSE, WOULD
from functions.reading.rules.vocabulary import pattern, phrases
from functions.reading.terms import Sentiment

MAX_PRICE = 6
"""Maximum words of a clause that only gives the price at which the next one holds."""

EVENT = phrases("event")
CONDITION = pattern(
    r"^(?:(?:and|but|so|or|only|then|well|because) )*(?:if|when|once|unless|until|as soon as)"
    r"(?! (?:you|anyone|i|we)(?!\w)(?! (?:see|saw|go|get|got|drop|fall|fell|hit|come|came|break)(?!\w)))(?!\w)"
)
IN_CLAUSE_CONDITION = phrases("in clause condition")
IF_I = pattern(
    r"(?<!\w)(?<!even )(?:if|imagine|as though) (?:i|we) (?!(?:had|have) to )(?:(?:\S+ ){0,2}|(?:do |did )end up )$"
)
"""`if I [still] own it`, `if we | sold it`: hypothetical."""
IS_IN = pattern(r"(?:are|have been|been|be|got) (?:net )?(?:short|long)$")
"""`If you | are short § here, you are sweating`"""
SUPPOSED = pattern(
    r"(?<!\w)if (?:you|i|we|anyone) (?:\S+ )?(?:think|thought|expect|assume|feel)(?!\w)"
    r"|(?<!\w)if (?:i|we) (?:was|were|(?:did|do) not (?:have|own))(?!\w)"
    r"|^(?:(?:and|but) )?had (?:i|we|you) (?:\S+ )?$"
    r"|^(?:(?:and|so|but|then) )*(?:if )?(?:i|we|you) (?:am|are) [§¤]$"
    r"|(?<!\w)if (?:i|we|you) (?:am|are) (?:running|the ceo)(?!\w)"
    r"|(?<!\w)if (?:i|we) (?:am|are) (?!honest|being|not|in|long|right|correct|wrong|you(?!\w))(?!\w+ing)"
    r"(?!(?:\S+ ){0,4}(?:investors?|traders?|savers?|shareholders?)(?! relations)(?!\w))\S+(?: \S+){0,5}$"
    r"|(?<!\w)let (?:it|this|that|them|§|the stock) (?:come|pull|settle|fall|drop|cool|calm)(?!\w)"
)
"""`If you think demand has peaked, | sell it`; `if I was buying it`; `if I'm the chairman`, but not `if I'm you`"""
FOLLOWS = pattern(
    r"(?<!\w)otherwise(?!\w)|^(?:(?:so|and|well|but) )*then (?:(?:yes|yeah|sure|maybe|of|course) )*"
    r"(?:you|i|we) (?:\S+ )?(?:should|would|could|can|might|must|need|ought)(?!\w)"
)
"""`… | Then you should sell`, which depends on the statement before."""
NOT_YET = pattern(r"(?:^ ?|(?<!\w)but )not (?:at|here|now|yet|today|until|right|up)(?!\w)")
"""`I want to buy it, | just not here`"""
RIGHT_PRICE = pattern(
    r"(?<!\w)(?:at (?:the|a) (?:right|better|lower|certain) price|becom(?:es|ing) (?:an? )?(?:\S+ )?$)"
)
"""`§ at the right price is | a buy`"""
ONLY_IF = pattern(r"^(?:but )?(?:only )?(?:if|unless|assuming|provided|as long as)(?! (?:you|anyone|i|we)(?!\w))(?!\w)")
"""`It is a buy | if rates stay low`"""
AT_SUCH_TIMES = pattern(
    r"^ ?(?:but )?(?:only )?when (?!.*(?<!\w)(?:today|now)(?!\w))(?:stocks|markets?|rates|crypto|bitcoin|prices"
    r"|everyone|everybody|nobody|no one|people|others|the (?:market|economy|cycle|sector|industry|price)"
    r"|\w+s are|it (?:falls|drops|dips|pulls|sells|gets|is (?:down|hated|cheap|cheaper|lower)))(?!\w)"
)
"""`a great stock to buy | when the market is down`, but not `… when it comes to cash`"""
UNTIL = pattern(r"^(?:until|till|unless|before|if)(?!\w)(?! you (?:want|need|are looking)(?!\w))")
"""`Do not buy it | until it has settled`"""
IF_YOU_BELIEVE = pattern(
    r"(?<!\w)(?:only )?if you (?:\S+ )?(?:think|believe|expect|assume|trust)(?!\w)(?! (?:me|in §))"
)
"""`You buy it | if you believe the target` leaves the decision to the listener."""
FOR_SOME = pattern(
    r"^(?:(?:and|but|so|now|well) )*if (?:you|your)(?!\w)(?! (?:are (?:smart|wise|like me)|ask me|want my|know))"
    r"(?! (?:\S+ ){0,3}(?:own|owned|hold|holding|have|got|bought|in|long|want|need|like)"
    r" (?:§|it|them|this|that|shares|any|some|the|a stock)(?!\w))"
)
"""`If you have a nervous stomach, | skip this one`: applies to some listeners only, unless it addresses owners."""
OVER_ANOTHER = pattern(r" over (?:an? |the )?[§¤](?!\w)")
"""`I would buy § | over § any day`: a preference, not a decision to buy."""
KEEPS_ON = pattern(r"(?<!\w)(?:keep(?: on)?|continue to) $")
"""`I will keep | adding under fifty`: continuing implies having started."""
FORCED_CHOICE = pattern(
    r"(?<!\w)if (?:i|we) (?:had to|have to|could)(?: only)? (?:pick|choose|buy|own)(?: only)?(?: one)?(?: \S+)?"
    r" (?:between|among|from|of)(?!\w)"
)
"""`If I had to pick between the two, | I would take §`: a preference, not a decision to buy."""
MAYBE = pattern(r"(?<!\w)(?:maybe|perhaps|possibly)(?!\w)")
CONCLUDES = pattern(r"^so (?:i|we) (?:am|are|have|just|already)(?!\w)")
"""`When a leader breaks you leave, | so I am selling it`: a rule, and its application today."""


def is_conditional(at: Occurrence, by: str) -> bool:
    return (
        _is_supposed(at)
        or _is_for_believers(at)
        or any(FORCED_CHOICE.search(clause.text) for clause in (at.reading, *at.earlier))
        or (by == "if you" and (at.phrase.sentiment is Sentiment.HOLD or bool(IS_IN.match(at.words))))
        or ((not at.phrase.about_subject or at.phrase.name in STATES) and bool(IF_I.search(at.before)))
        or (at.phrase.name == "sell fixed" and any(FOR_SOME.search(clause.text) for clause in at.earlier[:1]))
        or (at.phrase.about_subject and _has_proviso(at))
        or _depends_on_an_event(at)
    )


def _is_supposed(at: Occurrence) -> bool:
    """True if it holds only under a condition, regardless of its verb."""
    if _is_condition(at.reading) or FOLLOWS.search(at.before):
        return True
    if at.earlier and at.earlier[0].text == "otherwise":
        return True
    if at.before.startswith("and then ") and any(" until " in f" {clause.text}" for clause in at.earlier):
        return True  # I ride it | until the trend ends | and then I will sell it
    if NOT_YET.search(at.after) or RIGHT_PRICE.search(at.before) or RIGHT_PRICE.search(at.after):
        return True
    if at.following and runs_on(at.reading) and NOT_YET.match(at.following.text):
        return True
    if at.following and at.words.startswith("do not") and UNTIL.search(at.following.text):
        return True
    return bool(SUPPOSED.search(at.before)) or any(SUPPOSED.search(clause.text) for clause in at.earlier[:1])


def _depends_on_an_event(at: Occurrence) -> bool:
    """`If it falls to fifty, | I buy it`, `I would buy it at fifty`"""
    would = WOULD.search(at.before + at.words)
    if would and OVER_ANOTHER.search(at.after):
        return True
    if would and IN_CLAUSE_CONDITION.search(at.before + at.after) and not KEEPS_ON.search(at.before):
        return "up to" not in at.after
    done = PAST_TENSE.search(at.reading.text) or CONCLUDES.search(at.before)
    if not done and any(map(_is_condition, at.earlier)):
        return True
    return would is not None and _would_under_a_condition(at, would[0])


def _would_under_a_condition(at: Occurrence, would: str) -> bool:
    """`At fifty | I would buy it`, `I would buy it | if it fell to fifty`"""
    if any(MAYBE.search(clause.text) or _only_names_a_price(clause) for clause in at.earlier[:1]):
        return True
    if not at.following or not runs_on(at.reading):
        return False
    if at.following.text.startswith(("if i could", "if we could")):
        return True
    return _is_condition(at.following) or (would == "would" and bool(CONDITION.search(at.following.text)))


def _is_for_believers(at: Occurrence) -> bool:
    """`You buy it | if you believe the target`"""
    return bool(IF_YOU_BELIEVE.search(at.after) or IF_YOU_BELIEVE.match(at.led_on))


def _has_proviso(at: Occurrence) -> bool:
    return bool(ONLY_IF.search(at.led_on) or AT_SUCH_TIMES.search(at.after) or AT_SUCH_TIMES.search(at.led_on))


def _only_names_a_price(reading: Reading) -> bool:
    """`At the right price, | I'd buy it`"""
    return len(reading.starts) <= MAX_PRICE and bool(IN_CLAUSE_CONDITION.match(reading.text))


def _is_condition(reading: Reading) -> bool:
    """`If it drops to eighty`: an event that has not happened yet."""
    return bool(CONDITION.search(reading.text)) and bool(EVENT.search(reading.text))
