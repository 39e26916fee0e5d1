"""The race: what everybody had after each round."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from tournaments.standings.event import Event
from tournaments.standings.tally import tally


def race(events: Sequence[Event]) -> tuple[list[int], Mapping[str, list[Fraction]]]:
    """Return the rounds in order, and by player the points of tables up to each.

    Stages follow one another; byes and penalties are left out.
    """
    made: dict[str, dict[int, Fraction]] = {}
    rounds: set[int] = set()
    for event in events:
        counted = tally(event)
        for table in counted.tables:
            rounds.add(table.round)
            for seat, points in zip(table.seats, table.points, strict=True):
                won = made.setdefault(counted.names[seat], {})
                worth = Fraction(points, counted.point_scale)
                won[table.round] = won.get(table.round, Fraction()) + worth
    order = sorted(rounds)
    return order, {name: _running(won, order) for name, won in made.items()}


def _running(won: Mapping[int, Fraction], order: Sequence[int]) -> list[Fraction]:
    sums: list[Fraction] = []
    for number in order:
        before = sums[-1] if sums else Fraction()
        sums.append(before + won.get(number, Fraction()))
    return sums
