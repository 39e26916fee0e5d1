"""The file of a backup: a gzipped tar, sealed in the format of age if the site has a passphrase."""

import gzip
import io
import os
import re
import shutil
import sqlite3
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
from django.db import DatabaseError

NAME = re.compile(r"tricky-(\d{8}T\d{6}Z)\.tar(\.gz)?(\.age)?")
MOMENT = "%Y%m%dT%H%M%SZ"
AGE_HEADER = b"age-encryption.org/v1\n"
DAMAGED = "The file is no backup, or was altered or cut off."
TEMPORARY = ".tricky-backup-"
DAY = 24 * 60 * 60
BLOCK = 1024 * 1024


class BackupError(CommandError):
    """Why a backup cannot be made or restored, in one sentence."""


@contextmanager
def backup_errors() -> Iterator[None]:
    """Report a full disk, a missing file or a database without an answer in one sentence."""
    try:
        yield
    except OSError as error:
        where = error.filename or f"{settings.VAR_DIR} or the folder of the backup"
        raise BackupError(f"{where}: {error.strerror or error}.") from error
    except (sqlite3.Error, DatabaseError) as error:
        raise BackupError(f"The database: {error}.") from error


@contextmanager
def temporary_folder(parent: Path) -> Iterator[Path]:
    """Make a folder for its owner alone. Folders of killed processes are removed after a day."""
    for left in parent.glob(f"{TEMPORARY}*"):
        if left.stat().st_mtime < time.time() - DAY:
            shutil.rmtree(left, ignore_errors=True)
    with tempfile.TemporaryDirectory(dir=parent, prefix=TEMPORARY) as folder:
        yield Path(folder)


def pack(room: Path, path: Path) -> None:
    """Write the files of a folder to an archive. A sealed one is packed in memory."""
    path.touch(mode=0o600)
    with path.open("wb") as file:
        plain = io.BytesIO() if settings.BACKUP_PASSPHRASE else file
        with tarfile.open(fileobj=plain, mode="w:gz", compresslevel=6) as tar:
            for part in room.iterdir():
                tar.add(part, part.name, filter=_make_private)
        if isinstance(plain, io.BytesIO):
            passphrase = settings.BACKUP_PASSPHRASE
            file.write(pyrage.passphrase.encrypt(plain.getvalue(), passphrase))
        file.flush()
        os.fsync(file.fileno())


def _make_private(member: tarfile.TarInfo) -> tarfile.TarInfo:
    member.mode = 0o600
    return member


def unpack(path: Path, room: Path) -> None:
    """Read an archive to its end, and write its files to a folder.

    Raises BackupError if the archive is damaged or the passphrase is wrong.
    """
    try:
        with _open_plain(path) as plain, tarfile.open(fileobj=plain) as tar:
            for member in tar:
                # The name comes from a file, so only its last part is used.
                target = room / Path(member.name).name
                target.touch(mode=0o600)
                if content := tar.extractfile(member):
                    with content, target.open("wb") as file:
                        shutil.copyfileobj(content, file)
            # The checksum of gzip follows the end of the tar.
            while cast(IO[bytes], tar.fileobj).read(BLOCK):
                pass
    except (tarfile.TarError, zlib.error, EOFError, gzip.BadGzipFile) as error:
        raise BackupError(DAMAGED) from error


def _open_plain(path: Path) -> io.BufferedIOBase:
    with path.open("rb") as file:
        is_sealed = file.read(len(AGE_HEADER)) == AGE_HEADER
    if not is_sealed:
        return path.open("rb")
    if not settings.BACKUP_PASSPHRASE:
        raise BackupError(
            "The backup is sealed: set BACKUP_PASSPHRASE, or BACKUP_PASSPHRASE_FILE."
        )
    try:
        sealed, passphrase = path.read_bytes(), settings.BACKUP_PASSPHRASE
        return io.BytesIO(pyrage.passphrase.decrypt(sealed, passphrase))
    except pyrage.DecryptError as error:
        raise BackupError(
            "The passphrase is wrong, or the file was altered or cut off."
        ) from error


def file_name(made_at: datetime) -> str:
    """Return the name of a new backup."""
    ending = ".age" if settings.BACKUP_PASSPHRASE else ""
    return f"tricky-{made_at.astimezone(UTC):{MOMENT}}.tar.gz{ending}"


def list_backups(folder: Path) -> list[tuple[datetime, Path]]:
    """Return when each backup in a folder was made, and its path. The newest is first."""
    try:
        named = [(NAME.fullmatch(path.name), path) for path in folder.iterdir()]
    except OSError:
        return []
    made = [
        (datetime.strptime(name[1], MOMENT).replace(tzinfo=UTC), path)
        for name, path in named
        if name
    ]
    return sorted(made, reverse=True)


def last_backup_at(folder: Path) -> datetime | None:
    """Return when the newest backup was made."""
    return next((made_at for made_at, _path in list_backups(folder)), None)


def remove_old(folder: Path, keep: int) -> list[Path]:
    """Remove all backups but the newest, and return them."""
    removed = [path for _made_at, path in list_backups(folder)[keep:]]
    for path in removed:
        path.unlink(missing_ok=True)
    return removed
