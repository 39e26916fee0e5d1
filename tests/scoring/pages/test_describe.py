"""Descriptions of hands, and the result of each player."""

from random import Random

import pytest

from scoring.games.random_match import generate_match
from scoring.pages.hand_text import describe_hand, explanation_lines
from scoring.rules import GAMES, score_match

NAMES = ["Ann", "Bo", "Cy", "Di"]


@pytest.mark.parametrize(
    ("game", "raw", "expected"),
    [
        ("tricky", {"passed_out": True}, ["Everyone passed."]),
        (
            "tricky",
            {
                "contract": {"bidder": 1, "bid": 128, "trump": None},
                "points": [101, 120, 99, 80],
            },
            [
                "Bo plays for 128 without trump.",
                "Points: Ann 101, Bo 120, Cy 99, Di 80",
            ],
        ),
        (
            "tricky_dice",
            {
                "contract": {"bidder": 0, "solo": True},
                "tricks_won": [9, 1, 0, 0],
                "die_tricks": [2, 0, 0, 0],
            },
            [
                "Ann plays solo.",
                "Tricks: Ann 9, Bo 1, Cy 0, Di 0",
                "Tricks with a die: Ann 2, Bo 0, Cy 0, Di 0",
            ],
        ),
        (
            "tricks_and_treats",
            {
                "tokens": [3, 0, 5, 1],
                "treats": [{"evil_eye": 1, "spy": 2}, {}, {}, {}],
                "grid_left": 7,
            },
            [
                "Tokens: Ann 3, Bo 0, Cy 5, Di 1",
                "Treats: Ann 1 evil eye + 2 spy, Bo –, Cy –, Di –",
                "Left in the grid: 7",
            ],
        ),
    ],
)
def test_describes_a_hand(
    game: str, raw: dict[str, object], expected: list[str]
) -> None:
    assert describe_hand(game, raw, NAMES) == expected


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ({"points": [1, "x", 3, 4]}, ["Points: Ann 1, Bo x, Cy 3, Di 4"]),
        ({"contract": {"bidder": 9, "bid": 128, "trump": 1}}, []),
        ({"points": [{}, {}, {}, {}]}, []),
        ({"bids": [[0, "pass"]], "points": 3}, ["Bids: Ann passes"]),
    ],
)
def test_describes_readable_parts_of_a_hand(
    raw: dict[str, object], expected: list[str]
) -> None:
    fallback = ["This entry isn’t a valid hand."]
    assert describe_hand("tricky", raw, NAMES) == (expected or fallback)


@pytest.mark.parametrize("game", GAMES)
def test_each_player_has_one_line_with_running_totals(game: str) -> None:
    seats = GAMES[game].seats[-1]
    names = [f"P{seat}" for seat in range(seats)]
    record = generate_match(game, seats, {}, Random(2), tricks=False, most_hands=3)
    before = [0] * seats
    for hand in score_match(record).hands:
        lines = [line for line in explanation_lines(names, hand) if line.total]
        assert sorted(line.name for line in lines) == names
        for line in lines:
            assert line.seat is not None
            assert line.points == hand.scores[line.seat]
            assert line.total == (before[line.seat], hand.totals[line.seat])
            is_bidder = line.seat == hand.hand.bidder
            assert line.is_made == (is_bidder and hand.scores[line.seat] > 0)
        before = list(hand.totals)
