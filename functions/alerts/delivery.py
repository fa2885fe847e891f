"""Queues alerts for their subscribers and delivers what is due: at least once, with an id to recognise duplicates.

An alert enters the outbox in the transaction that writes it. A delivery is stored for each person and delivery method,
under a key derived from both; then the alert leaves the outbox. A delivery is claimed, sent, and removed from the
queue. If a worker crashes at any point, the next one continues.
"""

import time
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from functions.alerts import delivery_store as deliveries
from functions.alerts.lists import ChannelAlert, document_of
from functions.alerts.messages import Document, MessageFailed, MessageKind, send_message
from functions.alerts.subscription_store import (
    all_subscriptions,
    note_delivered,
    note_problem,
    subscription_of_user,
    turn_off_webhook,
)
from functions.record.models.alerts import (
    Alert,
    AlertKind,
    Delivery,
    Digest,
    Subscription,
    WantedChannels,
    WantedKind,
    Way,
)
from functions.record.models.records import Channel
from functions.record.models.watchlists import Watchlist
from functions.record.store import alerts
from functions.record.store.channels import channels_by_id
from functions.record.store.watchlists import all_watchlists, watchlist_of_user
from functions.runtime.clock import now, seconds_after, timestamp
from functions.runtime.concurrency import for_each
from functions.runtime.observability import logger

ALERTS_AT_ONCE = 100
DELIVERIES_AT_ONCE = 200
RECEIVERS_AT_ONCE = 8
SECONDS_TO_HAND_OVER = 20
SECONDS_TO_DELIVER = 40
"""Per invocation. The rest stays due, and the scheduler invokes the function again in a minute."""
SECONDS_FOR_A_RECEIVER = 15
"""Per invocation, but at least one message: a slow receiver would otherwise hold up all others."""
TURN_SECONDS = 60
"""How long a slow receiver's remaining messages yield to others."""
CLAIM_SECONDS = 300
"""Longer than the sending function's timeout."""
DIGEST_HOUR = 12
"""UTC."""
PAUSES = (60, 300, 900, 3600, 3 * 3600, 6 * 3600, 6 * 3600)
"""Seconds to wait after each failed attempt. A message that fails once more is given up."""
MAX_DIGEST_ALERTS = 100

Queue = Sequence[Delivery]
Message = tuple[MessageKind, list[Delivery]]


@dataclass(frozen=True, slots=True)
class Delivered:
    handed_over: int
    """Alerts that have left the outbox."""
    delivered: int
    failed: int
    failing: int
    """Deliveries in the queue that have failed several times."""


def deliver_alerts() -> Delivered:
    handed_over = hand_over()
    delivered, failed = deliver_due()
    return Delivered(handed_over, delivered, failed, deliveries.count_failing_deliveries())


def hand_over() -> int:
    """Queues a delivery for every subscriber of the alerts in the outbox; returns the number of alerts."""
    waiting = alerts.alerts_in_outbox(ALERTS_AT_ONCE)
    if not waiting:
        return 0
    subscriptions = [each for each in all_subscriptions() if each.ways]
    watchlists = all_watchlists() if subscriptions else {}
    end = time.monotonic() + SECONDS_TO_HAND_OVER
    for number, alert in enumerate(waiting, 1):
        readers = [each for each in subscriptions if wanted_details(alert, each, watchlists.get(each.user_id))]
        for_each(partial(_queue, alert), readers)
        alerts.leave_outbox(alert)
        # Logged even without readers, so that an operator can find out why nobody was notified.
        fields = {"alert_id": alert.id, "channel_id": alert.channel_id, "kind": alert.kind, "readers": len(readers)}
        logger.info("Alert queued for those who want it", extra=fields)
        if time.monotonic() >= end:
            return number
    return len(waiting)


def deliver_due() -> tuple[int, int]:
    """Sends what is due while time remains; returns the numbers of successful and failed deliveries."""
    end = time.monotonic() + SECONDS_TO_DELIVER
    delivered = failed = 0
    while due := deliveries.due_deliveries(now(), DELIVERIES_AT_ONCE):
        is_full = len(due) == DELIVERIES_AT_ONCE
        more, problems = _deliver_some(_complete_groups(due) if is_full else due, end)
        delivered, failed = delivered + more, failed + problems
        if not is_full or time.monotonic() >= end:
            break
    return delivered, failed


def _complete_groups(due: Queue) -> Queue:
    """Drops the last, possibly incomplete, group: a digest is a single message."""
    return [delivery for delivery in due if delivery.place != due[-1].place] or due


def _deliver_some(due: Queue, end: float) -> tuple[int, int]:
    stored = alerts.alerts_of_deliveries(due)
    channels = channels_by_id({alert.channel_id for alert in stored.values()})
    queues: dict[tuple[str, Way], list[Delivery]] = defaultdict(list)
    for delivery in due:
        queues[delivery.user_id, delivery.way].append(delivery)
    # In parallel, because a receiver that does not respond takes ten seconds.
    with ThreadPoolExecutor(RECEIVERS_AT_ONCE, thread_name_prefix="receiver") as receivers:
        # Keeps the log keys of this call.
        sent = [
            receivers.submit(copy_context().run, _deliver, queue, stored, channels, end) for queue in queues.values()
        ]
        results = [future.result() for future in sent]
    return sum(delivered for delivered, _ in results), sum(failed for _, failed in results)


def wanted_details(alert: Alert, subscription: Subscription, watchlist: Watchlist | None) -> list[dict[str, Any]]:
    """Returns the details of an alert that a person wants; empty if there are none."""
    tickers = set(watchlist.tickers) if watchlist else set()
    is_watched = watchlist is not None and alert.channel_id in watchlist.channel_ids
    everywhere = subscription.channels is WantedChannels.ALL or is_watched
    kinds = subscription.kinds
    match alert.kind:
        case AlertKind.VERDICT:
            return list(alert.details) if WantedKind.VERDICT in kinds and everywhere else []
        case AlertKind.MATURED:
            wanted = alert.details if WantedKind.MATURED in kinds else ()
            return [detail for detail in wanted if detail["ticker"] in tickers]
    return [
        detail
        for detail in alert.details
        if (WantedKind.CALLS in kinds or (WantedKind.REVERSALS in kinds and detail["is_reversal"]))
        and (everywhere or detail["ticker"] in tickers)
    ]


def next_digest(after: str) -> str:
    """Returns the next noon in UTC."""
    current = datetime.fromisoformat(after).astimezone(UTC)
    noon = current.replace(hour=DIGEST_HOUR, minute=0, second=0, microsecond=0)
    return timestamp(noon if noon > current else noon + timedelta(days=1))


def _queue(alert: Alert, subscription: Subscription) -> None:
    queued_at = now()
    due_at = next_digest(queued_at) if subscription.digest is Digest.DAILY else queued_at
    for way in subscription.ways:
        deliveries.queue_delivery(
            Delivery(subscription.user_id, alert.id, way, alert.channel_id, alert.occurred_at, due_at)
        )


def _deliver(queue: Queue, stored: Mapping[str, Alert], channels: Mapping[str, Channel], end: float) -> tuple[int, int]:
    """Sends everything due to one person by one method; returns the numbers of successful and failed deliveries."""
    if time.monotonic() >= end:
        return 0, 0
    user_id, way = queue[0].user_id, queue[0].way
    subscription = subscription_of_user(user_id, consistent=True)
    if subscription is None or way not in subscription.ways:
        deliveries.drop_deliveries(queue)
        return 0, 0
    watchlist = watchlist_of_user(user_id)
    documents: dict[str, Document] = {}
    for delivery in queue:
        alert = stored.get(delivery.alert_id)
        details = wanted_details(alert, subscription, watchlist) if alert else []
        if alert and details and alert.channel_id in channels:
            channel_alert = ChannelAlert(alert, channels[alert.channel_id].name)
            documents[delivery.alert_id] = document_of(channel_alert, details)
    wanted = [delivery for delivery in queue if delivery.alert_id in documents]
    if unwanted := [delivery for delivery in queue if delivery.alert_id not in documents]:
        deliveries.drop_deliveries(unwanted)
    return _Sending(subscription, way, documents).send_all(wanted)


@dataclass(slots=True)
class _Sending:
    subscription: Subscription
    way: Way
    documents: Mapping[str, Document]
    delivered: int = 0
    failed: int = 0

    def send_all(self, queue: Queue) -> tuple[int, int]:
        """Sends one message at a time. If the receiver is unreachable, postpones all remaining messages."""
        end = time.monotonic() + SECONDS_FOR_A_RECEIVER
        for number, (kind, some) in enumerate(messages := self._messages(queue)):
            if number and time.monotonic() >= end:
                deliveries.delay_deliveries(_deliveries_of(messages[number:]), seconds_after(now(), TURN_SECONDS))
                break
            if not (claimed := deliveries.claim_deliveries(some, seconds_after(now(), CLAIM_SECONDS))):
                continue
            problem = self._send(kind, claimed)
            if problem and problem.is_gone:
                self._turn_off(claimed, messages[number + 1 :], problem)
                break
            if problem and not problem.concerns_message:
                self._postpone([*claimed, *_deliveries_of(messages[number + 1 :])], str(problem))
                break
            if problem:
                self._postpone(claimed, str(problem))
        if self.delivered and not self.failed:
            note_delivered(self.subscription.user_id, now())
        return self.delivered, self.failed

    def _messages(self, queue: Queue) -> list[Message]:
        oldest_first = sorted(queue, key=lambda delivery: (delivery.occurred_at, delivery.alert_id))
        if self.subscription.digest is not Digest.DAILY:
            return [("alert", [delivery]) for delivery in oldest_first]
        starts = range(0, len(oldest_first), MAX_DIGEST_ALERTS)
        return [("digest", oldest_first[start : start + MAX_DIGEST_ALERTS]) for start in starts]

    def _send(self, kind: MessageKind, claimed: Queue) -> MessageFailed | None:
        try:
            documents = [self.documents[delivery.alert_id] for delivery in claimed]
            send_message(self.subscription, self.way, kind, documents, now())
        except MessageFailed as problem:
            return problem
        deliveries.end_deliveries(claimed, now())
        self._log(claimed, "Alert delivered")
        self.delivered += len(claimed)
        return None

    def _postpone(self, failed: Queue, problem: str) -> None:
        """Waits longer after each failed attempt, and gives up after the last one."""
        self.failed += len(failed)
        by_attempts: dict[int, list[Delivery]] = defaultdict(list)
        for delivery in failed:
            by_attempts[min(delivery.attempts, len(PAUSES))].append(delivery)
        for attempts, some in by_attempts.items():
            if attempts == len(PAUSES):
                deliveries.end_deliveries(some, now(), problem)
                self._log(some, "Alert not delivered, and given up", problem)
            else:
                deliveries.postpone_deliveries(some, seconds_after(now(), PAUSES[attempts]), problem)
                self._log(some, "Alert not delivered, and tried again later", problem)
        note_problem(self.subscription.user_id, problem)

    def _turn_off(self, claimed: Queue, rest: Iterable[Message], problem: MessageFailed) -> None:
        turn_off_webhook(self.subscription, str(problem))
        self._log(claimed, "Alert not delivered, and its webhook turned off", str(problem))
        deliveries.drop_deliveries([*claimed, *_deliveries_of(rest)])
        self.failed += len(claimed)

    def _log(self, affected: Queue, message: str, problem: str | None = None) -> None:
        """Logs one line per delivery, so that an operator can trace an alert."""
        for delivery in affected:
            fields = {
                "alert_id": delivery.alert_id,
                "channel_id": delivery.channel_id,
                "user_id": delivery.user_id,
                "way": delivery.way,
                "attempts": delivery.attempts,
            }
            if problem:
                logger.warning(message, extra={**fields, "reason": problem})
            else:
                logger.info(message, extra=fields)


def _deliveries_of(messages: Iterable[Message]) -> list[Delivery]:
    return [delivery for _, some in messages for delivery in some]
