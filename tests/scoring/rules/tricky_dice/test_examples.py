"""Worked examples of Tricky Dice's clauses on tricks, sides and ends."""

import json
from pathlib import Path
from typing import Any

import pytest

from scoring.rules import trick_answer
from tests.scoring.rules.scoring_hands import (
    hand_faults,
    play_hands,
    replace_value,
    trick_faults,
)

TRICKS_WON = [2, 3, 1, 4]
DIE_TRICKS = [0, 1, 0, 2]


@pytest.mark.parametrize(
    ("plays", "winner"),
    [
        # No trump: the highest of the led suit, not of another.
        ("2C KD AD TC", 3),
        # The trump die's rank is above the ace, in every suit.
        ("AC 8C KC 2D", 1),
        # The highest trump.
        ("AC 2H 3H* KC", 2),
        ("AC AH 8H* KC", 2),
        # A card beats a die of the same rank and suit.
        ("TC* TC 2C 3C", 1),
        ("TC TC* 2C 3C", 0),
    ],
)
def test_a_trick_is_won(plays: str, winner: int) -> None:
    answer = trick_answer(
        {"game": "tricky_dice", "leader": 0, "trump": "8H", "plays": plays.split()}
    )
    assert (answer["winner"], answer["clause"]) == (winner, "tricky_dice.trick.win")


@pytest.mark.parametrize(
    ("contract", "is_scored_alone", "scores", "clause"),
    [
        # Seats 1 and 3 took 7 tricks, 3 of them with dice; the others 3.
        ({"bidder": 1, "tricks": 7, "partner": 3}, False, (3, 15, 3, 15), "made"),
        ({"bidder": 1, "tricks": 7, "partner": 3}, True, (2, 9, 1, 11), "made"),
        ({"bidder": 1, "tricks": 8, "partner": 3}, False, (3, -5, 3, -5), "set"),
        ({"bidder": 1, "tricks": 8, "partner": 3}, True, (2, -5, 1, -5), "set"),
        # Alone it is six tricks; there are no teams then, whatever the option.
        ({"bidder": 3, "solo": True}, False, (2, 4, 1, -10), "solo"),
        ({"bidder": 3, "solo": True}, True, (2, 4, 1, -10), "solo"),
    ],
)
def test_the_sides_score(
    contract: dict[str, Any],
    *,
    is_scored_alone: bool,
    scores: tuple[int, ...],
    clause: str,
) -> None:
    """tricky_dice.score.made, tricky_dice.score.set, and tricky_dice.score.setting."""
    raw = {"contract": contract, "tricks_won": TRICKS_WON, "die_tricks": DIE_TRICKS}
    options = {"tricks_scored": "own" if is_scored_alone else "team"}
    _state, (hand,) = play_hands("tricky_dice", 4, raw, options=options)
    assert hand.scores == scores
    clauses = {line.seat: line.clause for line in hand.explanation}
    assert clauses[contract["bidder"]] == f"tricky_dice.score.{clause}"
    assert clauses[0] == "tricky_dice.score.setting"


def test_a_solo_made_scores_ten_more() -> None:
    """tricky_dice.score.solo"""
    raw = {
        "contract": {"bidder": 0, "solo": True},
        "tricks_won": [6, 2, 1, 1],
        "die_tricks": [2, 0, 1, 0],
    }
    _state, (hand,) = play_hands("tricky_dice", 4, raw)
    assert hand.scores == (18, 2, 2, 1)


def test_the_winner_of_a_trick_leads_the_next_and_must_follow() -> None:
    """tricky_dice.trick.lead, tricky_dice.trick.follow and tricky_dice.joker.

    Seat 1 leads spades and takes them; a joker is recorded as the face it shows.
    Seat 2 discards a heart on the first spade and yet plays a spade at the end.
    """
    suits = {1: "S", 2: "H", 3: "D", 0: "C"}
    cards = {
        seat: [f"{rank}{suit}" for rank in "AKQJT976"] + [f"3{suit}*", f"4{suit}*"]
        for seat, suit in suits.items()
    }
    cards[2][-1] = "2S*"
    tricks = [[cards[seat][turn] for seat in (1, 2, 3, 0)] for turn in range(10)]
    raw = {"trump": "8S", "contract": {"bidder": 1, "solo": True}, "tricks": tricks}
    _state, (hand,) = play_hands("tricky_dice", 4, raw)
    assert hand.scores == (0, 22, 0, 0)
    found = {(finding.seat, finding.clause) for finding in hand.findings}
    assert found == {(2, "tricky_dice.trick.follow")}
    assert [finding.trick for finding in hand.findings] == list(range(1, 10))


def test_the_deal_passes_to_the_left() -> None:
    """tricky_dice.dealer"""
    contract = {"bidder": 1, "tricks": 7, "partner": 3}
    raw = {"contract": contract, "tricks_won": TRICKS_WON, "die_tricks": DIE_TRICKS}
    state, _hands = play_hands("tricky_dice", 4, {"dealer": 3, **raw}, raw)
    assert state.next_lead_seats == {"dealer": 1, "starter": 2}


def test_highest_score_wins_once_the_target_is_reached() -> None:
    """tricky_dice.end.target and tricky_dice.end.ranks: others share a rank."""
    contract = {"bidder": 1, "tricks": 7, "partner": 2}
    raw = {"contract": contract, "tricks_won": [2, 5, 2, 1], "die_tricks": [0, 0, 0, 1]}
    options = {"target": 12, "tricks_scored": "own"}
    state, _hands = play_hands("tricky_dice", 4, raw, options={**options, "target": 10})
    assert (state.totals, state.winners, state.ranks) == (
        (2, 10, 7, 2),
        (1,),
        (3, 1, 2, 3),
    )
    state, _hands = play_hands("tricky_dice", 4, raw, options=options)
    assert (state.finished, state.points_needed) == (False, (10, 2, 5, 10))


SIDE = {"bidder": 1, "tricks": 6, "partner": 3}


def sums(contract: dict[str, Any], *won: int) -> dict[str, Any]:
    return {"contract": contract, "tricks_won": list(won), "die_tricks": [0, 0, 0, 0]}


SHARED = sums(SIDE, 2, 3, 1, 4)
SET = sums(SIDE, 7, 1, 1, 1)
ALONE = sums({"bidder": 0, "solo": True}, 6, 4, 0, 0)
LOST = sums({"bidder": 1, "solo": True}, 1, 4, 4, 1)


@pytest.mark.parametrize(
    ("hands", "totals", "winners"),
    [
        ([SHARED], (3, 12, 3, 12), ()),
        ([SHARED, SET], (11, 7, 11, 7), ()),
        ([SHARED, SET, ALONE], (27, 11, 11, 7), (0,)),
        # Sudden death ends below the target too.
        ([SHARED, LOST], (4, 2, 7, 13), (3,)),
    ],
)
def test_shared_lead_means_sudden_death(
    hands: list[dict[str, Any]],
    totals: tuple[int, ...],
    winners: tuple[int, ...],
) -> None:
    state, _hands = play_hands("tricky_dice", 4, *hands, options={"target": 12})
    assert (state.totals, state.winners) == (totals, winners)
    assert state.end_reason is not None
    assert state.end_reason.clause == "tricky_dice.end.sudden_death"


CASES = Path(__file__).parents[3] / "cases" / "tricky_dice.json"
PLAYED: dict[str, Any] = json.loads(CASES.read_text())[1]["record"]["hands"][0]


def hand(**changes: Any) -> dict[str, Any]:
    sums = {"tricks_won": TRICKS_WON, "die_tricks": DIE_TRICKS}
    return {"trump": "8H", "contract": SIDE, **sums, **changes}


def contract(**changes: Any) -> dict[str, Any]:
    return hand(contract={**SIDE, **changes})


def solo(**changes: Any) -> dict[str, Any]:
    return hand(contract={"bidder": 1, "solo": True, **changes})


@pytest.mark.parametrize(
    ("raw", "field", "clause"),
    [
        (contract(tricks=3), "contract.tricks", "tricky_dice.bid.open"),
        (contract(tricks=11), "contract.tricks", "tricky_dice.bid.raise"),
        (solo(partner=2), "contract.partner", "tricky_dice.bid.solo"),
        (solo(tricks=6), "contract.tricks", "tricky_dice.bid.solo"),
        (hand(die_tricks=[0, 3, 0, 2]), "die_tricks[1]", "tricky_dice.pieces"),
        (hand(die_tricks=[0, 1, 2, 2]), "die_tricks[2]", "tricky_dice.score.side"),
        (hand(bids=[[1, 3]]), "bids[0]", "tricky_dice.bid.open"),
        (hand(bids=[[1, 4], [2, 4]]), "bids[1]", "tricky_dice.bid.raise"),
        (hand(bids=[[1, 4], [2, 11]]), "bids[1]", "tricky_dice.bid.raise"),
        (hand(bids=[[1, 4], [2, "solo"]]), "contract", "tricky_dice.bid.solo"),
        (hand(bids=[[1, "pass"]]), "bids[0]", "tricky_dice.bid.open"),
        (
            replace_value(PLAYED, ["tricks", 0, 0], "6S*"),
            "tricks[0][0]",
            "tricky_dice.trump",
        ),
    ],
)
def test_refuses_impossible_hand(raw: object, field: str, clause: str) -> None:
    assert hand_faults("tricky_dice", 4, raw)[0] == (field, clause)


def test_player_cannot_play_more_than_eight_cards_or_two_dice() -> None:
    # The leader wins each trick with another die.
    tricks = [[f"{r}S*", f"{r}H", f"{r}D", f"{r}C"] for r in "23457T9JQK"]
    faults = hand_faults("tricky_dice", 4, {**PLAYED, "tricks": tricks})
    assert {clause for _field, clause in faults} == {"tricky_dice.pieces"}


def test_trick_cannot_contain_a_piece_twice() -> None:
    trick = {"game": "tricky_dice", "leader": 1, "trump": "8H", "plays": ["AH"] * 4}
    assert trick_faults(trick)[0] == ("plays[1]", "tricky_dice.pieces")


def test_house_rules_change_bonus_and_penalty_and_a_solo_counts_double() -> None:
    options = {"made_bonus": 3, "set_penalty": 0}
    sums = {"tricks_won": TRICKS_WON, "die_tricks": DIE_TRICKS}
    contracts: list[dict[str, Any]] = [
        {"bidder": 1, "tricks": 7, "partner": 3},
        {"bidder": 1, "tricks": 8, "partner": 3},
    ]
    hands = [{"contract": contract, **sums} for contract in contracts]
    hands.append(
        {
            "contract": {"bidder": 3, "solo": True},
            "tricks_won": [0, 0, 0, 10],
            "die_tricks": [0, 0, 0, 2],
        }
    )
    _state, scored = play_hands("tricky_dice", 4, *hands, options=options)
    assert [hand.scores for hand in scored] == [
        (3, 13, 3, 13),
        (3, 0, 3, 0),
        (0, 0, 0, 18),
    ]
