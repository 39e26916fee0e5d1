"""Where commands have a passphrase from: never from their arguments, which all users of a machine see."""

import getpass
import sys
from argparse import ArgumentParser
from functools import cache
from pathlib import Path

from django.conf import settings

from backups.file.container import Passphrase
from backups.refusals import BackupError


def add_passphrase_file(parser: ArgumentParser) -> None:
    """Take a file that holds the passphrase."""
    parser.add_argument(
        "--passphrase-file",
        metavar="FILE",
        default="",
        help="a file whose first line is the passphrase; by default BACKUP_PASSPHRASE is",
    )


def given(file: str) -> str:
    """Return the passphrase of a file, or of the setting; empty where there is none."""
    if not file:
        passphrase: str = settings.BACKUP_PASSPHRASE
        return passphrase
    first = Path(file).read_text().partition("\n")[0].strip()
    if len(first) < 12:
        raise BackupError(f"The passphrase in {file} must be 12 characters or more.")
    return first


def asked(file: str) -> Passphrase:
    """Return what has the passphrase of a sealed backup; whoever sits there is asked at last."""

    @cache
    def passphrase() -> str:
        known = given(file)
        if not known and sys.stdin.isatty():
            known = getpass.getpass("Passphrase of the backup: ")
        if not known:
            raise BackupError(
                "The backup is sealed: name its passphrase by --passphrase-file or "
                "BACKUP_PASSPHRASE."
            )
        return known

    return passphrase
