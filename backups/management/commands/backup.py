"""`manage.py backup`: back up the whole site as one file. `--check` verifies a file."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from backups.archive import list_backups, remove_old
from backups.backup import make_backup, open_backup


class Command(BaseCommand):
    help = (
        "Backs up database and keys into one file while the site runs, sealed if "
        "BACKUP_PASSPHRASE is set. --check reads a backup as restoring would."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--folder",
            default=settings.BACKUP_FOLDER,
            help="where backups are stored, in a folder that exists (default: BACKUP_FOLDER)",
        )
        parser.add_argument(
            "--keep",
            type=int,
            metavar="N",
            help="then remove all backups in the folder but the newest N",
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
            raise CommandError("Name a folder: --folder, or BACKUP_FOLDER for always.")
        folder = Path(options["folder"])
        if file is not None:
            paths = [Path(file)] if file else [path for _, path in list_backups(folder)]
            if not paths:
                raise CommandError(f"There is no backup in {folder}.")
            with open_backup(paths[0]) as (_room, manifest):
                self.stdout.write(
                    "{path}: whole. Made at {made_at} by version {release} on {engine}.".format(
                        path=paths[0], **manifest
                    )
                )
            return
        if not folder.parent.is_dir():
            raise CommandError(
                f"There is no {folder.parent}, so nothing is backed up: is its disk mounted?"
            )
        if keep is not None and keep < 1:
            raise CommandError("--keep must be 1 or more: the newest backup stays.")
        path = make_backup(folder, timezone.now())
        self.stdout.write(f"{path}: {path.stat().st_size:,} bytes")
        for old in remove_old(folder, keep) if keep else ():
            self.stdout.write(f"removed {old.name}")
