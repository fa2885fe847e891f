"""The news before a call, and whether calls follow them."""

from datetime import timedelta

import pytest

from functions.record.models.tones import NewsSentiment
from functions.record.scoring.headlines import FOLLOWED_WITHIN, SHOWN_BEFORE, NewsBefore, Press, follows_news_rate
from functions.record.scoring.types import Call

POSITIVE, NEUTRAL, NEGATIVE = NewsSentiment
PRESS = Press(
    {
        "AAPL": [
            ("2024-03-01T10:00:00.000Z", NEGATIVE),
            ("2024-03-05T10:00:00.000Z", POSITIVE),
            ("2024-03-06T10:00:00.000Z", NEUTRAL),
            ("2024-03-07T10:00:00.000Z", POSITIVE),
            ("2024-03-08T10:00:00.000Z", NEGATIVE),
        ]
    }
)


def a_call(side: int, time: str | None, ticker: str = "AAPL", day: str = "2024-03-08") -> Call:
    return Call("video", ticker, side, day, time)


def test_headlines_are_counted_up_to_the_moment_of_the_call() -> None:
    before = a_call(1, "2024-03-08T10:00:00.000Z")
    after = a_call(1, "2024-03-08T10:00:00.001Z")

    assert PRESS.before(before, SHOWN_BEFORE) == NewsBefore(positive=2, neutral=1, negative=1)
    assert PRESS.before(before, FOLLOWED_WITHIN) == NewsBefore(positive=2, neutral=1, negative=0)
    assert PRESS.before(after, FOLLOWED_WITHIN) == NewsBefore(positive=2, neutral=1, negative=1)
    assert PRESS.before(before, timedelta(hours=1)) is None


def test_those_of_a_day_do_not_count_for_a_call_of_which_only_the_day_is_known() -> None:
    assert PRESS.before(a_call(1, None, day="2024-03-07"), FOLLOWED_WITHIN) == NewsBefore(1, 1, 0)


@pytest.mark.parametrize(
    ("headline", "counts"),
    [
        ("2024-03-08T03:00:00.000Z", True),  # ten in the evening of the 7th in New York
        ("2024-03-08T04:59:59.999Z", True),
        ("2024-03-08T05:00:00.000Z", False),  # midnight there
        ("2024-03-01T05:00:00.000Z", True),
        ("2024-03-01T04:59:59.999Z", False),
    ],
)
def test_the_day_of_a_call_begins_and_its_week_ends_at_midnight_in_new_york(headline: str, counts: bool) -> None:
    press = Press({"AAPL": [(headline, POSITIVE)]})

    found = press.before(a_call(1, None), SHOWN_BEFORE)

    assert found == (NewsBefore(1, 0, 0) if counts else None)


def test_a_call_follows_two_headlines_of_its_direction() -> None:
    buy, sell = (a_call(side, "2024-03-08T09:00:00Z") for side in (1, -1))
    unknown = a_call(1, "2024-03-08T09:00:00Z", "MSFT")

    assert follows_news_rate([buy, sell], PRESS) == 0.5
    assert follows_news_rate([buy, unknown], PRESS) == 1.0
    assert follows_news_rate([unknown], PRESS) is None
    assert follows_news_rate([], PRESS) is None
