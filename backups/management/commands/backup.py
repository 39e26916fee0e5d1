"""`manage.py backup`: the whole site as one file; `--check` reads one from its first byte to its last."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from backups.folder import backups_in
from backups.making import checked_backup, make_backup
from backups.management.passphrases import add_passphrase_file, asked, given
from backups.management.refusals import said_to_the_host


class Command(BaseCommand):
    """Back the site up, while it runs."""

    help = (
        "Backs up database and keys into one file, while the site runs; sealed where "
        "BACKUP_PASSPHRASE or a file names a passphrase. --check changes nothing: it reads "
        "a backup as restoring it would."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take where, whether with keys, how many stay, and what is to be checked."""
        parser.add_argument(
            "--folder",
            default="",
            help="where backups are kept, made in a folder that is there; by default BACKUP_FOLDER",
        )
        parser.add_argument(
            "--without-keys",
            action="store_true",
            help="leave out the site's secret and the key for devices",
        )
        parser.add_argument(
            "--keep",
            type=int,
            metavar="N",
            help="then keep the newest N, and the last of each of four weeks before them",
        )
        parser.add_argument(
            "--check",
            nargs="?",
            const="",
            metavar="FILE",
            help="check a backup, the newest where none is named",
        )
        add_passphrase_file(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        """Say what was done; exit status 1 where it could not be."""
        with said_to_the_host():
            if options["check"] is None:
                self._make(options)
            else:
                self._check(options)

    def _folder(self, options: dict[str, Any]) -> Path:
        folder = options["folder"] or settings.BACKUP_FOLDER
        if not folder:
            raise CommandError("Name a folder: --folder, or BACKUP_FOLDER for always.")
        return Path(folder)

    def _make(self, options: dict[str, Any]) -> None:
        if not Path(options["folder"]).parent.is_dir():
            raise CommandError(
                f"{Path(options['folder']).parent} is not there, so nothing is backed up into it: "
                "is its disk mounted?"
            )
        keep = options["keep"]
        if keep is not None and keep < 1:
            raise CommandError("--keep must be 1 or more: the newest backup stays.")
        made = make_backup(
            folder=self._folder(options),
            now=timezone.now(),
            passphrase=given(options["passphrase_file"]),
            with_keys=not options["without_keys"],
            keep=keep,
        )
        self.stdout.write(f"{made.path}: {made.manifest.extent}")
        if made.manifest.left_out:
            left_out = ", ".join(made.manifest.left_out)
            self.stdout.write(f"left out, keep them elsewhere: {left_out}")
        for path in made.removed:
            self.stdout.write(f"removed {path.name}")

    def _check(self, options: dict[str, Any]) -> None:
        path = Path(options["check"]) if options["check"] else self._newest(options)
        with checked_backup(path, asked(options["passphrase_file"])) as (manifest, _):
            left_out = ", ".join(manifest.left_out) or "nothing"
            self.stdout.write(
                f"{path}: whole. Of {manifest.made_at:%Y-%m-%d %H:%M} UTC, by "
                f"{manifest.release} on {manifest.engine} {manifest.engine_version}; "
                f"{manifest.extent}; left out: {left_out}."
            )

    def _newest(self, options: dict[str, Any]) -> Path:
        folder = self._folder(options)
        kept = backups_in(folder)
        if not kept:
            raise CommandError(f"There is no backup in {folder}.")
        return kept[-1].path
