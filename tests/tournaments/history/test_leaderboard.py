"""Leaderboards: what counts, in which order, as it stood, and what moved since."""

from collections.abc import Sequence
from datetime import date
from fractions import Fraction
from typing import Any

import pytest

from tests.factories.history import counted_tournament
from tests.factories.tournaments import ClubFactory
from tournaments.history.leaderboard import (
    BoardLine,
    BoardQuery,
    Measure,
    leaderboard,
    rank_movements,
    season_results,
)
from tournaments.models import Club, Result, Season
from tournaments.templatetags.history import counting_rules

pytestmark = pytest.mark.django_db
TODAY = date(2026, 6, 20)
FOUR = ["Ann", "Bo", "Cy", "Di"]


def board_query(club: Club, **options: Any) -> BoardQuery:
    season = club.seasons.get(slug="2026-spring")
    return BoardQuery(**{"club": club, "season": season, **options})


def board(club: Club, **options: Any) -> list[BoardLine]:
    club.refresh_from_db()
    return leaderboard(board_query(club, **options), TODAY)


def summaries(lines: Sequence[BoardLine]) -> list[tuple[str, int | None, Fraction]]:
    return [(line.name, line.rank, line.points) for line in lines]


def set_season(club: Club, **settings: Any) -> None:
    club.seasons.filter(slug="2026-spring").update(**settings)


def spring(evenings: Sequence[tuple[str, Sequence[str]]]) -> Club:
    """Return a club with an evening of one table a day."""
    club: Club = ClubFactory.create()
    for day, names in evenings:
        counted_tournament(day, names, club=club)
    return club


def test_a_player_sees_which_results_count_and_when_they_drop_out() -> None:
    club = spring([(f"2026-05-{day}", FOUR) for day in (12, 19, 26)])
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
        late = season_results(club, season, line.player, date(2026, 6, 18))
        assert [one.counts for one in late] == [True, False, False]
        assert line.points == late[0].points


def test_player_below_minimum_attendance_is_listed_without_a_rank() -> None:
    club = spring([("2026-05-12", FOUR), ("2026-05-19", [*FOUR[:3], "Eve"])])
    set_season(club, least_attendance=2)
    lines = board(club)
    assert [line.rank is None for line in lines] == [False] * 3 + [True] * 2
    assert {
        line.name: line.tournaments_needed for line in lines if line.tournaments_needed
    } == {
        "Di": 1,
        "Eve": 1,
    }


def test_leaderboard_is_cached_until_the_history_changes(
    django_assert_num_queries: Any,
) -> None:
    club = spring([("2026-05-12", FOUR)])
    club.refresh_from_db()
    wanted = board_query(club)
    first = leaderboard(wanted, TODAY)
    with django_assert_num_queries(0):
        assert leaderboard(wanted, TODAY) == first
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
    club = spring([("2026-05-12", FOUR)])
    known = {"Ann": (30.0, 9), "Bo": (20.0, 10), "Cy": (35.0, 1), "Di": (25.0, 11)}
    for name, (mu, tables) in known.items():
        Result.objects.filter(player__name=name).update(mu=mu, sigma=3, rated=tables)
    lines = board(club, measure=Measure.RATING)
    assert [line.name for line in lines] == ["Di", "Bo", "Cy", "Ann"]
    assert [line.rating.provisional for line in lines] == [False, False, True, True]


def test_filters_keep_a_game_a_format_and_days() -> None:
    club = spring([("2026-05-12", FOUR)])
    counted_tournament("2026-05-19", ["Eve", *FOUR[:3]], club=club, format="swiss")
    assert {line.name for line in board(club, format="swiss")} == {"Eve", *FOUR[:3]}
    assert {line.name for line in board(club, ends_on=date(2026, 5, 15))} == set(FOUR)
    assert {line.attended for line in board(club, starts_on=date(2026, 5, 15))} == {1}
    assert board(club, game="tricky") == []
    assert len(board(club, game="tricky_bid")) == 5
    assert len(board(club, season=None)) == 5


def test_arrows_show_how_many_ranks_a_player_rose() -> None:
    club = spring([("2026-05-12", FOUR), ("2026-05-19", ["Eve", *FOUR[:3]])])
    lines = board(club)
    before = board(club, as_of=date(2026, 5, 12))
    moved = rank_movements(lines, before)
    ranks = {line.player: line.rank for line in before}
    for line in lines:
        known = ranks.get(line.player)
        assert moved[line.player] == (
            known - line.rank if known and line.rank else None
        )


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"best_of": 1}, "Only your best tournament counts."),
        ({"best_of": 3}, "Only your best 3 tournaments count."),
        ({"lasts_days": 1}, "A result counts for 1 day."),
        ({"lasts_days": 365}, "A result counts for 365 days."),
    ],
)
def test_a_season_says_how_it_counts(settings: dict[str, int], sentence: str) -> None:
    assert sentence in counting_rules(Season(**settings))
