"""DB2T: tiers, contests, ends and refusals."""

import json
from typing import Any

import pytest

from scoring.rules import begun, complete, start, trick_answer
from scoring.rules.db2t.tiers import declarations, tiers_met
from tests.scoring.rules.scoring_hands import (
    changed,
    match,
    options_refused,
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


@pytest.mark.parametrize(
    ("dice", "tiers"),
    [
        ([2, 2, 2], ("prial", "flush", "pair", "high")),
        ([3, 1, 2], ("straight_flush", "straight", "flush", "high")),
        ([4, 5, 6], ("straight_flush", "straight", "flush", "high")),
        ([4, 2, 3], ("straight", "high")),
        ([1, 5, 3], ("flush", "high")),
        ([2, 6, 4], ("flush", "high")),
        ([1, 1, 4], ("pair", "high")),
        ([4, 6, 8], ("flush", "high")),
        ([1, 2, 5], ("high",)),
    ],
)
def test_dice_meet_every_tier_that_they_satisfy(
    dice: list[int], tiers: tuple[str, ...]
) -> None:
    assert tiers_met(dice) == tiers


def test_a_trump_that_could_also_follow_leaves_a_choice() -> None:
    assert declarations([6, 6, 6], "pair", "prial") == ("pair", "prial")
    assert declarations([6, 6, 6], "straight", "prial") == (None, "prial")
    assert declarations([6, 6, 6], "prial", "prial") == ("prial",)


def test_trump_beats_the_inciting_tier() -> None:
    state, (scored,) = match("db2t", 3, CONTEST)
    assert scored.scores == (0, 1, 0)
    assert (state.next, state.finished) == ({}, False)


def test_without_a_trump_declared_the_highest_sum_wins() -> None:
    raw = changed(CONTEST, ["trump"], None)
    raw = changed(raw, ["actors", 1, "declared"], "pair")
    _state, (scored,) = match("db2t", 3, raw)
    assert scored.scores == (0, 1, 0)


def test_the_earlier_declaration_wins_a_tie() -> None:
    actors = [{"dice": [1, 2, 6], "declared": "high"}] * 3
    raw = {"inciter": 2, "tier": "high", "actors": actors}
    _state, (scored,) = match("db2t", 3, raw)
    assert scored.scores == (0, 0, 1)


@pytest.mark.parametrize(
    ("trump", "says"),
    [
        (None, "is the first of those who declared with the highest sum, 9."),
        ("flush", "declared trump and is the first with the highest sum, 9."),
    ],
)
def test_who_wins_a_tie_is_told_to_be_the_first(trump: str | None, says: str) -> None:
    first = {"dice": [2, 2, 6], "declared": "high" if trump else None}
    tied = {"dice": [1, 3, 5], "declared": trump or "high"}
    raw = {"game": "db2t", "inciter": 0 if trump else 1, "tier": "high", "trump": trump}
    answer = trick_answer({**raw, "actors": [first, tied, tied]})
    assert answer["winner"] == 1
    assert says in json.dumps(answer)


def test_an_actor_may_be_left_out() -> None:
    raw = changed(CONTEST, ["actors", 1], None)
    _state, (scored,) = match("db2t", 3, raw)
    assert scored.scores == (1, 0, 0)


def test_who_could_follow_and_discarded_is_found() -> None:
    raw = changed(CONTEST, ["actors", 2, "dice"], [3, 3, 4])
    _state, (scored,) = match("db2t", 3, raw)
    (finding,) = scored.findings
    assert (finding.trick, finding.seat, finding.clause) == (1, 2, "db2t.respond")


def test_the_agreed_number_of_contests_ends_the_match() -> None:
    state, _hands = match("db2t", 3, CONTEST, CONTEST, options={"contests": 2})
    assert (state.winners, state.ranks) == ((1,), (2, 1, 2))


def test_all_who_share_the_highest_total_win() -> None:
    other = changed(CONTEST, ["actors", 1], None)
    state, _hands = match("db2t", 3, CONTEST, other, options={"contests": 2})
    assert (state.winners, state.ranks) == ((0, 1), (1, 1, 3))


def test_an_open_match_ends_when_the_record_says_so() -> None:
    state, _hands = match("db2t", 3, changed(CONTEST, ["ended"], value=True))
    assert state.winners == (1,)


def test_polyhedral_dice_have_four_six_and_eight_faces() -> None:
    actors = [{"dice": [4, 6, 8], "declared": "flush"}, None]
    raw = {"inciter": 0, "tier": "flush", "actors": actors}
    assert refused("db2t", 2, raw, options={"dice": "polyhedral"}) == []
    assert refused("db2t", 2, raw) == [("actors[0].dice[2]", "db2t.roll")]


@pytest.mark.parametrize(
    ("path", "value", "field", "clause"),
    [
        (["inciter"], 3, "inciter", "record.format"),
        (["tier"], "full_house", "tier", "record.format"),
        (["trump"], "aces", "trump", "record.format"),
        (["difficulty"], "hard", "difficulty", "record.format"),
        (["ended"], 1, "ended", "record.format"),
        (["actors"], [], "actors", "record.format"),
        (["actors", 1], "six", "actors[1]", "record.format"),
        (["actors", 1, "dice"], [6, 6], "actors[1].dice", "record.format"),
        (["actors", 1, "dice", 0], "6", "actors[1].dice[0]", "record.format"),
        (["actors", 1, "dice", 0], 7, "actors[1].dice[0]", "db2t.roll"),
        (["actors", 1, "declared"], "all", "actors[1].declared", "record.format"),
        (["actors", 1, "declared"], "flush", "actors[1].declared", "db2t.respond"),
        (["actors", 2, "declared"], "pair", "actors[2].declared", "db2t.respond"),
        (["actors", 2, "declared"], "prial", "actors[2].declared", "db2t.trump"),
        (["actors", 0], None, "actors[0]", "db2t.declare"),
        (["actors", 0, "declared"], None, "actors[0].declared", "db2t.declare"),
        (["actors", 0, "dice"], [1, 2, 4], "actors[0].declared", "db2t.declare"),
        (["actors", 1, "name"], "Bo", "actors[1].name", "record.format"),
        (["dice"], "3d6", "dice", "record.format"),
    ],
)
def test_it_refuses(path: list[Any], value: object, field: str, clause: str) -> None:
    raw = CONTEST
    if path[-1] in {"name", "dice"} and path[0] != "actors":
        raw = {**CONTEST, "dice": None}
    if path[-1] == "name":
        raw = changed(CONTEST, ["actors", 1], {**CONTEST["actors"][1], "name": ""})
    assert refused("db2t", 3, changed(raw, path, value))[0] == (field, clause)


def test_an_open_end_without_trump_can_be_agreed() -> None:
    options = {"contests": None, "trump": None, "difficulty": True, "dice": "3d6"}
    assert options_refused("db2t", 3, options) == []


def test_a_match_of_agreed_length_is_not_ended_before() -> None:
    raw = changed(CONTEST, ["ended"], value=True)
    options = {"contests": 3}
    assert refused("db2t", 3, raw, options=options) == [("ended", "db2t.end")]


@pytest.mark.parametrize(
    "options",
    [
        {"contests": 0},
        {"contests": "3"},
        {"trump": "aces"},
        {"difficulty": None},
        {"dice": "2d6"},
    ],
)
def test_options_are_checked(options: dict[str, Any]) -> None:
    (name,) = options
    assert options_refused("db2t", 3, options) == [(f"options.{name}", "record.format")]


TRICK: dict[str, Any] = {
    "game": "db2t",
    **{key: CONTEST[key] for key in ("inciter", "tier", "trump", "actors")},
}


def test_a_single_contest_is_judged() -> None:
    answer = trick_answer(TRICK)
    assert (answer["winner"], answer["clause"]) == (1, "db2t.win")


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"actors": None}, "actors"),
        ({"actors": [None]}, "actors"),
        ({"dice": "2d6"}, "dice"),
        ({"ended": True}, "ended"),
    ],
)
def test_a_single_contest_is_refused(changes: dict[str, Any], field: str) -> None:
    assert trick_refused({**TRICK, **changes})[0] == (field, "record.format")


@pytest.mark.parametrize(
    ("actor", "declared"),
    [
        ({"dice": [2, 2, 5]}, "pair"),
        ({"dice": [1, 2, 4]}, None),
        ({"dice": [6, 6, 6]}, "pair"),
        ({"dice": [6, 6, 6], "declared": "trump"}, "prial"),
        ({"dice": [6, 6, 6], "declared": "prial"}, "prial"),
        ({"dice": [2, 2, None]}, None),
    ],
)
def test_what_is_declared_follows_from_the_dice_while_nobody_says_otherwise(
    actor: dict[str, Any], declared: str | None
) -> None:
    state = start("db2t", 3, {"trump": "prial"})
    said = {
        "inciter": 0,
        "tier": "pair",
        "actors": [{"dice": [1, 1, 3]}, actor, None],
        "rerolls": [1, 0, 0],
    }
    completed = complete(state, said)
    assert completed["actors"][0]["declared"] == "pair"
    assert completed["actors"][1]["declared"] == declared
    assert completed["actors"][2] is None
    assert "rerolls" not in completed
    kept = begun(state, said)
    assert kept["rerolls"] == [1, 0, 0]
    assert begun(state, {"inciter": None})["actors"] == [None] * 3


def test_eight_may_act_in_a_contest_that_is_told_alone() -> None:
    rolled = {"dice": [1, 2, 4], "declared": None}
    incited = {"dice": [2, 2, 5], "declared": "pair"}
    lone = {"game": "db2t", "players": 8, "inciter": 0, "tier": "pair"}
    lone |= {"dice": "3d6", "difficulty": False, "trump": None}
    assert trick_answer({**lone, "actors": [incited, *[rolled] * 7]})["winner"] == 0
    told = trick_refused({**lone, "actors": [incited, *[rolled] * 8]})
    assert told == [("actors", "record.format")]


def test_a_match_of_two_contests_may_say_that_it_ends_with_the_second() -> None:
    ended = {**CONTEST, "ended": True}
    options = {"contests": 2, "trump": "prial"}
    assert refused("db2t", 3, ended, options=options) == [("ended", "db2t.end")]
    state, _scored = match("db2t", 3, CONTEST, ended, options=options)
    assert state.finished
