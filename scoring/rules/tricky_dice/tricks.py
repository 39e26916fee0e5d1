"""Tricky Dice's cards, dice and tricks: winners, missed follows, and hands recorded piece by piece."""

from collections.abc import Sequence
from typing import NamedTuple

from scoring.rules.reading import Faults, clockwise_seats, read_each, read_list
from scoring.rules.results import (
    FORMAT,
    RuleBreachFinding,
    TrickResult,
    WonTrick,
    sum_worth_by_winner,
)
from scoring.rules.tricks import (
    PLAYED_KEY,
    LaidPieces,
    NextTurn,
    PlayFeatures,
    PlaySoFar,
    find_missed_follows,
    split_into_chunks,
)
from scoring.rules.wording import SeatIndex, say
from scoring.rules.wording import gettext_noop as _

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
        """Return the text of the piece in a record."""
        return f"{self.rank}{self.suit}{'*' if self.is_die else ''}"


PIECES = {
    f"{rank}{suit}{star}": Piece(rank, suit, bool(star))
    for rank in RANKS
    for suit in SUITS
    for star in ("", "*")
}
"""Every card and die face by its text in a record (tricky_dice.pieces)."""


def read_trump(raw: object, faults: Faults) -> Piece | None:
    """Return the face of the trump die, written like a card."""
    if isinstance(raw, str) and len(raw) == 2 and raw in PIECES:
        return PIECES[raw]
    faults.add(
        "trump",
        "tricky_dice.pieces" if isinstance(raw, str) else FORMAT,
        _("The trump die shows a rank and a suit, like 8H."),
    )
    return None


def read_piece(raw: object, field: str, faults: Faults) -> Piece | None:
    if not isinstance(raw, str):
        faults.add(field, FORMAT, _("Write a card like “AH” and a die like “8H*”."))
        return None
    piece = PIECES.get(raw)
    if piece is None:
        faults.add(
            field,
            "tricky_dice.pieces",
            _("“%(piece)s” isn’t a card or a die. Write AH for a card, 8H* for a die."),
            piece=raw[:20],
        )
    return piece


def read_plays(raw: object, field: str, faults: Faults) -> list[Piece] | None:
    plays = read_list(raw, SEATS, field, faults)
    if plays is None:
        return None
    return read_each(plays, field, faults, read_piece)


def best_piece_position(plays: Sequence[Piece], trump: Piece) -> int:
    """Return the position of the piece that wins (tricky_dice.trick.win)."""
    trumped = any(piece.suit == trump.suit for piece in plays)
    suit = trump.suit if trumped else plays[0].suit
    strengths = [
        (piece.suit == suit, rank_strength(piece, trump), not piece.is_die)
        for piece in plays
    ]
    return strengths.index(max(strengths))


def rank_strength(piece: Piece, trump: Piece) -> int:
    """Return the strength of the piece's rank; the trump die's rank is above the ace."""
    return len(RANKS) if piece.rank == trump.rank else RANKS.index(piece.rank)


def trick_result(plays: Sequence[Piece], leader: int, trump: Piece) -> TrickResult:
    position = best_piece_position(plays, trump)
    winner = (leader + position) % SEATS
    piece = plays[position]
    message = say(
        _("%(who)s has the highest trump, %(piece)s.")
        if piece.suit == trump.suit
        else _("%(who)s is highest in the suit led with %(piece)s."),
        who=SeatIndex(winner),
        piece=piece,
    )
    return TrickResult(winner, "tricky_dice.trick.win", message)


class TrickTally(NamedTuple):
    """The result of ten tricks, by seat."""

    tricks_won: tuple[int, ...]
    die_tricks: tuple[int, ...]
    findings: tuple[RuleBreachFinding, ...]
    tricks: tuple[WonTrick, ...] = ()


def check_piece_counts(
    tricks: Sequence[Sequence[Piece]], leader: int, trump: Piece, faults: Faults
) -> None:
    """Note a fault for pieces played twice, and for more than eight cards or two dice a hand."""
    played_pieces: set[Piece] = set()
    piece_counts = [[0, 0] for _seat in range(SEATS)]
    trump_die = trump._replace(is_die=True)
    for number, plays in enumerate(tricks):
        for place, piece in enumerate(plays):
            field = f"tricks[{number}][{place}]"
            seat = (leader + place) % SEATS
            if piece in played_pieces:
                faults.add(
                    field,
                    "tricky_dice.pieces",
                    _("%(piece)s was already played. There’s only one of each."),
                    piece=piece,
                )
            played_pieces.add(piece)
            if piece == trump_die:
                faults.add(
                    field,
                    "tricky_dice.trump",
                    _("%(piece)s is the trump die, which isn’t played."),
                    piece=piece,
                )
            piece_counts[seat][piece.is_die] += 1
            most = DICE_EACH if piece.is_die else CARDS_EACH
            if piece_counts[seat][piece.is_die] == most + 1:
                faults.add(
                    field,
                    "tricky_dice.pieces",
                    _("%(who)s plays a third die, but everyone has only two.")
                    if piece.is_die
                    else _("%(who)s plays a ninth card, but everyone has only eight."),
                    who=SeatIndex(seat),
                )
        leader = (leader + best_piece_position(plays, trump)) % SEATS


def tally_tricks(
    tricks: Sequence[Sequence[Piece]], leader: int, trump: Piece
) -> TrickTally:
    """Return the result of a hand's tricks; the bid winner leads the first.

    Findings name seats that held the led suit and played another (tricky_dice.trick.follow).
    """
    die_tricks = [0] * SEATS
    visible_tricks: list[list[PlayFeatures[str]]] = []
    won_tricks: list[WonTrick] = []
    for plays in tricks:
        seats = clockwise_seats(leader, SEATS)
        visible_tricks.append(
            [
                PlayFeatures(seat, frozenset(piece.suit))
                for seat, piece in zip(seats, plays, strict=True)
            ]
        )
        position = best_piece_position(plays, trump)
        winner = seats[position]
        is_trump_led = plays[0].suit == trump.suit
        won_tricks.append(WonTrick(leader, winner, 1, str(trump), is_trump_led))
        die_tricks[winner] += plays[position].is_die
        leader = winner
    findings = tuple(
        RuleBreachFinding(
            missed.trick,
            missed.seat,
            "tricky_dice.trick.follow",
            say(
                _(
                    "%(who)s could have followed suit in trick %(trick)s but played %(piece)s."
                ),
                who=SeatIndex(missed.seat),
                trick=missed.trick,
                piece=tricks[missed.trick - 1][missed.place],
            ),
        )
        for missed in find_missed_follows(visible_tricks)
    )
    return TrickTally(
        sum_worth_by_winner(won_tricks, SEATS),
        tuple(die_tricks),
        findings,
        tuple(won_tricks),
    )


def parse_pieces(
    pieces: Sequence[str], leader: int, trump: Piece, faults: Faults
) -> PlaySoFar | None:
    """Return the state of the hand after these pieces; the bid winner leads the first trick."""
    parsed_pieces = [
        read_piece(text, f"{PLAYED_KEY}[{place}]", faults)
        for place, text in enumerate(pieces)
    ]
    valid_pieces = [piece for piece in parsed_pieces if piece is not None]
    if len(valid_pieces) > SEATS * TRICKS:
        faults.add(
            PLAYED_KEY,
            "tricky_dice.pieces",
            _("%(count)s cards and dice entered, but ten tricks have only %(most)s."),
            count=len(valid_pieces),
            most=SEATS * TRICKS,
        )
    if faults.items:
        return None
    check_piece_counts(split_into_chunks(valid_pieces, SEATS), leader, trump, faults)
    tricks: list[list[str]] = []
    leaders: list[int] = []
    results: list[TrickResult] = []
    tallies = [(0,) * SEATS]
    by_seat: list[list[Piece]] = [[] for _seat in range(SEATS)]
    current_trick: list[LaidPieces] = []
    for plays in split_into_chunks(valid_pieces, SEATS):
        current_trick = []
        for place, piece in enumerate(plays):
            seat = (leader + place) % SEATS
            by_seat[seat].append(piece)
            current_trick.append(LaidPieces(seat, "play", (str(piece),)))
        if len(plays) < SEATS:
            break
        leaders.append(leader)
        results.append(trick_result(plays, leader, trump))
        leader = results[-1].winner
        tally = list(tallies[-1])
        tally[leader] += 1
        tallies.append(tuple(tally))
        tricks.append([str(piece) for piece in plays])
        current_trick = []
    turn = None
    if len(tricks) < TRICKS:
        seat = (leader + len(current_trick)) % SEATS
        dice = sum(piece.is_die for piece in by_seat[seat])
        has_cards = len(by_seat[seat]) - dice < CARDS_EACH
        has_dice = dice < DICE_EACH
        unplayable = {
            str(piece) for pieces_of_seat in by_seat for piece in pieces_of_seat
        }
        unplayable.add(str(trump._replace(is_die=True)))
        unplayable.update(
            text
            for text, piece in PIECES.items()
            if not (has_dice if piece.is_die else has_cards)
        )
        turn = NextTurn(seat, "play", frozenset(unplayable))
    return PlaySoFar(
        tricks=tuple(tricks),
        leaders=tuple(leaders),
        results=tuple(results),
        current_trick=tuple(current_trick),
        turn=turn,
        tallies=tuple(tallies),
    )
