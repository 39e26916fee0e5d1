"""The input of the standings: results, and the settings that turn them into points."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal, TypeAlias, get_args

Exact: TypeAlias = int | Fraction
"""An exact number; standings never use floats."""

Scheme: TypeAlias = Literal["linear", "pairwise", "wins", "raw", "margin", "places"]
"""How the result of a table becomes points."""
Unfinished: TypeAlias = Literal["as_it_stands", "deduct", "void"]
"""How a table that did not finish in time counts."""
ByeKind: TypeAlias = Literal["drawn", "requested", "late"]
"""Why a player has no table in a round: by the draw, on request, or not there yet."""
ByePoints: TypeAlias = Fraction | Literal["average", "half"]
"""A number, the average of the player's own tables, or half of that."""

SCHEMES: tuple[Scheme, ...] = get_args(Scheme)
BYE_KINDS: tuple[ByeKind, ...] = get_args(ByeKind)
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
    table: int | None = None
    """Its number; None if tables have no numbers, so that `final_table` is undefined."""
    scores: Mapping[str, Exact]
    """Higher is better: in games that the fewest points win, they are negative here."""
    ranks: Mapping[str, int] = field(default_factory=dict)
    """By player, if the game does not rank by scores alone; level players share the better
    rank."""
    finished: bool = True
    """False for a table that was stopped; `CountingRules.unfinished` decides how it counts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PointPenalty:
    """Points deducted from a player's total."""

    player: str
    points: Fraction
    reason: str = ""
    round: int = 0
    """The last round that had begun when it was given; 0 if none had, or if unknown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerBye:
    """A round that a player sat out."""

    round: int
    player: str
    kind: ByeKind = "drawn"


@dataclass(frozen=True, slots=True, kw_only=True)
class CountingRules:
    """How results become points, and the tie-breaks between level players."""

    points: Scheme = "linear"
    places: Mapping[int, Sequence[Fraction]] = field(default_factory=dict)
    """For `places`: by table size, the points of each place, best first."""
    tie_breaks: Sequence[str] = DEFAULT_TIE_BREAKS
    best: int = 0
    """How many of a player's best tables count towards the points; 0 for all."""
    bye: ByePoints = "average"
    """The points of a drawn bye, which counts as a table."""
    requested_bye: ByePoints = Fraction()
    late_bye: ByePoints = Fraction()
    """For each round that a player missed by arriving late."""
    unfinished: Unfinished = "as_it_stands"
    deduction: Fraction = Fraction()
    """With `deduct`: the points that everyone at an unfinished table loses."""

    def points_of_bye(self, kind: ByeKind) -> ByePoints:
        if kind == "requested":
            return self.requested_bye
        return self.late_bye if kind == "late" else self.bye

    def counts_as_table(self, kind: ByeKind) -> bool:
        """Return whether a bye of this kind counts like a table, even with no points."""
        return kind == "drawn" or self.points_of_bye(kind) != 0


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsInput:
    """Everything that the standings of one tournament depend on."""

    tables: Sequence[TableResult]
    counting: CountingRules = field(default_factory=CountingRules)
    byes: Sequence[PlayerBye] = ()
    penalties: Sequence[PointPenalty] = ()
    players: Sequence[str] = ()
    """Players to list even if they have no result yet."""
    lots: Mapping[str, int] = field(default_factory=dict)
    """The lots drawn, by player; the lower one ranks first."""
    has_final_tables: bool = True
    """Whether the last round was seated by ranking and all its results are final; if not,
    `final_table` is undefined for everyone."""

    def byes_like_tables(self) -> list[PlayerBye]:
        """Return the byes that count like tables; the others are only shown."""
        kinds = [kind for kind in BYE_KINDS if self.counting.counts_as_table(kind)]
        return [bye for bye in self.byes if bye.kind in kinds]
