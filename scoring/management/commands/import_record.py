"""`manage.py import_record FILE…`: matches from records."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from scoring.matchlog.records import get_or_import_match
from scoring.pages.sheet import MOVED
from scoring.rules import Refusal
from scoring.rules.names import describe_removed_characters


class Command(BaseCommand):
    """Store the matches from records, including their logs."""

    help = "Import match records. Records that already exist are left alone."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", metavar="FILE", nargs="+")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print the address of each match; stop at the first refused file."""
        for name in options["files"]:
            removed: list[str] = []
            try:
                match = get_or_import_match(
                    Path(name).read_bytes(), now=timezone.now(), stripped_texts=removed
                )
            except OSError as error:
                raise CommandError(
                    f"{name} cannot be read: {error.strerror}"
                ) from error
            except Refusal as refusal:
                fault = refusal.faults[0]
                hand = f"hand {fault.hand}" if fault.hand else ""
                place = ", ".join(filter(None, (hand, fault.field)))
                problem = f"{fault.message} ({fault.clause})"
                parts = filter(None, (name, place, problem))
                raise CommandError(": ".join(parts)) from refusal
            if removed:
                self.stderr.write(str(describe_removed_characters(removed)))
            self.stdout.write(match.address)
            if match.is_just_imported:
                self.stderr.write(MOVED)
