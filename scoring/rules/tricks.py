"""Tricks of all games: missed follows, and hands recorded piece by piece."""

from collections import defaultdict
from collections.abc import Sequence, Set
from typing import Any, Generic, NamedTuple, TypeVar

from scoring.rules.results import Finding, TrickResult, WonTrick

Thing = TypeVar("Thing", int, str)
"""What players must follow: a number, a suit or a colour."""


class VisiblePlay(NamedTuple, Generic[Thing]):
    """The play of one seat in a trick, reduced to what matters for following."""

    seat: int
    shows: Set[Thing]
    """Suits, colours or numbers of the played pieces."""
    held_besides: Set[Thing] = frozenset()
    """Those of pieces held in earlier tricks, but put down before this one was led."""


class MissedFollow(NamedTuple, Generic[Thing]):
    """A play that did not follow although its seat could."""

    trick: int
    """Counted from 1."""
    place: int
    """Position in the order of the trick, counted from 0."""
    seat: int
    could: Set[Thing]
    """The led suits, colours or numbers that the seat held."""


def missed_follows(
    tricks: Sequence[Sequence[VisiblePlay[Thing]]],
) -> list[MissedFollow[Thing]]:
    """Return the plays that did not follow although the seat could, in playing order.

    Goes through the tricks backwards: the pieces played later were held earlier.
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
    """The result of the tricks of a hand, in games that score points."""

    points: tuple[int, ...]
    """By seat."""
    findings: tuple[Finding, ...]
    tricks: tuple[WonTrick, ...] = ()


PLAYED = "played"
"""The field of a hand with its pieces in playing order."""


TURNED = "+"
"""Prefix of a card that the winner of a trick turned for a new trump."""


class Turn(NamedTuple):
    """The next seat to play, and its possible plays."""

    seat: int
    asks: str
    """`ante`, `play`, or `trump` for the card that is turned before all others."""
    spent: frozenset[str]
    """Pieces that this seat can no longer play, as written in a record."""


class Laid(NamedTuple):
    """The pieces of one seat in the current trick."""

    seat: int
    asks: str
    pieces: tuple[str, ...]


class PlaySoFar(NamedTuple):
    """The state of a hand after the pieces recorded so far."""

    tricks: tuple[Any, ...]
    """The complete tricks, as in a match record."""
    leaders: tuple[int, ...]
    """The seat that led each of them."""
    results: tuple[TrickResult, ...]
    """The winner of each of them, and why."""
    laid: tuple[Laid, ...]
    """In playing order."""
    turn: Turn | None
    """None once the hand is complete."""
    tallies: tuple[tuple[int, ...], ...]
    """Points or tricks of each seat, as the game counts: before the first trick, and
    after each that is complete."""
    trump: str = ""
    """The current trump, in games in which it can change."""
    trumps: tuple[str, ...] = ()
    """The trump of each complete trick, in games in which it can change."""
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
