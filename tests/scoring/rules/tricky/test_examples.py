"""Worked examples of Tricky's clauses on tricks, turns and ends."""

from typing import Any

import pytest

from scoring.rules import trick_answer
from tests.scoring.rules.scoring_hands import (
    hand_faults,
    option_faults,
    play_hands,
)

PLAIN = "tricky.trick.plain"
TRUMP = "tricky.trick.trump"


@pytest.mark.parametrize(
    ("trump", "plays", "winner", "clause"),
    [
        # The highest total; the earliest player wins a tie.
        (None, ["d4:3 d6:5", "d8:8 d4:1", "d6:3 d6:2"], 1, PLAIN),
        (None, ["d4:3 d6:5", "d8:7 d4:1", "d8:4 d8:4"], 0, PLAIN),
        (9, ["d4:3 d6:5", "d8:7 d4:2", "d6:6 d4:3"], 1, PLAIN),
        # A trump beats any total.
        (2, ["d20:20 d12:12", "d4:2 d4:1", "d20:19 d20:18"], 1, TRUMP),
        # Both dice trump before one.
        (2, ["d20:2 d20:20", "d4:2 d6:2", "d4:1 d4:1"], 1, TRUMP),
        # The higher number on the second die, whatever the order put down.
        (2, ["d20:2 d6:4", "d6:5 d4:2", "d4:1 d4:1"], 1, TRUMP),
        # The more faces on the trump die.
        (2, ["d6:2 d6:4", "d8:2 d20:4", "d4:1 d4:1"], 1, TRUMP),
        # The fewer faces on the second die.
        (2, ["d8:2 d8:4", "d8:2 d6:4", "d4:1 d4:1"], 1, TRUMP),
        # The earlier player.
        (2, ["d4:1 d4:1", "d8:2 d6:4", "d6:4 d8:2"], 1, TRUMP),
        # Where both are trump the die with more faces is the trump die.
        (2, ["d8:2 d8:2", "d6:2 d10:2", "d4:1 d4:1"], 1, TRUMP),
        (2, ["d10:2 d8:2", "d6:2 d10:2", "d4:1 d4:1"], 1, TRUMP),
    ],
)
def test_a_trick_is_won(
    trump: int | None, plays: list[str], winner: int, clause: str
) -> None:
    answer = trick_answer(
        {
            "game": "tricky",
            "players": 3,
            "leader": 0,
            "trump": trump,
            "plays": [play.split() for play in plays],
        }
    )
    assert (answer["winner"], answer["clause"]) == (winner, clause)


def test_player_who_could_have_matched_is_found() -> None:
    """tricky.trick.match: the number counts, not the kind of die."""
    kinds = ["d4", "d6", "d8", "d10", "d12", "d20"]
    first_dice = [f"{kind}:2" for kind in kinds for _copy in range(3)]
    second_dice = [f"{kind}:{value}" for kind in kinds for value in (1, 1, 3)]
    second_dice[-1] = "d20:2"
    tricks = [
        [first_dice[place : place + 2], second_dice[place : place + 2]]
        for place in range(0, 18, 2)
    ]
    raw = {"contract": {"bidder": 0, "bid": 60, "trump": 2}, "tricks": tricks}
    _state, (scored,) = play_hands("tricky", 2, raw)
    found = [
        (finding.trick, finding.seat, finding.clause) for finding in scored.findings
    ]
    assert found == [(number, 1, "tricky.trick.match") for number in range(1, 9)]


@pytest.mark.parametrize(
    ("points", "first"),
    [
        ([100, 80, 120], 0),
        ([90, 200, 60], 0),
        ([80, 100, 120], 2),
        ([80, 120, 120], 1),
    ],
)
def test_highest_scorer_bids_first(points: list[int], first: int) -> None:
    """tricky.bid.first, also in a tie: first clockwise from the last first bidder."""
    raw = {"contract": {"bidder": 0, "bid": 90, "trump": None}, "points": points}
    state, _hands = play_hands("tricky", 3, raw)
    assert state.next_lead_seats == {"first_bidder": first}


def test_the_last_first_bidder_counts_in_a_tie() -> None:
    """tricky.bid.first"""
    raw = {"first_bidder": 2, **raw_hand(0, 90, None, 80, 120, 120)}
    state, _hands = play_hands("tricky", 3, raw)
    assert state.next_lead_seats == {"first_bidder": 2}


def raw_hand(bidder: int, bid: int, trump: int | None, *points: int) -> dict[str, Any]:
    contract = {"bidder": bidder, "bid": bid, "trump": trump}
    return {"contract": contract, "points": list(points)}


@pytest.mark.parametrize(
    ("target", "raw", "winners", "ranks", "clause"),
    [
        (301, raw_hand(0, 60, 5, 60, 150), (), (1, 2), None),
        (300, raw_hand(0, 60, 5, 60, 150), (0,), (1, 2), "tricky.end.bidder"),
        # Of several the bidder wins, whatever the totals are: 190 and 180.
        (180, raw_hand(1, 60, 3, 190, 60), (1,), (2, 1), "tricky.end.bidder"),
        # Of several without the bidder the highest: 315, 300, and a set bid.
        (
            300,
            raw_hand(2, 300, None, 210, 200, 100),
            (0,),
            (1, 2, 3),
            "tricky.end.highest",
        ),
        # A shared highest total plays on.
        (300, raw_hand(2, 300, None, 200, 200, 100), (), (1, 1, 3), "tricky.end.tie"),
    ],
)
def test_the_match_ends_at_its_target(
    target: int,
    raw: dict[str, Any],
    winners: tuple[int, ...],
    ranks: tuple[int, ...],
    clause: str | None,
) -> None:
    """tricky.end.target and tricky.end.ranks: the winner is first, whatever the totals."""
    seats = len(raw["points"])
    state, _hands = play_hands("tricky", seats, raw, options={"target": target})
    assert (state.winners, state.ranks) == (winners, ranks)
    assert state.finished == bool(winners)
    assert (state.end_reason and state.end_reason.clause) == clause


def test_a_tie_at_the_target_is_judged_again_after_each_hand() -> None:
    tied, options = raw_hand(2, 300, None, 200, 200, 100), {"target": 300}
    state, _hands = play_hands("tricky", 3, tied, {"passed_out": True}, options=options)
    assert (state.finished, state.end_reason) == (False, None)
    next_hand = raw_hand(0, 90, None, 100, 120, 101)
    state, _hands = play_hands("tricky", 3, tied, next_hand, options=options)
    assert state.winners == (0,)


def test_points_needed_count_down_to_the_target() -> None:
    state, _hands = play_hands("tricky", 3, raw_hand(1, 96, 7, 140, 120, 101))
    assert state.points_needed == (2860, 2328, 2899)
    state, _hands = play_hands(
        "tricky", 2, raw_hand(0, 60, 2, 200, 4), options={"target": 100}
    )
    assert state.points_needed == (0, 96)


def test_points_are_bounded_by_the_rolled_numbers() -> None:
    """tricky.pieces and tricky.score.points: 18 to 180 for each player."""
    contract = {"bidder": 0, "bid": 60, "trump": None}
    for points in ([36, 0], [360, 0]):
        assert hand_faults("tricky", 2, {"contract": contract, "points": points}) == []
    for points in ([35, 0], [361, 0]):
        assert hand_faults("tricky", 2, {"contract": contract, "points": points}) == [
            ("points", "tricky.score.points")
        ]


@pytest.mark.parametrize(
    ("plays", "message"),
    [
        (
            [["d12:7", "d6:6"], ["d20:7", "d6:6"]],
            "Equal trumps: seat 1 has the larger trump die (d20 beats d12).",
        ),
        (
            [["d20:7", "d8:6"], ["d20:7", "d6:6"]],
            "Equal trumps: seat 1 has the smaller second die (d6 beats d8).",
        ),
    ],
)
def test_names_what_decided_between_trumps(
    plays: list[list[str]], message: str
) -> None:
    document = {"game": "tricky", "players": 2, "leader": 0, "trump": 7, "plays": plays}
    assert trick_answer(document)["message"] == message


def hand(**changes: Any) -> dict[str, Any]:
    return {**raw_hand(1, 96, 7, 140, 120, 101), **changes}


def bidding(*bids: int | str) -> list[list[Any]]:
    """Return an auction of three from the first seat on."""
    return [[place % 3, bid] for place, bid in enumerate(bids)]


@pytest.mark.parametrize(
    ("raw", "field", "clause"),
    [
        (raw_hand(1, 89, 7, 140, 120, 101), "contract.bid", "tricky.bid.minimum"),
        (raw_hand(1, 96, 21, 140, 120, 101), "contract.trump", "tricky.bid.trump"),
        (raw_hand(1, 96, 0, 140, 120, 101), "contract.trump", "tricky.bid.trump"),
        (hand(bids=bidding(89, 96)), "bids[0]", "tricky.bid.minimum"),
        (hand(bids=bidding(94, 96)), "bids[1]", "tricky.bid.raise"),
        (
            hand(bids=bidding("pass", "pass", "pass")),
            "contract",
            "tricky.bid.passed_out",
        ),
        ({"passed_out": False}, "passed_out", "record.format"),
        (
            {"passed_out": True, "bids": bidding(90, "pass", "pass")},
            "bids",
            "tricky.bid.passed_out",
        ),
    ],
)
def test_refuses_impossible_hand(raw: object, field: str, clause: str) -> None:
    assert hand_faults("tricky", 3, raw)[0] == (field, clause)


def test_reports_all_faults_in_reading_order() -> None:
    assert hand_faults("tricky", 3, raw_hand(9, 1, 40, 1, 1, 1)) == [
        ("contract.bidder", "record.format"),
        ("contract.bid", "tricky.bid.minimum"),
        ("contract.trump", "tricky.bid.trump"),
        ("points", "tricky.score.points"),
    ]


def test_only_the_first_hand_can_name_its_first_bidder() -> None:
    assert hand_faults("tricky", 3, hand(), hand(first_bidder=1)) == [
        ("first_bidder", "record.format")
    ]


def test_house_rules_change_the_minimum_bid_and_the_loss_when_all_pass() -> None:
    options = {"minimum_bid": 60, "passed_out_loss": 0}
    contract: dict[str, Any] = {"bidder": 0, "bid": 60, "trump": None}
    hand: dict[str, Any] = {"contract": contract, "points": [120, 100, 80]}
    _state, scored = play_hands(
        "tricky", 3, {"passed_out": True}, hand, options=options
    )
    assert [hand.scores for hand in scored] == [(0, 0, 0), (180, 100, 80)]
    too_low = {**hand, "contract": {**contract, "bid": 59}}
    assert hand_faults("tricky", 3, too_low, options=options) == [
        ("contract.bid", "tricky.bid.minimum")
    ]


@pytest.mark.parametrize("value", [0, 1801, "30"])
def test_minimum_bid_of_a_house_rule_has_limits(value: object) -> None:
    assert option_faults("tricky", 3, {"minimum_bid": value})
