"""What the rules answer: refusals, findings, scores, and the reasons for them."""

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from scoring.rules.hand import Hand
from scoring.rules.wording import Sentence

FORMAT = "record.format"
"""The clause of a fault that concerns the shape of an entry, not a rule."""

FINISHED = "record.finished"
"""The clause of a fault that a hand after the end of its match has."""


Sums = Mapping[str, tuple[int, ...]]
"""What the play came to, by seat, in the words of the match record."""

NO_SUMS: Sums = MappingProxyType({})


class Fault(NamedTuple):
    """One reason why an entry is refused."""

    field: str
    """Path of the faulty part in its hand or document, as in `contract.bid`."""
    clause: str
    """The clause whose text the entry breaks."""
    message: Sentence
    """What is wrong, and the smallest change that would make it possible."""
    hand: int | None = None
    """Number of the hand, counted from 1; None for the document itself."""


class Refusal(Exception):  # noqa: N818 - the word of the house
    """An impossible entry, with everything that is wrong with it."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        """Store the faults, at least one, in reading order."""
        self.faults = tuple(faults)
        super().__init__("; ".join(str(fault.message) for fault in self.faults))


class Finding(NamedTuple):
    """A rule that was broken at the table, seen after the fact; the hand counts."""

    trick: int
    """Counted from 1."""
    seat: int
    clause: str
    message: Sentence


class Explanation(NamedTuple):
    """Why a seat got what it got; seat None speaks of the whole hand."""

    seat: int | None
    clause: str
    text: Sentence


class LazyExplanation(NamedTuple):
    """An explanation that is put into words when it is read.

    Scoring a whole match mostly needs its totals alone. With the same function and the
    same arguments, two are equal.
    """

    function: Callable[..., Iterable[Explanation]]
    arguments: tuple[Any, ...]

    def __call__(self) -> tuple[Explanation, ...]:
        return tuple(self.function(*self.arguments))


class WonTrick(NamedTuple):
    """Leader, winner and worth of a trick in a hand recorded piece by piece."""

    leader: int
    winner: int
    worth: int
    """What it added to the winner's tally: points, or one where tricks are counted."""
    trump: str | int | None
    """What was trump in it, as the document of a single trick says it."""
    trump_led: bool | None
    """Whether its first piece was a trump; None where nothing is trump."""


def points_of_tricks(tricks: Iterable[WonTrick], seats: int) -> tuple[int, ...]:
    points = [0] * seats
    for trick in tricks:
        points[trick.winner] += trick.worth
    return tuple(points)


class TrickResult(NamedTuple):
    """The winner of a trick, and the clause that decides."""

    winner: int
    """The seat."""
    clause: str
    message: Sentence
    ante_won: int | None = None
    """Points on the antes taken; None in games without antes."""


class ScoredHand(NamedTuple):
    """One hand as the rules see it."""

    number: int
    """Counted from 1."""
    scores: tuple[int, ...]
    """What the hand added, by seat."""
    totals: tuple[int, ...]
    """What each seat has after it."""
    findings: tuple[Finding, ...]
    explain: LazyExplanation
    tricks: tuple[WonTrick, ...]
    """In playing order; empty where only sums were entered."""
    sums: Sums
    """As they were entered, or as the recorded tricks add up."""
    hand: Hand
    """What was entered, as its game parsed it."""

    @property
    def explanation(self) -> tuple[Explanation, ...]:
        """At least one line for each seat."""
        return self.explain()


class Auction(NamedTuple):
    """An auction as far as its bids are known."""

    seat: int | None
    """Who bids next; None once it is over."""
    least: int | None = None
    """The lowest bid that is possible now; None where none is."""
    most: int | None = None
    """The highest; None where there is no limit."""
    may_pass: bool = True
    may_go_solo: bool = False
    contract: Mapping[str, Any] | None = None
    """What is settled of the contract once it is over, as a match record writes it."""

    @property
    def passed_out(self) -> bool:
        return self.seat is None and self.contract is None
