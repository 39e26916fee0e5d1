"""What a backup says of itself: of which release, which database, how many rows."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from backups.refusals import BackupError

NAME, VERSION = "tricky-backup", 2
NO_BACKUP = "The file is no backup of this app."


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """The first file of every backup."""

    made_at: datetime
    release: str
    """Of the app that made it, as in `0.1.0`."""
    engine: str
    """`sqlite` or `postgresql`."""
    engine_version: str
    migrations: Sequence[str]
    """Those that had run, as in `scoring.0001_initial`."""
    rows: Mapping[str, int]
    """How many each table holds."""
    left_out: Sequence[str]
    """Keys that are not in it."""

    @property
    def extent(self) -> str:
        """Return how much it holds, in words."""
        filled = [count for count in self.rows.values() if count]
        return f"{sum(filled):,} rows in {len(filled)} tables"


def write_manifest(manifest: Manifest) -> bytes:
    """Return a manifest as JSON."""
    fields = {
        "format": NAME,
        "version": VERSION,
        **asdict(manifest),
        "made_at": manifest.made_at.isoformat(),
    }
    return json.dumps(fields, indent=1, ensure_ascii=False).encode()


def read_manifest(text: bytes) -> Manifest:
    """Return what a manifest says; raises BackupError where it is none, or of a later version."""
    try:
        fields: dict[str, Any] = json.loads(text)
        name, version = fields.pop("format"), fields.pop("version")
        if name != NAME:
            raise BackupError(NO_BACKUP)
        if version not in (1, VERSION):
            raise BackupError(
                f"The backup is of version {version}, and version {VERSION} is known here: "
                "restore it with the release that made it, or a later one."
            )
        fields["made_at"] = datetime.fromisoformat(fields["made_at"])
        if version == 1:
            # Sizes and digests of the files, which the digest of the whole file replaces.
            del fields["members"]
        return Manifest(**fields)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise BackupError(NO_BACKUP) from error


def order_of(release: str) -> tuple[int, ...]:
    """Return what releases are ordered by.

    >>> order_of("0.10.0") > order_of("0.9.2")
    True
    """
    return tuple(int(number) for number in re.findall(r"\d+", release))


def check_age(manifest: Manifest, release: str, known: set[str]) -> None:
    """Raise BackupError where a later release made the backup: its tables are not known here."""
    later = order_of(manifest.release) > order_of(release)
    unknown = sorted(set(manifest.migrations) - known)
    if later or unknown:
        why = f" (it has run {unknown[0]})" if unknown else ""
        raise BackupError(
            f"The backup was made by a newer version, {manifest.release}{why}; "
            f"this is {release}: install that version first."
        )
