"""The phrases by which a speaker buys, holds or sells, and the patterns that take a phrase's force away.

All of them read a clause as `stance.read` writes it out.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass

from functions.core.models import Sentiment
from functions.providers.rules.vocabulary import names, pattern, phrases, rewritings, words


@dataclass(frozen=True, slots=True)
class Phrase:
    name: str
    """Its section of phrases.txt."""
    sentiment: Sentiment
    pattern: re.Pattern[str]
    about_subject: bool
    """`§ is a buy` speaks of what stands before it, `buy §` of what follows."""
    negatable: bool
    """`do not touch` carries its own negation."""
    denied: Sentiment
    """What a negation makes of it: who does not sell holds, who does not buy has only spoken of the stock."""
    needs_speaker: bool
    """`bought` needs a person who did it, `stay away` does not."""
    triggers: frozenset[str]
    trigger_phrases: tuple[str, ...]
    """A clause without one of these does not have it, and need not be searched."""

    def may_be_in(self, said: Collection[str], text: str) -> bool:
        return not self.triggers.isdisjoint(said) or any(phrase in text for phrase in self.trigger_phrases)


def _phrase(
    name: str,
    sentiment: Sentiment,
    *,
    about_subject: bool = False,
    negatable: bool = True,
    denied: Sentiment = Sentiment.MENTIONED,
    needs_speaker: bool = True,
) -> Phrase:
    found = phrases(name)
    spelled = frozenset(word[:STEM] for word in WORD.findall(found.pattern))
    triggers = frozenset(trigger for trigger in TRIGGERS if trigger[:STEM] in spelled)
    trigger_phrases = tuple(
        phrase for phrase in TRIGGER_PHRASES if spelled.issuperset(word[:STEM] for word in WORD.findall(phrase))
    )
    return Phrase(name, sentiment, found, about_subject, negatable, denied, needs_speaker, triggers, trigger_phrases)


TRIGGERS = words("triggers")
TRIGGER_PHRASES = tuple(names("trigger phrases"))
"""Each phrase has one of these in it."""
WORD = re.compile(r"[a-z]+")
STEM = 3
"""Letters by which a trigger is found in a pattern, which may spell its end in several ways: `favou?rites?`."""
PHRASES = (
    _phrase("shorts and puts", Sentiment.SELL),
    _phrase("longs and calls", Sentiment.BUY),
    _phrase("covered calls", Sentiment.HOLD),
    _phrase("hold fixed", Sentiment.HOLD, negatable=False, needs_speaker=False),
    _phrase("sell fixed", Sentiment.SELL, negatable=False, needs_speaker=False),
    _phrase("buy predicate", Sentiment.BUY, about_subject=True, needs_speaker=False),
    _phrase("bargain", Sentiment.BUY, about_subject=True, needs_speaker=False),
    _phrase("hold predicate", Sentiment.HOLD, about_subject=True, needs_speaker=False),
    _phrase("sell predicate", Sentiment.SELL, about_subject=True, needs_speaker=False, denied=Sentiment.HOLD),
    _phrase("warning", Sentiment.SELL, about_subject=True, needs_speaker=False),
    _phrase("own position", Sentiment.HOLD, about_subject=True, needs_speaker=False),
    _phrase("having", Sentiment.HOLD),
    _phrase("disliking", Sentiment.SELL, negatable=False, needs_speaker=False),
    _phrase("position bought", Sentiment.BUY),
    _phrase("position sold", Sentiment.SELL, denied=Sentiment.HOLD),
    _phrase("traders get out", Sentiment.SELL, denied=Sentiment.HOLD),
    _phrase("traders get in", Sentiment.BUY),
    _phrase("being in", Sentiment.BUY),
    _phrase("buy verb", Sentiment.BUY),
    _phrase("sell verb", Sentiment.SELL, denied=Sentiment.HOLD),
    _phrase("hold verb", Sentiment.HOLD),
    _phrase("hold past", Sentiment.HOLD),
    _phrase("owning", Sentiment.HOLD),
    _phrase("liking", Sentiment.BUY),
)
"""An earlier phrase takes its words before a later one can."""

STATES = frozenset({"own position", "having", "owning", "liking", "disliking", "being in"})
"""What a speaker has, likes or dislikes counts only in a clause without anything the speaker does."""
NO_ADVICE = phrases("no advice")
"""Everyday phrases with a buying or selling word in them."""

FIRST_PERSON = words("first person")
SECOND_PERSON = words("second person")
THIRD_PERSON = words("third person")
OTHER_PEOPLE = words("other people")
OWN = words("own")
NOUNS_OF_TRADES = frozenset({"buy", "sell", "trim", "exit", "short"})
SOMEBODYS = pattern(r"(?<!stock)(?<!company)(?<!week)(?<!month)(?<!year)(?<!today)'s$")
ARTICLE = pattern(r"(?:an?|still|the|my|our)(?!\w)")
"""`goldman's top pick` is somebody's, `the stock's a buy` is not."""
RELATIVE = pattern(r"(?<!\w)(?:my|our|your|his|her) \w+'s (?:\S+ )?$")
SOMEBODY_HOLDS = pattern(r"(?<!\w)(?:holds|owns|buys|sells|contains|includes|invests)(?!\w)")
"""`The index holds everything, | buying § and §`"""
STATE_VERBS = words("state verbs")
MODALS = words("modals")
LINKS = words("links")
"""A verb after one of these has its subject further back, or none."""
SPEECH = phrases("speech")
"""Somebody else's opinion is being reported."""
TOLD = pattern(
    r"(?<!\w)(?:you|people|they|everyone|some|viewers?|others|bears|bulls|critics|experts|he|she) (?:\S+ )?"
    r"(?:think|say|saying|said|want|wanted|tell|telling|told|asked?)(?: me)?(?: that)? (?:i|we|me|you)(?!\w)"
    r"|(?<!\w)(?:says|writes|wrote|asks)(?: to)?(?: that| me| us)? (?:i|we|you)(?!\w)"
)
"""`A few of you think I should buy it`, `my son says I should buy it`."""
QUOTES = pattern(
    r"^(?!(?:.* )?(?:i|we|it|that|this|which|data|report) (?:\S+ )?(?:says|writes|wrote)(?!\w))(?:\S+ ){1,8}"
    r"(?:says|writes|wrote(?: in)?(?: and said)?|emailed|commented)(?: (?:hey|hi|dear|so|well|okay))?(?: \w+)?$"
    r"|(?<!\w)(?:you|he|she|they|people|everyone|everybody) (?:are|is|was|were) like$"
    r"|(?<!\w)(?:by|there and|be|keep|kept) say(?:ing)?(?: (?:look|hey|oh|okay|well|listen|yeah|you know))*$"
    r"|(?<!\w)(?:say|saying) (?:hey|look|oh|okay)$"
    r"|(?<!\w)(?<!as )(?<!like )(?<!what )(?:you|he|she|they|people|everyone|everybody|somebody|someone|guy)"
    r" (?:\S+ ){0,4}(?:say|says|said|go|goes|told me)$"
)
"""`Brian says, Tom, | I sold it`: a comment that is read aloud; `somebody might say, hey, | I'm buying it`."""
OTHERS_THINK = pattern(
    r"(?<!\w)(?:people|they|everyone|everybody|some|many|most|investors|he|she|others) (?:\S+ )?"
    r"(?:think|thinks|thought|believe|believes|believed|call|calls|called|consider|feel|argue|view|see)"
    r"(?: that)? (?:\S+ ){0,3}$"
)
"""`Most people think § is | a must own`"""
QUOTED = pattern(
    r"(?<!\w)(?:you|he|she|they|these|those|people|everyone|everybody|somebody|someone|investors) "
    r"(?:are|is|was|were|be|will be|go|goes) (?:all )?like (?:\S+ ){0,4}$"
)
"""`Those people were like, | buy it`"""
RATING_FIRMS = words("rating firms")
RATED_BY = pattern(
    r"^ (?:for|from|by|at|according to) (?:(?:\S+ ){0,3}(?:analysts?|street|brokers?|banks?)(?!\w)|[§¤])"
)
OWN_RATING = pattern(
    r"(?<!\w)(?:i|we|our|my) (?:\S+ ){0,3}"
    r"(?:rate|rated|rating|downgraded?|upgraded?|initiated?|are|have|lower|say)(?!\w)"
)
COMPANY_ACTS = pattern(r"[§¤] (?:has )?(?:bought|sold|cut|put|took|kept|\w+ed)(?!\w)")
"""`§ sold its oldest unit and bought …`"""
BEFORE_A_VERB = words("between a subject and its verb")
"""`i [am still slowly] buying`; in `i [think] betting against it` nobody bets."""
BEFORE_A_PARTICIPLE = words("before a participle")
BEFORE_A_GERUND = words("before a gerund")
"""`for me the cost of | buying it`"""
GERUND_SUBJECT = pattern(
    r"^(?: (?!i |we |you |they |and |but |because |while )\S+){1,6}"
    r" (?:is|was|means?|meant|makes?|made|would|will|could|can|has|requires?|feels?|felt|takes?)(?!\w)"
    r"(?! (?:(?:a|the|my|our|what|very|such|so|lot|of|perfect|total) )*"
    r"(?:sense|good|great|right|smart|best|plan|move|what|easy|perfect|brainer|no|i|we)(?!\w))"
)
"""`Buying | § here is a gamble`: the deed is spoken of, and nobody does it; `buying § here makes sense` is advice."""
STANDS_FOR_A_STOCK = words("stands for a stock")
BEFORE_A_VERDICT = (BEFORE_A_VERB | words("between a stock and a verdict")) - STANDS_FOR_A_STOCK
"""`this is [one of my most] favourite stocks`"""
EXAMPLE = phrases("example")
"""What is said to teach, not to advise."""
FOR_EXAMPLE = pattern(r"(?<!\w)for (?:example|instance)(?!\w)")
OTHER_CLAUSE = words("starts another clause")
TELLS_OF_SHARES = pattern(r"(?<!\w)(?:shares|calls|contracts|position|ones|reason|reason why|when|remember)$")
"""`… the shares | we bought` are old ones, `the reason | we got into §` is a story."""
THIS_WEEK = pattern(r"(?<!\w)(?:today|yesterday|this (?:morning|week|month)|last (?:night|week))(?!\w)")
"""`The reason | we bought § this week` tells of a trade that is new."""
COMPANY_PLANS = pattern(
    r"[§¤] (?:expects|plans|wants|hopes|needs|intends|continues|aims|tries|is going"
    r"|(?:(?:is|was|has|have|had|will|can|could|also|now|been|gets|got) ){0,2}(?:the |a |an |announced |signed )?"
    r"(?:rights?|options?|warrants?|plans?|deal|agreement|agreed|offered|decided|trying|looking|planning|able|set|talks)"
    r"(?: in place)?) to (?:\S+ )?$"
)
"""`§ expects to sell more of its planes`, `§ has the right to buy shares`"""
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
SOMEBODY_PLANS = pattern(r"(?<!\w)(?:wants|plans|hopes|intends|expects|offers|aims|tries|decides|needs) to (?:\S+ )?$")
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
    r"|(?:people|they|you guys|investors|others|some) (?:are|were|have been|keep)) (?:\S+ )?$"
)
"""`I get why people would | sell it`"""
OTHERS_ACT = (OTHERS_WHO, LET_US, INVESTORS_DO, SOMEBODY_PLANS, TOLD_TO, SEEN_TO, COMPANY_MAY, WHY_OTHERS)
PLAYS_A_PART = pattern(r"(?:buyer|seller)s?$")
IS_SOMEBODY = pattern(r"(?<!\w)(?:is|are|was|were|has been|have been|been|became|remains?) (?:\S+ )?$")
"""`§, which is | a big buyer` of somebody's goods."""
AGREES = pattern(
    r"(?<!\w)(?:(?:so|neither|nor) (?:am|do|did|have) (?:i|we)|(?:i|we) (?:am|do|did|have) too|me too|i agree)(?!\w)"
    r"|^(?:of )?(?:which|as|like) (?:i|we) (?:am|are|do|did)$|^(?:(?:like|including) (?:me|myself|us)|me being one)$"
    r"|^(?:myself|me) (?:included|being one of them)$"
)
"""`Insiders are buying, | and so am I`, `if you are a shareholder, | which I am`"""
IF_I = pattern(r"(?<!\w)(?<!even )(?:if|imagine|as though) (?:i|we) (?!(?:had|have) to )(?:\S+ ){0,2}$")
"""`if I [still] own it`, `if we | sold it`: nobody says that he does."""
CONFIRMS = pattern(
    r"^(?:(?:yeah|yes|yep|right|correct|exactly|absolutely)$|(?:(?:yeah|yes|yep) )?(?:i|we) (?:did|have|do)$)"
)
"""`You bought more of it. | I did.`"""
TOLD_TO_A_GUEST = pattern(
    r"^(?:(?:and|so|but|now|okay|well|i know|i see|i think|also|then) )*you (?:have |also |just |then )*$"
)
"""`So you | bought more of §`: a host tells what the guest has done."""
YOU_CAN = pattern(r"(?<!\w)you (?:can|could) (?:\S+ )?\S+$")
EVERYBODY_SHOULD = pattern(r"(?:everyone|everybody) (?:should|must|ought to|needs to|has to)(?!\w)")
"""`Everyone should | own it`"""
IF_YOU = pattern(r"(?<!\w)(?:if|unless|when|once|before|after) (?:you|anyone|investors)(?!\w)")
IF_YOU_OWN = pattern(
    r"(?<!\w)(?:if|when) (?:you|anyone) (?:\S+ ){0,3}(?:own|owned|owns|have|hold|holding|bought|in|got|like|want"
    r"|believe|missed|need|followed|agree|owning|long)(?!\w)(?: \S+)|(?<!\w)(?:should|ought)(?!\w)"
)
"""`If you own it, sell` is advice to those who do."""

CLEFT = pattern(
    r"(?<!\w)(?:stock|company|name|one|pick|purchase)s? (?:that |which )?(?:i|we) (?:\S+ ){1,12}"
    r"(?:is|are|was|were|would be|will be|has to be|have to be|going to be) (?:\S+ ){0,6}§"
)
"""`The stock that I would buy with this money today is §`"""
OBJECT_LEAD = pattern(
    rf"^ ?(?:(?:{'|'.join(sorted(words('object lead words')))}|\$?\d+|(?:company|stock|name) called"
    r"|(?:companies|stocks|names|something) (?:like|such as))(?: |$))*"
)
"""The words between a verb and its object: `bought [a few more shares of] §`."""
SHARES = pattern(rf"(?<!\w)(?:{'|'.join(sorted(words('share words')))})(?!\w)")
PRONOUNS = words("object pronouns")
DEMONSTRATIVES = words("demonstratives")
THIS_NAME = pattern(r"(?:this §|(?:this|that) (?:stock|company|name|business)(?: of| called| named)? §)(?! 's)(?!\w)")
PRODUCTS = words("products")
"""`bought an § card` is no share."""
COMPANIES = words("company words")
_SUCH_AS = (
    r"(?:(?<!looks )(?<!feels )(?<!sounds )(?<!seems )(?<!is )(?<!was )(?<!this )(?<=s )like|such as|including"
    r"|specifically|especially|particularly|in particular|namely|mainly|mostly|notably)"
)
SUCH_AS = pattern(
    rf"^ (?:(?!and |but |because |so |i |we |you |it |them |§ |¤ )\S+ ){{1,9}}{_SUCH_AS}(?: an?| the)? §(?! 's)"
)
"""`adding to | some of the banks, specifically §`"""
MEMBERS_FOLLOW = pattern(rf"^(?:(?:names|stocks|companies|things) like|{_SUCH_AS})(?: an?| the)? §(?! 's)")
"""`We're adding to the banks, | especially §`"""
HAS_ITS_OBJECT = pattern(rf"{SHARES.pattern}|(?:profits?|gains?|loss|losses)$")
"""`trim my position`, `take profits`: what follows is not what was sold."""
GOES_IN = pattern(r" in(?:to)?$")
TRADES = pattern(r"(?:{buy,sell}|buys)$")
"""Plain buying and selling, of shares or of anything else."""
NO_OBJECT_LEAD = pattern(r"(?<!\w)(?:at|from|for|and|while|then|through|with)(?!\w)")
"""`buy my coffee at §`, `bought popcorn and watched §`: what follows is not what was bought."""
AFTER_OBJECT = words("after an object")
"""`bought [it] today`, `sold [it] because`: a verb before one of these has no object of its own."""
AFTER_DEMONSTRATIVE = AFTER_OBJECT | COMPANIES | words("after a demonstrative") | {"§"}
"""`sold this [company]`, `sold that [whole thing]`: what was spoken of."""

ANNOUNCES = ((Sentiment.BUY, phrases("announces buys")), (Sentiment.SELL, phrases("announces sells")))
"""`Here are five stocks I'm buying`: what is said of each name on the list."""
ASKS_FOR = ((Sentiment.BUY, phrases("asks for buys")), (Sentiment.SELL, phrases("asks for sells")))
"""`What are you buying here?`: the name that answers is bought."""
GIVES_A_NAME = pattern(
    r"^(?:(?:well|yeah|yes|so|sure|and|look|okay|i think|i mean) )*(?:(?:i|we) (?:\S+ ){0,4}"
    r"(?:say|like|love|at|with|highlight|mention|favou?r|about|pick|choose|be|is)"
    r"|(?:it|that|there|one) (?:is|would be)) "
    r"(?:(?:a|an|the|some|of|like|course|my|our|names?|stocks?|something) )*§"
)
"""`I would say §`, `we are looking at §`: an answer to that."""
LISTED = words("listed")
LISTS_NAMES = pattern(r"(?:are|is|include|includes|would be|remain|continue to be|namely) (?:\S+ ){0,2}§")
"""`My top stocks for this year are §, § and §`"""
THEY_ARE = pattern(
    r"^(?:(?:and|so|now) )*(?:they|these|those|the (?:stocks|names|companies)) (?:are|include|would be|will be)"
    r"(?: going to be)? (?:(?:stocks|names|companies) like )?(?=(?:\S+ ){0,2}§)"
)
"""`Here is what I bought. | They are going to be names like § and §`"""
LIST_ITEM = phrases("list item")
PUT_FORWARD = phrases("put forward")
"""`My second pick`, `stock number two`: the speaker puts a stock forward, whether or not a list was announced."""
ROUND = phrases("round of picks")
"""`Final trades`: each of a panel names a stock, mostly without a verb."""
ROUND_ENDS = phrases("round ends")
SPEAKS_ON = pattern(
    r"(?<!\w)(?:(?:the|this) (?:stock|company|shares|business|name)|it is|it has|they are|they have)(?!\w)"
)
"""The stock last named is still what is spoken of."""
TURNS_TO = pattern(
    r"(?<!\w)(?:(?:back|on|over|turn|turning|come|coming|go|going|move|moving|get|getting|switch|switching) to"
    r"|(?:talk|talking|talked|what|how|ask|asked|asking|question|questions|thoughts|tell you) about|as for"
    r"|(?:look|looking) at|speaking of|thoughts on|view on|take on) (?:\S+ )?§"
)
"""`Back to §`, `what about §`: from here on § is spoken of."""
STOCK_TO_COME = pattern(
    r"(?:^|(?<!this is)(?<!that is)(?<!it is)(?<!which is)(?<!one is)(?<!these are)(?<!those are)(?<!they are)"
    r"(?<!was)(?<!be)(?<!not)(?<!as)(?<!like)(?<!it)(?<!of)(?<!the)(?<!these)(?<!those) )"
    r"(?:a|one|another|one more|(?:the|my|our) (?:next|last|other)|\d+|two|three|four|five|six|seven|eight|ten)"
    r"(?: (?!stocks?|compan|names?)\w+)? (?:stocks?|company|companies|names?)(?: that| which)? (?:i|we)(?!\w)"
    r"|(?<!\w)(?:show|tell|give|reveal|share|get to|got|discuss|here is|here are|talk about)"
    r"(?: you| with you)?(?: about)? (?:the|my|our)(?: \w+)?"
    r" (?:stocks?|company|companies|names?|ones?)(?: that| which)? (?:i|we)(?!\w)"
    r"|^(?:(?:and|so|but) )*the (?:\w+ )?(?:names|companies|stocks)(?: that| which)? (?:i|we)(?!\w)"
    r"|^(?:stocks|companies) (?:that )?(?:i|we|you) (?:\S+ )?(?:must|should|need|have|am|are|would)(?!\w)"
    r"|(?:^|(?<!\w)(?:buying|selling|at|to|with) )(?:stock |pick )?number"
    r" (?:\d+|one|two|three|four|five|six|seven|eight|nine|ten)$"
)
"""`Let's get to a stock | I sold today`: one that has not been named yet."""
UNKNOWN_POSITION = pattern(
    rf"(?<!\w)(?:my|our) (?!(?:{'|'.join(sorted(words('kinds of position')))}) )[a-z]+ (?:position|stake|shares)(?!\w)"
)
"""`I sold half of my zorblat position`: a stock whose name nobody knows."""
UNKNOWN_NAME_IS = pattern(
    r"^(?:(?:and|but|so|while|then) )*(?!(?:it|this|that|which|there|here|they|these|those|the|my|our|an?|one|i|we|you"
    r"|what|who|he|she|number|first|second|third|next|last|another|and|but|so|while|then) )(?:[a-z]+ ){1,4}"
    r"(?:is|was) (?:\S+ )?(?:one|a stock|a name|a company)(?: that| which)? (?:i|we)(?!\w)"
)
"""`Zorblat Holdings is one that I would sell`: not the stock named before it."""
NEXT_PICK = pattern(r"(?:our|my|the|your) (?:next|first|second|third|last) ")
"""`Your second pick` is named after it."""
SOME_STOCKS = pattern(
    r"^(?: (?!§|¤|it |them |and |but |because |so |i |we |you )\S+){0,5}"
    r" (?:stocks|companies|names|businesses|equities)(?!\w)(?! like (?:this|it|that|these|§))"
)
"""`taking profits on | these stocks`, `selling | some of the weaker names`"""
OPENS_PORTFOLIO = pattern(
    r"^(?:(?:and|so|now|but|okay|then) )*(?:in|inside|within|across|looking at|as for) (?:of )?(?:my|our) (?:\S+ ){0,2}"
    r"(?:portfolios?|accounts?|holdings|positions)(?: (?:today|right now|now|this (?:week|month|year)))?(?=$| §)"
    r"|^(?:(?:and|so|now|but|okay|then) )*(?:my|our) (?:\S+ )?(?:portfolio|holdings|positions)"
    r" (?:is|are|consists? of|includes?)(?: (?:now|currently|made up of))?$"
)
"""`In my portfolio | § is up and § is down`: what the sentence goes on to name is owned."""
_ALL_THREE = r"(both(?! §)|(?:(?<=all )|(?<=these )|(?<=those )|(?<=the ))(?:two|three|four|five|six))(?!\w)"
ALL_OF = pattern(rf"^(?: up)?(?: more)?(?: of| to)? (?:all (?:of )?(?:the |these |those )?)?{_ALL_THREE}")
HOW_MANY = pattern(rf"(?<!\w){_ALL_THREE}(?! (?:years|months|weeks|days))")
COUNTS = {"both": 2, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
"""`I bought all three`: as many as were named together last."""
COUNTED_STOCKS = pattern(
    r"^ (?:(?:to|of|in|into|on) )?(?:both|(?:all|these|those) (?:two|three|four|five|six))(?: of (?:these|those))?"
    r"(?: \w+)? (?:stocks|companies|names|businesses|positions)(?!\w)"
)
THOSE_ARE = pattern(
    r"(?<!\w)(?:these|those|they) (?:are|were|would be) (?:\S+ ){0,2}"
    r"(?:two|three|four|five|six|ones|stocks|names|companies)(?: that| which)?$"
    r"|§ (?:are|were) (?:both|all) (?:\S+ )?(?:stocks|names|companies|ones)(?: that| which)?$"
)
"""`§, § and §. Those are the ones | I'm buying`, `§ and § are both stocks | I'm buying`"""
SAME_AGAIN = pattern(
    r"^(?:(?:and|so|but|okay|then|it is|that is|pretty much|i did) )*(?:the )?(?:exact )?"
    r"(?:same(?: (?:thing|goes|deal|story|treatment|again|here|i|we|have|did|do|gave|given|done|applies))*"
    r" (?:for|with|to)|ditto(?: for| with)?) (?:my |our )?§"
    r"|^(?:and )?(?:my |our )?§ (?:too|as well|same thing|same story|same deal|ditto)$"
    r"|^(?:(?:and|so|then|i think) )*§ (?:is|was|would be) (?:another|the other)(?: one| name| stock| pick| buy)?"
    r"(?: of (?:those|them|these))?$"
    r"|^(?:(?:and|so|then) )*(?:another|the other)(?: one| name| stock| pick| buy)? (?:is|was|would be) §$"
    r"|^(?:(?:and|then) )*followed (?:closely |then )?by (?:my |our |a |an )?§"
)
"""`Same with §`, `§ too`, `§ is another`, `followed by §`: what was done with another is done with this one."""
PRESENTS = pattern(
    r"^(?:(?:and|so|but|now|okay) )*(?:which|that|this|it|(?:the|that|this) (?:stock|company|name|business|ticker))"
    r"(?: one)?(?: i am talking about| of course)? (?:is|was|would be|has to be|will be)"
    r"(?: (?:of course|going to be|none other than|called|actually|ticker|symbol))* (?:an? |the )?§"
)
"""`The one I think is an easy buy | which is §`, `one I am buying | and that stock is §`"""
NAMED_NEXT = pattern(r"^(?:\S+ ){0,3}§(?! (?:i|we|you)(?!\w))")
"""`I'm still buying it. | To me § is the best of them`, but not `I'm buying that | § I do not know`"""
OF_THE_LAST = pattern(r"^(?:(?:and|so|but) )*(?:it|this|that|this one|that one|they) (?:is|are|was|has|remains)(?!\w)")
"""`It's my biggest position, | § is the second`: said of the stock before."""
RECENT = phrases("recent")
PRICED = pattern(r"^(?: \S+){0,3} (?:at|for|under|below|around) \$?\d")
SPONSOR = phrases("sponsor")
SHOULD = pattern(
    r"(?<!\w)(?:should|must|ought|got to|have to|need to|(?:want|need|urge|encourage|advise) you to)(?!\w)"
    r"|(?<!\w)(?:i|we) (?:\S+ )?(?:think|believe|say) you (?:buy|sell|own|add|trim|hold|take|get|stay|avoid)(?!\w)"
)
"""`You should | buy it`, `I want you to | buy it`, `I think you buy it`"""
WANT = pattern(
    r"(?<!\w)(?:want|wanted|trying|try|tried|like|love|looking|hope|hoping|wish|able|need|supposed) to (?:\S+ ){0,2}$"
)
WOULD_DO = pattern(r"(?<!\w)(?:would|could) (?:\S+ ){0,2}$")
FUTURE = pattern(r"(?<!\w)(?:will|going to|about to|plan to|planning to|go ahead and) (?:\S+ ){0,2}$")
DID = pattern(r"(?<!\w)did (?:\S+ )?$")

MINE = pattern(r"(?<!\w)(?:my|our)(?!\w)")
PARTICIPLE = pattern(r"^(?:bought|sold|added|trimmed|held|kept|dumped|shorted|owned|taken|gotten)(?!\w)")
HEDGE = phrases("hedge")
MAYBE = pattern(r"(?<!\w)(?:maybe|perhaps|possibly)(?!\w)")
ENDS_IN_MAYBE = pattern(r"(?<!\w)(?:maybe|perhaps|possibly|not sure)$")
"""Captions part `maybe | we should buy it`."""
RECAP = phrases("recap")
"""A past tense beside one of these tells a story."""
PAST_TENSE = phrases("past tense")
STILL_HELD = pattern(r"^have (?:held|kept|owned|had)(?!\w)(?: \S+){0,6} (?:since|forever|through|throughout|for)(?!\w)")
"""`I have held it since 2009`: a story that has not ended."""
LONG_AGO = pattern(r"(?<!\w)(?:years|months|decades) ago(?!\w)")
"""`my reason for investing in it years ago`: past, whatever the verb's form."""
NARRATION = pattern(
    r"(?<!\w)(?:i|we|they|he|she) (?:\S+ )?"
    r"(?:thought|asked|mentioned|knew|met|had not|did not know|(?:was|were)(?= ))(?!\w)"
)
"""`I was sure …`, but not the answer `I was`."""
TOLD_BEFORE = pattern(
    r"(?<!\w)(?:when (?:i|we) (?:\S+ )?(?:said|told|recommended)|(?:remember|recall) (?:\S+ )?(?:telling|saying)"
    r"|made (?:a|the|my) (?:\S+ )?video)(?!\w)"
)
"""`I remember telling you to | buy it`"""
DID_NOT = pattern(
    r"^(?:(?:and|but|so) )+(?:i|we) (?:(?:did|have|could) not(?: (?:do it|pull the trigger))?|never did)$"
)
"""`I thought I would buy it, | but I didn't`"""
SAID_THEN = pattern(r"(?<!\w)(?:i|we) (?:\S+ )?(?:said|told|argued|suggested|recommended|wrote)(?!\w)")
WHEN_IT_WAS = pattern(
    r"^(?:back )?when (?:it|they|§|the (?:stock|company|shares)|everyone|everybody|nobody|no one|people)"
    r" (?:\S+ )?(?:was|were|had|hated|traded)(?!\w)"
)
"""`I bought § | when it was at ninety`"""
THAT_IS_WHEN = pattern(r"(?<!\w)(?:that|this|it|which) (?:is|was)(?: really| about| actually)?(?: when(?!\w)|$)")
WHEN_I = pattern(r"^when (?:i|we)(?!\w)")
"""`That is | when I looked at § | and I bought it`: a story."""
STORY_VERB = pattern(r"(?<!\w)(?:told|called|was|were|had)(?!\w)")
CHANGE_OF_MIND = phrases("change of mind")

PRESENTED_THEN = pattern(
    r"(?<!\w)(?:highlighted|mentioned|named|called|picked|pitched|recommended|presented|listed|featured|flagged)"
    r"(?: \S+){0,9} as (?:\S+ )?$|(?<!\w)(?:was|were|had been) (?:an? |the )?(?:\S+ )?$"
    r"|(?<!\w)(?:has|have) been (?:an? |the )(?:\S+ )?$"
)
"""`I presented it in May as | my top pick`, `that was a great | time to buy`"""
NEWLY_OWNED = pattern(r"(?<!\w)(?:new|newest|latest|recent)(?!\w)")
STARTED_TO = pattern(
    r"(?<!\w)(?<!did )(?:was|were) (?:(?:continuing|starting|trying|beginning|looking) )?to (?:\S+ )?$"
)
"""`I was continuing to | buy more`, `the trade was to | short it`"""
USED_TO = pattern(r"(?<!\w)(?:was|were|used to be|had been) (?:(?:a|an|the|one|also|once|still|right|there) )*$")
"""`§ was | in my portfolio`"""
REGRETS = pattern(
    r"(?<!\w)(?:should|would|could|wish (?:i|we) had|wish (?:i|we)) not have (?:\S+ )?$|(?<!\w)had not (?:\S+ )?$"
)
"""`I should not have | sold it`: whoever says so has sold."""
PAST_PROGRESSIVE = pattern(r"(?<!\w)(?<!if i )(?<!if we )(?:was|were) (?:(?!going |about |so |and |but )\S+ ){0,2}$")
"""`When we were | buying it`"""
EVENT = phrases("event")
CONDITION = pattern(
    r"^(?:(?:and|but|so|or|only|then|well|because) )*(?:if|when|once|unless|until|as soon as)"
    r"(?! (?:you|anyone|i|we)(?!\w)(?! (?:see|go|get|drop|fall|hit|come|break)(?!\w)))(?!\w)"
)
IN_CLAUSE_CONDITION = phrases("in clause condition")
NOT_YET = pattern(r"(?:^ ?|(?<!\w)but )not (?:at|here|now|yet|today|until|right|up)(?!\w)")
"""`I want to buy it, | just not here`"""
RIGHT_PRICE = pattern(r"(?<!\w)(?:at (?:the|a) (?:right|better|lower|certain) price|becomes (?:an? )?(?:\S+ )?$)")
"""`§ at the right price is | a buy`"""
ONLY_IF = pattern(r"^(?:but )?(?:only )?(?:if|unless|assuming|provided|as long as)(?! (?:you|anyone|i|we)(?!\w))(?!\w)")
"""`It is a buy | if rates stay low`"""
UNTIL = pattern(r"^(?:until|till|unless|before|if)(?!\w)")
"""`Do not buy it | until it has settled`"""
SUPPOSED = pattern(
    r"(?<!\w)if (?:you|i|we|anyone) (?:\S+ )?(?:think|thought|expect|assume|feel)(?!\w)"
    r"|(?<!\w)if (?:i|we) (?:was|were)(?!\w)|^(?:(?:and|but) )?had (?:i|we|you) (?:\S+ )?$"
    r"|(?<!\w)let (?:it|this|that|them|§|the stock) (?:come|pull|settle|fall|drop|cool|calm)(?!\w)"
)
"""`If you think demand has peaked, | sell it`; `if I was buying shares of it`"""
FOLLOWS = pattern(
    r"(?<!\w)otherwise(?!\w)|^(?:(?:so|and|well|but) )*then (?:(?:yes|yeah|sure|maybe|of|course) )*"
    r"(?:you|i|we) (?:\S+ )?(?:should|would|could|can|might|must|need|ought)(?!\w)"
)
"""`… | Then you should sell`, which holds only if what was said before it does."""
WOULD = pattern(r"(?<!\w)(?:would|will)(?!\w)")

QUESTION_START = pattern(
    r"^(?:(?:so|and|but|okay|now|or|then) )*(?:is|are|should|would|does|do|can|will|am)"
    r" (?:§|it|this|that|now|i|you|we|they) "
)
INVERTED = pattern(
    r"(?<!\w)(?<!i )(?<!we )(?<!they )(?<!you )(?:should|would|do|did|can|could|am|are|is|will|have|was|were)"
    r" (?:i|you|we|it|this|that|§|they|he|she|these|those)"
    r"(?: (?:stock|one|still|also|even|a|the|be|now|here|good|great|time|to|go|really|not|right|want|going))*\s*$"
)
ASKED = phrases("asked")
TELLS_WHY = pattern(r"(?<!\w)why (?:am|are|did|have|do) (?:i|we) (?!not )(?:\S+ ){0,2}$")
"""`So why am I | buying it?`: whoever gives reasons for a trade has made it."""
ASKS_FOR_A_WORD = pattern(
    r"^(?:(?:so|and|but|okay|now|or|then|all right) )*(?:what|which|who|where|when|why|how)(?!\w)"
)
"""`What is the second pick?`, to which `yes` is no answer."""
OPTION = pattern(r"^(?:(?:or|is|it|a|an|this) )*(?:buy|hold|sell)$")
OTHER_OPTION = pattern(r"(?:or )?(?:an? )?(?:(?:{strong}) )?(?:buy|hold|sell)(?=$| or )")
ASKS_ADVICE = pattern(
    r"(?<!\w)(?:(?:should|do) i|what (?:should|do|can) i|what are your"
    r"|(?:your|any) (?:thoughts|opinion|advice|take)|is it (?:still )?(?:an? )?(?:\S+ )?(?:buy|time|hold|sell)"
    r"|(?:buy|hold)(?: it)? or (?:buy|hold|sell))(?!\w)"
)
"""`I own it. | Should I sell?`, as a viewer asks."""
ASKS_OUTRIGHT = pattern(
    r"(?<!\w)(?:should|do) i (?:\S+ )?(?:buy|sell|hold|keep|add|get out|trim)(?!\w)(?! (?:it|this|that) (?:because|so))"
)
"""The same where captions have no question marks."""
YES = pattern(
    r"^(?:(?:and|so|well|my answer is|the answer is|for me|i say|i think) )*"
    r"(?:(?:yes|yeah|yep|absolutely|definitely|of course|you bet|one hundred percent|for sure)(?!\w)(?! not)"
    r"|(?:i|we) (?:do|did|am|are|would|will)$|(?<=i think )so$|(?:i|we) (?:believe|would say) so$)"
)
NO = pattern(
    r"^(?:(?:and|so|well|my answer is|the answer is|for me|i say|i think|i am|i would|i do) )*"
    r"(?:no|nope|not|absolutely not|definitely not|of course not|no way)(?!\w)(?! to (?:buy|sell|add|own)(?!\w))"
)

NEGATION = phrases("negation")
ALTERNATIVE = pattern(r" or (?:(?!i |we |you |it |§)\S+ ){0,4}$")
"""`not enough to make me buy | or at least buy more`: both are denied."""
CARRIED_NEGATION = pattern(
    r"(?<!\w)(?:not (?:a|an|the|one|something|what|where|how|somewhere)(?: \S+){0,3}"
    r"|(?:the )?last thing|nothing(?: here| there)?|no (?:way|chance|scenario)(?: that| in hell| on earth)?)$"
)
"""`… is not a stock | I'd buy`."""
LAST_TO_BUY = pattern(r"(?<!\w)the (?:very )?last (?:\S+ )?(?:stock|name|company|one|place|business)(?: that)?$")
"""`§ is the last stock | I would buy`"""
DISBELIEF = pattern(r"(?<!\w)(?:do|did|does|would) not (?:\S+ )?(?:think|believe|feel like|mean)(?: that)?$")
"""`I don't think | we should buy it`, `which does not mean | you should sell`"""
DISBELIEVED = pattern(
    r"(?<!\w)(?:do|did|does|would) not (?:\S+ )?(?:think|believe)(?: that)?"
    r" (?:(?!but |and |because )\S+ ){0,4}§ (?:\S+ ){0,3}$"
    r"|(?<!\w)(?:does|did) not (?:\S+ )?mean (?:(?!but |and |because |so )\S+ ){0,16}$"
)
"""`I don't think that § is | a buy`, `which does not mean that § is | a buy`"""
BEING = pattern(r"[§¤] being (?:an? |the )?(?:\S+ )?$")
"""`The idea of § being | a buy`"""
NOT_ADVISING = phrases("not advising")
QUALIFIED_BEFORE = pattern(r"(?<!\w)(?:although|though|while|as much as|get me wrong)(?!\w)")
QUALIFIED_AFTER = pattern(r"^(?:but|however|although|though|except|when it comes to)(?!\w)")
BUT = pattern(r"(?<!\w)(?:but|however|although|as a company|as a business|than|over|versus|compared|in terms of)(?!\w)")
"""`I like §, | but I would wait`, `I like § better than §`: praise that is taken back, or that only compares."""
LIKED_IN_PASSING = pattern(
    r"(?<!\w)(?:(?<!those )(?<!these )(?<!that )reasons?(?: why)?|what|if|things?|whether) (?:i|we|you) (?:\S+ )?$"
)
"""`One of the reasons I | like §`, `see if I | like it`"""
COMPARED = pattern(
    r"(?:^| )(?:than|over|instead of|versus|vs|compared to|compared with|unlike|except|except for|apart from|aside from"
    r"|(?<!bet )(?<!betting )against"
    r"|(?<!stocks )(?<!names )(?<!companies )(?<!something )(?<!i )(?<!we )(?<!really )(?<!do )(?<!still )like)"
    r"(?: (?:in|own|buy|buying|owning|holding|at|my|the))?$|(?:^| )not$"
)
EXCEPT = pattern(r"^(?:but|except|except for|other than|apart from|aside from)(?: not)? §$")
"""`I own all of them | but §`"""
PRONOUN_OBJECT = pattern(
    r"^ (?:(?:to|of|into|on|in|up|out|more|all|some|a lot|half) )*"
    r"(?:(?:it|them|this one|that one|mine|both(?! §))(?= |$)|that(?= §)"
    r"|(?:that|this)(?=$| (?:and|but|at|here|now|because|again|for|in)(?!\w)))"
)
"""`sell it`: what is sold was named before, whatever stock the clause names next."""
SUBJECT_OF = pattern(r"(?:is|was|has|had|will|reported|reports|fell|rose)(?!\w)")
"""`I bought §, § | was up`: what is said of the second is not what was done with the first."""
INTO = pattern(r"(?:^| )into$")
FINAL_PRONOUN = pattern(r" (?:it|them|this one|that one)$")
PLURAL = phrases("plural")

DROPPED = "-"
REWRITTEN = {**rewritings("contractions"), **dict.fromkeys(words("fillers"), DROPPED)}
"""How a word is written out for the patterns."""
