"""Days and months are read as people write them."""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.dates import MONTHS
from django.utils.translation import override

from tests.factories.tournaments import ClubFactory, TournamentFactory
from tournaments.history.search import (
    parse_day_range,
    parse_yearless_month_and_day,
    search_club,
)
from tournaments.models import Club

NOVEMBER = (date(2026, 11, 1), date(2026, 11, 30))
FIRST_OF_MARCH = (date(2026, 3, 1), date(2026, 3, 1))


@pytest.mark.parametrize(
    ("language", "texts", "expected"),
    [
        ("en", ["2026-11", "11/2026", "11.2026", "11-2026", "November 2026"], NOVEMBER),
        ("en", ["NOV 2026", "Nov. 2026", "november  2026", "November, 2026"], NOVEMBER),
        ("de", ["11. 2026", "November 2026", "Nov. 2026"], NOVEMBER),
        ("fr", ["novembre 2026", "nov. 2026", "November 2026"], NOVEMBER),
        ("es", ["noviembre de 2026", "Noviembre 2026", "November 2026"], NOVEMBER),
        (
            "en",
            ["2026-03-01", "1.3.2026", "01/03/2026", "1 March 2026"],
            FIRST_OF_MARCH,
        ),
        ("en", ["March 1, 2026", "Mar 1 2026", "March 1st, 2026"], FIRST_OF_MARCH),
        ("en", ["1.3.26", "1/3/26"], FIRST_OF_MARCH),
        ("de", ["1. März 2026", "1. 3. 2026", "1 Marz 2026"], FIRST_OF_MARCH),
        ("fr", ["1er mars 2026", "1 mars 2026"], FIRST_OF_MARCH),
        ("es", ["1 de marzo de 2026", "1 marzo 2026"], FIRST_OF_MARCH),
        # The month may come first if that is unambiguous.
        ("en", ["3/21/2026", "03/21/26"], (date(2026, 3, 21), date(2026, 3, 21))),
        ("en", ["Jun 2026"], (date(2026, 6, 1), date(2026, 6, 30))),
        ("en", ["Ju 2026", "21/21/2026"], None),
        ("fr", ["", "13/2026", "0/2026", "31.2.2026", "Friday 2026"], None),
        ("fr", ["Ma 2026", "Jui 2026", "Mai"], None),
    ],
)
def test_days_and_months_are_found_as_people_write_them(
    language: str, texts: list[str], expected: tuple[date, date] | None
) -> None:
    with override(language):
        assert {text: parse_day_range(text) for text in texts} == dict.fromkeys(
            texts, expected
        )


@pytest.mark.parametrize("language", ["en", "de", "fr", "es"])
def test_month_names_of_every_language_are_recognised(language: str) -> None:
    with override(language):
        for number, name in MONTHS.items():
            days = parse_day_range(f"{name} 2026")
            assert days
            first, last = days
            assert first == date(2026, number, 1)
            assert (last + timedelta(days=1)).day == 1


@pytest.mark.parametrize(
    ("language", "texts", "expected"),
    [
        ("en", ["March", "MARCH", "march ", "Mar"], (3, None)),
        ("de", ["März", "marz", "March"], (3, None)),
        ("en", ["14 March", "14 Mar", "14. March", "March 14", "Mar 14th"], (3, 14)),
        ("en", ["14.3.", "14.03.", "14/3", "3/14"], (3, 14)),
        ("es", ["1 de marzo", "1 marzo"], (3, 1)),
        (
            "en",
            ["Ma", "Ju", "March 2026", "3", "14", "Ann 14", "45.67", "0.0", ""],
            None,
        ),
    ],
)
def test_a_month_and_a_day_are_known_without_a_year(
    language: str, texts: list[str], expected: tuple[int, int | None] | None
) -> None:
    with override(language):
        assert {
            text: parse_yearless_month_and_day(text) for text in texts
        } == dict.fromkeys(texts, expected)


@pytest.mark.django_db
def test_month_search_finds_every_year_latest_first() -> None:
    club = ClubFactory.create(time_zone="Europe/Berlin")
    start_times = [
        datetime(2025, 2, 28, 23, 30, tzinfo=UTC),  # in Berlin it is March
        datetime(2026, 3, 14, 19, tzinfo=UTC),
        datetime(2026, 3, 31, 22, 30, tzinfo=UTC),  # and here it is April
        datetime(2026, 4, 14, 19, tzinfo=UTC),
    ]
    for number, starts_at in enumerate(start_times):
        TournamentFactory.create(club=club, name=f"Night {number}", starts_at=starts_at)

    def find_names(text: str) -> list[str]:
        return [night.name for night in search_club(club, text).tournaments]

    assert find_names("March") == ["Night 1", "Night 0"]
    assert find_names("2026-03") == find_names("2026-03-14") == ["Night 1"]
    assert find_names("2026-13") == []
    assert find_names("14 March") == ["Night 1"]
    assert find_names("31 February") == []
    assert not search_club(club, "Bo").is_day
    assert search_club(club, "14 May").is_day


@pytest.mark.django_db
def test_day_without_tournaments_is_reported(club: Club) -> None:
    url = reverse("tournaments:search", args=[club.slug])
    sentences = {
        text: Client().get(url, {"q": text}).content.decode()
        for text in ("14 May", "Ann")
    }
    assert "No tournaments on those days." in sentences["14 May"]
    assert "Nothing found." in sentences["Ann"]
