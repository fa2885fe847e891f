"""Requests a channel's score to be recomputed after its calls or their prices have changed."""

from collections.abc import Iterable

from functions.record.store.mentions import channels_that_mention
from functions.record.store.scorecards import mark_changed
from functions.runtime.concurrency import for_each
from functions.runtime.dispatch import ScoreChannel, dispatcher, send_jobs


def request_scores(channel_ids: Iterable[str]) -> None:
    """Marks the stored scores of these channels as stale.

    Sends a job only for channels whose score was up to date. The others already have a job queued; if that one is lost,
    the scheduled job sends another.
    """
    marked = for_each(lambda each: (each, mark_changed(each)), sorted(set(channel_ids)))
    send_jobs(ScoreChannel(channel_id) for channel_id, was_scored in marked if was_scored)


def request_scores_of_stocks(tickers: Iterable[str], days: tuple[str, str] | None = None) -> None:
    """Requests scores for every channel that mentions one of these stocks, or did on days from the first to the last.

    Their prices have changed, or news from before these mentions has come late.
    """
    mentioned = for_each(lambda ticker: channels_that_mention(ticker, days), sorted(set(tickers)))
    request_scores(channel_id for some in mentioned for channel_id in some)


def send_score_job(channel_id: str) -> None:
    """Sends a score job at the end of a run, which has already marked the channel."""
    dispatcher().send(ScoreChannel(channel_id))
