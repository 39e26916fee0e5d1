"""Invariants of every board of Tricks and Treats."""

import json
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.rules import MatchState, play, start
from scoring.rules.tricks_and_treats.actions import token_seen_by_spy
from scoring.rules.tricks_and_treats.board import Board, GridPosition, near_square_grid
from scoring.rules.tricks_and_treats.turning import list_all_faces, new_board
from tests.scoring.rules.tricks_and_treats.boards import (
    Action,
    all_tokens,
    options,
    play_actions,
    play_board,
)

WILD = {"bomb": 4, "ghost": 3, "poison": 3, "spy": 3, "switch": 3, "thief": 3}
MIXES: list[dict[str, Any]] = [
    {},
    {"shrinking_deck": True},
    {"treats": {"mixer": 3, **WILD}, "shrinking_deck": True},
    {"treats": {"mixer": 3, "candy": 19}},
]
GAMES = st.tuples(st.integers(3, 6), st.sampled_from(MIXES), st.integers(0, 2**63 - 1))


def play_whole_game(
    seats: int, changes: dict[str, Any], seed: int
) -> tuple[Board, list[tuple[Action, Board]]]:
    board = new_board(seats, options(**changes), seed)
    return board, list(play_board(board, Random(seed)))


def is_publicly_equal(board: Board, other: Board) -> bool:
    public_attributes = (
        "visible_cells",
        "face_up_trumps",
        "box",
        "mixers",
        "claimed_tokens",
        "deck",
        "leader",
        "pending_trick",
    )
    return all(
        getattr(board, name) == getattr(other, name) for name in public_attributes
    )


@settings(max_examples=12, deadline=None)
@given(GAMES)
def test_board_invariants_hold_to_the_end(game: tuple[Any, ...]) -> None:
    """treats.refill, treats.score, treats.end and treats.spy"""
    seats, changes, _seed = game
    before, steps = play_whole_game(*game)
    faces = sorted(list_all_faces(before.options["treats"]))
    assert len(faces) == 82
    state: MatchState = start("tricks_and_treats", seats, changes)
    for action, board in steps:
        # Each token is in one place, and each place has one token.
        assert sorted(all_tokens(board).elements()) == faces
        assert len({cell.place for cell in board.grid}) == len(board.grid)
        if board.mixers < 3 and board.face_down_cells and not board.is_finished:
            assert len(board.face_up_trumps) >= 2
        if action["kind"] == "end_deal":
            state, _hand = play(state, json.loads(json.dumps(board.deals[-1].raw_deal)))
            assert (state.totals, state.finished) == (board.totals, board.is_finished)
        if action["kind"] == "spy":
            spied_cell = before.cell_at(GridPosition(*action["cell"]))
            assert spied_cell is not None
            assert token_seen_by_spy(before, action) == spied_cell.face
            assert is_publicly_equal(before, board)
            assert len(board.treats[action["seat"]]) < len(
                before.treats[action["seat"]]
            )
        before = board
    assert state.finished


@settings(max_examples=4, deadline=None)
@given(GAMES)
def test_the_same_seed_and_actions_give_the_same_board(game: tuple[Any, ...]) -> None:
    start_board, steps = play_whole_game(*game)
    stored = json.loads(json.dumps([action for action, _board in steps]))
    for count in (len(stored) // 2, len(stored)):
        assert play_actions(start_board, *stored[:count]) == steps[count - 1][1]


@given(st.integers(0, 81))
def test_a_grid_has_a_place_for_each_token(count: int) -> None:
    """treats.mixer"""
    places = near_square_grid(count)
    assert len(set(places)) == count
    assert places == sorted(places)
    side = min(int(count**0.5), 8) if count >= 16 else 0
    assert {(row, column) for row in range(side) for column in range(side)} <= set(
        places
    )
