"""`manage.py rebuild`: matches from their logs, then standings, then the history."""

from django.utils import timezone

from scoring.management.commands.rebuild import Command as RebuildMatches
from tournaments.event.outlook import store_outlook_with_standings
from tournaments.event.results import standings_differences, store_current_standings
from tournaments.history.derivation import history_differences, rebuild_history
from tournaments.models import Club, Tournament


class Command(RebuildMatches):
    """Compare the stored data with what follows from the log of hands, and repair it."""

    def print_differences(self, *, correct: bool) -> int:
        """Print every difference and return their number; `correct` repairs them as well."""
        count = super().print_differences(correct=correct)
        for tournament in Tournament.objects.order_by("pk"):
            differences = standings_differences(tournament)
            for difference in differences:
                self.stdout.write(difference)
            if differences and correct:
                tournament.standings.unfrozen_latest_first().delete()
                store_current_standings(tournament_id=tournament.pk, now=timezone.now())
                store_outlook_with_standings(tournament_id=tournament.pk)
            count += len(differences)
        for club in Club.objects.order_by("pk"):
            differences = history_differences(club)
            for difference in differences:
                self.stdout.write(difference)
            if differences and correct:
                rebuild_history(club_id=club.pk, now=timezone.now())
            count += len(differences)
        self.stdout.write(f"{count} differences, standings and history included")
        return count
