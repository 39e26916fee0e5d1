"""Standings and histories after a migration that changed how results count."""

from collections.abc import Sequence
from typing import Any

from django.db.migrations import Migration
from django.db.models import F
from django.utils import timezone

from tournaments.event.results import compute_standings
from tournaments.history.derivation import derive_history
from tournaments.models import Standings, Tournament

CHANGED_BY = {
    ("tournaments", "0029_rate_ties_again"),
    ("tournaments", "0035_count_ranks_again"),
}
"""Migrations after which every result that they touched is counted again."""


def derive_after_migrate(
    *, plan: Sequence[tuple[Migration, bool]] = (), **_signal: Any
) -> None:
    """Count what a migration left behind, so that a site is whole once it is migrated."""
    applied = {(step.app_label, step.name) for step, backwards in plan if not backwards}
    if not applied & CHANGED_BY:
        return
    old = Standings.objects.current().filter(version__lt=F("tournament__version"))
    for tournament_id in old.order_by("pk").values_list("tournament", flat=True):
        compute_standings(tournament_id=tournament_id, now=timezone.now())
    clubs = Tournament.objects.uncounted().values_list("club", flat=True).distinct()
    for club_id in clubs.order_by("club"):
        derive_history(club_id=club_id, now=timezone.now())
