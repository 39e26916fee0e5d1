"""What cannot be in Tricky Dice, and the clause that each fault breaks."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.scoring.rules.scoring_hands import (
    changed,
    contract_refused,
    refused,
    trick_refused,
)

CASES = Path(__file__).parents[3] / "cases" / "tricky_dice.json"
PLAYED_KEY: dict[str, Any] = json.loads(CASES.read_text())[1]["record"]["hands"][0]
CONTRACT = {"bidder": 1, "tricks": 6, "partner": 3}
SUMS = {
    "trump": "8H",
    "contract": CONTRACT,
    "tricks_won": [2, 3, 1, 4],
    "die_tricks": [0, 1, 0, 2],
}
AUCTION = [[1, 4], [2, "pass"], [3, 5], [0, "pass"], [1, 6], [3, "pass"]]


def hand(**changes: Any) -> dict[str, Any]:
    return {**SUMS, **changes}


def contract(**changes: Any) -> dict[str, Any]:
    return hand(contract={**CONTRACT, **changes})


def solo(**changes: Any) -> dict[str, Any]:
    return hand(contract={"bidder": 1, "solo": True, **changes})


def tricks(path: list[str | int], value: object) -> Any:
    return changed(PLAYED_KEY, ["tricks", *path], value)


@pytest.mark.parametrize(
    ("raw", "field", "clause"),
    [
        (contract(tricks=3), "contract.tricks", "tricky_dice.bid.open"),
        (contract(tricks=11), "contract.tricks", "tricky_dice.bid.raise"),
        (solo(partner=2), "contract.partner", "tricky_dice.bid.solo"),
        (solo(tricks=6), "contract.tricks", "tricky_dice.bid.solo"),
        (hand(trump="8H*"), "trump", "tricky_dice.pieces"),
        (hand(tricks_won=[2, 3, 1, 3]), "tricks_won", "tricky_dice.pieces"),
        (hand(die_tricks=[0, 3, 0, 2]), "die_tricks[1]", "tricky_dice.pieces"),
        (hand(die_tricks=[0, 1, 2, 2]), "die_tricks[2]", "tricky_dice.score.side"),
        (hand(bids=[[1, 3]]), "bids[0]", "tricky_dice.bid.open"),
        (hand(bids=[[1, 4], [2, 4]]), "bids[1]", "tricky_dice.bid.raise"),
        (hand(bids=[[1, 4], [2, 11]]), "bids[1]", "tricky_dice.bid.raise"),
        (hand(bids=[[1, 4], [2, "solo"]]), "contract", "tricky_dice.bid.solo"),
        (
            hand(bids=[[1, "pass"], [2, "pass"], [3, "pass"], [0, "pass"]]),
            "bids[0]",
            "tricky_dice.bid.open",
        ),
        (tricks([0, 0], "6S*"), "tricks[0][0]", "tricky_dice.trump"),
        (tricks([1, 0], "5S"), "tricks[1][0]", "tricky_dice.pieces"),
        (
            {**PLAYED_KEY, "tricks_won": [10, 0, 0, 0], "die_tricks": [0, 0, 0, 0]},
            "tricks_won",
            "tricky_dice.trick.win",
        ),
    ],
)
def test_refuses_invalid_hand(raw: object, field: str, clause: str) -> None:
    assert refused("tricky_dice", 4, raw)[0] == (field, clause)


def test_player_cannot_play_more_than_eight_cards_or_two_dice() -> None:
    three_dice = tricks([8, 0], "8S*")
    for number in range(10):
        three_dice = changed(three_dice, ["tricks", number], dice_led(number))
    clauses = {clause for _field, clause in refused("tricky_dice", 4, three_dice)}
    assert clauses == {"tricky_dice.pieces"}


def dice_led(number: int) -> list[str]:
    """Return a trick whose leader wins with a die; there are more of them than two."""
    rank = "23457T9JQK"[number]
    return [f"{rank}S*", f"{rank}H", f"{rank}D", f"{rank}C"]


def test_checks_a_contract_alone() -> None:
    assert contract_refused("tricky_dice", 4, {"contract": CONTRACT}) == []
    assert contract_refused("tricky_dice", 4, {"trump": "8H", "bids": AUCTION}) == [
        ("contract", "record.format")
    ]
    assert contract_refused("tricky_dice", 4, SUMS) == [
        ("tricks_won", "record.format"),
        ("die_tricks", "record.format"),
    ]


def test_trick_cannot_contain_a_piece_twice() -> None:
    trick = {"game": "tricky_dice", "leader": 1, "trump": "8H", "plays": ["AH"] * 4}
    assert trick_refused(trick)[0] == ("plays[1]", "tricky_dice.pieces")
