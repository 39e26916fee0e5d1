"""A hand recorded piece by piece equals its record."""

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
DICE_CONTRACT = {"contract": {"bidder": 1, "tricks": 6, "partner": 3}, "trump": "8H"}


def unfinished_hand(raw: Mapping[str, Any], played: list[str]) -> dict[str, Any]:
    """Return a hand after some of its pieces."""
    left_out = {"tricks"} if "contract" in raw else {"tricks", "trump"}
    fields = {key: value for key, value in raw.items() if key not in left_out}
    return {**fields, "played": played}


def parse_played(state: MatchState, raw: Mapping[str, Any], played: str) -> PlaySoFar:
    return parse_pieces(state, unfinished_hand(raw, played.split()))


def piece_faults(state: MatchState, raw: object) -> list[tuple[str, str]]:
    with pytest.raises(Refusal) as refusal:
        parse_pieces(state, raw)
    return [(fault.field, fault.clause) for fault in refusal.value.faults]


@pytest.mark.parametrize("game", RECORDED)
@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6), data=st.data())
def test_asks_for_each_piece_played(game: str, seed: int, data: st.DataObject) -> None:
    rng = Random(seed)
    seats = data.draw(st.sampled_from(GAMES[game].seats))
    state = start(game, seats)
    raw = generate_hand(state, rng, tricks=True)
    while "tricks" not in raw:
        raw = generate_hand(state, rng, tricks=True)
    pieces = state.game.list_pieces(raw)
    _state, scored = play(state, raw)
    count = data.draw(st.integers(0, len(pieces)))
    play_so_far = parse_pieces(state, unfinished_hand(raw, pieces[:count]))
    complete_play = parse_pieces(state, unfinished_hand(raw, pieces))
    assert list(complete_play.tricks) == raw["tricks"]
    assert complete_play.turn is None
    assert complete_play.current_trick == ()
    assert complete_play.current_tally == scored.sums.get(
        "points", scored.sums.get("tricks_won")
    )
    assert [result.winner for result in complete_play.results] == [
        trick.winner for trick in scored.tricks
    ]
    assert list(complete_play.leaders) == [trick.leader for trick in scored.tricks]
    closed_count = len(play_so_far.tricks)
    assert play_so_far.results == complete_play.results[:closed_count]
    current_pieces = [
        piece for laid_piece in play_so_far.current_trick for piece in laid_piece.pieces
    ]
    assert current_pieces == pieces[count - len(current_pieces) : count]
    for position, laid_piece in enumerate(play_so_far.current_trick):
        assert (
            laid_piece.seat == (scored.tricks[closed_count].leader + position) % seats
        )
        is_ante = game == "tricky_bid" and position < seats
        assert laid_piece.kind == ("ante" if is_ante else "play")
    if play_so_far.turn is not None and play_so_far.turn.kind != "trump":
        turn_index = len(current_pieces) // (2 if game == "tricky" else 1)
        assert (
            play_so_far.turn.seat
            == (scored.tricks[closed_count].leader + turn_index) % seats
        )
    if count < len(pieces) and not pieces[count].startswith("+"):
        assert play_so_far.turn is not None
        assert pieces[count] not in play_so_far.turn.unplayable_pieces
    else:
        assert play_so_far.tricks


def test_die_type_is_unavailable_after_three_are_played() -> None:
    state, raw = start("tricky", 2), {"contract": CONTRACT | {"bid": 60}}
    play_so_far = parse_played(state, raw, "d4:1 d4:2 d6:1 d6:1 d4:3 d6:1")
    assert play_so_far.turn is not None
    assert play_so_far.turn.seat == 0
    play_so_far = parse_played(state, raw, "d4:4 d4:4 d6:1 d6:1 d4:3")
    assert play_so_far.turn is not None
    assert play_so_far.turn.unplayable_pieces == {"d4:1", "d4:2", "d4:3", "d4:4"}
    assert piece_faults(
        state, unfinished_hand(raw, ["d4:4", "d4:4", "d6:1", "d6:1", "d4:3", "d4:1"])
    ) == [("tricks[1][0]", "tricky.pieces")]


def test_unknown_dice_and_a_tenth_trick_are_refused() -> None:
    state, raw = start("tricky", 2), {"contract": CONTRACT | {"bid": 60}}
    assert piece_faults(state, unfinished_hand(raw, ["d5:1"])) == [
        ("played[0]", "tricky.pieces")
    ]
    assert piece_faults(state, unfinished_hand(raw, ["d4:1"] * 37))[0] == (
        "played",
        "tricky.trick.lead",
    )
    assert piece_faults(state, {"played": []}) == [("contract", "record.format")]


def test_played_pieces_and_the_trump_die_are_unavailable() -> None:
    state = start("tricky_dice", 4)
    play_so_far = parse_played(state, DICE_CONTRACT, "AH 8S* 2C KD 3C 3S* 4C 5C")
    assert [result.winner for result in play_so_far.results] == [1, 0]
    assert play_so_far.current_tally == (1, 1, 0, 0)
    assert play_so_far.turn is not None
    assert play_so_far.turn.seat == 0
    assert {"AH", "8S*", "3C", "8H*"} <= play_so_far.turn.unplayable_pieces
    assert not {"KH", "2S*"} & play_so_far.turn.unplayable_pieces


def test_player_without_dice_is_offered_only_cards() -> None:
    state = start("tricky_dice", 4)
    play_so_far = parse_played(state, DICE_CONTRACT, "AS* 2S 3S 4S KC* 2C 3C 4C")
    assert play_so_far.turn is not None
    assert play_so_far.turn.seat == 1
    assert "7D*" in play_so_far.turn.unplayable_pieces
    assert "7D" not in play_so_far.turn.unplayable_pieces


def test_duplicate_and_unknown_cards_are_refused() -> None:
    state = start("tricky_dice", 4)
    for played, field, clause in (
        ("AH AH", "tricks[0][1]", "tricky_dice.pieces"),
        ("1H", "played[0]", "tricky_dice.pieces"),
        ("AH " * 41, "played", "tricky_dice.pieces"),
    ):
        assert piece_faults(state, unfinished_hand(DICE_CONTRACT, played.split()))[
            0
        ] == (field, clause)
    without_trump = {"contract": DICE_CONTRACT["contract"], "played": []}
    assert piece_faults(state, without_trump) == [("trump", "record.format")]


def test_antes_precede_plays_and_new_trump_follows_a_trick() -> None:
    state = start("tricky_bid", 3)
    turns = []
    pieces: list[str] = []
    for piece in ("Y3", "Y6", "B11", "P2", "Y1", "B4", "Y9", "+B7", "P8"):
        play_so_far = parse_played(state, {}, " ".join(pieces))
        assert play_so_far.turn is not None
        turns.append((play_so_far.turn.seat, play_so_far.turn.kind, play_so_far.trump))
        pieces.append(piece)
    play_so_far = parse_played(state, {}, " ".join(pieces[:-1]))
    assert turns == [
        (1, "trump", ""),
        *((seat, "ante", "Y3") for seat in (1, 2, 0)),
        *((seat, "play", "Y3") for seat in (1, 2, 0)),
        (2, "ante", "Y3"),
        (2, "ante", "B7"),
    ]
    assert play_so_far.current_tally == (2, 0, 0)
    assert play_so_far.tricks[0]["turned"] == "B7"
    assert play_so_far.turn is not None
    # Three colours are in play and all are known.
    assert {"Y3", "B7", "R5", "G0"} <= play_so_far.turn.unplayable_pieces
    assert "P9" not in play_so_far.turn.unplayable_pieces


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
    assert piece_faults(state, unfinished_hand({}, played.split())) == [
        (f"played[{place}]", clause)
    ]


def test_a_card_after_the_last_trick_is_refused() -> None:
    state = start("tricky_bid", 2)
    raw = generate_hand(state, Random(4), tricks=True)
    pieces = state.game.list_pieces(raw)
    extra_card = next(
        f"{colour}{number}"
        for colour in "YBPGR"
        for number in range(16)
        if f"{colour}{number}" not in {piece.lstrip("+") for piece in pieces}
    )
    assert len(raw["tricks"]) == DEALS[2].tricks
    assert piece_faults(state, unfinished_hand(raw, [*pieces, extra_card])) == [
        (f"played[{len(pieces)}]", "tricky_bid.deal")
    ]


def test_incomplete_hand_is_checked_but_not_scored() -> None:
    state = start("tricky", 3)
    raw = {"contract": CONTRACT, "played": ["d4:1", "d6:2"]}
    parse_unfinished_hand(state, raw)
    with pytest.raises(Refusal) as refusal:
        parse_unfinished_hand(state, {**raw, "played": ["d4:9"]})
    assert refusal.value.faults[0].clause == "tricky.pieces"
    with pytest.raises(Refusal) as refusal:
        play(state, raw)
    assert refusal.value.faults[0].field == "played"
