"""`manage.py rebuild`: matches from their logs, then standings from the matches."""

from django.utils import timezone

from scoring.management.commands.rebuild import Command as RebuildMatches
from tournaments.models import Tournament
from tournaments.operations.results import compute_standings, standings_differences


class Command(RebuildMatches):
    """Compare what is stored with what follows from the hand log, and mend it."""

    def rebuild(self, *, check: bool) -> int:
        """Return how many differences there were, each printed."""
        found = super().rebuild(check=check)
        for tournament in Tournament.objects.order_by("pk"):
            differences = standings_differences(tournament)
            for difference in differences:
                self.stdout.write(difference)
            if differences and not check:
                tournament.standings.current().delete()
                compute_standings(tournament_id=tournament.pk, now=timezone.now())
            found += len(differences)
        self.stdout.write(f"{found} differences, standings included")
        return found
