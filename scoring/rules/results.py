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
    """One reason why an entry cannot be."""

    field: str
    """Path of the faulty part in its hand or document, as in `contract.bid`."""
    clause: str
    """The clause whose text the entry breaks."""
    message: Sentence
    """What is wrong, and the smallest change that would make it possible."""
    hand: int | None = None
    """Number of the hand, counted from 1; None for the document itself."""


class Refusal(Exception):  # noqa: N818 - the word of the house
    """An entry that cannot be, with everything that is wrong with it."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        """Keep the faults in reading order; there is at least one."""
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


class Told(NamedTuple):
    """An explanation that is put into words when somebody asks.

    Most who score a whole match want its totals alone. Told by the same function of the
    same values, two are equal.
    """

    by: Callable[..., Iterable[Explanation]]
    of: tuple[Any, ...]

    def __call__(self) -> tuple[Explanation, ...]:
        """Return it in words."""
        return tuple(self.by(*self.of))


class WonTrick(NamedTuple):
    """Who led and who won a trick of a hand recorded piece by piece, and for what."""

    leader: int
    winner: int
    worth: int
    """What it added to the winner's tally: points, or one where tricks are counted."""
    trump: str | int | None
    """What was trump in it, as the document of a single trick says it."""
    trump_led: bool | None
    """Whether its first piece was a trump; None where nothing is trump."""


def points_of_tricks(tricks: Iterable[WonTrick], seats: int) -> tuple[int, ...]:
    """Return by seat what the tricks won are worth."""
    points = [0] * seats
    for trick in tricks:
        points[trick.winner] += trick.worth
    return tuple(points)


class TrickResult(NamedTuple):
    """Who won a trick, and by which clause."""

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
    explain: Told
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
