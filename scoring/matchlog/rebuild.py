"""Rebuilding the projections of a match from its log, and checking them."""

from django.db import transaction

from scoring.matchlog.append import read_match
from scoring.matchlog.projections import (
    create_projections,
    describe_projection_differences,
)
from scoring.models import Match


@transaction.atomic
def rebuild_match(*, match_id: int, check_only: bool = False) -> list[str]:
    """Return descriptions of stored rows that do not follow from the log.

    Unless `check_only` is set, wrong projections are rebuilt.
    """
    match = Match.objects.select_for_update().get(pk=match_id)
    logged = read_match(match)
    changed_rows = describe_projection_differences(logged)
    if changed_rows and not check_only:
        match.hands.all().delete()
        match.seats.update(confirmed_at=None, confirmed_by="")
        create_projections(read_match(match))
    return changed_rows
