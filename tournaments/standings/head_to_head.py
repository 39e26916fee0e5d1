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
    if not all(among.issubset(tally.met_players[player]) for player in level):
        return None
    results = {}
    for player in level:
        # Results are counted in halves, and later divided by the number of meetings.
        meetings: dict[int, int] = {}
        halves: dict[int, int] = {}
        for table in tally.tables_by_player[player]:
            seats, ranks = tally.seats[table], tally.ranks[table]
            own = ranks[seats.index(player)]
            for opponent, rank in zip(seats, ranks, strict=True):
                if opponent in among and opponent != player:
                    meetings[opponent] = meetings.get(opponent, 0) + 1
                    halves[opponent] = halves.get(opponent, 0) + halves_against(
                        own, rank
                    )
        denominator = lcm(*meetings.values())
        total = sum(
            halves_won * (denominator // meetings[opponent])
            for opponent, halves_won in halves.items()
        )
        results[player] = Fraction(total, 2 * denominator)
    return results
