"""`manage.py doctor`: say whether all is well, and what to do where it is not."""

from argparse import ArgumentParser
from collections.abc import Callable
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tricky_site.observability.doctor import Severity, examine

MARKS = {
    Severity.OK: "✓",
    Severity.OFF: "–",
    Severity.WARNING: "!",
    Severity.ERROR: "✗",
}


class Command(BaseCommand):
    help = (
        "Examine database, worker, mail, clock, disk, https, backups, rights and versions, and say what "
        "to do. Exits with 1 if anything is wrong."
    )
    # It reports what these checks find, next to all else.
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--mail-to", default="", metavar="ADDRESS", help="send a test letter"
        )
        parser.add_argument(
            "--releases",
            action="store_true",
            help="ask the repository for a newer release",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        styles: dict[Severity, Callable[[str], str]] = {
            Severity.OK: self.style.SUCCESS,
            Severity.OFF: str,
            Severity.WARNING: self.style.WARNING,
            Severity.ERROR: self.style.ERROR,
        }
        error_count = 0
        for part, diagnosis in examine(
            mail_to=options["mail_to"], asks_for_releases=options["releases"]
        ):
            mark = styles[diagnosis.severity](MARKS[diagnosis.severity])
            prefix = "not set up: " if diagnosis.severity == Severity.OFF else ""
            self.stdout.write(f"{mark} {part:<9} {prefix}{diagnosis.text}")
            if diagnosis.remedy:
                self.stdout.write(f"            → {diagnosis.remedy}")
            error_count += diagnosis.severity == Severity.ERROR
        if error_count:
            raise CommandError(f"Errors: {error_count}.")
