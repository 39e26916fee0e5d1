"""Sending to the service of a browser, which is a stranger: encrypted, signed, with an end."""

import base64
import json
import logging
import socket
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from enum import StrEnum
from functools import cache
from threading import Timer
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import urllib3
from django.conf import settings
from django.db.models import F
from urllib3.connection import HTTPConnection, HTTPSConnection

from tournaments.changes import RefusedError
from tournaments.event.push.subscribing import check_endpoint, is_public
from tournaments.models import Subscription

logger = logging.getLogger(__name__)

CONNECT, ANSWER, WHOLE = 3, 5, 10
"""Seconds until a connection, until the next byte of an answer, and for all of it."""
HOLDS = 30 * 60
"""Seconds for which a service keeps what a phone that sleeps is to be told."""
SIGNED_FOR = 12 * 60 * 60
TRIES = 2
MOST_FAILURES = 3
"""Messages in a row that a service did not take, after which the device is forgotten."""
TAKEN = (200, 201, 202, 204)
BUSY = 429


class Answer(StrEnum):
    """What a service made of a message."""

    TAKEN = "taken"
    FAILED = "failed"
    """It may go better another time."""
    GONE = "gone"
    """There is no such device any more, or it is none that can be told."""


class Message(NamedTuple):
    """What a device is told, as our service worker understands it."""

    title: str
    body: str
    url: str
    tag: str
    """Two of the same are one on the screen."""
    stop: str
    """What the button is called that ends it."""


@cache
def public_key() -> str:
    """Return the key by which browsers know who tells them, as they want it."""
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    point = _vapid().public_key.public_bytes(
        Encoding.X962, PublicFormat.UncompressedPoint
    )
    return base64.urlsafe_b64encode(point).rstrip(b"=").decode()


@cache
def _vapid() -> Any:
    # Only whoever tells somebody needs what these bring with them.
    from py_vapid import Vapid02

    return Vapid02.from_raw(settings.VAPID_PRIVATE_KEY.encode())


def deliver(*, subscription_id: int, message: Message, now: datetime) -> Answer:
    """Return what the service of a device made of a message.

    A device that is gone is forgotten, and so is one whose service fails again and again.
    """
    subscription = Subscription.objects.filter(pk=subscription_id).first()
    if subscription is None:
        return Answer.GONE
    answer = Answer.FAILED
    for _attempt in range(TRIES):
        answer = _send(subscription, message, now)
        if answer != Answer.FAILED:
            break
    same = Subscription.objects.filter(pk=subscription.pk)
    if answer == Answer.TAKEN:
        same.exclude(failures=0).update(failures=0)
    elif answer == Answer.GONE:
        same.delete()
    else:
        same.update(failures=F("failures") + 1)
        same.filter(failures__gte=MOST_FAILURES).delete()
    return answer


def _send(subscription: Subscription, message: Message, now: datetime) -> Answer:
    from py_vapid import VapidException
    from pywebpush import WebPusher

    try:
        check_endpoint(subscription.endpoint)
        keys = {"p256dh": subscription.p256dh, "auth": subscription.auth}
        info = {"endpoint": subscription.endpoint, "keys": keys}
        shown = message._asdict() | {"ends": subscription.address}
        body = WebPusher(info).encode(json.dumps(shown).encode())["body"]
        signed = _signed(subscription, now)
    except (RefusedError, ValueError, VapidException):
        # Keys that are no keys: nobody could read it.
        return Answer.GONE
    headers = {
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(HOLDS),
        "Urgency": "high",
        **signed,
    }
    try:
        status = _post(subscription.endpoint, body, headers)
    except PrivateError:
        return Answer.GONE
    except (urllib3.exceptions.HTTPError, OSError) as error:
        logger.info("A device was not reached: %s", type(error).__name__)
        return Answer.FAILED
    if status in TAKEN:
        return Answer.TAKEN
    # Who sends us elsewhere, or has no such device, will not be asked again.
    return Answer.FAILED if status == BUSY or status >= 500 else Answer.GONE


def _signed(subscription: Subscription, now: datetime) -> dict[str, str]:
    parts = urlsplit(subscription.endpoint)
    claims = {
        "aud": f"{parts.scheme}://{parts.netloc}",
        "exp": int(now.timestamp()) + SIGNED_FOR,
        "sub": settings.PUSH_CONTACT or _contact_at(subscription.site),
    }
    signed: dict[str, str] = _vapid().sign(claims)
    return signed


def _contact_at(site: str) -> str:
    """Return an address made of the site's name; services want one, and a name with a dot."""
    return f"mailto:tricky@{site if '.' in site else 'localhost'}"


class PrivateError(Exception):
    """An endpoint whose name stands for a machine of a network of its own."""


class _Guarded:
    """Connections that are made to the internet alone, and end in time.

    Asked of the connection itself: a name could stand for another address a moment later.
    """

    ends: Timer | None = None
    same: socket.socket
    """The connection once more, which outlives what is made of it for https."""

    def _new_conn(self) -> socket.socket:
        made: socket.socket = super()._new_conn()  # type: ignore[misc]
        if not settings.PUSH_TO_PRIVATE and not is_public(made.getpeername()[0]):
            made.close()
            raise PrivateError
        # Who sends a byte now and then would be listened to for ever.
        self.same = made.dup()
        self.ends = Timer(WHOLE, _shut, [self.same])
        self.ends.daemon = True
        self.ends.start()
        return made

    def close(self) -> None:
        """Close it; it need not be ended any more."""
        if self.ends is not None:
            self.ends.cancel()
            self.same.close()
        super().close()  # type: ignore[misc]


def _shut(made: socket.socket) -> None:
    with suppress(OSError):
        made.shutdown(socket.SHUT_RDWR)


class _GuardedHttp(_Guarded, HTTPConnection):
    """Where the tests' own service answers; see `PUSH_TO_PRIVATE`."""


class _GuardedHttps(_Guarded, HTTPSConnection):
    """Where the services of browsers answer."""


class _HttpPool(urllib3.HTTPConnectionPool):
    ConnectionCls = _GuardedHttp


class _HttpsPool(urllib3.HTTPSConnectionPool):
    ConnectionCls = _GuardedHttps


def _post(endpoint: str, body: bytes, headers: Mapping[str, str]) -> int:
    """Return the status that an endpoint answers; what else it says is not read."""
    parts = urlsplit(endpoint)
    pool = _HttpsPool if parts.scheme == "https" else _HttpPool
    timeout = urllib3.Timeout(connect=CONNECT, read=ANSWER)
    address = parts._replace(scheme="", netloc="").geturl() or "/"
    assert parts.hostname is not None
    service = pool(parts.hostname, parts.port, timeout=timeout, retries=False)
    with service as opened:
        answer = opened.urlopen(
            "POST",
            address,
            body=body,
            headers=headers,
            redirect=False,
            preload_content=False,
        )
        status: int = answer.status
        answer.close()
        return status
