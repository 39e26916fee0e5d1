"""What has to be written about before pages of one tournament show anything else (`scoring.stamps`)."""

from collections.abc import Sequence

from scoring.stamps import EVERYTHING_ELSE, of_match
from tournaments.models import Tournament


def of_standings(tournament_id: int) -> Sequence[str]:
    """Return the topic of what is computed from the results of a tournament."""
    return (f"standings {tournament_id}",)


def of_night(address: str) -> Sequence[str]:
    """Return the topics of a tournament at an address: its matches, its standings, everything else.

    So hands of other tournaments are no news to its desk and its screen. A match that is new
    comes with a table, which is part of everything else.
    """
    topics = [EVERYTHING_ELSE]
    of_tournament = Tournament.objects.filter(address=address)
    rows = of_tournament.values_list("pk", "rounds__tables__match__address")
    for row, (tournament_id, match) in enumerate(rows):
        topics += () if row else of_standings(tournament_id)
        topics += of_match(match) if match else ()
    return topics
