"""Correct one trick of a recorded hand; later tricks that stay legal are kept."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.games.random_match import generate_hand
from scoring.rules import GAMES, MatchState, start
from scoring.rules.changed_trick import change_trick, pieces_by_trick_seat_and_kind
from scoring.rules.game import Raw

TABLES = [("tricky", 3), ("tricky_dice", 4), ("tricky_bid", 4)]


def recorded_hand(game: str, seats: int, seed: int) -> tuple[MatchState, Raw]:
    """Return a random hand with its tricks, and the match before it."""
    state, rng = start(game, seats), Random(seed)
    while "tricks" not in (raw := generate_hand(state, rng, tricks=True)):
        pass
    return state, raw


@pytest.mark.parametrize(("game", "seats"), TABLES)
@given(seed=st.integers(0, 10_000), place=st.integers(0, 7))
def test_an_equal_trick_changes_no_hand(
    game: str, seats: int, seed: int, place: int
) -> None:
    state, raw = recorded_hand(game, seats, seed)
    places = pieces_by_trick_seat_and_kind(state, raw)
    number = place % len(raw["tricks"])
    same_pieces = {
        (seat, kind): pieces
        for (trick_number, seat, kind), pieces in places.items()
        if trick_number == number
    }
    result = change_trick(state, raw, number, same_pieces)
    assert result.is_complete
    assert result.refusal is None
    assert list(result.pieces) == list(GAMES[game].list_pieces(raw))


def test_pieces_stay_if_a_changed_trick_has_another_winner() -> None:
    state, raw = recorded_hand("tricky_dice", 4, 3)
    places = pieces_by_trick_seat_and_kind(state, raw)
    used = {piece for pieces in places.values() for piece in pieces}
    cards = [f"{rank}{suit}" for suit in "SHDC" for rank in "AKQJT98765432"]
    unused_card = next(card for card in cards if card not in used)
    # Each seat has eight cards and two dice: replace a card with a card.
    seat = next(s for s in range(4) if not places[0, s, "play"][0].endswith("*"))
    result = change_trick(state, raw, 0, {(seat, "play"): (unused_card,)})
    expected_places = places | {(0, seat, "play"): (unused_card,)}
    assert unused_card in result.pieces
    assert sorted(result.pieces) == sorted(
        piece for pieces in expected_places.values() for piece in pieces
    )
    assert result.is_complete


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_repeated_piece_drops_the_following_tricks(game: str, seats: int) -> None:
    state, raw = recorded_hand(game, seats, 5)
    places = pieces_by_trick_seat_and_kind(state, raw)
    first = places[0, 0, "play"]
    repeated = {(1, "play"): (first[0],) * len(first)}
    result = change_trick(state, raw, 1, repeated)
    if game == "tricky":
        # There are several dice of a kind, so the recorded tricks may still be possible.
        assert result.tricks >= 1
        return
    assert result.tricks == 1
    assert not result.is_complete
    assert result.refusal is not None


def test_missing_piece_drops_the_following_tricks() -> None:
    state, raw = recorded_hand("tricky_bid", 4, 5)
    result = change_trick(state, raw, 2, {(0, "play"): ()})
    assert result.tricks == 2
    assert not result.is_complete
    assert result.refusal is None
