"""A hand that is recorded piece by piece comes to what its record says."""

from collections.abc import Mapping
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.games.random_match import generate_hand
from scoring.rules import (
    GAMES,
    MatchState,
    PlaySoFar,
    Refusal,
    parse_pieces,
    parse_unfinished_hand,
    play,
    start,
)
from scoring.rules.tricky_bid.tricks import DEALS

RECORDED = [game.id for game in GAMES.values() if game.records_tricks]
CONTRACT = {"bidder": 1, "bid": 96, "trump": 7}
BIDDEN = {"contract": {"bidder": 1, "tricks": 6, "partner": 3}, "trump": "8H"}


def begun(raw: Mapping[str, Any], played: list[str]) -> dict[str, Any]:
    """Return a hand as it stood after some of its pieces."""
    left_out = {"tricks"} if "contract" in raw else {"tricks", "trump"}
    kept = {key: value for key, value in raw.items() if key not in left_out}
    return {**kept, "played": played}


def after(state: MatchState, raw: Mapping[str, Any], played: str) -> PlaySoFar:
    return parse_pieces(state, begun(raw, played.split()))


def refused(state: MatchState, raw: object) -> list[tuple[str, str]]:
    with pytest.raises(Refusal) as caught:
        parse_pieces(state, raw)
    return [(fault.field, fault.clause) for fault in caught.value.faults]


@pytest.mark.parametrize("game", RECORDED)
@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6), place=st.data())
def test_asks_for_each_piece_played(game: str, seed: int, place: st.DataObject) -> None:
    rng = Random(seed)
    seats = place.draw(st.sampled_from(GAMES[game].seats))
    state = start(game, seats)
    raw = generate_hand(state, rng, tricks=True)
    while "tricks" not in raw:
        raw = generate_hand(state, rng, tricks=True)
    pieces = state.game.list_pieces(raw)
    _state, scored = play(state, raw)
    count = place.draw(st.integers(0, len(pieces)))
    seen = parse_pieces(state, begun(raw, pieces[:count]))
    whole = parse_pieces(state, begun(raw, pieces))
    assert list(whole.tricks) == raw["tricks"]
    assert whole.turn is None
    assert whole.current_trick == ()
    assert whole.current_tally == scored.sums.get(
        "points", scored.sums.get("tricks_won")
    )
    assert [won.winner for won in whole.results] == [
        trick.winner for trick in scored.tricks
    ]
    assert list(whole.leaders) == [trick.leader for trick in scored.tricks]
    closed = len(seen.tricks)
    assert seen.results == whole.results[:closed]
    lying = [piece for laid in seen.current_trick for piece in laid.pieces]
    assert lying == pieces[count - len(lying) : count]
    for at, laid in enumerate(seen.current_trick):
        assert laid.seat == (scored.tricks[closed].leader + at) % seats
        is_ante = game == "tricky_bid" and at < seats
        assert laid.kind == ("ante" if is_ante else "play")
    if seen.turn is not None and seen.turn.kind != "trump":
        turn_index = len(lying) // (2 if game == "tricky" else 1)
        assert seen.turn.seat == (scored.tricks[closed].leader + turn_index) % seats
    if count < len(pieces) and not pieces[count].startswith("+"):
        assert seen.turn is not None
        assert pieces[count] not in seen.turn.unplayable_pieces
    else:
        assert seen.tricks


def test_die_type_is_unavailable_after_three_are_played() -> None:
    state, raw = start("tricky", 2), {"contract": CONTRACT | {"bid": 60}}
    seen = after(state, raw, "d4:1 d4:2 d6:1 d6:1 d4:3 d6:1")
    assert seen.turn is not None
    assert seen.turn.seat == 0
    seen = after(state, raw, "d4:4 d4:4 d6:1 d6:1 d4:3")
    assert seen.turn is not None
    assert seen.turn.unplayable_pieces == {"d4:1", "d4:2", "d4:3", "d4:4"}
    assert refused(
        state, begun(raw, ["d4:4", "d4:4", "d6:1", "d6:1", "d4:3", "d4:1"])
    ) == [("tricks[1][0]", "tricky.pieces")]


def test_unknown_dice_and_a_tenth_trick_are_refused() -> None:
    state, raw = start("tricky", 2), {"contract": CONTRACT | {"bid": 60}}
    assert refused(state, begun(raw, ["d5:1"])) == [("played[0]", "tricky.pieces")]
    assert refused(state, begun(raw, ["d4:1"] * 37))[0] == (
        "played",
        "tricky.trick.lead",
    )
    assert refused(state, {"played": []}) == [("contract", "record.format")]


def test_played_pieces_and_the_trump_die_are_unavailable() -> None:
    state = start("tricky_dice", 4)
    seen = after(state, BIDDEN, "AH 8S* 2C KD 3C 3S* 4C 5C")
    assert [won.winner for won in seen.results] == [1, 0]
    assert seen.current_tally == (1, 1, 0, 0)
    assert seen.turn is not None
    assert seen.turn.seat == 0
    assert {"AH", "8S*", "3C", "8H*"} <= seen.turn.unplayable_pieces
    assert not {"KH", "2S*"} & seen.turn.unplayable_pieces


def test_player_without_dice_is_offered_only_cards() -> None:
    state = start("tricky_dice", 4)
    seen = after(state, BIDDEN, "AS* 2S 3S 4S KC* 2C 3C 4C")
    assert seen.turn is not None
    assert seen.turn.seat == 1
    assert "7D*" in seen.turn.unplayable_pieces
    assert "7D" not in seen.turn.unplayable_pieces


def test_duplicate_and_unknown_cards_are_refused() -> None:
    state = start("tricky_dice", 4)
    for played, field, clause in (
        ("AH AH", "tricks[0][1]", "tricky_dice.pieces"),
        ("1H", "played[0]", "tricky_dice.pieces"),
        ("AH " * 41, "played", "tricky_dice.pieces"),
    ):
        assert refused(state, begun(BIDDEN, played.split()))[0] == (field, clause)
    without = {"contract": BIDDEN["contract"], "played": []}
    assert refused(state, without) == [("trump", "record.format")]


def test_antes_precede_plays_and_new_trump_follows_a_trick() -> None:
    state = start("tricky_bid", 3)
    asked = []
    words: list[str] = []
    for word in ("Y3", "Y6", "B11", "P2", "Y1", "B4", "Y9", "+B7", "P8"):
        seen = after(state, {}, " ".join(words))
        assert seen.turn is not None
        asked.append((seen.turn.seat, seen.turn.kind, seen.trump))
        words.append(word)
    seen = after(state, {}, " ".join(words[:-1]))
    assert asked == [
        (1, "trump", ""),
        *((seat, "ante", "Y3") for seat in (1, 2, 0)),
        *((seat, "play", "Y3") for seat in (1, 2, 0)),
        (2, "ante", "Y3"),
        (2, "ante", "B7"),
    ]
    assert seen.current_tally == (2, 0, 0)
    assert seen.tricks[0]["turned"] == "B7"
    assert seen.turn is not None
    # Three colours are in play and all are known.
    assert {"Y3", "B7", "R5", "G0"} <= seen.turn.unplayable_pieces
    assert "P9" not in seen.turn.unplayable_pieces


@pytest.mark.parametrize(
    ("played", "place", "clause"),
    [
        ("Y3 Y3", 1, "tricky_bid.pieces"),
        ("Z3", 0, "tricky_bid.pieces"),
        ("Y3 +Y4", 1, "tricky_bid.trick.change"),
        ("Y3 Y6 B11 Y1 B4 +B5 +B6", 6, "tricky_bid.trick.change"),
        ("Y3 Y6 B11 Y1 B4 B7 +B6", 6, "tricky_bid.trick.change"),
    ],
)
def test_refuses_a_card_out_of_turn(played: str, place: int, clause: str) -> None:
    state = start("tricky_bid", 2)
    assert refused(state, begun({}, played.split())) == [(f"played[{place}]", clause)]


def test_a_card_after_the_last_trick_is_refused() -> None:
    state = start("tricky_bid", 2)
    raw = generate_hand(state, Random(4), tricks=True)
    pieces = state.game.list_pieces(raw)
    more = next(
        f"{colour}{number}"
        for colour in "YBPGR"
        for number in range(16)
        if f"{colour}{number}" not in {piece.lstrip("+") for piece in pieces}
    )
    assert len(raw["tricks"]) == DEALS[2].tricks
    assert refused(state, begun(raw, [*pieces, more])) == [
        (f"played[{len(pieces)}]", "tricky_bid.deal")
    ]


def test_incomplete_hand_is_checked_but_not_scored() -> None:
    state = start("tricky", 3)
    raw = {"contract": CONTRACT, "played": ["d4:1", "d6:2"]}
    parse_unfinished_hand(state, raw)
    with pytest.raises(Refusal) as caught:
        parse_unfinished_hand(state, {**raw, "played": ["d4:9"]})
    assert caught.value.faults[0].clause == "tricky.pieces"
    with pytest.raises(Refusal) as caught:
        play(state, raw)
    assert caught.value.faults[0].field == "played"
