"""What cannot be in Tricky, and the clause that each fault breaks."""

from typing import Any

import pytest

from tests.scoring.rules.scoring_hands import (
    contract_refused,
    options_refused,
    refused,
    trick_refused,
)

CONTRACT = {"bidder": 1, "bid": 96, "trump": 7}
PLAYED = {"contract": CONTRACT, "points": [140, 120, 101]}
PASSES = [[2, "pass"], [0, "pass"]]
TRICK = [["d20:17", "d4:3"], ["d6:6", "d8:2"], ["d12:1", "d10:9"]]
KINDS = ["d4:1", "d6:1", "d8:1", "d10:1", "d12:1", "d20:1"]
SPREAD = [[kind, kind] for kind in KINDS] + [
    ["d4:1", "d6:1"],
    ["d8:1", "d10:1"],
    ["d12:1", "d20:1"],
]
TRICKS = [[pair, pair, pair] for pair in SPREAD]


def hand(**changes: Any) -> dict[str, Any]:
    return {**PLAYED, **changes}


def contract(**changes: Any) -> dict[str, Any]:
    return hand(contract={**CONTRACT, **changes})


@pytest.mark.parametrize(
    ("raw", "field", "clause"),
    [
        (contract(bid=89), "contract.bid", "tricky.bid.minimum"),
        (contract(bid=True), "contract.bid", "record.format"),
        (contract(bidder=3), "contract.bidder", "record.format"),
        (contract(trump=21), "contract.trump", "tricky.bid.trump"),
        (contract(trump=0), "contract.trump", "tricky.bid.trump"),
        (contract(suit="H"), "contract.suit", "record.format"),
        (hand(points=[140, 120, "101"]), "points[2]", "record.format"),
        (hand(points=[10, 20, 23]), "points", "tricky.score.points"),
        (hand(points=[541, 0, 0]), "points", "tricky.score.points"),
        (hand(dealer=1), "dealer", "record.format"),
        (hand(first_bidder=3), "first_bidder", "record.format"),
        (hand(bids=[[0, 89], [1, 96], *PASSES]), "bids[0]", "tricky.bid.minimum"),
        (hand(bids=[[0, 94], [1, 96], *PASSES]), "bids[1]", "tricky.bid.raise"),
        (
            hand(bids=[[0, "pass"], [1, "pass"], [2, "pass"]]),
            "contract",
            "tricky.bid.passed_out",
        ),
        ({"passed_out": False}, "passed_out", "record.format"),
        ({"passed_out": 1}, "passed_out", "record.format"),
        ({"passed_out": True, "points": [1, 2, 3]}, "points", "record.format"),
        (
            {"passed_out": True, "bids": [[0, 90], [1, "pass"], [2, "pass"]]},
            "bids",
            "tricky.bid.passed_out",
        ),
        (7, "", "record.format"),
        (
            hand(tricks=[*TRICKS[:8], [["d4:5", "d6:1"]] + [["d4:1", "d6:1"]] * 2]),
            "tricks[8][0][0]",
            "tricky.pieces",
        ),
        (hand(tricks=TRICKS), "points", "tricky.score.points"),
    ],
)
def test_it_refuses(raw: object, field: str, clause: str) -> None:
    assert refused("tricky", 3, raw)[0] == (field, clause)


def test_it_names_every_fault_at_once_in_reading_order() -> None:
    raw = {"contract": {"bidder": 9, "bid": 1, "trump": 40}, "points": [1, 1, 1]}
    assert refused("tricky", 3, raw) == [
        ("contract.bidder", "record.format"),
        ("contract.bid", "tricky.bid.minimum"),
        ("contract.trump", "tricky.bid.trump"),
        ("points", "tricky.score.points"),
    ]


def test_only_the_first_hand_says_who_bids_first() -> None:
    later = hand(first_bidder=1)
    assert refused("tricky", 3, PLAYED, later) == [("first_bidder", "record.format")]


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ({"contract": CONTRACT}, []),
        ({"first_bidder": 2, "contract": CONTRACT}, []),
        (
            {"contract": {**CONTRACT, "bid": 3}},
            [("contract.bid", "tricky.bid.minimum")],
        ),
        ({}, [("contract", "record.format")]),
        (PLAYED, [("points", "record.format")]),
    ],
)
def test_checks_a_contract_alone(raw: object, expected: list[tuple[str, str]]) -> None:
    assert contract_refused("tricky", 3, raw) == expected


@pytest.mark.parametrize("target", [0, -5, 1.5, "1000", None, True])
def test_a_target_is_a_positive_whole_number(target: object) -> None:
    assert options_refused("tricky", 3, {"target": target}) == [
        ("options.target", "record.format")
    ]


def trick(**changes: Any) -> dict[str, Any]:
    return {
        "game": "tricky",
        "players": 3,
        "leader": 0,
        "trump": 7,
        "plays": TRICK,
        **changes,
    }


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        (trick(players=6), [("players", "record.format")]),
        (trick(players="3"), [("players", "record.format")]),
        (trick(leader=3), [("leader", "record.format")]),
        (trick(trump=30), [("trump", "tricky.bid.trump")]),
        (trick(plays=TRICK[:2]), [("plays", "tricky.trick.lead")]),
        (trick(box="left"), [("box", "record.format")]),
        ({}, [("game", "record.format")]),
        ("[]", [("", "record.format")]),
        ("{", [("", "record.format")]),
    ],
)
def test_a_trick_is_refused(document: object, expected: list[tuple[str, str]]) -> None:
    assert trick_refused(document) == expected
