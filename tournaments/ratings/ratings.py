"""Ratings: openskill's Plackett–Luce model, one table after the other.

A rating is a strength μ and its uncertainty σ. It estimates how strong a player is and never
affects the standings.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, product
from math import sqrt
from statistics import fmean

from openskill.models import PlackettLuce, PlackettLuceRating

MODEL = PlackettLuce()
"""With openskill's defaults: μ 25, σ 25/3, β 25/6, κ 0.0001, τ 25/300."""
PROVISIONAL_TABLES = 10
"""A rating with fewer tables is provisional."""
CENTRE, SCALE = 1500, 40
"""The number shown for a newcomer, and the points shown for 1 of μ."""


@dataclass(frozen=True, slots=True)
class Rating:
    """The estimated strength of a player."""

    mu: float
    sigma: float
    tables: int = 0
    """The number of tables it is based on."""

    @property
    def provisional(self) -> bool:
        """Return whether it is based on too few tables to mean much."""
        return self.tables < PROVISIONAL_TABLES

    @property
    def ranking_key(self) -> tuple[bool, float]:
        """Return the key that sorts ratings: by their lower bound, the provisional ones last."""
        return self.provisional, self.sigma - self.mu


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
        rotations = [seats[shift:] + seats[:shift] for shift in range(len(seats))]
        if len(seats) > 2:
            rotations += [rotation[::-1] for rotation in rotations]
        ties.append(rotations)
    # Seats with equal rank and rating get equal ratings.
    results_by_seat: dict[tuple[int, float, float], list[PlackettLuceRating]] = {}
    for chosen in product(*ties):
        order = list(chain.from_iterable(chosen))
        teams = [
            [MODEL.rating(mu=ratings[seat].mu, sigma=ratings[seat].sigma)]
            for seat in order
        ]
        for seat, [new_rating] in zip(order, MODEL.rate(teams), strict=True):
            old_rating = ratings[seat]
            results_by_seat.setdefault(
                (ranks[seat], old_rating.mu, old_rating.sigma), []
            ).append(new_rating)
    return [
        Rating(
            fmean(
                result.mu
                for result in results_by_seat[rank, old_rating.mu, old_rating.sigma]
            ),
            fmean(
                result.sigma
                for result in results_by_seat[rank, old_rating.mu, old_rating.sigma]
            ),
            old_rating.tables + 1,
        )
        for rank, old_rating in zip(ranks, ratings, strict=True)
    ]


def soften_rating(rating: Rating, keep: float) -> Rating:
    """Return the rating at the start of a season that keeps only a share of it.

    μ and σ² move towards those of a newcomer: 1 keeps the whole rating, 0 starts again. The
    number of tables stays.

    >>> soften_rating(Rating(35.0, 5.0, 12), 0.5).mu
    30.0
    """
    mu = NEWCOMER.mu + keep * (rating.mu - NEWCOMER.mu)
    variance = keep**2 * rating.sigma**2 + (1 - keep**2) * NEWCOMER.sigma**2
    return Rating(mu, sqrt(variance), rating.tables)


def shown_rating(mu: float) -> int:
    """Return μ as the rounded number shown to people.

    >>> shown_rating(NEWCOMER.mu), shown_rating(27.5)
    (1500, 1600)
    """
    return round(CENTRE + SCALE * (mu - NEWCOMER.mu))


def shown_spread(sigma: float) -> int:
    """Return σ as the ± shown to people: the true strength is within it two times in three."""
    return round(SCALE * sigma)
