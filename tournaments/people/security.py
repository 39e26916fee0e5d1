"""Security events of accounts: stored for their owners, and written to a separate log."""

import logging
from typing import NamedTuple

from django.utils import timezone
from django.utils.crypto import salted_hmac

from tournaments.models import Club, SecurityEvent, User

logger = logging.getLogger("tricky.security")

Kind = SecurityEvent.Kind


class DeviceAndNetwork(NamedTuple):
    """The device and the network of a request, as far as they are known."""

    device: str = ""
    network: str = ""


UNKNOWN_VISITOR = DeviceAndNetwork()
"""For events caused by a command or a program."""


def store_and_log_event(
    kind: Kind,
    *,
    user: User | None,
    visitor: DeviceAndNetwork = UNKNOWN_VISITOR,
    club: Club | None = None,
    actor: User | None = None,
    detail: str = "",
    address: str = "",
) -> SecurityEvent:
    """Store and log a security event that just happened, and return it.

    An `address` without an account is logged as a short keyed digest, because people type passwords there.
    """
    actor = actor if actor != user else None
    address_digest = ""
    if address and user is None:
        digest = salted_hmac(
            "tournaments.security", address.lower(), algorithm="sha256"
        )
        address_digest = digest.hexdigest()[:12]
    log_event(
        kind.value,
        user=user,
        visitor=visitor,
        club=club,
        detail=detail,
        level=logging.WARNING if kind == Kind.SIGN_IN_FAILED else logging.INFO,
        by=actor.pk if actor else None,
        device=visitor.device,
        unknown=address_digest,
    )
    return SecurityEvent.objects.create(
        user=user,
        kind=kind,
        at=timezone.now(),
        club=club,
        by=actor,
        what=detail[:80],
        device=visitor.device,
        network=visitor.network,
    )


def log_event(
    event: str,
    *,
    user: User | None,
    visitor: DeviceAndNetwork,
    detail: str,
    club: Club | None = None,
    level: int = logging.INFO,
    **further: object,
) -> None:
    """Log an event without storing it, so that no account sees it; empty fields are left out."""
    fields = {
        "account": user.pk if user else None,
        "club": club.slug if club else None,
        "what": detail,
        "network": visitor.network,
        **further,
    }
    known_fields = {name: value for name, value in fields.items() if value}
    logger.log(level, event, extra={"fields": known_fields})
