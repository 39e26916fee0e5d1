"""A hand of Tricky Dice, recorded card by card and die by die."""

from collections.abc import Sequence

from scoring.rules.piece_by_piece import PLAYED, Laid, PlaySoFar, Turn, chunks
from scoring.rules.reading import Faults
from scoring.rules.results import TrickResult
from scoring.rules.tricky_dice.tricks import (
    CARDS_EACH,
    DICE_EACH,
    PIECES,
    SEATS,
    TRICKS,
    Piece,
    check_pieces,
    read_piece,
    trick_result,
)
from scoring.rules.wording import gettext_noop as _


def follow(
    words: Sequence[str], leader: int, trump: Piece, faults: Faults
) -> PlaySoFar | None:
    """Return the hand as far as it was played; the bid winner leads the first trick."""
    pieces = [
        read_piece(word, f"{PLAYED}[{place}]", faults)
        for place, word in enumerate(words)
    ]
    read = [piece for piece in pieces if piece is not None]
    if len(read) > SEATS * TRICKS:
        faults.add(
            PLAYED,
            "tricky_dice.pieces",
            _("%(count)s pieces entered; ten tricks have %(most)s."),
            count=len(read),
            most=SEATS * TRICKS,
        )
    if faults.listed:
        return None
    check_pieces(chunks(read, SEATS), leader, trump, faults)
    whole = len(read) - len(read) % SEATS
    return _play_so_far(chunks(read[:whole], SEATS), read[whole:], leader, trump)


def _play_so_far(
    tricks: Sequence[Sequence[Piece]],
    begun: Sequence[Piece],
    leader: int,
    trump: Piece,
) -> PlaySoFar:
    taken = [0] * SEATS
    tallies = [tuple(taken)]
    seated: list[list[Piece]] = [[] for _seat in range(SEATS)]
    leaders: list[int] = []
    results: list[TrickResult] = []
    for plays in tricks:
        for place, piece in enumerate(plays):
            seated[(leader + place) % SEATS].append(piece)
        leaders.append(leader)
        results.append(trick_result(plays, leader, trump))
        leader = results[-1].winner
        taken[leader] += 1
        tallies.append(tuple(taken))
    laid = []
    for place, piece in enumerate(begun):
        seat = (leader + place) % SEATS
        seated[seat].append(piece)
        laid.append(Laid(seat, "play", (str(piece),)))
    turn = None
    if len(tricks) < TRICKS:
        seat = (leader + len(begun)) % SEATS
        own = str(trump._replace(is_die=True))
        turn = Turn(seat, "play", _spent(seated, seat) | {own})
    return PlaySoFar(
        tricks=tuple([str(piece) for piece in plays] for plays in tricks),
        leaders=tuple(leaders),
        results=tuple(results),
        laid=tuple(laid),
        turn=turn,
        tallies=tuple(tallies),
    )


def _spent(seated: Sequence[Sequence[Piece]], seat: int) -> frozenset[str]:
    """Return what somebody has played, and what this seat has no more of."""
    played = {str(piece) for pieces in seated for piece in pieces}
    dice = sum(piece.is_die for piece in seated[seat])
    has_cards = len(seated[seat]) - dice < CARDS_EACH
    has_dice = dice < DICE_EACH
    gone = {
        word
        for word, piece in PIECES.items()
        if not (has_dice if piece.is_die else has_cards)
    }
    return frozenset(played | gone)
