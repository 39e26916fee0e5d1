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
