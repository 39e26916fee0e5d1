"""Tournaments of past days, finished and counted in a club's history."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from scoring.models import Player
from tests.factories.matches import NOW
from tests.factories.tournaments import play_table, running_round, tournament_with
from tournaments.event import rounds
from tournaments.history.derivation import derive_history
from tournaments.models import Club, Merge, Tournament
from tournaments.people.merges import merge_players

POINTS = [20, 12, 5, 1, 0]


def evening(day: str) -> datetime:
    return datetime.fromisoformat(f"{day}T19:00:00+00:00")


def finished_tournament(
    day: str,
    players: int | Sequence[str] = 4,
    *,
    points: Sequence[int] = POINTS,
    played: int = 1,
    **settings: Any,
) -> Tournament:
    """Return a tournament that was held on a day and is finished, but not counted yet.

    At every table the first seat gets the first of the points, and so on.
    """
    settings = {"rounds_planned": played, "starts_at": evening(day), **settings}
    tournament = tournament_with(players, **settings)
    for number in range(played):
        round_ = running_round(tournament)
        for table in round_.tables.select_related("match"):
            play_table(table, points)
        rounds.close(round_id=round_.pk, now=NOW)
        assert number < played
    return rounds.finish(
        tournament_id=tournament.pk, now=evening(day) + timedelta(hours=3)
    )


def counted_tournament(day: str, *args: Any, **settings: Any) -> Tournament:
    """Return a tournament that was held on a day, finished and counted."""
    tournament = finished_tournament(day, *args, **settings)
    update_history(tournament.club, evening(day) + timedelta(hours=3))
    return tournament


def update_history(club: Club, now: datetime) -> int:
    """Bring a club's history up to date, and return the number of new lines."""
    return derive_history(club_id=club.pk, now=now)


def merge_by_name(club: Club, kept: str, merged: str, now: datetime) -> Merge:
    """Merge two players of a club; `kept` is the one that stays."""
    players = [Player.objects.get(name=name) for name in (kept, merged)]
    return merge_players(
        club_id=club.pk, kept=players[0], merged=players[1], user=None, now=now
    )
