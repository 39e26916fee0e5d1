"""Clubs and the people who run them."""

from datetime import datetime

from django.db import transaction

from tournaments.models import Club, Membership, Role, User


@transaction.atomic
def found_club(*, club: Club, user: User, now: datetime) -> Club:
    """Return the club, stored, with its founder as a director."""
    club.created_at = now
    club.save()
    Membership.objects.create(club=club, user=user, role=Role.DIRECTOR)
    return club


def add_member(*, club: Club, user: User, role: int) -> Membership:
    """Return the membership of an account, new or with another role."""
    membership, _made = Membership.objects.update_or_create(
        club=club, user=user, defaults={"role": role}
    )
    return membership


@transaction.atomic
def remove_member(*, membership: Membership | None) -> bool:
    """Return whether the role was taken away; a club keeps its last director."""
    if membership is None:
        return False
    others = membership.club.memberships.select_for_update().exclude(pk=membership.pk)
    if membership.role == Role.DIRECTOR and not any(
        other.role == Role.DIRECTOR for other in others
    ):
        return False
    membership.delete()
    return True
