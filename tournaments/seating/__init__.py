"""Draw the seating of planned nights, round robins, Swiss and knockout rounds.

The same seed gives the same draw.
"""

from tournaments.seating.knockout import (
    check_final,
    check_knockout,
    choose_qualifiers,
    draw_knockout,
    list_unfillable_player_counts,
)
from tournaments.seating.planned import Draw, DrawRequest, plan_night
from tournaments.seating.quality import (
    SeatingQuality,
    count_meetings,
    lower_bound_of_repeats,
    measure_quality,
)
from tournaments.seating.round_robin import (
    check_round_robin,
    count_round_robin_rounds,
    draw_round_robin,
    list_round_robin_player_counts,
)
from tournaments.seating.swiss import draw_swiss
from tournaments.seating.tables import SeatingRefusal, TableSizeLimits, table_sizes

__all__ = [
    "Draw",
    "DrawRequest",
    "SeatingQuality",
    "SeatingRefusal",
    "TableSizeLimits",
    "check_final",
    "check_knockout",
    "check_round_robin",
    "choose_qualifiers",
    "count_meetings",
    "count_round_robin_rounds",
    "draw_knockout",
    "draw_round_robin",
    "draw_swiss",
    "list_round_robin_player_counts",
    "list_unfillable_player_counts",
    "lower_bound_of_repeats",
    "measure_quality",
    "plan_night",
    "table_sizes",
]
