"""Asks for a channel's score to be computed anew, after its calls or their prices have changed."""

from collections.abc import Iterable

from functions.record.store.mentions import channels_that_mention
from functions.record.store.scorecards import mark_changed
from functions.runtime.concurrency import for_each
from functions.runtime.dispatch import ScoreChannel, dispatcher


def request_scores(channel_ids: Iterable[str]) -> None:
    """What is kept of these channels is old from now on.

    A job is sent for those whose score was up to date. The others have one on its way; if that is lost, the clock
    sends another.
    """
    for channel_id, was_scored in for_each(lambda each: (each, mark_changed(each)), sorted(set(channel_ids))):
        if was_scored:
            dispatcher().send(ScoreChannel(channel_id))


def request_scores_of_stocks(tickers: Iterable[str]) -> None:
    """After prices of stocks have changed: of every channel that mentions one of them."""
    mentioned = for_each(channels_that_mention, sorted(set(tickers)))
    request_scores(channel_id for some in mentioned for channel_id in some)


def send_score_job(channel_id: str) -> None:
    """After a run, whose end has marked the channel."""
    dispatcher().send(ScoreChannel(channel_id))
