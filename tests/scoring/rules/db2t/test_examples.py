"""Worked examples of DB2T's tiers, its score and its end."""

import pytest

from scoring.rules.db2t.tiers import TIERS, matching_tiers
from tests.scoring.rules.scoring_hands import match

PAIR = {"dice": [2, 2, 5], "declared": "pair"}
HIGHER = {"dice": [6, 6, 1], "declared": "pair"}
CONTEST = {"inciter": 0, "tier": "pair", "actors": [PAIR, HIGHER]}


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


def test_the_winner_of_a_contest_scores_one() -> None:
    """db2t.score"""
    _state, (hand,) = match("db2t", 2, CONTEST)
    assert hand.scores == (0, 1)
    assert {line.clause for line in hand.explanation} == {"db2t.win", "db2t.score"}


def test_everyone_who_shares_the_highest_total_wins() -> None:
    """db2t.end and db2t.end.ranks"""
    other = {**CONTEST, "actors": [HIGHER, PAIR]}
    state, _hands = match("db2t", 2, CONTEST, other, options={"contests": 2})
    assert (state.winners, state.ranks) == ((0, 1), (1, 1))
    state, _hands = match("db2t", 2, CONTEST, {**CONTEST, "ended": True})
    assert (state.winners, state.ranks) == ((1,), (2, 1))
