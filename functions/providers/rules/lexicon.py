"""The phrases by which a speaker buys, holds or sells, and those that take a phrase's force away.

Patterns read a clause as `stance.py` writes it out: lower case, contractions opened (`i'm` is `i am`), fillers gone, `§` for
a stock and `¤` for another asset.
"""

import re
from dataclasses import dataclass

from functions.core.models import Sentiment


@dataclass(frozen=True, slots=True)
class Phrase:
    sentiment: Sentiment
    pattern: re.Pattern[str]
    about_subject: bool
    """`§ is a buy` speaks of what stands before it, `buy §` of what follows."""
    weight: float
    negatable: bool
    """`do not touch` carries its own negation."""
    needs_speaker: bool
    """`bought` needs a person who did it, `a hold` does not."""


def _pattern(lines: str) -> re.Pattern[str]:
    alternatives = "|".join(line.strip() for line in lines.strip().splitlines())
    return re.compile(rf"(?<!\w)(?:{alternatives})(?!\w)")


def _verbs(sentiment: Sentiment, lines: str, weight: float = 1.0) -> Phrase:
    return Phrase(sentiment, _pattern(lines), False, weight, True, True)


def _predicates(sentiment: Sentiment, lines: str, weight: float = 1.0) -> Phrase:
    return Phrase(sentiment, _pattern(lines), True, weight, True, False)


def _fixed(sentiment: Sentiment, lines: str, weight: float = 1.0) -> Phrase:
    return Phrase(sentiment, _pattern(lines), False, weight, False, False)


NO_ADVICE = _pattern(
    r"""
    buy ?backs?|buying back(?: shares| stock)?|buy side|sell side|sell ?offs?|selling offs?|sold off|buy ratings?|hold ratings?|sell ratings?
    hold rate|(?:buy|buying) and hold(?:ing)?|hold(?:ing)? (?:up|steady|support|above|below|the line|the gap|the level|company|companies|cost|costs)
    keep(?:ing)?(?= (?!holding|everything|anything)\w+ing(?!\w))
    hold on a (?:second|minute|sec)|hold that thought|took hold|hold(?:ing)? (?:my|your) breath|hold hands
    keep (?:in mind|an eye|your eyes?|watching|asking|going|coming|up|track|it simple|reading|learning|saying|talking|you|your cost|hearing)
    keeps|keeping (?:an eye|up|track|you|score)|kept (?:growing|falling|going|rising|asking|saying|telling)
    add(?:ed|s|ing)? (?:up|that|insult|value|context|customers|users|jobs|features|subscribers|a (?:few|couple)(?: of)? (?:words|things|points))
    sold out|oversold|overbought|best ?sell(?:er|ing)s?|sell (?:more )?(?:cars|phones|chips|products|ads|software|units|coffee|things|stuff)
    sells|selling (?:more )?(?:cars|phones|chips|products|ads|software|units|burgers|shoes)
    (?:buying|selling) (?:pressure|opportunity|opportunities|volume|climax|frenzy|power)|sold (?:more )?(?:cars|phones|chips|products|ads|units)
    short (?:term|interest|squeeze|sellers?|of|answer|version|story|video|list|on|video)|in short|long (?:term|run|time|ago|way|story|haul|as|list|overdue|awaited|lived)
    so long as|as long as|exit (?:strategy|poll|velocity)|close(?:d)? (?:at|up|down|above|below|to|the day|the week)
    holds?|(?:money|stop) loss(?:es)?|short it is|dump truck|get into (?:it|the details|that|this|the numbers)|let us get into|getting into it
    pass(?:ed|ing)? (?:on (?:the )?(?:costs?|savings|inflation)|along|the test|by)|drop(?:s|ped)? (?:a|the) (?:comment|like)
    """.replace("    holds?|", "    ")
)
"""Everyday phrases with a buying or selling word in them."""

PHRASES = (
    _verbs(
        Sentiment.SELL,
        r"""
        (?:buy|buying|bought|own|holding|grabbed|picked up) (?:\S+ ){0,4}puts
        (?:am|are|been|be|going|went|stay|staying|getting|get) (?:net )?short
        short|shorting|shorted|bet(?:ting)? against
        """,
    ),
    _verbs(
        Sentiment.BUY,
        r"""
        (?:sell|selling|sold|writing|wrote) (?:\S+ ){0,4}puts
        (?:buy|buying|bought|own|grabbed|picked up) (?:\S+ ){0,4}(?:calls|leaps|call options)
        (?:am|are|been|be|going|go|went|stay|getting|get|got) (?:net )?long
        """,
        0.9,
    ),
    _verbs(
        Sentiment.HOLD,
        r"""
        (?:sell|selling|sold|write|writing|wrote) (?:\S+ ){0,3}(?:covered )?calls?(?: against)?
        """,
        0.4,
    ),
    _fixed(
        Sentiment.HOLD,
        r"""
        no (?:plans?|intention|intentions|reason|need|wish|desire|rush|interest) (?:to|of|in|for) (?:sell|selling|trim|trimming|touch|let go|leave|exit|get out)(?:ing)?
        no reason for (?:\S+ )?(?:owners|holders) to (?:leave|sell)
        never (?:sell|selling|sold)|(?:will|would) never sell
        neither (?:buying|adding|selling|trimming|add|sell|buy)(?: more)? nor (?:buying|adding|selling|trimming|add|sell|buy)
        no adding no selling|not (?:buying|adding)(?: more| to (?:it|§))? (?:and |or )?(?:not |nor )?(?:selling|trimming)
        doing neither|(?:not|am not) doing anything|do(?:ing)? nothing|not (?:touching|moving)(?: it| a thing)?|see no reason to touch
        (?:am|are|is|it is) not (?:going anywhere|budging|letting go|parting with)|(?:stand|standing|stood) pat|diamond hands|no changes?(?: here| there)?(?= |$)|stay(?:s|ing)? in the (?:drawer|portfolio|account|pension)|stays? (?:exactly )?where it is|nothing to do here
        (?:remain|remaining) (?:a shareholder|invested|an owner|a holder)|not (?:part|parting) with|not for sale
        not (?:sell|selling|sold) (?:a|one)(?: single)? share
        no (?:plans|reason) to (?:do anything|change anything)|(?:stays|staying|stay) (?:put|invested)|continu(?:e|es|ing) to (?:hold|own)|happy to (?:hold|keep)
        """,
    ),
    _fixed(
        Sentiment.SELL,
        r"""
        (?:do|would|will|should|can|could) not (?:want to )?(?:touch|go near|come near|be anywhere near|own|chase|buy) (?:it|this|that|§|them|this one|that one|this stock|this thing)? ?with (?:a|your|my|someone)
        (?<!did )not (?:want to )?(?:touch|go near|be anywhere near|come near) (?:it|this|that|§|them|any|these|the)
        (?:would not|do not want to) own (?:it|this|that|§|them|any|these|the)
        (?:want|wanted) nothing to do with|want no part of|(?:would|do) not be caught
        stay(?:ing)? (?:far |well |the hell |clear )?away|steer(?:ing)? (?:well )?clear|keep(?:ing)? (?:well |far )?away|stay(?:ing)? (?:out|clear)|stay(?:ing)? on the sidelines
        give (?:it|§|this|this one|them|that one) a (?:miss|wide berth)|bargepole|barge pole|ten foot pole|save yourself|(?:forget|skip) (?:it|§|about it|about §|this one|this stock)(?= |$)(?! your)
        hard pass|no thank you|no thanks|run away|run for the hills|look elsewhere|follow me out|uninvestable|toxic
        (?:i am|we are) (?:completely |all |totally |now )?out(?= |$)(?! of (?:time|cash|money|ideas|town|here))|(?:am|are) done with|washed my hands|not worth (?:owning|holding|the risk|buying)
        """,
    ),
    _fixed(
        Sentiment.SELL,
        r"""
        (?<!i )(?<!we )(?<!they )(?<!you )(?<!people )do not (?:ever )?(?:buy|chase|own|bother with)(?! more| any more| yet| here either| into| the dip| it here| too| all)
        """,
        0.6,
    ),
    _predicates(
        Sentiment.BUY,
        r"""
        (?:a|an|as|to|at|is|our|my|the|and|these are|they are) (?:(?:very|pretty|real|such|absolute|total|clear|strong|screaming|conviction|easy|great|good|solid|speculative|table pounding|long term|obvious|definite|clean|outright|firm|better|buy) ){0,2}(?<!to )buys?(?! it| this| that| more| some| §| ¤| and hold| shares| the| if| into| back| your| a| up| them| at| or| in)
        (?:strong|screaming|conviction|table pounding|obvious|no brainer|easy) buys?
        (?:a|still|net|be) (?:big |happy |aggressive |steady |net |willing )?buyers?
        favou?rite (?:\S+ )?(?:buys?|longs?|stocks?|picks?|names?|ideas?|plays?|trades?)
        (?:top|number one|number 1|best|biggest|highest|high|main|core|first) (?:\S+ )?(?:picks?|ideas?|convictions?)
        no brainer|preferred (?:name|pick|stock|idea|choice)|worth (?:buying|owning|adding|accumulating|a starter position)
        must (?:own|buy|have)|rated? (?:§ |it |this |that )?(?:a |as a )?(?:strong )?buy|backed up the truck
        the one to (?:own|buy)|the one i (?:would |want to )?(?:own|buy)
        """,
    ),
    _predicates(
        Sentiment.HOLD,
        r"""
        (?:a|an|as|to|at|is|still|our|my|the|remains|stays|rate|rated) (?:(?:very|pretty|clear|strong|firm|solid|long term|comfortable|easy|total|core|just|only|simple|hard|still) ){0,2}holds?(?! on| it| this| that| my| §| up| onto| through| for a| their| his| her| back| your| its| what| all| them| some| rate)
        rate(?:d)? (?:§ |it |this |that )?(?:a |as a )?hold|stays? (?:in|right where)(?! the news)|untouched|unchanged position|core (?:holding|position)
        """,
        0.95,
    ),
    _predicates(
        Sentiment.SELL,
        r"""
        (?:a|an|as|to|at|is|our|my|and) (?:(?:very|pretty|clear|strong|screaming|conviction|hard|easy|solid|definite|firm|outright|long term) ){0,2}(?<!to )sells?(?! it| this| that| more| some| §| my| your| off| one| a| the| if| into| at| in| or)
        rated? (?:§ |it |this |that )?(?:a |as a )?(?:strong )?sell|a pass|(?:a|still|net|be) (?:\S+ )?(?<!short )(?<!best )sellers?|off my list|dead to me|the one to avoid
        """,
    ),
    _verbs(
        Sentiment.BUY,
        r"""
        buy|buying|bought|buys
        add|adding|added|accumulate|accumulating|accumulated|load up|loading up|loaded up|loading the boat|loaded the boat|load the boat
        (?:pick|picking|picked) (?:(?:it|some|more|them|this|that|§) )?up|(?:scoop|scooping|scooped|snap|snapping|snapped|gobble|gobbling|gobbled|hoover|hoovering|hoovered) (?:(?:it|some|more|them|this|that|§) )?up
        (?:grab|grabbing|grabbed)(?= (?:\S+ ){0,3}(?:shares|more|some|it|this|§))|nibble|nibbling|nibbled
        (?:start|starting|started|open|opening|opened|initiate|initiating|initiated|take|taking|took|taken|build|building|built|establish|establishing|established|put on|enter|entering|entered) (?:up )?(?:a|an|my|our|out a)? ?(?:\S+ ){0,2}position
        (?:increase|increasing|increased|grow|growing|grew|raise|raising|raised|upped|boost|boosting|boosted) (?:my|our|the|your) (?:\S+ )?(?:position|stake|holding|exposure|weighting)|made (?:it|that|§) (?:larger|bigger)
        (?:double|doubling|doubled|triple|tripling|tripled) down|dollar cost averag(?:e|ing|ed)|dca(?:ing|ed)?|(?:average|averaging|averaged) (?:down|in|into)
        (?:top|topping|topped) (?:(?:it|them|my|§) )?up|(?:back|backing) up the truck
        (?:get|getting|got|jump|jumping|jumped|step|stepping|stepped|dip|dipping|dipped|wade|wading|waded|rotate|rotating|rotated|move|moving|moved|roll|rolling|rolled|switch|switching|switched) (?:my toes? |back |money |some money |it |the money |the proceeds |straight )?(?:in|into)(?= |$)
        invest|investing|invested(?= in)|pounding the table|pound the table|reinvesting|deploying|deployed
        (?:put|putting|throw|throwing|threw) (?:\S+ ){0,5}(?:money|cash|capital|dollars|paycheck|savings|proceeds)(?: to work)?(?: in| into)?
        (?:money|cash|proceeds) (?:\S+ )?(?:went|goes|is going|gets put|was put) (?:\S+ )?(?:in|into|to|there)|where i put my (?:\S+ )?money
        (?:want|love|like|rather|happy|glad|going|started) (?:to )?own|would own|prefer|upgrade (?:§|it) to buy|upgrading (?:§|it) to buy|raise (?:§|it) to buy|raising (?:§|it) to buy
        (?<=§ )(?:and )?into(?= §)|(?:(?<=swapped § )|(?<=swapped my § )|(?<=swapping § )|(?<=swap § ))for(?= §)
        (?:(?<=to )|(?<=i )|(?<=would )|(?<=will ))purchase|purchasing|purchased|keep building|(?:plough|ploughing|ploughed|plow|plowing|plowed|pour|pouring|poured|pile|piling|piled|throw|throwing|threw|shovel|shovelling|shoveling) (?:\S+ ){0,5}(?:into|at(?= it| §)|in(?= |$))|stock(?:ing|ed)? up|help(?:ed|ing)? myself to|fill(?:ing|ed)? (?:my|your) boots
        (?:go|going|went|gone|am|are|going to be) (?:back |straight |right |heavy |big )?(?:in(?= on| at| big| heavy| again| with|$| this)|all in)|(?:became|become|becoming|am now) a shareholder|(?:took|take|taking) (?:the plunge|a bite|a nibble|another bite)|had another nibble|(?:get|getting|got) (?:my|your) hands on|sized up|sizing up
        (?:make|making) (?:it|this|that|§|this one) (?:a )?(?:larger|bigger)|own (?:\S+ ){1,2}(?:percent )?more
        """,
    ),
    _verbs(
        Sentiment.SELL,
        r"""
        sell|selling|sold|dump|dumping|dumped|unload|unloading|unloaded|offload|offloading|offloaded|trim|trimming|trimmed|exit|exiting|exited|liquidate|liquidating|liquidated|ditch|ditching|ditched|jettison|jettisoning|bin|binning|binned
        (?:close|closing|closed) (?:(?:it|that|this|§|mine|theirs) )?(?:out|(?:my|the|our|your|that|this|out my)(?: \S+)? positions?)|(?:close|closing|closed) (?:it|§|mine|theirs)
        (?:get|getting|got|be|been|bail|bailing|bailed|step|stepping|stepped|move|moving|moved|rotate|rotating|rotated|switch|switching|switched) (?:the hell |right |all the way |money )?out(?: of)?|(?:get|getting|got) rid of|(?:bail|bailing|bailed) on|walk(?:ing|ed)? away
        (?:cut|cutting) (?:(?:my|your|the|our|it|them|§) )?(?:losses|loss|losers?|position|stake|exposure|loose|back|ties)
        (?:take|taking|took|taken|book|booking|booked|lock|locking|locked)(?: in)? (?:\S+ ){0,3}(?:profits?|gains?|losses|loss)|(?:take|taking|took|taken) (?:\S+ ){0,4}off(?: the table)?|(?:harvest|harvesting|harvested) the loss
        (?:reduce|reducing|reduced|lower|lowering|lowered|shrink|shrinking|shrunk|halve|halving|halved) (?:my|our|the|your) (?:\S+ )?(?:position|stake|holding|exposure|weighting)|(?:lighten|lightening|lightened) up|(?:scale|scaling|scaled) (?:back|out|down)|(?:peel|peeling|peeled|shave|shaving|shaved) (?:\S+ )?off
        (?:let|letting) (?:(?:it|this|that|them|§|this one|that one) )?go|let go of|(?:move|moving|moved) on|gave up on|give up on|(?:pass|passing) on|(?:lowering|lowered|downgrade|downgrading|downgraded|cutting|cut) (?:§|it|this) to (?:a )?(?:sell|underperform|avoid)|(?:lowering|downgrading|cutting) to sell
        (?:cash|cashing|cashed) (?:(?:it|them|§|my chips) )?(?:out|in)|(?:pull|pulling|pulled) (?:the plug|my money|the money|out)|(?:throw|throwing|threw|thrown) in the towel|(?:call|calling|called) it quits|(?:show|showed|shown|showing) (?:it|§|them) the (?:door|exit)|(?:clear|clearing|cleared) (?:(?:it|them|§) )?out|(?:abandon|abandoning|abandoned|jump|jumped|jumping) ship|rid myself|got shot of|stopped out|fade|fading|cut bait|(?:kick|kicking|kicked|throw|throwing|threw|toss|tossing|tossed|chuck|chucked) (?:(?:it|them|§|this|that) )?out|took my lumps|hit the bid|(?:head|heading|headed) for the exits?|(?:part|parting|parted) with|am flat|quit
        avoid|avoiding|avoided|(?:swap|swapping|swapped)(?: out)?(?= (?:\S+ )?§ )|say(?:ing)? goodbye|said goodbye|(?:part|parting|parted) ways
        """,
    ),
    _verbs(
        Sentiment.HOLD,
        r"""
        hold|holding|keep|keeping|(?:hang|hanging|hung) (?:on|onto|in there)|(?:sit|sitting) (?:tight|still|on (?:it|my|them|this|§|these|the shares)|back)|(?:stay|staying|stayed) (?:put|invested|the course|patient|in (?:it|§))|(?:ride|riding) it out
        (?:let|letting) (?:\S+ ){0,4}(?:ride|run|sit|work|be|compound|cook|grow|do its thing|do their thing)
        (?:leave|leaving|left) (?:(?:it|them|this|that|§|my shares|mine|the position|this one|that one) )?(?:alone|be|as is|untouched|where)|(?:still|am|are) in (?:it|§)|(?:maintain|maintaining) (?:my|our|the) (?:position|stake|hold)|stick(?:ing)? with(?: it| §)?
        still (?:own|have|long)
        """,
        0.9,
    ),
    _verbs(
        Sentiment.HOLD,
        r"""
        held|kept|have owned|own every share
        """,
        0.4,
    ),
)

TRIGGERS = frozenset(word for phrase in PHRASES for word in re.findall(r"[a-z]{3,}", phrase.pattern.pattern))

FIRST_PERSON = frozenset(["i", "we"])
SECOND_PERSON = frozenset(["you", "investors", "anyone", "owners", "holders"])
OTHER_PEOPLE = frozenset(
    [
        "he",
        "she",
        "they",
        "it",
        "who",
        "people",
        "everyone",
        "everybody",
        "somebody",
        "someone",
        "nobody",
        "analyst",
        "analysts",
        "insider",
        "insiders",
        "ceo",
        "cfo",
        "founder",
        "management",
        "company",
        "companies",
        "firm",
        "firms",
        "fund",
        "funds",
        "street",
        "institutions",
        "institution",
        "investor",
        "traders",
        "retail",
        "crowd",
        "cramer",
        "buffett",
        "warren",
        "burry",
        "cathie",
        "wood",
        "ark",
        "pelosi",
        "congress",
        "politicians",
        "bezos",
        "musk",
        "elon",
        "zuckerberg",
        "bank",
        "broker",
        "brother",
        "wife",
        "friend",
        "husband",
        "dad",
        "father",
        "neighbor",
        "neighbour",
        "viewer",
        "viewers",
        "bears",
        "bulls",
        "shorts",
        "market",
        "markets",
        "guy",
        "man",
        "men",
        "woman",
        "others",
        "hedge",
        "banker",
        "whales",
        "billionaire",
        "billionaires",
        "manager",
        "managers",
        "directors",
        "executives",
        "friends",
    ]
)
SPEECH = re.compile(
    r"(?<!\w)(?:analysts?|wall street|consensus|rating|ratings|according to|headlines?|upgraded|downgraded|initiated|reiterated"
    r"|cramer|the street|price target of|they say|people say|says|(?<!i )(?<!i have )said|everyone says|he would|she would|they would)(?!\w)"
)
"""Somebody else's opinion is being reported."""
OWN_RATING = re.compile(
    r"(?<!\w)(?:i|we|our|my) (?:\S+ ){0,3}(?:rate|rated|rating|downgrade|downgraded|upgrade|upgraded|initiate|initiated|are|have|lower|say)(?!\w)"
)
HEDGE = re.compile(
    r"(?<!\w)(?:might|may|maybe|perhaps|possibly|could|considering|consider|thinking (?:about|of)|tempted|nearly|almost|not sure"
    r"|wanted to|would have|should have|could have|wish|was going to|were going to|debating|whether|if only|suppose|imagine|wait(?:ing)?"
    r"(?: for| to| until)?|interested in|curious|eventually|someday|one day|watching to|looking to|hoping to|looking for a chance"
    r"|need to see|before i|until i|wonder(?:ing)?|decide|deciding|hesitant|reluctant|study|ask(?:ing|ed|s)?|question|the case for"
    r"|reasons? to|would love to|unless|how to|learn to|used to|time to think)(?!\w)"
)
RECAP = re.compile(
    r"(?<!\w)(?:(?:19|20)\d\d|years? ago|months ago|a while ago|back in|back then|last year(?: s)?|last (?:spring|summer|autumn|fall|winter)"
    r"|at the time|used to|told you|was a kid|remember|in (?:january|february|march|april|may|june|july|august|september|october"
    r"|november|december)|in my twenties|in college|when i was|decades? ago|during the (?:crash|pandemic|crisis)|for (?:two|three|four|five"
    r"|six|seven|eight|nine|ten|\d+) years|in twenty|originally|the first time|ever (?:bought|sold)|at the ipo|too early|too soon|regret"
    r"|mistake (?:was|of)|biggest mistake|long ago)(?!\w)"
)
"""A past tense beside one of these tells a story."""
PAST_TENSE = re.compile(
    r"(?<!\w)(?:bought|sold|added|held|kept|trimmed|opened|closed|picked|loaded|dumped|exited|got|took|went|shorted|unloaded|started"
    r"|doubled|topped|averaged|invested|put|threw|moved|rotated|accumulated|backed|let|cut|left|hung|initiated|grabbed|wrote"
    r"|passed|ditched|avoided|swapped|nibbled|built|scooped|increased|reduced|was|were|avoided|called)(?!\w)"
)
CONDITION = re.compile(
    r"^(?:and |but |so |or |only |then )*(?:if|when|once|unless|until|as soon as|should)\b(?! (?:you|anyone|i|we)\b).*(?<!\w)(?:drops?|falls?|dips?"
    r"|pulls?|pullback|gets?|goes|comes?|hits?|breaks?|loses?|lost|reach(?:es)?|trades?|misses|beats?|cuts?|reports?|corrects?|below|under"
    r"|above|cheaper|back|were|crosses|clears|closes|slips|sinks|retests|tests|declines|raises|guides|shows|starts|ever|splits|tanks|bounces|delivers|proves|stays|holds|turns|slows|finds|settled|down|lower)(?!\w)"
)
IN_CLAUSE_CONDITION = re.compile(
    r"(?<!\w)(?:on any (?:pullback|weakness|dip to)|if (?:it|this|that|they|the \S+|§|shares|we|i) (?:\S+ ){0,2}(?:drops?|falls?|dips?|pulls?|gets?|goes"
    r"|comes?|hits?|breaks?|loses?|reach(?:es)?|trades?|misses|beats?|were|was|ever)|(?:at|under|below|around|near|closer to|in) (?:the )?(?:low |mid |high )?(?:\$?\d+"
    r"|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|a hundred|one hundred|two hundred|three hundred|four hundred|five hundred"
    r"|six hundred|ten|fifteen|lower prices|a lower price|a better price|the right price))(?!\w)"
)
MAYBE = re.compile(r"(?<!\w)(?:maybe|perhaps|possibly)(?!\w)")
WOULD = re.compile(r"(?<!\w)(?:would|will)(?!\w)")
IF_YOU = re.compile(r"(?<!\w)(?:if|when|once|before|after) (?:you|anyone|investors)(?!\w)")
IF_YOU_OWN = re.compile(
    r"(?<!\w)(?:if|when) (?:you|anyone) (?:\S+ ){0,3}(?:own|owned|owns|have|hold|holding|bought|in|got|like|want|believe|missed|need|followed|agree|owning|long)"
    r"(?!\w)(?: \S+)|should|ought"
)
"""`If you own it, sell` is advice to those who do."""
INVERTED = re.compile(
    r"(?<!\w)(?<!i )(?<!we )(?<!they )(?<!you )(?:should|would|do|did|can|could|am|are|is|will|have|was|were) (?:i|you|we|it|this|that|§|now|they|he|she|this one|these|those)"
    r"(?: (?:stock|one|still|also|even|a|the|be|now|here|good|great|time|to|go|be|really|not|right|the right|the time|want|going))*\s*$"
)
ASKED = re.compile(
    r"(?<!\w)(?:whether|ask(?:ing|ed|s)?(?: me)?(?: if| about| whether)?|wonder(?:ing)?|the question|questions?|what would|who would)(?!\w)"
)
NEGATION = re.compile(
    r"(?<!\w)(?:not(?! (?:go wrong|only|lie|going to lie|mention|stop|done|resist|help|regret|too late|financial|enough|afraid|looking back))"
    r"|never(?! enough)|no(?! doubt| brainer| matter| question)|nor|neither|nothing|without(?! a doubt| hesitation)|none|hardly|nobody"
    r"|no one|instead of|rather than|stopped|against|last thing)(?!\w)"
)
CARRIED_NEGATION = re.compile(
    r"(?<!\w)(?:not (?:a|an|the|one|something|what|where|how|somewhere)(?: \S+){0,3}|(?:the )?last thing|nothing(?: here| there)?)$"
)
"""`… is not a stock | I'd buy`."""
NOT_ADVISING = re.compile(
    r"(?<!\w)(?:not|never) (?:\S+ ){0,2}(?:tell|telling|say|saying|recommend|recommending|suggest|suggesting|advise|advising|advice"
    r"|recommendation|asking|a recommendation)(?!\w)"
)
COMPARED = re.compile(
    r"(?:^| )(?:than|over|instead of|versus|vs|rather than|compared to|compared with|like|unlike|against)(?: (?:in|own|buy|buying|owning|holding|at|my|the))?$|(?:^| )not$"
)
YES = re.compile(
    r"^(?:(?:and|so|well|uh|um|my answer is|the answer is|for me|i say|i think) )*(?:yes|yeah|yep|absolutely|definitely|of course|you bet|one hundred percent|for sure|i do|i am|i would)(?!\w)(?! not)"
)
NO = re.compile(
    r"^(?:(?:and|so|well|uh|um|my answer is|the answer is|for me|i say|i think|i am|i would) )*(?:no|nope|not|absolutely not|definitely not|of course not|no way)(?!\w)"
)
CHANGE_OF_MIND = re.compile(
    r"(?<!\w)(?:chang(?:ed|ing) my mind|on second thought|i was wrong|scratch that|i take (?:it|that) back|no longer|i have changed|gave up"
    r"|turned around on|reversing|reversed|flipped|having slept on it|until (?:this|last) (?:week|month|quarter)|not any ?more|so i am out)(?!\w)"
)
PRONOUN_OBJECT = re.compile(
    r"^ (?:(?:to|of|into|on|in|up|out|out of|more of|all of|some of|a lot of|half of) )*(?:it|them|this one|that one|mine|both|(?:that|this)(?! (?:stock|company|name|is|one|§)))(?= |$)"
)
"""`sell it`: what is sold was named before, whatever stock the clause names next."""
PLURAL = re.compile(
    r"(?<!\w)(?:both|them|they|these|those|all three|all four|all of (?:them|these)|each of them|two|three|all five)(?!\w)"
)
OPENED = {
    "i'm": "i am", "im": "i am", "i've": "i have", "ive": "i have", "i'd": "i would", "i'll": "i will", "we're": "we are",
    "we've": "we have", "we'd": "we would", "we'll": "we will", "you're": "you are", "you've": "you have", "you'd": "you would",
    "you'll": "you will", "it's": "it is", "that's": "that is", "this's": "this is", "there's": "there is", "they're": "they are",
    "they've": "they have", "they'd": "they would", "he's": "he is", "she's": "she is", "he'd": "he would", "she'd": "she would",
    "one's": "one is", "gonna": "going to", "wanna": "want to", "gotta": "got to", "won't": "will not", "can't": "can not",
    "cannot": "can not", "dont": "do not", "didnt": "did not", "wouldnt": "would not", "isnt": "is not", "ain't": "is not",
    "let's": "let us", "what's": "what is", "who's": "who is", "here's": "here is", "aint": "is not", "wont": "will not",
}  # fmt: skip
DROPPED = frozenset(
    [
        "uh",
        "um",
        "er",
        "ah",
        "hmm",
        "just",
        "really",
        "literally",
        "simply",
        "basically",
        "honestly",
        "frankly",
        "happily",
        "also",
        "always",
        "finally",
        "personally",
        "definitely",
        "absolutely",
        "actually",
        "certainly",
        "obviously",
        "probably",
        "quietly",
        "slowly",
        "steadily",
        "gladly",
        "currently",
        "already",
        "guys",
        "folks",
        "dude",
        "man",
        "well",
        "quite",
        "rather",
        "truly",
        "only",
        "even",
        "myself",
        "clearly",
        "again",
        "aggressively",
    ]
)
