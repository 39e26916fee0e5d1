"""The file of a backup: a gzipped tar, sealed in the format of age if the site has a passphrase."""

import gzip
import io
import os
import re
import shutil
import tarfile
import tempfile
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, cast

import pyrage
from django.conf import settings
from django.core.management import CommandError

NAME = re.compile(r"tricky-(\d{8}T\d{6}Z)\.tar(\.gz)?(\.age)?")
MOMENT = "%Y%m%dT%H%M%SZ"
AGE_HEADER = b"age-encryption.org/v1\n"
DAMAGED = "The file is not a backup, or it is damaged."
TEMPORARY = ".tricky-backup-"
DAY = 24 * 60 * 60


class BackupError(CommandError):
    """Raised if a backup cannot be made or restored, with the reason in one sentence."""


@contextmanager
def temporary_folder(parent: Path) -> Iterator[Path]:
    """Create a folder that only its owner can read, for a block."""
    with tempfile.TemporaryDirectory(dir=parent, prefix=TEMPORARY) as folder:
        yield Path(folder)


def remove_abandoned_temporary_folders(parent: Path) -> None:
    """Remove temporary folders older than a day: those of killed processes."""
    for folder in parent.glob(f"{TEMPORARY}*"):
        if folder.stat().st_mtime < time.time() - DAY:
            shutil.rmtree(folder, ignore_errors=True)


def pack(room: Path, path: Path, *, passphrase: str) -> None:
    """Write the files of a folder to an archive, packed in memory.

    With an empty passphrase the archive is not encrypted.
    """
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz", compresslevel=6) as tar:
        for part in room.iterdir():
            part.chmod(0o600)
            tar.add(part, part.name)
    content = packed.getvalue()
    if passphrase:
        content = pyrage.passphrase.encrypt(content, passphrase)
    path.touch(mode=0o600)
    with path.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def unpack(path: Path, room: Path, *, passphrase: str) -> None:
    """Read an archive to its end, and write its files to a folder.

    Raises BackupError if the archive is damaged or the passphrase is wrong.
    """
    content = path.read_bytes()
    if content.startswith(AGE_HEADER):
        if not passphrase:
            raise BackupError(
                "The backup is sealed. Set BACKUP_PASSPHRASE or BACKUP_PASSPHRASE_FILE."
            )
        try:
            content = pyrage.passphrase.decrypt(content, passphrase)
        except pyrage.DecryptError as error:
            raise BackupError(
                "The passphrase is wrong, or the file is damaged."
            ) from error
    try:
        with tarfile.open(fileobj=io.BytesIO(content)) as tar:
            for member in tar:
                # The name comes from a file, so only its last part is used.
                target = room / Path(member.name).name
                target.touch(mode=0o600)
                if source := tar.extractfile(member):
                    with source, target.open("wb") as file:
                        shutil.copyfileobj(source, file)
            # The checksum of gzip follows the end of the tar.
            cast(IO[bytes], tar.fileobj).read()
    except (tarfile.TarError, zlib.error, EOFError, gzip.BadGzipFile) as error:
        raise BackupError(DAMAGED) from error


def file_name(made_at: datetime) -> str:
    suffix = ".age" if settings.BACKUP_PASSPHRASE else ""
    return f"tricky-{made_at.astimezone(UTC):{MOMENT}}.tar.gz{suffix}"


def list_backups(folder: Path) -> list[tuple[datetime, Path]]:
    """Return the time and path of each backup in a folder, the newest first."""
    backups = [
        (datetime.fromisoformat(name[1]), path)
        for path in folder.glob("tricky-*")
        if (name := NAME.fullmatch(path.name))
    ]
    return sorted(backups, reverse=True)


def last_backup_at(folder: Path) -> datetime | None:
    return next((made_at for made_at, _path in list_backups(folder)), None)


def remove_old_backups(folder: Path, keep: int) -> list[Path]:
    """Remove all backups but the newest, and return them."""
    removed = [path for _made_at, path in list_backups(folder)[keep:]]
    for path in removed:
        path.unlink(missing_ok=True)
    return removed
