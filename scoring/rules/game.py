"""The shape that all games have, and the state of a match that they judge."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from scoring.rules.auction import Auction
from scoring.rules.reading import Faults, is_whole
from scoring.rules.recording import PLAYED, Recorded
from scoring.rules.results import (
    FORMAT,
    NO_SUMS,
    Explanation,
    Finding,
    JudgedTrick,
    Sums,
    WonTrick,
)
from scoring.rules.wording import gettext_noop as _

Options = Mapping[str, Any]
"""The options of a match, complete and checked."""

Raw = Mapping[str, Any]
"""A hand, or a trick, as its JSON document holds it."""


class Judged(NamedTuple):
    """What one hand is worth, and what the game has to remember of it."""

    scores: tuple[int, ...]
    explanation: tuple[Explanation, ...]
    turn: int | None
    """Who bids first, or deals, in the next hand; None where a refused hand before it
    left that open."""
    findings: tuple[Finding, ...] = ()
    tricks: tuple[WonTrick, ...] = ()
    """Who led and won each trick, where the tricks were recorded."""
    bidder: int | None = None
    """Who held the contract, where there was one."""
    sums: Sums = NO_SUMS
    """What the play came to, whether it was entered or follows from the tricks."""
    carry: Any = None
    """Whatever else the next hand depends on: the game's own immutable value."""


class End(NamedTuple):
    """Whether the match is over after a hand, and why."""

    ranks: tuple[int, ...]
    """By seat; 1 is best."""
    finished: bool = False
    winners: tuple[int, ...] = ()
    decided: Explanation | None = None
    """How the winner was found; also why a match that could be over goes on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchState:
    """A match after some of its hands: what the next one is judged against."""

    game: "Game"
    seats: int
    options: Options
    number: int
    """Hands played."""
    totals: tuple[int, ...]
    ranks: tuple[int, ...]
    """Of the running totals while unfinished; 1 is best, ties share a rank."""
    turn: int | None
    """First bidder or dealer of the next hand; None where it cannot be known."""
    carry: Any = None
    """What the game remembers besides."""
    finished: bool = False
    winners: tuple[int, ...] = ()
    decided: Explanation | None = None

    @property
    def next(self) -> dict[str, int] | None:
        """Who begins the next hand, as a match record says it; None once finished."""
        return None if self.finished else self.game.next_turn(self)

    @property
    def needs(self) -> tuple[int | None, ...]:
        """Points that each seat still lacks; None where the rules do not say."""
        return self.game.needs(self)


class Game(ABC):
    """One game: how its hands are read, judged, and when its match is over.

    Everything is a pure function of its arguments. A method that is given `faults`
    notes there what cannot be, and its answer then counts for nothing.
    """

    id: ClassVar[str]
    name: ClassVar[str]
    seats: ClassVar[range]
    """How many can play."""
    has_contract: ClassVar[bool] = False
    """Whether a hand begins with a contract that can be noted before it is played."""

    records_tricks: ClassVar[bool] = False
    """Whether a hand can be recorded piece by piece."""

    @abstractmethod
    def option_defaults(self, seats: int) -> dict[str, Any]:
        """Return every option with the value that it has unless agreed otherwise."""

    @abstractmethod
    def check_option(
        self, name: str, value: object, seats: int, faults: Faults
    ) -> None:
        """Note what is wrong with the value of a known option."""

    @abstractmethod
    def judge(self, state: MatchState, raw: Raw, faults: Faults) -> Judged | None:
        """Return what the hand is worth; None, or anything, where there are faults."""

    @abstractmethod
    def end(
        self, state: MatchState, judged: Judged, totals: tuple[int, ...]
    ) -> tuple[End, Any]:
        """Return how the match stands after the hand, and what to carry on."""

    @abstractmethod
    def judge_trick(self, raw: Raw, faults: Faults) -> JudgedTrick | None:
        """Return who won the trick that a document describes."""

    def hear_auction(
        self, state: MatchState, bids: Sequence[object], faults: Faults
    ) -> Auction | None:
        """Return how far the bidding of the next hand is, from the bids so far."""
        faults.add("bids", FORMAT, _("This game is played without an auction."))
        return None

    def record(
        self, state: MatchState, raw: Raw, played: Sequence[str], faults: Faults
    ) -> Recorded | None:
        """Return a hand as far as it was played, from its pieces in playing order.

        `raw` holds what was said before the first piece.
        """
        faults.add(PLAYED, FORMAT, _("This game is not recorded piece by piece."))
        return None

    def check_contract(self, state: MatchState, raw: Raw, faults: Faults) -> None:
        """Note what is wrong with a hand of which not everything is known yet.

        That is its contract, or in a game without one whatever was entered so far.
        """
        faults.add("contract", FORMAT, _("This game is played without a contract."))

    def next_turn(self, state: MatchState) -> dict[str, int]:
        """Return who begins the next hand, in the words of the match record."""
        return {}

    def turn_after_refused(self, state: MatchState, raw: Raw) -> int | None:
        """Return whose turn it is after a hand that was refused; None if unknown."""
        return None

    def needs(self, state: MatchState) -> tuple[int | None, ...]:
        """Return the points that each seat lacks, None where the rules do not say."""
        return (None,) * state.seats


def next_dealer(state: MatchState, raw: Raw) -> int | None:
    """Return who deals after a hand, whatever it came to: the deal goes round."""
    dealer = raw.get("dealer", state.turn) if state.number == 0 else state.turn
    if not is_whole(dealer) or dealer not in range(state.seats):
        return None
    return (dealer + 1) % state.seats


def ranks_of(values: Sequence[Any]) -> tuple[int, ...]:
    """Return the rank of each value, the highest first; equal values share a rank.

    >>> ranks_of([12, 30, 12, 5])
    (2, 1, 2, 4)
    """
    ordered = sorted(values, reverse=True)
    return tuple(ordered.index(value) + 1 for value in values)


def best_seats(values: Sequence[Any]) -> tuple[int, ...]:
    """Return the seats that share the highest value.

    >>> best_seats([3, 9, 9])
    (1, 2)
    """
    highest = max(values)
    return tuple(seat for seat, value in enumerate(values) if value == highest)


def lacking(target: int, totals: Sequence[int]) -> tuple[int, ...]:
    """Return the points that each total lacks to `target`, never negative."""
    return tuple(max(target - total, 0) for total in totals)
