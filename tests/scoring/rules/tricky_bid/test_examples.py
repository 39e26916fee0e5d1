"""Worked examples of Tricky Bid's clauses on antes, tricks, rounds and ends."""

import json
from pathlib import Path
from typing import Any

import pytest

from scoring.rules import trick_answer
from tests.scoring.rules.scoring_hands import hand_faults, play_hands, replace_value


@pytest.mark.parametrize(
    ("leader", "trump", "plays", "winner", "ante_won"),
    [
        # The highest trump; without trumps the highest card of the lead colour.
        (0, "G", "P15 P2 G1 G0", 2, 9),
        (0, "R", "P3 P12 Y15 B15", 1, 11),
        (3, "R", "P3 P12 Y15 B15", 0, 11),
    ],
)
def test_a_trick_and_its_antes_are_won(
    leader: int, trump: str, plays: str, winner: int, ante_won: int
) -> None:
    """tricky_bid.trick.win; tricky_bid.trick.ante_won: one's own and its colour."""
    answer = trick_answer(
        {
            "game": "tricky_bid",
            "players": 4,
            "leader": leader,
            "trump": trump,
            "antes": ["Y6", "B11", "Y3", "B0"],
            "plays": plays.split(),
        }
    )
    assert answer["clause"] == "tricky_bid.trick.win"
    assert (answer["winner"], answer["ante_won"]) == (winner, ante_won)


def round_for_two(**first_trick: Any) -> dict[str, Any]:
    """Return a round in which each seat plays and antes its own colour.

    The first piece of each pair is the starter's: seat 1, then seat 0, in turn.
    """
    tricks = []
    for number in range(8):
        first_colour, second_colour = ("Y", "B") if number % 2 else ("B", "Y")
        antes = [f"{first_colour}{number}", f"{second_colour}{number}"]
        tricks.append(
            {
                "antes": antes,
                "plays": [
                    f"{first_colour}{number + 8}",
                    f"{second_colour}{number + 8}",
                ],
            }
        )
    tricks[0] |= first_trick
    return {"trump": "G0", "tricks": tricks}


def test_starting_player_moves_left_regardless_of_the_winner() -> None:
    """tricky_bid.ante, tricky_bid.dealer and tricky_bid.trick.lead.

    No trump is held, so who starts wins: seat 1 the tricks 1, 3, 5, 7.
    """
    state, (hand,) = play_hands("tricky_bid", 2, round_for_two())
    assert hand.scores == (1 + 3 + 5 + 7, 0 + 2 + 4 + 6)
    assert state.next_lead_seats == {"dealer": 1, "starter": 0}


def test_the_winner_may_turn_a_new_trump() -> None:
    """tricky_bid.trick.change: from the next trick on."""
    _state, (hand,) = play_hands("tricky_bid", 2, round_for_two(turned="G1"))
    assert hand.scores == (16, 12)
    raw = round_for_two()
    raw["tricks"][1]["turned"] = "G1"
    raw["tricks"][2]["turned"] = "G2"
    _state, (hand,) = play_hands("tricky_bid", 2, raw)
    assert hand.scores == (16, 12)


def test_everyone_who_shares_the_highest_total_wins() -> None:
    """tricky_bid.end and tricky_bid.end.ranks"""
    rounds = [{"points": points} for points in ([5, 3, 0], [1, 3, 4], [0, 0, 2])]
    state, _hands = play_hands("tricky_bid", 3, *rounds)
    assert (state.winners, state.ranks) == ((0, 1, 2), (1, 1, 1))
    rounds[2] = {"points": [1, 1, 0]}
    state, _hands = play_hands("tricky_bid", 3, *rounds)
    assert (state.winners, state.ranks) == ((0, 1), (1, 1, 3))
    state, _hands = play_hands("tricky_bid", 3, *rounds, options={"multiple": 2})
    assert not state.finished


CASES = Path(__file__).parents[3] / "cases" / "tricky_bid.json"


@pytest.mark.parametrize(
    ("seats", "most"), [(2, 205), (3, 225), (4, 393), (5, 309), (6, 428)]
)
def test_a_round_is_worth_at_most_the_highest_antes(seats: int, most: int) -> None:
    for total, faults in ((most, []), (most + 1, [("points", "tricky_bid.score")])):
        raw = {"points": [total] + [0] * (seats - 1)}
        assert hand_faults("tricky_bid", seats, raw) == faults


def test_revoke_detection_ignores_cards_used_as_antes() -> None:
    record = json.loads(CASES.read_text())[2]["record"]
    hand = record["hands"][0]
    swapped = json.loads(json.dumps(hand))
    # Seat 0 follows P9 in trick 5 with yellow while pink cards are still to come.
    swapped["tricks"][4]["plays"] = ["P7", "Y3"]
    swapped["tricks"][3]["plays"] = ["Y1", "P11"]
    _state, (scored,) = play_hands("tricky_bid", 2, swapped)
    found = [(finding.trick, finding.seat) for finding in scored.findings]
    assert found
    assert all(
        finding.clause == "tricky_bid.trick.follow" for finding in scored.findings
    )


PLAYED: dict[str, Any] = json.loads(CASES.read_text())[1]["record"]["hands"][0]


@pytest.mark.parametrize(
    ("path", "value", "field", "clause"),
    [
        (["trump"], "B13", "tricks[0].antes[2]", "tricky_bid.trump"),
        (["tricks", 0, "plays", 0], "P8", "tricks[0].plays[0]", "tricky_bid.pieces"),
        (["tricks", 0, "turned"], "P8", "tricks[0].turned", "tricky_bid.pieces"),
        (["tricks", 0, "turned"], "R4", "tricks", "tricky_bid.deal"),
    ],
)
def test_refuses_impossible_cards(
    path: list[str | int], value: str, field: str, clause: str
) -> None:
    raw = replace_value(PLAYED, path, value)
    assert hand_faults("tricky_bid", 3, raw)[0] == (field, clause)
