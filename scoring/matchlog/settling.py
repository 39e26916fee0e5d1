"""What is decided about a match from outside: that it counts, and that it is closed."""

from django.db import transaction
from django.db.models import QuerySet

from scoring.competition import competition
from scoring.matchlog.append import read_match
from scoring.matchlog.projections import project_settled
from scoring.models import Match


@transaction.atomic
def count_as_they_stand(matches: QuerySet[Match]) -> None:
    """Let matches count as they stand, each further hand too.

    Those that are finished as well: a later correction may take their end away.
    """
    lock_matches(matches)
    unsettled = list(matches.filter(finished=False, as_it_stands=False))
    matches.update(as_it_stands=True)
    for match in unsettled:
        match.as_it_stands = True
        project_settled(read_match(match), was_settled=False, since=1)
        competition().note_settled(match)


@transaction.atomic
def let_go_on(matches: QuerySet[Match]) -> None:
    """Let matches that counted as they stood count once they are finished, as before."""
    lock_matches(matches)
    unfinished = list(matches.filter(finished=False, as_it_stands=True))
    matches.update(as_it_stands=False)
    for match in unfinished:
        match.as_it_stands = False
        project_settled(read_match(match), was_settled=True, since=None)


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
