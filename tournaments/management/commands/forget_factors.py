"""`manage.py forget_factors`: remove the lost passkey, app and codes of an account."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tournaments.models import User
from tournaments.people.factors import (
    InvalidProofError,
    is_proof_required,
    send_lost_factors_proof,
    sign_out_and_remove_factors,
)


class Command(BaseCommand):
    """Send a proof by e-mail, and with it let an account sign in with its password alone."""

    help = "Remove passkeys, app and recovery codes from an account whose owner has proved it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("email", metavar="EMAIL")
        parser.add_argument(
            "--site", required=True, help="as in https://tricky.example.org"
        )
        parser.add_argument("--proof", default="", help="the code from the e-mail")
        parser.add_argument(
            "--known-by", default="", help='as in "seen in the club room"'
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Send the e-mail, or remove the factors and print how many there were."""
        user = User.objects.filter(email=options["email"].lower()).first()
        if user is None:
            raise CommandError(f"No account has the address {options['email']}.")
        site, known_by = options["site"].rstrip("/"), options["known_by"].strip()
        if is_proof_required() and not options["proof"]:
            send_lost_factors_proof(user=user, site=site)
            self.stdout.write(
                "E-mail sent. Ask the owner for the code in it, then run this again with "
                '--proof CODE --known-by "how you know it is them".'
            )
            return
        if not known_by:
            raise CommandError("Add --known-by: how do you know it is them?")
        try:
            removed = sign_out_and_remove_factors(
                user=user, proof=options["proof"], reason=known_by, site=site
            )
        except InvalidProofError as unproven:
            raise CommandError(
                "Not the code from the last e-mail, or it has expired."
            ) from unproven
        self.stdout.write(
            f"Removed: {removed}. The account now signs in with its password."
        )
