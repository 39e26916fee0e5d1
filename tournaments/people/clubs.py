"""Clubs and the people who run them."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import override

from tournaments.changes import RefusedError, history_moved_on
from tournaments.models import (
    Club,
    Invitation,
    Membership,
    Role,
    SecurityEvent,
    User,
)
from tournaments.people.security import note_event
from tournaments.signals import invited

Kind = SecurityEvent.Kind


@transaction.atomic
def create_club(*, club: Club, user: User, now: datetime) -> Club:
    """Return the club, stored, with its founder as a director."""
    club.created_at = now
    club.save()
    Membership.objects.create(club=club, user=user, role=Role.DIRECTOR)
    _note_role(Kind.ROLE_GIVEN, club, user, Role.DIRECTOR, user)
    return club


@transaction.atomic
def direct_demo(*, user: User) -> Club:
    """Return the demo club, which the account directs from now on, to try how that is.

    Raises RefusedError where there is none, or somebody has it already.
    """
    # Two may tap at once.
    locked = Club.objects.select_for_update().filter(is_demo=True).first()
    club = Club.objects.demo_to_direct().first() if locked else None
    if club is None:
        raise RefusedError(
            "club", _("Somebody directs the demo club already: found a club of yours.")
        )
    add_member(club=club, user=user, role=Role.DIRECTOR, by=user)
    return club


def rename_account(*, user: User, name: str) -> User:
    """Return the account, with this name wherever its actions are shown."""
    user.first_name, user.last_name = name, ""
    user.save(update_fields=["first_name", "last_name"])
    return user


def rename_club(*, club_id: int, name: str) -> Club:
    """Return the club under another name; its address stays, so that links hold."""
    club = Club.objects.get(pk=club_id)
    club.name = name
    club.save(update_fields=["name"])
    # Results that are signed for other hosts from now on are later ones.
    history_moved_on(club_id)
    return club


def set_club_language(*, club_id: int, language: str) -> Club:
    """Return the club, with this default language; empty for that of each browser.

    Raises RefusedError for what the site does not speak.
    """
    if language and language not in dict(settings.LANGUAGES):
        raise RefusedError("language", _("This language is not spoken here."))
    club = Club.objects.get(pk=club_id)
    club.language = language
    club.save(update_fields=["language"])
    return club


def archive_club(*, club_id: int, now: datetime | None) -> Club:
    """Return the club, from now on in the archive; with None among the others again."""
    club = Club.objects.get(pk=club_id)
    club.archived_at = now
    club.save(update_fields=["archived_at"])
    return club


@transaction.atomic
def delete_club(*, club_id: int) -> None:
    """Delete a club in which nothing was set up.

    Raises RefusedError where a tournament is there: what was played stays.
    """
    club = Club.objects.select_for_update().get(pk=club_id)
    if club.tournaments.exists():
        raise RefusedError(
            "club",
            _(
                "There are tournaments in this club. Delete those that were never played "
                "first; where something was played, put the club into the archive."
            ),
        )
    club.delete()


@transaction.atomic
def add_member(
    *, club: Club, user: User, role: int, by: User | None = None
) -> Membership:
    """Return the membership of an account, new or with another role, which `by` gives it.

    Raises RefusedError where that would leave the club without a director.
    """
    Club.objects.select_for_update().get(pk=club.pk)
    held = club.memberships.filter(user=user).first()
    if held is not None and role != Role.DIRECTOR:
        keep_a_director(held)
    membership, _made = Membership.objects.update_or_create(
        club=club, user=user, defaults={"role": role}
    )
    if held is None or held.role != role:
        _note_role(Kind.ROLE_GIVEN, club, user, role, by)
    return membership


@transaction.atomic
def remove_member(*, membership: Membership, by: User | None = None) -> None:
    """Take a role away; `by` does it.

    Raises RefusedError where that would leave the club without a director.
    """
    Club.objects.select_for_update().get(pk=membership.club_id)
    keep_a_director(membership)
    membership.delete()
    _note_role(Kind.ROLE_TAKEN, membership.club, membership.user, membership.role, by)


def _note_role(
    kind: SecurityEvent.Kind, club: Club, user: User, role: int, by: User | None
) -> None:
    # Shown in the language of the reader (`SecurityEvent.told`).
    with override("en"):
        what = f"{Role(role).label}, {club.name}"
    note_event(kind, user=user, club=club, by=by, what=what)


def keep_a_director(leaving: Membership) -> None:
    """Raise RefusedError where nobody would direct a club any more without this membership."""
    others = leaving.club.memberships.exclude(pk=leaving.pk)
    last = not others.filter(role=Role.DIRECTOR).exists()
    if leaving.role == Role.DIRECTOR and last:
        raise RefusedError(
            "role",
            _("%(email)s is the last director. Give somebody else the role first.")
            % {"email": leaving.user.email},
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Invited:
    """What became of inviting somebody."""

    invitation: Invitation
    has_role: bool
    """Whether they have the role already, because they help in the club."""
    was_invited: bool
    """Whether they were before, and did not answer."""


@transaction.atomic
def invite(
    *,
    club: Club,
    email: str,
    role: Role,
    by: User,
    link_to: Callable[[Invitation | Club], str],
    now: datetime,
) -> Invited:
    """Return the invitation; a letter goes out with the link that `link_to` gives.

    Whoever helps in the club already has the role at once. Anybody else takes it up by the
    letter, with an account or without: so nobody learns by it which addresses have one. Who
    is invited already is so for the role that is named last, by another letter with the same
    link. Raises RefusedError as `add_member`.
    """
    held = club.memberships.select_related("user").filter(user__email=email).first()
    before = club.invitations.open(now).filter(email=email).first()
    invitation = before or Invitation(club=club, email=email)
    invitation.role, invitation.made_by = role, by
    invitation.made_at, invitation.sent_at = now, None
    invitation.link = link_to(club if held else invitation)
    if held is not None:
        add_member(club=club, user=held.user, role=role, by=by)
        invitation.answered_at = now
    invitation.save()
    transaction.on_commit(
        lambda: invited.send_robust(Invitation, invitation_id=invitation.pk)
    )
    return Invited(
        invitation=invitation,
        has_role=held is not None,
        was_invited=before is not None,
    )


@transaction.atomic
def accept_invitation(*, invitation_id: int, user: User, now: datetime) -> Membership:
    """Return the membership of an account that has the letter.

    Raises RefusedError for an invitation that was taken up, taken back, or is too old, and
    for who would gain nothing by it: then it is for somebody else, and stays.
    """
    invitations = Invitation.objects.select_for_update().filter(pk=invitation_id)
    invitation = invitations.open(now).select_related("club").first()
    if invitation is None:
        raise RefusedError(
            "invitation",
            _("This invitation does not hold any more; ask a director for another."),
        )
    if helps_already(invitation, user):
        raise RefusedError(
            "invitation",
            _("You help here already. This link is for somebody else: pass it on."),
        )
    invitation.answered_at = now
    invitation.save(update_fields=["answered_at"])
    return add_member(
        club=invitation.club,
        user=user,
        role=invitation.role,
        by=invitation.made_by,
    )


def helps_already(invitation: Invitation, user: User) -> bool:
    """Return whether an account already has all rights of an invitation."""
    role = invitation.club.get_role(user)
    return role is not None and role >= invitation.role


def withdraw_invitation(*, invitation_id: int, now: datetime) -> None:
    """Take an invitation back; its letter leads nowhere from now on."""
    Invitation.objects.filter(pk=invitation_id, answered_at=None).update(
        answered_at=now
    )
