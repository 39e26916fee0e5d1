"""`manage.py restore FILE`: restore a backup of this site or another."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.cache import caches
from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.utils import timezone

from backups.backup import restore_backup


class Command(BaseCommand):
    help = (
        "Restore a backup into an empty server, completely or not at all. "
        "Stop the server first and start it afterwards."
    )
    # The database may have no tables yet.
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE", help="a backup")
        parser.add_argument(
            "--replace",
            action="store_true",
            help="replace existing data, after backing it up next to FILE",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        now, replace = timezone.now(), options["replace"]
        for line in restore_backup(options["file"], now, replace=replace):
            self.stdout.write(line)
        call_command("migrate", interactive=False, stdout=self.stdout)
        # Open pages may show data that no longer exists.
        caches["versions"].clear()
        self.stdout.write("Check the result: manage.py rebuild --check")
