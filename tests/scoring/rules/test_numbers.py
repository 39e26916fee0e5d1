"""Numbers are written one way: a true minus, and thousands apart from a thousand on."""

import pytest

from scoring.rules.numbers import grouped


@pytest.mark.parametrize(
    ("number", "written"),
    [
        (0, "0"),
        (999, "999"),
        (-20, "−20"),
        (1000, "1\u202f000"),
        (-1234567, "−1\u202f234\u202f567"),
    ],
)
def test_a_number_is_grouped_by_thousands_with_a_true_minus(
    number: int, written: str
) -> None:
    assert grouped(number) == written
