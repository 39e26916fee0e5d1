"""The points of one table by place or by pairs; level players share the places they span.

`scale_number` turns fractions into ints over a common scale, so that sums and comparisons are exact
and fast.
"""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import TypeAlias

from scoring.rules.game import Game, rank_values
from scoring.rules.wording import Sentence, say
from scoring.rules.wording import gettext_noop as _
from tournaments.standings.event import Counting, Exact

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


def rank_sorted_scores(scores: Sequence[int]) -> Ranks:
    """Return the ranks of scores that are sorted from highest to lowest.

    >>> rank_sorted_scores([40, 10, 10])
    (1, 2, 2)
    """
    return tuple([scores.index(score) + 1 for score in scores])


def halves_against(rank: int, other_rank: int) -> int:
    """Return the result of one rank against another in halves: 2 if ahead, 1 if level, else 0."""
    return 2 if rank < other_rank else 1 if rank == other_rank else 0


def place_points(counting: Counting, size: int) -> list[Fraction]:
    """Return the points of each place of a table, without ties.

    Raises ValueError if the scheme does not go by place, and KeyError if `places` does not have
    the size.
    """
    places = range(1, size + 1)
    match counting.points:
        case "places":
            return [Fraction(worth) for worth in counting.places[size]]
        case "pairwise":
            return [Fraction(size + 1 - 2 * rank) for rank in places]
        case "wins":
            return [Fraction(1), *[Fraction(0)] * (size - 1)]
        case "linear":
            return [1 + Fraction(3 * (size - rank), size - 1) for rank in places]
        case _:
            raise ValueError(f"{counting.points} does not go by place")


def shared_points(counting: Counting, ranks: Ranks) -> list[Fraction]:
    """Return the points of each seat; level players share the points of their places."""
    worth = place_points(counting, len(ranks))
    shares = {}
    for rank in set(ranks):
        holders = ranks.count(rank)
        spanned = worth[rank - 1 : rank - 1 + holders]
        shares[rank] = sum(spanned, Fraction()) / holders
    return [shares[rank] for rank in ranks]


def means_of_places(
    places: Mapping[int, Sequence[Fraction]],
) -> dict[int, Fraction]:
    """Return the mean points of a seat by table size."""
    return {
        size: sum(worth, Fraction()) / size for size, worth in sorted(places.items())
    }


def warning_of_uneven_table_sizes(
    places: Mapping[int, Sequence[Fraction]],
) -> Sentence | None:
    """Return a warning if a seat is worth more at one table size than at another.

    Players then gain or lose by the size of their table alone. None if all means are equal.
    """
    means = means_of_places(places)
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
