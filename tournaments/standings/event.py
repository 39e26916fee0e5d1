"""What standings are computed from: results, and how they are counted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeAlias

Exact: TypeAlias = int | Fraction
"""An exact number; floats never enter a standing."""

DEFAULT_TIE_BREAKS = (
    "wins",
    "head_to_head",
    "opponents",
    "margin",
    "best_table",
    "final_table",
    "lot",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableResult:
    """The scores of one table, by player."""

    round: int
    table: int
    scores: Mapping[str, Exact]


@dataclass(frozen=True, slots=True, kw_only=True)
class Penalty:
    """Points that a player loses, after all tables are counted."""

    player: str
    points: Fraction
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ByeResult:
    """A round that a player sat out."""

    round: int
    player: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Counting:
    """How results become points, and what separates who is level."""

    points: str = "linear"
    """`linear`, `pairwise`, `wins`, `raw`, `margin` or `places`."""
    places: Mapping[int, Sequence[Fraction]] = field(default_factory=dict)
    """For `places`: by table size, the points of each place, best first."""
    tie_breaks: Sequence[str] = DEFAULT_TIE_BREAKS
    bye: Fraction | None = None
    """What a bye counts; None for the mean of the player's own tables."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Everything that the standings of one tournament depend on."""

    tables: Sequence[TableResult]
    counting: Counting = field(default_factory=Counting)
    byes: Sequence[ByeResult] = ()
    penalties: Sequence[Penalty] = ()
    players: Sequence[str] = ()
    """Who is listed without any result yet."""
    lots: Mapping[str, int] = field(default_factory=dict)
    """Lots as they were drawn; the lower one goes first."""
