"""`manage.py export_club ADDRESS FILE`: a whole club, for another server or as a backup."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tournaments.files.archive.writing import export_club
from tournaments.models import Club


class Command(BaseCommand):
    help = "Export a club with its whole history into an archive."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("club", metavar="ADDRESS", help="a club's address")
        parser.add_argument("file", metavar="FILE", help="path of a new file")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print how much was written; exit status 1 if nothing could be."""
        club = Club.objects.filter(slug=options["club"]).first()
        if club is None:
            raise CommandError(f"No club at {options['club']}.")
        path = Path(options["file"])
        part = path.with_name(f"{path.name}.part")
        try:
            if path.exists():
                raise CommandError(f"{path} already exists. Choose another name.")
            with part.open("wb") as file:
                line_counts = export_club(club, file)
            part.rename(path)
        except OSError as error:
            part.unlink(missing_ok=True)
            raise CommandError(f"{path} cannot be written: {error.strerror}") from error
        for name, lines in line_counts.items():
            self.stdout.write(f"{lines:>8} {name}")
