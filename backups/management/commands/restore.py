"""`manage.py restore FILE`: what `manage.py backup` wrote, here or elsewhere."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from backups.management.passphrases import add_passphrase_file, asked
from backups.management.refusals import said_to_the_host
from backups.restoring import Restored, restore_backup


class Command(BaseCommand):
    """Put a backup back."""

    help = (
        "Restores a backup into a place that holds nothing: as a whole, or not at all. "
        "Stop the site first, and start it afterwards."
    )
    # The place may have no tables yet.
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the file, and whether what is there may go."""
        parser.add_argument("file", metavar="FILE", help="a backup")
        parser.add_argument(
            "--replace",
            action="store_true",
            help="also where something is; that is backed up first, beside FILE",
        )
        add_passphrase_file(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        """Say what was done; exit status 1 where it is refused."""
        with said_to_the_host():
            restored = restore_backup(
                Path(options["file"]),
                passphrase=asked(options["passphrase_file"]),
                now=timezone.now(),
                replace=options["replace"],
            )
        self._say(restored)

    def _say(self, restored: Restored) -> None:
        manifest = restored.manifest
        if restored.before:
            self.stdout.write(f"what was here: {restored.before}")
        self.stdout.write(
            f"restored {manifest.extent}, of {manifest.made_at:%Y-%m-%d %H:%M} UTC"
        )
        self.stdout.write(f"{restored.migrated} migrations ran")
        for line in restored.keys:
            self.stdout.write(line)
        for name in manifest.left_out:
            self.stdout.write(f"{name}: not in the backup, bring it from elsewhere")
        self.stdout.write("Now compare: manage.py rebuild --check")
