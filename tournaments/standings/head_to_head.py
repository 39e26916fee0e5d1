"""Head-to-head: what those who are level made of one another."""

from collections.abc import Sequence
from fractions import Fraction
from math import lcm

from tournaments.standings.points import halves_against
from tournaments.standings.tally import Tally


def head_to_head(tally: Tally, level: Sequence[int]) -> dict[int, Fraction] | None:
    """Return the results among those who are level, a meeting a point at most.

    None unless every two of them have met.
    """
    among = set(level)
    results = {}
    for player in level:
        met, halves = _results_against(tally, player, among)
        if len(met) < len(level) - 1:
            return None
        whole = lcm(*met.values())
        total = sum(won * (whole // met[other]) for other, won in halves.items())
        results[player] = Fraction(total, 2 * whole)
    return results


def _results_against(
    tally: Tally, player: int, among: set[int]
) -> tuple[dict[int, int], dict[int, int]]:
    """Return how often the player met each of them, and the halves made there."""
    met: dict[int, int] = {}
    halves: dict[int, int] = {}
    tables = tally.sat_at[player]
    if sum(len(table.seats) - 1 for table in tables) < len(among) - 1:
        return met, halves
    for table in tables:
        own = table.ranks[table.seats.index(player)]
        for other, rank in zip(table.seats, table.ranks, strict=True):
            if other in among and other != player:
                met[other] = met.get(other, 0) + 1
                halves[other] = halves.get(other, 0) + halves_against(own, rank)
    return met, halves
