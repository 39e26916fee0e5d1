"""What one player can still come to, and on what it hangs."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

MOST_OTHERS = 2
"""Other players, at most, in a condition that is shown."""
ASKED_FOR = (1, 3)
"""Ranks that people ask about: to win, and to stand on the podium."""


@dataclass(frozen=True, slots=True)
class Reach:
    """Between which ranks somebody can still come in."""

    best: int
    worst: int

    @classmethod
    def covering(cls, reaches: Iterable["Reach"]) -> "Reach":
        """Return the least that holds all of these, of which there is one at least."""
        listed = list(reaches)
        return cls(
            min(reach.best for reach in listed), max(reach.worst for reach in listed)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """Something that is enough to come in no worse than a rank."""

    place: int
    """One's own at the open table, shared with nobody."""
    others: Mapping[str, int] = field(default_factory=dict)
    """By player: the best place to which they may come at their tables."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prospect:
    """What one player can still come to."""

    player: str
    reach: Reach
    within: Mapping[int, Sequence[Condition]] = field(default_factory=dict)
    """By a rank: what is enough to come in no worse, each by itself.

    Without a rank that is certain already, or for which nothing so simple is enough.
    """
