"""Days are found as people write them."""

from datetime import date, timedelta

import pytest
from django.utils.dates import MONTHS
from django.utils.translation import override

from tournaments.history.search import days_of

NOVEMBER = (date(2026, 11, 1), date(2026, 11, 30))


@pytest.mark.parametrize(
    ("language", "typed"),
    [
        ("en", ["2026-11", "11/2026", "11.2026", "11-2026", "November 2026"]),
        ("en", ["NOV 2026", "Nov. 2026", "november  2026", "November, 2026"]),
        ("de", ["11/2026", "11.2026", "11. 2026", "November 2026", "Nov. 2026"]),
        ("fr", ["11/2026", "novembre 2026", "nov. 2026", "November 2026"]),
        ("es", ["11/2026", "noviembre de 2026", "Noviembre 2026", "November 2026"]),
    ],
)
def test_a_month_is_found_by_number_and_by_name(
    language: str, typed: list[str]
) -> None:
    with override(language):
        assert {text: days_of(text) for text in typed} == dict.fromkeys(typed, NOVEMBER)


@pytest.mark.parametrize(
    ("language", "typed"),
    [
        ("en", ["2026-03-01", "1.3.2026", "01/03/2026", "1 March 2026"]),
        (
            "de",
            ["1. März 2026", "1.3.2026", "1. 3. 2026", "1 Marz 2026", "1. Mär. 2026"],
        ),
        ("fr", ["1er mars 2026", "1 mars 2026"]),
        ("es", ["1 de marzo de 2026", "1 marzo 2026"]),
    ],
)
def test_a_day_is_found_with_its_month(language: str, typed: list[str]) -> None:
    day = date(2026, 3, 1)
    with override(language):
        assert {text: days_of(text) for text in typed} == dict.fromkeys(
            typed, (day, day)
        )


@pytest.mark.parametrize("language", ["en", "de", "fr", "es"])
def test_every_month_of_every_language_is_the_month_it_is(language: str) -> None:
    with override(language):
        for number, name in MONTHS.items():
            days = days_of(f"{name} 2026")
            assert days
            first, last = days
            assert first == date(2026, number, 1)
            assert (last + timedelta(days=1)).day == 1


@pytest.mark.parametrize(
    "typed",
    ["", "13/2026", "0/2026", "31.2.2026", "Friday 2026", "Ma 2026", "Jui 2026", "Mai"],
)
def test_what_means_no_day_is_none(typed: str) -> None:
    with override("fr"):
        assert days_of(typed) is None


def test_of_two_months_that_begin_alike_none_is_meant() -> None:
    with override("en"):
        assert days_of("Ju 2026") is None
        assert days_of("Jun 2026") == (date(2026, 6, 1), date(2026, 6, 30))
