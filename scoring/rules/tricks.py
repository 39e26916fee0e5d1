"""Tricks of all games: missed follows, and hands recorded piece by piece."""

from collections import defaultdict
from collections.abc import Sequence, Set
from typing import Any, Generic, NamedTuple, TypeVar

from scoring.rules.results import RuleBreachFinding, TrickResult, WonTrick

Feature = TypeVar("Feature", int, str)
"""What players must follow: a number, a suit or a colour."""


class PlayFeatures(NamedTuple, Generic[Feature]):
    """The play of one seat in a trick, reduced to what matters for following."""

    seat: int
    features: Set[Feature]
    """Suits, colours or numbers of the played pieces."""
    ante_features: Set[Feature] = frozenset()
    """Those of pieces held in earlier tricks, but put down before this one was led."""


class MissedFollow(NamedTuple, Generic[Feature]):
    """A play that did not follow although its seat could."""

    trick: int
    """Counted from 1."""
    place: int
    """Position in the order of the trick, counted from 0."""
    seat: int
    matching: Set[Feature]
    """The led suits, colours or numbers that the seat held."""


def find_missed_follows(
    tricks: Sequence[Sequence[PlayFeatures[Feature]]],
) -> list[MissedFollow[Feature]]:
    """Return the plays that did not follow although the seat could, in playing order.

    Goes through the tricks backwards: the pieces played later were held earlier.
    """
    held_features: dict[int, set[Feature]] = defaultdict(set)
    missed: list[MissedFollow[Feature]] = []
    for number in range(len(tricks), 0, -1):
        plays = tricks[number - 1]
        led_features = plays[0].features
        missed[:0] = [
            MissedFollow(number, place, seat, matching)
            for place, (seat, features, _besides) in enumerate(plays)
            if led_features.isdisjoint(features)
            and (matching := led_features & held_features[seat])
        ]
        for seat, features, ante_features in plays:
            held_features[seat].update(features, ante_features)
    return missed


class PointTally(NamedTuple):
    """The result of the tricks of a hand, in games that score points."""

    points: tuple[int, ...]
    """By seat."""
    findings: tuple[RuleBreachFinding, ...]
    tricks: tuple[WonTrick, ...] = ()


PLAYED_KEY = "played"
"""The field of a hand with its pieces in playing order."""


TURNED_PREFIX = "+"
"""Prefix of a card that the winner of a trick turned for a new trump."""


class NextTurn(NamedTuple):
    """The next seat to play, and its possible plays."""

    seat: int
    kind: str
    """`ante`, `play`, or `trump` for the card that is turned before all others."""
    unplayable_pieces: frozenset[str]
    """Pieces that this seat can no longer play, as written in a record."""


class LaidPieces(NamedTuple):
    """The pieces of one seat in the current trick."""

    seat: int
    kind: str
    pieces: tuple[str, ...]


class PlaySoFar(NamedTuple):
    """The state of a hand after the pieces recorded so far."""

    tricks: tuple[Any, ...]
    """The complete tricks, as in a match record."""
    leaders: tuple[int, ...]
    """The seat that led each of them."""
    results: tuple[TrickResult, ...]
    """The winner of each of them, and why."""
    current_trick: tuple[LaidPieces, ...]
    """In playing order."""
    turn: NextTurn | None
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


def split_into_chunks(values: Sequence[Any], size: int) -> list[Sequence[Any]]:
    """Return the values by `size` each; the last part may be shorter.

    >>> split_into_chunks("abcde", 2)
    ['ab', 'cd', 'e']
    """
    return [values[start : start + size] for start in range(0, len(values), size)]
