"""Store the calendar events of tournaments, and count each change: moved, renamed, cancelled."""

from datetime import datetime
from typing import Any

from django.db.models.signals import post_delete, post_save
from django.dispatch import receiver
from django.utils import timezone

from tournaments.models import Appointment, Tournament

TOLD = ("name", "venue", "starts_at", "ends_at", "cancelled")
"""Fields of an appointment; a change of one raises its sequence number."""
DECIDES = {
    "name",
    "venue",
    "starts_at",
    "rounds_planned",
    "minutes",
    "listing",
    "format",
    "phase",
}
"""Fields of a tournament that its appointment depends on."""


def is_announced(tournament: Tournament) -> bool:
    """Return whether a tournament is in its club's calendars: everyone can find it.

    Leagues have no date, and past results were never announced.
    """
    if tournament.format in (Tournament.Format.LEAGUE, Tournament.Format.PAST):
        return False
    over = tournament.phase == Tournament.Phase.FINISHED
    archived = tournament.listing == Tournament.Listing.ARCHIVED
    return tournament.listing == Tournament.Listing.LISTED or (archived and over)


def keep_appointment(*, tournament: Tournament, now: datetime) -> Appointment | None:
    """Create or update the appointment of a tournament and return it; None if it never had one."""
    kept = Appointment.objects.filter(address=tournament.address).first()
    announced = is_announced(tournament)
    if not announced and (kept is None or kept.cancelled):
        return kept
    if kept is None:
        kept = Appointment(
            club_id=tournament.club_id,
            tournament=tournament,
            address=tournament.address,
            sequence=-1,
        )
    before = [getattr(kept, field) for field in TOLD]
    kept.cancelled = not announced
    if announced:
        # Once it is no longer public, the appointment keeps its last public details.
        kept.name, kept.venue = tournament.name, tournament.venue
        kept.starts_at, kept.ends_at = tournament.starts_at, tournament.planned_end
    if before != [getattr(kept, field) for field in TOLD]:
        kept.sequence, kept.changed_at = kept.sequence + 1, now
        kept.save()
    return kept


@receiver(post_save, sender=Tournament)
def _on_save(
    instance: Tournament, update_fields: frozenset[str] | None, **_sent: Any
) -> None:
    if update_fields is None or DECIDES.intersection(update_fields):
        keep_appointment(tournament=instance, now=timezone.now())


@receiver(post_delete, sender=Tournament)
def _on_delete(instance: Tournament, **_sent: Any) -> None:
    standing = Appointment.objects.filter(address=instance.address, cancelled=False)
    for kept in standing:
        kept.cancelled, kept.tournament = True, None
        kept.sequence, kept.changed_at = kept.sequence + 1, timezone.now()
        kept.save()
