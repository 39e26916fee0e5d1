"""Make, check and restore a backup of the whole site."""

import json
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from datetime import datetime
from pathlib import Path

from django.conf import settings
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from backups.archive import (
    DAMAGED,
    BackupError,
    backup_errors,
    file_name,
    pack,
    temporary_folder,
    unpack,
)
from backups.databases import site_database
from backups.keys import restore_keys, site_keys

MANIFEST = "manifest.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """What a site has to know before it restores a backup."""

    made_at: str
    release: str
    engine: str
    migrations: list[str]


@backup_errors()
def make_backup(folder: Path, now: datetime) -> Path:
    """Back up the site, and return the new file, which was checked like one to be restored.

    Raises BackupError if that fails. The folder has no new file then.
    """
    path = folder / file_name(now)
    if path.exists():
        raise BackupError(f"{path} exists: try again in a second.")
    folder.mkdir(mode=0o700, exist_ok=True)
    with temporary_folder(folder) as outbox:
        part = outbox / path.name
        with temporary_folder(Path(settings.VAR_DIR)) as room:
            _gather(room, now)
            pack(room, part)
        with open_backup(part):
            part.replace(path)
    return path


def _gather(room: Path, now: datetime) -> None:
    """Write the database, the keys and the manifest to a folder."""
    database = site_database()
    database.dump(room)
    migrations = MigrationRecorder(connection).applied_migrations()
    if not migrations:
        raise BackupError("There is nothing to back up: the database has no tables.")
    for name, _path, key in site_keys():
        if key:
            (room / name).write_text(key)
    project = tomllib.loads((Path(settings.BASE_DIR) / "pyproject.toml").read_text())
    manifest = Manifest(
        made_at=now.isoformat(timespec="minutes"),
        release=project["project"]["version"],
        engine=database.engine,
        migrations=sorted(f"{app}.{name}" for app, name in migrations),
    )
    (room / MANIFEST).write_text(json.dumps(asdict(manifest), indent=1))


@contextmanager
def open_backup(path: Path) -> Iterator[tuple[Path, Manifest]]:
    """Unpack a backup that this site can restore. Raises BackupError for any other file."""
    with backup_errors(), temporary_folder(Path(settings.VAR_DIR)) as room:
        unpack(path, room)
        try:
            written = json.loads((room / MANIFEST).read_text())
            manifest = Manifest(**{f.name: written[f.name] for f in fields(Manifest)})
        except (OSError, ValueError, LookupError, TypeError) as error:
            raise BackupError(DAMAGED) from error
        if unknown := set(manifest.migrations) - _known_migrations():
            raise BackupError(
                f"The backup was made by newer code, with {min(unknown)}: install that "
                f"version first, {manifest.release} or later."
            )
        database = site_database()
        if manifest.engine != database.engine:
            raise BackupError(
                f"The backup is of {manifest.engine}, and this site runs on "
                f"{database.engine}: set DATABASE_URL as on the site that was backed up."
            )
        database.prepare(room)
        yield room, manifest


def _known_migrations() -> set[str]:
    """Return the migrations of this code, and those that they replaced."""
    migrations = MigrationLoader(None).disk_migrations
    replaced = {
        name for migration in migrations.values() for name in migration.replaces
    }
    return {f"{app}.{name}" for app, name in {*migrations, *replaced}}


def restore_backup(path: Path, now: datetime, *, replace: bool = False) -> list[str]:
    """Restore a backup, and return what was done, a line each.

    Raises BackupError before anything is written if the file cannot be restored here, or if
    the database has tables: unless `replace` is set, which backs it up first, next to the file.
    """
    done = []
    with open_backup(path) as (room, manifest):
        if MigrationRecorder(connection).applied_migrations():
            if not replace:
                raise BackupError(
                    "This site has a database already: restore into an empty one (another "
                    "TRICKY_VAR, an empty database), or with --replace, which backs up "
                    "first what is here."
                )
            done.append(f"what was here: {make_backup(path.parent, now)}")
        site_database().restore(room)
        # Moved at once, without another write: database and keys belong together.
        done += restore_keys(room, now)
    return [*done, f"restored {path}, made at {manifest.made_at}"]
