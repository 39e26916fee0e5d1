"""Correction of one trick of a recorded hand; the later tricks are played again."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from scoring.rules.game import MatchState
from scoring.rules.match import follow
from scoring.rules.reading import clockwise_seats
from scoring.rules.results import Refusal
from scoring.rules.tricks import PLAYED, TURNED

PieceKey = tuple[int, int, str]
"""Number of the trick, counted from 0; the seat; and the kind of piece, `ante` or `play`."""


class ChangedHand(NamedTuple):
    """A hand after one of its tricks was corrected."""

    pieces: Sequence[str]
    """In playing order, up to the first impossible or missing piece."""
    tricks: int
    """The number of complete tricks that they make."""
    is_complete: bool
    refusal: Refusal | None
    """Why the next piece is impossible; None if it is only missing."""


def pieces_by_place(
    state: MatchState, raw: Mapping[str, Any]
) -> dict[PieceKey, Sequence[str]]:
    """Return the pieces of a hand by trick, seat and kind.

    `raw` is a hand with tricks. Raises Refusal if they are impossible.
    """
    recorded = follow(state, state.game.with_played_pieces(raw))
    places: dict[PieceKey, Sequence[str]] = {}
    tricks = state.game.parse_tricks({"tricks": recorded.tricks})
    for number, trick in enumerate(tricks):
        seats = clockwise_seats(recorded.leaders[number], state.seats)
        for seat, ante in zip(seats, trick.antes, strict=False):
            places[number, seat, "ante"] = (ante,)
        for seat, play in zip(seats, trick.plays, strict=True):
            places[number, seat, "play"] = tuple(play)
    return places


def change_trick(
    state: MatchState,
    raw: Mapping[str, Any],
    number: int,
    pieces: Mapping[tuple[int, str], Sequence[str]],
) -> ChangedHand:
    """Return a hand with other pieces in one trick, the rest as far as it stays legal.

    `number` counts from 0; `pieces` are by seat and kind of piece. If the leader of a later
    trick changes, every seat still plays the same pieces in it. Raises Refusal if the
    recorded tricks of the hand are impossible.
    """
    played = state.game.with_played_pieces(raw)
    places = pieces_by_place(state, raw)
    places |= {(number, seat, asks): laid for (seat, asks), laid in pieces.items()}
    tricks = state.game.parse_tricks(raw)
    turned = {
        index: str(trick.turned) for index, trick in enumerate(tricks) if trick.turned
    }
    words: list[str] = []
    so_far = follow(state, {**played, PLAYED: words})
    while so_far.turn is not None:
        trick, turn = len(so_far.tricks), so_far.turn
        following: Sequence[str] = places.get((trick, turn.seat, turn.asks), ())
        if so_far.may_turn and trick - 1 in turned:
            following = [f"{TURNED}{turned[trick - 1]}"]
        elif turn.asks == "trump":
            following = played[PLAYED][:1]
        if not following:
            break
        try:
            so_far = follow(state, {**played, PLAYED: [*words, *following]})
        except Refusal as refusal:
            return ChangedHand(words, len(so_far.tricks), False, refusal)
        words += following
    if so_far.turn is None and len(tricks) - 1 in turned:
        words.append(f"{TURNED}{turned[len(tricks) - 1]}")
    return ChangedHand(words, len(so_far.tricks), so_far.turn is None, None)
