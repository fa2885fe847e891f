"""Classifies the object of a trade: a named stock, `it`, shares, or a thing such as coffee."""

from functions.reading.rules.reading import POSSESSIVE, Occurrence
from functions.reading.rules.text import COMPANIES, ONE_COMPANY, TIME_WORDS
from functions.reading.rules.vocabulary import pattern, words

CLEFT = pattern(
    r"(?<!\w)(?:stock|company|name|one|pick|purchase)s? (?:that |which )?(?:i|we) (?:\S+ ){1,12}"
    r"(?:is|are|was|were|would be|will be|has to be|have to be|going to be) (?:\S+ ){0,6}§"
)
"""`The stock that I would buy with this money today is §`"""
OBJECT_LEAD = pattern(
    rf"^ ?(?:(?:{'|'.join(sorted(words('object lead words')))}|\$?\d+|(?:company|stock|name) called"
    r"|(?:companies|stocks|names|something) (?:like|such as)|(?:way )?too (?:much|many))(?: |$))*"
)
"""The words between a verb and its object: `bought [a few more shares of] §`."""
SHARES = pattern(rf"(?<!\w)(?:{'|'.join(sorted(words('share words')))})(?!\w)")
PRONOUNS = words("object pronouns")
DEMONSTRATIVES = words("demonstratives")
THIS_NAME = pattern(r"(?:this §|(?:this|that) (?:stock|company|name|business)(?: of| called| named)? §)(?! 's)(?!\w)")
PRODUCTS = words("products")
"""`bought an § card` isn't a share."""
SUCH_AS_WORDS = (
    r"(?:(?<!looks )(?<!feels )(?<!sounds )(?<!seems )(?<!is )(?<!was )(?<!this )(?<=s )like|such as|including"
    r"|specifically|especially|particularly|in particular|namely|mainly|mostly|notably)"
)
SUCH_AS = pattern(
    rf"^ (?:(?!and |but |because |so |i |we |you |it |them |§ |¤ )\S+ ){{1,9}}{SUCH_AS_WORDS}(?: an?| the)? §(?! 's)"
)
"""`adding to | some of the banks, specifically §`"""
HAS_ITS_OBJECT = pattern(rf"{SHARES.pattern}|(?:profits?|gains?|loss|losses)$")
"""`trim my position`, `take profits`: the object is already in the phrase."""
GOES_IN = pattern(r" in(?:to)?$")
AFTER_OBJECT = words("after an object")
"""`bought [it] today`, `sold [it] because`: a verb before one of these has no object."""
AFTER_DEMONSTRATIVE = AFTER_OBJECT | COMPANIES | words("after a demonstrative") | {"§"}
"""`sold this [company]`, `sold that [whole thing]`: refers to the topic."""
COUNTED_STOCKS = pattern(
    r"^ (?:(?:to|of|in|into|on) )?(?:both|(?:all|these|those) (?:two|three|four|five|six))(?: of (?:these|those))?"
    r"(?: \w+)? (?:stocks|companies|names|businesses|positions)(?!\w)"
)
IN_AN_ACCOUNT = pattern(
    r"^ (?:in|inside|across|within) (?:\S+ ){1,2}(?:portfolios?|accounts?|iras?|roth|isa)(?!\w)(?! §)"
)
"""`one that I keep buying | in both accounts`"""
OF_SEVERAL = pattern(
    r"^(?!.*(?<!\w)one of )(?:.* )?(?:stocks|companies|names|ones) (?:that |which )?(?:i|we) (?:\S+ ){0,4}$"
)
"""`these are the stocks that I chose to | buy`, which need not include the stock named nearby."""
FINAL_PRONOUN = pattern(r" (?:it|them|this one|that one)$")
SOLD_GOODS = pattern(
    r"(?<!\w)(?:water|products?|goods|cars?|phones?|chips|services?|software|food|devices?|drugs?|comparison|indicator"
    r"|line|filter|column) (?:that |which )?(?:i|we) (?:(?:am|are|will|would|going|to|want|can|just|also) )*$"
)
"""`The column | we will add`, `the cars that we | sell`"""


def what_is_traded(at: Occurrence) -> str:
    """`named`, `shares`, `pronoun`, `nothing`, `stocks`, `asset`, `belonging`, `thing`, or a verdict's `subject`."""
    if at.phrase.about_subject:
        return "subject"
    if _is_cleft(at):
        return "named"
    after = from_own_pronoun(at)
    if after.startswith((" from ", " of ")) and object_of(after[after.index(" ", 1) :]) == "thing":
        return "thing"  # keep your distance from | the whole group
    if "§" in at.words and not at.words.startswith("take "):
        return "named"  # raised my § position
    if after.startswith(" there") and GOES_IN.search(at.words):
        return "pronoun"  # put some money in | there
    found = object_of(after)
    if found == "nothing" and _is_of_goods(at):
        return "thing"
    if found == "nothing" and "§" not in at.lead_in + at.reading.text and OF_SEVERAL.search(at.lead_in + at.before):
        return "stocks"
    if found == "thing" and not at.phrase.needs_speaker:
        return "nothing"
    return "shares" if found in {"thing", "nothing"} and HAS_ITS_OBJECT.search(at.words) else found


def _is_of_goods(at: Occurrence) -> bool:
    """True if the object precedes its verb and isn't a share."""
    return bool(SOLD_GOODS.search(" ".join((*(clause.text for clause in at.unmarked), at.before))))


def _is_cleft(at: Occurrence) -> bool:
    cleft = CLEFT.search(at.lead_in + at.reading.text)
    return bool(cleft and cleft.start() < len(at.lead_in) + len(at.before) < cleft.end())


def from_own_pronoun(at: Occurrence) -> str:
    """Returns the rest of the clause, starting at the phrase's final pronoun if it has one (`not touching it`)."""
    pronoun = FINAL_PRONOUN.search(at.words)
    return at.words[pronoun.start() :] + at.after if pronoun else at.after


def object_of(after: str) -> str:
    """Classifies the object in the words after a verb."""
    if COUNTED_STOCKS.match(after):
        return "pronoun"  # bought | all three chip stocks
    if SUCH_AS.match(after):
        return "named"
    if IN_AN_ACCOUNT.match(after):
        return "nothing"
    lead = OBJECT_LEAD.match(after)
    end = lead.end() if lead else 0
    led_by, rest = after[:end], after[end:].split(" ", 2)
    if rest[0] == "§":
        return _stock_or_belonging(rest)
    if rest[0] == "¤":
        return "asset"
    if SHARES.search(led_by) and not _is_named_after_a_share(led_by, rest[0]):
        return "shares"
    if rest[0] in COMPANIES:
        return "stocks"
    return _object_without_name(after, led_by, rest)


def _object_without_name(after: str, led_by: str, rest: list[str]) -> str:
    """What is bought or sold where neither a name nor a share follows the verb; `rest` comes after `led_by`."""
    if rest[0] in ONE_COMPANY and led_by == " the " and (len(rest) == 1 or rest[1] in AFTER_OBJECT):
        return "pronoun"  # own | the name
    if THIS_NAME.match(after[len(led_by) :]):
        return "named"  # bought | this §
    if rest[0] in DEMONSTRATIVES:
        return _pointed_at(rest)
    if rest[0] in PRONOUNS:
        return "pronoun"
    if rest[0] == "is" and "§" in after:
        return "nothing"  # the one I'm buying | is called §
    if rest[0] == "" or rest[0] in AFTER_OBJECT or rest[0].lstrip("$")[:1].isdigit():
        return "nothing"
    return "thing"


def _is_named_after_a_share(led_by: str, word: str) -> bool:
    """`own | the share taker`, `read | stock charts`, but `sold | stock yesterday`"""
    return led_by.endswith((" share ", " stock ", " equity ")) and word not in AFTER_OBJECT | {"", "is"}


def _stock_or_belonging(rest: list[str]) -> str:
    """`§`, but not `an § card` or `§ 's margin`."""
    if len(rest) > 1 and rest[1] in PRODUCTS:
        return "belonging"
    belongs = len(rest) > 1 and rest[1] == POSSESSIVE
    return "belonging" if belongs and not SHARES.match(rest[-1]) else "named"


def _pointed_at(rest: list[str]) -> str:
    """Classifies `this` by the word after it."""
    if len(rest) > 1 and rest[1] in TIME_WORDS:
        return "nothing"  # bought more | this morning
    alone = len(rest) == 1 or rest[1] in AFTER_DEMONSTRATIVE
    return "pronoun" if alone else "thing"
