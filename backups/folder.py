"""The folder of a site's backups: how they are called, which stay, when the last one was."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from backups.file.atomic import PART

NAME = re.compile(r"tricky-(\d{8}T\d{6})Z\.tar(\.age)?")
MOMENT = "%Y%m%dT%H%M%S"
WEEKS = 4
"""Of how many weeks before the newest ones the last of each stays."""


@dataclass(frozen=True, slots=True, order=True)
class Kept:
    """A backup in the folder."""

    made_at: datetime
    path: Path


def name_of(made_at: datetime, *, is_sealed: bool) -> str:
    """Return how a backup is called.

    >>> name_of(datetime(2026, 11, 26, 3, 30, tzinfo=UTC), is_sealed=True)
    'tricky-20261126T033000Z.tar.age'
    """
    ending = ".tar.age" if is_sealed else ".tar"
    return f"tricky-{made_at.astimezone(UTC):{MOMENT}}Z{ending}"


def backups_in(folder: Path) -> list[Kept]:
    """Return the backups in a folder by their names, oldest first; none where it cannot be read."""
    try:
        paths = list(folder.iterdir())
    except OSError:
        return []
    named = [(NAME.fullmatch(path.name), path) for path in paths]
    return sorted(
        Kept(datetime.strptime(match[1], MOMENT).replace(tzinfo=UTC), path)
        for match, path in named
        if match
    )


def last_backup_at(folder: Path) -> datetime | None:
    """Return when the newest backup was made."""
    kept = backups_in(folder)
    return kept[-1].made_at if kept else None


def outdated(kept: Iterable[Kept], keep: int) -> list[Kept]:
    """Return what need not stay: neither of the newest, nor the last of a week before them.

    Numbers, not ages: a site that was off for a year loses nothing.
    """
    newest_first = sorted(kept, reverse=True)
    last_of_week: dict[tuple[int, int], Kept] = {}
    for backup in newest_first[keep:]:
        year, week, _day = backup.made_at.isocalendar()
        last_of_week.setdefault((year, week), backup)
    stay = list(last_of_week.values())[:WEEKS]
    return [backup for backup in newest_first[keep:] if backup not in stay]


def clear_parts(folder: Path, now: datetime) -> None:
    """Remove what a backup left that was killed a day ago or earlier."""
    for path in folder.glob(f"{PART}*"):
        changed = datetime.fromtimestamp(path.stat().st_mtime, UTC)
        if changed < now - timedelta(days=1):
            path.unlink(missing_ok=True)
