"""API tokens, with which programs act for an account."""

import secrets
from collections.abc import Collection
from datetime import datetime, timedelta
from functools import partial
from hashlib import sha256

from django.db.models import Q
from django.utils.translation import gettext as _

from scoring.storage_failures import write_if_unlocked
from tournaments.changes import RefusedError
from tournaments.models import (
    ApiToken,
    Club,
    Scope,
    SecurityEvent,
    User,
)
from tournaments.people.security import store_and_log_event

PREFIX = "tricky_"
"""Marks a secret in a file as one of Tricky's."""
BYTES = 32
LONGEST = 100
"""Longest secret that is looked up at all, in characters."""
MOST_TOKENS = 50
"""Limit for one account."""
LAST_USED_PRECISION = timedelta(minutes=1)


def make_token(
    *,
    user: User,
    name: str,
    scopes: Collection[str],
    club: Club | None,
    expires_at: datetime | None,
    now: datetime,
) -> tuple[ApiToken, str]:
    """Return a new token and its secret, which is not stored.

    Raises RefusedError if the account has no role in the club, or too many tokens.
    """
    if club is not None and club.get_role(user) is None:
        raise RefusedError("club", _("You have no role in this club."))
    if ApiToken.objects.filter(user=user).active(now).count() >= MOST_TOKENS:
        raise RefusedError(
            "name",
            _("You already have %(most)s API keys. Revoke an unused one first.")
            % {"most": MOST_TOKENS},
        )
    secret = PREFIX + secrets.token_urlsafe(BYTES)
    token = ApiToken.objects.create(
        user=user,
        club=club,
        name=name,
        scopes=[scope.value for scope in Scope if scope in scopes],
        digest=_digest_secret(secret),
        made_at=now,
        expires_at=expires_at,
    )
    store_and_log_event(
        SecurityEvent.Kind.TOKEN_MADE, user=user, club=club, detail=name
    )
    return token, secret


def revoke_token(*, token: ApiToken, now: datetime) -> ApiToken:
    """Revoke a token."""
    if ApiToken.objects.filter(pk=token.pk, ended_at=None).update(ended_at=now):
        store_and_log_event(
            SecurityEvent.Kind.TOKEN_ENDED,
            user=token.user,
            club=token.club,
            detail=token.name,
        )
    return token


def find_token_and_record_use(secret: str, now: datetime) -> ApiToken | None:
    """Return the token with this secret, its account restricted to the token's club.

    None if the token was revoked, has expired or never existed. One query, and one more in
    each minute in which it is used.
    """
    if len(secret) > LONGEST:
        return None
    tokens = ApiToken.objects.active(now).filter(user__is_active=True)
    token = tokens.select_related("user").filter(digest=_digest_secret(secret)).first()
    if token is None:
        return None
    is_outdated = Q(last_used_at=None) | Q(last_used_at__lte=now - LAST_USED_PRECISION)
    if token.last_used_at is None or token.last_used_at <= now - LAST_USED_PRECISION:
        used = ApiToken.objects.filter(is_outdated, pk=token.pk)
        write_if_unlocked(partial(used.update, last_used_at=now))
    token.user.counts_only_in = token.club_id
    return token


def _digest_secret(secret: str) -> str:
    return sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
