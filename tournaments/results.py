"""Results of a tournament as the standings read them: few queries, no arithmetic."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, TypedDict

from scoring.models import Seat
from tournaments.models import Bye, Penalty, Place, Round, Tournament
from tournaments.standings import (
    ByeResult,
    Counting,
    Event,
    Exact,
    TableResult,
)
from tournaments.standings import Penalty as PenaltyResult


class PlaceRow(TypedDict):
    """What is asked of a place, its table and its round."""

    table_id: int
    index: int
    entry_id: int
    table__number: int
    table__void: bool
    table__match_id: int | None
    table__match__finished: bool | None
    table__match__hands_played: int | None
    round__number: int
    round__state: str


COLUMNS = tuple(PlaceRow.__annotations__)


def event_of(tournament: Tournament, *, as_it_stands: bool = False) -> Event:
    """Return what the standings depend on; players are the numbers of their entries.

    A finished table counts, an unfinished one once its round is closed, as the
    tournament has it. With `as_it_stands` every table counts that has a hand: how it
    would be if all stopped now. Four queries.
    """
    places = Place.objects.filter(round__tournament=tournament).order_by(
        "round__number", "table__number", "index"
    )
    rows: Iterable[PlaceRow] = places.values(*COLUMNS)
    totals = _totals(tournament)
    tables: dict[int, list[PlaceRow]] = {}
    for row in rows:
        if _counts(row, tournament, as_it_stands=as_it_stands):
            tables.setdefault(row["table_id"], []).append(row)
    return Event(
        tables=[_table(rows, totals, tournament) for rows in tables.values()],
        counting=counting_of(tournament),
        byes=_byes(tournament),
        penalties=_penalties(tournament),
        players=[
            str(pk) for pk in tournament.entries.playing().values_list("pk", flat=True)
        ],
    )


def counting_of(tournament: Tournament) -> Counting:
    """Return how the tournament counts."""
    points: Any = tournament.points
    places = {}
    if isinstance(points, Mapping):
        places = {
            int(size): [Fraction(worth) for worth in vector]
            for size, vector in points["places"].items()
        }
    return Counting(
        points="places" if places else points or "linear",
        places=places,
        tie_breaks=tuple(tournament.tie_breaks),
        bye=None if tournament.bye == "average" else Fraction(tournament.bye),
    )


def _counts(row: PlaceRow, tournament: Tournament, *, as_it_stands: bool) -> bool:
    if row["table__void"] or row["table__match_id"] is None:
        return False
    if row["table__match__finished"]:
        return True
    if not row["table__match__hands_played"]:
        return False
    closed = row["round__state"] == Round.State.CLOSED
    void = tournament.unfinished == Tournament.Unfinished.VOID
    return as_it_stands or (closed and not void)


def _table(
    rows: list[PlaceRow],
    totals: Mapping[tuple[int, int], int],
    tournament: Tournament,
) -> TableResult:
    first = rows[0]
    match_id = first["table__match_id"]
    assert match_id is not None
    less = (
        tournament.deduction
        if tournament.unfinished == Tournament.Unfinished.DEDUCT
        and not first["table__match__finished"]
        else 0
    )
    scores: dict[str, Exact] = {
        str(row["entry_id"]): totals[match_id, row["index"]] - less for row in rows
    }
    return TableResult(
        round=first["round__number"], table=first["table__number"], scores=scores
    )


def _totals(tournament: Tournament) -> dict[tuple[int, int], int]:
    seats = Seat.objects.filter(match__table__round__tournament=tournament)
    return {
        (match, index): total
        for match, index, total in seats.values_list("match_id", "index", "total")
    }


def _byes(tournament: Tournament) -> list[ByeResult]:
    byes = Bye.objects.filter(round__tournament=tournament).exclude(
        round__state__in=[Round.State.DRAWN, Round.State.PUBLISHED]
    )
    return [
        ByeResult(round=number, player=str(entry))
        for number, entry in byes.values_list("round__number", "entry_id")
    ]


def _penalties(tournament: Tournament) -> list[PenaltyResult]:
    standing = Penalty.objects.filter(tournament=tournament, cancelled_at=None)
    return [
        PenaltyResult(player=str(entry), points=Fraction(points), reason=reason)
        for entry, points, reason in standing.values_list(
            "entry_id", "points", "reason"
        )
    ]
