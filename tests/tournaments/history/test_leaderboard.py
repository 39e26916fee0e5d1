"""Leaderboards and their seasons: which results count, their order, and movements."""

from collections.abc import Sequence
from datetime import date
from fractions import Fraction
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from scoring.models import Player
from tests.factories.history import counted_tournament
from tests.factories.tournaments import ClubFactory
from tournaments.history.leaderboard import (
    BoardLine,
    BoardQuery,
    Measure,
    leaderboard,
    ranks_gained_by_player,
    season_results,
)
from tournaments.history.search import search_club
from tournaments.history.seasons import ensure_season
from tournaments.models import Club, Result, Season

pytestmark = pytest.mark.django_db
TODAY = date(2026, 6, 20)
FOUR = ["Ann", "Bo", "Cy", "Di"]


def board_query(club: Club, **options: Any) -> BoardQuery:
    season = club.seasons.get(slug="2026-spring")
    return BoardQuery(**{"club": club, "season": season, **options})


def board(club: Club, **options: Any) -> list[BoardLine]:
    club.refresh_from_db()
    return leaderboard(board_query(club, **options), TODAY)


def set_season(club: Club, **settings: Any) -> None:
    club.seasons.filter(slug="2026-spring").update(**settings)


def club_with_evenings(evenings: Sequence[tuple[str, Sequence[str]]]) -> Club:
    """Return a club with an evening of one table on each given day."""
    club: Club = ClubFactory.create()
    for day, names in evenings:
        counted_tournament(day, names, club=club)
    return club


def test_a_player_sees_which_results_count_and_when_they_drop_out() -> None:
    club = club_with_evenings([(f"2026-05-{day}", FOUR) for day in (12, 19, 26)])
    set_season(club, best_of=2, lasts_days=30)
    season = club.seasons.get()
    for line in leaderboard(board_query(club), date(2026, 5, 30)):
        results = season_results(club, season, line.player, date(2026, 5, 30))
        assert [one.result.held_on.day for one in results] == [26, 19, 12]
        assert [one.expires_on for one in results] == [
            date(2026, 6, 25),
            date(2026, 6, 18),
            date(2026, 6, 11),
        ]
        assert sum(one.points for one in results if one.counts) == line.points
        assert sum(one.counts for one in results) == 2
    for line in leaderboard(board_query(club), date(2026, 6, 18)):
        later_results = season_results(club, season, line.player, date(2026, 6, 18))
        assert [one.counts for one in later_results] == [True, False, False]
        assert line.points == later_results[0].points


def test_leaderboard_is_cached_until_the_history_changes(
    django_assert_num_queries: Any,
) -> None:
    club = club_with_evenings([("2026-05-12", FOUR)])
    club.refresh_from_db()
    query = board_query(club)
    first = leaderboard(query, TODAY)
    with django_assert_num_queries(0):
        assert leaderboard(query, TODAY) == first
    counted_tournament("2026-05-19", FOUR, club=club)
    assert {line.attended for line in board(club)} == {2}
    set_season(club, best_of=1)
    assert {line.points for line in board(club)} <= {
        Fraction(100),
        Fraction(200, 3),
        Fraction(100, 3),
        Fraction(0),
    }


def test_provisional_ratings_come_last_in_the_list_of_ratings() -> None:
    club = club_with_evenings([("2026-05-12", FOUR)])
    ratings = {"Ann": (30.0, 9), "Bo": (20.0, 10), "Cy": (35.0, 1), "Di": (25.0, 11)}
    for name, (mu, tables) in ratings.items():
        Result.objects.filter(player__name=name).update(mu=mu, sigma=3, rated=tables)
    lines = board(club, measure=Measure.RATING)
    assert [line.name for line in lines] == ["Di", "Bo", "Cy", "Ann"]
    assert [line.rating.provisional for line in lines] == [False, False, True, True]


def test_filters_by_game_format_and_days() -> None:
    club = club_with_evenings([("2026-05-12", FOUR)])
    counted_tournament("2026-05-19", ["Eve", *FOUR[:3]], club=club, format="swiss")
    assert {line.name for line in board(club, format="swiss")} == {"Eve", *FOUR[:3]}
    assert {line.name for line in board(club, ends_on=date(2026, 5, 15))} == set(FOUR)
    assert {line.attended for line in board(club, starts_on=date(2026, 5, 15))} == {1}
    assert board(club, game="tricky") == []
    assert len(board(club, game="tricky_bid")) == 5
    assert len(board(club, season=None)) == 5


def test_arrows_show_how_many_ranks_a_player_rose() -> None:
    club = club_with_evenings(
        [("2026-05-12", FOUR), ("2026-05-19", ["Eve", *FOUR[:3]])]
    )
    lines = board(club)
    before = board(club, as_of=date(2026, 5, 12))
    movements = ranks_gained_by_player(lines, before)
    ranks_before = {line.player: line.rank for line in before}
    for line in lines:
        rank_before = ranks_before.get(line.player)
        assert movements[line.player] == (
            rank_before - line.rank if rank_before and line.rank else None
        )


@pytest.mark.parametrize(
    ("day", "expected"),
    [
        ("2026-01-01", ("2026-spring", "2026-01-01", "2026-06-30")),
        ("2026-06-30", ("2026-spring", "2026-01-01", "2026-06-30")),
        ("2026-07-01", ("2026-autumn", "2026-07-01", "2026-12-31")),
        ("2026-12-31", ("2026-autumn", "2026-07-01", "2026-12-31")),
    ],
)
def test_a_year_has_two_seasons_with_no_day_between_them(
    club: Club, day: str, expected: tuple[str, str, str]
) -> None:
    season = ensure_season(club, date.fromisoformat(day))
    assert (season.slug, str(season.starts_on), str(season.ends_on)) == expected


@pytest.mark.parametrize("made_in", ["en", "de", "es"])
def test_half_year_season_is_named_in_the_readers_language(
    club: Club, made_in: str
) -> None:
    with override(made_in):
        season = ensure_season(club, date(2026, 11, 28))
    shown_names = {}
    for language in ("en", "de", "fr", "es"):
        with override(language):
            shown_names[language] = season.shown_name
    assert shown_names == {
        "en": "Autumn 2026",
        "de": "Herbst 2026",
        "fr": "Automne 2026",
        "es": "Otoño 2026",
    }


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("Bo’s autumn", "2026-autumn"),
        ("Autumn 2025", "2026-autumn"),
        ("Autumn 2026", "autumn-2026"),
        ("Autumn 2026", "cup"),
    ],
)
def test_custom_season_name_is_kept(name: str, slug: str) -> None:
    season = Season(name=name, slug=slug)
    with override("de"):
        assert season.shown_name == name


def test_pages_and_search_use_the_translated_season_name(client: Client) -> None:
    club = counted_tournament("2026-11-03", ["Ann", "Bo", "Cy", "Di"]).club
    ann = Player.objects.get(name="Ann").pk
    german = Client(headers={"accept-language": "de"})
    for name, parts in (
        ("leaderboard", [club.slug, "2026-autumn"]),
        ("player", [club.slug, ann]),
        ("frame_leaderboard", [club.slug]),
    ):
        address = reverse(f"tournaments:{name}", args=parts)
        page = german.get(address).content.decode()
        assert "Autumn 2026" not in page, name
        assert "Herbst 2026" in page, name
        assert "Autumn 2026" in client.get(address).content.decode()
    with override("de"):
        for text in ("Herbst 2026", "herbst", "Autumn 2026", "2026-autumn", "2026"):
            assert [one.slug for one in search_club(club, text).seasons] == [
                "2026-autumn"
            ]
