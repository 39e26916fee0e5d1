"""Making a backup, and looking whether one is whole."""

import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from django.conf import settings

from backups.databases import known_migrations, site_database
from backups.file.atomic import whole_file
from backups.file.container import Passphrase, read_backup, write_backup
from backups.file.manifest import Manifest, check_age
from backups.folder import backups_in, clear_parts, name_of, outdated
from backups.keys import site_keys
from backups.refusals import BackupError
from backups.release import release

WORKSHOP = "backup-"


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A backup that was made, and read once more."""

    path: Path
    manifest: Manifest
    removed: list[Path]
    """Older ones that were in the folder."""


@contextmanager
def workshop() -> Iterator[Path]:
    """Have a folder beside the site's secrets that nobody else may look into, gone afterwards.

    What a process left there that was killed goes too, after a day.
    """
    place = Path(settings.VAR_DIR)
    yesterday = datetime.now(UTC) - timedelta(days=1)  # noqa: TID251 - ages of files
    for left in place.glob(f"{WORKSHOP}*"):
        if datetime.fromtimestamp(left.stat().st_mtime, UTC) < yesterday:
            shutil.rmtree(left, ignore_errors=True)
    with tempfile.TemporaryDirectory(dir=place, prefix=WORKSHOP) as folder:
        yield Path(folder)


def make_backup(
    *,
    folder: Path,
    now: datetime,
    passphrase: str = "",
    with_keys: bool = True,
    keep: int | None = None,
) -> Made:
    """Return a new backup in a folder; beyond those to `keep`, older ones go.

    It is there once it was read again from its first byte to its last, and nothing goes
    before that. Raises BackupError where it cannot be made; the folder is as it was then.
    """
    path = folder / name_of(now, is_sealed=bool(passphrase))
    if path.exists():
        raise BackupError(f"{path} is there already: try again in a second.")
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        clear_parts(folder, now)
        with workshop() as room, whole_file(path) as (file, part):
            files, manifest = _gather(room, now, with_keys=with_keys)
            write_backup(file, manifest, files, passphrase)
            file.flush()
            read_backup(part, lambda: passphrase)
        removed = _rotate(folder, keep)
    except (OSError, sqlite3.Error) as error:
        why = getattr(error, "strerror", "") or error
        raise BackupError(
            f"The backup cannot be written to {folder}: {why}. Name a folder that can be "
            f"written and has room; what is gathered for it needs room in {settings.VAR_DIR}."
        ) from error
    return Made(path=path, manifest=manifest, removed=removed)


def _gather(
    room: Path, now: datetime, *, with_keys: bool
) -> tuple[dict[str, Path], Manifest]:
    """Return the files of a backup, which stand in a folder, and what is said of them."""
    database = site_database()
    snapshot = database.take(room)
    files = {database.member: room / database.member}
    left_out = []
    for key in site_keys():
        if with_keys and key.text:
            files[f"keys/{key.name}"] = room / key.name
            (room / key.name).write_text(key.text)
        elif key.text:
            left_out.append(key.name)
    manifest = Manifest(
        made_at=now,
        release=release(),
        engine=database.engine,
        engine_version=snapshot.engine_version,
        migrations=snapshot.migrations,
        rows=snapshot.rows,
        left_out=left_out,
    )
    return files, manifest


def _rotate(folder: Path, keep: int | None) -> list[Path]:
    if keep is None:
        return []
    removed = [backup.path for backup in outdated(backups_in(folder), keep)]
    for path in removed:
        path.unlink(missing_ok=True)
    return removed


@contextmanager
def checked_backup(
    path: Path, passphrase: Passphrase
) -> Iterator[tuple[Manifest, Path]]:
    """Have a backup unpacked that this site can restore; raises BackupError for any other.

    Its digests hold, no later release made it, it is of the same kind of database, and that
    database can be read and has the rows that the manifest says.
    """
    database = site_database()
    with workshop() as room:
        try:
            manifest = read_backup(path, passphrase, room)
        except OSError as error:
            raise BackupError(
                f"{error.filename or path}: {error.strerror or error}."
            ) from error
        check_age(manifest, release(), known_migrations())
        if manifest.engine != database.engine:
            raise BackupError(
                f"The backup is of {manifest.engine}, and this site runs on "
                f"{database.engine}: set DATABASE_URL as it was there."
            )
        database.check(room, manifest.rows)
        yield manifest, room
