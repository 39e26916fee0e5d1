"""The table's referee: a hand that is being played, piece by piece."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext, ngettext

from scoring.games.piece_by_piece import DrawnPiece, PieceByPiece
from scoring.games.registry import table_game
from scoring.rules import (
    Laid,
    MatchState,
    PlayedTrick,
    PlaySoFar,
    Refusal,
    TrickResult,
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
    turned: str
    """The card that its winner turned for a new trump; empty for none."""
    worth: int
    """Points, or one where tricks are counted."""
    tally: Sequence[tuple[str, int]]
    """What everybody had after it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayView:
    """A hand as far as it was played."""

    faults: Sequence[str] = ()
    tricks: Sequence[TrickLine] = ()
    laid: Sequence[LaidLine] = ()
    asks: str = ""
    """Who is to do what; empty once the hand is complete."""
    aid: str = ""
    """What to keep in mind: trump, what was led."""
    tally: Sequence[tuple[str, int]] = ()
    goal: str = ""
    """How far the bidding side is; empty without a contract."""
    spent: str = ""
    """Pieces that cannot be tapped, between spaces."""
    opens: str = ""
    """The key whose pieces most players put down now."""
    may_turn: bool = False
    waits: bool = False
    """Whether something has to be said before the first piece."""

    @property
    def last(self) -> TrickLine | None:
        """Return the trick that was just won; None while the next is played."""
        return self.tricks[-1] if self.tricks and not self.laid else None


def play_view(state: MatchState, raw: Raw, names: Sequence[str]) -> PlayView:
    """Return a hand as far as it was played; `raw` has its pieces under `played`."""
    try:
        recorded = follow(state, raw)
    except Refusal as refusal:
        faults = [
            fault.message.spoken(names, gettext, ngettext) for fault in refusal.faults
        ]
        return PlayView(faults=faults)
    pieces = table_game(state.game.id).pieces
    assert pieces is not None
    hand, turn = state.game.parse_loosely(state, raw), recorded.turn
    led = _led(recorded) if turn else ()
    aids = [pieces.describe_trump(hand, recorded)] if turn else []
    aids += [pieces.describe_led(led)] if led else []
    return PlayView(
        tricks=_trick_lines(pieces, state, recorded, names),
        laid=[laid_line(pieces, laid, names) for laid in recorded.laid],
        asks=pieces.describe_turn(turn, recorded.laid, names[turn.seat])
        if turn
        else "",
        aid=" ".join(filter(None, aids)),
        tally=list(zip(names, recorded.taken, strict=True)),
        goal=pieces.describe_goal(hand, recorded.taken, names),
        spent=" ".join(sorted(turn.spent)) if turn else "",
        opens=pieces.opens(led) if led else "",
        may_turn=recorded.may_turn,
    )


def _trick_lines(
    pieces: PieceByPiece, state: MatchState, recorded: PlaySoFar, names: Sequence[str]
) -> list[TrickLine]:
    """Return the complete tricks of a hand, as the table says them."""
    tricks = state.game.parse_tricks({"tricks": recorded.tricks})
    return [
        _trick_line(pieces, recorded, number, trick, names)
        for number, trick in enumerate(tricks)
    ]


def _trick_line(
    pieces: PieceByPiece,
    recorded: PlaySoFar,
    number: int,
    trick: PlayedTrick,
    names: Sequence[str],
) -> TrickLine:
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
        number=number + 1,
        result=result,
        laid=[laid_line(pieces, each, names) for each in laid],
        turned=pieces.describe_piece(trick.turned) if trick.turned else "",
        worth=after[result.winner] - before[result.winner],
        tally=after,
        names=names,
    )


def trick_line(
    *,
    number: int,
    result: TrickResult,
    laid: Sequence[LaidLine],
    turned: str,
    worth: int,
    tally: Sequence[int],
    names: Sequence[str],
) -> TrickLine:
    """Return a trick that is complete, as the table says it."""
    return TrickLine(
        number=number,
        leader=next(line.name for line in laid if not line.is_ante),
        winner=names[result.winner],
        why=result.message.spoken(names, gettext, ngettext),
        clause=result.clause,
        laid=laid,
        ante_won=result.ante_won,
        turned=turned,
        worth=worth,
        tally=list(zip(names, tally, strict=True)),
    )


def laid_line(pieces: PieceByPiece, laid: Laid, names: Sequence[str]) -> LaidLine:
    return LaidLine(
        seat=laid.seat,
        name=names[laid.seat],
        pieces=[pieces.draw_piece(piece) for piece in laid.pieces],
        is_ante=laid.asks == "ante",
    )


def _led(recorded: PlaySoFar) -> Sequence[str]:
    """Return what was led to the trick; empty before."""
    played = [laid for laid in recorded.laid if laid.asks == "play"]
    return played[0].pieces if played else ()
