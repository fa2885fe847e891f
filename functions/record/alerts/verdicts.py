"""The verdict on a channel beside all others, and who turned it: the market, or people's reviews."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from functions.reading.terms import SIDES
from functions.record.channels.changes import new_channel_change
from functions.record.models.alerts import TURNED_BY_REVIEWS, VERDICT_WORDS
from functions.record.models.records import Change, ChangeKind, StockMention
from functions.record.models.scores import StandingItem, unpack
from functions.record.scores.calls import to_call
from functions.record.scores.kept import standings_for, version
from functions.record.scoring.leaderboard import Standings, is_judged, leaderboard, standing_of
from functions.record.scoring.returns import Market, chronological
from functions.record.scoring.scorecard import score_at
from functions.record.scoring.types import DEFAULT_HORIZON, PRIMARY_HORIZON, Horizon, Verdict
from functions.record.store.scorecards import all_standings, kept_calls_of_channel
from functions.runtime.settings import settings

Reviewed = dict[str, tuple[int, int]]
"""By mention: the version of its review, and the side it had."""


@dataclass(frozen=True, slots=True)
class VerdictChange:
    """A verdict that is another one than in the score before."""

    horizon: Horizon
    verdict: Verdict
    before: Verdict
    by_review: bool
    """True if the verdict would be another one had nobody reviewed calls since the score before."""


def judged(standing: StandingItem) -> StandingItem:
    """Adds the verdict that the leaderboard shows, which depends on how many channels are judged."""
    return replace(standing, verdict=_verdict(standing.channel_id, standings_for(standing, PRIMARY_HORIZON)))


def change_of_verdict(
    before: StandingItem | None, standing: StandingItem, mentions: Iterable[StockMention], market: Market
) -> VerdictChange | None:
    """Returns None if it stays the same. A first score, or one by another method, changes no verdict."""
    if before is None or before.version != standing.version or before.verdict in (None, standing.verdict):
        return None
    verdict = Verdict(standing.verdict or "")
    without = _verdict_without_reviews(before, list(mentions), market)
    return VerdictChange(
        DEFAULT_HORIZON, verdict, Verdict(before.verdict or ""), by_review=without not in (None, verdict)
    )


def change_log(channel_id: str, turned: VerdictChange | None) -> list[Change]:
    """Returns the entry for a verdict that people's reviews turned. The market's turns are no change of the record."""
    if turned is None or not turned.by_review:
        return []
    words = f"{VERDICT_WORDS[turned.verdict]} (before: {VERDICT_WORDS[turned.before]})"
    message = f"The verdict at three months: {words}. {TURNED_BY_REVIEWS}"
    return [new_channel_change(ChangeKind.REVIEWED, channel_id, message, ticker=None)]


def reviewed_sides(mentions: Iterable[StockMention]) -> Reviewed:
    return {each.id: (each.review_version, each.side) for each in mentions if each.review_version}


def _verdict(channel_id: str, own: Standings) -> Verdict:
    if not is_judged(own[PRIMARY_HORIZON]):
        return Verdict.TOO_FEW_CALLS
    others = (item for item in all_standings() if item.version == version() and item.channel_id != channel_id)
    entries = leaderboard([own, *(standings_for(item, PRIMARY_HORIZON) for item in others)])
    return next(each.verdict for each in entries if each.channel_id == channel_id)


def _verdict_without_reviews(before: StandingItem, mentions: list[StockMention], market: Market) -> Verdict | None:
    """Returns the verdict of today's market had nobody reviewed a call since the score before; None if nobody has."""
    sides = _sides_before(before.channel_id, mentions)
    if not sides:
        return None
    calls = [replace(to_call(each), side=side) for each in mentions if (side := sides.get(each.id, each.side))]
    score = score_at(PRIMARY_HORIZON, chronological(calls), market, cost_bps=settings().cost_bps)
    # Reviews of the sample also tell how well the calls were read.
    known = standings_for(before, PRIMARY_HORIZON)[PRIMARY_HORIZON]
    standing = replace(standing_of(before.channel_id, score), right_rate=known.right_rate, right_low=known.right_low)
    return _verdict(before.channel_id, {PRIMARY_HORIZON: standing})


def _sides_before(channel_id: str, mentions: Iterable[StockMention]) -> dict[str, int]:
    """Returns the mentions reviewed since the score before, each with the side that it had then."""
    kept = kept_calls_of_channel(channel_id, consistent=True)
    if kept is None or kept.reviewed is None:
        return {}
    known: Reviewed = unpack(kept.reviewed)
    changed = [each for each in mentions if each.review_version and each.review_version != known.get(each.id, (0,))[0]]
    # A mention without a review had the side that the analyst reads.
    return {each.id: known[each.id][1] if each.id in known else SIDES.get(each.reading, 0) for each in changed}
