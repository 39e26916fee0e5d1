"""Announcements: shown on every phone and the projector, and withdrawn again."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.changes import RefusedError
from tournaments.event.push import NoticeKind, notify
from tournaments.models import Announcement, Tournament, User


@transaction.atomic
def announce(
    *, tournament_id: int, text: str, user: User | None, now: datetime
) -> Announcement:
    """Make an announcement, shown from now on until the night ends.

    Raises RefusedError once the tournament is finished.
    """
    tournament = Tournament.objects.select_for_update().get(pk=tournament_id)
    if tournament.phase == Tournament.Phase.FINISHED:
        raise RefusedError(
            "text",
            _("The tournament is finished. Reopen it to send messages."),
        )
    announcement = Announcement.objects.create(
        tournament_id=tournament_id, text=text, made_by=user, made_at=now
    )
    notify(NoticeKind.ANNOUNCEMENT, announcement.pk)
    return announcement


@transaction.atomic
def withdraw(*, announcement_id: int, now: datetime) -> Announcement:
    """Withdraw the announcement; doing it again changes nothing."""
    announcement = Announcement.objects.select_for_update().get(pk=announcement_id)
    if announcement.withdrawn_at is None:
        announcement.withdrawn_at = now
        announcement.save(update_fields=["withdrawn_at"])
    return announcement
