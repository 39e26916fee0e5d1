"""Restoring a backup: as a whole, into a place that holds nothing."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from django.core.management import call_command

from backups.databases import site_database
from backups.file.container import Passphrase, is_sealed
from backups.file.manifest import Manifest
from backups.keys import put_back_keys, site_keys
from backups.making import checked_backup, make_backup
from backups.refusals import BackupError


@dataclass(frozen=True, slots=True, kw_only=True)
class Restored:
    """What was restored."""

    manifest: Manifest
    before: Path | None
    """A backup of what was there before."""
    keys: list[str]
    """What became of them, a line each."""
    migrated: int
    """How many migrations ran that the backup had not."""


def restore_backup(
    path: Path, *, passphrase: Passphrase, now: datetime, replace: bool = False
) -> Restored:
    """Return what was restored; the database is migrated then.

    Raises BackupError before anything is written where the file is not whole or not for
    this site, and where the place holds something: unless it is to `replace` that, which
    is backed up first, into the folder of the file.
    """
    database = site_database()
    with checked_backup(path, passphrase) as (manifest, room):
        there, before = database.what_is_there(), None
        if there and not replace:
            raise BackupError(
                f"This place is not empty: {there[0]} and {len(there) - 1} other tables hold "
                "something. Restore into an empty one (another TRICKY_VAR, an empty "
                "database), or with --replace, which backs up first what is there."
            )
        if there:
            sealed = passphrase() if is_sealed(path) else ""
            before = make_backup(folder=path.parent, now=now, passphrase=sealed).path
        keys = {
            key.name: (room / key.name).read_text()
            for key in site_keys()
            if (room / key.name).exists()
        }
        database.put_back(room)
        # At once: whatever fails from here on, the two belong together.
        said = put_back_keys(keys, now)
    database.compare(manifest.rows)
    call_command("migrate", verbosity=0, interactive=False)
    return Restored(
        manifest=manifest,
        before=before,
        keys=said,
        migrated=len(database.migrations() - set(manifest.migrations)),
    )
