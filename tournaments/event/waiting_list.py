"""The waiting list of a tournament: a free place goes to the entry that has waited longest."""

from django.db.models import Max

from tournaments.changes import mark_changed
from tournaments.event.push import NoticeKind, notify
from tournaments.models import Entry, NightEvent, Round, Tournament

Format = Tournament.Format
ONE_DRAW = (Format.KNOCKOUT, Format.ROUND_ROBIN)
"""Formats that take no newcomers after the first round has begun."""


def count_free_places(tournament: Tournament) -> int | None:
    """Return how many places are free; None without a limit."""
    if not tournament.capacity:
        return None
    taken_count = tournament.entries.all().expected_or_present().count()
    return max(0, tournament.capacity - taken_count)


def has_round_for_newcomers(tournament: Tournament) -> bool:
    """Return whether a newcomer can still play in a round that has not been published."""
    if tournament.phase != Tournament.Phase.RUNNING or tournament.is_league:
        return tournament.is_registration_possible
    published_rounds = tournament.rounds.exclude(state=Round.State.DRAWN)
    return (
        tournament.format not in ONE_DRAW
        and not published_rounds.filter(stage__gt=0).exists()
        and published_rounds.count() < tournament.rounds_planned
    )


def fill_places_from_waiting_list(tournament: Tournament) -> list[Entry]:
    """Return the waiting entries that got a free place, in the order of the list.

    Their players are notified. The caller has locked the tournament.
    """
    free = count_free_places(tournament)
    waiting = tournament.entries.all().waiting()
    if free == 0 or not waiting.exists() or not has_round_for_newcomers(tournament):
        return []
    moved_up = list(waiting[:free])
    for entry in moved_up:
        is_present = entry.waits_here
        entry.state = Entry.State.PRESENT if is_present else Entry.State.EXPECTED
        entry.waits_here = False
        entry.save(update_fields=["state", "waits_here"])
        NightEvent.objects.record_entry(NightEvent.Kind.MOVED_UP, entry)
        notify(NoticeKind.PLACE, entry.pk)
    mark_changed(tournament.pk)
    return moved_up


def next_waiting_number(tournament: Tournament) -> int:
    """Return the number of the next entry at the end of the waiting list.

    The caller has locked the tournament.
    """
    last: int | None = tournament.entries.aggregate(last=Max("waiting_number"))["last"]
    return (last or 0) + 1


def waiting_position_and_count(entry: Entry) -> tuple[int, int]:
    """Return the position of a waiting entry, counted from 1, and the length of the list."""
    waiting = list(
        entry.tournament.entries.all().waiting().values_list("pk", flat=True)
    )
    return waiting.index(entry.pk) + 1, len(waiting)
