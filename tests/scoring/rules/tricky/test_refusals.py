"""What cannot be in Tricky, and the clause that each fault breaks."""

from typing import Any

import pytest

from scoring.rules import check_contract, trick_answer
from tests.scoring.rules.scoring_hands import (
    contract_refused,
    match,
    options_refused,
    reasons,
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
        (contract(bid="96"), "contract.bid", "record.format"),
        (contract(bid=True), "contract.bid", "record.format"),
        (contract(bidder=3), "contract.bidder", "record.format"),
        (contract(trump=21), "contract.trump", "tricky.bid.trump"),
        (contract(trump=0), "contract.trump", "tricky.bid.trump"),
        (contract(trump="7"), "contract.trump", "record.format"),
        (contract(suit="H"), "contract.suit", "record.format"),
        (hand(contract=None), "contract", "record.format"),
        ({"points": [140, 120, 101]}, "contract", "record.format"),
        ({"contract": CONTRACT}, "points", "record.format"),
        (hand(points=[140, 120]), "points", "record.format"),
        (hand(points=12), "points", "record.format"),
        (hand(points=[140, 120, "101"]), "points[2]", "record.format"),
        (hand(points=[10, 20, 23]), "points", "tricky.score.points"),
        (hand(points=[541, 0, 0]), "points", "tricky.score.points"),
        (hand(points=[-1, 120, 101]), "points[0]", "tricky.score.points"),
        (hand(dealer=1), "dealer", "record.format"),
        (hand(first_bidder=3), "first_bidder", "record.format"),
        (hand(bids=7), "bids", "record.format"),
        (hand(bids=[[0, 89], [1, 96], *PASSES]), "bids[0]", "tricky.bid.minimum"),
        (hand(bids=[[0, 94], [1, 96], *PASSES]), "bids[1]", "tricky.bid.raise"),
        (hand(bids=[[1, 96], *PASSES]), "bids[0]", "tricky.bid.first"),
        (hand(bids=[[0, 90], [1, 96], [2, "pass"]]), "bids", "tricky.bid.pass"),
        (
            hand(bids=[[0, 90], [1, 96], *PASSES, [1, 99]]),
            "bids[4]",
            "tricky.bid.pass",
        ),
        (hand(bids=[[0, 90], [1, 93], *PASSES]), "contract", "tricky.bid.pass"),
        (
            hand(bids=[[0, "pass"], [1, "pass"], [2, "pass"]]),
            "contract",
            "tricky.bid.passed_out",
        ),
        (hand(bids=[[0, "double"]]), "bids[0]", "record.format"),
        (hand(bids=[[5, 90]]), "bids[0]", "record.format"),
        (hand(bids=["pass"]), "bids[0]", "record.format"),
        ({"passed_out": False}, "passed_out", "record.format"),
        ({"passed_out": 1}, "passed_out", "record.format"),
        ({"passed_out": True, "points": [1, 2, 3]}, "points", "record.format"),
        (
            {"passed_out": True, "bids": [[0, 90], [1, "pass"], [2, "pass"]]},
            "bids",
            "tricky.bid.passed_out",
        ),
        (7, "", "record.format"),
        (hand(tricks=7), "tricks", "record.format"),
        (hand(tricks=TRICKS[:8]), "tricks", "tricky.trick.lead"),
        (hand(tricks=[*TRICKS[:8], 3]), "tricks[8]", "record.format"),
        (
            hand(tricks=[*TRICKS[:8], TRICKS[8][:2]]),
            "tricks[8]",
            "tricky.trick.lead",
        ),
        (
            hand(tricks=[*TRICKS[:8], [["d4:1"], ["d4:1"] * 2, ["d4:1"] * 2]]),
            "tricks[8][0]",
            "tricky.trick.lead",
        ),
        (
            hand(tricks=[*TRICKS[:8], ["d4:1", ["d4:1"] * 2, ["d4:1"] * 2]]),
            "tricks[8][0]",
            "record.format",
        ),
        (
            hand(tricks=[*TRICKS[:8], [["d4:5", "d6:1"]] + [["d4:1", "d6:1"]] * 2]),
            "tricks[8][0][0]",
            "tricky.pieces",
        ),
        (
            hand(tricks=[*TRICKS[:8], [[4, "d6:1"]] + [["d4:1", "d6:1"]] * 2]),
            "tricks[8][0][0]",
            "record.format",
        ),
        (
            hand(tricks=[*TRICKS[:8], TRICKS[0]]),
            "tricks[8][0]",
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


def test_a_hand_after_the_winner_is_refused() -> None:
    made = contract(bid=120, trump=20)
    found = refused("tricky", 3, made, PLAYED, options={"target": 2000})
    assert found == [("", "record.finished")]


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
def test_a_contract_alone_is_held_against_its_clauses(
    raw: object, expected: list[tuple[str, str]]
) -> None:
    assert contract_refused("tricky", 3, raw) == expected


def test_a_contract_after_the_winner_is_refused() -> None:
    state, _hands = match("tricky", 3, contract(trump=20), options={"target": 1900})
    found = reasons(lambda: check_contract(state, {"contract": CONTRACT}))
    assert found == [("", "record.finished")]


@pytest.mark.parametrize("target", [0, -5, 1.5, "1000", None, True])
def test_a_target_is_a_positive_whole_number(target: object) -> None:
    assert options_refused("tricky", 3, {"target": target}) == [
        ("options.target", "record.format")
    ]


def test_options_and_seats_must_be_of_the_game() -> None:
    assert options_refused("tricky", 6, {}) == [("players", "record.format")]
    assert options_refused("tricky_dice", 3, {}) == [("players", "record.format")]
    assert options_refused("tricky", 3, {"speed": 1}) == [
        ("options.speed", "record.format")
    ]
    assert options_refused("tricky", 3, [1]) == [("options", "record.format")]
    assert options_refused("whist", 3, {}) == [("game", "record.format")]


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


@pytest.mark.parametrize(
    ("plays", "trump", "winner", "clause"),
    [
        (TRICK, None, 0, "plain"),
        (TRICK, 7, 0, "plain"),
        ([["d4:3", "d4:1"], ["d6:2", "d6:2"], ["d8:1", "d8:1"]], None, 0, "plain"),
        # Both dice trump before one.
        ([["d20:20", "d8:3"], ["d4:3", "d6:3"], ["d20:3", "d20:1"]], 3, 1, "trump"),
        # The higher second die, then more faces on the trump die.
        ([["d20:3", "d8:4"], ["d4:3", "d6:5"], ["d20:3", "d20:1"]], 3, 1, "trump"),
        ([["d4:3", "d8:5"], ["d6:5", "d20:3"], ["d8:3", "d12:5"]], 3, 1, "trump"),
        # Fewer faces on the second die, then the earlier player.
        ([["d6:3", "d12:5"], ["d6:3", "d6:5"], ["d6:3", "d6:5"]], 3, 1, "trump"),
        # Of two trump dice the one with more faces is the trump die.
        ([["d6:3", "d4:3"], ["d4:3", "d12:3"], ["d12:3", "d6:3"]], 3, 1, "trump"),
        ([["d20:20", "d20:20"], ["d4:1", "d4:2"], ["d4:3", "d4:1"]], 3, 2, "trump"),
    ],
)
def test_the_trick_goes_to(
    plays: list[list[str]], trump: int | None, winner: int, clause: str
) -> None:
    answer = trick_answer(trick(plays=plays, trump=trump))
    assert (answer["winner"], answer["clause"]) == (winner, f"tricky.trick.{clause}")
