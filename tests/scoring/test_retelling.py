"""Hands told in words."""

from random import Random

import pytest

from scoring.playing import play_match
from scoring.retelling import tell_hand
from scoring.rules import GAMES

NAMES = ["Ann", "Bo", "Cy", "Di"]


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        ({"passed_out": True}, ["Everybody passed."]),
        (
            {"contract": {"bidder": 1, "bid": 96, "trump": None}, "points": [1, 2]},
            ["Bo plays 96 without trump.", "Points: Ann 1, Bo 2"],
        ),
        (
            {"contract": {"bidder": 0, "solo": True}, "tricks_won": [9, 1, 0, 0]},
            ["Ann plays solo.", "Tricks: Ann 9, Bo 1, Cy 0, Di 0"],
        ),
        (
            {
                "tokens": [3, 0],
                "treats": [{"evil_eye": 1, "spy": 2}, {}],
                "grid_left": 7,
            },
            [
                "Tokens: Ann 3, Bo 0",
                "Treats: Ann 1 evil eye + 2 spy, Bo –",
                "Left in the grid: 7",
            ],
        ),
        (
            {
                "inciter": 1,
                "tier": "pair",
                "trump": "prial",
                "actors": [{"dice": [1, 2, 2]}, {"dice": [3, 3, 4]}, None, None],
            },
            ["Bo incites with pair.", "Trump: prial.", "Dice: Ann 1 2 2, Bo 3 3 4"],
        ),
    ],
)
def test_a_hand_is_told_as_the_table_would(
    raw: dict[str, object], told: list[str]
) -> None:
    assert tell_hand(raw, NAMES) == told


@pytest.mark.parametrize("tricks", [True, False])
@pytest.mark.parametrize("game", GAMES)
def test_every_hand_can_be_told(game: str, *, tricks: bool) -> None:
    record = play_match(game, 4, {}, Random(3), tricks=tricks, most_hands=12)
    for raw in record.hands:
        assert tell_hand(raw, NAMES)
