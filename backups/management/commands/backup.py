"""`manage.py backup`: back up the whole site as one file. `--check` verifies a file."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from backups.archive import list_backups, remove_old_backups
from backups.backup import make_backup, open_backup


class Command(BaseCommand):
    help = (
        "Back up the database and keys into one file while the server runs, sealed if "
        "BACKUP_PASSPHRASE is set. --check tests a backup without restoring it."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--folder",
            default=settings.BACKUP_FOLDER,
            help="folder for backups; its parent must exist (default: BACKUP_FOLDER)",
        )
        parser.add_argument(
            "--keep",
            type=int,
            metavar="N",
            help="then remove all but the newest N backups in the folder",
        )
        parser.add_argument(
            "--check",
            nargs="?",
            const="",
            metavar="FILE",
            help="check a backup, by default the newest",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        file, keep = options["check"], options["keep"]
        if not options["folder"] and not file:
            raise CommandError("Pass --folder, or set BACKUP_FOLDER.")
        folder = Path(options["folder"])
        if file is not None:
            paths = [Path(file)] if file else [path for _, path in list_backups(folder)]
            if not paths:
                raise CommandError(f"No backup in {folder}.")
            with open_backup(paths[0]) as (_room, manifest):
                self.stdout.write(
                    "{path}: complete. Made at {made_at} by version {release} on {engine}.".format(
                        path=paths[0], **manifest
                    )
                )
            return
        if not folder.parent.is_dir():
            raise CommandError(
                f"{folder.parent} does not exist, so nothing was backed up. Is its disk mounted?"
            )
        if keep is not None and keep < 1:
            raise CommandError("--keep must be 1 or more.")
        path = make_backup(folder, timezone.now())
        self.stdout.write(f"{path}: {path.stat().st_size:,} bytes")
        for old in remove_old_backups(folder, keep) if keep else ():
            self.stdout.write(f"removed {old.name}")
