"""Notifications to devices by Web Push: their kinds, subscriptions, and delivery.

It knows events and their subjects. The wording belongs to the pages, and devices without a
subscription get nothing.
"""

import base64
import json
import logging
from datetime import datetime
from enum import StrEnum
from functools import cache, partial
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _

from tournaments.changes import RefusedError
from tournaments.models import Entry, Subscription, Tournament, User
from tournaments.models.subscriptions import LONGEST_ENDPOINT
from tournaments.outgoing import (
    AddressNotAllowedError,
    NoResponseError,
    parse_outgoing_url,
    post,
)
from tournaments.signals import notice_due

logger = logging.getLogger(__name__)

KEY_BYTES, SECRET_BYTES = 65, 16
"""Lengths of an uncompressed P-256 point and of the secret, as defined in RFC 8291."""
MOST_DEVICES = 5
"""Devices for one player, or for one account at a desk; the oldest are removed."""
WITHIN = 8
"""Seconds that a service may take to answer."""
TTL_SECONDS = 30 * 60
"""Seconds for which a service holds a message for a device that is asleep."""
SIGNATURE_SECONDS = 12 * 60 * 60
TRIES = 2
MOST_FAILURES = 3
"""Failed messages in a row after which a subscription is deleted."""
BUSY = 429


class NoticeKind(StrEnum):
    """The kinds of notifications, each with the event that causes it."""

    SEATED = "seated"
    """A round was published."""
    STARTED = "started"
    """A round began: its players are called to their tables."""
    PLACE = "place"
    """An entry got a place from the waiting list."""
    ANNOUNCEMENT = "said"
    """An announcement was made."""
    MATCH_OVER = "over"
    """A match is over, and its table has not confirmed."""
    CALLED = "called"
    """A table calls the director."""
    DISPUTED = "disputed"
    """A table disputes its result."""
    BLOCKED = "blocked"
    """A tournament on autopilot waits for someone to act."""


def notify(kind: NoticeKind, subject_id: int) -> None:
    """Notify subscribed devices once the transaction is committed; `subject_id` is a primary key."""
    arguments = {"kind": kind.value, "subject": subject_id}
    transaction.on_commit(partial(notice_due.send_robust, Tournament, **arguments))


@transaction.atomic
def subscribe(
    *,
    tournament: Tournament,
    entry: Entry | None = None,
    user: User | None = None,
    endpoint: str,
    p256dh: str,
    auth: str,
    site: str,
    language: str = "",
    time_zone: str = "",
    now: datetime,
) -> Subscription:
    """Subscribe a device, for a player or else for an account at the desk.

    Subscribing again renews it. Raises RefusedError for an invalid endpoint or key.
    """
    check_endpoint(endpoint)
    _check_key("p256dh", p256dh, KEY_BYTES)
    _check_key("auth", auth, SECRET_BYTES)
    subscription, _created = Subscription.objects.update_or_create(
        tournament=tournament,
        entry=entry,
        user=user,
        endpoint=endpoint,
        defaults={
            "p256dh": p256dh,
            "auth": auth,
            "site": site,
            "language": language,
            "time_zone": time_zone,
            "made_at": now,
            "failures": 0,
        },
    )
    device_subscriptions = tournament.subscriptions.filter(entry=entry, user=user)
    newest_ids = device_subscriptions.order_by("-made_at", "-pk").values_list(
        "pk", flat=True
    )[:MOST_DEVICES]
    device_subscriptions.exclude(pk__in=list(newest_ids)).delete()
    return subscription


def check_endpoint(endpoint: str) -> None:
    """Raise RefusedError for an endpoint that cannot belong to a browser's push service.

    Its host name is resolved and checked when a message is sent.
    """
    try:
        parse_outgoing_url(endpoint)
    except AddressNotAllowedError as error:
        raise RefusedError("endpoint", str(error)) from None
    if len(endpoint) > LONGEST_ENDPOINT:
        raise RefusedError(
            "endpoint",
            _("This address is too long for a browser’s notification service."),
        )


def decode_key(text: str) -> bytes:
    """Decode a key in URL-safe Base64 without padding. Raises ValueError."""
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _check_key(field: str, text: str, length: int) -> None:
    try:
        key = decode_key(text)
    except ValueError:
        key = b""
    if len(key) != length:
        message = _("%(field)s isn’t a valid browser key for notifications.")
        raise RefusedError(field, message % {"field": field})


def unsubscribe(subscription_address: str) -> bool:
    """Delete a subscription by its address; return whether there was one."""
    deleted, _by_model = Subscription.objects.filter(
        address=subscription_address
    ).delete()
    return bool(deleted)


class PushOutcome(StrEnum):
    """The result of sending a message."""

    DELIVERED = "taken"
    FAILED = "failed"
    """Another attempt may succeed."""
    UNREACHABLE = "gone"
    """The device no longer exists, or it can never be reached."""


class PushMessage(NamedTuple):
    """A notification, in the format of our service worker."""

    title: str
    body: str
    url: str
    tag: str
    """A notification replaces another with the same tag."""
    stop: str
    """Label of the button that ends the notifications."""


@cache
def vapid_public_key() -> str:
    """Return the public VAPID key in URL-safe Base64 without padding, as browsers expect it."""
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    point = _load_vapid_key().public_key.public_bytes(
        Encoding.X962, PublicFormat.UncompressedPoint
    )
    return base64.urlsafe_b64encode(point).rstrip(b"=").decode()


@cache
def _load_vapid_key() -> Any:
    # Loaded only by processes that send.
    from py_vapid import Vapid02

    return Vapid02.from_raw(settings.VAPID_PRIVATE_KEY.encode())


def send_push_message(
    *, subscription_id: int, message: PushMessage, now: datetime
) -> PushOutcome:
    """Send a message to a device and return the result.

    The subscription is deleted if the device is gone or its service keeps failing.
    """
    subscription = Subscription.objects.filter(pk=subscription_id).first()
    if subscription is None:
        return PushOutcome.UNREACHABLE
    outcome = PushOutcome.FAILED
    for _attempt in range(TRIES):
        outcome = _try_send(subscription, message, now)
        if outcome != PushOutcome.FAILED:
            break
    matching = Subscription.objects.filter(pk=subscription.pk)
    if outcome == PushOutcome.DELIVERED:
        matching.exclude(failures=0).update(failures=0)
    elif outcome == PushOutcome.UNREACHABLE:
        matching.delete()
    else:
        matching.update(failures=F("failures") + 1)
        matching.filter(failures__gte=MOST_FAILURES).delete()
    return outcome


def _try_send(
    subscription: Subscription, message: PushMessage, now: datetime
) -> PushOutcome:
    import http_ece
    from cryptography.hazmat.primitives.asymmetric import ec
    from py_vapid import VapidException

    try:
        check_endpoint(subscription.endpoint)
        content = message._asdict() | {"ends": subscription.address}
        # Only the subscribed device can read it (RFC 8291).
        body: bytes = http_ece.encrypt(
            json.dumps(content).encode(),
            private_key=ec.generate_private_key(ec.SECP256R1()),
            dh=decode_key(subscription.p256dh),
            auth_secret=decode_key(subscription.auth),
        )
        url_parts, site = urlsplit(subscription.endpoint), subscription.site
        # Push services require a contact address, in a domain with a dot.
        contact = f"mailto:tricky@{site if '.' in site else 'localhost'}"
        signature_headers: dict[str, str] = _load_vapid_key().sign(
            {
                "aud": f"{url_parts.scheme}://{url_parts.netloc}",
                "exp": int(now.timestamp()) + SIGNATURE_SECONDS,
                "sub": settings.PUSH_CONTACT or contact,
            }
        )
    except (RefusedError, ValueError, VapidException):
        # Nobody could decrypt a message with invalid keys.
        return PushOutcome.UNREACHABLE
    headers = {
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(TTL_SECONDS),
        "Urgency": "high",
        **signature_headers,
    }
    try:
        response = post(
            subscription.endpoint,
            body,
            headers,
            seconds=WITHIN,
            max_bytes=0,
            follow_redirects=False,
        )
    except AddressNotAllowedError:
        return PushOutcome.UNREACHABLE
    except NoResponseError as error:
        logger.info("A device was not reached: %s", error)
        return PushOutcome.FAILED
    if response.is_success:
        return PushOutcome.DELIVERED
    # A redirect or an unknown device is permanent: the subscription ends.
    is_temporary = response.status == BUSY or response.status >= 500
    return PushOutcome.FAILED if is_temporary else PushOutcome.UNREACHABLE
