"""A hand that is recorded piece by piece: what was played so far, and who is next."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from scoring.rules.results import TrickResult

PLAYED = "played"
"""The field of a hand in which its pieces stand, one after the other."""


TURNED = "+"
"""Stands before a card that the winner of a trick turned for a new trump."""


class Turn(NamedTuple):
    """Who puts down the next piece."""

    seat: int
    asks: str
    """`ante`, `play`, or `trump` for the card that is turned before all others."""
    spent: frozenset[str]
    """Pieces that this seat cannot put down any more, as a record writes them."""


class Laid(NamedTuple):
    """What one seat has put into the trick that is not complete."""

    seat: int
    asks: str
    pieces: tuple[str, ...]


class PlaySoFar(NamedTuple):
    """A hand as far as its pieces were recorded."""

    tricks: tuple[Any, ...]
    """The complete ones, as a match record writes them."""
    leaders: tuple[int, ...]
    """Who led each of them, by seat."""
    results: tuple[TrickResult, ...]
    """Who won each of them, and why."""
    laid: tuple[Laid, ...]
    """In playing order."""
    turn: Turn | None
    """None once the hand is complete."""
    tallies: tuple[tuple[int, ...], ...]
    """Points or tricks of each seat, as the game counts: before the first trick, and
    after each that is complete."""
    trump: str = ""
    """What is trump now, where that can change."""
    trumps: tuple[str, ...] = ()
    """What was trump in each complete trick, where that can change."""
    may_turn: bool = False
    """Whether the winner of the last trick may turn a new trump now."""

    @property
    def taken(self) -> tuple[int, ...]:
        """Return the points or tricks so far, by seat."""
        return self.tallies[-1]


def chunks(values: Sequence[Any], size: int) -> list[Sequence[Any]]:
    """Return the values by `size` each; the last part may be shorter.

    >>> chunks("abcde", 2)
    ['ab', 'cd', 'e']
    """
    return [values[start : start + size] for start in range(0, len(values), size)]
