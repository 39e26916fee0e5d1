"""Draw the seating of planned nights, round robins, Swiss and knockout rounds.

The same seed gives the same draw.
"""

from tournaments.seating.knockout import (
    check_final,
    check_knockout,
    choose_qualifiers_or_refuse,
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
    draw_round_robin,
    find_round_robin_round_count,
    list_round_robin_player_counts,
)
from tournaments.seating.seeded import (
    SeedPattern,
    draw_seeded,
    order_seeds,
    plan_seeded_night,
)
from tournaments.seating.swiss import draw_swiss
from tournaments.seating.tables import (
    SeatingRefusal,
    TableAlternative,
    TableFill,
    TableSizeLimits,
    choose_table_sizes,
    list_table_alternatives,
)
from tournaments.seating.teams import teammate_pairs

__all__ = [
    "Draw",
    "DrawRequest",
    "SeatingQuality",
    "SeatingRefusal",
    "SeedPattern",
    "TableAlternative",
    "TableFill",
    "TableSizeLimits",
    "check_final",
    "check_knockout",
    "check_round_robin",
    "choose_qualifiers_or_refuse",
    "choose_table_sizes",
    "count_meetings",
    "draw_knockout",
    "draw_round_robin",
    "draw_seeded",
    "draw_swiss",
    "find_round_robin_round_count",
    "list_round_robin_player_counts",
    "list_table_alternatives",
    "list_unfillable_player_counts",
    "lower_bound_of_repeats",
    "measure_quality",
    "order_seeds",
    "plan_night",
    "plan_seeded_night",
    "teammate_pairs",
]
