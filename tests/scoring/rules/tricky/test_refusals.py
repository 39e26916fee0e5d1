"""What cannot be in Tricky, and the clause that each fault breaks."""

from typing import Any

import pytest

from tests.scoring.rules.scoring_hands import (
    contract_refused,
    refused,
)

CONTRACT = {"bidder": 1, "bid": 96, "trump": 7}
PLAYED_KEY = {"contract": CONTRACT, "points": [140, 120, 101]}
PASSES = [[2, "pass"], [0, "pass"]]
KINDS = ["d4:1", "d6:1", "d8:1", "d10:1", "d12:1", "d20:1"]
SPREAD = [[kind, kind] for kind in KINDS] + [
    ["d4:1", "d6:1"],
    ["d8:1", "d10:1"],
    ["d12:1", "d20:1"],
]
TRICKS = [[pair, pair, pair] for pair in SPREAD]


def hand(**changes: Any) -> dict[str, Any]:
    return {**PLAYED_KEY, **changes}


def contract(**changes: Any) -> dict[str, Any]:
    return hand(contract={**CONTRACT, **changes})


@pytest.mark.parametrize(
    ("raw", "field", "clause"),
    [
        (contract(bid=89), "contract.bid", "tricky.bid.minimum"),
        (contract(bid=True), "contract.bid", "record.format"),
        (contract(trump=21), "contract.trump", "tricky.bid.trump"),
        (contract(trump=0), "contract.trump", "tricky.bid.trump"),
        (hand(bids=[[0, 89], [1, 96], *PASSES]), "bids[0]", "tricky.bid.minimum"),
        (hand(bids=[[0, 94], [1, 96], *PASSES]), "bids[1]", "tricky.bid.raise"),
        (
            hand(bids=[[0, "pass"], [1, "pass"], [2, "pass"]]),
            "contract",
            "tricky.bid.passed_out",
        ),
        ({"passed_out": False}, "passed_out", "record.format"),
        (
            {"passed_out": True, "bids": [[0, 90], [1, "pass"], [2, "pass"]]},
            "bids",
            "tricky.bid.passed_out",
        ),
        (
            hand(tricks=[*TRICKS[:8], [["d4:5", "d6:1"]] + [["d4:1", "d6:1"]] * 2]),
            "tricks[8][0][0]",
            "tricky.pieces",
        ),
        (hand(tricks=TRICKS), "points", "tricky.score.points"),
    ],
)
def test_refuses_invalid_hand(raw: object, field: str, clause: str) -> None:
    assert refused("tricky", 3, raw)[0] == (field, clause)


def test_reports_all_faults_in_reading_order() -> None:
    raw = {"contract": {"bidder": 9, "bid": 1, "trump": 40}, "points": [1, 1, 1]}
    assert refused("tricky", 3, raw) == [
        ("contract.bidder", "record.format"),
        ("contract.bid", "tricky.bid.minimum"),
        ("contract.trump", "tricky.bid.trump"),
        ("points", "tricky.score.points"),
    ]


def test_only_the_first_hand_can_name_its_first_bidder() -> None:
    later = hand(first_bidder=1)
    assert refused("tricky", 3, PLAYED_KEY, later) == [
        ("first_bidder", "record.format")
    ]


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ({"contract": CONTRACT}, []),
        (
            {"contract": {**CONTRACT, "bid": 3}},
            [("contract.bid", "tricky.bid.minimum")],
        ),
        (PLAYED_KEY, [("points", "record.format")]),
    ],
)
def test_checks_a_contract_alone(raw: object, expected: list[tuple[str, str]]) -> None:
    assert contract_refused("tricky", 3, raw) == expected
