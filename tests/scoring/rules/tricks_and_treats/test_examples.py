"""Worked examples of Tricks and Treats' tricks, treats and end."""

from itertools import pairwise
from typing import Any

import pytest

from scoring.rules import trick_answer
from tests.scoring.rules.scoring_hands import match, refused

CORNERS = [("P1", 0, 0), ("P2", 0, 8), ("P3", 8, 0), ("P4", 8, 8)]
TOKENS = [{"card": card, "row": row, "column": column} for card, row, column in CORNERS]


def trick(*plays: str, **changes: Any) -> dict[str, Any]:
    answer = trick_answer(
        {
            "game": "tricks_and_treats",
            "players": len(plays),
            "leader": 0,
            "box": "left",
            "trumps": TOKENS,
            "plays": list(plays),
            **changes,
        }
    )
    return {key: answer[key] for key in ("winner", "clause")}


@pytest.mark.parametrize(
    ("box", "order"),
    [
        # Nearest to the box first; at the same distance nearest to its 'top'.
        ("left", "P1 P3 P2 P4"),
        ("top", "P2 P1 P4 P3"),
        ("right", "P4 P2 P3 P1"),
        ("bottom", "P3 P4 P1 P2"),
    ],
)
def test_the_box_orders_the_trumps(box: str, order: str) -> None:
    """treats.order"""
    cards = order.split()
    for best, second in pairwise(cards):
        won = trick("G12", second, best, box=box)
        assert won == {"winner": 2, "clause": "treats.trick.win"}


@pytest.mark.parametrize(
    ("plays", "changes", "winner", "clause"),
    [
        (("G3", "W12", "G4"), {}, 2, "treats.trick.win"),
        (("G3", "P3", "P1"), {}, 2, "treats.trick.win"),
        (("G3", "P7", "G12"), {"trumps": [], "leader": 2}, 1, "treats.trick.win"),
        # treats.evil_eye: neither wins nor is a trump.
        (("G3", "P3", "P1"), {"evil_eye": [2]}, 1, "treats.trick.win"),
        (("G3", "W12", "G4"), {"evil_eye": [2]}, 0, "treats.trick.win"),
        # treats.master_trump: beats all, the earlier of two, but not an evil eye.
        (("G3", "P3", "P1"), {"master_trump": [0]}, 0, "treats.trick.master_trump"),
        (("G3", "P3", "P1"), {"master_trump": [1, 0]}, 0, "treats.trick.master_trump"),
        (
            ("G3", "P3", "P1"),
            {"master_trump": [1, 0], "leader": 1},
            1,
            "treats.trick.master_trump",
        ),
        (
            ("G3", "P3", "P1"),
            {"master_trump": [0], "evil_eye": [0]},
            2,
            "treats.trick.win",
        ),
        # Nobody who can win followed suit: the first card that can win counts as led.
        (
            ("G3", "P7", "C1"),
            {"evil_eye": [0], "trumps": []},
            1,
            "treats.trick.win",
        ),
    ],
)
def test_a_trick_is_won(
    plays: tuple[str, ...], changes: dict[str, Any], winner: int, clause: str
) -> None:
    assert trick(*plays, **changes) == {"winner": winner, "clause": clause}


def held(treats: dict[str, int], left: int = 50) -> dict[str, Any]:
    return {"tokens": [0, 0, 0], "treats": [treats, {}, {}], "grid_left": left}


@pytest.mark.parametrize(
    ("clause", "points"),
    [
        ("treats.candy", 2),
        ("treats.compass", 1),
        ("treats.evil_eye", 1),
        ("treats.ghost", 1),
        ("treats.master_trump", 1),
        ("treats.poison", 1),
        ("treats.spy", 1),
        ("treats.swap", 1),
        ("treats.switch", 1),
        ("treats.thief", 1),
    ],
)
def test_a_treat_counts_while_it_is_held(clause: str, points: int) -> None:
    kind = clause.removeprefix("treats.")
    state, (hand, _gone) = match("tricks_and_treats", 3, held({kind: 1}), held({}, 40))
    assert hand.scores == (points, 0, 0)
    assert state.totals == (0, 0, 0)


def test_the_grid_begins_with_81_tokens() -> None:
    """treats.start: one of the 82 is turned to find who starts."""
    assert refused("tricks_and_treats", 3, held({}, 81)) == []
    assert refused("tricks_and_treats", 3, held({}, 82)) == [
        ("grid_left", "treats.tokens")
    ]
