"""Compute standings: a ranked table with reasons, from exact numbers, without a database."""

from tournaments.standings.document import (
    DocumentRefusal,
    compute_document_standings,
    read_results_document,
)
from tournaments.standings.event import (
    BYE_KINDS,
    DEFAULT_TIE_BREAKS,
    SCHEMES,
    ByeKind,
    ByePoints,
    CountingRules,
    Exact,
    PlayerBye,
    PointPenalty,
    StandingsInput,
    TableResult,
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
from tournaments.standings.teams import MemberScore, RankedTeam, team_standings
from tournaments.standings.tie_breaks import TIE_BREAKS

__all__ = [
    "BYE_KINDS",
    "DEFAULT_TIE_BREAKS",
    "SCHEMES",
    "TIE_BREAKS",
    "ByeKind",
    "ByePoints",
    "CountingRules",
    "DocumentRefusal",
    "Exact",
    "MemberScore",
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
    "RankedTeam",
    "StandingsInput",
    "TableResult",
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
    "team_standings",
    "unequal_mean_points_warning",
]
