"""The table's referee: a hand that is being played, piece by piece."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.html import format_html_join
from django.utils.translation import gettext

from scoring.games.drawing import DrawnPiece
from scoring.games.pieces import PieceByPiece
from scoring.games.registry import table_game
from scoring.games.table_game import TableGame
from scoring.pages.race import Race, draw_bid
from scoring.rules import (
    Laid,
    MatchState,
    PlaySoFar,
    Refusal,
    TrickResult,
    follow,
)
from scoring.rules.reading import clockwise_seats

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
    trump = pieces.hand_trump(hand) or recorded.trump
    pad = pieces.form.pad
    played = [laid for laid in recorded.laid if laid.asks == "play"]
    led = played[0].pieces if turn and played else ()
    aids = [pieces.describe_trump(hand, recorded)] if turn else []
    aids += [pieces.describe_led(led)] if led else []
    if turn and any(
        turn.spent.issuperset(piece for piece, _label in keys)
        for keys in pad.second.values()
    ):
        words = gettext(
            "What is grey has been played, or %(name)s has none of it left."
        )
        aids.append(words % {"name": names[turn.seat]})
    goal, bid = pieces.goal(hand), None
    if hand.bidder is not None and goal:
        side = [hand.bidder] if hand.partner is None else [hand.bidder, hand.partner]
        taken = sum(recorded.current_tally[seat] for seat in side)
        bid = bid_line(pieces, goal, taken, names, side, is_over=turn is None)
    laid = [laid_line(pieces, laid, names, trump) for laid in recorded.laid]
    next_seat = turn.seat if turn and turn.asks != "trump" else None
    leader = laid[0].seat if laid else next_seat
    felt = []
    for seat, name in enumerate(names):
        lines = [line for line in laid if line.seat == seat]
        put_down = sum(len(line.pieces) for line in lines if not line.is_ante)
        felt.append(
            FeltPlace(
                seat=seat,
                name=name,
                laid=lines,
                unset=range(pad.each - put_down if turn else 0),
                taken=recorded.current_tally[seat],
                leads=seat == leader,
                is_next=seat == next_seat,
            )
        )
    return PlayView(
        tricks=_trick_lines(table, trump, state, recorded, names),
        laid=laid,
        felt=felt,
        asks=pieces.describe_turn(turn, recorded.laid, names[turn.seat])
        if turn
        else "",
        aid=format_html_join(" ", "{}", ((aid,) for aid in aids if aid)),
        bid=bid,
        spent=" ".join(sorted(turn.spent)) if turn else "",
        trumps=" ".join(piece for piece in pad.pieces if pieces.is_trump(piece, trump)),
        opens=pieces.opens(led) if led else "",
        may_turn=recorded.may_turn,
    )


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


def _trick_lines(
    table: TableGame,
    trump: str,
    state: MatchState,
    recorded: PlaySoFar,
    names: Sequence[str],
) -> list[TrickLine]:
    pieces = table.pieces
    assert pieces is not None
    tricks = state.game.parse_tricks({"tricks": recorded.tricks})
    trumps = recorded.trumps or [trump] * len(tricks)
    lines = []
    for number, trick in enumerate(tricks):
        result, trump = recorded.results[number], trumps[number]
        seats = clockwise_seats(recorded.leaders[number], len(names))
        laid = [
            Laid(seat, "ante", (ante,))
            for seat, ante in zip(seats, trick.antes, strict=False)
        ]
        laid += [
            Laid(seat, "play", play)
            for seat, play in zip(seats, trick.plays, strict=True)
        ]
        before, after = recorded.tallies[number], recorded.tallies[number + 1]
        lines.append(
            trick_line(
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
        )
    return lines


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
    return pieces.draw_with_trump(turned, turned) if turned else None


def laid_line(
    pieces: PieceByPiece, laid: Laid, names: Sequence[str], trump: str
) -> LaidLine:
    """Return what one seat has laid, its trumps marked; an ante takes no trick."""
    is_ante = laid.asks == "ante"
    return LaidLine(
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
