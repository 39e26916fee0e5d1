"""DB2T: tiers, contests, ends, refusals and unfinished contests."""

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.games.random_match import generate_hand
from scoring.rules import parse_unfinished_hand, start, trick_answer
from scoring.rules.db2t.tiers import TIERS, matching_tiers, possible_responses
from tests.scoring.rules.scoring_hands import (
    collect_faults,
    contract_faults,
    hand_faults,
    play_hands,
    replace_value,
    trick_faults,
)

CONTEST: dict[str, Any] = {
    "inciter": 0,
    "tier": "pair",
    "trump": "prial",
    "difficulty": False,
    "actors": [
        {"dice": [2, 2, 5], "declared": "pair"},
        {"dice": [6, 6, 6], "declared": "prial"},
        {"dice": [1, 3, 4], "declared": None},
    ],
    "ended": False,
}


def test_trump_that_can_also_follow_suit_leaves_a_choice() -> None:
    assert possible_responses([6, 6, 6], "pair", "prial") == ("pair", "prial")
    assert possible_responses([6, 6, 6], "straight", "prial") == (None, "prial")
    assert possible_responses([6, 6, 6], "prial", "prial") == ("prial",)


def test_the_earlier_declaration_wins_a_tie() -> None:
    actors = [{"dice": [1, 2, 6], "declared": "high"}] * 3
    raw = {"inciter": 2, "tier": "high", "actors": actors}
    _state, (scored,) = play_hands("db2t", 3, raw)
    assert scored.scores == (0, 0, 1)


def test_actor_can_be_omitted() -> None:
    raw = replace_value(CONTEST, ["actors", 1], None)
    _state, (scored,) = play_hands("db2t", 3, raw)
    assert scored.scores == (1, 0, 0)


def test_discard_by_a_player_able_to_follow_is_found() -> None:
    raw = replace_value(CONTEST, ["actors", 2, "dice"], [3, 3, 4])
    _state, (scored,) = play_hands("db2t", 3, raw)
    (finding,) = scored.findings
    assert (finding.trick, finding.seat, finding.clause) == (1, 2, "db2t.respond")


def test_polyhedral_dice_have_four_six_and_eight_faces() -> None:
    actors = [{"dice": [4, 6, 8], "declared": "flush"}, None]
    raw = {"inciter": 0, "tier": "flush", "actors": actors}
    assert hand_faults("db2t", 2, raw, options={"dice": "polyhedral"}) == []
    assert hand_faults("db2t", 2, raw) == [("actors[0].dice[2]", "db2t.roll")]


def test_single_contest_allows_eight_actors() -> None:
    actor = {"dice": [1, 2, 4], "declared": None}
    inciter = {"dice": [2, 2, 5], "declared": "pair"}
    trick = {"game": "db2t", "players": 8, "inciter": 0, "tier": "pair"}
    trick |= {"dice": "3d6", "difficulty": False, "trump": None}
    assert trick_answer({**trick, "actors": [inciter, *[actor] * 7]})["winner"] == 0
    faults = trick_faults({**trick, "actors": [inciter, *[actor] * 8]})
    assert faults == [("actors", "record.format")]


def test_match_of_two_contests_can_end_with_the_second() -> None:
    last_contest = {**CONTEST, "ended": True}
    options = {"contests": 2, "trump": "prial"}
    assert hand_faults("db2t", 3, last_contest, options=options) == [
        ("ended", "db2t.end")
    ]
    state, _scored = play_hands("db2t", 3, CONTEST, last_contest, options=options)
    assert state.finished


def test_trump_beats_the_inciting_tier() -> None:
    state, (scored,) = play_hands("db2t", 3, CONTEST)
    assert scored.scores == (0, 1, 0)
    assert (state.next_lead_seats, state.finished) == ({}, False)


PAIR = {"dice": [2, 2, 5], "declared": "pair"}
HIGHER = {"dice": [6, 6, 1], "declared": "pair"}
DUEL = {"inciter": 0, "tier": "pair", "actors": [PAIR, HIGHER]}


@pytest.mark.parametrize(
    ("clause", "dice", "meets"),
    [
        ("db2t.tier.prial", [4, 4, 4], True),
        ("db2t.tier.prial", [4, 4, 5], False),
        ("db2t.tier.straight", [5, 3, 4], True),
        ("db2t.tier.straight", [6, 1, 2], False),
        ("db2t.tier.straight", [3, 3, 4], False),
        ("db2t.tier.flush", [1, 3, 5], True),
        ("db2t.tier.flush", [1, 2, 4], False),
        ("db2t.tier.straight_flush", [1, 2, 3], True),
        ("db2t.tier.straight_flush", [2, 3, 4], False),
        ("db2t.tier.straight_flush", [2, 4, 6], False),
        ("db2t.tier.pair", [1, 5, 1], True),
        ("db2t.tier.pair", [1, 5, 2], False),
        ("db2t.tier.high", [1, 2, 4], True),
    ],
)
def test_dice_meet_a_tier(clause: str, dice: list[int], *, meets: bool) -> None:
    assert TIERS[clause.removeprefix("db2t.tier.")](dice) is meets


@pytest.mark.parametrize("dice", [[1, 3, 5], [2, 4, 6], [1, 2, 3], [4, 5, 8]])
def test_a_suit_is_odds_evens_low_or_high(dice: list[int]) -> None:
    """db2t.suit"""
    assert "flush" in matching_tiers(dice)


def test_everyone_who_shares_the_highest_total_wins() -> None:
    """db2t.score, db2t.end and db2t.end.ranks"""
    other_duel = {**DUEL, "actors": [HIGHER, PAIR]}
    state, _hands = play_hands("db2t", 2, DUEL, other_duel, options={"contests": 2})
    assert (state.winners, state.ranks) == ((0, 1), (1, 1))
    state, _hands = play_hands("db2t", 2, DUEL, {**DUEL, "ended": True})
    assert (state.winners, state.ranks) == ((1,), (2, 1))


PARTIAL: dict[str, Any] = {
    "inciter": 0,
    "tier": "pair",
    "trump": "prial",
    "difficulty": True,
    "actors": [
        {"dice": [2, 2, 5], "declared": "pair"},
        {"dice": [6, 6], "declared": None},
        None,
    ],
    "rerolls": [2, 0, 1],
}


@pytest.mark.parametrize(
    "partial",
    [
        {},
        PARTIAL,
        {"inciter": 2},
        {"inciter": None, "tier": None, "actors": [None, None, None]},
        {"tier": "flush", "ended": True},
        {"actors": [{"dice": [], "declared": None}, None, None]},
        {"actors": [{"dice": [None, None, 6]}, None, {"dice": [1, 2, 4]}]},
        replace_value(PARTIAL, ["actors", 0, "declared"], None),
        replace_value(PARTIAL, ["actors", 1], {"dice": [6, 6, 6], "declared": "prial"}),
        replace_value(PARTIAL, ["actors", 2], {"dice": [1, 2, 4], "declared": None}),
    ],
)
def test_partial_contest_is_accepted(partial: dict[str, Any]) -> None:
    assert contract_faults("db2t", 3, partial) == []


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"rerolls": 2}, ("rerolls", "record.format")),
        ({"rerolls": [2, 3, 1]}, ("rerolls[1]", "db2t.roll")),
        ({"rerolls": [2, True, 1]}, ("rerolls[1]", "db2t.roll")),
        ({"played": ["2"]}, ("played", "record.format")),
    ],
)
def test_refuses_impossible_parts(changes: Any, reason: tuple[str, str]) -> None:
    assert contract_faults("db2t", 3, {**PARTIAL, **changes}) == [reason]


def test_dice_are_checked_against_their_number_of_faces() -> None:
    state = start("db2t", 2, {"dice": "polyhedral"})
    actors = [{"dice": [None, None, 8], "declared": None}, None]
    assert (
        collect_faults(lambda: parse_unfinished_hand(state, {"actors": actors})) == []
    )
    actors = [{"dice": [8], "declared": None}, None]
    faults = collect_faults(lambda: parse_unfinished_hand(state, {"actors": actors}))
    assert faults == [("actors[0].dice[0]", "db2t.roll")]


def test_contest_cannot_end_a_match_of_agreed_length_early() -> None:
    state = start("db2t", 2, {"contests": 3})
    faults = collect_faults(lambda: parse_unfinished_hand(state, {"ended": True}))
    assert faults == [("ended", "db2t.end")]


def test_contest_with_re_rolls_is_not_complete() -> None:
    """Records have no place for re-rolls, and missing dice leave a contest unfinished."""
    completed = replace_value(PARTIAL, ["actors", 1], None)
    assert hand_faults("db2t", 3, completed) == [("rerolls", "record.format")]
    assert ("actors[1].dice", "record.format") in hand_faults("db2t", 3, PARTIAL)


@given(st.integers(0, 2**32), st.integers(2, 8), st.data())
def test_any_part_of_a_contest_is_accepted_as_partial(
    seed: int, seats: int, data: st.DataObject
) -> None:
    rng = Random(seed)
    options = {
        "trump": rng.choice([None, "pair", "prial"]),
        "dice": rng.choice(["3d6", "polyhedral"]),
    }
    state = start("db2t", seats, options)
    raw = generate_hand(state, rng, tricks=False)
    parse_unfinished_hand(state, raw)
    kept_keys = data.draw(st.sets(st.sampled_from(sorted(raw))))
    partial = {key: value for key, value in raw.items() if key in kept_keys | {"trump"}}
    partial["actors"] = [
        actor and {"dice": actor["dice"][: data.draw(st.integers(0, 3))]}
        for actor in raw["actors"]
    ]
    parse_unfinished_hand(state, partial)
