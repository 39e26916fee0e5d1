"""What standings are computed from: results, and how they are counted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal, TypeAlias, get_args

Exact: TypeAlias = int | Fraction
"""An exact number; floats never enter a standing."""

Scheme: TypeAlias = Literal["linear", "pairwise", "wins", "raw", "margin", "places"]
"""How the result of a table becomes points."""
Unfinished: TypeAlias = Literal["as_it_stands", "deduct", "void"]
"""What becomes of a table that did not finish in time."""

SCHEMES: tuple[Scheme, ...] = get_args(Scheme)
DEFAULT_TIE_BREAKS = (
    "wins",
    "head_to_head",
    "opponents",
    "margin",
    "best_table",
    "final_table",
    "lot",
)
"""The usual order of tie-breaks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableResult:
    """The scores of one table, by player."""

    round: int
    table: int | None = None
    """Its number; None where tables have none, then nobody has a `final_table`."""
    scores: Mapping[str, Exact]
    """Better the larger they are: points of which the fewest win are negative here."""
    ranks: Mapping[str, int] = field(default_factory=dict)
    """By player, where the game does not rank by scores alone; those who are level share
    the better."""
    finished: bool = True
    """False for a table that was stopped; `Counting.unfinished` says what it counts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PointPenalty:
    """Points that a player loses, after all tables are counted."""

    player: str
    points: Fraction
    reason: str = ""
    round: int = 0
    """The last one that had begun when it was given; 0 before any, or not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ByeResult:
    """A round that a player sat out."""

    round: int
    player: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Counting:
    """How results become points, and what separates who is level."""

    points: Scheme = "linear"
    places: Mapping[int, Sequence[Fraction]] = field(default_factory=dict)
    """For `places`: by table size, the points of each place, best first."""
    tie_breaks: Sequence[str] = DEFAULT_TIE_BREAKS
    best: int = 0
    """So many of a player's tables count towards the points, the best; 0 for all."""
    bye: Fraction | None = None
    """What a bye counts; None for the mean of the player's own tables."""
    unfinished: Unfinished = "as_it_stands"
    deduction: Fraction = Fraction()
    """With `deduct`: the points that everyone at an unfinished table loses."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Everything that the standings of one tournament depend on."""

    tables: Sequence[TableResult]
    counting: Counting = field(default_factory=Counting)
    byes: Sequence[ByeResult] = ()
    penalties: Sequence[PointPenalty] = ()
    players: Sequence[str] = ()
    """Who is listed without any result yet."""
    lots: Mapping[str, int] = field(default_factory=dict)
    """Lots as they were drawn; the lower one goes first."""
    has_final_tables: bool = True
    """Whether the last round was seated by ranking and every result of it is final; if not,
    nobody has a `final_table`."""
