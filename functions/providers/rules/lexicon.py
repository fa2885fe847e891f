"""The phrases by which a speaker buys, holds or sells, and the patterns that take a phrase's force away.

All of them read a clause as `stance.read` writes it out.
"""

import re
from dataclasses import dataclass

from functions.core.models import Sentiment
from functions.providers.rules.vocabulary import pattern, phrases, rewritings, words


@dataclass(frozen=True, slots=True)
class Phrase:
    sentiment: Sentiment
    pattern: re.Pattern[str]
    weight: float = 1.0
    about_subject: bool = False
    """`§ is a buy` speaks of what stands before it, `buy §` of what follows."""
    negatable: bool = True
    """`do not touch` carries its own negation."""
    denied: Sentiment = Sentiment.MENTIONED
    """What a negation makes of it: who does not sell holds, who does not buy has only spoken of the stock."""
    needs_speaker: bool = True
    """`bought` needs a person who did it, `stay away` does not."""


PHRASES = (
    Phrase(Sentiment.SELL, phrases("shorts and puts")),
    Phrase(Sentiment.BUY, phrases("longs and calls"), 0.9),
    Phrase(Sentiment.HOLD, phrases("covered calls"), 0.4),
    Phrase(Sentiment.HOLD, phrases("hold fixed"), negatable=False, needs_speaker=False),
    Phrase(Sentiment.SELL, phrases("sell fixed"), negatable=False, needs_speaker=False),
    Phrase(Sentiment.SELL, phrases("do not buy"), 0.6, negatable=False, needs_speaker=False),
    Phrase(Sentiment.BUY, phrases("buy predicate"), about_subject=True, needs_speaker=False),
    Phrase(Sentiment.HOLD, phrases("hold predicate"), 0.95, about_subject=True, needs_speaker=False),
    Phrase(Sentiment.SELL, phrases("sell predicate"), about_subject=True, needs_speaker=False, denied=Sentiment.HOLD),
    Phrase(Sentiment.BUY, phrases("buy verb")),
    Phrase(Sentiment.SELL, phrases("sell verb"), denied=Sentiment.HOLD),
    Phrase(Sentiment.HOLD, phrases("hold verb"), 0.9),
    Phrase(Sentiment.HOLD, phrases("hold past"), 0.4),
)
"""An earlier phrase takes its words before a later one can."""

TRIGGERS = words("triggers")
"""A clause without one of these holds no phrase, and need not be searched."""
NO_ADVICE = phrases("no advice")
"""Everyday phrases with a buying or selling word in them."""

FIRST_PERSON = words("first person")
SECOND_PERSON = words("second person")
THIRD_PERSON = words("third person")
OTHER_PEOPLE = words("other people")
OWN = words("own")
STATE_VERBS = words("state verbs")
MODALS = words("modals")
LINKS = words("links")
"""A verb after one of these has its subject further back, or none."""
SPEECH = phrases("speech")
"""Somebody else's opinion is being reported."""
OWN_RATING = pattern(
    r"(?<!\w)(?:i|we|our|my) (?:\S+ ){0,3}"
    r"(?:rate|rated|rating|downgraded?|upgraded?|initiated?|are|have|lower|say)(?!\w)"
)
COMPANY_ACTS = pattern(r"[§¤] (?:has )?(?:bought|sold|cut|put|took|kept|\w+ed)(?!\w)")
"""`§ sold its oldest unit and bought …`"""
AGREES = pattern(r"(?<!\w)(?:so (?:am|do|did|have) (?:i|we)|(?:i|we) (?:am|do|did|have) too|me too|i agree)(?!\w)")
IF_YOU = pattern(r"(?<!\w)(?:if|when|once|before|after) (?:you|anyone|investors)(?!\w)")
IF_YOU_OWN = pattern(
    r"(?<!\w)(?:if|when) (?:you|anyone) (?:\S+ ){0,3}(?:own|owned|owns|have|hold|holding|bought|in|got|like|want"
    r"|believe|missed|need|followed|agree|owning|long)(?!\w)(?: \S+)|should|ought"
)
"""`If you own it, sell` is advice to those who do."""

HEDGE = phrases("hedge")
MAYBE = pattern(r"(?<!\w)(?:maybe|perhaps|possibly)(?!\w)")
RECAP = phrases("recap")
"""A past tense beside one of these tells a story."""
PAST_TENSE = phrases("past tense")
STORY_VERB = pattern(r"(?<!\w)(?:told|called|was|were|had)(?!\w)")
CHANGE_OF_MIND = phrases("change of mind")

EVENT = phrases("event")
CONDITION = pattern(
    r"^(?:(?:and|but|so|or|only|then|well|because) )*(?:if|when|once|unless|until|as soon as)"
    r"(?! (?:you|anyone|i|we)(?!\w))(?!\w)"
)
IN_CLAUSE_CONDITION = phrases("in clause condition")
WOULD = pattern(r"(?<!\w)(?:would|will)(?!\w)")

QUESTION_START = pattern(
    r"^(?:(?:so|and|but|okay|now|or|then) )*(?:is|are|should|would|does|do|can|will|am)"
    r" (?:§|it|this|that|now|i|you|we|they) "
)
INVERTED = pattern(
    r"(?<!\w)(?<!i )(?<!we )(?<!they )(?<!you )(?:should|would|do|did|can|could|am|are|is|will|have|was|were)"
    r" (?:i|you|we|it|this|that|§|now|they|he|she|these|those)"
    r"(?: (?:stock|one|still|also|even|a|the|be|now|here|good|great|time|to|go|really|not|right|want|going))*\s*$"
)
ASKED = phrases("asked")
YES = pattern(
    r"^(?:(?:and|so|well|my answer is|the answer is|for me|i say|i think) )*"
    r"(?:yes|yeah|yep|absolutely|definitely|of course|you bet|one hundred percent|for sure|i do|i am|i would)"
    r"(?!\w)(?! not)"
)
NO = pattern(
    r"^(?:(?:and|so|well|my answer is|the answer is|for me|i say|i think|i am|i would|i do) )*"
    r"(?:no|nope|not|absolutely not|definitely not|of course not|no way)(?!\w)"
)

NEGATION = phrases("negation")
CARRIED_NEGATION = pattern(
    r"(?<!\w)(?:not (?:a|an|the|one|something|what|where|how|somewhere)(?: \S+){0,3}"
    r"|(?:the )?last thing|nothing(?: here| there)?)$"
)
"""`… is not a stock | I'd buy`."""
NOT_ADVISING = phrases("not advising")
COMPARED = pattern(
    r"(?:^| )(?:than|over|instead of|versus|vs|compared to|compared with|unlike|against"
    r"|(?<!stocks )(?<!names )(?<!companies )(?<!something )like)"
    r"(?: (?:in|own|buy|buying|owning|holding|at|my|the))?$|(?:^| )not$"
)
PRONOUN_OBJECT = pattern(
    r"^ (?:(?:to|of|into|on|in|up|out|more|all|some|a lot|half) )*"
    r"(?:(?:it|them|this one|that one|mine|both)(?= |$)|that(?= §)"
    r"|(?:that|this)(?=$| (?:and|but|at|here|now|because|again|for|in)(?!\w)))"
)
"""`sell it`: what is sold was named before, whatever stock the clause names next."""
INTO = pattern(r"(?:^| )into$")
FINAL_PRONOUN = pattern(r" (?:it|them|this one|that one)$")
PLURAL = phrases("plural")

DROPPED = "-"
REWRITTEN = {**rewritings("contractions"), **dict.fromkeys(words("fillers"), DROPPED)}
"""How a word is written out for the patterns."""
