"""Security events of accounts: stored for their owners, and written to a separate log."""

import logging
from collections.abc import Mapping
from typing import NamedTuple

from django.utils import timezone
from django.utils.crypto import salted_hmac

from tournaments.models import Club, SecurityEvent, User

logger = logging.getLogger("tricky.security")

Kind = SecurityEvent.Kind
GRAVE = frozenset({Kind.SIGN_IN_FAILED})
"""Kinds that are logged as warnings."""


class Visitor(NamedTuple):
    """The device and the network of a request, as far as they are known."""

    device: str = ""
    network: str = ""


UNKNOWN_VISITOR = Visitor()
"""For events caused by a command or a program."""


def note_event(
    kind: Kind,
    *,
    user: User | None,
    visitor: Visitor = UNKNOWN_VISITOR,
    club: Club | None = None,
    actor: User | None = None,
    detail: str = "",
    address: str = "",
) -> SecurityEvent:
    """Store and log a security event that just happened, and return it.

    An `address` without an account is logged as a short keyed digest, because people type passwords there.
    """
    actor = actor if actor != user else None
    address_digest = None
    if address and user is None:
        digest = salted_hmac(
            "tournaments.security", address.lower(), algorithm="sha256"
        )
        address_digest = digest.hexdigest()[:12]
    fields = {
        "account": user.pk if user else None,
        "by": actor.pk if actor else None,
        "club": club.slug if club else None,
        "what": detail or None,
        "network": visitor.network or None,
        "device": visitor.device or None,
        "unknown": address_digest,
    }
    level = logging.WARNING if kind in GRAVE else logging.INFO
    _log(level, kind.value, fields)
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


def log_refused_access(user: User | None, visitor: Visitor, detail: str) -> None:
    """Log a request for someone else's data; no account is notified."""
    fields = {
        "account": user.pk if user else None,
        "what": detail,
        "network": visitor.network or None,
    }
    _log(logging.WARNING, "refused", fields)


def log_released_phone(user: User, club: Club, visitor: Visitor, detail: str) -> None:
    """Log that a director released a player's phone from the entry."""
    fields = {
        "account": user.pk,
        "club": club.slug,
        "what": detail,
        "network": visitor.network or None,
    }
    _log(logging.INFO, "phone_released", fields)


def _log(level: int, event: str, fields: Mapping[str, object]) -> None:
    known_fields = {name: value for name, value in fields.items() if value is not None}
    logger.log(level, event, extra={"fields": known_fields})
