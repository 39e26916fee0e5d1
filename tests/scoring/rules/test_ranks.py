"""A game says which way is up, and ranks points accordingly."""

import pytest

from scoring.rules import GAMES

GAME = GAMES["tricky_bid"]


def test_most_points_rank_first_and_equal_ones_share_the_better_rank() -> None:
    assert GAME.rank_points([3, 9, 9, 5]) == (4, 1, 1, 3)


def test_fewest_points_rank_first_in_a_game_that_they_win(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(type(GAME), "fewest_points_win", True)
    assert GAME.rank_points([3, 9, 9, 5]) == (1, 3, 3, 2)
    assert GAME.worth(3) > GAME.worth(9)
