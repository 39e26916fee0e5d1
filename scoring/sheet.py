"""What the score sheet shows, gathered with a constant number of queries."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from django.utils.translation import gettext

from scoring.agreeing import agreed_seats, words_of
from scoring.boards import GAME, told_of
from scoring.chart import Chart, draw_chart
from scoring.folding import FoldedHand, FoldedMatch
from scoring.models import LogEntry, Match
from scoring.operations import Seen, seen_of
from scoring.retelling import tell_begun, tell_bids, tell_contract
from scoring.rules import PLAYED, Explanation, MatchState, record

WRITES = (LogEntry.Kind.ENTER, LogEntry.Kind.CONTRACT, LogEntry.Kind.PEN)
"""By what a phone has the pen: whoever writes holds it, until another takes it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatView:
    """One column of the sheet."""

    index: int
    name: str
    total: int
    rank: int
    won: bool
    needs: int | None
    share: int
    """How far they are towards the target, in percent; 0 without a target."""

    @property
    def initials(self) -> str:
        """Return one or two letters for the seat's mark."""
        words = self.name.split()
        return "".join(word[0] for word in words[:2]).upper() if words else "?"


@dataclass(frozen=True, slots=True, kw_only=True)
class HandRow:
    """One line of the sheet."""

    number: int
    state: str
    scores: Sequence[int]
    bidder: int | None
    findings: Sequence[str]
    corrected: bool
    beside: bool
    """Whether another phone has it otherwise, and nobody has chosen yet."""


@dataclass(frozen=True, kw_only=True)
class Sheet:
    """The whole sheet; what is not asked for is not worked out."""

    match: Match
    seen: Seen
    names: Sequence[str]

    @property
    def folded(self) -> FoldedMatch:
        """Return the match as its log has it."""
        return self.seen.folded

    @property
    def state(self) -> MatchState:
        """Return how the match stands."""
        return self.folded.state

    @cached_property
    def seats(self) -> Sequence[SeatView]:
        """Return the columns."""
        return [
            _seat_view(self.state, index, name) for index, name in enumerate(self.names)
        ]

    @cached_property
    def rows(self) -> Sequence[HandRow]:
        """Return the lines, one for each hand."""
        return [
            _row(hand, self.names)
            for hand in self.folded.hands
            if hand.state != "contract"
        ]

    @cached_property
    def chart(self) -> Chart | None:
        """Return the totals as a picture; None where there is nothing to draw."""
        totals = [hand.scored.totals for hand in self.folded.scored if hand.scored]
        return draw_chart(self.names, totals)

    @property
    def lead(self) -> str:
        """Return who leads by how much, in words."""
        return _lead(self.state, self.names)

    @property
    def turn(self) -> str:
        """Return whose turn it is, in words."""
        return _turn(self.state, self.names)

    @property
    def pending(self) -> str:
        """Return what is known of a hand that is being played; empty for none."""
        pending = self.folded.pending
        if pending is None:
            return ""
        told = []
        if "contract" in pending.raw:
            told.append(tell_contract(pending.raw["contract"], self.names))
        if self.goes_on_with_contest:
            told.append(tell_begun(pending.raw, self.names))
        if PLAYED in pending.raw:
            seen = record(self.folded.state_before(pending.number), pending.raw)
            number = {"number": len(seen.tricks) + 1}
            told.append(gettext("Trick %(number)s is being played.") % number)
        return " ".join(told)

    @property
    def auction(self) -> Sequence[tuple[str, str]]:
        """Return who bid what for the hand that is being played, where that is known."""
        pending = self.folded.pending
        return tell_bids(pending.raw.get("bids", ()), self.names) if pending else ()

    @property
    def goes_on_by_tricks(self) -> bool:
        """Tell whether a hand is being recorded piece by piece."""
        pending = self.folded.pending
        return pending is not None and PLAYED in pending.raw

    @property
    def goes_on_with_contest(self) -> bool:
        """Tell whether a contest is entered by halves."""
        pending = self.folded.pending
        return pending is not None and not {"inciter", "actors"}.isdisjoint(pending.raw)

    @property
    def decided(self) -> str:
        """Return what decided a match that is over; empty before."""
        return _decided(self.state.decided, self.names) if self.state.decided else ""

    @cached_property
    def words(self) -> str:
        """Return what two phones compare to see that they have the same scores."""
        return words_of(self.folded)

    @cached_property
    def agreed(self) -> Sequence[str]:
        """Return who found the same words on their phones, by seat."""
        seats = agreed_seats(self.seen.log, self.words)
        return [self.names[seat] for seat in sorted(seats)]

    @property
    def agreements(self) -> Sequence[tuple[str, str]]:
        """Return who can still agree to the result, and what their phone says then."""
        return [
            (name, json.dumps({"seat": seat, "words": self.words}))
            for seat, name in enumerate(self.names)
            if self.match.is_settled
            and name not in self.agreed
            and not self.match.closed
        ]

    @property
    def has_board(self) -> bool:
        """Tell whether there is a board, or one can be laid."""
        if self.match.game != GAME:
            return False
        return not self.state.number or told_of(self.seen.log) is not None

    @property
    def pen(self) -> LogEntry | None:
        """Return the last entry of the phone that writes; None while none has."""
        writing = (
            entry
            for entry in reversed(self.seen.log)
            if entry.phone and entry.kind in WRITES
        )
        return next(writing, None)

    @property
    def rematch(self) -> str:
        """Return what a phone says to start the same match again, as JSON."""
        told = {
            "game": self.match.game,
            "names": list(self.names),
            "rematch_of": self.match.address,
            **self.match.options,
        }
        return json.dumps(told)

    @property
    def result(self) -> str:
        """Return everybody's total in a line, best first, to be sent to others."""
        ranked = sorted(self.seats, key=lambda seat: (seat.rank, seat.index))
        totals = ", ".join(f"{seat.rank}. {seat.name} {seat.total}" for seat in ranked)
        return f"{self.match.rules.name}: {totals}"


def sheet_of(match: Match) -> Sheet:
    """Return the score sheet of a match: one query for its log, one for its seats."""
    seen = seen_of(match)
    return Sheet(match=match, seen=seen, names=[seat.name for seat in seen.seats])


def _seat_view(state: MatchState, index: int, name: str) -> SeatView:
    target = state.options.get("target")
    total = state.totals[index]
    share = max(0, min(100, 100 * total // target)) if target else 0
    return SeatView(
        index=index,
        name=name,
        total=total,
        rank=state.ranks[index],
        won=index in state.winners,
        needs=state.needs[index],
        share=share,
    )


def _row(hand: FoldedHand, names: Sequence[str]) -> HandRow:
    scored = hand.scored
    contract = hand.raw.get("contract") or {}
    return HandRow(
        number=hand.number,
        state=hand.state,
        scores=scored.scores if scored else (),
        bidder=contract.get("bidder"),
        findings=[
            finding.message.spoken(names, gettext)
            for finding in (scored.findings if scored else ())
        ],
        corrected=len(hand.history) > 1
        and any(entry.kind == "replace" for entry in hand.history),
        beside=bool(hand.proposals),
    )


def _lead(state: MatchState, names: Sequence[str]) -> str:
    """Return who leads by how much, in words."""
    if not state.number or state.finished:
        return ""
    leaders = [name for name, rank in zip(names, state.ranks, strict=True) if rank == 1]
    if len(leaders) > 1:
        return gettext("%(names)s are level in front.") % {"names": ", ".join(leaders)}
    ordered = sorted(state.totals, reverse=True)
    return gettext("%(name)s leads by %(points)s.") % {
        "name": leaders[0],
        "points": ordered[0] - ordered[1],
    }


def _turn(state: MatchState, names: Sequence[str]) -> str:
    """Return who begins the next hand, in words."""
    turn = state.next or {}
    if "first_bidder" in turn:
        return gettext("%(name)s bids first.") % {"name": names[turn["first_bidder"]]}
    if "dealer" in turn:
        return gettext("%(dealer)s deals, %(starter)s starts.") % {
            "dealer": names[turn["dealer"]],
            "starter": names[turn["starter"]],
        }
    return ""


def _decided(line: Explanation, names: Sequence[str]) -> str:
    """Return how the match was decided, or why it goes on."""
    return line.text.spoken(names, gettext)
