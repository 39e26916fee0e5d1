"""The results of the rules: refusals, findings, scores, and explanations."""

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from scoring.rules.hand import ParsedHand
from scoring.rules.wording import Sentence, say

FORMAT = "record.format"
"""The clause of a fault in the format of the input, not in the play."""

FINISHED = "record.finished"
"""The clause of a fault for a hand after the end of its match."""


Sums = Mapping[str, tuple[int, ...]]
"""The sums of the play: values by seat, under the keys of the match record."""

EMPTY_SUMS: Sums = MappingProxyType({})


class Fault(NamedTuple):
    """One reason why an entry is refused."""

    field: str
    """Path of the faulty part in its hand or document, as in `contract.bid`."""
    clause: str
    """The clause of the rules that is broken."""
    message: Sentence
    """The fault, and the smallest change that would make the entry possible."""
    hand: int | None = None
    """Number of the hand, counted from 1; None for the document itself."""


class Refusal(Exception):  # noqa: N818 - the word of the house
    """Raised for impossible input, with all its faults."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        """Store the faults, at least one, in reading order."""
        self.faults = tuple(faults)
        super().__init__("; ".join(str(fault.message) for fault in self.faults))

    @classmethod
    def for_field(cls, field: str, template: str, **values: object) -> "Refusal":
        """Return a refusal with one fault in the format of a field."""
        return cls([Fault(field, FORMAT, say(template, **values))])


class RuleBreachFinding(NamedTuple):
    """A rule broken at the table and noticed later; the hand still counts."""

    trick: int
    """Counted from 1."""
    seat: int
    clause: str
    message: Sentence


class Explanation(NamedTuple):
    """The reason for the score of a seat; seat None concerns the whole hand."""

    seat: int | None
    clause: str
    text: Sentence


class LazyExplanation(NamedTuple):
    """An explanation that is only computed when it is read.

    Scoring a whole match mostly needs just the totals. Two are equal if they have the
    same function and arguments.
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
    """What it added to the winner's tally: points, or 1 if the game counts tricks."""
    trump: str | int | None
    """Its trump, in the format of the document of a single trick."""
    trump_led: bool | None
    """Whether its first piece was a trump; None if nothing is trump."""


def sum_worth_by_winner(tricks: Iterable[WonTrick], seats: int) -> tuple[int, ...]:
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
    """Points on the antes won; None in games without antes."""


class ScoredHand(NamedTuple):
    """One hand with its scores, totals and explanation."""

    number: int
    """Counted from 1."""
    scores: tuple[int, ...]
    """Scores of this hand, by seat."""
    totals: tuple[int, ...]
    """Totals after this hand, by seat."""
    findings: tuple[RuleBreachFinding, ...]
    explain: LazyExplanation
    tricks: tuple[WonTrick, ...]
    """In playing order; empty if only sums were entered."""
    sums: Sums
    """As entered, or added up from the recorded tricks."""
    hand: ParsedHand
    """The hand as parsed by its game."""

    @property
    def explanation(self) -> tuple[Explanation, ...]:
        """At least one line for each seat."""
        return self.explain()


class AuctionState(NamedTuple):
    """The state of an auction after some bids."""

    seat: int | None
    """The next bidder; None once it is over."""
    least: int | None = None
    """The lowest bid that is possible now; None if there is none."""
    most: int | None = None
    """The highest; None if there is no limit."""
    may_pass: bool = True
    may_go_solo: bool = False
    contract: Mapping[str, Any] | None = None
    """The parts of the contract that the auction decides, once it is over, as in a match record."""

    @property
    def is_passed_out(self) -> bool:
        return self.seat is None and self.contract is None
