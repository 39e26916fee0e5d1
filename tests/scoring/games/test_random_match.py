"""Random matches are legal, complete, and the same for the same seed."""

from collections.abc import Mapping
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.games.random_match import generate_match
from scoring.games.registry import table_game
from scoring.rules import (
    GAMES,
    MatchRecord,
    ScoredHand,
    play,
    read_record,
    score_match,
    score_record,
    start,
    write_record,
)

GAMES_AND_SEATS = [
    pytest.param(game.id, seats, id=f"{game.id}-{seats}")
    for game in GAMES.values()
    for seats in game.seats
]


OPTIONS: list[tuple[str, dict[str, object] | None]] = [
    *((game, None) for game in GAMES),
    ("tricky", {"target": 500}),
    ("tricky_dice", {"tricks_scored": "own"}),
    ("tricky_bid", {"multiple": 3}),
    ("tricks_and_treats", {"treats": {"candy": 19, "mixer": 3}}),
    ("db2t", {"contests": 3, "trump": "pair", "dice": "polyhedral"}),
    ("db2t", {"difficulty": True}),
]


@st.composite
def records(draw: st.DrawFn) -> MatchRecord:
    game_id, options = draw(st.sampled_from(OPTIONS))
    return generate_match(
        game_id,
        draw(st.sampled_from(GAMES[game_id].seats)),
        options,
        Random(draw(st.integers(0, 2**32))),
        tricks=draw(st.booleans()),
        most_hands=12,
    )


@pytest.mark.parametrize("tricks", [False, True])
@pytest.mark.parametrize(("game_id", "seats"), GAMES_AND_SEATS)
def test_plays_a_match_to_its_end(game_id: str, seats: int, *, tricks: bool) -> None:
    record = generate_match(game_id, seats, None, Random(seats), tricks=tricks)
    assert score_match(record).state.finished


@given(records())
def test_played_record_round_trips_without_findings(
    record: MatchRecord,
) -> None:
    parsed = read_record(write_record(record))
    assert parsed == record
    assert write_record(parsed) == write_record(record)
    assert [hand.findings for hand in score_match(record).hands if hand.findings] == []


@given(records())
def test_scoring_hand_by_hand_equals_scoring_the_whole(record: MatchRecord) -> None:
    state = start(record.game, len(record.players), record.options)
    hands: list[ScoredHand] = []
    for raw in record.hands:
        assert not state.finished
        state, hand = play(state, raw)
        hands.append(hand)
    scored_match = score_match(record)
    assert scored_match.hands == tuple(hands)
    assert scored_match.state == state


@given(records())
def test_scores_sum_to_totals_and_ranks_follow_them(record: MatchRecord) -> None:
    answer = score_record(write_record(record))
    totals = [0] * len(record.players)
    for raw, hand in zip(record.hands, answer["hands"], strict=True):
        check_scores(record.game, raw, hand["scores"])
        totals = [old + new for old, new in zip(totals, hand["scores"], strict=True)]
        assert hand["totals"] == totals
        explained_seats = {line["seat"] for line in hand["explanation"]}
        assert set(range(len(totals))) <= explained_seats
    assert min(answer["ranks"]) == 1
    assert answer["finished"] == (answer["next"] is None) == bool(answer["winners"])
    assert all(answer["ranks"][seat] == 1 for seat in answer["winners"])


def check_scores(game: str, raw: Mapping[str, Any], scores: list[int]) -> None:
    """Compute the scores of a hand again if that is simple."""
    if game == "tricky_bid" and "points" in raw:
        assert scores == raw["points"]
    if game == "db2t":
        assert sorted(scores)[-2:] == [0, 1]
    if game == "tricky" and "passed_out" in raw:
        assert set(scores) == {-20}
    if game == "tricky" and "points" in raw:
        check_tricky(raw, scores)


def check_tricky(raw: Mapping[str, Any], scores: list[int]) -> None:
    contract, points = raw["contract"], list(raw["points"])
    bidder, bid = contract["bidder"], contract["bid"]
    if points[bidder] >= bid:
        points[bidder] = bid * max(contract["trump"] or 0, len(points))
        assert scores == points
    else:
        points[bidder] = 0
        assert scores == [taken * 3 // 2 for taken in points]


@pytest.mark.parametrize(
    ("game_id", "options"),
    [
        ("tricky_bid", {}),
        ("tricky_bid", {"multiple": 3}),
        ("db2t", {"contests": 3}),
        ("tricky", {}),
        ("tricky_dice", {}),
        ("tricks_and_treats", {}),
    ],
)
def test_match_of_fixed_length_has_its_number_of_hands(
    game_id: str, options: dict[str, object]
) -> None:
    state = score_match(
        generate_match(game_id, 3 + (game_id == "tricky_dice"), options, Random(1))
    ).state
    fixed = table_game(game_id).fixed_hand_count(state.seats, state.options)
    assert fixed in (None, state.number)
    assert (fixed is None) == (game_id not in {"tricky_bid", "db2t"})
