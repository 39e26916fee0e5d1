"""DB2T: a contest that goes on later, as far as it is known."""

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.games.random_match import generate_hand
from scoring.rules import parse_unfinished_hand, start
from tests.scoring.rules.scoring_hands import (
    changed,
    contract_refused,
    reasons,
    refused,
)

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
    ("path", "value", "field", "clause"),
    [
        (["trump"], "aces", "trump", "record.format"),
        (["actors", 1, "dice", 0], 7, "actors[1].dice[0]", "db2t.roll"),
        (["actors", 1, "declared"], "all", "actors[1].declared", "record.format"),
        (["tier"], None, "actors[0].declared", "db2t.declare"),
        (["inciter"], None, "actors[0].declared", "db2t.declare"),
        (["rerolls"], 2, "rerolls", "record.format"),
        (["rerolls", 1], 3, "rerolls[1]", "db2t.roll"),
        (["rerolls", 1], True, "rerolls[1]", "db2t.roll"),
        (["played"], ["2"], "played", "record.format"),
        (["dice"], "3d6", "dice", "record.format"),
        (["ended"], 1, "ended", "record.format"),
    ],
)
def test_refuses_invalid_hand(
    path: list[Any], value: object, field: str, clause: str
) -> None:
    raw = BEGUN if path[0] in BEGUN else {**BEGUN, path[0]: None}
    assert contract_refused("db2t", 3, changed(raw, path, value)) == [(field, clause)]


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
