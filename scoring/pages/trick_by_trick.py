"""The table's referee: a hand that is being played, piece by piece."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.html import format_html_join
from django.utils.translation import gettext

from scoring.games.drawing import DrawnPiece
from scoring.games.keypad import Pad
from scoring.games.piece_by_piece import PieceByPiece
from scoring.games.registry import table_game
from scoring.games.table_game import TableGame
from scoring.pages.race import Race, draw_bid
from scoring.rules import (
    Hand,
    Laid,
    MatchState,
    PlayedTrick,
    PlaySoFar,
    Refusal,
    TrickResult,
    Turn,
    follow,
)
from scoring.rules.reading import seats_from

Raw = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class LaidLine:
    """What one seat has put into the trick, as the table says it."""

    seat: int
    name: str
    pieces: Sequence[DrawnPiece]
    is_ante: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TrickLine:
    """A trick that is complete, as the table says it."""

    number: int
    leader: str
    winner: str
    why: str
    clause: str
    laid: Sequence[LaidLine]
    ante_won: int | None
    """What the antes brought; None in games without."""
    turned: DrawnPiece | None
    """The card that its winner turned for a new trump."""
    worth: int
    """Points, or one where tricks are counted."""
    tally: Sequence[tuple[str, int]]
    """What everybody had after it."""

    @property
    def felt(self) -> "list[FeltPlace]":
        """Return the trick as it lay when it was won, with what everybody has by it."""
        return [
            FeltPlace(
                seat=seat,
                name=name,
                laid=[line for line in self.laid if line.seat == seat],
                unset=range(0),
                taken=taken,
                leads=name == self.leader,
                wins=name == self.winner,
            )
            for seat, (name, taken) in enumerate(self.tally)
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class FeltPlace:
    """What lies before one seat, and what it has taken."""

    seat: int
    name: str
    laid: Sequence[LaidLine]
    unset: range
    """A number for each piece that it is still to put into the trick."""
    taken: int
    """Points or tricks so far, as the game counts."""
    leads: bool
    is_next: bool = False
    """Whether the next piece is this seat's."""
    wins: bool = False
    """Whether it has won the trick."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BidLine:
    """How far the bidding side is, by who bid."""

    name: str
    how_far: str
    """What it still needs and who its partner is, in words."""
    taken: int
    race: Race
    """Its lane alone, which ends at the bid."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayView:
    """A hand as far as it was played."""

    faults: Sequence[str] = ()
    tricks: Sequence[TrickLine] = ()
    laid: Sequence[LaidLine] = ()
    felt: Sequence[FeltPlace] = ()
    """The trick that is being played, by seat."""
    asks: str = ""
    """Who is to do what; empty once the hand is complete."""
    aid: str = ""
    """What to keep in mind: trump, what was led."""
    bid: BidLine | None = None
    """How far the bidding side is; None without a contract."""
    spent: str = ""
    """Pieces that cannot be tapped, between spaces."""
    trumps: str = ""
    """Pieces that are trump, between spaces."""
    opens: str = ""
    """The key whose pieces most players put down now."""
    may_turn: bool = False
    waits: bool = False
    """Whether something has to be said before the first piece."""

    @property
    def won(self) -> TrickLine | None:
        """Return the last trick that was won."""
        return self.tricks[-1] if self.tricks else None

    @property
    def last(self) -> TrickLine | None:
        """Return the trick that was just won; None while the next is played."""
        return None if self.laid else self.won


def play_view(state: MatchState, raw: Raw, names: Sequence[str]) -> PlayView:
    """Return a hand as far as it was played; `raw` has its pieces under `played`."""
    table = table_game(state.game.id)
    try:
        recorded = follow(state, raw)
    except Refusal as refusal:
        faults = [table.speak(fault.message, names) for fault in refusal.faults]
        return PlayView(faults=faults)
    pieces = table.pieces
    assert pieces is not None
    hand, turn = state.game.parse_loosely(state, raw), recorded.turn
    trump = pieces.trump_of(hand) or recorded.trump
    led = _led(recorded) if turn else ()
    aids = [pieces.describe_trump(hand, recorded)] if turn else []
    aids += [pieces.describe_led(led)] if led else []
    aids += [_describe_spent(pieces.form.pad, turn, names)] if turn else []
    laid = [laid_line(pieces, laid, names, trump) for laid in recorded.laid]
    return PlayView(
        tricks=_trick_lines(table, trump, state, recorded, names),
        laid=laid,
        felt=_felt(recorded, laid, names, pieces.form.pad.each),
        asks=pieces.describe_turn(turn, recorded.laid, names[turn.seat])
        if turn
        else "",
        aid=format_html_join(" ", "{}", ((aid,) for aid in aids if aid)),
        bid=_bid_line(pieces, hand, recorded, names),
        spent=" ".join(sorted(turn.spent)) if turn else "",
        trumps=" ".join(
            piece for piece in pieces.form.pad.pieces if pieces.is_trump(piece, trump)
        ),
        opens=pieces.opens(led) if led else "",
        may_turn=recorded.may_turn,
    )


def _bid_line(
    pieces: PieceByPiece, hand: Hand, recorded: PlaySoFar, names: Sequence[str]
) -> BidLine | None:
    """Return how far the bidding side is; None where nobody has bid."""
    goal = pieces.goal(hand)
    if hand.bidder is None or not goal:
        return None
    side = [hand.bidder] if hand.partner is None else [hand.bidder, hand.partner]
    taken = sum(recorded.taken[seat] for seat in side)
    return bid_line(pieces, goal, taken, names, side, is_over=recorded.turn is None)


def bid_line(
    pieces: PieceByPiece,
    goal: int,
    taken: int,
    names: Sequence[str],
    side: Sequence[int],
    *,
    is_over: bool,
) -> BidLine:
    """Return how far a side is that needs `goal`: who bid, and the partner where there is one."""
    bidder, *partner = side
    how_far = pieces.describe_goal(
        goal, taken, "".join(names[seat] for seat in partner), is_over=is_over
    )
    return BidLine(
        name=names[bidder],
        how_far=how_far,
        taken=taken,
        race=draw_bid(bidder, taken, goal),
    )


def _felt(
    recorded: PlaySoFar, laid: Sequence[LaidLine], names: Sequence[str], each: int
) -> list[FeltPlace]:
    """Return what lies before each seat, of `each` pieces that it plays."""
    turn = recorded.turn
    at = turn.seat if turn and turn.asks != "trump" else None
    leader = laid[0].seat if laid else at
    felt = []
    for seat, name in enumerate(names):
        lines = [line for line in laid if line.seat == seat]
        played = sum(len(line.pieces) for line in lines if not line.is_ante)
        felt.append(
            FeltPlace(
                seat=seat,
                name=name,
                laid=lines,
                unset=range(each - played if turn else 0),
                taken=recorded.taken[seat],
                leads=seat == leader,
                is_next=seat == at,
            )
        )
    return felt


def _trick_lines(
    table: TableGame,
    trump: str,
    state: MatchState,
    recorded: PlaySoFar,
    names: Sequence[str],
) -> list[TrickLine]:
    """Return the complete tricks of a hand, as the table says them."""
    tricks = state.game.parse_tricks({"tricks": recorded.tricks})
    trumps = recorded.trumps or [trump] * len(tricks)
    return [
        _trick_line(table, trumps[number], recorded, number, trick, names)
        for number, trick in enumerate(tricks)
    ]


def _trick_line(
    table: TableGame,
    trump: str,
    recorded: PlaySoFar,
    number: int,
    trick: PlayedTrick,
    names: Sequence[str],
) -> TrickLine:
    pieces = table.pieces
    assert pieces is not None
    result, seats = (
        recorded.results[number],
        seats_from(recorded.leaders[number], len(names)),
    )
    laid = [
        Laid(seat, "ante", (ante,))
        for seat, ante in zip(seats, trick.antes, strict=False)
    ]
    laid += [
        Laid(seat, "play", play) for seat, play in zip(seats, trick.plays, strict=True)
    ]
    before, after = recorded.tallies[number], recorded.tallies[number + 1]
    return trick_line(
        table,
        number=number + 1,
        result=result,
        laid=[laid_line(pieces, each, names, trump) for each in laid],
        turned=turned_card(pieces, trick.turned),
        worth=after[result.winner] - before[result.winner],
        tally=after,
        names=names,
        trump=trump,
    )


def trick_line(
    table: TableGame,
    *,
    number: int,
    result: TrickResult,
    laid: Sequence[LaidLine],
    turned: DrawnPiece | None,
    worth: int,
    tally: Sequence[int],
    names: Sequence[str],
    trump: str,
) -> TrickLine:
    """Return a trick that is complete, as the table says it."""
    return TrickLine(
        number=number,
        leader=next(line.name for line in laid if not line.is_ante),
        winner=names[result.winner],
        why=table.speak(result.message, names, trump),
        clause=result.clause,
        laid=laid,
        ante_won=result.ante_won,
        turned=turned,
        worth=worth,
        tally=list(zip(names, tally, strict=True)),
    )


def turned_card(pieces: PieceByPiece, turned: str | None) -> DrawnPiece | None:
    """Return the card that was turned for a new trump, as one; None where none was."""
    return pieces.draw_played(turned, turned) if turned else None


def laid_line(
    pieces: PieceByPiece, laid: Laid, names: Sequence[str], trump: str
) -> LaidLine:
    """Return what one seat has laid, its trumps marked; an ante takes no trick."""
    is_ante = laid.asks == "ante"
    return LaidLine(
        seat=laid.seat,
        name=names[laid.seat],
        pieces=[
            pieces.draw_piece(piece) if is_ante else pieces.draw_played(piece, trump)
            for piece in laid.pieces
        ],
        is_ante=is_ante,
    )


def _describe_spent(pad: Pad, turn: Turn, names: Sequence[str]) -> str:
    """Return why keys of whole suits or kinds cannot be tapped; empty where all can."""
    gone = [
        opener
        for opener, keys in pad.second.items()
        if turn.spent.issuperset(piece for piece, _label in keys)
    ]
    words = gettext("What is grey has been played, or %(name)s has none of it left.")
    return words % {"name": names[turn.seat]} if gone else ""


def _led(recorded: PlaySoFar) -> Sequence[str]:
    """Return what was led to the trick; empty before."""
    played = [laid for laid in recorded.laid if laid.asks == "play"]
    return played[0].pieces if played else ()
