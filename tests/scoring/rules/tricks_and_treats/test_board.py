"""The board of Tricks and Treats: start, tricks, claiming, turning, refilling, ends of deals."""

import json
from dataclasses import replace
from typing import Any

import pytest

from scoring.rules import Refusal
from scoring.rules.tricks_and_treats.actions import apply_action, token_seen_by_spy
from scoring.rules.tricks_and_treats.board import VisibleCell, near_square_grid
from scoring.rules.tricks_and_treats.pieces import CARDS
from tests.scoring.rules.scoring_hands import collect_faults
from tests.scoring.rules.tricks_and_treats.boards import (
    CLAIM,
    END,
    PASS,
    TEN_FACE_DOWN,
    TRICK,
    TURN,
    all_tokens,
    build_board,
    fresh_board,
    last_events,
    play_actions,
)

# Ann leads G3, and Bo wins with G5 unless a trump wins.
PLAIN = "W1 W2 (B1)"
TRUMP = "G3 G4 W1 (B1)"
ALL_FACE_UP = "G3 G4 W1"


@pytest.mark.parametrize("seed", range(20))
def test_the_start_leaves_81_tokens_and_five_or_more_turned(seed: int) -> None:
    """treats.start"""
    board = fresh_board(seed=seed)
    face_up = [cell.face for cell in board.visible_cells if cell.face]
    treats = [face for face in board.pile if face not in CARDS]
    assert board.start_token in CARDS
    assert board.pile[0] == board.start_token
    assert board.pile_count == 1 + len(treats)
    assert len(face_up) >= 2
    assert set(face_up) <= set(CARDS)
    # Five are turned; more only until the second trump token.
    assert len(face_up) + len(treats) == 5 or (
        len(face_up) + len(treats) > 5 and len(face_up) == 2
    )
    assert len(board.grid) == 81 - len(treats)
    assert not all_tokens(board) - all_tokens(fresh_board())


@pytest.mark.parametrize(
    ("picture", "winner", "card"),
    [(PLAIN, 1, "G5"), (TRUMP, 0, "G3"), ("G4 G3 (B1)", 2, "G4")],
)
def test_a_trick_is_won_on_the_board(picture: str, winner: int, card: str) -> None:
    """treats.trick.win"""
    board = apply_action(build_board(picture), TRICK)
    assert board.pending_trick is not None
    assert board.pending_trick[:2] == (winner, card)
    assert (board.leader, board.tricks_left) == (winner, 19)
    assert [clause for clause, _text in last_events(board)] == ["treats.trick.win"]


def test_trumps_in_a_long_row_count_as_well() -> None:
    """treats.mixer: with fewer than 16 tokens, one row; it has up to 15 columns."""
    board = apply_action(build_board("(B1) . . . . . . . . . . . . G4 W1"), TRICK)
    assert board.leader == 2


def test_master_trump_wins_and_leaves_the_game() -> None:
    """treats.trick.master_trump and treats.master_trump"""
    board = build_board(TRUMP, "", "", "master_trump candy")
    board = apply_action(board, {**TRICK, "master_trump": [2]})
    assert board.leader == 2
    assert board.treats[2] == ("candy",)
    assert board.removed[-1] == "master_trump"


def test_evil_eye_hits_a_later_player_and_leaves_the_game() -> None:
    """treats.trick.evil_eye and treats.evil_eye"""
    board = build_board("G4 W1 (B1)", "evil_eye")
    board = apply_action(board, {**TRICK, "evil_eye": [{"seat": 0, "on": 2}]})
    assert board.leader == 1
    assert (board.treats[0], board.removed[-1]) == ((), "evil_eye")


def test_an_evil_eye_beats_a_master_trump() -> None:
    """treats.trick.master_trump"""
    board = build_board(PLAIN, "evil_eye", "master_trump")
    eye = {"seat": 0, "on": 1}
    board = apply_action(board, {**TRICK, "evil_eye": [eye], "master_trump": [1]})
    assert (board.leader, board.treats) == (2, ((), (), ()))


def test_the_winner_leads_the_next_trick_also_into_the_next_deal() -> None:
    """treats.trick.follow"""
    board = play_actions(
        build_board(f"{PLAIN} {TEN_FACE_DOWN}", tricks_left=1), TRICK, TURN, END
    )
    second_trick = {"kind": "trick", "plays": ["C3", "C4", "C5"]}
    assert collect_faults(
        lambda: apply_action(board, {**second_trick, "leader": 0})
    ) == [("leader", "treats.trick.follow")]
    # C5 is the third card from Bo, who led: Ann's.
    assert apply_action(board, second_trick).leader == 0


EYES = build_board(PLAIN, "evil_eye evil_eye", "evil_eye")


@pytest.mark.parametrize(
    ("changes", "field", "clause"),
    [
        ({"plays": ["G3", "G4", "G3"]}, "plays[2]", "treats.cards"),
        ({"master_trump": [1]}, "master_trump", "treats.master_trump"),
        (
            {"evil_eye": [{"seat": 2, "on": 1}]},
            "evil_eye[0].on",
            "treats.trick.evil_eye",
        ),
        (
            {"evil_eye": [{"seat": 1, "on": 1}]},
            "evil_eye[0].on",
            "treats.trick.evil_eye",
        ),
        ({"evil_eye": [{"seat": 1, "on": 2}] * 2}, "evil_eye", "treats.evil_eye"),
    ],
)
def test_refuses_invalid_trick(
    changes: dict[str, Any], field: str, clause: str
) -> None:
    assert collect_faults(lambda: apply_action(EYES, {**TRICK, **changes}))[0] == (
        field,
        clause,
    )


def test_one_player_can_cast_two_evil_eyes() -> None:
    """treats.trick.evil_eye: the leader, after whom all play, is never under one."""
    eyes = [{"seat": 0, "on": 1}, {"seat": 0, "on": 2}]
    assert apply_action(EYES, {**TRICK, "evil_eye": eyes}).leader == 0


def test_card_cannot_be_played_twice_in_a_deal() -> None:
    """treats.cards"""
    board = play_actions(build_board(PLAIN + " (B2) (B3)"), TRICK, TURN)
    repeated_trick = {"kind": "trick", "plays": ["G5", "C1", "C2"]}
    assert collect_faults(lambda: apply_action(board, repeated_trick)) == [
        ("plays[0]", "treats.cards")
    ]


def test_the_winner_may_claim_the_token_of_the_winning_card() -> None:
    """treats.trick.claim"""
    assert build_board(TRUMP).claimable_token is None
    board = apply_action(build_board(TRUMP), TRICK)
    assert board.claimable_token is not None
    assert (str(board.claimable_token.card), board.claimable_token.row) == ("G3", 0)
    assert board.required_action_kinds == ("claim", "turn")
    board = apply_action(board, CLAIM)
    assert (board.claimed_tokens[0], board.pending_trick) == (("G3",), None)
    assert [str(token.card) for token in board.face_up_trumps] == ["G4", "W1"]


@pytest.mark.parametrize("face", ["G3", "G5", "G4"])
def test_a_turned_token_that_matches_a_card_is_claimed(face: str) -> None:
    """treats.trick.turn"""
    board = play_actions(build_board(f"W1 W2 ({face})"), TRICK, TURN)
    assert board.claimed_tokens == ((), (face,), ())


@pytest.mark.parametrize(("treat", "worth"), [("evil_eye", 1), ("candy", 2)])
def test_a_turned_treat_is_taken(treat: str, worth: int) -> None:
    """treats.trick.turn and treats.candy"""
    board = play_actions(build_board(f"W1 W2 ({treat})"), TRICK, TURN)
    assert (board.treats, len(board.grid)) == (((), (treat,), ()), 2)
    assert board.totals == (0, worth, 0)


@pytest.mark.parametrize(
    ("on_box", "pile"), [(False, ("P1",)), (True, ("P1", "mixer"))]
)
def test_a_mixer_goes_on_the_box_or_on_the_pile(
    on_box: bool,  # noqa: FBT001 - a case
    pile: tuple[str, ...],
) -> None:
    """treats.trick.turn"""
    board = build_board("W1 W2 (mixer)", pile="P1", is_mixer_on_box=on_box)
    board = play_actions(board, TRICK, TURN)
    assert (board.is_mixer_on_box, board.pile) == (True, pile)


def test_a_bomb_takes_its_neighbours_to_the_pile() -> None:
    """treats.bomb"""
    board = build_board(
        """
        W1  P5     P6     B1
        P7  (bomb) .      B2
        P8  P9     candy  B3
        B4  B5     B6     B7
        """.replace("candy", "(candy)")
    )
    # Chance picks the token to turn: find a seed that picks the bomb, not the candy.
    board = replace(board, seed=next(s for s in range(99) if is_bomb_turned(board, s)))
    board = play_actions(board, TRICK, TURN)
    assert sorted(board.pile) == ["P5", "P6", "P7", "P8", "P9", "W1", "candy"]
    assert board.removed[-1] == "bomb"
    assert len(board.grid) == 7


def is_bomb_turned(board: Any, seed: int) -> bool:
    return "bomb" in play_actions(replace(board, seed=seed), TRICK, TURN).removed


def test_bomb_removes_tokens_from_the_game_after_the_third_mixer() -> None:
    """treats.mixer: what would go to the mixer pile is out of the game."""
    board = play_actions(build_board("P1 (bomb) P2", mixers=3), TRICK, TURN)
    assert (board.grid, board.pile) == ((), ())
    assert {"P1", "P2", "bomb"} <= set(board.removed)


def test_without_a_token_to_turn_the_winner_may_claim_or_pass() -> None:
    """treats.trick.claim: may."""
    board = apply_action(build_board(ALL_FACE_UP), TRICK)
    assert board.required_action_kinds == ("claim", "pass")
    assert apply_action(board, PASS).required_action_kinds == ("trick",)


def test_with_one_trump_left_five_tokens_are_turned() -> None:
    """treats.refill"""
    board = play_actions(
        build_board("G3 W1 (B1) (B2) (candy) (bomb) (mixer) "), TRICK, CLAIM
    )
    assert {str(token.card) for token in board.face_up_trumps} == {"W1", "B1", "B2"}
    # Not taken, not exploded, not on the box.
    assert sorted(board.pile) == ["bomb", "candy", "mixer"]
    assert (board.is_mixer_on_box, board.treats[0]) == (False, ())
    assert [clause for clause, _text in last_events(board)][1] == "treats.refill"


def test_no_token_is_refilled_after_the_third_mixer() -> None:
    """treats.refill"""
    board = play_actions(build_board("G3 (B1) (B2)", mixers=3), TRICK, CLAIM)
    assert board.face_up_trumps == ()
    assert not board.has_mixers_left


def test_a_refused_action_names_its_deal() -> None:
    board = fresh_board(3)
    for function in (apply_action, token_seen_by_spy):
        with pytest.raises(Refusal) as refusal:
            function(board, {"unknown": 1})
        assert {fault.hand for fault in refusal.value.faults} == {1}
    assert apply_action(board, TRICK).action_count == board.action_count + 1


def test_a_deal_ends_when_all_cards_are_played() -> None:
    """treats.cards"""
    board = build_board(TRUMP, tricks_left=1)
    assert collect_faults(lambda: apply_action(board, END)) == [
        ("kind", "treats.cards")
    ]
    board = apply_action(board, TRICK)
    assert collect_faults(lambda: apply_action(board, END)) == [
        ("kind", "treats.cards")
    ]
    board = apply_action(board, CLAIM)
    assert board.required_action_kinds == ("end_deal",)
    assert collect_faults(lambda: apply_action(board, TRICK)) == [
        ("kind", "treats.cards")
    ]


def test_the_end_of_a_deal_gives_its_entry() -> None:
    """treats.score"""
    board = build_board(
        f"G3 W1 W2 {TEN_FACE_DOWN}", "candy spy candy", "", "ghost", tricks_left=1
    )
    board = play_actions(board, TRICK, CLAIM, END)
    assert board.deals[-1].raw_deal == {
        "tokens": [1, 0, 0],
        "treats": [{"candy": 2, "spy": 1}, {}, {"ghost": 1}],
        "grid_left": 12,
    }
    assert json.loads(json.dumps(board.deals[-1].raw_deal)) == board.deals[-1].raw_deal
    # The next deal counts from zero; the totals stay.
    assert board.current_deal.tokens == (0, 0, 0)
    assert (board.totals, board.tricks_left) == ((6, 0, 1), 20)


@pytest.mark.parametrize(("tokens_left", "is_finished"), [(10, True), (11, False)])
def test_with_ten_tokens_left_the_game_is_over(
    tokens_left: int,
    is_finished: bool,  # noqa: FBT001 - a case
) -> None:
    """treats.end: a mixer on the box lays out nothing more."""
    face_down = " ".join(f"(C{number})" for number in range(1, tokens_left - 1))
    board = build_board(
        f"G3 W1 W2 {face_down}", "compass", tricks_left=1, is_mixer_on_box=True
    )
    board = play_actions(board, TRICK, CLAIM, END)
    assert board.is_finished == is_finished
    assert board.is_mixer_on_box == is_finished
    assert bool(board.required_action_kinds) == (not is_finished)
    compass = {"kind": "compass", "seat": 0, "box": "top"}
    refusal = [("", "record.finished")]
    assert collect_faults(lambda: apply_action(board, compass)) == (
        refusal if is_finished else []
    )


def test_mixer_lays_out_grid_and_pile_again() -> None:
    """treats.mixer"""
    board = build_board(
        f"G3 W1 W2 {TEN_FACE_DOWN} . (bomb)",
        pile="P1 P2 P3 mixer candy ghost",
        tricks_left=1,
        is_mixer_on_box=True,
    )
    board = play_actions(board, TRICK, CLAIM, END)
    assert (board.mixers, board.is_mixer_on_box) == (1, False)
    assert board.deals[-1].grid_left == 13
    # 13 tokens and 6 of the pile: a square of 16, and three more on the right side.
    assert last_events(board)[1] == (
        "treats.mixer",
        "Mixer 1 lays out 19 tokens again.",
    )
    assert [clause for clause, _text in last_events(board)][-1] == "treats.refill"
    assert len(board.face_up_trumps) >= 2
    assert {cell.column for cell in board.visible_cells} <= {0, 1, 2, 3, 4}
    assert len(board.grid) + board.pile_count == 19
    assert board.removed[-1] == "mixer"


def test_the_third_mixer_ends_the_pile_and_the_bombs() -> None:
    """treats.mixer and treats.bomb"""
    board = build_board(
        f"G3 W1 W2 {TEN_FACE_DOWN} (bomb)",
        pile="P1 P2",
        tricks_left=1,
        mixers=2,
        is_mixer_on_box=True,
    )
    board = play_actions(board, TRICK, CLAIM, END)
    assert (board.mixers, board.pile, board.removed[-2:]) == (3, (), ("mixer", "bomb"))
    # One row, and no token is turned until a trick is won.
    assert board.visible_cells == tuple(
        VisibleCell(0, column, None) for column in range(14)
    )
    assert board.required_action_kinds == ("trick",)


@pytest.mark.parametrize(
    ("count", "rows"),
    [
        (15, [15]),
        (16, [4, 4, 4, 4]),
        (19, [5, 5, 5, 4]),
        (22, [5, 5, 5, 5, 2]),
        (25, [5, 5, 5, 5, 5]),
        (80, [9] * 8 + [8]),
        # Also the first grid of all (treats.start).
        (81, [9] * 9),
    ],
)
def test_grid_grows_right_then_down(count: int, rows: list[int]) -> None:
    """treats.mixer"""
    places = near_square_grid(count)
    assert [
        len([place for place in places if place.row == row])
        for row in range(places[-1].row + 1)
    ] == rows


def test_a_shrinking_deck_loses_the_cards_whose_tokens_left_the_game() -> None:
    """treats.cards: those claimed, and those out; not those of the mixer pile."""
    board = build_board(
        f"G3 W1 W2 {TEN_FACE_DOWN}",
        pile="P1 P2",
        tricks_left=1,
        options={"shrinking_deck": True},
    )
    board = play_actions(board, TRICK, CLAIM, END)
    expected_cards = [
        "P1",
        "P2",
        "W1",
        "W2",
        *(f"C{number}" for number in range(1, 11)),
    ]
    assert sorted(board.deck) == sorted(expected_cards)
    assert board.tricks_left == 4
    trick = {"kind": "trick", "plays": ["C1", "G3", "W1"]}
    assert collect_faults(lambda: apply_action(board, trick)) == [
        ("plays[1]", "treats.cards")
    ]


def test_deck_that_shrinks_too_far_is_restored() -> None:
    """treats.cards: the rules are silent; the game must be able to end."""
    treats = "(candy) " * 4 + "(spy) (spy) (swap) (poison) (switch) (thief)"
    board = build_board(
        f"G3 W1 {treats}", tricks_left=1, mixers=3, options={"shrinking_deck": True}
    )
    assert len(play_actions(board, TRICK, CLAIM, END).deck) == 60
