"""Compute standings: a ranked table with reasons, from exact numbers, without a database."""

from tournaments.standings.document import (
    DocumentRefusal,
    compute_document_standings,
    read_results_document,
)
from tournaments.standings.event import (
    DEFAULT_TIE_BREAKS,
    SCHEMES,
    CountingRules,
    Exact,
    PlayerBye,
    PointPenalty,
    TableResult,
    TournamentResults,
    Unfinished,
)
from tournaments.standings.outlook import Outlook, can_first_place_change, outlook
from tournaments.standings.point_parts import (
    PointPart,
    PointParts,
    list_rounds_and_point_courses,
    point_parts,
)
from tournaments.standings.points import (
    ranks_at_table,
    unequal_mean_points_warning,
)
from tournaments.standings.prospects import (
    OpenTable,
    Prospect,
    RankCondition,
    RankRange,
)
from tournaments.standings.ranking import RankedPlayer, standings
from tournaments.standings.stages import staged_standings
from tournaments.standings.tie_breaks import TIE_BREAKS

__all__ = [
    "DEFAULT_TIE_BREAKS",
    "SCHEMES",
    "TIE_BREAKS",
    "CountingRules",
    "DocumentRefusal",
    "Exact",
    "OpenTable",
    "Outlook",
    "PlayerBye",
    "PointPart",
    "PointParts",
    "PointPenalty",
    "Prospect",
    "RankCondition",
    "RankRange",
    "RankedPlayer",
    "TableResult",
    "TournamentResults",
    "Unfinished",
    "can_first_place_change",
    "compute_document_standings",
    "list_rounds_and_point_courses",
    "outlook",
    "point_parts",
    "ranks_at_table",
    "read_results_document",
    "staged_standings",
    "standings",
    "unequal_mean_points_warning",
]
