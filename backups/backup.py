"""Make, check and restore a backup of the whole site: its database and its keys."""

import json
import shutil
import sqlite3
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from backups.archive import (
    DAMAGED,
    MOMENT,
    BackupError,
    file_name,
    pack,
    remove_abandoned_temporary_folders,
    temporary_folder,
    unpack,
)
from backups.databases import site_database

MANIFEST = "manifest.json"


@contextmanager
def convert_to_backup_error() -> Iterator[None]:
    """Raise BackupError in one sentence for a full disk, a missing file or a database error."""
    try:
        yield
    except OSError as error:
        location = error.filename or f"{settings.VAR_DIR} or the folder of the backup"
        raise BackupError(f"{location}: {error.strerror or error}.") from error
    except (sqlite3.Error, DatabaseError) as error:
        raise BackupError(f"The database: {error}.") from error


@convert_to_backup_error()
def make_backup(folder: Path, now: datetime) -> Path:
    """Back up the site, and return the new file, which is checked as before a restore.

    Raises BackupError if that fails; then the folder has no new file.
    """
    path = folder / file_name(now)
    if path.exists():
        raise BackupError(f"{path} exists. Try again in a second.")
    folder.mkdir(mode=0o700, exist_ok=True)
    for parent in (folder, Path(settings.VAR_DIR)):
        remove_abandoned_temporary_folders(parent)
    with temporary_folder(folder) as outbox:
        part = outbox / path.name
        with temporary_folder(Path(settings.VAR_DIR)) as room:
            database = site_database()
            database.dump(room)
            migrations = MigrationRecorder(connection).applied_migrations()
            if not migrations:
                raise BackupError("Nothing to back up: the database has no tables.")
            for key in site_keys():
                if key.value:
                    (room / key.name).write_text(key.value)
            project = Path(settings.BASE_DIR, "pyproject.toml").read_text()
            manifest = {
                "made_at": now.isoformat(timespec="minutes"),
                "release": tomllib.loads(project)["project"]["version"],
                "engine": database.engine,
                "migrations": sorted(f"{app}.{name}" for app, name in migrations),
            }
            (room / MANIFEST).write_text(json.dumps(manifest, indent=1))
            pack(room, part, passphrase=settings.BACKUP_PASSPHRASE)
        with open_backup(part):
            part.replace(path)
    return path


@contextmanager
def open_backup(path: Path) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Unpack a backup for a block. Raises BackupError if this site cannot restore the file."""
    with convert_to_backup_error(), temporary_folder(Path(settings.VAR_DIR)) as room:
        unpack(path, room, passphrase=settings.BACKUP_PASSPHRASE)
        try:
            manifest = json.loads((room / MANIFEST).read_text())
            names = ("made_at", "release", "engine", "migrations")
            _made_at, release, engine, migrations = (manifest[name] for name in names)
        except (OSError, ValueError, LookupError, TypeError) as error:
            raise BackupError(DAMAGED) from error
        on_disk = MigrationLoader(None).disk_migrations
        replaced = {old for migration in on_disk.values() for old in migration.replaces}
        known_migrations = {f"{app}.{name}" for app, name in {*on_disk, *replaced}}
        if unknown := set(migrations) - known_migrations:
            raise BackupError(
                f"The backup was made by a newer version, with {min(unknown)}. Install "
                f"{release} or later first."
            )
        database = site_database()
        if engine != database.engine:
            raise BackupError(
                f"The backup is from {engine}, but this server runs on {database.engine}. "
                "Set DATABASE_URL as on the server that was backed up."
            )
        database.check_and_convert_dump(room)
        yield room, manifest


def restore_backup(path: Path, now: datetime, *, replace: bool = False) -> list[str]:
    """Restore a backup, and return a line for each step.

    Raises BackupError before anything is written if the file cannot be restored here, or if the
    database has tables and `replace` is not set. With `replace`, the database is first backed up
    next to the file.
    """
    steps = []
    with open_backup(path) as (room, manifest):
        if MigrationRecorder(connection).applied_migrations():
            if not replace:
                raise BackupError(
                    "This server already has data. Restore into an empty one (another "
                    "TRICKY_VAR, an empty database), or use --replace, which backs up "
                    "the existing data first."
                )
            steps.append(f"what was here: {make_backup(path.parent, now)}")
        site_database().restore(room)
        # Keys are moved right after the restore, as they belong to the database.
        for name, key_file, key_in_use in site_keys():
            restored = room / name
            if _read_if_exists(restored) in ("", key_in_use):
                continue
            is_overruled = _read_if_exists(key_file) != key_in_use
            key_file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            if key_file.exists():
                old_key = key_file.with_name(f"{name}.before-{now:{MOMENT}}")
                old_key.hardlink_to(key_file)
            shutil.move(restored, key_file)
            steps.append(f"{name}: restored to {key_file}")
            if is_overruled:
                steps.append(f"{name}: the environment sets another one, which is used")
    return [*steps, f"restored {path}, made at {manifest['made_at']}"]


class SiteKey(NamedTuple):
    name: str
    file: Path
    value: str
    """The key in use, which can come from the environment."""


def site_keys() -> Iterator[SiteKey]:
    """Yield the keys that belong to the database."""
    authority = Path(settings.AUTHORITY_FILE)
    yield SiteKey("secret-key", Path(settings.SECRET_KEY_FILE), settings.SECRET_KEY)
    yield SiteKey(
        "vapid-key", Path(settings.VAPID_KEY_FILE), settings.VAPID_PRIVATE_KEY
    )
    yield SiteKey("authority", authority, _read_if_exists(authority))


def _read_if_exists(path: Path) -> str:
    return path.read_text().strip() if path.exists() else ""
