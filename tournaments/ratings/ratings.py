"""Ratings: Plackett–Luce by openskill, one table after the other.

A rating is a strength μ and its uncertainty σ. It tells what to expect of somebody and
never decides a standing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from openskill.models import PlackettLuce

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
        """Tell whether too few tables were played for it to say much."""
        return self.tables < PROVISIONAL_TABLES


NEWCOMER = Rating(MODEL.mu, MODEL.sigma)


def rate_table(ratings: Sequence[Rating], ranks: Sequence[int]) -> list[Rating]:
    """Return the ratings after a table, given the ranks there; equal ranks are ties.

    >>> first, second = rate_table([NEWCOMER, NEWCOMER], [1, 2])
    >>> round(first.mu, 3), round(second.mu, 3), first.tables
    (27.635, 22.365, 1)
    """
    teams = [[MODEL.rating(mu=rating.mu, sigma=rating.sigma)] for rating in ratings]
    rated = MODEL.rate(teams, ranks=[float(rank) for rank in ranks])
    return [
        Rating(after.mu, after.sigma, before.tables + 1)
        for before, [after] in zip(ratings, rated, strict=True)
    ]


def softened(rating: Rating, keep: float) -> Rating:
    """Return a rating carried into a season that keeps only a share of it.

    μ moves toward a newcomer's and σ² grows toward a newcomer's, both so that 1 keeps
    all and 0 begins anew; the tables are kept.

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
