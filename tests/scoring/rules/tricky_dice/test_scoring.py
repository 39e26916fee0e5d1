"""Tricky Dice: what a hand is worth, who opens next, and who wins."""

from typing import Any

import pytest

from scoring.rules import trick_answer
from tests.scoring.rules.scoring_hands import match, refused

CONTRACT = {"bidder": 1, "tricks": 6, "partner": 3}


def hand(
    contract: dict[str, Any], won: list[int], dice: list[int] | None = None
) -> dict[str, Any]:
    return {
        "contract": contract,
        "tricks_won": won,
        "die_tricks": dice or [0, 0, 0, 0],
    }


@pytest.mark.parametrize(
    ("contract", "won", "dice", "own", "scores"),
    [
        # Made: 5 and the side's tricks and die tricks for each of the two.
        (CONTRACT, [2, 3, 1, 4], [0, 1, 0, 2], False, (3, 15, 3, 15)),
        (CONTRACT, [2, 3, 1, 4], [0, 1, 0, 2], True, (2, 9, 1, 11)),
        # Set: 5 lost by each, the setting side scores as ever.
        (CONTRACT, [4, 2, 1, 3], [1, 1, 0, 2], False, (6, -5, 6, -5)),
        (CONTRACT, [4, 2, 1, 3], [1, 1, 0, 2], True, (5, -5, 1, -5)),
        # Solo: the three others are no team, whatever the option.
        ({"bidder": 2, "solo": True}, [1, 2, 6, 1], [0, 1, 2, 0], False, (1, 3, 18, 1)),
        ({"bidder": 2, "solo": True}, [2, 2, 5, 1], [0, 1, 2, 0], True, (2, 3, -10, 1)),
    ],
)
def test_a_hand_is_worth(
    contract: dict[str, Any],
    won: list[int],
    dice: list[int],
    own: bool,  # noqa: FBT001 - a column of the table
    scores: tuple[int, ...],
) -> None:
    options = {"tricks_scored": "own" if own else "team"}
    raw = hand(contract, won, dice)
    _state, (scored,) = match("tricky_dice", 4, raw, options=options)
    assert scored.scores == scores


def test_the_deal_passes_to_the_left() -> None:
    state, _hands = match(
        "tricky_dice", 4, {"dealer": 3, **hand(CONTRACT, [4, 3, 0, 3])}
    )
    assert state.next == {"dealer": 0, "starter": 1}


def test_the_highest_total_at_the_target_wins() -> None:
    raw = hand(CONTRACT, [2, 3, 1, 4])
    own = {"target": 9, "tricks_scored": "own"}
    state, _hands = match("tricky_dice", 4, raw, options=own)
    assert (state.winners, state.ranks, state.needs[0]) == ((3,), (3, 2, 4, 1), 7)


def test_a_shared_lead_is_sudden_death_until_one_is_alone_in_front() -> None:
    shared = hand(CONTRACT, [2, 3, 1, 4])
    options = {"target": 12}
    state, _hands = match("tricky_dice", 4, shared, options=options)
    assert not state.finished
    set_bid = hand(CONTRACT, [7, 1, 1, 1])
    state, _hands = match("tricky_dice", 4, shared, set_bid, options=options)
    assert state.totals == (11, 7, 11, 7)
    assert not state.finished
    alone = hand({"bidder": 0, "solo": True}, [6, 4, 0, 0])
    state, _hands = match("tricky_dice", 4, shared, set_bid, alone, options=options)
    assert state.winners == (0,)
    assert state.decided is not None
    assert state.decided.clause == "tricky_dice.end.sudden_death"


def test_sudden_death_ends_below_the_target_too() -> None:
    shared = hand(CONTRACT, [2, 3, 1, 4])
    lost = hand({"bidder": 1, "solo": True}, [1, 4, 4, 1])
    options = {"target": 12}
    state, _hands = match("tricky_dice", 4, shared, lost, options=options)
    assert (state.totals, state.winners) == ((4, 2, 7, 13), (3,))
    lower = hand({"bidder": 3, "tricks": 8, "partner": 1}, [9, 0, 0, 1])
    own = {"target": 12, "tricks_scored": "own"}
    state, _hands = match("tricky_dice", 4, shared, lower, options=own)
    assert not state.finished


@pytest.mark.parametrize(
    ("bids", "contract"),
    [
        ([[1, 4], [2, "pass"], [3, "pass"], [0, "pass"]], {**CONTRACT, "tricks": 4}),
        ([[1, "solo"]], {"bidder": 1, "solo": True}),
        (
            [[1, 9], [2, "pass"], [3, "solo"]],
            {"bidder": 3, "solo": True},
        ),
        (
            [[1, 4], [2, "pass"], [3, 5], [0, "pass"], [1, 6], [3, "pass"]],
            CONTRACT,
        ),
    ],
)
def test_an_auction_leads_to_its_contract(
    bids: list[Any], contract: dict[str, Any]
) -> None:
    raw = {"bids": bids, **hand(contract, [2, 3, 1, 4])}
    assert refused("tricky_dice", 4, raw) == []


@pytest.mark.parametrize(
    ("plays", "winner"),
    [
        (["AH", "8H*", "2C", "KD"], 2),
        (["AS", "8S", "2C", "KD"], 2),
        (["AS", "KS", "2H", "3H"], 0),
        (["8H*", "8H", "2C", "KD"], 2),
        (["2S", "3D", "4C", "5D"], 1),
    ],
)
def test_the_trick_goes_to(plays: list[str], winner: int) -> None:
    trick = {"game": "tricky_dice", "leader": 1, "trump": "8H", "plays": plays}
    assert trick_answer(trick)["winner"] == winner
