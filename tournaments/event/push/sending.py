"""Send messages to the push services of browsers: encrypted, signed and with a time limit."""

import base64
import json
import logging
from datetime import datetime
from enum import StrEnum
from functools import cache
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from django.conf import settings
from django.db.models import F

from tournaments.changes import RefusedError
from tournaments.event.push.subscribing import check_endpoint, decode_key
from tournaments.models import Subscription
from tournaments.outgoing import AddressNotAllowedError, NoResponseError, post

logger = logging.getLogger(__name__)

WITHIN = 8
"""Seconds that a service may take to answer."""
HOLDS = 30 * 60
"""Seconds for which a service holds a message for a device that is asleep."""
SIGNED_FOR = 12 * 60 * 60
TRIES = 2
MOST_FAILURES = 3
"""Failed messages in a row after which a subscription is deleted."""
BUSY = 429


class PushOutcome(StrEnum):
    """The result of sending a message."""

    TAKEN = "taken"
    FAILED = "failed"
    """Another attempt may succeed."""
    GONE = "gone"
    """The device no longer exists, or it can never be reached."""


class Message(NamedTuple):
    """A notification, in the format of our service worker."""

    title: str
    body: str
    url: str
    tag: str
    """A notification replaces another with the same tag."""
    stop: str
    """Label of the button that ends the notifications."""


@cache
def public_key() -> str:
    """Return the public VAPID key in URL-safe Base64 without padding, as browsers expect it."""
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    point = _vapid().public_key.public_bytes(
        Encoding.X962, PublicFormat.UncompressedPoint
    )
    return base64.urlsafe_b64encode(point).rstrip(b"=").decode()


@cache
def _vapid() -> Any:
    # Loaded only by processes that send.
    from py_vapid import Vapid02

    return Vapid02.from_raw(settings.VAPID_PRIVATE_KEY.encode())


def deliver(*, subscription_id: int, message: Message, now: datetime) -> PushOutcome:
    """Send a message to a device and return the result.

    The subscription is deleted if the device is gone or its service keeps failing.
    """
    subscription = Subscription.objects.filter(pk=subscription_id).first()
    if subscription is None:
        return PushOutcome.GONE
    answer = PushOutcome.FAILED
    for _attempt in range(TRIES):
        answer = _send(subscription, message, now)
        if answer != PushOutcome.FAILED:
            break
    same = Subscription.objects.filter(pk=subscription.pk)
    if answer == PushOutcome.TAKEN:
        same.exclude(failures=0).update(failures=0)
    elif answer == PushOutcome.GONE:
        same.delete()
    else:
        same.update(failures=F("failures") + 1)
        same.filter(failures__gte=MOST_FAILURES).delete()
    return answer


def _send(subscription: Subscription, message: Message, now: datetime) -> PushOutcome:
    import http_ece
    from cryptography.hazmat.primitives.asymmetric import ec
    from py_vapid import VapidException

    try:
        check_endpoint(subscription.endpoint)
        shown = message._asdict() | {"ends": subscription.address}
        # Only the subscribed device can read it (RFC 8291).
        body: bytes = http_ece.encrypt(
            json.dumps(shown).encode(),
            private_key=ec.generate_private_key(ec.SECP256R1()),
            dh=decode_key(subscription.p256dh),
            auth_secret=decode_key(subscription.auth),
        )
        parts, site = urlsplit(subscription.endpoint), subscription.site
        # Push services require a contact address, in a domain with a dot.
        contact = f"mailto:tricky@{site if '.' in site else 'localhost'}"
        signed: dict[str, str] = _vapid().sign(
            {
                "aud": f"{parts.scheme}://{parts.netloc}",
                "exp": int(now.timestamp()) + SIGNED_FOR,
                "sub": settings.PUSH_CONTACT or contact,
            }
        )
    except (RefusedError, ValueError, VapidException):
        # Nobody could decrypt a message with invalid keys.
        return PushOutcome.GONE
    headers = {
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(HOLDS),
        "Urgency": "high",
        **signed,
    }
    try:
        answer = post(
            subscription.endpoint, body, headers, seconds=WITHIN, most=0, follow=False
        )
    except AddressNotAllowedError:
        return PushOutcome.GONE
    except NoResponseError as error:
        logger.info("A device was not reached: %s", error)
        return PushOutcome.FAILED
    if answer.is_good:
        return PushOutcome.TAKEN
    # A redirect or an unknown device is permanent: the subscription ends.
    is_passing = answer.status == BUSY or answer.status >= 500
    return PushOutcome.FAILED if is_passing else PushOutcome.GONE
