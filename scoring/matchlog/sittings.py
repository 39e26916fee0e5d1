"""The successive players of each seat, read from the log, and sentences about them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

from django.db.models import QuerySet
from django.utils.translation import gettext

from scoring.models import LogEntry, Seat
from scoring.models.log import FREES_PHONE, FROM_HAND


class Sitting(NamedTuple):
    """The player of a seat from the hand `since` on."""

    since: int
    player: int
    name: str


def check_seat_change(entry: LogEntry) -> None:
    """Raise ValueError for a seat change without a valid seat, player, name or hand."""
    body = entry.body if isinstance(entry.body, dict) else {}
    kinds = {"seat": int, "player": int, "name": str, FROM_HAND: int}
    said = {FROM_HAND: 1, **body}
    if any(type(said.get(key)) is not kind for key, kind in kinds.items()):
        raise ValueError("a change of a seat says who sits where")


def read_sittings(log: Iterable[LogEntry]) -> dict[int, list[Sitting]]:
    """Return the players of each seat that changed hands after the first hand, in order.

    Logs of earlier releases do not name the first player: then the first sitting begins later.
    """
    seats: dict[int, list[Sitting]] = {}
    for entry in log:
        body = entry.body or {}
        if entry.kind != LogEntry.Kind.RESEAT or FREES_PHONE in body:
            continue
        before = seats.get(body["seat"], [])
        # A change without a hand replaces the last one: it corrects a name.
        since = body.get(FROM_HAND, before[-1].since if before else 1)
        kept = [sitting for sitting in before if sitting.since < since]
        if not kept or kept[-1].player != body["player"]:
            kept.append(Sitting(since, body["player"], body["name"]))
        seats[body["seat"]] = kept
    return {
        seat: sittings for seat, sittings in seats.items() if sittings[-1].since > 1
    }


def earlier_players(
    sittings: Mapping[int, Sequence[Sitting]], number: int
) -> dict[int, Sitting | None]:
    """Return the earlier player of each seat that changed since a hand; None if unknown."""
    return {
        seat: next(
            (sitting for sitting in reversed(sat) if sitting.since <= number), None
        )
        for seat, sat in sittings.items()
        if number < sat[-1].since
    }


def unsettled_sittings(log: QuerySet[LogEntry]) -> Iterator[Sitting]:
    """Yield the earlier players of seats in matches that are not settled yet; one query.

    Their hands have no rows yet that name the players.
    """
    goes_on = {"match__finished": False, "match__as_it_stands": False}
    changes = log.filter(kind=LogEntry.Kind.RESEAT, **goes_on).order_by("version")
    logs: dict[int, list[LogEntry]] = {}
    for change in changes:
        logs.setdefault(change.match_id, []).append(change)
    for entries in logs.values():
        for sittings in read_sittings(entries).values():
            yield from sittings[:-1]


def names_at_hand(
    seats: Iterable[Seat], sittings: Mapping[int, Sequence[Sitting]], number: int
) -> list[str]:
    """Return the names of a hand's players, by seat; the seat's number for an unknown one."""
    earlier = earlier_players(sittings, number)
    names = []
    for seat in seats:
        sitting = earlier.get(seat.index)
        if sitting is not None:
            names.append(sitting.name)
        elif seat.index in earlier:
            names.append(gettext("Seat %(number)s") % {"number": seat.index + 1})
        else:
            names.append(seat.name)
    return names


def handovers(log: Iterable[LogEntry]) -> list[str]:
    """Return a sentence for each seat that was handed over, by seat."""
    sentences = []
    for _seat, sittings in sorted(read_sittings(log).items()):
        if sittings[0].since > 1:
            # The first player is unknown.
            words = gettext("%(name)s from hand %(hand)s on")
            parts = [words % {"name": one.name, "hand": one.since} for one in sittings]
            sentences.append(f"{', '.join(parts)}.")
            continue
        words = gettext("%(name)s until hand %(hand)s")
        parts = [
            words % {"name": before.name, "hand": after.since - 1}
            for before, after in pairwise(sittings)
        ]
        values = {"earlier": ", ".join(parts), "name": sittings[-1].name}
        sentences.append(gettext("%(earlier)s, then %(name)s.") % values)
    return sentences


def handovers_by_match(matches: Iterable[int | None]) -> dict[int, list[str]]:
    """Return the `handovers` of matches by their primary key, in one query."""
    changes = LogEntry.objects.filter(match__in=filter(None, matches)).seat_changes()
    by_match = groupby(
        sorted(changes, key=lambda entry: (entry.match_id, entry.version)),
        key=lambda entry: entry.match_id,
    )
    return {match: handovers(log) for match, log in by_match}
