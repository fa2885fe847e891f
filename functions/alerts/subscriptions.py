"""A person's alert settings: read, changed and tested."""

from dataclasses import dataclass, replace

from functions.alerts import email, signing_keys
from functions.alerts.delivery_store import count_failing_deliveries_of_user
from functions.alerts.messages import send_test
from functions.alerts.subscription_store import note_delivered, note_problem, save_subscription, subscription_of_user
from functions.record.models.alerts import Digest, Subscription, WantedChannels, WantedKind
from functions.runtime.errors import ChangedMeanwhile, NotAccepted
from functions.runtime.http import public_addresses
from functions.runtime.provider_errors import ProviderError

NO_KEY = "This deployment has no key to sign webhooks with."
OWN_EMAIL = "Messages can only be sent to your own address, the one that you sign in with."
NO_OWN_EMAIL = "Your token has no verified e-mail address, so no messages can be sent; use a webhook or the feed."
NO_EMAIL = "This deployment sends no e-mail; use a webhook or the feed."


@dataclass(frozen=True, slots=True)
class AlertSettings:
    """A subscription together with values determined when it is read."""

    subscription: Subscription
    signing_key: str | None
    email_available: bool
    email_confirmed: bool | None
    failing: int


@dataclass(frozen=True, slots=True)
class Wish:
    """The settings that a person requests."""

    version: int
    kinds: tuple[WantedKind, ...]
    channels: WantedChannels
    digest: Digest
    webhook_url: str | None
    email: str | None
    rotate_key: bool = False
    own_email: str | None = None
    """The verified address in the person's JWT: the only new one that they may choose, if `only_own_email`."""
    only_own_email: bool = False


@dataclass(frozen=True, slots=True)
class Tried:
    delivered: bool
    problem: str | None


def get_settings(user_id: str) -> AlertSettings:
    """Returns version 0 for a person without settings."""
    return _described(subscription_of_user(user_id, consistent=True) or _nothing(user_id))


def put_settings(user_id: str, wish: Wish) -> AlertSettings:
    """Replaces the version that the person saw. Idempotent, so it can be repeated after a lost response.

    Raises NotAccepted for unusable addresses, ChangedMeanwhile if another version is stored.
    """
    before = subscription_of_user(user_id, consistent=True) or _nothing(user_id)
    if _is_repeated(before, wish):
        return _described(before)
    if before.version != wish.version:
        raise _conflict(before)
    if wish.webhook_url is not None and wish.webhook_url != before.webhook_url:
        _check_webhook(wish.webhook_url)
    after = replace(
        before,
        version=wish.version + 1,
        kinds=wish.kinds,
        channels=wish.channels,
        digest=wish.digest,
        webhook_url=wish.webhook_url,
        email=wish.email,
        key_number=before.key_number + wish.rotate_key,
        last_problem=before.last_problem if wish.webhook_url == before.webhook_url else None,
    )
    after = _with_email(before, after, wish)
    if not save_subscription(after):
        present = subscription_of_user(user_id, consistent=True) or _nothing(user_id)
        # SNS has one subscription per address: it may belong to the concurrent edit that was saved first.
        if after.email_subscription not in (None, before.email_subscription, present.email_subscription):
            email.unsubscribe(after.email_subscription)
        raise _conflict(present)
    if before.email_subscription and before.email_subscription != after.email_subscription:
        email.unsubscribe(before.email_subscription)
    return _described(after)


def try_settings(user_id: str, sent_at: str) -> Tried:
    """Sends a test message by every method that the person has chosen."""
    subscription = subscription_of_user(user_id, consistent=True)
    if subscription is None or not subscription.ways:
        return Tried(False, "Save a webhook or an e-mail address first.")
    problem = send_test(subscription, sent_at)
    if problem:
        note_problem(user_id, problem)
    else:
        note_delivered(user_id, sent_at)
    return Tried(problem is None, problem)


def _nothing(user_id: str) -> Subscription:
    return Subscription(user_id, version=0, kinds=tuple(WantedKind))


def _described(subscription: Subscription) -> AlertSettings:
    has_key = subscription.webhook_url is not None and signing_keys.are_available()
    key = signing_keys.signing_key(subscription.user_id, subscription.key_number) if has_key else None
    asked = subscription.email_subscription
    return AlertSettings(
        subscription,
        signing_keys.as_text(key) if key else None,
        email.is_available(),
        email.is_confirmed(asked) if asked and email.is_available() else None,
        count_failing_deliveries_of_user(subscription.user_id) if subscription.version else 0,
    )


def _is_repeated(before: Subscription, wish: Wish) -> bool:
    wanted = (wish.version + 1, wish.kinds, wish.channels, wish.digest, wish.webhook_url, wish.email)
    has = (before.version, before.kinds, before.channels, before.digest, before.webhook_url, before.email)
    return wanted == has and not wish.rotate_key


def _check_webhook(url: str) -> None:
    if not signing_keys.are_available():
        raise NotAccepted("webhook_url", NO_KEY, url)
    try:
        public_addresses.check(url)
    except public_addresses.BadAddress as problem:
        raise NotAccepted("webhook_url", str(problem), url) from None
    except public_addresses.NotDelivered as problem:
        raise NotAccepted("webhook_url", f"{problem} Try again later.", url) from None


def _with_email(before: Subscription, after: Subscription, wish: Wish) -> Subscription:
    """Subscribes a new address, which SNS asks for consent."""
    if after.email == before.email:
        return after
    if after.email is None:
        return replace(after, email_subscription=None)
    if not email.is_available():
        raise NotAccepted("email", NO_EMAIL, after.email)
    if wish.only_own_email and after.email.lower() != (wish.own_email or "").lower():
        raise NotAccepted("email", OWN_EMAIL if wish.own_email else NO_OWN_EMAIL, after.email)
    try:
        return replace(after, email_subscription=email.subscribe(after.email, after.user_id))
    except ProviderError as problem:
        raise NotAccepted("email", str(problem), after.email) from None


def _conflict(present: Subscription) -> ChangedMeanwhile:
    return ChangedMeanwhile(
        f"The settings of alerts have been changed meanwhile: their version is {present.version}. Read them again.",
        _described(present),
    )
