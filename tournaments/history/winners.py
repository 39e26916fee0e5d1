"""Who won tournaments, for lists of them."""

from collections.abc import Collection
from dataclasses import dataclass

from scoring.games.words import names_in_a_row
from tournaments.models import Result
from tournaments.names import reading_key


@dataclass(frozen=True, slots=True, kw_only=True)
class Win:
    """Who won a tournament, against how many, with what."""

    names: str
    winners: int
    """How many they are: a plural goes by it."""
    players: int
    points: str
    """An exact number as in `43/4`; empty where places alone are known."""


def wins(tournaments: Collection[int]) -> dict[int, Win]:
    """Return who won each of these tournaments, by its id, in one query.

    Whoever shares the first rank shares the win. A tournament that nothing has been
    counted of yet is left out.
    """
    names: dict[int, dict[str, None]] = {}
    figures: dict[int, tuple[int, str]] = {}
    results = Result.objects.current().filter(tournament__in=tournaments, rank=1)
    rows = results.order_by("player").values_list(
        "tournament", "player__name", "players", "earned_points"
    )
    for tournament, name, players, points in rows:
        names.setdefault(tournament, {})[name] = None
        figures[tournament] = players, points
    return {
        tournament: Win(
            names=names_in_a_row(sorted(level, key=reading_key)),
            winners=len(level),
            players=figures[tournament][0],
            points=figures[tournament][1],
        )
        for tournament, level in names.items()
    }
