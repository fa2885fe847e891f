"""Tracks the current topic from clause to clause, to resolve `it`, `them` and `all three`."""

import re

from functions.reading.rules.context import UNKNOWN, Mention
from functions.reading.rules.reading import Reading, runs_on, with_lead_in
from functions.reading.rules.vocabulary import pattern, words

TOPIC_LASTS, ONLY_TOPIC_LASTS = 200, 400
"""Words after which `it` no longer means the last stock, and the only stock of the transcript."""
LIST_GAP, BETWEEN_NAMES = 12, 4
"""Maximum words from a list to a statement about it, and between two of its names."""
APPOSITION = 3
"""Maximum words from a name to its apposition: `§, another company | I own`."""
GROUP_TALK = 40
"""Maximum words from a sentence about several stocks to a statement about all of them."""
COUNTS = {"both": 2, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
"""`I bought all three`: as many as were named together last."""
GROUP_LASTS, LARGEST_GROUP = 150, max(COUNTS.values())
"""Words after which `all three` no longer means the last three stocks named together, and the largest such group."""

OBLIQUE = words("oblique")
COMPARING = frozenset({"as", "than", "versus"})
"""`It is as big as §` is still about the previous stock."""
ARTICLES = frozenset({"a", "an", "the"})
IN_LIKENESS = pattern(
    r"(?<!\w)(?:the|a) (?:next|new) §(?! (?:position|stock))|(?<!\w)the § of(?!\w)|(?<!\w)another §(?! stock)"
    r"|(?<!\w)the (?:whole )?§ (?:deal|merger|acquisition|takeover|playbook|model|partnership|contract|lawsuit)(?!\w)"
)
"""`It is the next §`, `the § of healthcare`, `after the § deal`"""
AS_ANOTHER_DID = pattern(
    r"^(?:because|since|after|when|if|like|as) [§¤](?: (?:did|does|do|has|have|is|was|bought it|sold it|owns it))?$"
)
"""`Would you buy it | because § did?` is still about the previous stock, too."""
RIVAL = pattern(
    r"§ (?:\S+ ){0,5}(?:kill|kills|killing|eat|eats|eating|replace|replaces|disrupt|disrupts|beat|beats|crush|destroy"
    r"|hurt|hurts|threaten|threatens|catch) (?:it|them)$"
    r"|(?<!\w)(?:everybody|everyone|people) (?:\S+ )?(?:says?|saying|talks? about|talking about) §$"
)
"""`Everybody says § will kill it`: a rival of the stock before, which is still spoken of."""
SPEAKS_ON = pattern(
    r"(?<!\w)(?:(?:the|this) (?:stock|company|shares|business|name)|it is|it has|they are|they have)(?!\w)"
)
"""The last named stock is still the topic."""
TURNS_TO = pattern(
    r"(?<!\w)(?:(?:back|on|over|turn|turning|come|coming|go|going|move|moving|get|getting|switch|switching) to"
    r"|(?:talk|talking|talked|what|how|ask|asked|asking|question|questions|thoughts|tell you) about|as for"
    r"|(?:look|looking) at|speaking of|thoughts on|view on|take on) (?:\S+ )?§"
)
"""`Back to §`, `what about §`: § becomes the topic."""
STOCK_TO_COME = pattern(
    r"(?:^|(?<!this is)(?<!that is)(?<!it is)(?<!which is)(?<!one is)(?<!these are)(?<!those are)(?<!they are)"
    r"(?<!was)(?<!be)(?<!not)(?<!as)(?<!like)(?<!it)(?<!of)(?<!the)(?<!these)(?<!those) )"
    r"(?:a|one|another|one more|(?:the|my|our) (?:next|last|other)|\d+|two|three|four|five|six|seven|eight|ten)"
    r"(?: (?!stocks?|compan|names?)\w+)? (?:stocks?|company|companies|names?)(?: that| which)? (?:i|we)(?!\w)"
    r"|(?<!\w)(?:show|tell|give|reveal|share|get to|got|discuss|here is|here are|talk about)"
    r"(?: you| with you)?(?: about)? (?:the|my|our)(?: \w+)?"
    r" (?:stocks?|company|companies|names?|ones?)(?: that| which)? (?:i|we)(?!\w)"
    r"|^(?:(?:and|so|but) )*the (?:\w+ )?(?:names|companies|stocks)(?: that| which)? (?:i|we)(?!\w)"
    r"|(?<!\w)(?:in|into|on) this one (?:stock|company)$"
    r"|(?<!\w)(?:i|we) (?:\S+ ){0,3}(?:bought|sold|buying|selling|up on|out of|trimmed) (?:a|one) "
    r"(?:stock|company|name)(?! (?:like|called|such|with|that|market)(?!\w))(?!\w)"
    r"|^(?:stocks|companies) (?:that )?(?:i|we|you) (?:\S+ )?(?:must|should|need|have|am|are|would)(?!\w)"
    r"|(?:^|(?<!\w)(?:buying|selling|at|to|with) )(?:stock |pick )?number"
    r" (?:\d+|one|two|three|four|five|six|seven|eight|nine|ten)$"
)
"""`Let's get to a stock | I sold today`, `I loaded up on a stock today`: one that has not been named yet."""
APPOSED = pattern(r"^(?:an?|another|one)(?: \w+)? (?:stock|company|name|business|position)(?: that| which)?$")
"""`§ is down by half, | a stock | I am adding to`"""
UNKNOWN_POSITION = pattern(
    rf"(?<!\w)(?:my|our) (?!(?:{'|'.join(sorted(words('kinds of position')))}) )[a-z]+ (?:position|stake|shares)(?!\w)"
)
"""`I sold half of my zorblat position`: a stock with an unknown name."""
UNKNOWN_NAME_IS = pattern(
    r"^(?:(?:and|but|so|while|then) )*(?!(?:it|this|that|which|there|here|they|these|those|the|my|our|an?|one|i|we|you"
    r"|what|who|he|she|number|first|second|third|next|last|another|and|but|so|while|then) )(?:[a-z]+ ){1,4}"
    r"(?:is|was) (?:\S+ )?(?:one|a stock|a name|a company)(?:(?: that| which)? (?:i|we)| that is| which is)(?!\w)"
)
"""`Zorblat Holdings is one that I would sell`: not the stock named before it."""
NEXT_ON_LIST = pattern(
    r"^(?:(?:and|so|now|okay|but) )*(?:the|our|my) (?:next|last|final|other|second|third|fourth|fifth) "
    r"(?:stock|company|name|pick|one)(?: \S+){0,4} (?:is|has|are|was)(?!\w)(?! (?:\S+ ){0,3}[§¤]$)"
)
"""`My second name is cheaper than §`: the topic becomes a stock not named yet."""
PRESENTS = pattern(
    r"^(?:(?:and|so|but|now|okay|i think|i would say) )*"
    r"(?:which|that|this|it|(?:the|that|this)(?: one)? (?:stock|company|name|business|ticker))"
    r"(?: one)?(?: i am talking about| of course)? (?:is|was|would be|has to be|will be)"
    r"(?: (?:of course|going to be|none other than|called|actually|ticker|symbol))* (?:an? |the )?§"
)
"""`The one I think is an easy buy | which is §`, `one I am buying | and that stock is §`"""


class Topics:
    """The stocks that `it` and `them` refer to."""

    def __init__(self, stocks: int) -> None:
        """`stocks` is the number of stocks in the transcript."""
        self._lasts = ONLY_TOPIC_LASTS if stocks == 1 else TOPIC_LASTS
        self._one: Mention | None = None
        self._list: list[Mention] = []
        self._named_together = False
        self._joined: list[Mention] = []
        self._joined_are_subject = False
        self._together: dict[str | None, Mention] = {}
        self._groups: dict[int, list[Mention]] = {}
        """The last stocks named together, by the size of the group."""
        self._ends_named = -APPOSITION
        """The end of the last clause that ended with a name while the sentence continued."""
        self.spoken_of = 0
        self.named_in_a_row = 0
        """Consecutive mentions of the current stock."""
        self._last_ticker: str | None = None

    def turns_to_another(self, reading: Reading, previous: Reading | None) -> None:
        """`A stock I sold today`, which nobody has named yet, is not the one spoken of before."""
        named = reading.mentions or (previous and runs_on(previous) and previous.mentions)
        in_apposition = reading.clause.first - self._ends_named <= APPOSITION
        if named and APPOSED.search(reading.text):
            self._ends_named = reading.clause.last
        if named or in_apposition or self._one is None:
            return
        said = with_lead_in(reading, previous)
        if STOCK_TO_COME.search(said) or UNKNOWN_NAME_IS.search(said):
            self._one = None
        if UNKNOWN_POSITION.search(reading.text):
            self._one = None

    def note(self, reading: Reading) -> None:
        if not reading.mentions:
            if self._one and SPEAKS_ON.search(reading.text):
                self.spoken_of = reading.clause.last
            return
        self.spoken_of = 0
        for mention in reading.mentions:
            self.named_in_a_row = self.named_in_a_row + 1 if mention.ticker == self._last_ticker else 1
            self._last_ticker = mention.ticker
        if reading.mentions[-1].last == reading.clause.last and runs_on(reading):
            self._ends_named = reading.clause.last
        first = reading.mentions[0]
        led_by = reading.text.split("§")[0].split("¤")[0].split()
        oblique = len(led_by) > 1 and led_by[-1] in OBLIQUE and not TURNS_TO.search(reading.text)
        subject = len(led_by) <= 3 and not oblique
        fresh = self._one is None or first.first - self._one.last > LIST_GAP or self._one.ticker is None
        unknown = reading.mentions[-1].certainty == UNKNOWN
        beside_it = _last_word(led_by) in COMPARING or any(
            mentions.search(reading.text) for mentions in (IN_LIKENESS, AS_ANOTHER_DID, RIVAL)
        )
        compared = bool(self._one and beside_it)
        if beside_it and NEXT_ON_LIST.search(reading.text):
            self._one = None
        elif (subject or fresh or not oblique or unknown) and not compared:
            self._one = first if subject and not unknown else reading.mentions[-1]
        self._named_together = len({mention.ticker for mention in reading.mentions}) > 1
        self._joined = coordinated(reading.mentions)
        named_like = led_by[-2:-1] in (["names"], ["stocks"], ["companies"])  # names like §, § and §
        self._joined_are_subject = (subject or named_like) and self._joined[0] is first
        for mention in reading.mentions:
            if self._list and mention.first - self._list[-1].last > BETWEEN_NAMES:
                self._list, self._together = [], {}
            self._list.append(mention)
            self._together[mention.ticker] = mention
        if len(self._together) <= LARGEST_GROUP:
            self._groups[len(self._together)] = list(self._together.values())

    def turn_to(self, traded: Mention) -> None:
        """`§ is fine, but I bought §, and I will add to it`: a traded stock becomes the topic."""
        self._one = traded

    def one(self, reading: Reading) -> list[Mention]:
        if self._one and reading.clause.first - self._one.last <= self._lasts:
            return [self._one]
        return []

    def several(self, reading: Reading) -> list[Mention]:
        if self._named_together and reading.clause.first - self._list[-1].last <= LIST_GAP:
            return list({mention.ticker: mention for mention in self._list}.values())
        return []

    def counted(self, said: re.Match[str] | None, reading: Reading) -> list[Mention]:
        """`All three`: the last three that were named together."""
        named = self._groups.get(COUNTS[said[1]], []) if said else []
        return named if named and reading.clause.first - named[-1].last <= GROUP_LASTS else []

    def joined(self, reading: Reading) -> list[Mention]:
        """`My § and § shares`, if the last clause with a name ended so."""
        if len(self._joined) > 1 and reading.clause.first - self._joined[-1].last <= LIST_GAP:
            return self._joined
        return []

    def group(self, reading: Reading) -> list[Mention]:
        """`§, § and § have come in. … This is a great place to buy`: those the talk is about."""
        goes_on = len(self._joined) > 1 and self._joined_are_subject
        return self._joined if goes_on and reading.clause.first - self._joined[-1].last <= GROUP_TALK else []


def _last_word(said: list[str]) -> str:
    """The word before a name, past an article: `cheaper [than] a §`"""
    return next((word for word in reversed(said[-2:]) if word not in ARTICLES), "")


def coordinated(before: list[Mention]) -> list[Mention]:
    """The last stock, with those joined to it by `and` or a comma."""
    group = [before[-1]]
    for mention in reversed(before[:-1]):
        if group[0].first - mention.last > 1:
            break
        group.insert(0, mention)
    return group
