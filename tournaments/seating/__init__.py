"""Who sits where: planned nights and Swiss rounds; pure, and drawn again by the seed."""

from tournaments.seating.planned import Draw, Played, Wish, plan_night
from tournaments.seating.quality import Quality, meetings, quality, repeats_bound
from tournaments.seating.swiss import draw_swiss
from tournaments.seating.tables import SeatingRefusal, Sizing, table_sizes

__all__ = [
    "Draw",
    "Played",
    "Quality",
    "SeatingRefusal",
    "Sizing",
    "Wish",
    "draw_swiss",
    "meetings",
    "plan_night",
    "quality",
    "repeats_bound",
    "table_sizes",
]
