"""Tracks the current topic from clause to clause, to resolve `it` and `them`."""

from functions.reading.rules.context import UNKNOWN, Mention
from functions.reading.rules.reading import Reading
from functions.reading.rules.vocabulary import words

TOPIC_LASTS, ONLY_TOPIC_LASTS = 200, 400
"""Words after which `it` no longer means the last stock, and the only stock of the transcript."""
LIST_GAP, BETWEEN_NAMES = 12, 4
"""Maximum words from a list to a statement about it, and between two of its names."""

OBLIQUE = words("oblique")


class Topics:
    """The stocks that `it` and `them` refer to."""

    def __init__(self, stocks: int) -> None:
        """`stocks` is the number of stocks in the transcript."""
        self._lasts = ONLY_TOPIC_LASTS if stocks == 1 else TOPIC_LASTS
        self._one: Mention | None = None
        self._list: list[Mention] = []
        self._named_together = False
        self.named_in_a_row = 0
        """Consecutive mentions of the current stock."""
        self._last_ticker: str | None = None

    def note(self, reading: Reading) -> None:
        if not reading.mentions:
            return
        for mention in reading.mentions:
            self.named_in_a_row = self.named_in_a_row + 1 if mention.ticker == self._last_ticker else 1
            self._last_ticker = mention.ticker
            if self._list and mention.first - self._list[-1].last > BETWEEN_NAMES:
                self._list = []
            self._list.append(mention)
        self._named_together = len({mention.ticker for mention in reading.mentions}) > 1
        self._turn(reading)

    def _turn(self, reading: Reading) -> None:
        """The topic becomes a stock that is named as a subject, or where nothing else is spoken of."""
        first = reading.mentions[0]
        led_by = reading.text.split("§")[0].split("¤")[0].split()
        oblique = len(led_by) > 1 and led_by[-1] in OBLIQUE
        subject = len(led_by) <= 3 and not oblique
        fresh = self._one is None or first.first - self._one.last > LIST_GAP or self._one.ticker is None
        unknown = reading.mentions[-1].certainty == UNKNOWN
        if subject or fresh or not oblique or unknown:
            self._one = first if subject and not unknown else reading.mentions[-1]

    def one(self, reading: Reading) -> list[Mention]:
        if self._one and reading.clause.first - self._one.last <= self._lasts:
            return [self._one]
        return []

    def several(self, reading: Reading) -> list[Mention]:
        if self._named_together and reading.clause.first - self._list[-1].last <= LIST_GAP:
            return list({mention.ticker: mention for mention in self._list}.values())
        return []


def coordinated(before: list[Mention]) -> list[Mention]:
    """The last stock, with those joined to it by `and` or a comma."""
    group = [before[-1]]
    for mention in reversed(before[:-1]):
        if group[0].first - mention.last > 1:
            break
        group.insert(0, mention)
    return group
