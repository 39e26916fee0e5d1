"""Compute standings: a ranked table with reasons, from exact numbers, without a database."""

from tournaments.standings.document import (
    DocumentRefusal,
    read_event,
    standings_document,
)
from tournaments.standings.event import (
    DEFAULT_TIE_BREAKS,
    SCHEMES,
    Counting,
    Event,
    Exact,
    PlayerBye,
    PointPenalty,
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
    warning_of_uneven_table_sizes,
)
from tournaments.standings.prospects import Condition, OpenTable, Prospect, Reach
from tournaments.standings.ranking import RankedPlayer, standings
from tournaments.standings.stages import staged_standings
from tournaments.standings.tie_breaks import TIE_BREAKS

__all__ = [
    "DEFAULT_TIE_BREAKS",
    "SCHEMES",
    "TIE_BREAKS",
    "Condition",
    "Counting",
    "DocumentRefusal",
    "Event",
    "Exact",
    "OpenTable",
    "Outlook",
    "PlayerBye",
    "PointPart",
    "PointParts",
    "PointPenalty",
    "Prospect",
    "RankedPlayer",
    "Reach",
    "TableResult",
    "Unfinished",
    "can_first_place_change",
    "list_rounds_and_point_courses",
    "outlook",
    "point_parts",
    "ranks_at_table",
    "read_event",
    "staged_standings",
    "standings",
    "standings_document",
    "warning_of_uneven_table_sizes",
]
