"""The treats of Tricks and Treats on the board, each with its target."""

from typing import Any

import pytest

from scoring.rules.tricks_and_treats.actions import apply_action, token_seen_by_spy
from scoring.rules.tricks_and_treats.board import Board
from scoring.rules.tricks_and_treats.treats import (
    TRICK_TREATS,
    USES,
    usable_treats,
)
from tests.scoring.rules.scoring_hands import collect_faults
from tests.scoring.rules.tricks_and_treats.boards import (
    TRICK,
    Action,
    build_board,
    last_events,
    play_actions,
)

PICTURE = """
P1   P2   .
(B1) (B2) P3
"""


def board_with_treats(*held: str, **changes: Any) -> Board:
    """Return a board on which three trumps lie face up."""
    return build_board(PICTURE, *held, **changes)


def trump_cards(board: Board) -> list[str]:
    return [str(token.card) for token in board.face_up_trumps]


def action(kind: str, **target: Any) -> Action:
    return {"kind": kind, "seat": 0, **target}


@pytest.mark.parametrize(
    ("clause", "target", "expected_trumps", "pile", "expected_text"),
    [
        (
            "treats.compass",
            {"box": "right"},
            "P3 P2 P1",
            "",
            "moves the box to the right.",
        ),
        (
            "treats.ghost",
            {"cell": [0, 1]},
            "P1 P3",
            "P2",
            "ghost takes P2 from the grid.",
        ),
        ("treats.poison", {}, "P1 P2 P3", "", "discards a card, and everyone else"),
        ("treats.spy", {"cell": [1, 1]}, "P1 P2 P3", "spy", "in row 2, column 2."),
        ("treats.swap", {"with": 2}, "P1 P2 P3", "", "swaps hands with Cy."),
        (
            "treats.switch",
            {"cells": [[0, 0], [1, 2]]},
            "P3 P2 P1",
            "switch",
            "switches P1 and P3.",
        ),
    ],
)
def test_used_treat_takes_effect_and_leaves_or_joins_the_pile(
    clause: str, target: Action, expected_trumps: str, pile: str, expected_text: str
) -> None:
    kind = clause.removeprefix("treats.")
    board = apply_action(board_with_treats(kind), action(kind, **target))
    assert (" ".join(trump_cards(board)), board.pile) == (
        expected_trumps,
        tuple(pile.split()),
    )
    assert (board.treats[0], kind in (board.removed[-1], pile)) == ((), True)
    [(event_clause, text)] = last_events(board)
    assert event_clause == clause
    assert text.startswith(("Ann ", "Ann’s "))
    assert expected_text in text


@pytest.mark.parametrize("kind", ["spy", "switch", "thief"])
def test_after_the_third_mixer_nothing_goes_to_a_pile(kind: str) -> None:
    """treats.mixer"""
    targets: dict[str, Any] = {
        "spy": {"cell": [1, 0]},
        "switch": {"cells": [[0, 0], [0, 1]]},
        "thief": {"from": 1, "treat": "candy"},
    }
    board = board_with_treats(kind, "candy", mixers=3)
    board = apply_action(board, action(kind, **targets[kind]))
    assert (board.pile, board.removed[-1]) == ((), kind)


def test_poison_takes_a_card_from_everyone_and_can_end_the_deal() -> None:
    """treats.poison"""
    assert apply_action(board_with_treats("poison"), action("poison")).tricks_left == 19
    board = apply_action(board_with_treats("poison", tricks_left=1), action("poison"))
    assert board.required_action_kinds == ("end_deal",)


def test_spied_token_is_visible_only_to_the_spy() -> None:
    """treats.spy"""
    board, spy = board_with_treats("spy"), action("spy", cell=[1, 1])
    assert token_seen_by_spy(board, spy) == "B2"
    assert apply_action(board, spy).visible_cells == board.visible_cells


def test_invalid_peek_is_refused() -> None:
    """treats.spy"""
    peek_at_gap = action("spy", cell=[0, 2])
    peek_at_face_up = action("spy", cell=[0, 0])
    assert collect_faults(
        lambda: token_seen_by_spy(board_with_treats("spy"), peek_at_gap)
    ) == [("cell", "treats.tokens")]
    assert collect_faults(
        lambda: token_seen_by_spy(board_with_treats("spy"), peek_at_face_up)
    ) == [("cell", "treats.spy")]
    assert collect_faults(
        lambda: token_seen_by_spy(board_with_treats(), peek_at_face_up)
    ) == [("seat", "treats.spy")]
    assert collect_faults(lambda: token_seen_by_spy(board_with_treats(), None)) == [
        ("", "record.format")
    ]
    # Other treats show no token.
    ghost = action("ghost", cell=[0, 0])
    assert collect_faults(
        lambda: token_seen_by_spy(board_with_treats("ghost"), ghost)
    ) == [("kind", "treats.spy")]


def test_thief_takes_another_players_treat() -> None:
    """treats.thief"""
    board = board_with_treats("thief", "", "candy evil_eye")
    board = apply_action(board, {**action("thief", treat="evil_eye"), "from": 2})
    assert board.treats == (("evil_eye",), (), ("candy",))
    assert board.pile == ("thief",)


@pytest.mark.parametrize(
    ("kind", "target", "field", "clause"),
    [
        ("compass", {"box": "left"}, "box", "treats.compass"),
        ("swap", {"with": 0}, "with", "treats.swap"),
        ("switch", {"cells": [[0, 0], [1, 0]]}, "cells[1]", "treats.switch"),
        ("switch", {"cells": [[0, 0], [0, 0]]}, "cells", "treats.switch"),
        ("thief", {"from": 0, "treat": "spy"}, "from", "treats.thief"),
        ("thief", {"from": 2, "treat": "thief"}, "treat", "treats.thief"),
        ("thief", {"from": 2, "treat": "spy"}, "treat", "treats.thief"),
    ],
)
def test_refuses_impossible_target(
    kind: str, target: Action, field: str, clause: str
) -> None:
    all_treats = "compass ghost poison spy swap switch thief"
    board = board_with_treats(all_treats, "", "thief candy")
    attempt = {**action(kind), **target}
    assert collect_faults(lambda: apply_action(board, attempt))[0] == (field, clause)


@pytest.mark.parametrize("kind", ["poison", "swap"])
def test_poison_and_swap_are_used_before_a_trick(kind: str) -> None:
    """treats.poison and treats.swap"""
    target = {"with": 1} if kind == "swap" else {}
    board_after_trick = apply_action(board_with_treats("poison swap"), TRICK)
    board_after_deal = board_with_treats("poison swap", tricks_left=0)
    for board in (board_after_trick, board_after_deal):
        assert collect_faults(
            lambda board=board: apply_action(board, action(kind, **target))
        ) == [("kind", f"treats.{kind}")]


def test_the_usable_treats_are_listed() -> None:
    all_treats = (
        "candy compass evil_eye ghost master_trump poison spy swap switch thief"
    )
    board = board_with_treats(all_treats, "", "candy thief")
    listed = set(usable_treats(board, 0))
    assert listed == {*USES, *TRICK_TREATS}
    # A thief can't be stolen; between trick and turn, no trick begins.
    assert set(usable_treats(apply_action(board, TRICK), 0)) == set(USES) - {
        "poison",
        "swap",
    }
    assert usable_treats(board, 1) == ()
    assert usable_treats(board, 2) == ("thief",)


def test_a_treat_without_a_target_is_not_usable() -> None:
    held = ("ghost spy switch thief", "thief")
    assert usable_treats(build_board("(B1)", *held, mixers=3), 0) == ("spy",)
    assert usable_treats(build_board("P1", *held), 0) == ("ghost",)
    assert usable_treats(build_board("P1 P2", *held), 0) == ("ghost", "switch")


def test_after_the_end_no_treat_is_usable() -> None:
    end = {"kind": "end_deal"}
    board = play_actions(board_with_treats("compass spy", tricks_left=0), end)
    assert board.is_finished
    assert usable_treats(board, 0) == ()
