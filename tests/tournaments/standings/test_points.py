"""What one table is worth, and what to say of a scheme that is not fair."""

from fractions import Fraction

import pytest

from tournaments.standings import (
    Counting,
    warning_of_uneven_table_sizes,
)
from tournaments.standings.event import Scheme
from tournaments.standings.points import shared_points


def vector(*worth: int) -> list[Fraction]:
    return [Fraction(one) for one in worth]


@pytest.mark.parametrize(
    ("points", "size", "expected"),
    [
        ("linear", 2, "4 1"),
        ("linear", 3, "4 5/2 1"),
        ("linear", 4, "4 3 2 1"),
        ("linear", 5, "4 13/4 5/2 7/4 1"),
        ("linear", 6, "4 17/5 14/5 11/5 8/5 1"),
        ("pairwise", 3, "2 0 -2"),
        ("pairwise", 4, "3 1 -1 -3"),
        ("pairwise", 5, "4 2 0 -2 -4"),
        ("pairwise", 6, "5 3 1 -1 -3 -5"),
        ("wins", 4, "1 0 0 0"),
    ],
)
def test_points_of_places_are_as_published(
    points: Scheme, size: int, expected: str
) -> None:
    made = shared_points(Counting(points=points), tuple(range(1, size + 1)))
    assert " ".join(map(str, made)) == expected


def test_a_scheme_with_equal_means_needs_no_warning() -> None:
    places = {4: vector(10, 6, 3, 1), 3: vector(10, 4, 1)}
    assert warning_of_uneven_table_sizes(places) is None
    assert warning_of_uneven_table_sizes({}) is None


def test_scheme_that_favours_a_table_size_gives_a_warning() -> None:
    warning = warning_of_uneven_table_sizes(
        {4: vector(10, 6, 3, 1), 3: vector(10, 6, 3)}
    )
    assert str(warning) == (
        "On average, a seat is worth 19/3 points at a table of 3 but only 5 at a table of 4. "
        "To be fair, use the same average for both."
    )


def test_smallest_of_equally_valued_sizes_is_named() -> None:
    places = {3: [Fraction(6)] * 3, 4: [Fraction(6)] * 4, 5: [Fraction(1)] * 5}
    warning = str(warning_of_uneven_table_sizes(places))
    assert "a seat is worth 6 points at a table of 3" in warning
    assert "only 1 at a table of 5" in warning
