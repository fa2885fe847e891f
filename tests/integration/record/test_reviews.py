"""Reviews: a person's verdict on a reading holds, whatever is written at the same time or read afterwards."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from functions.reading.statements import Act, Speaker
from functions.reading.terms import Sentiment
from functions.record.channels.changes import changes_of_channel
from functions.record.errors import (
    CallNotFound,
    ChannelNotFound,
    NotWhatThePolicySays,
    NotWhatWasRead,
    ReviewedMeanwhile,
)
from functions.record.models.records import Channel, ReviewOutcome, StockMention, Video
from functions.record.models.runs import RunKind
from functions.record.models.series import Split
from functions.record.pipeline import finish_run, list_videos, price_calls, process_video
from functions.record.pipeline.keep_score import keep_score, request_due_scores
from functions.record.prices.series import update_series
from functions.record.reviews import review as reviews
from functions.record.reviews.review import Judgement, review_call
from functions.record.scores import kept as scores
from functions.record.scoring.types import CallSet
from functions.record.store import runs
from functions.record.store.call_prices import set_prices
from functions.record.store.channels import channel_by_id, create_channel, delete_channel
from functions.record.store.mentions import mentions_of_video
from functions.record.store.price_series import headers_of, save_header
from functions.record.store.reviews import reviewed_call, reviews_of_video
from functions.record.store.videos import videos_of_channel
from functions.runtime import ids
from functions.runtime.caller import Caller
from functions.runtime.clock import seconds_from_now
from functions.runtime.dispatch import BackfillPrices, ScoreChannel
from functions.runtime.dynamodb import tables
from functions.runtime.dynamodb.attributes import encode
from functions.runtime.dynamodb.connection import dynamodb, main_table
from functions.runtime.settings import settings
from operations import check
from tests.builders import a_channel
from tests.crashes import Crash
from tests.fakes import TODAY, Close, FakeAnalyst, Gate, ImmediateDispatcher, RecordingDispatcher, World, some_videos
from tests.markets import rising, store_benchmark, store_closes
from tests.partitions import partition
from tests.seeds import a_finished_channel

InThreads = Callable[[int, Callable[[int], object]], list[object]]
CONFIRMED = Judgement(ReviewOutcome.CONFIRMED)
REJECTED = Judgement(ReviewOutcome.REJECTED)
WITHDRAWN = Judgement(None)
TO_SELL = Judgement(ReviewOutcome.CORRECTED, Sentiment.SELL)
TO_WOULD_BUY = Judgement(ReviewOutcome.CORRECTED, act=Act.WOULD_BUY)


@pytest.fixture(autouse=True)
def dispatched(tables: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[RecordingDispatcher]:
    yield RecordingDispatcher().install(monkeypatch)
    # Whether the check knows reviews and changes at all is for its own tests.
    assert list(check.problems(check.read_everything())) == []


@pytest.fixture
def channel() -> Channel:
    return a_finished_channel([("2024-03-01", ("AAPL", "MSFT"))])


def the_video(channel_id: str) -> Video:
    (video,) = videos_of_channel(channel_id, consistent=True)
    return video


def review(channel_id: str, judgement: Judgement, ticker: str = "AAPL", by: str = "ann") -> StockMention:
    mention, _ = review_call(channel_id, the_video(channel_id).id, ticker, judgement, Caller(by))
    return mention


def stored(channel_id: str, ticker: str = "AAPL") -> StockMention:
    """The mention, which is the same in its video and as an item of its own."""
    video = the_video(channel_id)
    (own,) = mentions_of_video(video.id, ticker=ticker, consistent=True)
    (copy,) = (mention for mention in video.calls if mention.ticker == ticker)
    assert own == copy
    return own


def said(channel_id: str) -> dict[str, tuple[str, str | None]]:
    return {call.ticker: (str(call.sentiment), call.review) for call in the_video(channel_id).calls}


def messages(channel_id: str) -> list[str]:
    return [change.message for change in changes_of_channel(channel_id, None, 100).items]


def revision(channel_id: str) -> int:
    channel = channel_by_id(channel_id, consistent=True)
    assert channel
    return channel.revision


class TestReview:
    def test_corrects_the_mention_in_both_places_and_says_so_in_the_change_log(self, channel: Channel) -> None:
        before = revision(channel.id)

        corrected = review(channel.id, replace(TO_SELL, note="He says sell."))

        assert stored(channel.id) == corrected
        assert (corrected.sentiment, corrected.read_as, corrected.review) == ("sell", "buy", "corrected")
        assert (corrected.review_version, corrected.price_at_mention) == (1, 101.25)
        (kept,) = reviews_of_video(channel.id, corrected.video_id, consistent=True)
        assert (kept.outcome, kept.note, kept.reviewed_by, kept.version) == ("corrected", "He says sell.", "ann", 1)
        assert kept.quote == "I am buying AAPL here."
        (change,) = changes_of_channel(channel.id, None, 10).items
        assert change.message == "AAPL in “Video video000000”: corrected from buy to sell."
        assert (change.kind, change.changed_by, change.ticker) == ("reviewed", "ann", "AAPL")
        assert change.video_id == corrected.video_id
        assert revision(channel.id) == before + 1

    def test_is_one_read_one_write_and_a_job(
        self, channel: Channel, requests_made: Counter[str], dispatched: RecordingDispatcher
    ) -> None:
        video = the_video(channel.id)
        requests_made.clear()

        review_call(channel.id, video.id, "AAPL", CONFIRMED, Caller("ann"))

        assert requests_made == {"BatchGetItem": 1, "TransactWriteItems": 1}
        assert dispatched.jobs == [ScoreChannel(channel.id)]

    def test_withdrawn_restores_what_the_analyst_read(self, channel: Channel) -> None:
        before = stored(channel.id)
        review(channel.id, TO_SELL)

        review(channel.id, WITHDRAWN)

        assert stored(channel.id) == replace(before, review_version=2)
        assert messages(channel.id)[0] == "AAPL in “Video video000000”: review withdrawn, buy again."

    @pytest.mark.parametrize(
        "between", [CONFIRMED, REJECTED, TO_SELL, Judgement(ReviewOutcome.CORRECTED, Sentiment.HOLD)]
    )
    def test_replaces_the_one_before(self, channel: Channel, between: Judgement) -> None:
        review(channel.id, between)

        review(channel.id, replace(TO_SELL, note="again"))

        mention = stored(channel.id)
        assert (mention.sentiment, mention.read_as, mention.review_version) == ("sell", "buy", 2)

    def test_corrected_to_what_was_read_is_a_confirmation(self, channel: Channel) -> None:
        mention = review(channel.id, Judgement(ReviewOutcome.CORRECTED, Sentiment.BUY))

        assert (mention.review, mention.sentiment, mention.read_as) == ("confirmed", "buy", None)
        assert messages(channel.id) == ["AAPL in “Video video000000”: confirmed as buy."]

    def test_cannot_confirm_what_was_not_read(self, channel: Channel) -> None:
        with pytest.raises(NotWhatWasRead):
            review(channel.id, Judgement(ReviewOutcome.CONFIRMED, Sentiment.SELL))

        assert stored(channel.id).review is None

    def test_confirmed_after_a_correction_is_what_the_analyst_read(self, channel: Channel) -> None:
        review(channel.id, TO_SELL)

        assert review(channel.id, Judgement(ReviewOutcome.CONFIRMED, Sentiment.BUY)).sentiment == "buy"

    def test_a_retry_after_a_lost_response_is_no_conflict(self, channel: Channel) -> None:
        seen = replace(TO_SELL, version=0)
        review(channel.id, seen)

        assert review(channel.id, seen).review_version == 1
        with pytest.raises(ReviewedMeanwhile):
            review(channel.id, seen, by="bob")

    def test_repeated_writes_nothing(self, channel: Channel, requests_made: Counter[str]) -> None:
        review(channel.id, TO_SELL)
        requests_made.clear()

        again = review(channel.id, TO_SELL)

        assert again.review_version == 1
        assert requests_made["TransactWriteItems"] == 0

    def test_by_another_person_is_kept_as_theirs(self, channel: Channel) -> None:
        review(channel.id, CONFIRMED)

        review(channel.id, CONFIRMED, by="bob")

        (kept,) = reviews_of_video(channel.id, the_video(channel.id).id)
        assert (kept.reviewed_by, kept.version) == ("bob", 2)

    def test_there_is_nothing_to_withdraw_without_one(self, channel: Channel) -> None:
        assert review(channel.id, WITHDRAWN).review_version is None

        assert messages(channel.id) == []

    @pytest.mark.parametrize(("seen", "is_old"), [(None, False), (0, True), (1, False), (2, True)])
    def test_of_a_version_that_was_seen_is_refused_when_there_is_another(
        self, channel: Channel, seen: int | None, is_old: bool
    ) -> None:
        review(channel.id, CONFIRMED)

        if is_old:
            with pytest.raises(ReviewedMeanwhile):
                review(channel.id, replace(TO_SELL, version=seen))
        else:
            review(channel.id, replace(TO_SELL, version=seen))
        assert stored(channel.id).sentiment == ("buy" if is_old else "sell")

    def test_of_a_call_that_is_gone_says_so(self, channel: Channel) -> None:
        video = the_video(channel.id)

        for video_id, ticker in [
            (video.id, "KO"),
            (ids.new_channel_id(), "AAPL"),
            ("none", "AAPL"),
            (video.id, "A" * 3000),
        ]:
            with pytest.raises(CallNotFound):
                review_call(channel.id, video_id, ticker, CONFIRMED, Caller("ann"))

    def test_of_a_channel_that_is_gone_says_so_and_leaves_nothing(self, channel: Channel) -> None:
        video = the_video(channel.id)
        review(channel.id, CONFIRMED)

        delete_channel(channel.id)

        with pytest.raises(ChannelNotFound):
            review_call(channel.id, video.id, "AAPL", CONFIRMED, Caller("ann"))
        assert partition(f"CHANNEL#{channel.id}") == {}

    def test_works_on_calls_that_are_stored_in_an_older_layout(self, channel: Channel) -> None:
        video = the_video(channel.id)
        calls = str(video.call_attributes()["calls"]).replace('"]', '",null]')
        dynamodb().update_item(
            TableName=main_table(),
            Key=encode(tables.video_key(channel.id, video.id)),
            UpdateExpression="SET calls = :calls",
            ExpressionAttributeValues=encode({":calls": calls}),
        )

        assert review(channel.id, REJECTED).review == "rejected"

    def test_of_a_call_without_a_price_has_it_priced(self, dispatched: RecordingDispatcher) -> None:
        channel = a_finished_channel()
        video = the_video(channel.id)
        set_prices(channel.id, [video], lambda _: {"AAPL": None}, {"AAPL": "2024-03-02"})

        review(channel.id, TO_SELL)

        assert dispatched.jobs == [BackfillPrices(channel.id), ScoreChannel(channel.id)]


class TestAtTheSameTime:
    def test_two_people_review_two_calls_of_a_video(
        self, concurrent_tables: str, channel: Channel, in_threads: InThreads
    ) -> None:
        outcomes = in_threads(2, lambda number: review(channel.id, TO_SELL, ("AAPL", "MSFT")[number]))

        assert not [each for each in outcomes if isinstance(each, Exception)]
        assert said(channel.id) == {"AAPL": ("sell", "corrected"), "MSFT": ("sell", "corrected")}
        assert the_video(channel.id).edits == 2
        assert len(messages(channel.id)) == 2

    def test_many_people_review_the_same_call_one_after_another(
        self, concurrent_tables: str, channel: Channel, in_threads: InThreads
    ) -> None:
        outcomes = in_threads(4, lambda number: review(channel.id, REJECTED, by=f"person {number}"))

        assert {each.review_version for each in outcomes if isinstance(each, StockMention)} == {1, 2, 3, 4}
        assert stored(channel.id).review_version == 4
        assert len(messages(channel.id)) == 4

    def test_of_many_that_saw_the_same_one_is_kept(
        self, concurrent_tables: str, channel: Channel, in_threads: InThreads
    ) -> None:
        seen = replace(TO_SELL, version=0)

        outcomes = in_threads(4, lambda number: review(channel.id, seen, by=f"person {number}"))

        assert sum(isinstance(each, ReviewedMeanwhile) for each in outcomes) == 3
        assert (stored(channel.id).review_version, len(messages(channel.id))) == (1, 1)

    def test_prices_and_a_review_are_both_kept(self, channel: Channel) -> None:
        """A price is written between the reading and the writing of a review, and the other way round."""
        video = the_video(channel.id)
        reading = reviewed_call

        def priced_meanwhile(*key: str) -> object:
            read = reading(*key)
            if price := next(prices, None):
                set_prices(channel.id, [video], lambda _: {"AAPL": price}, {"AAPL": "2024-03-02"})
            return read

        prices = iter([55.0])
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(reviews, "reviewed_call", priced_meanwhile)
            review(channel.id, TO_SELL)
        # This one still has the video as it was before the review.
        set_prices(
            channel.id, [video], lambda _: {"AAPL": 66.0, "MSFT": 77.0}, {"AAPL": "2024-03-03", "MSFT": "2024-03-03"}
        )

        assert (stored(channel.id).price_at_mention, stored(channel.id).sentiment) == (66.0, "sell")
        assert stored(channel.id, "MSFT").price_at_mention == 77.0


@pytest.fixture
def world(tables: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    monkeypatch.setenv("KEPT_TRANSCRIPTS_FOLDER", str(tmp_path / "transcripts"))
    settings.cache_clear()
    ImmediateDispatcher().install(monkeypatch)
    world = World().install(monkeypatch)
    world.videos.listed = some_videos(1)
    world.transcripts.default = "AAPL buy, TSLA sell, KO mentioned"
    yield world


@pytest.fixture
def channel_id(world: World) -> str:
    channel = a_channel()
    create_channel(channel)
    whole_run(channel.id)
    return channel.id


def claimed(channel_id: str, *, rereading: bool = False) -> dict[str, str]:
    run_id = ids.new_run_id()
    runs.claim_run(channel_id, run_id, kind=RunKind.REREAD if rereading else RunKind.PROCESS)
    return {"channel_id": channel_id, "run_id": run_id}


def whole_run(channel_id: str, *, rereading: bool = False) -> None:
    run = claimed(channel_id, rereading=rereading)
    finish(run, list_videos.handler(run, None)["video_ids"])


def finish(run: dict[str, str], video_ids: list[str]) -> None:
    for video_id in video_ids:
        process_video.handler({**run, "video_id": video_id}, None)
    price_calls.handler({**run, "checks": 99}, None)
    finish_run.handler(run, None)


def reads_instead(world: World, text: str) -> None:
    world.analyst.name = "fake 2.0"
    world.analyst.read = lambda _: FakeAnalyst.statements(text)


class TestAfterwards:
    def test_a_rereading_keeps_what_people_said(self, world: World, channel_id: str) -> None:
        review(channel_id, TO_SELL, "AAPL")
        review(channel_id, CONFIRMED, "TSLA")
        review(channel_id, REJECTED, "KO")
        reads_instead(world, "AAPL hold, KO buy, MSFT buy")

        whole_run(channel_id, rereading=True)

        assert said(channel_id) == {
            "AAPL": ("sell", "corrected"),
            "TSLA": ("sell", "corrected"),
            "KO": ("buy", "rejected"),
            "MSFT": ("buy", None),
        }
        assert stored(channel_id, "AAPL").read_as == "hold"
        assert stored(channel_id, "TSLA").read_as == "mentioned"

    def test_a_review_after_a_rereading_is_of_what_was_read_then(self, world: World, channel_id: str) -> None:
        reads_instead(world, "AAPL hold")
        whole_run(channel_id, rereading=True)

        review(channel_id, TO_SELL, "AAPL")

        assert (stored(channel_id, "AAPL").read_as, stored(channel_id, "AAPL").analyst) == ("hold", "fake 2.0")
        with pytest.raises(CallNotFound):
            review(channel_id, CONFIRMED, "TSLA")

    def test_a_withdrawn_review_of_what_is_no_longer_found_leaves_a_mention_until_it_is_read_again(
        self, world: World, channel_id: str
    ) -> None:
        review(channel_id, CONFIRMED, "TSLA")
        reads_instead(world, "AAPL buy")
        whole_run(channel_id, rereading=True)

        review(channel_id, WITHDRAWN, "TSLA")
        after = said(channel_id)
        whole_run(channel_id, rereading=True)

        assert after["TSLA"] == ("mentioned", None)
        assert "TSLA" not in said(channel_id)

    def test_another_run_changes_nothing_of_it(self, world: World, channel_id: str) -> None:
        review(channel_id, TO_SELL, "AAPL")

        whole_run(channel_id)

        assert said(channel_id)["AAPL"] == ("sell", "corrected")

    def test_a_mention_corrected_to_a_buy_has_its_price_and_is_scored(self, world: World, channel_id: str) -> None:
        mention = review(channel_id, Judgement(ReviewOutcome.CORRECTED, Sentiment.BUY), "KO")

        keep_score(channel_id)

        assert mention.price_at_mention == 100.0
        assert "KO" in {ticker for ticker, _ in world.prices.requested}
        checked = scores.scorecard(channel_id, CallSet.CHECKED)
        assert [checked["horizons"][0][name] for name in ("calls", "pending", "unpriced")] in ([1, 0, 0], [0, 1, 0])

    @pytest.mark.parametrize("review_first", [True, False])
    def test_a_restatement_and_a_review_are_both_kept(self, world: World, channel_id: str, review_first: bool) -> None:
        keep_score(channel_id)
        if review_first:
            review(channel_id, TO_SELL, "AAPL")

        split_in_ten(world, "AAPL")

        if not review_first:
            review(channel_id, TO_SELL, "AAPL")
        mention = stored(channel_id, "AAPL")
        assert (mention.price_at_mention, mention.sentiment, mention.read_as) == (10.0, "sell", "buy")
        assert sorted(messages(channel_id)) == [
            "AAPL in “Video 0”: corrected from buy to sell.",
            "AAPL split 10:1: 1 price restated.",
        ]
        (restated,) = (each for each in changes_of_channel(channel_id, None, 10).items if each.kind == "restated")
        assert (restated.ticker, restated.video_id, restated.changed_by) == ("AAPL", None, None)

    def test_a_review_while_a_run_reads_the_video_is_in_what_it_writes(
        self, concurrent_tables: str, world: World, channel_id: str, in_threads: InThreads
    ) -> None:
        """The run has read the video and its reviews, and is with the analyst when the review is written."""
        gate = Gate("now")
        read_as_before = FakeAnalyst.statements
        waits = iter(["now"])

        def read_slowly(text: str) -> Any:
            for name in waits:
                gate(name)
            return read_as_before("AAPL hold, TSLA sell")

        world.analyst.read = read_slowly
        run = claimed(channel_id, rereading=True)
        video_ids = list_videos.handler(run, None)["video_ids"]

        def either(number: int) -> object:
            if number == 0:
                return finish(run, video_ids)
            gate.wait_for_someone()
            mention = review(channel_id, REJECTED, "TSLA")
            gate.open()
            return mention

        outcomes = in_threads(2, either)

        assert not [each for each in outcomes if isinstance(each, Exception)]
        assert said(channel_id) == {"AAPL": ("hold", None), "TSLA": ("sell", "rejected")}
        assert stored(channel_id, "TSLA").review == "rejected"

    def test_a_review_during_a_run_leaves_the_score_to_its_end(
        self, channel: Channel, dispatched: RecordingDispatcher
    ) -> None:
        claimed(channel.id)

        review(channel.id, REJECTED)

        assert dispatched.jobs == []


class TestStatement:
    """Every stock of the fake analyst is recommended by the host, or advised against."""

    def test_corrected_has_the_sentiment_that_the_policy_makes_of_it(self, world: World, channel_id: str) -> None:
        before = stored(channel_id).said

        mention = review(channel_id, TO_WOULD_BUY)

        assert stored(channel_id) == mention
        assert (mention.sentiment, mention.read_as, mention.review) == ("mentioned", "buy", "corrected")
        assert mention.said and (mention.said.act, mention.said.reason) == ("would_buy", "on_condition")
        assert mention.said_as_read == before
        assert messages(channel_id)[0].endswith("corrected from recommends (buy) to would buy (mention).")

    @pytest.mark.parametrize(
        ("judgement", "sentiment", "reason", "words"),
        [
            (Judgement(ReviewOutcome.CORRECTED, act=Act.OWNS), "hold", "owns", "owns (hold)"),
            (Judgement(ReviewOutcome.CORRECTED, act=Act.BOUGHT), "buy", "bought", "bought (buy)"),
            (
                Judgement(ReviewOutcome.CORRECTED, sponsored=True),
                "mentioned",
                "sponsored",
                "recommends, sponsored (mention)",
            ),
            (
                Judgement(ReviewOutcome.CORRECTED, act=Act.SOLD, speaker=Speaker.OTHER),
                "mentioned",
                "somebody_else",
                "sold, somebody else (mention)",
            ),
            (
                Judgement(ReviewOutcome.CORRECTED, speaker=Speaker.GUEST),
                "buy",
                "recommends",
                "recommends, a guest (buy)",
            ),
        ],
    )
    def test_in_each_part(
        self, world: World, channel_id: str, judgement: Judgement, sentiment: str, reason: str, words: str
    ) -> None:
        mention = review(channel_id, judgement)

        assert (mention.sentiment, mention.reason, mention.review) == (sentiment, reason, "corrected")
        assert messages(channel_id)[0].endswith(f"corrected from recommends (buy) to {words}.")

    def test_corrected_again_is_compared_with_the_correction_before(self, world: World, channel_id: str) -> None:
        review(channel_id, TO_WOULD_BUY)

        review(channel_id, Judgement(ReviewOutcome.CORRECTED, act=Act.BOUGHT))

        assert messages(channel_id)[0].endswith("corrected from would buy (mention) to bought (buy).")

    def test_corrected_to_what_was_read_is_a_confirmation(self, world: World, channel_id: str) -> None:
        mention = review(channel_id, Judgement(ReviewOutcome.CORRECTED, act=Act.RECOMMENDS))

        assert (mention.review, mention.said_as_read) == ("confirmed", None)

    @pytest.mark.parametrize("judgement", [TO_WOULD_BUY, TO_SELL, replace(TO_WOULD_BUY, sponsored=True)])
    def test_withdrawn_is_as_it_was_read(self, world: World, channel_id: str, judgement: Judgement) -> None:
        before = stored(channel_id)
        review(channel_id, judgement)

        review(channel_id, WITHDRAWN)

        assert stored(channel_id) == replace(before, review_version=2)

    def test_of_a_reading_without_one_is_gone_once_it_is_withdrawn(self, channel: Channel) -> None:
        before = stored(channel.id)

        mention = review(channel.id, TO_WOULD_BUY)
        review(channel.id, WITHDRAWN)

        assert mention.said and mention.said.act == "would_buy"
        assert messages(channel.id)[1].endswith("corrected from buy to would buy (mention).")
        assert stored(channel.id) == replace(before, review_version=2)

    def test_that_disagrees_with_the_sentiment_is_refused(self, world: World, channel_id: str) -> None:
        with pytest.raises(NotWhatThePolicySays, match=r"isn't buy \(Mention: only on a condition\)"):
            review(channel_id, replace(TO_WOULD_BUY, sentiment=Sentiment.BUY))

        assert stored(channel_id).review is None
        assert review(channel_id, replace(TO_WOULD_BUY, sentiment=Sentiment.MENTIONED)).review == "corrected"

    @pytest.mark.parametrize(
        "judgement",
        [
            Judgement(ReviewOutcome.CONFIRMED, act=Act.BOUGHT),
            Judgement(ReviewOutcome.CONFIRMED, speaker=Speaker.GUEST),
            Judgement(ReviewOutcome.CONFIRMED, sponsored=True),
        ],
    )
    def test_cannot_be_confirmed_as_another(self, world: World, channel_id: str, judgement: Judgement) -> None:
        with pytest.raises(NotWhatWasRead):
            review(channel_id, judgement)

        assert review(channel_id, Judgement(ReviewOutcome.CONFIRMED, act=Act.RECOMMENDS)).review == "confirmed"

    def test_repeated_writes_nothing(self, world: World, channel_id: str, requests_made: Counter[str]) -> None:
        review(channel_id, TO_WOULD_BUY)
        requests_made.clear()

        assert review(channel_id, TO_WOULD_BUY).review_version == 1
        assert requests_made["TransactWriteItems"] == 0

    def test_outlives_a_rereading(self, world: World, channel_id: str) -> None:
        review(channel_id, Judgement(ReviewOutcome.CORRECTED, act=Act.BOUGHT, speaker=Speaker.GUEST), "AAPL")
        review(channel_id, TO_WOULD_BUY, "TSLA")
        reads_instead(world, "AAPL hold, TSLA buy")

        whole_run(channel_id, rereading=True)

        apple, tesla = stored(channel_id, "AAPL"), stored(channel_id, "TSLA")
        assert apple.said and (apple.said.act, apple.said.speaker, apple.sentiment) == ("bought", "guest", "buy")
        assert apple.said_as_read and (apple.said_as_read.act, apple.read_as) == ("keeps", "hold")
        assert tesla.said and (tesla.said.act, tesla.sentiment, tesla.read_as) == ("would_buy", "mentioned", "buy")


def split_in_ten(world: World, ticker: str) -> None:
    """The source states all closes in new shares, and the series is checked."""
    world.prices.last_day = TODAY + timedelta(4)
    days = [TODAY + timedelta(number) for number in range(-600, 5)]
    world.prices.known[ticker] = [Close(day, 10.0) for day in days if day.weekday() < 5]
    world.prices.splits[ticker] = (Split(TODAY + timedelta(3), 10.0),)
    header = headers_of([ticker])[ticker]
    save_header(replace(header, next_check_at=seconds_from_now(-1)))
    update_series([ticker])


class TestScore:
    @pytest.fixture(autouse=True)
    def closes(self, tables: str) -> None:
        store_benchmark()
        store_closes("AAPL", rising)
        store_closes("MSFT", rising)

    def test_follows_a_review(self, channel: Channel) -> None:
        keep_score(channel.id)
        review(channel.id, REJECTED)

        assert keep_score(channel.id)

        quarter = scores.scorecard(channel.id)["horizons"][2]
        assert (quarter["calls"], quarter["beat_rate"]) == (1, 1.0)

    def test_is_found_by_the_clock_when_the_worker_dies_between_the_review_and_its_job(
        self, channel: Channel, dispatched: RecordingDispatcher
    ) -> None:
        keep_score(channel.id)
        dispatched.problem = Crash()  # type: ignore[assignment]
        with pytest.raises(Crash):
            review(channel.id, REJECTED)
        dispatched.problem = None

        assert stored(channel.id).review == "rejected"
        assert request_due_scores() == [channel.id]
        assert dispatched.jobs == [ScoreChannel(channel.id)]

    def test_tells_how_far_it_was_checked_and_how_much_was_right(self, channel: Channel) -> None:
        review(channel.id, CONFIRMED, "AAPL")
        review(channel.id, REJECTED, "MSFT")
        keep_score(channel.id)

        checked = scores.scorecard(channel.id)["checked"]

        assert (checked["calls"], checked["checked"], checked["right"], checked["right_rate"]) == (2, 2, 1, 0.5)
        assert 0 < checked["right_low"] < 0.5 < checked["right_high"] < 1

    def test_over_checked_calls_rests_on_those_alone(self, channel: Channel) -> None:
        review(channel.id, TO_SELL, "AAPL")
        keep_score(channel.id)

        every, checked = (scores.scorecard(channel.id, calls) for calls in CallSet)

        assert [every["horizons"][2]["calls"], checked["horizons"][2]["calls"]] == [2, 1]
        assert checked["horizons"][2]["by_kind"]["sell"]["calls"] == 1
        assert every["calls_sha256"] != checked["calls_sha256"]
        assert (every["calls"], checked["calls"], checked["reason"]) == ("all", "checked", None)

    def test_over_checked_calls_without_any_says_so(self, channel: Channel) -> None:
        keep_score(channel.id)

        checked = scores.scorecard(channel.id, CallSet.CHECKED)

        assert checked["reason"] == "No call of this channel has been checked by a person yet."
        assert checked["checked"]["right_rate"] is None
        assert {score["calls"] for score in checked["horizons"]} == {0}

    def test_of_a_channel_that_was_not_scored_is_empty_in_both_ways(self, channel: Channel) -> None:
        assert [scores.scorecard(channel.id, calls)["calls"] for calls in CallSet] == ["all", "checked"]
