"""How good a seating is: who meets again, and how few repeats there could be."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb

Table = Sequence[int]
Tables = Sequence[Table]
"""One round: its tables, each with its players in seat order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Quality:
    """What a draw has to say for itself."""

    repeats: int
    """Meetings of two players beyond their first."""
    bound: int
    """Fewer repeats than this no draw can have."""
    most_meetings: int
    again: tuple[tuple[int, int, int], ...]
    """Two players and how often they meet, for all who meet more than once."""
    together: tuple[tuple[int, int], ...]
    """Pairs that were to be kept apart and could not be."""


def meetings(rounds: Iterable[Tables]) -> Counter[tuple[int, int]]:
    """Return how often each pair that meets does; the lower number first."""
    return Counter(
        pair
        for tables in rounds
        for table in tables
        for pair in combinations(sorted(table), 2)
    )


def quality(rounds: Sequence[Tables], apart: Iterable[tuple[int, int]] = ()) -> Quality:
    """Return the quality of these rounds."""
    met = meetings(rounds)
    again = sorted((first, second, m) for (first, second), m in met.items() if m > 1)
    wanted = {(min(pair), max(pair)) for pair in apart}
    return Quality(
        repeats=sum(m - 1 for _one, _other, m in again),
        bound=repeats_bound(rounds),
        most_meetings=max(met.values(), default=0),
        again=tuple(again),
        together=tuple(sorted(wanted & met.keys())),
    )


PROVEN = {(6, 3, 3): 5}
"""Minima found by exhausting all seatings: by players, table size and rounds."""


def repeats_bound(rounds: Sequence[Tables]) -> int:
    """Return a number of repeats that no seating with such tables can go below.

    By counting: pairs that are seated, less pairs that exist. By pigeonholes: where a
    table's players are more than the tables of a later round, some of them meet again.
    """
    players = {player for tables in rounds for table in tables for player in table}
    sizes = [[len(table) for table in tables] for tables in rounds]
    seated = sum(comb(size, 2) for round_ in sizes for size in round_)
    whole = all(sum(round_) == len(players) for round_ in sizes)
    bounds = [seated - comb(len(players), 2), 0]
    if whole and sizes:
        later = sum(repeated_pairings(sizes[0], round_) for round_ in sizes[1:])
        bounds += [later, PROVEN.get((len(players), max(sizes[0]), len(rounds)), 0)]
    return max(bounds)


def repeated_pairings(first: Sequence[int], later: Sequence[int]) -> int:
    """Return the pairs of one round's tables that must share a table of another.

    Both rounds are given by the sizes of their tables, and seat the same players.
    """
    total = 0
    for size in first:
        each, more = divmod(size, len(later))
        total += more * comb(each + 1, 2) + (len(later) - more) * comb(each, 2)
    return total
