"""Store the calendar events of tournaments, and count each change: moved, renamed, cancelled."""

from datetime import datetime
from typing import Any

from django.conf import settings
from django.db.models.signals import post_delete, post_save
from django.dispatch import receiver
from django.utils import timezone, translation

from tournaments.models import Appointment, Tournament

PUBLISHED_FIELDS = (
    "name", "venue", "details", "starts_at", "ends_at", "cancelled",
)  # fmt: skip
"""Fields of an appointment; a change of one raises its sequence number."""
SOURCE_FIELDS = {
    "name",
    "venue",
    "game",
    "game_choice",
    "options",
    "fee",
    "starts_at",
    "rounds_planned",
    "minutes",
    "listing",
    "format",
    "phase",
}
"""Fields of a tournament that its appointment depends on."""


def is_in_club_calendar(tournament: Tournament) -> bool:
    """Return whether a tournament is in its club's calendars: everyone can find it.

    Leagues have no date, and past results were never announced.
    """
    if tournament.format in (Tournament.Format.LEAGUE, Tournament.Format.PAST):
        return False
    is_finished = tournament.phase == Tournament.Phase.FINISHED
    is_archived = tournament.listing == Tournament.Listing.ARCHIVED
    return tournament.listing == Tournament.Listing.LISTED or (
        is_archived and is_finished
    )


def save_or_cancel_appointment(
    *, tournament: Tournament, now: datetime
) -> Appointment | None:
    """Save the appointment of a tournament, or cancel it once it is not public; None if it never had one."""
    appointment = Appointment.objects.filter(address=tournament.address).first()
    is_public = is_in_club_calendar(tournament)
    if not is_public and (appointment is None or appointment.cancelled):
        return appointment
    if appointment is None:
        appointment = Appointment(
            club_id=tournament.club_id,
            tournament=tournament,
            address=tournament.address,
            sequence=-1,
        )
    fields_before = [getattr(appointment, field) for field in PUBLISHED_FIELDS]
    appointment.cancelled = not is_public
    if is_public:
        # Once it is no longer public, the appointment keeps its last public details.
        appointment.name, appointment.venue = tournament.name, tournament.venue
        # In one language, because equal appointments give equal bytes to everyone.
        with translation.override(tournament.club.language or settings.LANGUAGE_CODE):
            game = tournament.game_title
        appointment.details = " · ".join(filter(None, (game, tournament.fee)))
        appointment.starts_at, appointment.ends_at = (
            tournament.starts_at,
            tournament.planned_end,
        )
    if fields_before != [getattr(appointment, field) for field in PUBLISHED_FIELDS]:
        appointment.sequence, appointment.changed_at = appointment.sequence + 1, now
        appointment.save()
    return appointment


@receiver(post_save, sender=Tournament)
def _update_appointment_on_save(
    instance: Tournament, update_fields: frozenset[str] | None, **_kwargs: Any
) -> None:
    if update_fields is None or SOURCE_FIELDS.intersection(update_fields):
        save_or_cancel_appointment(tournament=instance, now=timezone.now())


@receiver(post_delete, sender=Tournament)
def _cancel_appointment_on_delete(instance: Tournament, **_kwargs: Any) -> None:
    appointments = Appointment.objects.filter(address=instance.address, cancelled=False)
    for appointment in appointments:
        appointment.cancelled, appointment.tournament = True, None
        appointment.sequence, appointment.changed_at = (
            appointment.sequence + 1,
            timezone.now(),
        )
        appointment.save()
