"""Tricks of all games: missed follows, and hands recorded piece by piece."""

from collections import defaultdict
from collections.abc import Sequence, Set
from typing import Any, Generic, NamedTuple, TypeVar

from scoring.rules.results import Finding, TrickResult, WonTrick

Thing = TypeVar("Thing", int, str)
"""What is followed: a number, a suit, a colour."""


class VisiblePlay(NamedTuple, Generic[Thing]):
    """What one seat put into a trick, as far as following goes."""

    seat: int
    shows: Set[Thing]
    """Suits, colours or numbers of what was played."""
    held_besides: Set[Thing] = frozenset()
    """Those of what left the hand before this trick was led, and so was held earlier."""


class MissedFollow(NamedTuple, Generic[Thing]):
    """A play that did not follow although its seat held what was led."""

    trick: int
    """Counted from 1."""
    place: int
    """In the order of the trick."""
    seat: int
    could: Set[Thing]
    """What of it they held."""


def missed_follows(
    tricks: Sequence[Sequence[VisiblePlay[Thing]]],
) -> list[MissedFollow[Thing]]:
    """Return the plays that could have followed what was led and did not, in playing order.

    Read backwards, so that what is still to be played is what was held.
    """
    held: dict[int, set[Thing]] = defaultdict(set)
    missed: list[MissedFollow[Thing]] = []
    for number in range(len(tricks), 0, -1):
        plays = tricks[number - 1]
        led = plays[0].shows
        missed[:0] = [
            MissedFollow(number, place, seat, could)
            for place, (seat, shows, _besides) in enumerate(plays)
            if led.isdisjoint(shows) and (could := led & held[seat])
        ]
        for seat, shows, besides in plays:
            held[seat].update(shows, besides)
    return missed


class PlayedTricks(NamedTuple):
    """What the tricks of a hand came to, in games that score points."""

    points: tuple[int, ...]
    """By seat."""
    findings: tuple[Finding, ...]
    tricks: tuple[WonTrick, ...] = ()


PLAYED = "played"
"""The field of a hand in which its pieces stand, one after the other."""


TURNED = "+"
"""Stands before a card that the winner of a trick turned for a new trump."""


class Turn(NamedTuple):
    """The seat that plays next, and what it can play."""

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
    def current_tally(self) -> tuple[int, ...]:
        """Return the points or tricks so far, by seat."""
        return self.tallies[-1]


def chunks(values: Sequence[Any], size: int) -> list[Sequence[Any]]:
    """Return the values by `size` each; the last part may be shorter.

    >>> chunks("abcde", 2)
    ['ab', 'cd', 'e']
    """
    return [values[start : start + size] for start in range(0, len(values), size)]
