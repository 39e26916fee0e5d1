"""What a hand gave each player and why."""

from random import Random

import pytest

from scoring.games.random_match import play_match
from scoring.pages.hand_text import result_lines
from scoring.rules import GAMES, score_match


@pytest.mark.parametrize("game", GAMES)
def test_what_a_player_has_is_said_once_and_the_totals_go_on(game: str) -> None:
    seats = GAMES[game].seats[-1]
    names = [f"P{seat}" for seat in range(seats)]
    played = play_match(game, seats, {}, Random(2), tricks=False, most_hands=3)
    before = [0] * seats
    for hand in score_match(played).hands:
        said = [line for line in result_lines(names, hand) if line.total]
        assert sorted(line.name for line in said) == names
        for line in said:
            assert line.seat is not None
            assert line.points == hand.scores[line.seat]
            assert line.total == (before[line.seat], hand.totals[line.seat])
            is_bidder = line.seat == hand.hand.bidder
            assert line.is_made == (is_bidder and hand.scores[line.seat] > 0)
        before = list(hand.totals)
