"""Sheets at the tables of a tournament: what is said in the room is news to them at once.

They ask whether their match has changed, and its version mostly answers (`scoring.versions`);
an announcement, a clock or the next round stands in no match's log.
"""

from collections.abc import Collection
from functools import partial

from django.db import transaction
from django.db.models.signals import post_save
from django.dispatch import receiver

from scoring.models import Match
from scoring.signals import notices_changed
from tournaments.models import Announcement, AutoStep, Round, Table

ROUNDS = 2
"""Whose sheets people may have before them: that which is played, and the one before."""


@receiver(post_save, sender=Announcement)
@receiver(post_save, sender=AutoStep)
@receiver(post_save, sender=Round)
def tell_sheets(
    sender: object, instance: Announcement | AutoStep | Round, **_saved: object
) -> None:
    """Tell all sheets of a tournament, once something is committed that stands above them."""
    transaction.on_commit(partial(renew_sheets, instance.tournament_id), robust=True)


@receiver(post_save, sender=Table)
def tell_sheets_of_table(
    sender: object,
    instance: Table,
    update_fields: Collection[str] | None,
    **_saved: object,
) -> None:
    """Renew the sheets if a table got more time, and its own if its call changed."""
    if update_fields and "extra_minutes" in update_fields:
        transaction.on_commit(
            partial(renew_sheets, instance.round.tournament_id), robust=True
        )
    match = instance.match
    if update_fields and "called_at" in update_fields and match is not None:
        renew = partial(notices_changed.send_robust, Match)
        transaction.on_commit(
            partial(renew, match_id=match.pk, address=match.address), robust=True
        )


def renew_sheets(tournament_id: int) -> None:
    """Tell what stands for those sheets, and who listens to them, that something is new."""
    latest = Round.objects.filter(tournament=tournament_id).order_by("-number")
    numbers = list(latest.values_list("number", flat=True)[:ROUNDS])
    matches = Match.objects.filter(
        table__round__tournament=tournament_id, table__round__number__in=numbers
    )
    for pk, address in matches.values_list("pk", "address"):
        notices_changed.send_robust(Match, match_id=pk, address=address)
