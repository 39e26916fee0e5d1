"""Tokens by which programs speak for an account, and the web pages that may ask for a club."""

import re
import secrets
from collections.abc import Collection
from datetime import datetime, timedelta
from functools import partial
from hashlib import sha256

from django.db.models import Q
from django.utils.translation import gettext as _

from scoring.unwritten import where_possible
from tournaments.changes import RefusedError
from tournaments.models import (
    ApiOrigin,
    ApiToken,
    Club,
    Scope,
    SecurityEvent,
    User,
)
from tournaments.people.security import note_event

PREFIX = "tricky_"
"""By which whoever finds one in a file sees what it is."""
BYTES = 32
LONGEST = 100
"""Signs of what is looked up at all."""
MOST_TOKENS, MOST_ORIGINS = 50, 20
"""That an account, that a club has at once."""
A_MINUTE = timedelta(minutes=1)
ORIGIN = re.compile(r"https?://[a-z0-9.-]{1,180}(:\d{1,5})?", re.ASCII)


def make_token(
    *,
    user: User,
    name: str,
    scopes: Collection[str],
    club: Club | None,
    expires_at: datetime | None,
    now: datetime,
) -> tuple[ApiToken, str]:
    """Return a new token and its secret, which nobody can be told again.

    Raises RefusedError for a club in which the account has no role, and for too many.
    """
    if club is not None and club.role_of(user) is None:
        raise RefusedError("club", _("You have no role in this club."))
    if ApiToken.objects.filter(user=user).standing(now).count() >= MOST_TOKENS:
        raise RefusedError(
            "name",
            _("You have %(most)s tokens; end one that is not used first.")
            % {"most": MOST_TOKENS},
        )
    secret = PREFIX + secrets.token_urlsafe(BYTES)
    token = ApiToken.objects.create(
        user=user,
        club=club,
        name=name,
        scopes=[scope.value for scope in Scope if scope in scopes],
        digest=_digest(secret),
        made_at=now,
        expires_at=expires_at,
    )
    note_event(SecurityEvent.Kind.TOKEN_MADE, user=user, club=club, what=name)
    return token, secret


def end_token(*, token: ApiToken, now: datetime) -> ApiToken:
    """Return the token, which opens nothing from now on."""
    if ApiToken.objects.filter(pk=token.pk, ended_at=None).update(ended_at=now):
        note_event(
            SecurityEvent.Kind.TOKEN_ENDED,
            user=token.user,
            club=token.club,
            what=token.name,
        )
    return token


def token_of(secret: str, now: datetime) -> ApiToken | None:
    """Return the token whose secret this is, its account bound to the token's club.

    None for one that was ended, has expired or never was. One query, and one more in
    each minute in which it is used.
    """
    if len(secret) > LONGEST:
        return None
    tokens = ApiToken.objects.standing(now).filter(user__is_active=True)
    token = tokens.select_related("user").filter(digest=_digest(secret)).first()
    if token is None:
        return None
    not_lately = Q(last_used_at=None) | Q(last_used_at__lte=now - A_MINUTE)
    if token.last_used_at is None or token.last_used_at <= now - A_MINUTE:
        used = ApiToken.objects.filter(not_lately, pk=token.pk)
        where_possible(partial(used.update, last_used_at=now))
    token.user.counts_only_in = token.club_id
    return token


def _digest(secret: str) -> str:
    return sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def allow_origin(*, club: Club, origin: str, now: datetime) -> ApiOrigin:
    """Return the origin, whose pages may ask for the club from now on.

    Raises RefusedError for what is no origin, and for too many.
    """
    written = origin.strip().rstrip("/").lower()
    if not ORIGIN.fullmatch(written):
        raise RefusedError(
            "origin", _("Write it as in https://example.org, without a path.")
        )
    if club.api_origins.count() >= MOST_ORIGINS:
        raise RefusedError(
            "origin",
            _("There are %(most)s already; take one away first.")
            % {"most": MOST_ORIGINS},
        )
    allowed, _made = ApiOrigin.objects.get_or_create(
        club=club, origin=written, defaults={"made_at": now}
    )
    return allowed


def is_allowed(origin: str, club: Q | None) -> bool:
    """Tell whether the pages of an origin may ask for a club, for any where none is named.

    `club` tells which, by conditions on clubs.
    """
    origins = ApiOrigin.objects.filter(origin=origin)
    if club is not None:
        origins = origins.filter(club__in=Club.objects.filter(club))
    return origins.exists()
