"""Matches played by chance are legal, complete, and the same for the same seed."""

from collections.abc import Mapping
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.games.random_match import play_hand, play_match
from scoring.games.registry import table_game
from scoring.rules import (
    GAMES,
    MatchState,
    Record,
    ScoredHand,
    check_contract,
    play,
    read_record,
    score_match,
    score_record,
    start,
    write_record,
)

SEATED = [
    pytest.param(game.id, seats, id=f"{game.id}-{seats}")
    for game in GAMES.values()
    for seats in game.seats
]
BEFORE_PLAY = ("first_bidder", "dealer", "bids", "trump", "contract")


@st.composite
def records(draw: st.DrawFn) -> Record:
    game = GAMES[draw(st.sampled_from(list(GAMES)))]
    return play_match(
        game.id,
        draw(st.sampled_from(game.seats)),
        None,
        Random(draw(st.integers(0, 2**32))),
        tricks=draw(st.booleans()),
        most_hands=12,
    )


@pytest.mark.parametrize("tricks", [False, True])
@pytest.mark.parametrize(("game_id", "seats"), SEATED)
def test_plays_a_match_to_its_end(game_id: str, seats: int, *, tricks: bool) -> None:
    record = play_match(game_id, seats, None, Random(seats), tricks=tricks)
    assert score_match(record).state.finished


@given(records())
def test_a_played_record_written_and_read_is_the_same(record: Record) -> None:
    read = read_record(write_record(record))
    assert read == record
    assert write_record(read) == write_record(record)


@given(records())
def test_who_plays_by_the_rules_has_no_findings(record: Record) -> None:
    assert [hand.findings for hand in score_match(record).hands if hand.findings] == []


@given(records())
def test_hand_by_hand_gives_what_the_whole_gives(record: Record) -> None:
    state = start(record.game, len(record.players), record.options)
    hands: list[ScoredHand] = []
    for raw in record.hands:
        assert not state.finished
        state, hand = play(state, raw)
        hands.append(hand)
    whole = score_match(record)
    assert whole.hands == tuple(hands)
    assert whole.state == state


@given(records())
def test_scores_sum_to_totals_and_ranks_follow_them(record: Record) -> None:
    answer = score_record(write_record(record))
    totals = [0] * len(record.players)
    for hand in answer["hands"]:
        totals = [old + new for old, new in zip(totals, hand["scores"], strict=True)]
        assert hand["totals"] == totals
        told = {line["seat"] for line in hand["explanation"]}
        assert set(range(len(totals))) <= told
    assert min(answer["ranks"]) == 1
    assert answer["finished"] == (answer["next"] is None) == bool(answer["winners"])
    assert all(answer["ranks"][seat] == 1 for seat in answer["winners"])


@given(records())
def test_a_hand_scores_what_its_game_has_to_give(record: Record) -> None:
    match = score_match(record)
    for raw, hand in zip(record.hands, match.hands, strict=True):
        if record.game == "tricky_bid" and "points" in raw:
            assert list(hand.scores) == raw["points"]
        if record.game == "db2t":
            assert sorted(hand.scores)[-2:] == [0, 1]
        if record.game == "tricky" and "passed_out" in raw:
            assert set(hand.scores) == {-20}
        if record.game == "tricky" and "points" in raw:
            check_tricky(raw, hand.scores)


def check_tricky(raw: Mapping[str, Any], scores: tuple[int, ...]) -> None:
    contract, points = raw["contract"], list(raw["points"])
    bidder, bid = contract["bidder"], contract["bid"]
    if points[bidder] >= bid:
        points[bidder] = bid * max(contract["trump"] or 0, len(points))
        assert list(scores) == points
    else:
        points[bidder] = 0
        assert list(scores) == [taken * 3 // 2 for taken in points]


@given(records())
def test_the_contract_alone_stands_before_the_hand_is_played(record: Record) -> None:
    state = start(record.game, len(record.players), record.options)
    for raw in record.hands:
        if "contract" in raw:
            check_contract(state, {key: raw[key] for key in BEFORE_PLAY if key in raw})
        state, _hand = play(state, raw)


@settings(max_examples=20)
@given(st.integers(0, 2**32))
def test_the_same_seed_plays_the_same_match(seed: int) -> None:
    for game in GAMES.values():
        once, again = (
            play_match(game.id, game.seats[-1], None, Random(seed)) for _ in range(2)
        )
        assert once == again


def test_about_two_in_three_bidders_make_their_bid() -> None:
    rng = Random(1)
    clauses = [
        line.clause
        for _match in range(60)
        for hand in score_match(play_match("tricky", 4, None, rng)).hands
        for line in hand.explanation
    ]
    made = clauses.count("tricky.score.made")
    assert 0.55 < made / (made + clauses.count("tricky.score.set")) < 0.78


@pytest.mark.parametrize(
    ("game_id", "options"),
    [
        ("tricky", {"target": 500}),
        ("tricky_dice", {"tricks_scored": "own"}),
        ("tricky_bid", {"multiple": 3}),
        ("tricks_and_treats", {"treats": {"candy": 19, "mixer": 3}}),
        ("db2t", {"contests": 3, "trump": "pair", "dice": "polyhedral"}),
        ("db2t", {"difficulty": True}),
    ],
)
def test_options_are_heeded(game_id: str, options: dict[str, object]) -> None:
    for seed in range(20):
        record = play_match(game_id, 4, options, Random(seed))
        assert score_match(record).state.finished


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
def test_a_match_has_its_fixed_hands(game_id: str, options: dict[str, object]) -> None:
    state = score_match(
        play_match(game_id, 3 + (game_id == "tricky_dice"), options, Random(1))
    ).state
    fixed = table_game(game_id).fixed_hands(state.seats, state.options)
    assert fixed in (None, state.number)
    assert (fixed is None) == (game_id not in {"tricky_bid", "db2t"})


def test_a_hand_can_be_played_without_knowing_the_turn() -> None:
    state: MatchState = start("tricky", 3)
    raw = play_hand(state, Random(2))
    assert play(state, raw)[0].number == 1
