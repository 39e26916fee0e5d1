"""Histories after a migration that changed how results count."""

from collections.abc import Sequence
from typing import Any

from django.db.migrations import Migration
from django.utils import timezone

from tournaments.history.derivation import derive_history
from tournaments.models import Tournament

CHANGED_BY = {("tournaments", "0029_rate_ties_again")}
"""Migrations after which every history is derived again."""


def derive_after_migrate(
    *, plan: Sequence[tuple[Migration, bool]] = (), **_signal: Any
) -> None:
    """Derive what a migration left behind, so that a site is whole once it is migrated."""
    applied = {(step.app_label, step.name) for step, backwards in plan if not backwards}
    if not applied & CHANGED_BY:
        return
    clubs = Tournament.objects.uncounted().values_list("club", flat=True).distinct()
    for club_id in clubs.order_by("club"):
        derive_history(club_id=club_id, now=timezone.now())
