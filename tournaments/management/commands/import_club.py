"""`manage.py import_club FILE`: a club that `export_club` wrote, on this server or another."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from tournaments.files.archive.reading import ArchiveError, import_club
from tournaments.models import User


class Command(BaseCommand):
    help = "Import a club from an archive, completely or not at all."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", help="an archive")
        parser.add_argument(
            "--slug", default="", help="another address, if its own is taken"
        )
        parser.add_argument(
            "--director", metavar="EMAIL", help="account that becomes its director"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Print the address of the club; exit status 1 if it is refused."""
        director = None
        if email := options["director"]:
            director = User.objects.filter(email=email.lower()).first()
            if director is None:
                raise CommandError(f"No account has the address {email}.")
        try:
            with Path(options["file"]).open("rb") as file:
                imported = import_club(
                    file, now=timezone.now(), slug=options["slug"], director=director
                )
        except OSError as error:
            raise CommandError(
                f"{options['file']} cannot be read: {error.strerror}"
            ) from error
        except ArchiveError as refused:
            raise CommandError(str(refused)) from refused
        club = imported.club
        self.stdout.write(f"{club.name}: {club.get_absolute_url()}")
        if imported.differences_from_archive:
            self.stdout.write(imported.differences_from_archive)
