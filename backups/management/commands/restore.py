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
        "Restores a backup into an empty site, as a whole or not at all. "
        "Stop the site first, and start it afterwards."
    )
    # The database may have no tables yet.
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE", help="a backup")
        parser.add_argument(
            "--replace",
            action="store_true",
            help="also if the site is not empty: it is backed up first, next to FILE",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        now, replace = timezone.now(), options["replace"]
        for line in restore_backup(options["file"], now, replace=replace):
            self.stdout.write(line)
        call_command("migrate", interactive=False, stdout=self.stdout)
        # Open pages may show data that no longer exists.
        caches["versions"].clear()
        self.stdout.write("Now compare: manage.py rebuild --check")
