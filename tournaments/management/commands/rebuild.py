"""`manage.py rebuild`: matches from their logs, then standings, then the history."""

from django.utils import timezone

from scoring.management.commands.rebuild import Command as RebuildMatches
from tournaments.event.outlook import derive_and_store_outlook
from tournaments.event.results import standings_differences, store_current_standings
from tournaments.history.derivation import history_differences, rebuild_history
from tournaments.models import Club, Tournament


class Command(RebuildMatches):
    """Compare the stored data with what follows from the log of hands, and repair it."""

    def print_and_correct_differences(self, *, check: bool) -> int:
        """Print the differences, and return how many there were."""
        count = super().print_and_correct_differences(check=check)
        for tournament in Tournament.objects.order_by("pk"):
            differences = standings_differences(tournament)
            for difference in differences:
                self.stdout.write(difference)
            if differences and not check:
                tournament.standings.unfrozen_latest_first().delete()
                store_current_standings(tournament_id=tournament.pk, now=timezone.now())
                derive_and_store_outlook(tournament_id=tournament.pk)
            count += len(differences)
        for club in Club.objects.order_by("pk"):
            differences = history_differences(club)
            for difference in differences:
                self.stdout.write(difference)
            if differences and not check:
                rebuild_history(club_id=club.pk, now=timezone.now())
            count += len(differences)
        self.stdout.write(f"{count} differences, standings and history included")
        return count
