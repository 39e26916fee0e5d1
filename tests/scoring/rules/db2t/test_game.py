"""DB2T: tiers, contests, ends, refusals, and contests that go on later."""

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.games.random_match import generate_hand
from scoring.rules import parse_unfinished_hand, start, trick_answer
from scoring.rules.db2t.tiers import TIERS, matching_tiers, possible_declarations
from tests.scoring.rules.scoring_hands import (
    changed,
    contract_refused,
    match,
    reasons,
    refused,
    trick_refused,
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
    assert possible_declarations([6, 6, 6], "pair", "prial") == ("pair", "prial")
    assert possible_declarations([6, 6, 6], "straight", "prial") == (None, "prial")
    assert possible_declarations([6, 6, 6], "prial", "prial") == ("prial",)


def test_the_earlier_declaration_wins_a_tie() -> None:
    actors = [{"dice": [1, 2, 6], "declared": "high"}] * 3
    raw = {"inciter": 2, "tier": "high", "actors": actors}
    _state, (scored,) = match("db2t", 3, raw)
    assert scored.scores == (0, 0, 1)


def test_actor_can_be_omitted() -> None:
    raw = changed(CONTEST, ["actors", 1], None)
    _state, (scored,) = match("db2t", 3, raw)
    assert scored.scores == (1, 0, 0)


def test_discard_by_a_player_able_to_follow_is_found() -> None:
    raw = changed(CONTEST, ["actors", 2, "dice"], [3, 3, 4])
    _state, (scored,) = match("db2t", 3, raw)
    (finding,) = scored.findings
    assert (finding.trick, finding.seat, finding.clause) == (1, 2, "db2t.respond")


def test_polyhedral_dice_have_four_six_and_eight_faces() -> None:
    actors = [{"dice": [4, 6, 8], "declared": "flush"}, None]
    raw = {"inciter": 0, "tier": "flush", "actors": actors}
    assert refused("db2t", 2, raw, options={"dice": "polyhedral"}) == []
    assert refused("db2t", 2, raw) == [("actors[0].dice[2]", "db2t.roll")]


def test_single_contest_allows_eight_actors() -> None:
    rolled = {"dice": [1, 2, 4], "declared": None}
    incited = {"dice": [2, 2, 5], "declared": "pair"}
    lone = {"game": "db2t", "players": 8, "inciter": 0, "tier": "pair"}
    lone |= {"dice": "3d6", "difficulty": False, "trump": None}
    assert trick_answer({**lone, "actors": [incited, *[rolled] * 7]})["winner"] == 0
    told = trick_refused({**lone, "actors": [incited, *[rolled] * 8]})
    assert told == [("actors", "record.format")]


def test_match_of_two_contests_can_end_with_the_second() -> None:
    ended = {**CONTEST, "ended": True}
    options = {"contests": 2, "trump": "prial"}
    assert refused("db2t", 3, ended, options=options) == [("ended", "db2t.end")]
    state, _scored = match("db2t", 3, CONTEST, ended, options=options)
    assert state.finished


def test_trump_beats_the_inciting_tier() -> None:
    state, (scored,) = match("db2t", 3, CONTEST)
    assert scored.scores == (0, 1, 0)
    assert (state.next, state.finished) == ({}, False)


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
    other = {**DUEL, "actors": [HIGHER, PAIR]}
    state, _hands = match("db2t", 2, DUEL, other, options={"contests": 2})
    assert (state.winners, state.ranks) == ((0, 1), (1, 1))
    state, _hands = match("db2t", 2, DUEL, {**DUEL, "ended": True})
    assert (state.winners, state.ranks) == ((1,), (2, 1))


BEGUN: dict[str, Any] = {
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
    "known",
    [
        {},
        BEGUN,
        {"inciter": 2},
        {"inciter": None, "tier": None, "actors": [None, None, None]},
        {"tier": "flush", "ended": True},
        {"actors": [{"dice": [], "declared": None}, None, None]},
        {"actors": [{"dice": [None, None, 6]}, None, {"dice": [1, 2, 4]}]},
        changed(BEGUN, ["actors", 0, "declared"], None),
        changed(BEGUN, ["actors", 1], {"dice": [6, 6, 6], "declared": "prial"}),
        changed(BEGUN, ["actors", 2], {"dice": [1, 2, 4], "declared": None}),
    ],
)
def test_partial_contest_is_accepted(known: dict[str, Any]) -> None:
    assert contract_refused("db2t", 3, known) == []


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
    assert contract_refused("db2t", 3, {**BEGUN, **changes}) == [reason]


def test_dice_are_checked_against_their_number_of_faces() -> None:
    state = start("db2t", 2, {"dice": "polyhedral"})
    rolled = [{"dice": [None, None, 8], "declared": None}, None]
    assert reasons(lambda: parse_unfinished_hand(state, {"actors": rolled})) == []
    rolled = [{"dice": [8], "declared": None}, None]
    faults = reasons(lambda: parse_unfinished_hand(state, {"actors": rolled}))
    assert faults == [("actors[0].dice[0]", "db2t.roll")]


def test_contest_cannot_end_a_match_of_agreed_length_early() -> None:
    state = start("db2t", 2, {"contests": 3})
    faults = reasons(lambda: parse_unfinished_hand(state, {"ended": True}))
    assert faults == [("ended", "db2t.end")]


def test_contest_with_re_rolls_is_not_complete() -> None:
    """What a record has no place for, and what was not rolled, ends no contest."""
    whole = changed(BEGUN, ["actors", 1], None)
    assert refused("db2t", 3, whole) == [("rerolls", "record.format")]
    assert ("actors[1].dice", "record.format") in refused("db2t", 3, BEGUN)


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
    kept = data.draw(st.sets(st.sampled_from(sorted(raw))))
    begun = {key: value for key, value in raw.items() if key in kept | {"trump"}}
    begun["actors"] = [
        actor and {"dice": actor["dice"][: data.draw(st.integers(0, 3))]}
        for actor in raw["actors"]
    ]
    parse_unfinished_hand(state, begun)
