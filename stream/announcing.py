"""What is announced once it is committed: the kind of a thing and its key, and nothing of it."""

from django.dispatch import receiver

from scoring.models import Match
from scoring.signals import match_written, notices_changed
from stream.channel import announce
from stream.kinds import Kind
from tournaments.models import Club, Standings, Tournament
from tournaments.signals import history_changed, standings_counted, tournament_changed


@receiver([match_written, notices_changed])
def announce_match(sender: type[Match], match_id: int, **_later: object) -> None:
    """Announce that something stands in a match's log, or above its sheet."""
    announce(f"{Kind.MATCH} {match_id}")


@receiver(tournament_changed)
def announce_tournament(
    sender: type[Tournament], tournament_id: int, **_later: object
) -> None:
    """Announce a change of a tournament."""
    announce(f"{Kind.TOURNAMENT} {tournament_id}")


@receiver(standings_counted)
def announce_standings(
    sender: type[Standings], tournament_id: int, **_later: object
) -> None:
    """Announce that a tournament has other standings."""
    announce(f"{Kind.TOURNAMENT} {tournament_id}")


@receiver(history_changed)
def announce_history(sender: type[Club], club_id: int, **_later: object) -> None:
    """Announce that a club's history is another."""
    announce(f"{Kind.CLUB} {club_id}")
