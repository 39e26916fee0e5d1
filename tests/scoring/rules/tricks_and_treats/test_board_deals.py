"""The board of Tricks and Treats: the end of a deal, mixers, the deck, the end."""

import json

import pytest

from scoring.rules.tricks_and_treats.actions import act
from scoring.rules.tricks_and_treats.board import VisibleCell, grid_places
from tests.scoring.rules.scoring_hands import reasons
from tests.scoring.rules.tricks_and_treats.boards import (
    CLAIM,
    END,
    TRICK,
    WIDE,
    after,
    fresh,
    laid,
    told,
)

TRUMP = "G3 G4 W1 (B1)"
"""Ann leads G3, and wins with it."""


# The end.


def test_a_deal_ends_when_all_cards_are_played() -> None:
    """treats.cards"""
    board = laid(TRUMP, tricks_left=1)
    assert reasons(lambda: act(board, END)) == [("kind", "treats.cards")]
    board = act(board, TRICK)
    assert reasons(lambda: act(board, END)) == [("kind", "treats.cards")]
    board = act(board, CLAIM)
    assert board.steps == ("end_deal",)
    assert reasons(lambda: act(board, TRICK)) == [("kind", "treats.cards")]


def test_the_end_of_a_deal_gives_its_entry() -> None:
    """treats.score"""
    board = laid(f"G3 W1 W2 {WIDE}", "candy spy candy", "", "ghost", tricks_left=1)
    board = after(board, TRICK, CLAIM, END)
    assert board.deals[-1].entry == {
        "tokens": [1, 0, 0],
        "treats": [{"candy": 2, "spy": 1}, {}, {"ghost": 1}],
        "grid_left": 12,
    }
    assert json.loads(json.dumps(board.deals[-1].entry)) == board.deals[-1].entry
    # The next deal counts anew, of what was claimed for good.
    assert board.deal.tokens == (0, 0, 0)
    assert (board.totals, board.tricks_left) == ((6, 0, 1), 20)
    assert told(board)[0] == (
        "treats.end",
        "The deal ends with 12 tokens in the grid.",
    )


@pytest.mark.parametrize(("left", "finished"), [(10, True), (11, False)])
def test_with_ten_tokens_left_the_game_is_over(
    left: int,
    finished: bool,  # noqa: FBT001 - a case
) -> None:
    """treats.end: a mixer on the box lays out nothing more."""
    down = " ".join(f"(C{number})" for number in range(1, left - 1))
    board = laid(f"G3 W1 W2 {down}", "compass", tricks_left=1, is_mixer_on_box=True)
    board = after(board, TRICK, CLAIM, END)
    assert board.is_finished == finished
    assert board.is_mixer_on_box == finished
    assert bool(board.steps) == (not finished)
    again = {"kind": "compass", "seat": 0, "box": "top"}
    over = [("", "record.finished")]
    assert reasons(lambda: act(board, again)) == (over if finished else [])


def test_a_mixer_lays_out_grid_and_pile_anew() -> None:
    """treats.mixer"""
    board = laid(
        f"G3 W1 W2 {WIDE} . (bomb)",
        pile="P1 P2 P3 mixer candy ghost",
        tricks_left=1,
        is_mixer_on_box=True,
    )
    board = after(board, TRICK, CLAIM, END)
    assert (board.mixers, board.is_mixer_on_box) == (1, False)
    assert board.deals[-1].grid_left == 13
    # 13 tokens and 6 of the pile: a square of 16, and three more on the right side.
    assert told(board)[1] == (
        "treats.mixer",
        "Mixer number 1: 19 tokens are laid out anew.",
    )
    assert [clause for clause, _text in told(board)][-1] == "treats.refill"
    assert len(board.trumps) >= 2
    assert {cell.column for cell in board.visible_cells} <= {0, 1, 2, 3, 4}
    assert len(board.grid) + board.pile_count == 19
    assert board.out[-1] == "mixer"


def test_the_third_mixer_ends_the_pile_and_the_bombs() -> None:
    """treats.mixer and treats.bomb"""
    board = laid(
        f"G3 W1 W2 {WIDE} (bomb)",
        pile="P1 P2",
        tricks_left=1,
        mixers=2,
        is_mixer_on_box=True,
    )
    board = after(board, TRICK, CLAIM, END)
    assert (board.mixers, board.pile, board.out[-2:]) == (3, (), ("mixer", "bomb"))
    # One row; and no token is turned any more until a trick is won.
    assert board.visible_cells == tuple(
        VisibleCell(0, column, None) for column in range(14)
    )
    assert board.steps == ("trick",)


@pytest.mark.parametrize(
    ("count", "rows"),
    [
        (15, [15]),
        (16, [4, 4, 4, 4]),
        (19, [5, 5, 5, 4]),
        (20, [5, 5, 5, 5]),
        (22, [5, 5, 5, 5, 2]),
        (24, [5, 5, 5, 5, 4]),
        (25, [5, 5, 5, 5, 5]),
        (36, [6] * 6),
        (48, [7] * 6 + [6]),
        (49, [7] * 7),
        (64, [8] * 8),
        (80, [9] * 8 + [8]),
        # Also the first grid of all (treats.start).
        (81, [9] * 9),
    ],
)
def test_the_grid_grows_to_the_right_then_below(count: int, rows: list[int]) -> None:
    """treats.mixer"""
    places = grid_places(count)
    assert [
        len([place for place in places if place.row == row])
        for row in range(places[-1].row + 1)
    ] == rows


# The deck.


@pytest.mark.parametrize(("seats", "each"), [(3, 20), (4, 15), (5, 12), (6, 10)])
def test_all_cards_are_dealt(seats: int, each: int) -> None:
    """treats.cards"""
    assert fresh(seats).cards_each == fresh(seats).tricks_left == each


def test_a_shrinking_deck_loses_the_cards_whose_tokens_left_the_game() -> None:
    """treats.cards: those claimed, and those out; not those of the mixer pile."""
    board = laid(
        f"G3 W1 W2 {WIDE}",
        pile="P1 P2",
        tricks_left=1,
        options={"shrinking_deck": True},
    )
    board = after(board, TRICK, CLAIM, END)
    numbers = ["P1", "P2", "W1", "W2", *(f"C{number}" for number in range(1, 11))]
    assert sorted(board.deck) == sorted(numbers)
    assert board.tricks_left == 4
    gone = {"kind": "trick", "plays": ["C1", "G3", "W1"]}
    assert reasons(lambda: act(board, gone)) == [("plays[1]", "treats.cards")]


def test_a_deck_that_shrank_too_far_is_whole_again() -> None:
    """treats.cards: the rules are silent; the game must be able to end."""
    treats = "(candy) " * 4 + "(spy) (spy) (swap) (poison) (switch) (thief)"
    board = laid(
        f"G3 W1 {treats}", tricks_left=1, mixers=3, options={"shrinking_deck": True}
    )
    assert len(after(board, TRICK, CLAIM, END).deck) == 60


# Actions.


@pytest.mark.parametrize(
    ("action", "field"),
    [
        ([], ""),
        ({}, "kind"),
        ({"kind": "candy"}, "kind"),
        ({"kind": ["turn"]}, "kind"),
        ({"kind": "turn", "cell": [0, 0]}, "cell"),
    ],
)
def test_it_refuses_what_is_no_action(action: object, field: str) -> None:
    assert reasons(lambda: act(fresh(), action)) == [(field, "record.format")]
