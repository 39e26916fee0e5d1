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
TTL_SECONDS = 30 * 60
"""Seconds for which a service holds a message for a device that is asleep."""
SIGNATURE_SECONDS = 12 * 60 * 60
TRIES = 2
MOST_FAILURES = 3
"""Failed messages in a row after which a subscription is deleted."""
BUSY = 429


class PushOutcome(StrEnum):
    """The result of sending a message."""

    DELIVERED = "taken"
    FAILED = "failed"
    """Another attempt may succeed."""
    UNREACHABLE = "gone"
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
        return PushOutcome.UNREACHABLE
    outcome = PushOutcome.FAILED
    for _attempt in range(TRIES):
        outcome = _send(subscription, message, now)
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


def _send(subscription: Subscription, message: Message, now: datetime) -> PushOutcome:
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
        signature_headers: dict[str, str] = _vapid().sign(
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
            follow=False,
        )
    except AddressNotAllowedError:
        return PushOutcome.UNREACHABLE
    except NoResponseError as error:
        logger.info("A device was not reached: %s", error)
        return PushOutcome.FAILED
    if response.is_good:
        return PushOutcome.DELIVERED
    # A redirect or an unknown device is permanent: the subscription ends.
    is_temporary = response.status == BUSY or response.status >= 500
    return PushOutcome.FAILED if is_temporary else PushOutcome.UNREACHABLE
