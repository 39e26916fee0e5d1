"""The successive players of each seat, read from the log, and sentences about them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

from django.db.models import QuerySet
from django.utils.translation import gettext

from scoring.models import LogEntry, Seat
from scoring.models.log import FREES_PHONE, FROM_HAND


class SeatOccupant(NamedTuple):
    """The player of a seat from the hand `from_hand` on."""

    from_hand: int
    player: int
    name: str


def check_seat_change_body(entry: LogEntry) -> None:
    """Raise ValueError for a seat change without a valid seat, player, name or hand."""
    body = entry.body if isinstance(entry.body, dict) else {}
    kinds = {"seat": int, "player": int, "name": str, FROM_HAND: int}
    values = {FROM_HAND: 1, **body}
    if any(type(values.get(key)) is not kind for key, kind in kinds.items()):
        raise ValueError("a change of a seat says who sits where")


def occupants_by_changed_seat(log: Iterable[LogEntry]) -> dict[int, list[SeatOccupant]]:
    """Return the players of each seat that changed hands after the first hand, in order.

    Logs of earlier releases do not name the first player: then the first occupant begins later.
    """
    seats: dict[int, list[SeatOccupant]] = {}
    for entry in log:
        body = entry.body or {}
        if entry.kind != LogEntry.Kind.RESEAT or FREES_PHONE in body:
            continue
        previous = seats.get(body["seat"], [])
        # A change without a hand replaces the last one: it corrects a name.
        since = body.get(FROM_HAND, previous[-1].from_hand if previous else 1)
        seat_occupants = [
            occupant for occupant in previous if occupant.from_hand < since
        ]
        if not seat_occupants or seat_occupants[-1].player != body["player"]:
            seat_occupants.append(SeatOccupant(since, body["player"], body["name"]))
        seats[body["seat"]] = seat_occupants
    return {
        seat: occupants
        for seat, occupants in seats.items()
        if occupants[-1].from_hand > 1
    }


def earlier_occupants_at_hand(
    occupants: Mapping[int, Sequence[SeatOccupant]], number: int
) -> dict[int, SeatOccupant | None]:
    """Return the earlier occupant of each seat that changed since a hand; None if unknown."""
    return {
        seat: next(
            (
                occupant
                for occupant in reversed(seat_occupants)
                if occupant.from_hand <= number
            ),
            None,
        )
        for seat, seat_occupants in occupants.items()
        if number < seat_occupants[-1].from_hand
    }


def earlier_occupants_in_uncounted_matches(
    log: QuerySet[LogEntry],
) -> Iterator[SeatOccupant]:
    """Yield the earlier players of seats in matches whose result does not count yet; one query.

    Their hands have no rows yet that name the players.
    """
    uncounted = {"match__finished": False, "match__as_it_stands": False}
    changes = log.filter(kind=LogEntry.Kind.RESEAT, **uncounted).order_by("version")
    logs: dict[int, list[LogEntry]] = {}
    for change in changes:
        logs.setdefault(change.match_id, []).append(change)
    for entries in logs.values():
        for occupants in occupants_by_changed_seat(entries).values():
            yield from occupants[:-1]


def names_at_hand(
    seats: Iterable[Seat], occupants: Mapping[int, Sequence[SeatOccupant]], number: int
) -> list[str]:
    """Return the names of a hand's players, by seat; the seat's number for an unknown one."""
    earlier = earlier_occupants_at_hand(occupants, number)
    names = []
    for seat in seats:
        occupant = earlier.get(seat.index)
        if occupant is not None:
            names.append(occupant.name)
        elif seat.index in earlier:
            names.append(gettext("Seat %(number)s") % {"number": seat.index + 1})
        else:
            names.append(seat.name)
    return names


def describe_handovers(log: Iterable[LogEntry]) -> list[str]:
    """Return a sentence for each seat that was handed over, by seat."""
    sentences = []
    for _seat, occupants in sorted(occupants_by_changed_seat(log).items()):
        if occupants[0].from_hand > 1:
            # The first player is unknown.
            template = gettext("%(name)s from hand %(hand)s on")
            parts = [
                template % {"name": occupant.name, "hand": occupant.from_hand}
                for occupant in occupants
            ]
            sentences.append(f"{', '.join(parts)}.")
            continue
        template = gettext("%(name)s until hand %(hand)s")
        parts = [
            template % {"name": occupant.name, "hand": following.from_hand - 1}
            for occupant, following in pairwise(occupants)
        ]
        values = {"earlier": ", ".join(parts), "name": occupants[-1].name}
        sentences.append(gettext("%(earlier)s, then %(name)s.") % values)
    return sentences


def handover_sentences_by_match(matches: Iterable[int | None]) -> dict[int, list[str]]:
    """Return the sentences of `describe_handovers` by primary key of their match, in one query."""
    changes = LogEntry.objects.filter(match__in=filter(None, matches)).seat_changes()
    by_match = groupby(
        sorted(changes, key=lambda entry: (entry.match_id, entry.version)),
        key=lambda entry: entry.match_id,
    )
    return {match: describe_handovers(log) for match, log in by_match}
