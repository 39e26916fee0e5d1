"""The rounds whose points are columns of the standings."""

from collections.abc import Iterable

from django.db.models import Count

from tournaments.models import StandingsRow, Tournament
from tournaments.models.round_names import round_name


def point_round_names(
    tournament: Tournament, rows: Iterable[StandingsRow]
) -> dict[int, str]:
    """Return the names of the rounds in which anyone got points, by number.

    Empty in a league, whose players have different rounds, and if no parts are stored.
    """
    numbers = {number for row in rows for number in row.point_parts.rounds}
    if tournament.is_league or not numbers:
        return {}
    rounds = tournament.rounds.filter(number__in=numbers).order_by("number")
    names = {}
    for round_ in rounds.annotate(table_count=Count("tables")):
        round_.tournament = tournament
        names[round_.number] = round_name(round_, round_.table_count)
    return names
