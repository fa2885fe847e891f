"""The prices of calls: written to mentions and their videos' copies together, and counted for the channel's log."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from functions.record.models.records import Change, LogLevel, Restatement, StockMention, Video
from functions.record.store.logs import channel_is_there, transact_with_log
from functions.record.store.readings import put_action
from functions.runtime.clock import now, to_milliseconds
from functions.runtime.dynamodb import tables
from functions.runtime.dynamodb.attributes import Value, encode
from functions.runtime.dynamodb.connection import main_table
from functions.runtime.dynamodb.requests import (
    MAX_TRANSACTION_ACTIONS,
    TRANSACTION_TRIES,
    Action,
    TransactionRefused,
    batch_get,
    transact,
    update_action,
)

VIDEOS_AT_ONCE = 25
"""Per transaction, which is limited to 4 MB: a video's calls are sent both before and after the change."""
CALLS_AT_ONCE = MAX_TRANSACTION_ACTIONS // 2 - 1
"""Per video in one transaction: each is a mention and a counter, beside the video and its channel."""
KEPT_SECONDS = 30 * 24 * 60 * 60
"""How long a reported restatement is remembered: far longer than it could be repeated."""

Prices = Mapping[str, float | None]
"""By ticker, for the calls of one video."""


@dataclass(frozen=True, slots=True)
class Priced:
    filled: int = 0
    """Calls that had no price."""
    restated: int = 0
    """Calls whose price changed."""

    def __add__(self, other: "Priced") -> "Priced":
        return Priced(self.filled + other.filled, self.restated + other.restated)


@dataclass(frozen=True, slots=True)
class _Change:
    """A video whose calls get new prices."""

    video: Video
    calls: tuple[StockMention, ...]

    @property
    def changed(self) -> list[tuple[StockMention, StockMention]]:
        pairs = zip(self.video.calls, self.calls, strict=True)
        return [(before, after) for before, after in pairs if before.price_at_mention != after.price_at_mention]


def videos_of_mentions(mentions: Iterable[StockMention]) -> list[Video]:
    """Returns the current videos of these mentions, each once."""
    return _read([(mention.channel_id, mention.video_id) for mention in mentions])


def set_prices(
    channel_id: str, videos: Iterable[Video], prices_of: Callable[[Video], Prices], as_of: Mapping[str, str]
) -> Priced:
    """Gives the calls of a channel's videos the prices that `prices_of` finds, and returns how many changed.

    A video changed concurrently is read again; a deleted channel is skipped. Each restated price is counted in the same
    transaction, under the `as_of` timestamp of its ticker's series.
    """
    done = Priced()
    left = list(videos)
    for attempt in range(TRANSACTION_TRIES):
        changes = [change for video in left if (change := _change(video, prices_of(video))).changed]
        again = [change.video for change in changes if len(change.changed) == CALLS_AT_ONCE]
        for some in _transactions(changes, most=1 if attempt else VIDEOS_AT_ONCE):
            try:
                done += _write(channel_id, some, as_of)
            except TransactionRefused as refused:
                if refused.failed[0]:
                    return done
                again += [change.video for change in some]
        if not again:
            break
        left = _read([(video.channel_id, video.id) for video in again])
    return done


def untold_restatements(of: Iterable[tuple[str, str, str]]) -> list[Restatement]:
    """Returns the restatements, given by channel, ticker and `as_of`, that are not yet fully reported in the log."""
    keys = [tables.restatement_key(channel_id, ticker, as_of) for channel_id, ticker, as_of in of]
    found = map(Restatement.from_item, batch_get(main_table(), keys, ConsistentRead=True))
    return [restatement for restatement in found if restatement.prices > restatement.told]


def tell_restatement(restatement: Restatement, change: Change) -> None:
    """Writes its line to the log and the change log, unless another worker has done so, more prices were restated
    concurrently, or the channel is gone."""
    told = update_action(
        restatement.keys(),
        "SET told = :prices",
        "prices = :prices AND told = :told",
        {"prices": restatement.prices, "told": restatement.told},
    )
    actions: list[Action] = [channel_is_there(restatement.channel_id), {"Update": told}, put_action(change)]
    try:
        transact_with_log(actions, restatement.channel_id, LogLevel.INFO, change.message)
    except TransactionRefused:
        return


def _change(video: Video, prices: Prices) -> _Change:
    """Changes as many calls as fit into one transaction."""
    differing = [
        call.ticker for call in video.calls if prices.get(call.ticker, call.price_at_mention) != call.price_at_mention
    ]
    now_priced = set(differing[:CALLS_AT_ONCE])
    calls = (
        replace(call, price_at_mention=prices[call.ticker]) if call.ticker in now_priced else call
        for call in video.calls
    )
    return _Change(video, tuple(calls))


def _transactions(changes: Sequence[_Change], most: int) -> Iterator[list[_Change]]:
    """Groups as many videos as fit: each with its mentions, and a counter per ticker, beside the channel."""
    some: list[_Change] = []
    for change in changes:
        if some and (len(some) == most or _actions([*some, change]) > MAX_TRANSACTION_ACTIONS):
            yield some
            some = []
        some.append(change)
    if some:
        yield some


def _actions(changes: Sequence[_Change]) -> int:
    calls = [after for change in changes for _, after in change.changed]
    return 1 + len(changes) + len(calls) + len({call.ticker for call in calls})


def _write(channel_id: str, changes: Sequence[_Change], as_of: Mapping[str, str]) -> Priced:
    pairs = [pair for change in changes for pair in change.changed]
    restated = Counter(before.ticker for before, _ in pairs if before.price_at_mention is not None)
    transact(
        [
            channel_is_there(channel_id),
            *map(_update_video, changes),
            *(_update_mention(after) for _, after in pairs),
            *(_count(channel_id, ticker, as_of[ticker], number) for ticker, number in restated.items()),
        ]
    )
    return Priced(len(pairs) - restated.total(), restated.total())


def _update_video(change: _Change) -> Action:
    video = change.video
    after = replace(video, calls=change.calls).call_attributes()
    still_unpriced = ", unpriced = :unpriced" if after["unpriced"] else " REMOVE unpriced"
    return {
        "Update": update_action(
            tables.video_key(video.channel_id, video.id),
            f"SET calls = :after{still_unpriced}",
            "calls = :before",
            {"before": video.call_attributes()["calls"], "after": after["calls"], "unpriced": after["unpriced"]},
        )
    }


def _update_mention(mention: StockMention) -> Action:
    price = mention.price_at_mention
    return {
        "Update": update_action(
            tables.mention_key(mention.video_id, mention.id),
            "REMOVE price_at_mention" if price is None else "SET price_at_mention = :price",
            "attribute_exists(PK)",
            {"price": price},
        )
    }


def _count(channel_id: str, ticker: str, as_of: str, number: int) -> Action:
    values: dict[str, Value] = {
        ":number": number,
        ":none": 0,
        ":channel": channel_id,
        ":ticker": ticker,
        ":as_of": as_of,
        ":entity": Restatement.__name__,
        ":expires": to_milliseconds(now()) // 1000 + KEPT_SECONDS,
    }
    return {
        "Update": {
            "TableName": main_table(),
            "Key": encode(tables.restatement_key(channel_id, ticker, as_of)),
            "UpdateExpression": "ADD prices :number SET told = if_not_exists(told, :none), channel_id = :channel, "
            "ticker = :ticker, as_of = :as_of, entity = :entity, expires_at = :expires",
            "ExpressionAttributeValues": encode(values),
        }
    }


def _read(keys: Iterable[tuple[str, str]]) -> list[Video]:
    wanted = [tables.video_key(channel_id, video_id) for channel_id, video_id in keys]
    return [Video.from_item(item) for item in batch_get(main_table(), wanted, ConsistentRead=True)]
