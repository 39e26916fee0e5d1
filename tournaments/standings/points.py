"""The points of one table; fractions as ints over a common scale, so that sums are exact and fast."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import TypeAlias

from scoring.rules.game import Game, rank_values
from scoring.rules.wording import Sentence, say
from scoring.rules.wording import gettext_noop as _
from tournaments.standings.event import CountingRules, Exact

Ranks: TypeAlias = tuple[int, ...]
"""The ranks of a table in the order of its seats; level players share the better rank."""


def ranks_at_table(
    game: Game, points: Sequence[int], ranks: Sequence[int | None]
) -> Ranks:
    """Return the ranks at a table: those of its match, or else by points.

    `ranks` are the ranks of the match's seats; None for past results, which have no match.
    """
    match_ranks = [rank for rank in ranks if rank is not None]
    if len(match_ranks) < len(points):
        return game.rank_points(points)
    return rank_values([-rank for rank in match_ranks])


def place_points_by_seat(counting: CountingRules, ranks: Ranks) -> list[Fraction]:
    """Return the points of each seat under a scheme that goes by place.

    Level players share the points of their places. Raises KeyError if `places` does not have the
    size.
    """
    size = len(ranks)
    places = range(1, size + 1)
    worth: Sequence[Fraction]
    if counting.points == "places":
        worth = counting.places[size]
    elif counting.points == "pairwise":
        worth = [Fraction(size + 1 - 2 * rank) for rank in places]
    elif counting.points == "wins":
        worth = [Fraction(1), *[Fraction(0)] * (size - 1)]
    else:
        worth = [1 + Fraction(3 * (size - rank), size - 1) for rank in places]
    shares = {}
    for rank in set(ranks):
        holders = ranks.count(rank)
        spanned = worth[rank - 1 : rank - 1 + holders]
        shares[rank] = sum(spanned, Fraction()) / holders
    return [shares[rank] for rank in ranks]


def unequal_mean_points_warning(
    points_by_table_size: Mapping[int, Sequence[Fraction]],
) -> Sentence | None:
    """Return a warning if a seat is worth more at one table size than at another.

    Players then gain or lose by the size of their table alone. None if all means are equal.
    """
    means = {
        size: sum(worth, Fraction()) / size
        for size, worth in points_by_table_size.items()
    }
    if len(set(means.values())) < 2:
        return None
    best = max(means, key=lambda size: (means[size], -size))
    least = min(means, key=lambda size: (means[size], size))
    return say(
        _(
            "On average, a seat is worth %(more)s points at a table of %(best)s but "
            "only %(less)s at a table of %(least)s. To be fair, use the same average "
            "for both."
        ),
        best=best,
        more=means[best],
        least=least,
        less=means[least],
    )


def common_denominator(numbers: Iterable[Exact]) -> int:
    """Return the least common denominator of the numbers."""
    return lcm(
        *{number.denominator for number in numbers if not isinstance(number, int)}
    )


def scale_number(number: Exact, scale: int) -> int:
    """Return the number times the scale, which must be a multiple of its denominator.

    >>> scale_number(Fraction(7, 2), 6)
    21
    """
    return number.numerator * (scale // number.denominator)
