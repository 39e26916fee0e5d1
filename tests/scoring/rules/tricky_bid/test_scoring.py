"""Tricky Bid: antes, tricks, rounds and winners."""

import json
from pathlib import Path

import pytest

from scoring.rules import trick_answer
from tests.scoring.rules.scoring_hands import match

CASES = Path(__file__).parents[3] / "cases" / "tricky_bid.json"


@pytest.mark.parametrize(
    ("seats", "most"), [(2, 205), (3, 225), (4, 393), (5, 309), (6, 428)]
)
def test_a_round_is_worth_at_most_the_highest_antes(seats: int, most: int) -> None:
    _state, (scored,) = match(
        "tricky_bid", seats, {"points": [most] + [0] * (seats - 1)}
    )
    assert sum(scored.scores) == most


def test_the_match_ends_when_everybody_has_dealt() -> None:
    rounds = [{"points": [30, 10]}, {"points": [0, 10]}]
    state, _hands = match("tricky_bid", 2, *rounds)
    assert (state.winners, state.ranks, state.next) == ((0,), (1, 2), None)


def test_all_who_share_the_highest_total_win() -> None:
    rounds = [{"points": [10, 20]}, {"points": [10, 0]}]
    state, _hands = match("tricky_bid", 2, *rounds)
    assert (state.winners, state.ranks) == ((0, 1), (1, 1))


def test_the_deal_passes_to_the_left_and_nobody_is_told_what_they_need() -> None:
    state, _hands = match("tricky_bid", 3, {"dealer": 1, "points": [1, 2, 3]})
    assert state.next == {"dealer": 2, "starter": 0}
    assert state.needs == (None, None, None)


def test_a_revoke_is_found_and_a_card_put_up_as_ante_is_not_held() -> None:
    record = json.loads(CASES.read_text())[2]["record"]
    hand = record["hands"][0]
    swapped = json.loads(json.dumps(hand))
    # Seat 0 follows P9 in trick 5 with yellow while pink cards are still to come.
    swapped["tricks"][4]["plays"] = ["P7", "Y3"]
    swapped["tricks"][3]["plays"] = ["Y1", "P11"]
    _state, (scored,) = match("tricky_bid", 2, swapped)
    found = [(finding.trick, finding.seat) for finding in scored.findings]
    assert found
    assert all(
        finding.clause == "tricky_bid.trick.follow" for finding in scored.findings
    )


@pytest.mark.parametrize(
    ("plays", "trump", "winner", "ante"),
    [
        (["P15", "P2", "P4", "G1"], "G", 3, 11),
        (["P15", "P2", "P4", "G1"], "R", 0, 9),
        (["P2", "P15", "P4", "G1"], "R", 1, 11),
        (["P2", "G15", "P4", "G1"], "R", 2, 9),
    ],
)
def test_the_winner_takes_the_antes_of_their_own_ante_colour(
    plays: list[str], trump: str, winner: int, ante: int
) -> None:
    answer = trick_answer(
        {
            "game": "tricky_bid",
            "players": 4,
            "leader": 0,
            "trump": trump,
            "antes": ["Y6", "B11", "Y3", "B0"],
            "plays": plays,
        }
    )
    assert (answer["winner"], answer["ante_won"]) == (winner, ante)


def test_a_trick_without_antes_says_who_won() -> None:
    answer = trick_answer(
        {
            "game": "tricky_bid",
            "players": 2,
            "leader": 1,
            "trump": "Y",
            "plays": ["P1", "P2"],
        }
    )
    assert answer["winner"] == 0
    assert "ante_won" not in answer


def test_equal_totals_are_no_tie_that_anything_breaks() -> None:
    state, _hands = match("tricky_bid", 3, {"points": [5, 5, 0]})
    assert state.ranks == (1, 1, 3)
    assert state.game.broke_tie(state, 0, 1) is None
