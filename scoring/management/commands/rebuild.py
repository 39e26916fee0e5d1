"""`manage.py rebuild`: derive all scores from the hand log again."""

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from scoring.matchlog.rebuild import rebuild_match
from scoring.models import Match


class Command(BaseCommand):
    """Compare the stored values with the log, and correct them."""

    help = "Recalculate all scores from the hand log. --check only reports differences."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--check", action="store_true", help="change nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print every difference and their number; exit with 1 if --check found any."""
        difference_count = self.print_differences(correct=not options["check"])
        if difference_count and options["check"]:
            sys.exit(1)

    def print_differences(self, *, correct: bool) -> int:
        """Print every difference and return their number; `correct` repairs them as well."""
        difference_count = 0
        for match_id in Match.objects.order_by("id").values_list("id", flat=True):
            for difference in rebuild_match(match_id=match_id, check_only=not correct):
                self.stdout.write(f"match {match_id}: {difference}")
                difference_count += 1
        self.stdout.write(
            f"{difference_count} differences in {Match.objects.count()} matches"
        )
        return difference_count
