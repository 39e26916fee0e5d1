"""What happens to accounts: written where their owners see it, and into a log apart."""

import logging
from collections.abc import Mapping
from typing import NamedTuple

from django.utils import timezone
from django.utils.crypto import salted_hmac

from tournaments.models import Club, SecurityEvent, User

logger = logging.getLogger("tricky.security")

Kind = SecurityEvent.Kind
GRAVE = frozenset({Kind.SIGN_IN_FAILED})
"""What is logged as a warning."""


class Visitor(NamedTuple):
    """From where somebody asks, as far as that is known."""

    device: str = ""
    network: str = ""


NOBODY_ASKED = Visitor()
"""What a command or a program did."""


def note_event(
    kind: Kind,
    *,
    user: User | None,
    visitor: Visitor = NOBODY_ASKED,
    club: Club | None = None,
    by: User | None = None,
    what: str = "",
    address: str = "",
) -> SecurityEvent:
    """Return what happened to an account just now, stored and logged.

    Of an `address` that is no account's the log has a short digest, keyed: people type passwords there.
    """
    by = by if by != user else None
    unknown = None
    if address and user is None:
        digest = salted_hmac(
            "tournaments.security", address.lower(), algorithm="sha256"
        )
        unknown = digest.hexdigest()[:12]
    fields = {
        "account": user.pk if user else None,
        "by": by.pk if by else None,
        "club": club.slug if club else None,
        "what": what or None,
        "network": visitor.network or None,
        "device": visitor.device or None,
        "unknown": unknown,
    }
    level = logging.WARNING if kind in GRAVE else logging.INFO
    _log(level, kind.value, fields)
    return SecurityEvent.objects.create(
        user=user,
        kind=kind,
        at=timezone.now(),
        club=club,
        by=by,
        what=what[:80],
        device=visitor.device,
        network=visitor.network,
    )


def log_refused(user: User | None, visitor: Visitor, what: str) -> None:
    """Log a request for another's data; no account is notified."""
    fields = {
        "account": user.pk if user else None,
        "what": what,
        "network": visitor.network or None,
    }
    _log(logging.WARNING, "refused", fields)


def log_released_phone(user: User, club: Club, visitor: Visitor, what: str) -> None:
    """Log that a director took a player's phone off their entry."""
    fields = {
        "account": user.pk,
        "club": club.slug,
        "what": what,
        "network": visitor.network or None,
    }
    _log(logging.INFO, "phone_released", fields)


def _log(level: int, event: str, fields: Mapping[str, object]) -> None:
    known = {name: value for name, value in fields.items() if value is not None}
    logger.log(level, event, extra={"fields": known})
