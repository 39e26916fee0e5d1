"""The prospects of a player: the ranks still possible, and conditions for them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

MOST_OTHERS = 2
"""The most other players in one condition."""
REPORTED_RANKS = (1, 3)
"""The ranks to give conditions for by default: the win and the podium."""


@dataclass(frozen=True, slots=True)
class Reach:
    """The range of ranks still possible."""

    best: int
    worst: int

    @classmethod
    def covering(cls, reaches: Iterable["Reach"]) -> "Reach":
        """Return the smallest range that covers all the ranges; there must be at least one."""
        all_reaches = list(reaches)
        return cls(
            min(reach.best for reach in all_reaches),
            max(reach.worst for reach in all_reaches),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """A sufficient condition for a rank or better."""

    place: int
    """The player's own place at the open table, not shared."""
    others: Mapping[str, int] = field(default_factory=dict)
    """By other player: the best place they may take at their table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prospect:
    """The ranks still possible for a player, and conditions for some of them."""

    player: str
    reach: Reach
    within: Mapping[int, Sequence[Condition]] = field(default_factory=dict)
    """By rank: conditions each of which suffices for that rank or better.

    A rank is missing if it is already certain, or if no condition is simple enough.
    """
