"""The points that a table and a tournament add to a leaderboard, as exact numbers.

The database sums the points of tables, so fractions are stored in whole parts of a point.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

PARTS = 840
"""Parts of a point: every share of a table of up to eight is a whole number of them."""


@dataclass(frozen=True, slots=True)
class LeaderboardTableShare:
    """The share of one player in one table; points, wins and place in parts of 1/840."""

    rank: int
    points: int
    wins: int
    place: int
    """The mean of the places that a tie spans, in parts as well."""


def leaderboard_table_shares(ranks: Sequence[int]) -> list[LeaderboardTableShare]:
    """Return the part of each player of a table, given their ranks.

    A first place is worth 4 points and a last one 1, with the others evenly in between, so that
    the mean is 2½ at tables of any size. Level players share the points of their places.

    >>> [part.points / PARTS for part in leaderboard_table_shares([2, 1, 2, 4])]
    [2.5, 4.0, 2.5, 1.0]
    """
    size = len(ranks)
    parts = []
    for rank in ranks:
        level = ranks.count(rank)
        place = Fraction(2 * rank + level - 1, 2)
        points = Fraction(4) if size == 1 else 1 + 3 * (size - place) / (size - 1)
        parts.append(
            LeaderboardTableShare(
                rank=rank,
                points=_convert_to_parts(points),
                wins=PARTS // level if rank == 1 else 0,
                place=_convert_to_parts(place),
            )
        )
    return parts


def _convert_to_parts(value: Fraction) -> int:
    parts = value * PARTS
    assert parts.denominator == 1, "a table of more than eight"
    return parts.numerator


def season_points(rank: int, tied_players: int, players: int) -> Fraction:
    """Return the season points of a rank in a tournament.

    100·(n−p)/(n−1): 100 for the first, 0 for the last, evenly in between. `tied_players` players
    share the rank; p is the mean of their places. A single player has 0.

    >>> [str(season_points(*place)) for place in ((3, 1, 16), (1, 2, 3), (1, 1, 1))]
    ['260/3', '75', '0']
    """
    if players < 2:
        return Fraction(0)
    place = Fraction(2 * rank + tied_players - 1, 2)
    return 100 * (players - place) / (players - 1)
