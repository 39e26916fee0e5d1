"""Clubs and their members."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import IO

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import override

from scoring.locales.zones import check_zone
from tournaments.changes import (
    RefusedError,
    mark_history_changed,
    signal_history_outdated,
)
from tournaments.models import (
    Club,
    Invitation,
    Membership,
    Role,
    SecurityEvent,
    Tournament,
    User,
)
from tournaments.people.looks import set_club_colour, set_logo
from tournaments.people.security import store_and_log_event
from tournaments.signals import invited

Kind = SecurityEvent.Kind


@transaction.atomic
def create_club_with_director(*, club: Club, user: User, now: datetime) -> Club:
    """Store a new club, which this account directs, and return it."""
    club.created_at = now
    club.save()
    Membership.objects.create(club=club, user=user, role=Role.DIRECTOR)
    _note_role_change(Kind.ROLE_GIVEN, club, user, Role.DIRECTOR, user)
    return club


@transaction.atomic
def make_demo_director(*, user: User) -> Club:
    """Make an account the director of the demo club, to try that out, and return the club.

    Raises RefusedError if there is no demo club, or it is taken already.
    """
    # Two accounts may ask at once.
    locked = Club.objects.select_for_update().filter(is_demo=True).first()
    club = Club.objects.demo_without_members().first() if locked else None
    if club is None:
        raise RefusedError(
            "club", _("Someone already directs the demo club. Start your own club.")
        )
    set_member_role(club=club, user=user, role=Role.DIRECTOR, actor=user)
    return club


def rename_account(*, user: User, name: str) -> User:
    """Rename an account; its actions are shown under the new name."""
    user.first_name, user.last_name = name, ""
    user.save(update_fields=["first_name", "last_name"])
    return user


@transaction.atomic
def change_club_settings(
    *,
    club_id: int,
    name: str | None = None,
    colour: str | None = None,
    logo: IO[bytes] | None = None,
    language: str | None = None,
    time_zone: str | None = None,
) -> None:
    """Change the given settings of a club, or none if one of them is refused.

    The address stays with another name, so that links remain valid. An empty `colour` is the default one, an empty
    `language` that of each browser. Raises RefusedError as `set_club_colour`, `set_logo` and `set_club_time_zone` do,
    and for a language that the site does not have.
    """
    if language and language not in dict(settings.LANGUAGES):
        raise RefusedError("language", _("This language isn’t available."))
    if colour is not None:
        set_club_colour(club_id=club_id, colour=colour)
    if logo is not None:
        set_logo(club_id=club_id, file=logo)
    if time_zone is not None:
        set_club_time_zone(club_id=club_id, time_zone=time_zone)
    club = Club.objects.get(pk=club_id)
    if language is not None:
        club.language = language
        club.save(update_fields=["language"])
    if name is not None:
        club.name = name
        club.save(update_fields=["name"])
        # Results signed for other servers from now on are newer ones.
        mark_history_changed(club_id)


def require_known_zone(time_zone: str) -> str:
    """Return the name of a zone; raises RefusedError if there is none of this name."""
    try:
        check_zone(time_zone)
    except ValidationError as refused:
        raise RefusedError("time_zone", refused.messages[0]) from None
    return time_zone


@transaction.atomic
def set_club_time_zone(*, club_id: int, time_zone: str) -> Club:
    """Set the time zone of a club.

    Nights stay at the same moment, and count on another day if the new zone puts them there.
    Imported results stay on their day. Raises RefusedError for an unknown zone.
    """
    require_known_zone(time_zone)
    club = Club.objects.select_for_update(no_key=True).get(pk=club_id)
    if club.time_zone == time_zone:
        return club
    nights, zone = list(club.tournaments.finished()), club.zone
    old_days = {night.pk: night.held_on for night in nights}
    club.time_zone = time_zone
    club.save(update_fields=["time_zone"])
    for night in nights:
        if night.format == Tournament.Format.PAST:
            # Only its day is known: it begins at the same hour in the new zone.
            local_start = timezone.make_naive(night.starts_at, zone)
            night.starts_at = local_start.replace(tzinfo=night.club.zone).astimezone(
                UTC
            )
            night.save(update_fields=["starts_at"])
    moved = [night.pk for night in nights if night.held_on != old_days[night.pk]]
    counted_tournaments = club.tournaments.exclude(counted_version=None)
    counted_tournaments.filter(pk__in=moved).update(counted_version=0)
    # Leaderboards as of a day depend on when that day ended.
    mark_history_changed(club_id)
    if moved:
        signal_history_outdated(club_id)
    return club


def archive_or_restore_club(*, club_id: int, now: datetime | None) -> Club:
    """Archive a club; restore it if `now` is None."""
    club = Club.objects.get(pk=club_id)
    club.archived_at = now
    club.save(update_fields=["archived_at"])
    return club


@transaction.atomic
def delete_club_without_tournaments(*, club_id: int) -> None:
    """Delete a club that has no tournaments, with its members, seasons and player profiles.

    Raises RefusedError if it has one, because results stay.
    """
    club = Club.objects.select_for_update().get(pk=club_id)
    if club.tournaments.exists():
        raise RefusedError(
            "club",
            _(
                "This club still has tournaments. Delete them if none was played, or "
                "archive the club instead."
            ),
        )
    club.delete()


@transaction.atomic
def set_member_role(
    *, club: Club, user: User, role: int, actor: User | None = None
) -> Membership:
    """Give an account a role in a club, on behalf of `actor`, and return the membership.

    Raises RefusedError if that would leave the club without a director.
    """
    Club.objects.select_for_update().get(pk=club.pk)
    existing = club.memberships.filter(user=user).first()
    if existing is not None and role != Role.DIRECTOR:
        require_other_director(existing)
    membership, _created = Membership.objects.update_or_create(
        club=club, user=user, defaults={"role": role}
    )
    if existing is None or existing.role != role:
        _note_role_change(Kind.ROLE_GIVEN, club, user, role, actor)
    return membership


@transaction.atomic
def remove_member(*, membership: Membership, actor: User | None = None) -> None:
    """Remove a member, on behalf of `actor`.

    Raises RefusedError if that would leave the club without a director.
    """
    Club.objects.select_for_update().get(pk=membership.club_id)
    require_other_director(membership)
    membership.delete()
    _note_role_change(
        Kind.ROLE_TAKEN, membership.club, membership.user, membership.role, actor
    )


def _note_role_change(
    kind: SecurityEvent.Kind, club: Club, user: User, role: int, actor: User | None
) -> None:
    # Stored in English; `SecurityEvent.detail` translates the role for the reader.
    with override("en"):
        detail = f"{Role(role).label}, {club.name}"
    store_and_log_event(kind, user=user, club=club, actor=actor, detail=detail)


def require_other_director(membership: Membership) -> None:
    """Raise RefusedError if a club would have no director without this membership."""
    other_members = membership.club.memberships.exclude(pk=membership.pk)
    is_last = not other_members.filter(role=Role.DIRECTOR).exists()
    if membership.role == Role.DIRECTOR and is_last:
        raise RefusedError(
            "role",
            _("%(email)s is the last director. Make someone else a director first.")
            % {"email": membership.user.email},
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitationOutcome:
    """The outcome of an invitation."""

    invitation: Invitation
    has_role: bool
    """Whether the invited person is a member already, and has the role at once."""
    was_invited: bool
    """Whether there was an unanswered invitation before."""


@transaction.atomic
def invite_or_change_role(
    *,
    club: Club,
    email: str,
    role: Role,
    inviter: User,
    build_link: Callable[[Invitation | Club], str],
    now: datetime,
) -> InvitationOutcome:
    """Invite an address to a role in a club, by e-mail with the link that `build_link` builds.

    A member of the club gets the role at once. Anyone else accepts it through the e-mail, with
    an account or without, so that an invitation does not reveal which addresses have one. Inviting
    an address again changes the role, and sends the same link in another e-mail. Raises
    RefusedError as `set_member_role`.
    """
    email = email.lower()
    membership = (
        club.memberships.select_related("user").filter(user__email=email).first()
    )
    existing = club.invitations.open(now).filter(email=email).first()
    invitation = existing or Invitation(club=club, email=email)
    invitation.role, invitation.made_by = role, inviter
    invitation.made_at, invitation.sent_at = now, None
    invitation.link = build_link(club if membership else invitation)
    if membership is not None:
        set_member_role(club=club, user=membership.user, role=role, actor=inviter)
        invitation.answered_at = now
    invitation.save()
    transaction.on_commit(
        lambda: invited.send_robust(Invitation, invitation_id=invitation.pk)
    )
    return InvitationOutcome(
        invitation=invitation,
        has_role=membership is not None,
        was_invited=existing is not None,
    )


@transaction.atomic
def accept_invitation(*, invitation_id: int, user: User, now: datetime) -> Membership:
    """Accept an invitation for an account, and return the membership.

    Raises RefusedError if the invitation was accepted, was withdrawn or is too old, and if the
    account has these rights already: then it is for someone else, and stays open.
    """
    invitations = Invitation.objects.select_for_update().filter(pk=invitation_id)
    invitation = invitations.open(now).select_related("club").first()
    if invitation is None:
        raise RefusedError(
            "invitation",
            _("This invitation no longer works. Ask a director for a new one."),
        )
    if has_role_already(invitation, user):
        raise RefusedError(
            "invitation",
            _("You’re already on this team. Pass this link on to the person it’s for."),
        )
    invitation.answered_at = now
    invitation.save(update_fields=["answered_at"])
    return set_member_role(
        club=invitation.club,
        user=user,
        role=invitation.role,
        actor=invitation.made_by,
    )


def has_role_already(invitation: Invitation, user: User) -> bool:
    """Return whether an account already has all rights of an invitation."""
    role = invitation.club.get_role(user)
    return role is not None and role >= invitation.role


def withdraw_invitation(*, invitation_id: int, now: datetime) -> None:
    """Withdraw an invitation; its link stops working."""
    Invitation.objects.filter(pk=invitation_id, answered_at=None).update(
        answered_at=now
    )
