"""Versions of tournaments and of the sheets at their tables (`scoring.versions`).

A hand or a computation renews the version of its tournament. Sheets poll the version of their
match. Announcements, clocks, later rounds, settings and roles are not in the log of a match, so
they renew it.
"""

from collections.abc import Collection
from functools import lru_cache, partial

from django.db import transaction
from django.db.models.signals import post_delete, post_save
from django.dispatch import receiver

from scoring.models import Match
from scoring.signals import match_written, notices_changed
from scoring.versions import SITE, renew_versions, tournament_topic
from tournaments.models import (
    Announcement,
    AutoStep,
    Claim,
    Club,
    Entry,
    Membership,
    Merge,
    Round,
    Table,
    Tournament,
)
from tournaments.signals import history_changed

CACHE_SIZE = 10_000
ROUNDS = 2
"""Number of latest rounds with sheets that may still be open: the current one and the one before."""
HOLDER_FIELDS = frozenset({"player", "phones_released"})
"""Fields of an entry that decide which phones enter hands."""
CALL_FIELDS = frozenset({"called_at", "disputed", "void"})
"""Fields of a table that its sheet shows."""
COMPUTATION_FIELDS = frozenset({"version", "asked_at", "waiting_since"})
"""Fields of a tournament that its sheets do not show."""


@lru_cache(CACHE_SIZE)
def cached_tournament_topic(tournament_id: int) -> str:
    """Return the topic of a tournament; cached, because its address never changes."""
    tournaments = Tournament.objects.filter(pk=tournament_id)
    address = tournaments.values_list("address", flat=True).first()
    return tournament_topic(address) if address else SITE


@lru_cache(CACHE_SIZE)
def _tournament_id_of_match(match_id: int) -> int | None:
    """Return the tournament of a match, which never changes; None for a match without one."""
    tables = Table.objects.filter(match=match_id)
    return tables.values_list("round__tournament", flat=True).first()


@receiver([match_written, notices_changed])
def renew_tournament_version(
    sender: type[Match], match_id: int, **_kwargs: object
) -> None:
    """Renew the version of a match's tournament when something is entered."""
    tournament_id = _tournament_id_of_match(match_id)
    if tournament_id is not None:
        renew_versions(cached_tournament_topic(tournament_id))


@receiver(post_save, sender=Announcement)
@receiver(post_save, sender=AutoStep)
@receiver(post_save, sender=Entry)
@receiver(post_save, sender=Round)
@receiver(post_save, sender=Tournament)
def renew_sheets_after_change(
    sender: object,
    instance: Announcement | AutoStep | Entry | Round | Tournament,
    update_fields: Collection[str] | None,
    **_kwargs: object,
) -> None:
    """Renew the sheets of a tournament once a change that they show is committed."""
    if isinstance(instance, Tournament):
        tournament_id = instance.pk
        if update_fields is not None and COMPUTATION_FIELDS.issuperset(update_fields):
            return
    else:
        tournament_id = instance.tournament_id
        # Only a new player or a released phone matters to the sheets.
        if isinstance(instance, Entry) and HOLDER_FIELDS.isdisjoint(
            update_fields or ()
        ):
            return
    transaction.on_commit(
        partial(send_notices_changed_of_latest_rounds, tournament_id), robust=True
    )


@receiver(post_save, sender=Club)
@receiver(post_save, sender=Merge)
@receiver([post_save, post_delete], sender=Membership)
@receiver([post_save, post_delete], sender=Claim)
def renew_club_sheets_after_change(
    sender: object, instance: Club | Membership | Claim | Merge, **_kwargs: object
) -> None:
    """Renew the sheets of a club if its looks, roles, claimed names or merged players change."""
    club_id = instance.pk if isinstance(instance, Club) else instance.club_id
    renew = partial(send_notices_changed_of_club, club_id=club_id)
    transaction.on_commit(renew, robust=True)


@receiver(history_changed)
def send_notices_changed_of_club(club_id: int, **_kwargs: object) -> None:
    """Renew the sheets of all unfinished tournaments of a club."""
    tournaments = Tournament.objects.filter(club=club_id)
    for pk in tournaments.exclude(phase=Tournament.Phase.FINISHED).values_list("pk"):
        send_notices_changed_of_latest_rounds(*pk)


@receiver(post_save, sender=Table)
def renew_sheets_after_table_change(
    sender: object,
    instance: Table,
    update_fields: Collection[str] | None,
    **_kwargs: object,
) -> None:
    """Renew all sheets if a table got more time, and the table's own sheet if its call changed."""
    if update_fields and "extra_minutes" in update_fields:
        transaction.on_commit(
            partial(
                send_notices_changed_of_latest_rounds, instance.round.tournament_id
            ),
            robust=True,
        )
    match = instance.match
    is_shown = update_fields and not CALL_FIELDS.isdisjoint(update_fields)
    if is_shown and match is not None:
        renew = partial(notices_changed.send_robust, Match)
        transaction.on_commit(
            partial(renew, match_id=match.pk, address=match.address), robust=True
        )


def send_notices_changed_of_latest_rounds(tournament_id: int) -> None:
    """Send `notices_changed` for the matches of the latest rounds."""
    latest = Round.objects.filter(tournament=tournament_id).order_by("-number")
    numbers = list(latest.values_list("number", flat=True)[:ROUNDS])
    matches = Match.objects.filter(
        table__round__tournament=tournament_id, table__round__number__in=numbers
    )
    for pk, address in matches.values_list("pk", "address"):
        notices_changed.send_robust(Match, match_id=pk, address=address)
