"""The time zone of a club, which decides on what day its nights count."""

from datetime import UTC

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone

from scoring.locales.zones import check_zone
from tournaments.changes import (
    RefusedError,
    mark_history_changed,
    signal_history_outdated,
)
from tournaments.models import Club, Tournament


def checked_zone(time_zone: str) -> str:
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
    checked_zone(time_zone)
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
