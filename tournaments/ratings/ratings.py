"""Ratings: Plackett–Luce by openskill, one table after the other.

A rating is a strength μ and its uncertainty σ. It tells what to expect of somebody and
never decides a standing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, product
from math import sqrt
from statistics import fmean

from openskill.models import PlackettLuce, PlackettLuceRating

MODEL = PlackettLuce()
"""With openskill's own settings: μ 25, σ 25/3, β 25/6, κ 0.0001, τ 25/300."""
PROVISIONAL_TABLES = 10
"""A rating is provisional until so many tables were played."""
CENTRE, SCALE = 1500, 40
"""Where a newcomer is shown, and how many points one of μ is."""


@dataclass(frozen=True, slots=True)
class Rating:
    """How strong somebody is thought to be."""

    mu: float
    sigma: float
    tables: int = 0
    """Tables that led to it."""

    @property
    def provisional(self) -> bool:
        """Return whether it follows from too few tables to mean much."""
        return self.tables < PROVISIONAL_TABLES


NEWCOMER = Rating(MODEL.mu, MODEL.sigma)


def rate_table(ratings: Sequence[Rating], ranks: Sequence[int]) -> list[Rating]:
    """Return the ratings after a table, given the ranks there; equal ranks are ties.

    A tie is rated as the mean of orders without it, in which each tied player takes each of the
    tied places as often as the others. So a better rank never gives less than a worse one to
    players whose ratings were equal; openskill's own ties do not promise that.

    >>> first, second = rate_table([NEWCOMER, NEWCOMER], [1, 2])
    >>> round(first.mu, 3), round(second.mu, 3), first.tables
    (27.635, 22.365, 1)
    """
    # Sort the members of a tie by rating, and use every rotation of that order and of its
    # reverse. So each takes each place equally often, in any seat, and a few orders are rated
    # instead of all of them (8! if a table of eight is level).
    ties = []
    for rank in sorted(set(ranks)):
        seats = [seat for seat, own in enumerate(ranks) if own == rank]
        seats.sort(key=lambda seat: (ratings[seat].mu, ratings[seat].sigma))
        rotations = [seats[at:] + seats[:at] for at in range(len(seats))]
        if len(seats) > 2:
            rotations += [rotation[::-1] for rotation in rotations]
        ties.append(rotations)
    # Seats that nothing tells apart have the same rating after the table, too.
    alike: dict[tuple[int, float, float], list[PlackettLuceRating]] = {}
    for chosen in product(*ties):
        order = list(chain.from_iterable(chosen))
        teams = [
            [MODEL.rating(mu=ratings[seat].mu, sigma=ratings[seat].sigma)]
            for seat in order
        ]
        for seat, [after] in zip(order, MODEL.rate(teams), strict=True):
            before = ratings[seat]
            alike.setdefault((ranks[seat], before.mu, before.sigma), []).append(after)
    return [
        Rating(
            fmean(one.mu for one in alike[rank, before.mu, before.sigma]),
            fmean(one.sigma for one in alike[rank, before.mu, before.sigma]),
            before.tables + 1,
        )
        for rank, before in zip(ranks, ratings, strict=True)
    ]


def softened(rating: Rating, keep: float) -> Rating:
    """Return a rating carried into a season that keeps only a share of it.

    μ moves toward a newcomer's and σ² grows toward a newcomer's, both so that 1 keeps
    all and 0 starts again; the tables are kept.

    >>> softened(Rating(35.0, 5.0, 12), 0.5).mu
    30.0
    """
    mu = NEWCOMER.mu + keep * (rating.mu - NEWCOMER.mu)
    variance = keep**2 * rating.sigma**2 + (1 - keep**2) * NEWCOMER.sigma**2
    return Rating(mu, sqrt(variance), rating.tables)


def shown_rating(mu: float) -> int:
    """Return μ as the number that people see.

    >>> shown_rating(NEWCOMER.mu), shown_rating(27.5)
    (1500, 1600)
    """
    return round(CENTRE + SCALE * (mu - NEWCOMER.mu))


def shown_spread(sigma: float) -> int:
    """Return σ as the ± that people see: the truth is within it two times in three."""
    return round(SCALE * sigma)
