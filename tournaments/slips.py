"""Slips: the state of unfinished matches on paper, with room for the rest."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.db.models import Prefetch

from scoring.agreement import agreement_words
from scoring.models import Hand, Match
from tournaments.estimates import usual_hands
from tournaments.models import Place, Round, Table

MOST_ROWS = 16
LEAST_ROWS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Slip:
    """One table's slip."""

    table: Table
    names: Sequence[str]
    rows: Sequence[tuple[int, Sequence[int | None]]]
    """The number of each hand that is in, and its points by seat."""
    totals: Sequence[int]
    words: Sequence[str]
    """What the phones of the table show at this state."""
    blank: range
    """The numbers of hands to be written by pen."""


def slips_of(one: Round) -> Iterator[Slip]:
    """Yield a slip for each table of a round whose match is not finished."""
    scored = Hand.objects.order_by("number").prefetch_related("scores")
    hands = Prefetch("match__hands", scored)
    tables = one.tables.with_people().prefetch_related(hands)
    for table in tables.filter(void=False, match__finished=False).order_by("number"):
        yield _slip(table)


def _slip(table: Table) -> Slip:
    match = table.match
    assert match is not None
    places: list[Place] = list(table.places.all())
    rows = [(hand.number, _points(hand, match)) for hand in match.hands.all()]
    totals = {seat.index: seat.total for seat in match.seats.all()}
    usual = usual_hands(match.game, len(places))
    first = len(rows) + 1
    last = min(max(usual, len(rows) + LEAST_ROWS), len(rows) + MOST_ROWS)
    return Slip(
        table=table,
        names=[place.entry.name for place in places],
        rows=rows,
        totals=[totals[place.index] for place in places],
        words=_words(match),
        blank=range(first, last + 1),
    )


def _words(match: Match) -> Sequence[str]:
    hands = [
        (hand.number, hand.state, _scores(hand, match)) for hand in match.hands.all()
    ]
    seats = sorted(match.seats.all(), key=lambda seat: seat.index)
    return agreement_words(match.game, hands, [seat.total for seat in seats])


def _scores(hand: Hand, match: Match) -> list[int]:
    return [points for points in _points(hand, match) if points is not None]


def _points(hand: Hand, match: Match) -> list[int | None]:
    """Return a hand's points by seat; None where a void hand has none."""
    points = {score.seat_id: score.points for score in hand.scores.all()}
    seats = sorted(match.seats.all(), key=lambda seat: seat.index)
    return [points.get(seat.pk) for seat in seats]
