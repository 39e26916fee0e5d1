"""Points of one table: by place, by pairs, by score; ties share what they span.

All as whole numbers over one common scale, so that sums and comparisons are exact and
as quick as those of ints.
"""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from tournaments.standings.event import Counting, Event, Exact

NEUTRAL_MEAN = Fraction(5, 2)
"""Of linear points, whatever the size of the table."""


class Place(NamedTuple):
    """Where a player ended at a table."""

    rank: int
    """Counted from 1; who is level shares the better one."""
    shared_by: int
    """How many hold this rank."""


def places_of(scores: Sequence[Exact]) -> list[Place]:
    """Return the place of each score, the highest first.

    >>> places_of([10, 40, 10])
    [Place(rank=2, shared_by=2), Place(rank=1, shared_by=1), Place(rank=2, shared_by=2)]
    """
    ordered = sorted(scores, reverse=True)
    known = {
        score: Place(ordered.index(score) + 1, ordered.count(score))
        for score in set(scores)
    }
    return [known[score] for score in scores]


def place_points(counting: Counting, size: int) -> list[Fraction]:
    """Return what each place of a table is worth before ties share.

    Only for schemes by place; raises KeyError where `places` does not know the size.
    """
    if counting.points == "places":
        return [Fraction(worth) for worth in counting.places[size]]
    if counting.points == "pairwise":
        return [Fraction(size + 1 - 2 * rank) for rank in range(1, size + 1)]
    if counting.points == "wins":
        return [Fraction(1), *[Fraction(0)] * (size - 1)]
    return [1 + Fraction(3 * (size - rank), size - 1) for rank in range(1, size + 1)]


def means_of_places(
    places: Mapping[int, Sequence[Fraction]],
) -> dict[int, Fraction]:
    """Return the mean worth of a seat by table size.

    Where they differ, a player gains or loses by the size of the table alone.
    """
    return {size: sum(worth, Fraction()) / size for size, worth in places.items()}


class Scale(NamedTuple):
    """By what points and scores are multiplied to be whole numbers."""

    scores: int
    """Makes every score, and every mean of a table's scores, whole."""
    points: int
    """Makes all points whole."""


def scale_of(event: Event) -> Scale:
    """Return the least scale by which everything of an event is whole."""
    sizes = {len(table.scores) for table in event.tables}
    scores = denominators(
        score for table in event.tables for score in table.scores.values()
    ) * lcm(*sizes)
    if event.counting.points in ("raw", "margin"):
        return Scale(scores, scores)
    worth = [one for size in sizes for one in place_points(event.counting, size)]
    return Scale(
        scores, denominators(worth) * lcm(*range(1, max(sizes, default=1) + 1))
    )


def denominators(numbers: Iterable[Exact]) -> int:
    """Return the least number that makes all of these whole."""
    found = {number.denominator for number in numbers if not isinstance(number, int)}
    return lcm(*found)


def shared_points(counting: Counting, size: int, scale: int) -> dict[Place, int]:
    """Return the scaled points of every place: a tie shares what it spans equally."""
    worth = [int(one * scale) for one in place_points(counting, size)]
    return {
        Place(rank, count): sum(worth[rank - 1 : rank - 1 + count]) // count
        for rank in range(1, size + 1)
        for count in range(1, size - rank + 2)
    }
