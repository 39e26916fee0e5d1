"""One trick of a recorded hand is put right, and the legal rest stays."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.games.random_match import generate_hand
from scoring.rules import GAMES, MatchState, start
from scoring.rules.changed_trick import change_trick, pieces_by_place
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
    places = pieces_by_place(state, raw)
    number = place % len(raw["tricks"])
    same = {(s, asks): it for (n, s, asks), it in places.items() if n == number}
    changed = change_trick(state, raw, number, same)
    assert changed.is_complete
    assert changed.refusal is None
    assert list(changed.pieces) == list(GAMES[game].list_pieces(raw))


def test_pieces_stay_if_a_changed_trick_has_another_winner() -> None:
    state, raw = recorded_hand("tricky_dice", 4, 3)
    places = pieces_by_place(state, raw)
    used = {piece for pieces in places.values() for piece in pieces}
    cards = [f"{rank}{suit}" for suit in "SHDC" for rank in "AKQJT98765432"]
    fresh = next(card for card in cards if card not in used)
    # Each has eight cards and two dice: a card takes the place of a card.
    seat = next(s for s in range(4) if not places[0, s, "play"][0].endswith("*"))
    changed = change_trick(state, raw, 0, {(seat, "play"): (fresh,)})
    after = places | {(0, seat, "play"): (fresh,)}
    assert fresh in changed.pieces
    assert sorted(changed.pieces) == sorted(p for it in after.values() for p in it)
    assert changed.is_complete


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_repeated_piece_drops_the_following_tricks(game: str, seats: int) -> None:
    state, raw = recorded_hand(game, seats, 5)
    places = pieces_by_place(state, raw)
    first = places[0, 0, "play"]
    second = {(1, "play"): (first[0],) * len(first)}
    changed = change_trick(state, raw, 1, second)
    if game == "tricky":
        # There are several dice of a kind: what is recorded may still be possible.
        assert changed.tricks >= 1
        return
    assert changed.tricks == 1
    assert not changed.is_complete
    assert changed.refusal is not None


def test_missing_piece_drops_the_following_tricks() -> None:
    state, raw = recorded_hand("tricky_bid", 4, 5)
    changed = change_trick(state, raw, 2, {(0, "play"): ()})
    assert changed.tricks == 2
    assert not changed.is_complete
    assert changed.refusal is None
