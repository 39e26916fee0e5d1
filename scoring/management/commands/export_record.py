"""`manage.py export_record MATCH`: a match as a record."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from scoring.matchlog.records import export_match
from scoring.models import Match


class Command(BaseCommand):
    """Print a match as a record, with its log under `meta`."""

    help = "Print the record of a match."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("match", metavar="MATCH", help="a match's address")

    def handle(self, *args: Any, **options: Any) -> None:
        match = Match.objects.filter(address=options["match"]).first()
        if match is None:
            raise CommandError(f"No match at {options['match']}.")
        self.stdout.write(export_match(match), ending="")
        if not match.finished:
            self.stderr.write(
                "This match is still running. Continue it on one server only."
            )
