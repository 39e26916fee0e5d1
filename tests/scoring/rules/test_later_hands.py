"""After a refused hand, only faults that are certain are reported."""

from random import Random
from typing import Any

import pytest

from scoring.games.random_match import generate_match
from scoring.rules import Refusal
from scoring.rules.match_record import score_match

DICE_HAND: dict[str, Any] = {
    "contract": {"bidder": 1, "tricks": 4, "partner": 3},
    "tricks_won": [2, 3, 1, 4],
    "die_tricks": [0, 1, 0, 2],
}
TRICKY_HAND: dict[str, Any] = {
    "contract": {"bidder": 1, "bid": 96, "trump": 7},
    "points": [140, 120, 101],
}


def faults(game: str, players: int, hands: list[Any], **options: Any) -> list[Any]:
    """Return number, clause and field of every fault in a match."""
    record = {
        "format": "trick-record",
        "version": 1,
        "game": game,
        "options": options,
        "players": ["Ann", "Bo", "Cy", "Di"][:players],
        "hands": hands,
    }
    with pytest.raises(Refusal) as refusal:
        score_match(record)
    return [(fault.hand, fault.clause, fault.field) for fault in refusal.value.faults]


def auction(first: int) -> list[list[Any]]:
    """Return bids in which the first seat goes solo."""
    return [[first, "solo"]]


def test_deal_of_tricky_dice_rotates_after_a_refused_hand() -> None:
    refused_hand = {**DICE_HAND, "dealer": 1, "tricks_won": [9, 9, 9, 9]}
    solo = {**DICE_HAND, "contract": {"bidder": 0, "solo": True}, "bids": auction(0)}
    found = faults("tricky_dice", 4, [refused_hand, DICE_HAND, solo], target=500)
    assert {hand for hand, _clause, _field in found} == {1}
    wrong = {**solo, "contract": {"bidder": 2, "solo": True}, "bids": auction(2)}
    found = faults("tricky_dice", 4, [refused_hand, DICE_HAND, wrong], target=500)
    assert (3, "tricky_dice.bid.open", "bids[0]") in found


def test_dealer_is_unknown_after_an_invalid_dealer() -> None:
    solo = {**DICE_HAND, "contract": {"bidder": 2, "solo": True}, "bids": auction(2)}
    for dealer in ("x", 7):
        found = faults(
            "tricky_dice", 4, [{**DICE_HAND, "dealer": dealer}, solo], target=500
        )
        assert [hand for hand, _clause, _field in found] == [1]


def test_tricky_bid_tricks_are_not_judged_without_a_known_starter() -> None:
    record = generate_match("tricky_bid", 4, {}, Random(5), tricks=True, most_hands=2)
    first, second = record.hands
    assert "tricks" in second
    assert faults("tricky_bid", 4, [{**first, "dealer": "x"}, second]) == [
        (1, "record.format", "dealer")
    ]


def test_match_with_a_refused_hand_is_not_reported_as_over() -> None:
    refused_hand = {**TRICKY_HAND, "points": [-1, 120, 101]}
    found = faults("tricky", 3, [refused_hand, TRICKY_HAND, TRICKY_HAND], target=500)
    assert {hand for hand, _clause, _field in found} == {1}


def test_hand_after_the_end_is_reported_despite_other_faults() -> None:
    found = faults("tricky", 3, [TRICKY_HAND, TRICKY_HAND, {}], target=500)
    assert (2, "record.finished", "") in found
    assert (3, "record.finished", "") in found


def test_first_bidder_stays_unknown_while_the_highest_score_is_shared() -> None:
    refused_hand = {**TRICKY_HAND, "points": [-1, 120, 101]}
    passed_out = {"passed_out": True, "bids": [[s, "pass"] for s in (2, 0, 1)]}
    found = faults("tricky", 3, [refused_hand, passed_out, passed_out])
    assert {hand for hand, _clause, _field in found} == {1}
    tied_hand = {**TRICKY_HAND, "contract": {"bidder": 1, "bid": 200, "trump": 7}}
    tied_hand = {**tied_hand, "points": [150, 40, 150]}
    assert {
        hand
        for hand, *_rest in faults("tricky", 3, [refused_hand, tied_hand, passed_out])
    } == {1}


def test_only_the_first_fault_of_an_auction_is_reported() -> None:
    bids = [[1, 4], [2, "pass"], [7, 5], [0, 6], [1, "pass"]]
    found = faults("tricky_dice", 4, [{**DICE_HAND, "bids": bids}])
    assert found == [(1, "record.format", "bids[2]")]


def test_hand_that_is_not_an_object_leaves_the_state_unknown() -> None:
    assert [hand for hand, *_rest in faults("tricky_dice", 4, [7, DICE_HAND])] == [1]
