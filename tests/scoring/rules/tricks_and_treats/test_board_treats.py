"""The treats of Tricks and Treats on the board, each with its target."""

from typing import Any

import pytest

from scoring.rules.tricks_and_treats.actions import act, peek
from scoring.rules.tricks_and_treats.board import Board
from scoring.rules.tricks_and_treats.treats import (
    ANY_TIME,
    BEFORE_TRICK,
    WITH_TRICK,
    usable,
)
from tests.scoring.rules.scoring_hands import reasons
from tests.scoring.rules.tricks_and_treats.boards import (
    TRICK,
    Action,
    after,
    laid,
    told,
)

PICTURE = """
P1   P2   .
(B1) (B2) P3
"""


def board_of(*held: str, **changes: Any) -> Board:
    """Return a board on which three trumps lie face up."""
    return laid(PICTURE, *held, **changes)


def trumps(board: Board) -> list[str]:
    return [str(token.card) for token in board.trumps]


def action(kind: str, **target: Any) -> Action:
    return {"kind": kind, "seat": 0, **target}


def test_a_compass_moves_the_box_and_is_out() -> None:
    """treats.compass"""
    board = act(board_of("compass"), action("compass", box="right"))
    assert (board.box, trumps(board)) == ("right", ["P3", "P2", "P1"])
    assert (board.held[0], board.out[-1]) == ((), "compass")
    assert told(board) == [("treats.compass", "Ann moves the box: right.")]


def test_a_ghost_takes_a_trump_to_the_pile_and_is_out() -> None:
    """treats.ghost"""
    board = act(board_of("ghost"), action("ghost", cell=[0, 1]))
    assert (trumps(board), board.pile) == (["P1", "P3"], ("P2",))
    assert (board.held[0], board.out[-1]) == ((), "ghost")
    assert told(board) == [("treats.ghost", "A ghost of Ann takes P2 from the grid.")]


def test_a_ghost_that_leaves_one_trump_has_the_grid_refilled() -> None:
    """treats.refill"""
    board = laid("P1 P2 (B1)", "ghost")
    board = act(board, action("ghost", cell=[0, 1]))
    assert trumps(board) == ["P1", "B1"]


@pytest.mark.parametrize("kind", ["spy", "switch", "thief"])
def test_after_the_third_mixer_nothing_goes_to_a_pile(kind: str) -> None:
    """treats.mixer"""
    targets: dict[str, Any] = {
        "spy": {"cell": [1, 0]},
        "switch": {"cells": [[0, 0], [0, 1]]},
        "thief": {"from": 1, "treat": "candy"},
    }
    board = board_of(kind, "candy", mixers=3)
    board = act(board, action(kind, **targets[kind]))
    assert (board.pile, board.out[-1]) == ((), kind)


def test_a_poison_takes_a_card_of_everybody_and_is_out() -> None:
    """treats.poison"""
    board = act(board_of("poison"), action("poison"))
    assert (board.tricks_left, board.held[0], board.out[-1]) == (19, (), "poison")
    assert told(board)[0][1] == (
        "Ann discards a card, and everybody else discards one at random."
    )


def test_a_poison_on_the_last_cards_ends_the_deal() -> None:
    """treats.poison"""
    board = act(board_of("poison", tricks_left=1), action("poison"))
    assert board.steps == ("end_deal",)


def test_a_spy_sees_a_token_that_nobody_else_sees() -> None:
    """treats.spy"""
    board, spy = board_of("spy"), action("spy", cell=[1, 1])
    seen = peek(board, spy)
    later = act(board, spy)
    assert seen == "B2"
    assert later.shown == board.shown
    assert (later.held[0], later.pile) == ((), ("spy",))
    assert told(later) == [("treats.spy", "Ann looks at the token in row 2, column 2.")]


def test_a_peek_is_refused_where_the_spy_is() -> None:
    """treats.spy"""
    away = action("spy", cell=[0, 2])
    up = action("spy", cell=[0, 0])
    assert reasons(lambda: peek(board_of("spy"), away)) == [("cell", "treats.tokens")]
    assert reasons(lambda: peek(board_of("spy"), up)) == [("cell", "treats.spy")]
    assert reasons(lambda: peek(board_of(), up)) == [("seat", "treats.spy")]
    assert reasons(lambda: peek(board_of(), None)) == [("", "record.format")]
    # What others can do shows nothing.
    ghost = action("ghost", cell=[0, 0])
    assert reasons(lambda: peek(board_of("ghost"), ghost)) == [("kind", "treats.spy")]


def test_a_swap_of_hands_is_out() -> None:
    """treats.swap"""
    board = act(board_of("swap"), {**action("swap"), "with": 2})
    assert (board.held[0], board.out[-1]) == ((), "swap")
    assert told(board) == [("treats.swap", "Ann swaps hands with Cy.")]


def test_a_switch_lets_two_trumps_change_places() -> None:
    """treats.switch"""
    board = act(board_of("switch"), action("switch", cells=[[0, 0], [1, 2]]))
    assert trumps(board) == ["P3", "P2", "P1"]
    assert (board.held[0], board.pile) == ((), ("switch",))
    assert told(board) == [("treats.switch", "Ann lets P1 and P3 change places.")]


def test_a_thief_takes_a_treat_of_another() -> None:
    """treats.thief"""
    board = board_of("thief", "", "candy evil_eye")
    board = act(board, {**action("thief", treat="evil_eye"), "from": 2})
    assert board.held == (("evil_eye",), (), ("candy",))
    assert board.pile == ("thief",)
    assert told(board) == [("treats.thief", "Ann steals a treat from Cy: evil eye.")]


@pytest.mark.parametrize(
    ("kind", "target", "field", "clause"),
    [
        ("compass", {"box": "left"}, "box", "treats.compass"),
        ("compass", {"box": "up"}, "box", "record.format"),
        ("compass", {"seat": 3, "box": "top"}, "seat", "record.format"),
        ("compass", {"seat": 1, "box": "top"}, "seat", "treats.compass"),
        ("ghost", {"cell": [1, 0]}, "cell", "treats.ghost"),
        ("ghost", {"cell": [0, 2]}, "cell", "treats.tokens"),
        ("ghost", {"cell": [0]}, "cell", "record.format"),
        ("ghost", {"cell": ["0", 1]}, "cell", "record.format"),
        ("ghost", {"cell": 0}, "cell", "record.format"),
        ("ghost", {}, "cell", "record.format"),
        ("spy", {"cell": [0, 0]}, "cell", "treats.spy"),
        ("spy", {"cell": [5, 5]}, "cell", "treats.tokens"),
        ("swap", {"with": 0}, "with", "treats.swap"),
        ("swap", {"with": "1"}, "with", "record.format"),
        ("switch", {"cells": [[0, 0], [1, 0]]}, "cells[1]", "treats.switch"),
        ("switch", {"cells": [[0, 0], [0, 0]]}, "cells", "treats.switch"),
        ("switch", {"cells": [[0, 2], [0, 2]]}, "cells[0]", "treats.tokens"),
        ("switch", {"cells": [[0, 0]]}, "cells", "record.format"),
        ("switch", {"cells": None}, "cells", "record.format"),
        ("thief", {"from": 0, "treat": "spy"}, "from", "treats.thief"),
        ("thief", {"from": 2, "treat": "thief"}, "treat", "treats.thief"),
        ("thief", {"from": 2, "treat": "spy"}, "treat", "treats.thief"),
        ("thief", {"from": 2, "treat": "bomb"}, "treat", "record.format"),
        ("poison", {"with": 1}, "with", "record.format"),
    ],
)
def test_it_refuses(kind: str, target: Action, field: str, clause: str) -> None:
    everything = "compass ghost poison spy swap switch thief"
    board = board_of(everything, "", "thief candy")
    attempt = {**action(kind), **target}
    assert reasons(lambda: act(board, attempt))[0] == (field, clause)


@pytest.mark.parametrize("kind", BEFORE_TRICK)
def test_poison_and_swap_are_used_before_a_trick(kind: str) -> None:
    """treats.poison and treats.swap"""
    target = {"with": 1} if kind == "swap" else {}
    won = act(board_of("poison swap"), TRICK)
    over = board_of("poison swap", tricks_left=0)
    for board in (won, over):
        assert reasons(lambda board=board: act(board, action(kind, **target))) == [
            ("kind", f"treats.{kind}")
        ]


def test_the_usable_treats_are_listed() -> None:
    everything = (
        "candy compass evil_eye ghost master_trump poison spy swap switch thief"
    )
    board = board_of(everything, "", "candy thief")
    listed = set(usable(board, 0))
    assert listed == {*ANY_TIME, *BEFORE_TRICK, *WITH_TRICK}
    # Nobody is asked to steal a thief; between trick and turn, no trick begins.
    assert set(usable(act(board, TRICK), 0)) == set(ANY_TIME)
    assert usable(board, 1) == ()
    assert usable(board, 2) == ("thief",)


def test_a_treat_without_a_target_is_not_usable() -> None:
    held = ("ghost spy switch thief", "thief")
    assert usable(laid("(B1)", *held, mixers=3), 0) == ("spy",)
    assert usable(laid("P1", *held), 0) == ("ghost",)
    assert usable(laid("P1 P2", *held), 0) == ("ghost", "switch")


def test_after_the_end_no_treat_is_usable() -> None:
    end = {"kind": "end_deal"}
    board = after(board_of("compass spy", tricks_left=0), end)
    assert board.is_finished
    assert usable(board, 0) == ()
