"""What holds on every board of Tricks and Treats, whatever is done with it."""

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.rules import MatchState, play, start
from scoring.rules.tricks_and_treats.actions import peek, replay
from scoring.rules.tricks_and_treats.board import Board, Place, grid_places
from scoring.rules.tricks_and_treats.turning import all_faces, begin
from tests.scoring.rules.tricks_and_treats.boards import (
    Action,
    everywhere,
    options,
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
few = settings(max_examples=6, deadline=None)


def whole_game(
    seats: int, chosen: dict[str, Any], seed: int
) -> tuple[Board, list[tuple[Action, Board]]]:
    board = begin(seats, options(**chosen), seed)
    return board, list(play_board(board, Random(seed)))


def same_for_all(board: Board, other: Board) -> bool:
    public = (
        "visible_cells",
        "trumps",
        "box",
        "mixers",
        "claimed",
        "deck",
        "leader",
        "won",
    )
    return all(getattr(board, name) == getattr(other, name) for name in public)


@few
@given(GAMES)
def test_each_of_the_82_tokens_is_always_in_one_place(game: tuple[Any, ...]) -> None:
    board, played = whole_game(*game)
    faces = sorted(all_faces(board.options["treats"]))
    assert len(faces) == 82
    for one in (board, *(now for _action, now in played)):
        assert sorted(everywhere(one).elements()) == faces
        places = [cell.place for cell in one.grid]
        assert len(set(places)) == len(places)


@few
@given(GAMES)
def test_deals_of_a_board_are_accepted_and_finish(game: tuple[Any, ...]) -> None:
    """treats.score and treats.end"""
    seats, chosen, _seed = game
    _board, played = whole_game(*game)
    state: MatchState = start("tricks_and_treats", seats, chosen)
    for action, board in played:
        if action["kind"] == "end_deal":
            state, _hand = play(state, json.loads(json.dumps(board.deals[-1].entry)))
            assert state.totals == board.totals
            assert state.finished == board.is_finished
    assert state.finished


@few
@given(GAMES)
def test_before_the_third_mixer_two_trumps_lie_face_up(game: tuple[Any, ...]) -> None:
    """treats.refill: as long as there is one to turn."""
    board, played = whole_game(*game)
    for one in (board, *(now for _action, now in played)):
        if one.mixers < 3 and one.face_down and not one.is_finished:
            assert len(one.trumps) >= 2


@few
@given(GAMES)
def test_the_same_seed_and_actions_give_the_same_board(game: tuple[Any, ...]) -> None:
    seats, chosen, seed = game
    _board, played = whole_game(*game)
    stored = json.loads(json.dumps([action for action, _now in played]))
    last = played[-1][1]
    assert replay(seats, options(**chosen), seed, stored) == last
    half = len(stored) // 2
    assert replay(seats, options(**chosen), seed, stored[:half]) == played[half - 1][1]


@few
@given(GAMES)
def test_a_peek_changes_nothing_for_others(game: tuple[Any, ...]) -> None:
    """treats.spy"""
    before, played = whole_game(*game)
    for action, board in played:
        if action["kind"] == "spy":
            lying = before.cell_at(Place(*action["cell"]))
            assert lying is not None
            assert peek(before, action) == lying.face
            assert same_for_all(before, board)
            assert len(board.held[action["seat"]]) < len(before.held[action["seat"]])
        before = board


@given(st.integers(0, 81))
def test_a_grid_has_a_place_for_each_token(count: int) -> None:
    """treats.mixer"""
    places = grid_places(count)
    assert len(set(places)) == count
    assert places == sorted(places)
    side = min(int(count**0.5), 8) if count >= 16 else 0
    assert {(row, column) for row in range(side) for column in range(side)} <= set(
        places
    )


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_chance_reaches_what_the_properties_speak_of(seats: int) -> None:
    kinds: set[str] = set()
    mixers = 0
    for seed in range(3):
        _board, played = whole_game(seats, {}, seed)
        kinds |= {action["kind"] for action, _now in played}
        mixers = max(mixers, played[-1][1].mixers)
    assert mixers == 3
    assert kinds >= {"claim", "turn", "compass", "ghost", "poison", "spy", "swap"}
    assert kinds >= {"switch", "thief"}
