"""Tricky Dice: a shared lead is played on until one is alone in front."""

from typing import Any

from tests.scoring.rules.scoring_hands import match

CONTRACT = {"bidder": 1, "tricks": 6, "partner": 3}


def hand(
    contract: dict[str, Any], won: list[int], dice: list[int] | None = None
) -> dict[str, Any]:
    return {
        "contract": contract,
        "tricks_won": won,
        "die_tricks": dice or [0, 0, 0, 0],
    }


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
