"""`manage.py sign_out`: end all sessions of one account, or of all accounts."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tournaments.models import User
from tournaments.people.security import UNKNOWN_VISITOR
from tournaments.people.sign_ins import end_sessions


class Command(BaseCommand):
    """Sign accounts out on all their devices; they sign in again as before."""

    help = "Sign an account, or everyone, out on all devices."

    def add_arguments(self, parser: ArgumentParser) -> None:
        account = parser.add_mutually_exclusive_group(required=True)
        account.add_argument("email", nargs="?", metavar="EMAIL")
        account.add_argument("--everybody", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        users = User.objects.order_by("pk")
        if not options["everybody"]:
            users = users.filter(email=options["email"].lower())
            if not users.exists():
                raise CommandError(f"No account has the address {options['email']}.")
        ended = sum(
            end_sessions(user, except_key=None, visitor=UNKNOWN_VISITOR)
            for user in users.iterator()
        )
        self.stdout.write(f"Devices signed out: {ended}.")
