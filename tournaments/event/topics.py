"""What has to be written about before pages of one tournament show anything else (`scoring.stamps`)."""

from collections.abc import Sequence

from scoring.stamps import EVERYTHING_ELSE, of_match
from tournaments.models import Round, Tournament


def of_standings(tournament_id: int) -> Sequence[str]:
    """Return the topic of what is computed from the results of a tournament."""
    return (f"standings {tournament_id}",)


def of_night(address: str) -> Sequence[str]:
    """Return the topics of a tournament at an address: its matches, its standings, everything else.

    So hands of other tournaments are no news to its pages.
    """
    return list(dict.fromkeys([*of_desk(address), *of_screen(address)]))


def of_desk(address: str) -> Sequence[str]:
    """Return the topics of its desk, which shows tables and no standings.

    A match that is new comes with a table, which is part of everything else.
    """
    rounds = Round.objects.filter(tournament__address=address)
    matches = rounds.filter(tables__match__isnull=False).order_by()
    topics = [EVERYTHING_ELSE]
    for match in matches.values_list("tables__match__address", flat=True):
        topics += of_match(match)
    return topics


def of_screen(address: str) -> Sequence[str]:
    """Return the topics of its screen in the room, which shows standings and no hands."""
    tournaments = Tournament.objects.filter(address=address)
    topics = [EVERYTHING_ELSE]
    for tournament_id in tournaments.values_list("pk", flat=True):
        topics += of_standings(tournament_id)
    return topics
