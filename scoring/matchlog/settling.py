"""What is decided about a match from outside: that it counts, and that it is closed."""

from django.db import transaction
from django.db.models import QuerySet

from scoring.matchlog.append import read_match
from scoring.matchlog.projections import project_settled
from scoring.models import Match


@transaction.atomic
def count_as_it_stands(*, match_id: int) -> None:
    """Let a match that is not finished count as it stands, each further hand too."""
    match = Match.objects.select_for_update().get(pk=match_id)
    if match.is_settled:
        return
    match.as_it_stands = True
    match.save(update_fields=["as_it_stands"])
    project_settled(read_match(match), was_settled=False, since=1)


def lock_matches(matches: QuerySet[Match]) -> None:
    """Let nobody enter anything in these matches until the transaction is over.

    Whoever enters a hand holds its match, and then whatever else depends on it: so the
    matches come first for everybody who wants several things.
    """
    list(matches.order_by("pk").select_for_update().values_list("pk", flat=True))


@transaction.atomic
def set_closed(matches: QuerySet[Match], *, closed: bool) -> None:
    """Let these matches take entries of those who direct alone, or of everybody."""
    lock_matches(matches)
    matches.update(closed=closed)
