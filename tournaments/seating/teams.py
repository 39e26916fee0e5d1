"""Pairs of teammates, to be kept apart in a draw."""

from collections.abc import Collection, Iterable
from itertools import combinations


def teammate_pairs(teams: Iterable[Collection[int]]) -> list[tuple[int, int]]:
    """Return every two members of each team, the lower number first.

    >>> teammate_pairs([[3, 1, 2], [5, 4], [6]])
    [(1, 2), (1, 3), (2, 3), (4, 5)]
    """
    return [pair for team in teams for pair in combinations(sorted(team), 2)]
