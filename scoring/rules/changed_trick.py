"""Correction of one trick of a recorded hand; the later tricks are played again."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from scoring.rules.game import MatchState
from scoring.rules.match import parse_pieces
from scoring.rules.reading import clockwise_seats
from scoring.rules.results import Refusal
from scoring.rules.tricks import PLAYED_KEY, TURNED_PREFIX

PieceKey = tuple[int, int, str]
"""Number of the trick, counted from 0; the seat; and the kind of piece, `ante` or `play`."""


class CorrectionReplay(NamedTuple):
    """A hand after one of its tricks was corrected."""

    pieces: Sequence[str]
    """In playing order, up to the first impossible or missing piece."""
    tricks: int
    """The number of complete tricks that they make."""
    is_complete: bool
    refusal: Refusal | None
    """Why the next piece is impossible; None if it is only missing."""


def pieces_by_trick_seat_and_kind(
    state: MatchState, raw: Mapping[str, Any]
) -> dict[PieceKey, Sequence[str]]:
    """Return the pieces of a hand by trick, seat and kind.

    `raw` is a hand with tricks. Raises Refusal if they are impossible.
    """
    progress = parse_pieces(state, state.game.convert_tricks_to_pieces(raw))
    places: dict[PieceKey, Sequence[str]] = {}
    tricks = state.game.convert_checked_tricks({"tricks": progress.tricks})
    for number, trick in enumerate(tricks):
        seats = clockwise_seats(progress.leaders[number], state.seats)
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
) -> CorrectionReplay:
    """Return a hand with other pieces in one trick, the rest as far as it stays legal.

    `number` counts from 0; `pieces` are by seat and kind of piece. If the leader of a later
    trick changes, every seat still plays the same pieces in it. Raises Refusal if the
    recorded tricks of the hand are impossible.
    """
    unfinished = state.game.convert_tricks_to_pieces(raw)
    places = pieces_by_trick_seat_and_kind(state, raw)
    places |= {
        (number, seat, kind): seat_pieces
        for (seat, kind), seat_pieces in pieces.items()
    }
    tricks = state.game.convert_checked_tricks(raw)
    turned = {
        index: str(trick.turned) for index, trick in enumerate(tricks) if trick.turned
    }
    played_pieces: list[str] = []
    progress = parse_pieces(state, {**unfinished, PLAYED_KEY: played_pieces})
    while progress.turn is not None:
        trick, turn = len(progress.tricks), progress.turn
        next_pieces: Sequence[str] = places.get((trick, turn.seat, turn.kind), ())
        if progress.may_turn and trick - 1 in turned:
            next_pieces = [f"{TURNED_PREFIX}{turned[trick - 1]}"]
        elif turn.kind == "trump":
            next_pieces = unfinished[PLAYED_KEY][:1]
        if not next_pieces:
            break
        try:
            progress = parse_pieces(
                state, {**unfinished, PLAYED_KEY: [*played_pieces, *next_pieces]}
            )
        except Refusal as refusal:
            return CorrectionReplay(played_pieces, len(progress.tricks), False, refusal)
        played_pieces += next_pieces
    if progress.turn is None and len(tricks) - 1 in turned:
        played_pieces.append(f"{TURNED_PREFIX}{turned[len(tricks) - 1]}")
    return CorrectionReplay(
        played_pieces, len(progress.tricks), progress.turn is None, None
    )
