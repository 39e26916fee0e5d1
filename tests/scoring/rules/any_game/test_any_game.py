"""Any game: scores, refusals and winners."""

from collections.abc import Sequence
from typing import Any

import pytest

from scoring.rules import GAMES, play, start
from scoring.rules.any_game.game import LONGEST_TITLE, MOST_HANDS, MOST_POINTS
from scoring.rules.match import skip_refused_hand
from tests.scoring.rules.scoring_hands import hand_faults, option_faults, play_hands

HEARTS = {"title": "Hearts", "target": 100, "lowest_wins": True}
WITH_BIDS = {"bids": True}


def points(*values: int) -> dict[str, Any]:
    return {"points": list(values)}


def explanations(
    hand: int, options: dict[str, Any], *hands: dict[str, Any]
) -> list[str]:
    _state, scored = play_hands("any_game", 3, *hands, options=options)
    return [
        line.text.in_words(("Ann", "Bo", "Cy")) for line in scored[hand].explanation
    ]


def test_points_count_as_entered() -> None:
    """any_game.score: negative points as well."""
    state, scored = play_hands("any_game", 3, points(5, -20, 0), points(1, 2, 3))
    assert state.totals == (6, -18, 3)
    assert scored[0].scores == (5, -20, 0)
    assert explanations(0, {}, points(5, -20, 0)) == [
        "scored 5",
        "scored −20",
        "scored 0",
    ]


def test_deal_goes_round() -> None:
    """any_game.dealer: seat 0 deals first, unless the first hand says otherwise."""
    state, _scored = play_hands("any_game", 3)
    assert state.next_lead_seats == {"dealer": 0, "starter": 1}
    state, _scored = play_hands("any_game", 3, points(1, 1, 1))
    assert state.next_lead_seats == {"dealer": 1, "starter": 2}
    state, _scored = play_hands("any_game", 3, {"dealer": 2, **points(1, 1, 1)})
    assert state.next_lead_seats == {"dealer": 0, "starter": 1}
    state_after_refusal = skip_refused_hand(start("any_game", 3), {"dealer": 7})
    _state, scored = play(state_after_refusal, points(1, 1, 1))
    assert scored.totals == (1, 1, 1)


def test_bids_are_noted_and_score_nothing() -> None:
    """any_game.bid: a player may have none."""
    hand = {"bids": [3, None, 0], **points(10, 0, 0)}
    assert explanations(0, WITH_BIDS, hand) == [
        "bid 3, scored 10",
        "scored 0",
        "bid 0, scored 0",
    ]
    assert explanations(0, WITH_BIDS, points(10, 0, 0))[0] == "scored 10"


@pytest.mark.parametrize(
    ("options", "hands", "winners", "ranks"),
    [
        # any_game.end.target: once anyone reaches it, the highest total wins.
        ({"target": 50}, [(20, 60, 55)], (1,), (3, 1, 2)),
        ({"target": 50}, [(20, 49, 0), (40, 10, 0)], (0,), (1, 2, 3)),
        ({"target": 50}, [(20, 60, 60)], (1, 2), (3, 1, 1)),
        (HEARTS, [(12, 60, 4), (26, 45, 20)], (2,), (2, 3, 1)),
        (HEARTS, [(4, 100, 4)], (0, 2), (1, 3, 1)),
        # any_game.end.hands: after the last one; with a target, whichever is first.
        ({"hands": 2}, [(5, 0, 1), (0, 2, 1)], (0,), (1, 2, 2)),
        ({"hands": 2, "lowest_wins": True}, [(5, 0, 1), (0, 2, 3)], (1,), (3, 1, 2)),
        ({"hands": 2, "target": 50}, [(50, 0, 0)], (0,), (1, 2, 2)),
        ({"hands": 1, "target": 50}, [(5, 0, 0)], (0,), (1, 2, 2)),
    ],
)
def test_ends_at_target_or_last_hand(
    options: dict[str, Any],
    hands: Sequence[tuple[int, int, int]],
    winners: tuple[int, ...],
    ranks: tuple[int, ...],
) -> None:
    """any_game.end.ranks: ties share the win."""
    raws = [points(*hand) for hand in hands]
    before, _scored = play_hands("any_game", 3, *raws[:-1], options=options)
    assert not before.finished
    state, _scored = play_hands("any_game", 3, *raws, options=options)
    assert state.finished
    assert (state.winners, state.ranks) == (winners, ranks)


def test_players_agree_on_the_end_of_an_open_match() -> None:
    """any_game.end.agreed: only without a target and a number of hands."""
    last_hand = {**points(1, 2, 3), "ended": True}
    state, _scored = play_hands("any_game", 3, points(5, 0, 0), last_hand)
    assert (state.finished, state.winners) == (True, (0,))
    assert play_hands("any_game", 3, {**last_hand, "ended": False})[0].finished is False
    options = {"hands": 9}
    assert hand_faults("any_game", 3, last_hand, options=options) == [
        ("ended", "any_game.end.agreed")
    ]


def test_only_a_target_that_wins_is_still_needed() -> None:
    state, _scored = play_hands(
        "any_game", 3, points(60, 20, 0), options={"target": 50}
    )
    assert state.points_needed == (0, 30, 50)
    for options in ({}, HEARTS):
        assert start("any_game", 3, options).points_needed == (None,) * 3


def test_the_lowest_total_leads_if_it_wins() -> None:
    state, _scored = play_hands("any_game", 3, points(12, 0, 14), options=HEARTS)
    assert state.ranks == (2, 1, 3)
    assert state.game.fewest_points_win
    assert not GAMES["any_game"].fewest_points_win


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (points(MOST_POINTS + 1, 0, 0), ("points[0]", "any_game.score")),
        (points(0, -MOST_POINTS - 1, 0), ("points[1]", "any_game.score")),
        (
            {"bids": [MOST_POINTS + 1, 0, 0], **points(0, 0, 0)},
            ("bids[0]", "any_game.bid"),
        ),
        ({"bids": ["x", 0, 0], **points(0, 0, 0)}, ("bids[0]", "record.format")),
        ({"bids": [0, 0], **points(0, 0, 0)}, ("bids", "record.format")),
        ({"points": [1, None, 2]}, ("points[1]", "record.format")),
        ({}, ("points", "record.format")),
        ({**points(0, 0, 0), "tricks": []}, ("tricks", "record.format")),
        ({**points(0, 0, 0), "ended": 1}, ("ended", "record.format")),
    ],
)
def test_refuses_impossible_hands(raw: object, reason: tuple[str, str]) -> None:
    assert hand_faults("any_game", 3, raw, options=WITH_BIDS) == [reason]


def test_refuses_bids_in_a_match_without_them() -> None:
    raw = {"bids": [1, 1, 1], **points(0, 0, 0)}
    assert hand_faults("any_game", 3, raw) == [("bids", "record.format")]


@pytest.mark.parametrize(
    "options",
    [
        {"title": "x" * (LONGEST_TITLE + 1)},
        {"title": 5},
        {"title": "Hea\u202erts"},
        {"title": "\u200b"},
        {"lowest_wins": 1},
        {"bids": "yes"},
        {"target": 0},
        {"target": MOST_POINTS + 1},
        {"target": "100"},
        {"hands": 0},
        {"hands": MOST_HANDS + 1},
    ],
)
def test_refuses_impossible_options(options: dict[str, Any]) -> None:
    (name,) = options
    assert option_faults("any_game", 3, options) == [
        (f"options.{name}", "record.format")
    ]
