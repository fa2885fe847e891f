"""Alerts of a new score: a verdict that changed, and calls of watched stocks that have matured."""

import json
from collections.abc import Callable, Iterator
from dataclasses import fields
from datetime import date
from math import sin
from typing import Any

import pytest

from functions.record.alerts.verdicts import judged
from functions.record.models.alerts import Alert, AlertKind
from functions.record.models.records import Channel, ReviewOutcome
from functions.record.models.scores import StandingItem
from functions.record.models.watchlists import Watchlist
from functions.record.pipeline.keep_score import keep_score
from functions.record.reviews.review import Judgement, review_call
from functions.record.scores import kept as scores
from functions.record.scoring.types import DEFAULT_HORIZON, Horizon, Standing, Verdict
from functions.record.store.alerts import alerts_in_outbox, newest_alerts_of_channel
from functions.record.store.changes import newest_changes
from functions.record.store.scorecards import all_standings, mark_changed, standing_of_channel
from functions.record.store.videos import videos_of_channel
from functions.record.store.watchlists import save_watchlist
from functions.runtime.caller import Caller
from functions.runtime.dynamodb import tables
from functions.runtime.dynamodb.requests import update
from local.entities import put_entities
from tests.crashes import Crash, crash_at_write
from tests.fakes import RecordingDispatcher
from tests.markets import rising, store_benchmark, store_closes
from tests.seeds import a_finished_channel

InThreads = Callable[[int, Callable[[int], object]], list[object]]
BEFORE, ENDS, AFTER = date(2024, 5, 28), date(2024, 5, 29), date(2024, 6, 3)
"""A call of 1 March 2024, a Friday, is entered on Monday, and its 63 sessions end on Thursday, 30 May."""
QUARTER_END = date(2024, 5, 30)


@pytest.fixture(autouse=True)
def dispatched(tables: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[RecordingDispatcher]:
    yield RecordingDispatcher().install(monkeypatch)


@pytest.fixture
def channel(dispatched: RecordingDispatcher) -> Channel:
    return a_finished_channel([("2024-03-01", ("AAPL", "MSFT"))])


def score_at(channel: Channel, last: date, *, stocks: date | None = None) -> None:
    store_benchmark(last=last)
    for ticker in ("AAPL", "MSFT"):
        store_closes(ticker, rising, last=stocks or last)
    mark_changed(channel.id)
    assert keep_score(channel.id)


def watch(*tickers: str) -> None:
    assert save_watchlist(Watchlist("somebody", 1, tickers))


def alerts_of(channel: Channel, kind: AlertKind) -> list[Alert]:
    return [alert for alert in newest_alerts_of_channel(channel.id, 100) if alert.kind is kind]


def matured(channel: Channel) -> list[list[str]]:
    return [[detail["ticker"] for detail in alert.details] for alert in alerts_of(channel, AlertKind.MATURED)]


def a_standing(channel_id: str, *, p_value: float, version: str) -> StandingItem:
    """A channel with as many calls as it takes to be judged, and the same figures at every horizon."""
    figures: dict[str, Any] = dict.fromkeys((field.name for field in fields(Standing)), None)
    figures |= dict.fromkeys(("mean_excess_percent", "alpha_percent", "timing_alpha_percent"), 5.0)
    figures |= {"calls": 40, "pending": 0, "days_invested": 200, "p_value": p_value, "timing_p_value": p_value}
    line = json.dumps([figures[field.name] for field in fields(Standing)][1:])
    return StandingItem(channel_id, version, "\n".join([line] * len(Horizon)), BEFORE.isoformat())


class TestMatured:
    def test_calls_of_watched_stocks_are_told_of_once_when_their_horizon_ends(self, channel: Channel) -> None:
        watch("AAPL")
        score_at(channel, BEFORE)
        before = matured(channel)

        for last in (AFTER, AFTER, date(2024, 7, 1)):
            score_at(channel, last)

        (alert,) = alerts_of(channel, AlertKind.MATURED)
        assert before == []
        assert alert.occurred_at == "2024-06-03T00:00:00.000Z"
        (detail,) = alert.details
        assert (detail["ticker"], detail["sentiment"], detail["horizon"]) == ("AAPL", "buy", "3m")
        assert detail["excess_percent"] > 0
        assert alerts_in_outbox(10) == [alert]

    def test_the_day_of_the_end_is_the_day_it_is_told(self, channel: Channel) -> None:
        watch("AAPL")
        score_at(channel, BEFORE)
        score_at(channel, ENDS)
        the_day_before = matured(channel)

        score_at(channel, QUARTER_END)

        assert the_day_before == []
        assert matured(channel) == [["AAPL"]]

    def test_a_call_that_ends_on_the_day_of_its_score_is_not_told_of_by_the_scores_after_it(
        self, channel: Channel
    ) -> None:
        watch("AAPL")
        score_at(channel, BEFORE)

        for last in (QUARTER_END, QUARTER_END, AFTER):
            score_at(channel, last)

        assert matured(channel) == [["AAPL"]]

    def test_each_of_two_stocks_is_told_of_once_though_one_is_late_for_two_scores(self, channel: Channel) -> None:
        watch("AAPL", "MSFT")
        score_at(channel, BEFORE)
        for last, of_late in ((QUARTER_END, BEFORE), (AFTER, BEFORE), (AFTER, AFTER), (AFTER, AFTER)):
            store_benchmark(last=last)
            store_closes("AAPL", rising, last=last)
            store_closes("MSFT", rising, last=of_late)
            mark_changed(channel.id)
            assert keep_score(channel.id)

        assert matured(channel) == [["MSFT"], ["AAPL"]]

    def test_a_stock_whose_closes_come_later_than_the_benchmarks_is_told_of_then(self, channel: Channel) -> None:
        watch("AAPL", "MSFT")
        score_at(channel, BEFORE)
        score_at(channel, AFTER, stocks=BEFORE)
        early = matured(channel)

        for _ in range(2):
            score_at(channel, AFTER)

        standing = standing_of_channel(channel.id)
        assert early == []
        assert matured(channel) == [["AAPL", "MSFT"]]
        assert standing
        assert standing.overdue == ()

    def test_nothing_is_told_of_stocks_that_nobody_watches(self, channel: Channel) -> None:
        score_at(channel, BEFORE)
        score_at(channel, AFTER)

        assert matured(channel) == []

    def test_a_first_score_tells_of_nothing_old(self, channel: Channel) -> None:
        watch("AAPL")

        score_at(channel, AFTER)

        assert newest_alerts_of_channel(channel.id, 10) == []


class TestVerdict:
    def judged_as(self, channel: Channel, verdict: str | None, version: str | None = None) -> None:
        """As if the score before had found this."""
        expression = "SET verdict = :verdict" if verdict else "REMOVE verdict"
        expression += (", " if verdict else " SET ") + "version = :version"
        key = tables.standing_key(channel.id)
        update(key, expression, "attribute_exists(PK)", {"verdict": verdict, "version": version or scores.version()})

    def test_that_changed_is_told_once(self, channel: Channel) -> None:
        score_at(channel, BEFORE)
        self.judged_as(channel, "beats_market")

        for _ in range(2):
            score_at(channel, BEFORE)

        (alert,) = alerts_of(channel, AlertKind.VERDICT)
        assert alert.details == (
            {"horizon": "3m", "verdict": "too_few_calls", "before": "beats_market", "by_review": False},
        )
        assert alert.occurred_at == f"{BEFORE}T00:00:00.000Z"
        assert alert.undelivered

    @pytest.mark.parametrize(("verdict", "version"), [(None, None), ("beats_market", "0.9-other")])
    def test_that_was_never_found_or_by_another_method_is_not_a_change(
        self, channel: Channel, verdict: str | None, version: str | None
    ) -> None:
        score_at(channel, BEFORE)
        self.judged_as(channel, verdict, version)

        score_at(channel, BEFORE)

        assert alerts_of(channel, AlertKind.VERDICT) == []

    def test_is_the_one_that_the_leaderboard_shows(self) -> None:
        days = [(f"2024-0{month}-{day:02d}", ("AAPL",)) for month in (1, 2, 3) for day in range(2, 12)]
        channel = a_finished_channel(days)

        score_at(channel, date(2025, 6, 30))

        (line,) = scores.leaderboard_page(DEFAULT_HORIZON, None, 10).lines
        (standing,) = all_standings()
        assert line.entry.calls >= 20
        assert standing.verdict == line.entry.verdict

    @pytest.mark.parametrize(
        ("version_of_others", "verdict"), [("0.9-other", Verdict.BEATS_MARKET), (None, Verdict.NOT_PROVEN)]
    )
    def test_is_corrected_for_the_channels_scored_by_the_same_method(
        self, version_of_others: str | None, verdict: Verdict
    ) -> None:
        """Many that beat nothing make luck a likelier reason; those of an earlier method are not on the leaderboard."""
        others = version_of_others or scores.version()
        put_entities([a_standing(f"other {number}", p_value=0.9, version=others) for number in range(30)])

        found = judged(a_standing("ours", p_value=0.01, version=scores.version()))

        assert found.verdict == verdict

    def test_that_changes_and_changes_back_is_told_each_time(self, channel: Channel) -> None:
        score_at(channel, BEFORE)
        for verdict in ("beats_market", "not_proven"):
            self.judged_as(channel, verdict)
            for _ in range(2):
                score_at(channel, BEFORE)

        changes = [alert.details[0]["before"] for alert in alerts_of(channel, AlertKind.VERDICT)]
        assert changes == ["not_proven", "beats_market"]

    @pytest.mark.parametrize("event", ["before-call", "after-call"])
    def test_is_told_with_the_score_or_not_at_all(self, channel: Channel, event: str) -> None:
        score_at(channel, BEFORE)
        self.judged_as(channel, "beats_market")
        mark_changed(channel.id)
        for number in (1, 2):
            try:
                with crash_at_write(number, event):
                    keep_score(channel.id)
            except Crash:
                continue

        keep_score(channel.id)

        assert len(alerts_of(channel, AlertKind.VERDICT)) == 1

    def test_is_told_once_by_workers_at_the_same_time(
        self, concurrent_tables: str, channel: Channel, in_threads: InThreads
    ) -> None:
        score_at(channel, BEFORE)
        self.judged_as(channel, "beats_market")
        mark_changed(channel.id)

        results = in_threads(4, lambda _: keep_score(channel.id))

        assert results.count(True) == 1
        assert len(alerts_of(channel, AlertKind.VERDICT)) == 1


class TestTurned:
    """Who turned a verdict: here there are too few calls, or enough."""

    DAYS = tuple(f"2024-0{month}-{day:02d}" for month in (1, 2, 3) for day in range(2, 12))
    EARLY, LATE = date(2024, 5, 1), date(2025, 6, 30)

    @pytest.fixture
    def judged(self, tables: str) -> Channel:
        return a_finished_channel([(day, ("AAPL",)) for day in self.DAYS])

    def score_at(self, channel: Channel, last: date) -> None:
        store_benchmark(lambda number: 100 + 3 * sin(1.7 * number), last=last)
        store_closes("AAPL", lambda number: 100 + 3 * sin(0.9 * number), last=last)
        mark_changed(channel.id)
        assert keep_score(channel.id)

    def review(self, channel: Channel, outcome: ReviewOutcome | None, calls: int) -> None:
        for video in videos_of_channel(channel.id)[:calls]:
            review_call(channel.id, video.id, "AAPL", Judgement(outcome), Caller("somebody"))

    def told(self, channel: Channel) -> list[tuple[str, str, bool]]:
        """Newest first."""
        changes = [alert.details[0] for alert in alerts_of(channel, AlertKind.VERDICT)]
        return [(each["before"], each["verdict"], each["by_review"]) for each in changes]

    def logged(self, channel: Channel) -> list[str]:
        changes = newest_changes(channel.id, 100).items
        return [change.message for change in changes if "verdict" in change.message]

    def test_the_market_s_turn_names_no_review(self, judged: Channel) -> None:
        self.score_at(judged, self.EARLY)
        self.review(judged, ReviewOutcome.CONFIRMED, calls=3)
        self.score_at(judged, self.LATE)

        ((before, _, by_review),) = self.told(judged)
        assert (before, by_review) == ("too_few_calls", False)
        assert self.logged(judged) == []

    def test_a_correction_and_its_withdrawal_are_named(self, judged: Channel) -> None:
        self.score_at(judged, self.EARLY)
        self.score_at(judged, self.LATE)
        ((_, verdict, _),) = self.told(judged)
        self.review(judged, ReviewOutcome.REJECTED, calls=15)
        self.score_at(judged, self.LATE)
        self.review(judged, None, calls=15)
        self.score_at(judged, self.LATE)

        turns = [("too_few_calls", verdict, False), (verdict, "too_few_calls", True), ("too_few_calls", verdict, True)]
        assert sorted(self.told(judged)) == sorted(turns)
        withdrawn, rejected = self.logged(judged)
        assert rejected.endswith("Reviews of how its calls were read turned it, not the market.")
        assert "too few calls to judge (before: " in rejected
        assert "(before: too few calls to judge)" in withdrawn
