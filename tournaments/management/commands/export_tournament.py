"""`manage.py export_tournament ADDRESS --signed`: a finished tournament for another host."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tournaments.changes import RefusedError
from tournaments.circuits.documents import canonical, result_of, signed_document
from tournaments.models import Tournament


class Command(BaseCommand):
    """Print the result of a tournament as a document."""

    help = "Prints the result of a finished tournament; other hosts take a signed one."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the address, and whether to sign."""
        parser.add_argument(
            "tournament", metavar="ADDRESS", help="a tournament's address"
        )
        parser.add_argument(
            "--signed", action="store_true", help="with the signature of this host"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Print the document; exit status 1 for a tournament that is not counted."""
        tournament = (
            Tournament.objects.select_related("club")
            .filter(address=options["tournament"])
            .first()
        )
        if tournament is None:
            raise CommandError(f"There is no tournament at {options['tournament']}.")
        try:
            if options["signed"]:
                document = signed_document(tournament)
            else:
                document = canonical(result_of(tournament)) + b"\n"
        except RefusedError as refused:
            raise CommandError(refused.message) from refused
        self.stdout.write(document.decode(), ending="")
