"""`manage.py forget_factors`: remove the lost passkey, app and codes of an account."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tournaments.models import User
from tournaments.people.lost_factors import (
    UnprovenError,
    forget_factors,
    send_proof,
    wants_proof,
)


class Command(BaseCommand):
    """Send a proof by e-mail, and with it let an account sign in with its password alone."""

    help = "Takes passkey, app and codes off an account, once it is shown whose it is."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("email", metavar="EMAIL")
        parser.add_argument(
            "--site", required=True, help="as in https://tricky.example.org"
        )
        parser.add_argument("--proof", default="", help="what the letter said")
        parser.add_argument(
            "--known-by", default="", help='as in "seen in the club room"'
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Send the e-mail, or remove the factors and print how many there were."""
        user = User.objects.filter(email=options["email"].lower()).first()
        if user is None:
            raise CommandError(f"No account has the address {options['email']}.")
        site, known_by = options["site"].rstrip("/"), options["known_by"].strip()
        if wants_proof() and not options["proof"]:
            send_proof(user=user, site=site)
            self.stdout.write(
                "A letter is on its way. Let them tell you the proof in it, and call again "
                'with --proof PROOF --known-by "how you know that it is them".'
            )
            return
        if not known_by:
            raise CommandError("Say by --known-by how you know that it is them.")
        try:
            gone = forget_factors(
                user=user, proof=options["proof"], known_by=known_by, site=site
            )
        except UnprovenError as unproven:
            raise CommandError(
                "This is not what the last letter said, or it is too old."
            ) from unproven
        self.stdout.write(f"Taken away: {gone}. They sign in by their password.")
