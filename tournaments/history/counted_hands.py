"""Which hands a club's history counts: of tournaments that are finished."""

from typing import Any

from scoring.models import Hand
from tournaments.models import Club, Tournament


def counted_in(club: Club, rows: Any, hand: str = "hand__") -> Any:
    """Keep the rows whose hand counts; `hand` leads from a row to its hand."""
    table = f"{hand}match__table__"
    return rows.filter(
        **{
            f"{hand}state": Hand.State.PLAYED,
            f"{table}round__tournament__club": club,
            f"{table}round__tournament__phase": Tournament.Phase.FINISHED,
            f"{table}void": False,
        }
    )
