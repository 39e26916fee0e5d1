"""`manage.py rebuild`: derive every score anew from the hand log."""

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from scoring.matchlog.rebuild import rebuild_match
from scoring.models import Match


class Command(BaseCommand):
    """Compare what is stored with what follows from the log, and mend it."""

    help = "Derives all scores from the hand log; --check only reports differences."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--check", action="store_true", help="change nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print every difference and their number; exit 1 where --check found one."""
        found = self.rebuild(check=options["check"])
        if found and options["check"]:
            sys.exit(1)

    def rebuild(self, *, check: bool) -> int:
        """Return how many differences there were in matches, each printed."""
        found = 0
        for match_id in Match.objects.order_by("id").values_list("id", flat=True):
            for difference in rebuild_match(match_id=match_id, check=check):
                self.stdout.write(f"match {match_id}: {difference}")
                found += 1
        self.stdout.write(f"{found} differences in {Match.objects.count()} matches")
        return found
