"""Reads a video: finds the calls in its transcript, applies reviews of earlier readings, and prices the calls."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal

from functions.reading import analysts
from functions.reading.analyst import NO_TOKENS, Speech, TokenUsage
from functions.reading.listings import current_ticker, is_listed
from functions.reading.policy import Call, calls_of
from functions.reading.statements import Act, Quote, Statement
from functions.reading.terms import Sentiment
from functions.reading.transcripts import Transcript
from functions.record.channels.changes import new_change, quoted_title
from functions.record.models.records import AnalysisStatus, Change, ChangeKind, StockMention, TranscriptStatus, Video
from functions.record.models.said import said_in
from functions.record.models.series import PriceProblem
from functions.record.prices.entry import MAX_AGE, price_at, pricing_day
from functions.record.reviews.corrections import apply_reviews
from functions.record.runs.failures import UnusableResponse
from functions.record.runs.token_budget import count_reading
from functions.record.store.price_series import headers_and_series_of
from functions.record.store.readings import MAX_MENTIONS_PER_VIDEO, CallCounts
from functions.record.store.reviews import reviews_of_video
from functions.runtime.clock import now
from functions.runtime.settings import settings
from functions.runtime.text import cut_to, some_of

MAX_CONTEXT_LENGTH = 200
READINGS = 5
"""Maximum readings of a video that keeps being changed concurrently."""


@dataclass(frozen=True, slots=True)
class Reading:
    before: Video
    video: Video
    """The video after this reading."""
    problems: Mapping[str, PriceProblem]
    """Why calls have no price, by ticker."""
    usage: TokenUsage = NO_TOKENS
    """The tokens it took, if a model read it."""
    rejected: tuple[str, ...] = ()
    """Stocks that the analyst reported and that failed a check, each with the reason."""
    is_cut: bool = False
    """True if only the first words of the transcript were read."""

    @property
    def gone(self) -> list[StockMention]:
        """Mentions of the previous reading that this one lacks."""
        found = set(self.video.tickers)
        return [mention for mention in self.before.calls if mention.ticker not in found]

    @property
    def summary(self) -> str:
        """A sentence for the channel's log."""
        left_out = f" Left out: {some_of(list(self.rejected))}." if self.rejected else ""
        if self.is_cut:
            left_out += f" Only its first {settings().max_transcript_words:,} words were read (MAX_TRANSCRIPT_WORDS)."
        left_out += f" {self.usage.total:,} tokens." if self.usage.total else ""
        if not self.video.calls:
            return f"no stocks mentioned.{left_out}"
        mentioned = some_of([f"{mention.ticker} {mention.sentiment}" for mention in self.video.calls])
        # Prices still being fetched arrive within the run, which reports at its end those that did not.
        missing = {each: problem for each, problem in self.problems.items() if problem != PriceProblem.NOT_FETCHED}
        unpriced = "".join(f" No price of {each}: {missing[each].sentence}" for each in sorted(missing))
        return f"{mentioned}.{unpriced}{left_out}"

    @property
    def counts(self) -> CallCounts:
        """How the calls changed since the previous reading."""
        kinds = [kind for kind, _, _ in self._differences()]
        return CallCounts(kinds.count("new"), kinds.count("gone"), kinds.count("turned"))

    @property
    def new_calls(self) -> list[StockMention]:
        """Calls that are new, or whose side flipped."""
        return [mention for kind, mention, _ in self._differences() if kind != "gone"]

    def change(
        self, kind: ChangeKind, what: str, changed_by: str | None = None, changed_by_name: str | None = None
    ) -> Change | None:
        """Returns the change log entry; None if no call changed. `what` was done to the video, such as "read again"."""
        words = [_in_words(*difference) for difference in self._differences()]
        if not words:
            return None
        message = f"{quoted_title(self.video)} {what}: {some_of(words)}."
        return new_change(kind, self.video, message, changed_by=changed_by, changed_by_name=changed_by_name)

    def _differences(self) -> "list[tuple[Difference, StockMention, StockMention | None]]":
        """Lists how the calls differ from the previous ones; for a call whose side flipped, both are given."""
        before = {mention.ticker: mention for mention in self.before.calls if mention.side}
        after = {mention.ticker: mention for mention in self.video.calls if mention.side}
        found: list[tuple[Difference, StockMention, StockMention | None]] = []
        found += [("new", after[ticker], None) for ticker in sorted(after.keys() - before.keys())]
        found += [("gone", before[ticker], None) for ticker in sorted(before.keys() - after.keys())]
        for ticker in sorted(after.keys() & before.keys()):
            if after[ticker].side != before[ticker].side:
                found.append(("turned", after[ticker], before[ticker]))
        return found


Difference = Literal["new", "gone", "turned"]


def read_video(video: Video, transcript: Transcript, *, run_id: str | None, kept: bool) -> Reading:
    """Reads a video with the current analyst. Reviews of earlier readings apply to this one too."""
    day = date.fromisoformat(video.published_at)
    analyst = analysts.analyst()
    text = transcript.first_words(settings().max_transcript_words)
    analysis = analyst.analyse(Speech(text, day, video.title))
    count_reading(analysis.usage)
    calls = _select_calls(calls_of(map(_validated, analysis.statements)), day)
    read = replace(video, analyst=analysis.analyst or analyst.name)
    mentions = [_mention(read, call, transcript) for call in calls]
    # A review counts as an edit, so a video without edits has no reviews.
    reviews = reviews_of_video(video.channel_id, video.id, consistent=True) if video.edits else []
    reviewed = apply_reviews(read, mentions, reviews)
    priced, problems = _priced(_first_seen(video, _that_fit(video, reviewed)))
    after = replace(
        read,
        run_id=run_id or video.run_id,
        transcript_status=TranscriptStatus.FETCHED,
        analysis_status=AnalysisStatus.COMPLETED,
        problem=None,
        transcript_kept=kept or None,
        tokens_in=analysis.usage.input or None,
        tokens_out=analysis.usage.output or None,
        calls=tuple(priced),
    )
    return Reading(video, after, problems, analysis.usage, analysis.rejected, len(text) < len(transcript.text))


def _in_words(kind: Difference, mention: StockMention, before: StockMention | None) -> str:
    if before is not None:
        return f"{mention.ticker} turned from {before.sentiment} to {mention.sentiment}"
    return f"{mention.ticker} is {'a new' if kind == 'new' else 'no longer a'} {mention.sentiment}"


def _mention(video: Video, call: Call, transcript: Transcript) -> StockMention:
    seconds = [transcript.second_at(quote.position) for quote in call.statement.quotes]
    return StockMention(
        video_id=video.id,
        channel_id=video.channel_id,
        ticker=call.ticker,
        sentiment=call.sentiment,
        published_at=video.published_at,
        published_time=video.published_time,
        created_at=now(),
        confidence_score=call.confidence,
        context_snippet=call.context,
        possible_sentiment=call.decision.possible_sentiment,
        start_seconds=seconds[0],
        analyst=video.analyst,
        said=said_in(call.statement, call.decision, seconds[-1]),
    )


def _that_fit(video: Video, mentions: Sequence[StockMention]) -> list[StockMention]:
    """Returns as many mentions as fit in the transaction that also removes those that are gone."""
    written = set(video.tickers)
    fitting = []
    for mention in mentions:
        if mention.ticker in written or len(written) < MAX_MENTIONS_PER_VIDEO:
            written.add(mention.ticker)
            fitting.append(mention)
    return fitting


def _first_seen(video: Video, mentions: Sequence[StockMention]) -> list[StockMention]:
    """Preserves when a mention was first read."""
    before = {mention.ticker: mention.created_at for mention in video.calls}
    return [replace(each, created_at=before.get(each.ticker, each.created_at)) for each in mentions]


def _select_calls(calls: Sequence[Call], day: date) -> list[Call]:
    """Returns one call per stock, most confident first, as many as fit one transaction.

    Only a hostile transcript reaches that limit. Shares that were not US-listed that day are dropped, unless no list
    knows them at all.
    """
    surest_first = sorted(calls, key=lambda call: (call.sentiment == Sentiment.MENTIONED, -call.confidence))
    by_ticker: dict[str, Call] = {}
    for call in surest_first:
        if is_listed(call.ticker, day) or not call.statement.listed:
            by_ticker.setdefault(call.ticker, call)
    return list(by_ticker.values())[:MAX_MENTIONS_PER_VIDEO]


def _validated(statement: Statement) -> Statement:
    """Returns it with its current ticker and truncated quotes; UnusableResponse if the analyst's is invalid."""
    ticker = current_ticker(statement.ticker) if statement.listed else statement.ticker
    if statement.act not in set(Act):
        raise UnusableResponse(
            f"The analyst's act for {ticker} is {statement.act!r}, which is none of {', '.join(Act)}."
        )
    if not 0 <= statement.confidence <= 1:
        raise UnusableResponse(
            f"The analyst's confidence in {ticker} is {statement.confidence!r}, and not from 0 to 1."
        )
    quotes = tuple(Quote(cut_to(quote.text, MAX_CONTEXT_LENGTH), quote.position) for quote in statement.quotes)
    return replace(statement, ticker=ticker, quotes=quotes)


def _priced(mentions: Sequence[StockMention]) -> tuple[list[StockMention], dict[str, PriceProblem]]:
    """Returns the mentions, priced from the stored series if possible, and why others have no price."""
    if not mentions:
        return [], {}
    day = pricing_day(mentions[0])
    stored = headers_and_series_of([mention.ticker for mention in mentions], day - MAX_AGE, day)
    priced: list[StockMention] = []
    problems: dict[str, PriceProblem] = {}
    for mention in mentions:
        found = price_at(mention, *stored[mention.ticker])
        if isinstance(found, PriceProblem):
            problems[mention.ticker] = found
            priced.append(mention)
        else:
            priced.append(replace(mention, price_at_mention=found))
    return priced, problems
