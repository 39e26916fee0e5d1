"""Tricky Dice's cards, dice and tricks: who wins, and who could have followed."""

from collections.abc import Sequence
from typing import NamedTuple

from scoring.rules.following import Shown, missed_follows
from scoring.rules.reading import Faults, named_seat, read_each, read_list, seats_from
from scoring.rules.results import (
    FORMAT,
    Finding,
    TrickResult,
    WonTrick,
    points_of_tricks,
)
from scoring.rules.wording import gettext_noop as _
from scoring.rules.wording import say

SEATS = 4
TRICKS = 10
CARDS_EACH = 8
DICE_EACH = 2
RANKS = "23456789TJQKA"
SUITS = "SHDC"


class Piece(NamedTuple):
    """A card, or the face of a die."""

    rank: str
    suit: str
    is_die: bool

    def __str__(self) -> str:
        """Return the piece as a record writes it."""
        return f"{self.rank}{self.suit}{'*' if self.is_die else ''}"


PIECES = {
    f"{rank}{suit}{star}": Piece(rank, suit, bool(star))
    for rank in RANKS
    for suit in SUITS
    for star in ("", "*")
}
"""Every card and die face as a record writes it (tricky_dice.pieces)."""


def read_trump(raw: object, faults: Faults) -> Piece | None:
    """Return the face of the trump die, written like a card."""
    if isinstance(raw, str) and len(raw) == 2 and raw in PIECES:
        return PIECES[raw]
    faults.add(
        "trump",
        "tricky_dice.pieces" if isinstance(raw, str) else FORMAT,
        _("The trump die shows a rank and a suit, as in 8H."),
    )
    return None


def read_piece(raw: object, field: str, faults: Faults) -> Piece | None:
    """Return the card or die face, else note what is wrong with it."""
    if not isinstance(raw, str):
        faults.add(field, FORMAT, _("A card is written as in “AH”, a die as in “8H*”."))
        return None
    piece = PIECES.get(raw)
    if piece is None:
        faults.add(
            field,
            "tricky_dice.pieces",
            _("“%(piece)s” is no card and no die; write AH, or 8H* for a die."),
            piece=raw[:20],
        )
    return piece


def read_plays(raw: object, field: str, faults: Faults) -> list[Piece] | None:
    """Return the four pieces of a trick in playing order."""
    plays = read_list(raw, SEATS, field, faults)
    if plays is None:
        return None
    return read_each(plays, field, faults, read_piece)


def best_piece(plays: Sequence[Piece], trump: Piece) -> int:
    """Return the position of the piece that wins (tricky_dice.trick.win)."""
    trumped = any(piece.suit == trump.suit for piece in plays)
    suit = trump.suit if trumped else plays[0].suit
    strengths = [
        (piece.suit == suit, rank_value(piece, trump), not piece.is_die)
        for piece in plays
    ]
    return strengths.index(max(strengths))


def rank_value(piece: Piece, trump: Piece) -> int:
    """Return how high the piece ranks; the trump die's rank is above the ace."""
    return len(RANKS) if piece.rank == trump.rank else RANKS.index(piece.rank)


def trick_result(plays: Sequence[Piece], leader: int, trump: Piece) -> TrickResult:
    """Return who won the trick, and why."""
    position = best_piece(plays, trump)
    winner = (leader + position) % SEATS
    piece = plays[position]
    message = say(
        _("%(who)s has the highest trump, %(piece)s.")
        if piece.suit == trump.suit
        else _("%(who)s has the highest of the led suit, %(piece)s."),
        who=named_seat(winner),
        piece=piece,
    )
    return TrickResult(winner, "tricky_dice.trick.win", message)


class PlayedTricks(NamedTuple):
    """What ten tricks came to, by seat."""

    won: tuple[int, ...]
    with_dice: tuple[int, ...]
    findings: tuple[Finding, ...]
    tricks: tuple[WonTrick, ...] = ()


def check_pieces(
    tricks: Sequence[Sequence[Piece]], leader: int, trump: Piece, faults: Faults
) -> None:
    """Note pieces played twice, and hands of more than eight cards and two dice."""
    seen: set[Piece] = set()
    held = [[0, 0] for _seat in range(SEATS)]
    for number, plays in enumerate(tricks):
        for place, piece in enumerate(plays):
            field = f"tricks[{number}][{place}]"
            seat = (leader + place) % SEATS
            held[seat][piece.is_die] += 1
            _check_piece(piece, field, trump, seen, faults)
            _check_share(seat, held[seat], piece, field, faults)
        leader = (leader + best_piece(plays, trump)) % SEATS


def _check_piece(
    piece: Piece, field: str, trump: Piece, seen: set[Piece], faults: Faults
) -> None:
    if piece in seen:
        faults.add(
            field,
            "tricky_dice.pieces",
            _("%(piece)s was played already; there is one of each."),
            piece=piece,
        )
    seen.add(piece)
    if piece == trump._replace(is_die=True):
        faults.add(
            field,
            "tricky_dice.trump",
            _("%(piece)s lies as the trump die; it is not played."),
            piece=piece,
        )


def _check_share(
    seat: int, held: list[int], piece: Piece, field: str, faults: Faults
) -> None:
    most = DICE_EACH if piece.is_die else CARDS_EACH
    if held[piece.is_die] == most + 1:
        faults.add(
            field,
            "tricky_dice.pieces",
            _("%(who)s plays a third die; each has two dice.")
            if piece.is_die
            else _("%(who)s plays a ninth card; each has eight cards."),
            who=named_seat(seat),
        )


def play_out(
    tricks: Sequence[Sequence[Piece]], leader: int, trump: Piece
) -> PlayedTricks:
    """Return what the tricks of a hand came to, the bid winner leading the first."""
    with_dice = [0] * SEATS
    seated: list[list[tuple[int, Piece]]] = []
    won: list[WonTrick] = []
    for plays in tricks:
        seated.append(list(zip(seats_from(leader, SEATS), plays, strict=True)))
        position = best_piece(plays, trump)
        winner = (leader + position) % SEATS
        led = plays[0].suit == trump.suit
        won.append(WonTrick(leader, winner, 1, str(trump), led))
        with_dice[winner] += plays[position].is_die
        leader = winner
    return PlayedTricks(
        won=points_of_tricks(won, SEATS),
        with_dice=tuple(with_dice),
        findings=_revokes(seated),
        tricks=tuple(won),
    )


def _revokes(tricks: Sequence[Sequence[tuple[int, Piece]]]) -> tuple[Finding, ...]:
    """Return who held the led suit and played another (tricky_dice.trick.follow)."""
    shown = [
        [Shown(seat, frozenset(piece.suit)) for seat, piece in plays]
        for plays in tricks
    ]
    return tuple(
        _revoke(missed.trick, missed.seat, tricks[missed.trick - 1][missed.place][1])
        for missed in missed_follows(shown)
    )


def _revoke(trick: int, seat: int, piece: Piece) -> Finding:
    message = say(
        _("%(who)s held the led suit in trick %(trick)s and played %(piece)s."),
        who=named_seat(seat),
        trick=trick,
        piece=piece,
    )
    return Finding(trick, seat, "tricky_dice.trick.follow", message)
