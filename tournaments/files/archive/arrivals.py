"""Arrivals: archives uploaded on a page, stored and then imported in the background."""

from datetime import datetime
from io import BytesIO
from uuid import UUID

from django.db import connection, transaction
from django.utils.translation import gettext as _

from scoring.matchlog.client_keys import derive_key_for_owner
from scoring.rules.names import strip_unsafe
from tournaments.changes import RefusedError
from tournaments.files.archive.reading import ArchiveError, import_club
from tournaments.models import Arrival, User
from tournaments.signals import club_arrived

LARGEST = 4_000_000
"""The most bytes, some ten thousand matches; larger archives need the management command."""
MOST_WAITING = 2
"""The most archives of one account that may wait at a time."""
LONGEST_FAULT = 500


@transaction.atomic
def store_arrival(
    *, user: User, key: UUID, name: str, content: bytes, slug: str, now: datetime
) -> Arrival:
    """Store an archive and queue its import; return the arrival.

    The same key returns the same arrival. `content` has at most `LARGEST` bytes. Raises
    RefusedError if too many archives of the user are waiting.
    """
    key = derive_key_for_owner(key, "arrival", user.pk)
    existing = Arrival.objects.filter(user=user, key=key).defer("content").first()
    if existing is not None:
        return existing
    if Arrival.objects.awaiting_import(now).filter(user=user).count() >= MOST_WAITING:
        raise RefusedError(
            "file", _("You already have imports running. Wait for those to finish.")
        )
    arrival = Arrival.objects.create(
        user=user,
        key=key,
        name=strip_unsafe(name)[:100],
        slug=slug,
        content=content,
        made_at=now,
    )
    transaction.on_commit(
        lambda: club_arrived.send_robust(Arrival, arrival_id=arrival.pk)
    )
    return arrival


@transaction.atomic
def import_arrival(*, arrival_id: int, now: datetime) -> bool:
    """Import an archive; return whether there is a club now. A fault is stored in the arrival.

    Safe to run twice at once: the second run skips an arrival that is locked.
    """
    waiting = Arrival.objects.awaiting_import(now).filter(pk=arrival_id)
    arrival = (
        waiting.select_for_update(
            of=["self"],
            skip_locked=connection.features.has_select_for_update_skip_locked,
        )
        .select_related("user")
        .first()
    )
    if arrival is None:
        return False
    try:
        with transaction.atomic():
            imported = import_club(
                BytesIO(bytes(arrival.content)),
                now=now,
                slug=arrival.slug,
                director=arrival.user,
            )
        arrival.club, arrival.fault = (
            imported.club,
            imported.differences_from_archive[:LONGEST_FAULT],
        )
    except ArchiveError as refused:
        arrival.fault = str(refused)[:LONGEST_FAULT]
    arrival.content = b""
    arrival.save(update_fields=["club", "fault", "content"])
    return arrival.club is not None
