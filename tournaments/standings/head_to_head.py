"""The head-to-head tie-break: the results of level players against each other."""

from collections.abc import Sequence
from fractions import Fraction
from math import lcm

from tournaments.standings.points import halves_against
from tournaments.standings.tally import Tally


def head_to_head(tally: Tally, level: Sequence[int]) -> dict[int, Fraction] | None:
    """Return the results of the level players against each other, by player.

    Each opponent counts from 0 to 1, the mean over all meetings. None unless every two of the
    players have met.
    """
    among = set(level)
    if not all(among.issubset(tally.met[player]) for player in level):
        return None
    results = {}
    for player in level:
        # Results are counted in halves, and later divided by the number of meetings.
        met: dict[int, int] = {}
        halves: dict[int, int] = {}
        for table in tally.sat_at[player]:
            seats, ranks = tally.seats[table], tally.ranks[table]
            own = ranks[seats.index(player)]
            for other, rank in zip(seats, ranks, strict=True):
                if other in among and other != player:
                    met[other] = met.get(other, 0) + 1
                    halves[other] = halves.get(other, 0) + halves_against(own, rank)
        whole = lcm(*met.values())
        total = sum(won * (whole // met[other]) for other, won in halves.items())
        results[player] = Fraction(total, 2 * whole)
    return results
