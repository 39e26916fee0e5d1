"""Ratings match published numbers, and soften between seasons."""

from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openskill.models import PlackettLuce

from tournaments.ratings import (
    NEWCOMER,
    Rating,
    rate_table,
    shown_rating,
    shown_spread,
    soften_rating,
)

PUBLISHED = {
    (1, 2, 3, 4): [
        (27.795252672501135, 8.263571791259416),
        (26.55291815138952, 8.17961798837266),
        (24.689416369722096, 8.084127880168786),
        (20.962412806387245, 8.084127880168786),
    ],
    (1, 2, 3): [
        (27.869048680749426, 8.205243377397993),
        (25.717262170187357, 8.058224222802378),
        (21.413689149063217, 8.058224222802378),
    ],
}


@pytest.mark.parametrize("ranks", PUBLISHED)
def test_newcomers_are_rated_as_published(ranks: tuple[int, ...]) -> None:
    rated = rate_table([NEWCOMER] * len(ranks), ranks)
    for rating, (mu, sigma) in zip(rated, PUBLISHED[ranks], strict=True):
        assert rating.mu == pytest.approx(mu, abs=1e-9)
        assert rating.sigma == pytest.approx(sigma, abs=1e-9)
        assert rating.tables == 1


def tie_patterns(seats: int) -> list[list[int]]:
    """Return the ranks of a table for every way in which its seats can tie."""
    patterns = []
    for cuts in range(2 ** (seats - 1)):
        ranks = [1]
        for seat in range(1, seats):
            ranks.append(seat + 1 if cuts >> (seat - 1) & 1 else ranks[-1])
        patterns.append(ranks)
    return patterns


@pytest.mark.parametrize("seats", range(2, 9))
@pytest.mark.parametrize("rating", [NEWCOMER, Rating(31.0, 4.0), Rating(12.0, 1.5)])
def test_better_rank_gives_more_to_equal_ratings(seats: int, rating: Rating) -> None:
    patterns = tie_patterns(seats)
    assert len(patterns) == 2 ** (seats - 1)
    for ranks in patterns:
        mus = [after.mu for after in rate_table([rating] * seats, ranks)]
        for one, other in pairwise(range(seats)):
            if ranks[one] == ranks[other]:
                assert mus[one] == pytest.approx(mus[other], abs=1e-9)
            else:
                assert mus[one] > mus[other]


@given(
    st.lists(st.integers(1, 4), min_size=2, max_size=8).flatmap(
        lambda places: st.tuples(
            st.just([1 + sum(other < own for other in places) for own in places]),
            st.lists(
                st.sampled_from([(25.0, 25 / 3), (31.0, 4.0), (18.0, 6.0)]),
                min_size=len(places),
                max_size=len(places),
            ),
        )
    )
)
def test_equal_players_are_rated_by_rank_against_any_field(
    table: tuple[list[int], list[tuple[float, float]]],
) -> None:
    ranks, ratings = table
    ratings_before = [Rating(mu, sigma) for mu, sigma in ratings]
    ratings_after = rate_table(ratings_before, ranks)
    for one, other in combinations(range(len(ranks)), 2):
        if ratings[one] == ratings[other] and ranks[one] < ranks[other]:
            assert ratings_after[one].mu > ratings_after[other].mu
    reversed_ratings = rate_table(ratings_before[::-1], ranks[::-1])[::-1]
    for rating, reversed_rating in zip(ratings_after, reversed_ratings, strict=True):
        assert rating.mu == pytest.approx(reversed_rating.mu, abs=1e-9)


@pytest.mark.parametrize(
    ("keep", "mu", "sigma"),
    [(1, 31, 4), (0.5, 28, (0.25 * 16 + 0.75 * (25 / 3) ** 2) ** 0.5), (0, 25, 25 / 3)],
)
def test_a_season_keeps_a_share_of_a_rating(
    keep: float, mu: float, sigma: float
) -> None:
    softened = soften_rating(Rating(31.0, 4.0, 20), keep)
    assert (softened.mu, softened.tables) == (mu, 20)
    assert softened.sigma == pytest.approx(sigma)


def test_ratings_are_shown_as_round_numbers_with_their_spread() -> None:
    assert shown_rating(NEWCOMER.mu) == 1500
    assert shown_spread(NEWCOMER.sigma) == 333
    assert NEWCOMER.provisional
    assert not Rating(25.0, 5.0, 10).provisional


def test_table_is_rated_from_ratings_before_the_match() -> None:
    ratings = [Rating(31.0, 4.0, 20), Rating(22.0, 7.0, 3)]
    model = PlackettLuce()
    teams = [[model.rating(mu=rating.mu, sigma=rating.sigma)] for rating in ratings]
    expected = model.rate(teams, ranks=[2.0, 1.0])
    ratings_after = rate_table(ratings, [2, 1])
    assert [(one.mu, one.sigma) for one in ratings_after] == [
        (one.mu, one.sigma) for [one] in expected
    ]
    assert [one.tables for one in ratings_after] == [21, 4]
