"""Tricks and Treats: deals, ends, refusals, single tricks and treats."""

from itertools import pairwise
from typing import Any

import pytest

from scoring.rules import trick_answer
from scoring.rules.tricks_and_treats.pieces import HOLDABLE_KINDS
from tests.scoring.rules.scoring_hands import (
    hand_faults,
    option_faults,
    play_hands,
    replace_value,
    trick_faults,
)

DEAL: dict[str, Any] = {
    "tokens": [5, 3, 4],
    "treats": [{"candy": 1, "spy": 1}, {}, {"ghost": 1}],
    "grid_left": 52,
}
MIX = {"candy": 19, "mixer": 3}


def deal(
    tokens: list[int], treats: list[dict[str, int]], grid_left: int
) -> dict[str, Any]:
    return {"tokens": tokens, "treats": treats, "grid_left": grid_left}


@pytest.mark.parametrize(
    ("last", "winners", "ranks"),
    [
        (deal([9, 3, 4], [{}, {}, {}], 10), (0,), (1, 3, 2)),
        (deal([4, 3, 4], [{}, {}, {}], 11), (), (1, 3, 1)),
        # Equal totals: the most treats held; a candy is one treat.
        (deal([4, 2, 3], [{}, {"candy": 1}, {"spy": 1}], 9), (1, 2), (3, 1, 1)),
        (deal([4, 4, 3], [{}, {}, {"spy": 1}], 9), (2,), (2, 2, 1)),
    ],
)
def test_the_match_ends_with_ten_tokens_left(
    last: dict[str, Any], winners: tuple[int, ...], ranks: tuple[int, ...]
) -> None:
    """treats.end and treats.end.ranks"""
    state, _hands = play_hands("tricks_and_treats", 3, last)
    assert (state.winners, state.ranks) == (winners, ranks)
    assert state.finished == bool(winners)


def test_result_explains_that_more_treats_break_the_tie() -> None:
    last = deal([4, 2, 3], [{}, {"candy": 1}, {"spy": 1}], 9)
    state, _hands = play_hands("tricks_and_treats", 3, last)
    explanation = state.game.explain_tie_break(state, 1, 0)
    assert explanation is not None
    expected = "tied with Ann on 4 points, 1 treat to 0"
    assert explanation.in_words(["Ann", "Bo", "Cy"]) == expected


@pytest.mark.parametrize(
    ("path", "value", "field", "clause"),
    [
        (["treats", 1], {"mixer": 1}, "treats[1].mixer", "treats.score.bounds"),
        (["treats", 1], {"bomb": 1}, "treats[1].bomb", "treats.score.bounds"),
        (["grid_left"], -1, "grid_left", "treats.tokens"),
        (["grid_left"], 68, "grid_left", "treats.tokens"),
    ],
)
def test_refuses_invalid_hand(
    path: list[Any], value: object, field: str, clause: str
) -> None:
    faults = hand_faults("tricks_and_treats", 3, replace_value(DEAL, path, value))
    assert faults[0] == (field, clause)


def test_at_most_sixty_tokens_are_claimed_in_a_match() -> None:
    deals = [deal([20, 0, 0], [{}, {}, {}], left) for left in (60, 40, 20)]
    surplus_deal = deal([0, 1, 0], [{}, {}, {}], 15)
    assert hand_faults("tricks_and_treats", 3, *deals, surplus_deal) == [
        ("tokens", "treats.score.bounds")
    ]


@pytest.mark.parametrize(("seats", "tricks"), [(3, 20), (4, 15), (5, 12), (6, 10)])
def test_a_trick_claims_one_token_at_most(seats: int, tricks: int) -> None:
    no_treats: list[dict[str, int]] = [{}] * seats
    full_deal = deal([tricks, *[0] * (seats - 1)], no_treats, 40)
    assert hand_faults("tricks_and_treats", seats, full_deal) == []
    surplus_deal = deal([tricks, 1, *[0] * (seats - 2)], no_treats, 40)
    faults = hand_faults("tricks_and_treats", seats, surplus_deal)
    assert faults == [("tokens", "treats.score.bounds")]


@pytest.mark.parametrize(
    ("options", "field", "clause"),
    [
        ({"treats": 22}, "options.treats", "record.format"),
        ({"treats": {**MIX, "candy": 18}}, "options.treats", "treats.tokens"),
        ({"treats": {**MIX, "candy": -1}}, "options.treats.candy", "record.format"),
        ({"treats": {**MIX, "broom": 0}}, "options.treats.broom", "record.format"),
    ],
)
def test_options_are_checked(options: dict[str, Any], field: str, clause: str) -> None:
    assert option_faults("tricks_and_treats", 3, options) == [(field, clause)]


def test_custom_mix_limits_the_treats_held() -> None:
    raw = deal([1, 1, 1], [{"candy": 7}, {}, {}], 50)
    options = {"treats": MIX, "shrinking_deck": True}
    _state, (scored,) = play_hands("tricks_and_treats", 3, raw, options=options)
    assert scored.scores == (15, 1, 1)


def token(card: str, row: int, column: int) -> dict[str, Any]:
    return {"card": card, "row": row, "column": column}


TRICK: dict[str, Any] = {
    "game": "tricks_and_treats",
    "players": 3,
    "leader": 0,
    "box": "left",
    "trumps": [token("P7", 0, 3)],
    "plays": ["G3", "P7", "G12"],
}


@pytest.mark.parametrize(
    ("changes", "field", "clause"),
    [
        ({"trumps": [token("P1", 9, 0)]}, "trumps[0].row", "record.format"),
        (
            {"trumps": [token("P1", 0, 0), token("P1", 1, 0)]},
            "trumps[1]",
            "treats.tokens",
        ),
        (
            {"trumps": [token("P1", 0, 0), token("P2", 0, 0)]},
            "trumps[1]",
            "treats.tokens",
        ),
        ({"plays": ["G3", "P7", "G3"]}, "plays[2]", "treats.cards"),
        ({"evil_eye": [0, 1, 2]}, "evil_eye", "treats.trick.evil_eye"),
    ],
)
def test_invalid_trick_is_refused(
    changes: dict[str, Any], field: str, clause: str
) -> None:
    assert trick_faults({**TRICK, **changes})[0] == (field, clause)


CORNERS = [("P1", 0, 0), ("P2", 0, 8), ("P3", 8, 0), ("P4", 8, 8)]
TOKENS = [{"card": card, "row": row, "column": column} for card, row, column in CORNERS]


def score_trick(*plays: str, **changes: Any) -> dict[str, Any]:
    answer = trick_answer(
        {
            "game": "tricks_and_treats",
            "players": len(plays),
            "leader": 0,
            "box": "left",
            "trumps": TOKENS,
            "plays": list(plays),
            **changes,
        }
    )
    return {key: answer[key] for key in ("winner", "clause")}


@pytest.mark.parametrize(
    ("box", "order"),
    [
        # Nearest to the box first; at the same distance nearest to its 'top'.
        ("left", "P1 P3 P2 P4"),
        ("top", "P2 P1 P4 P3"),
        ("right", "P4 P2 P3 P1"),
        ("bottom", "P3 P4 P1 P2"),
    ],
)
def test_the_box_orders_the_trumps(box: str, order: str) -> None:
    """treats.order"""
    cards = order.split()
    for best, second in pairwise(cards):
        result = score_trick("G12", second, best, box=box)
        assert result == {"winner": 2, "clause": "treats.trick.win"}


@pytest.mark.parametrize(
    ("plays", "changes", "winner", "clause"),
    [
        (("G3", "W12", "G4"), {}, 2, "treats.trick.win"),
        (("G3", "P3", "P1"), {}, 2, "treats.trick.win"),
        (("G3", "P7", "G12"), {"trumps": [], "leader": 2}, 1, "treats.trick.win"),
        # treats.evil_eye: neither wins nor is a trump.
        (("G3", "P3", "P1"), {"evil_eye": [2]}, 1, "treats.trick.win"),
        (("G3", "W12", "G4"), {"evil_eye": [2]}, 0, "treats.trick.win"),
        # treats.master_trump: beats all, the earlier of two, but not an evil eye.
        (("G3", "P3", "P1"), {"master_trump": [0]}, 0, "treats.trick.master_trump"),
        (("G3", "P3", "P1"), {"master_trump": [1, 0]}, 0, "treats.trick.master_trump"),
        (
            ("G3", "P3", "P1"),
            {"master_trump": [1, 0], "leader": 1},
            1,
            "treats.trick.master_trump",
        ),
        (
            ("G3", "P3", "P1"),
            {"master_trump": [0], "evil_eye": [0]},
            2,
            "treats.trick.win",
        ),
        # Nobody who can win followed suit: the first card that can win counts as led.
        (
            ("G3", "P7", "C1"),
            {"evil_eye": [0], "trumps": []},
            1,
            "treats.trick.win",
        ),
    ],
)
def test_a_trick_is_won(
    plays: tuple[str, ...], changes: dict[str, Any], winner: int, clause: str
) -> None:
    assert score_trick(*plays, **changes) == {"winner": winner, "clause": clause}


def deal_with_treats(treats: dict[str, int], grid_left: int = 50) -> dict[str, Any]:
    return {"tokens": [0, 0, 0], "treats": [treats, {}, {}], "grid_left": grid_left}


@pytest.mark.parametrize("kind", HOLDABLE_KINDS)
def test_a_treat_counts_while_it_is_held(kind: str) -> None:
    """treats.candy counts twice."""
    state, (hand, _gone) = play_hands(
        "tricks_and_treats", 3, deal_with_treats({kind: 1}), deal_with_treats({}, 40)
    )
    assert hand.scores == (2 if kind == "candy" else 1, 0, 0)
    assert state.totals == (0, 0, 0)


def test_the_grid_begins_with_81_tokens() -> None:
    """treats.start: one of the 82 is turned to find who starts."""
    assert hand_faults("tricks_and_treats", 3, deal_with_treats({}, 81)) == []
    assert hand_faults("tricks_and_treats", 3, deal_with_treats({}, 82)) == [
        ("grid_left", "treats.tokens")
    ]
