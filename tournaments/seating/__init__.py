"""Draw the seating of planned nights, round robins, Swiss and knockout rounds.

The same seed gives the same draw.
"""

from tournaments.seating.knockout import (
    check_final,
    check_knockout,
    draw_knockout,
    list_unfillable_player_counts,
    qualifiers,
)
from tournaments.seating.planned import Draw, Wish, plan_night
from tournaments.seating.quality import Quality, meetings, quality, repeats_bound
from tournaments.seating.round_robin import (
    check_round_robin,
    draw_round_robin,
    list_round_robin_sizes,
    round_robin_rounds,
)
from tournaments.seating.swiss import draw_swiss
from tournaments.seating.tables import SeatingRefusal, TableSizeLimits, table_sizes

__all__ = [
    "Draw",
    "Quality",
    "SeatingRefusal",
    "TableSizeLimits",
    "Wish",
    "check_final",
    "check_knockout",
    "check_round_robin",
    "draw_knockout",
    "draw_round_robin",
    "draw_swiss",
    "list_round_robin_sizes",
    "list_unfillable_player_counts",
    "meetings",
    "plan_night",
    "qualifiers",
    "quality",
    "repeats_bound",
    "round_robin_rounds",
    "table_sizes",
]
