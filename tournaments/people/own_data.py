"""The data stored about an account: exported to one file, or deleted with the account."""

from typing import Any
from uuid import uuid4

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.db import transaction
from django.db.models import F, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _

from scoring.locales.sentences import join_names
from tournaments.changes import RefusedError
from tournaments.models import (
    Club,
    Invitation,
    Membership,
    Role,
    SecurityEvent,
    User,
)
from tournaments.people.security import DeviceAndNetwork, store_and_log_event

CLUB = F("club__name")
NOWHERE = "closed.invalid"
"""A domain that receives no e-mail (RFC 2606)."""


def export_account(user: User) -> dict[str, Any]:
    """Return everything that is stored about an account, as JSON values; of secrets only that they exist."""
    addresses = EmailAddress.objects.filter(user=user).values(
        "email", "verified", "primary"
    )
    factors = Authenticator.objects.filter(user=user).values(
        "type", "created_at", "last_used_at"
    )
    roles = user.memberships.select_related("club").order_by("club__name")
    claims = user.claims.select_related("club", "player").order_by("pk")
    invitations = Invitation.objects.filter(email=user.email).select_related("club")
    return {
        "format": "tricky-account",
        "version": 1,
        "email": user.email,
        "name": user.get_full_name(),
        "language": user.language,
        "time_zone": user.time_zone,
        "joined_at": user.date_joined,
        "signed_in_at": user.last_login,
        "addresses": list(addresses.order_by("pk")),
        "passkeys_and_codes": list(factors.order_by("pk")),
        "roles": [
            {"club": membership.club.name, "role": Role(membership.role).name.lower()}
            for membership in roles
        ],
        "invitations": [
            {
                "club": invitation.club.name,
                "role": Role(invitation.role).name.lower(),
                "made_at": invitation.made_at,
            }
            for invitation in invitations.order_by("pk")
        ],
        "claims": [
            {
                "club": claim.club.name,
                "player": claim.player.name,
                # The page shows what this player played, and exports it to a file as well.
                "page": reverse(
                    "tournaments:player", args=[claim.club.slug, claim.player_id]
                ),
                "made_at": claim.made_at,
                "confirmed_at": claim.confirmed_at,
                "withdrawn_at": claim.withdrawn_at,
            }
            for claim in claims
        ],
        "follows": list(user.follows.order_by("pk").values("since", where=CLUB)),
        "programs": list(
            user.api_tokens.order_by("pk").values(
                *("name", "scopes", "made_at"),
                *("expires_at", "ended_at", "last_used_at"),
                where=CLUB,
            )
        ),
        "devices": list(
            UserSession.objects.filter(user=user)
            .order_by("pk")
            .values("user_agent", "ip", "created_at", "last_seen_at")
        ),
        "told_by_push": list(
            user.subscriptions.order_by("pk").values(
                "made_at", night=F("tournament__name")
            )
        ),
        "events": list(
            user.security_events.order_by("pk").values(
                "kind", "at", "what", "device", "network", where=CLUB
            )
        ),
    }


def check_can_close_account(user: User) -> None:
    """Raise RefusedError if a club that is not archived would be left without a director."""
    if clubs := solely_directed_clubs(user).filter(archived_at=None):
        raise RefusedError(
            "email",
            _(
                "No one else directs %(clubs)s. Make someone else a "
                "director, archive the club, or delete it if it has no "
                "tournaments."
            )
            % {"clubs": join_names([club.name for club in clubs])},
        )


def solely_directed_clubs(user: User) -> QuerySet[Club]:
    """Return the clubs with this account as the only director."""
    directed = Club.objects.filter(
        memberships__user=user, memberships__role=Role.DIRECTOR
    )
    other_directors = Membership.objects.filter(role=Role.DIRECTOR).exclude(user=user)
    return directed.exclude(pk__in=other_directors.values("club")).order_by("name")


@transaction.atomic
def close_and_anonymise_account(*, user: User, visitor: DeviceAndNetwork) -> None:
    """Delete the name, the sign-in methods and the personal data of an account.

    Its actions stay, without a name. Its security events are stored as long as those of any
    account. Raises RefusedError as `check_can_close_account`.
    """
    club_ids = user.memberships.values("club")
    list(Club.objects.select_for_update().filter(pk__in=club_ids).order_by("pk"))
    check_can_close_account(user)
    store_and_log_event(SecurityEvent.Kind.ACCOUNT_CLOSED, user=user, visitor=visitor)
    for session in UserSession.objects.filter(user=user):
        session.end()
    addresses = [
        user.email,
        *EmailAddress.objects.filter(user=user).values_list("email", flat=True),
    ]
    # Accepted invitations contain the address as well, and have no further use.
    Invitation.objects.filter(email__in=addresses).delete()
    EmailAddress.objects.filter(user=user).delete()
    Authenticator.objects.filter(user=user).delete()
    for records in (
        *(user.memberships, user.claims, user.follows, user.api_tokens),
        *(user.subscriptions, user.arrivals),
    ):
        records.all().delete()
    user.email = f"{uuid4().hex}@{NOWHERE}"
    user.first_name = user.last_name = user.language = user.time_zone = ""
    user.last_login = None
    user.is_active = user.is_staff = user.is_superuser = False
    user.set_unusable_password()
    user.save()
