"""Subscribe and unsubscribe devices."""

import base64
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.changes import RefusedError
from tournaments.models import Entry, Subscription, Tournament, User
from tournaments.models.subscriptions import LONGEST_ENDPOINT
from tournaments.outgoing import AddressNotAllowedError, parse_outgoing_url

KEY_BYTES, SECRET_BYTES = 65, 16
"""Lengths of an uncompressed P-256 point and of the secret, as defined in RFC 8291."""
MOST_DEVICES = 5
"""Devices for one player, or for one account at a desk; the oldest are removed."""


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


def unsubscribe(address: str) -> bool:
    """Delete the subscription with this address; return whether there was one."""
    deleted, _by_model = Subscription.objects.filter(address=address).delete()
    return bool(deleted)
