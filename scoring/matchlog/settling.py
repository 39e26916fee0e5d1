"""Decisions about matches from outside: to count them unfinished, and to close them."""

from django.db import transaction
from django.db.models import QuerySet

from scoring.competition import competition
from scoring.matchlog.append import read_match
from scoring.matchlog.projections import rewrite_hand_rows_and_confirmations
from scoring.matchlog.starting import send_notices_changed
from scoring.models import Match


@transaction.atomic
def mark_unfinished_matches_as_counting(matches: QuerySet[Match]) -> None:
    """Count unfinished matches with their current scores, and with each further hand.

    Finished matches are marked as well: a later correction may undo their end.
    """
    lock_matches(matches)
    uncounted = list(matches.filter(finished=False, as_it_stands=False))
    _send_notices_changed_for_each(matches.filter(as_it_stands=False))
    matches.update(as_it_stands=True)
    for match in uncounted:
        match.as_it_stands = True
        rewrite_hand_rows_and_confirmations(
            read_match(match), had_counting_result=False, first_changed_hand=1
        )
        competition().record_counting_result_event(match)


@transaction.atomic
def unmark_unfinished_matches_as_counting(matches: QuerySet[Match]) -> None:
    """Undo `mark_unfinished_matches_as_counting`: count matches only once they are finished."""
    lock_matches(matches)
    unfinished = list(matches.filter(finished=False, as_it_stands=True))
    _send_notices_changed_for_each(matches.filter(as_it_stands=True))
    matches.update(as_it_stands=False)
    for match in unfinished:
        match.as_it_stands = False
        rewrite_hand_rows_and_confirmations(
            read_match(match), had_counting_result=True, first_changed_hand=None
        )


def lock_matches(matches: QuerySet[Match]) -> None:
    """Lock these matches against entries until the transaction is over.

    Entering a hand locks its match before the rows that depend on it. Lock matches first
    everywhere to avoid deadlocks.
    """
    list(matches.order_by("pk").select_for_update().values_list("pk", flat=True))


@transaction.atomic
def set_closed(matches: QuerySet[Match], *, closed: bool) -> None:
    """Close these matches to everybody but directors, or open them again."""
    lock_matches(matches)
    _send_notices_changed_for_each(matches.exclude(closed=closed))
    matches.update(closed=closed)


def _send_notices_changed_for_each(matches: QuerySet[Match]) -> None:
    """Refresh open sheets and forms of these matches at their next poll."""
    for match in matches:
        send_notices_changed(match)
