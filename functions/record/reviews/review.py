"""A person's review of how a mention was read, and the mention with the text around its quote."""

from dataclasses import dataclass, replace

from functions.reading.statements import Act, Speaker
from functions.reading.terms import Sentiment
from functions.reading.transcripts import Transcript
from functions.record.channels.changes import new_change, quoted_title
from functions.record.channels.channels import require_channel_id
from functions.record.errors import CallNotFound, NotWhatThePolicySays, NotWhatWasRead, ReviewedMeanwhile
from functions.record.models.audit import AuditAction
from functions.record.models.records import Change, ChangeKind, Review, ReviewOutcome, StockMention, Video
from functions.record.models.said import corrected, plainly_said
from functions.record.reviews.corrections import as_read, reviewed_mention
from functions.record.reviews.evidence import Surroundings, surroundings
from functions.record.store.audit import audit_action
from functions.record.store.kept_transcripts import kept_transcript
from functions.record.store.reviews import Reviewed, reviewed_call, save_review
from functions.record.store.stocks import stock_by_ticker
from functions.runtime.caller import Caller
from functions.runtime.clock import now
from functions.runtime.concurrency import run_parallel
from functions.runtime.dispatch import BackfillPrices, ScoreChannel, dispatcher
from functions.runtime.dynamodb.requests import Action, wait_before_retry
from functions.runtime.errors import NotTheOwner
from functions.runtime.ids import is_uuid
from functions.runtime.text import one_line

TRIES = 12
"""How often a review is retried because the video was changed concurrently."""
MAX_MESSAGE_LENGTH = 500
MAX_TICKER_LENGTH = 20


@dataclass(frozen=True, slots=True)
class Judgement:
    """A reviewer's verdict on a mention."""

    outcome: ReviewOutcome | None
    """None withdraws the earlier verdict."""
    sentiment: Sentiment | None = None
    note: str | None = None
    version: int | None = None
    """The version of the review that the reviewer saw, 0 for none; None to skip the check."""
    act: Act | None = None
    speaker: Speaker | None = None
    sponsored: bool | None = None
    blind: bool = True
    """False if what became of the call was in view."""

    @property
    def corrects_statement(self) -> bool:
        """True if it names a part of the statement; the others stay as the analyst read them."""
        return any(part is not None for part in (self.act, self.speaker, self.sponsored))


@dataclass(frozen=True, slots=True)
class CallInContext:
    mention: StockMention
    video: Video
    name: str | None
    review: Review | None
    around: Surroundings


def review_call(
    channel_id: str, video_id: str, ticker: str, judgement: Judgement, by: Caller
) -> tuple[StockMention, Video]:
    """Returns the mention with the review applied. Safe with concurrent changes to the video. Raises NotTheOwner where
    somebody else's review stands, unless the caller is an admin."""
    require_channel_id(channel_id)
    for attempt in range(TRIES):
        read = _read(channel_id, video_id, ticker)
        video, mention = _mention(read, video_id, ticker)
        known = read.review.version if read.review else 0
        review = _review(mention, judgement, by, known + 1)
        after = reviewed_mention(as_read(mention), review)
        # Before the version is compared: a retry after a lost response has seen the version before its own.
        if _is_repeated(read.review, review, mention, after):
            return mention, video
        if judgement.version not in (None, known):
            raise ReviewedMeanwhile((mention, video))
        _require_control(read.review, by)
        if save_review(read, after, review, _change(video, mention, after, review), _audited(video, review, by)):
            _request_score(read, after)
            return after, video
        wait_before_retry(attempt)
    raise ReviewedMeanwhile((mention, video))


def call_in_context(channel_id: str, video_id: str, ticker: str) -> CallInContext:
    require_channel_id(channel_id)
    read = _read(channel_id, video_id, ticker)
    video, mention = _mention(read, video_id, ticker)
    stock, transcript = run_parallel(lambda: stock_by_ticker(ticker), lambda: _kept(video))
    around = surroundings(transcript, mention.context_snippet, mention.start_seconds)
    return CallInContext(mention, video, stock.name if stock else None, read.review, around)


def _read(channel_id: str, video_id: str, ticker: str) -> Reviewed:
    # Neither can be a key of the table.
    if not is_uuid(video_id) or len(ticker) > MAX_TICKER_LENGTH:
        raise CallNotFound(video_id, ticker)
    return reviewed_call(channel_id, video_id, ticker)


def _mention(read: Reviewed, video_id: str, ticker: str) -> tuple[Video, StockMention]:
    for mention in read.video.calls if read.video else ():
        if read.video and mention.ticker == ticker:
            return read.video, mention
    raise CallNotFound(video_id, ticker)


def _require_control(standing: Review | None, by: Caller) -> None:
    if standing and standing.outcome and not by.controls(standing.reviewed_by):
        raise NotTheOwner("Only the person who reviewed this call, or an admin, may change or withdraw the review")


def _audited(video: Video, review: Review, by: Caller) -> Action:
    action = AuditAction.CALL_REVIEWED if review.outcome else AuditAction.REVIEW_WITHDRAWN
    path = f"/api/channels/{video.channel_id}/videos/{video.id}/calls/{review.ticker}"
    words = f": {review.outcome}, {review.sentiment}" if review.outcome else ""
    return audit_action(by, action, path, f"{review.ticker} in {quoted_title(video)}{words}")


def _review(mention: StockMention, judgement: Judgement, by: Caller, version: int) -> Review:
    read = as_read(mention)
    review = Review(
        channel_id=mention.channel_id,
        video_id=mention.video_id,
        ticker=mention.ticker,
        version=version,
        sentiment=read.sentiment,
        reviewed_by=by.id,
        reviewed_by_name=by.name,
        reviewed_at=now(),
        outcome=judgement.outcome,
        note=judgement.note,
        quote=mention.context_snippet,
        start_seconds=mention.start_seconds,
        blind=judgement.blind,
    )
    if judgement.outcome == ReviewOutcome.CONFIRMED:
        _require_as_read(read, judgement)
    if judgement.outcome != ReviewOutcome.CORRECTED:
        return review
    if judgement.corrects_statement:
        correction = _with_statement(review, read, judgement)
    else:
        correction = replace(review, sentiment=judgement.sentiment or read.sentiment)
    changes_nothing = reviewed_mention(read, correction).review == ReviewOutcome.CONFIRMED
    return replace(correction, outcome=ReviewOutcome.CONFIRMED) if changes_nothing else correction


def _require_as_read(read: StockMention, judgement: Judgement) -> None:
    for part in ("sentiment", "act", "speaker", "sponsored"):
        given = getattr(judgement, part)
        was = getattr(read if part == "sentiment" else read.said, part, None)
        if given not in (None, was):
            raise NotWhatWasRead(part, given, was)


def _with_statement(review: Review, read: StockMention, judgement: Judgement) -> Review:
    """Returns the review with the statement as corrected, and the sentiment that the policy makes of it."""
    before = read.said or plainly_said(None, read.sentiment)
    act = judgement.act or before.act
    speaker = judgement.speaker or before.speaker
    sponsored = before.sponsored if judgement.sponsored is None else judgement.sponsored
    said, sentiment = corrected(before, act, speaker, sponsored=sponsored)
    if judgement.sentiment not in (None, sentiment):
        raise NotWhatThePolicySays(str(judgement.sentiment), said.explanation)
    return replace(review, sentiment=sentiment, act=act, speaker=speaker, sponsored=sponsored)


def _is_repeated(known: Review | None, review: Review, mention: StockMention, after: StockMention) -> bool:
    """True if nothing would change: the same person repeats a review, or there is no review to withdraw."""
    if known is None or known.outcome is None:
        return review.outcome is None
    said_again = replace(
        review,
        version=known.version,
        reviewed_at=known.reviewed_at,
        quote=known.quote,
        start_seconds=known.start_seconds,
    )
    return said_again == known and replace(after, review_version=mention.review_version) == mention


def _change(video: Video, before: StockMention, after: StockMention, review: Review) -> Change:
    words = _in_words(before, after, review)
    message = one_line(f"{after.ticker} in {quoted_title(video)}: {words}.", MAX_MESSAGE_LENGTH)
    return new_change(
        ChangeKind.REVIEWED,
        video,
        message,
        changed_by=review.reviewed_by,
        changed_by_name=review.reviewed_by_name,
        ticker=after.ticker,
    )


def _in_words(before: StockMention, after: StockMention, review: Review) -> str:
    match after.review:
        case ReviewOutcome.CONFIRMED:
            return f"confirmed as {after.sentiment}"
        case ReviewOutcome.CORRECTED if review.act:
            is_new = (before.sentiment, before.said) != (after.sentiment, after.said)
            read = before if is_new else as_read(after)
            return f"corrected from {_statement_in_words(read)} to {_statement_in_words(after)}"
        case ReviewOutcome.CORRECTED:
            said = before.sentiment if before.sentiment != after.sentiment else after.reading
            return f"corrected from {said} to {after.sentiment}"
        case ReviewOutcome.REJECTED:
            return f"rejected as {after.sentiment}"
    return f"review withdrawn, {after.sentiment} again"


def _statement_in_words(mention: StockMention) -> str:
    """Returns such as "recommends (buy)" or "bought, somebody else (mention)"."""
    if mention.said is None:
        return mention.sentiment
    parts = [mention.said.act.replace("_", " ")]
    if mention.said.speaker != Speaker.HOST:
        parts.append("somebody else" if mention.said.speaker == Speaker.OTHER else "a guest")
    if mention.said.sponsored:
        parts.append("sponsored")
    kind = "mention" if mention.sentiment == Sentiment.MENTIONED else mention.sentiment
    return f"{', '.join(parts)} ({kind})"


def _request_score(read: Reviewed, mention: StockMention) -> None:
    """The review itself has marked the stored score as stale. A run in progress requests the score at its end.

    Always sends a job: a queued one may give up while reviews keep coming, and a superfluous one finds nothing to do.
    """
    if mention.side and mention.price_at_mention is None:
        dispatcher().send(BackfillPrices(mention.channel_id))
    if not read.channel.is_under_way:
        dispatcher().send(ScoreChannel(mention.channel_id))


def _kept(video: Video) -> Transcript | None:
    return kept_transcript(video.channel_id, video.id) if video.transcript_kept else None
