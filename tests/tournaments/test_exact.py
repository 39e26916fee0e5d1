"""Exact numbers are shown unrounded, as far as they stay readable."""

from fractions import Fraction

import pytest

from tournaments.exact import format_exact_number


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        ("81/8", "10⅛"),
        ("999999/1000", "999.999"),
        ("-17/8", "−2⅛"),
        ("1/10000000", "0.0000001"),
        ("25/2", "12½"),
        ("51/20", "2.55"),
        ("1/7", "0.14"),
        (str(Fraction("3.333333333333333")), "3.33"),
        ("29999/3001", "9.996"),
        ("69999999/7000000", "9.9999999"),
    ],
)
def test_points_are_shown_as_stored(number: str, expected: str) -> None:
    assert format_exact_number(number) == expected


def test_fraction_never_rounds_to_a_whole_number() -> None:
    for whole in range(-3, 4):
        for billionths in (1, 10**9 - 1, 5 * 10**8 + 1):
            number = whole + Fraction(billionths, 10**9)
            assert (
                Fraction(format_exact_number(number).replace("−", "-")).denominator > 1
            )
