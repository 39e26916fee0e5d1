"""Ratings against published numbers, and what a season does to them."""

from datetime import date
from random import Random

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
    softened,
)
from tournaments.ratings.seasons import half_year_of

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
    (1, 2, 2, 4): [
        (27.795252672501135, 8.263571791259416),
        (24.689416369722096, 8.17961798837266),
        (24.689416369722096, 8.17961798837266),
        (22.825914588054673, 8.17961798837266),
    ],
    (1, 1, 1, 1): [(25.0, 8.263571791259416)] * 4,
}


@pytest.mark.parametrize("ranks", PUBLISHED)
def test_newcomers_are_rated_as_published(ranks: tuple[int, ...]) -> None:
    rated = rate_table([NEWCOMER] * len(ranks), ranks)
    for one, (mu, sigma) in zip(rated, PUBLISHED[ranks], strict=True):
        assert one.mu == pytest.approx(mu, abs=1e-9)
        assert one.sigma == pytest.approx(sigma, abs=1e-9)
        assert one.tables == 1


@given(st.permutations([1, 2, 3, 4]), st.integers(0, 2**16))
def test_the_order_of_seats_does_not_matter(ranks: list[int], seed: int) -> None:
    rng = Random(seed)
    ratings = [Rating(rng.uniform(15, 35), rng.uniform(2, 8)) for _ in ranks]
    turned = rate_table(ratings[::-1], ranks[::-1])[::-1]
    for one, other in zip(rate_table(ratings, ranks), turned, strict=True):
        assert one.mu == pytest.approx(other.mu, abs=1e-9)


def test_who_wins_rises_and_who_loses_falls_and_both_are_known_better() -> None:
    first, second = rate_table([NEWCOMER, NEWCOMER], [1, 2])
    assert first.mu > NEWCOMER.mu > second.mu
    assert first.sigma < NEWCOMER.sigma


@pytest.mark.parametrize(("keep", "mu", "sigma"), [(1, 31, 4), (0, 25, 25 / 3)])
def test_a_season_keeps_all_of_a_rating_or_begins_anew(
    keep: float, mu: float, sigma: float
) -> None:
    soft = softened(Rating(31.0, 4.0, 20), keep)
    assert (soft.mu, soft.tables) == (mu, 20)
    assert soft.sigma == pytest.approx(sigma)


def test_ratings_are_shown_as_round_numbers_with_their_spread() -> None:
    assert shown_rating(NEWCOMER.mu) == 1500
    assert shown_spread(NEWCOMER.sigma) == 333
    assert NEWCOMER.provisional
    assert not Rating(25.0, 5.0, 10).provisional


def test_a_table_is_rated_from_what_everybody_had_before() -> None:
    known = [Rating(31.0, 4.0, 20), Rating(22.0, 7.0, 3)]
    model = PlackettLuce()
    teams = [[model.rating(mu=rating.mu, sigma=rating.sigma)] for rating in known]
    rated = model.rate(teams, ranks=[2.0, 1.0])
    after = rate_table(known, [2, 1])
    assert [(one.mu, one.sigma) for one in after] == [
        (one.mu, one.sigma) for [one] in rated
    ]
    assert [one.tables for one in after] == [21, 4]


def test_half_a_rating_that_is_kept_grows_uncertain_by_the_squares() -> None:
    soft = softened(Rating(31.0, 4.0, 20), 0.5)
    assert soft.mu == 28
    assert soft.sigma == pytest.approx((0.25 * 16 + 0.75 * (25 / 3) ** 2) ** 0.5)


def test_a_stronger_rating_is_shown_as_a_higher_number() -> None:
    assert (shown_rating(27.5), shown_rating(22.5)) == (1600, 1400)


@pytest.mark.parametrize(
    ("day", "slug"),
    [
        ("2026-01-01", "2026-spring"),
        ("2026-06-30", "2026-spring"),
        ("2026-07-01", "2026-autumn"),
        ("2026-12-31", "2026-autumn"),
    ],
)
def test_a_year_has_two_seasons_with_no_day_between_them(day: str, slug: str) -> None:
    half = half_year_of(date.fromisoformat(day))
    bounds = {
        "2026-spring": ("2026-01-01", "2026-06-30"),
        "2026-autumn": ("2026-07-01", "2026-12-31"),
    }
    assert half.slug == slug
    assert (str(half.starts_on), str(half.ends_on)) == bounds[slug]
