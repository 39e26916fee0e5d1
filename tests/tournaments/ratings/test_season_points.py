"""Points that a table and a tournament earn on a leaderboard."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.rules.game import rank_values
from tournaments.ratings import PARTS, leaderboard_table_shares, season_points
from tournaments.ratings.season_points import LeaderboardTableShare
from tournaments.standings import CountingRules
from tournaments.standings.points import place_points_by_seat

SCORES = st.lists(st.integers(-5, 5), min_size=2, max_size=8)


@given(SCORES)
def test_a_table_gives_the_same_points_as_linear_standings(scores: list[int]) -> None:
    linear = CountingRules(points="linear", places={}, tie_breaks=())
    ranks = rank_values(scores)
    expected = place_points_by_seat(linear, ranks)
    points = [Fraction(part.points, PARTS) for part in leaderboard_table_shares(ranks)]
    assert points == expected


@given(SCORES)
def test_a_table_has_one_win_and_a_mean_of_two_and_a_half(scores: list[int]) -> None:
    parts = leaderboard_table_shares(rank_values(scores))
    assert sum(part.wins for part in parts) == PARTS
    assert 2 * sum(part.points for part in parts) == 5 * PARTS * len(parts)


@given(st.lists(st.integers(1, 6), min_size=2, max_size=40))
def test_tied_players_share_the_points_of_their_places(scores: list[int]) -> None:
    ranks = [1 + sum(other > score for other in scores) for score in scores]
    points = [season_points(rank, ranks.count(rank), len(ranks)) for rank in ranks]
    assert sum(points) == 50 * len(ranks)
    assert points == sorted(points, key=lambda one: -one) or ranks != sorted(ranks)


@pytest.mark.parametrize(
    ("rank", "players", "points"),
    [(1, 40, "100"), (40, 40, "0"), (3, 16, "86.67"), (75, 100, "25.25")],
)
def test_points_by_place_are_those_of_the_published_examples(
    rank: int, players: int, points: str
) -> None:
    assert round(season_points(rank, 1, players), 2) == Fraction(points)


def test_the_parts_of_a_table_are_whole_numbers() -> None:
    parts = leaderboard_table_shares([2, 1, 2, 4])
    assert [part.rank for part in parts] == [2, 1, 2, 4]
    assert [part.points for part in parts] == [2100, 3360, 2100, 840]
    assert [part.wins for part in parts] == [0, 840, 0, 0]
    assert [part.place for part in parts] == [2100, 840, 2100, 3360]
    assert [type(part.wins) for part in leaderboard_table_shares([1, 1])] == [int, int]


def test_player_alone_at_a_table_wins() -> None:
    assert leaderboard_table_shares([1]) == [
        LeaderboardTableShare(rank=1, points=3360, wins=840, place=840)
    ]
    assert season_points(1, 1, 1) == 0
