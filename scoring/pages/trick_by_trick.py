"""A hand piece by piece, with explanations of its tricks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.html import format_html_join
from django.utils.translation import gettext

from scoring.games.drawing import DrawnPiece
from scoring.games.pieces import PieceRecording
from scoring.games.registry import table_game
from scoring.games.table_game import TableGame
from scoring.pages.race import PegRace, draw_bid
from scoring.pages.sheet import Sheet
from scoring.rules import (
    LaidPieces,
    MatchState,
    PlaySoFar,
    Refusal,
    parse_pieces,
)
from scoring.rules.reading import clockwise_seats

Raw = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrickPiecesOfSeat:
    """The pieces of one seat in a trick."""

    seat: int
    name: str
    pieces: Sequence[DrawnPiece]
    is_ante: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TrickLine:
    """A complete trick, with the reason for its winner."""

    number: int
    leader: str
    winner: str
    why: str
    clause: str
    laid: Sequence[TrickPiecesOfSeat]
    ante_won: int | None
    """The points won with the antes; None in games without antes."""
    turned: DrawnPiece | None
    """The card that the winner turned for a new trump."""
    worth: int
    """Points, or one if the game counts tricks."""
    tally: Sequence[tuple[str, int]]
    """Names and points or tricks after it, by seat."""

    @property
    def felt(self) -> "list[FeltPlace]":
        """Return the trick as it was when won, by seat, with points or tricks so far."""
        return [
            FeltPlace(
                seat=seat,
                name=name,
                laid=[line for line in self.laid if line.seat == seat],
                unset=range(0),
                tally=tally,
                leads=name == self.leader,
                wins=name == self.winner,
            )
            for seat, (name, tally) in enumerate(self.tally)
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class FeltPlace:
    """The pieces in front of one seat, and its points or tricks."""

    seat: int
    name: str
    laid: Sequence[TrickPiecesOfSeat]
    unset: range
    """A number for each piece that the seat still has to play in the trick."""
    tally: int
    """Points or tricks so far, depending on the game."""
    leads: bool
    is_next: bool = False
    """Whether the seat plays the next piece."""
    wins: bool = False
    """Whether the seat has won the trick."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BidProgress:
    """The progress of the bidding side, under the bidder's name."""

    name: str
    how_far: str
    """Its missing points or tricks and its partner, in words."""
    reached: int
    race: PegRace
    """A race with only its lane, which ends at the bid."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayView:
    """The state of a hand that is being played."""

    faults: Sequence[str] = ()
    tricks: Sequence[TrickLine] = ()
    laid: Sequence[TrickPiecesOfSeat] = ()
    felt: Sequence[FeltPlace] = ()
    """The current trick, by seat."""
    asks: str = ""
    """The next player and action, in words; empty once the hand is complete."""
    aid: str = ""
    """A reminder of trump and the lead."""
    bid: BidProgress | None = None
    """The progress of the bidding side; None without a contract."""
    spent: str = ""
    """Pieces that cannot be tapped, separated by spaces."""
    trumps: str = ""
    """Pieces that are trump, separated by spaces."""
    opens: str = ""
    """The key of the pad with the pieces that most players play now."""
    may_turn: bool = False
    waits: bool = False
    """Whether information is missing before the first piece."""

    @property
    def last_won_trick(self) -> TrickLine | None:
        return self.tricks[-1] if self.tricks else None

    @property
    def just_won_trick(self) -> TrickLine | None:
        """Return the trick that was just won; None once the next has begun."""
        return None if self.laid else self.last_won_trick


def play_view(state: MatchState, raw: Raw, names: Sequence[str]) -> PlayView:
    """Return the state of a hand that is being played; `raw` has its pieces under `played`."""
    table = table_game(state.game.id)
    try:
        recorded = parse_pieces(state, raw)
    except Refusal as refusal:
        faults = [
            table.translate_with_pieces(fault.message, names)
            for fault in refusal.faults
        ]
        return PlayView(faults=faults)
    pieces = table.pieces
    assert pieces is not None
    hand, turn = state.game.parse_loosely(state, raw), recorded.turn
    trump = pieces.hand_trump(hand) or recorded.trump
    pad = pieces.form.pad
    plays = [laid for laid in recorded.current_trick if laid.kind == "play"]
    led_pieces = plays[0].pieces if turn and plays else ()
    aids = [pieces.describe_trump(hand, recorded)] if turn else []
    aids += [pieces.describe_led_pieces(led_pieces)] if led_pieces else []
    if turn and any(
        turn.unplayable_pieces.issuperset(piece for piece, _label in keys)
        for keys in pad.second.values()
    ):
        template = gettext(
            "Greyed-out pieces have been played, or %(name)s has none left."
        )
        aids.append(template % {"name": names[turn.seat]})
    goal, bid = pieces.goal(hand), None
    if hand.bidder is not None and goal:
        side = [hand.bidder] if hand.partner is None else [hand.bidder, hand.partner]
        reached = sum(recorded.current_tally[seat] for seat in side)
        bid = bid_progress(pieces, goal, reached, names, side, is_over=turn is None)
    laid = [
        _laid_pieces_view(pieces, laid, names, trump) for laid in recorded.current_trick
    ]
    next_seat = turn.seat if turn and turn.kind != "trump" else None
    leader = laid[0].seat if laid else next_seat
    felt = []
    for seat, name in enumerate(names):
        lines = [line for line in laid if line.seat == seat]
        piece_count = sum(len(line.pieces) for line in lines if not line.is_ante)
        felt.append(
            FeltPlace(
                seat=seat,
                name=name,
                laid=lines,
                unset=range(pad.pieces_per_play - piece_count if turn else 0),
                tally=recorded.current_tally[seat],
                leads=seat == leader,
                is_next=seat == next_seat,
            )
        )
    return PlayView(
        tricks=_trick_lines(table, trump, state, recorded, names),
        laid=laid,
        felt=felt,
        asks=pieces.next_piece_prompt(turn, recorded.current_trick, names[turn.seat])
        if turn
        else "",
        aid=format_html_join(" ", "{}", ((aid,) for aid in aids if aid)),
        bid=bid,
        spent=" ".join(sorted(turn.unplayable_pieces)) if turn else "",
        trumps=" ".join(piece for piece in pad.pieces if pieces.is_trump(piece, trump)),
        opens=pieces.led_suit_key(led_pieces) if led_pieces else "",
        may_turn=recorded.may_turn,
    )


def bid_progress(
    pieces: PieceRecording,
    goal: int,
    reached: int,
    names: Sequence[str],
    side: Sequence[int],
    *,
    is_over: bool,
) -> BidProgress:
    """Return the progress of a side that needs `goal`; `side` is the bidder and any partner."""
    bidder, *partner = side
    how_far = pieces.describe_distance_to_goal(
        goal, reached, "".join(names[seat] for seat in partner), is_over=is_over
    )
    return BidProgress(
        name=names[bidder],
        how_far=how_far,
        reached=reached,
        race=draw_bid(bidder, reached, goal),
    )


def _trick_lines(
    table: TableGame,
    trump: str,
    state: MatchState,
    recorded: PlaySoFar,
    names: Sequence[str],
) -> list[TrickLine]:
    pieces = table.pieces
    assert pieces is not None
    tricks = state.game.convert_checked_tricks({"tricks": recorded.tricks})
    trumps = recorded.trumps or [trump] * len(tricks)
    lines = []
    for number, trick in enumerate(tricks):
        result, trump = recorded.results[number], trumps[number]
        seats = clockwise_seats(recorded.leaders[number], len(names))
        laid = [
            LaidPieces(seat, "ante", (ante,))
            for seat, ante in zip(seats, trick.antes, strict=False)
        ]
        laid += [
            LaidPieces(seat, "play", play)
            for seat, play in zip(seats, trick.plays, strict=True)
        ]
        tally_before, tally = recorded.tallies[number], recorded.tallies[number + 1]
        lines.append(
            TrickLine(
                number=number + 1,
                leader=names[recorded.leaders[number]],
                winner=names[result.winner],
                why=table.translate_with_pieces(result.message, names, trump),
                clause=result.clause,
                laid=[
                    _laid_pieces_view(pieces, seat_pieces, names, trump)
                    for seat_pieces in laid
                ],
                ante_won=result.ante_won,
                turned=pieces.draw_with_trump(trick.turned, trick.turned)
                if trick.turned
                else None,
                worth=tally[result.winner] - tally_before[result.winner],
                tally=list(zip(names, tally, strict=True)),
            )
        )
    return lines


def _laid_pieces_view(
    pieces: PieceRecording, laid: LaidPieces, names: Sequence[str], trump: str
) -> TrickPiecesOfSeat:
    """Return the pieces of one seat, with trumps marked except for an ante."""
    is_ante = laid.kind == "ante"
    return TrickPiecesOfSeat(
        seat=laid.seat,
        name=names[laid.seat],
        pieces=[
            pieces.draw_piece(piece)
            if is_ante
            else pieces.draw_with_trump(piece, trump)
            for piece in laid.pieces
        ],
        is_ante=is_ante,
    )


def recorded_tricks(sheet: Sheet, number: int) -> Sequence[TrickLine]:
    """Return the recorded tricks of a hand; empty if it has none, or does not count."""
    replayed = sheet.replayed.hand(number)
    if replayed is None or replayed.scored is None or not replayed.scored.tricks:
        return ()
    pieces = replayed.game.convert_tricks_to_pieces(replayed.raw)
    return play_view(sheet.replayed.state_before(number), pieces, sheet.names).tricks
