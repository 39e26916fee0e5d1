"""Which backups stay, and how they are told from other files."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from backups.file.atomic import PART, whole_file
from backups.folder import (
    Kept,
    backups_in,
    clear_parts,
    last_backup_at,
    name_of,
    outdated,
)

NIGHT = datetime(2026, 11, 26, 3, 30, tzinfo=UTC)


def nights(count: int) -> list[Kept]:
    made = [NIGHT - timedelta(days=day) for day in range(count)]
    return [Kept(at, Path(name_of(at, is_sealed=False))) for at in made]


def staying(kept: list[Kept], keep: int) -> list[int]:
    """Return how many nights old those are that stay."""
    gone = outdated(kept, keep)
    return [(NIGHT - backup.made_at).days for backup in kept if backup not in gone]


def test_a_week_of_nights_stays_and_the_last_of_each_of_four_weeks_before() -> None:
    # The 26th is a Thursday: the last night of the week before last is a Sunday's.
    assert staying(nights(60), 7) == [0, 1, 2, 3, 4, 5, 6, 7, 11, 18, 25]


def test_nothing_goes_where_there_are_no_more_than_are_to_stay() -> None:
    assert outdated(nights(7), 7) == []


def test_a_site_that_was_off_for_a_year_loses_nothing() -> None:
    old = [Kept(kept.made_at - timedelta(days=400), kept.path) for kept in nights(3)]
    assert outdated(old, 7) == []


def test_other_files_are_no_backups(tmp_path: Path) -> None:
    for name in ("tricky-20261126T033000Z.tar", "tricky.tar", f"{PART}x", "notes.txt"):
        (tmp_path / name).touch()
    assert [kept.path.name for kept in backups_in(tmp_path)] == [
        "tricky-20261126T033000Z.tar"
    ]
    assert last_backup_at(tmp_path) == NIGHT


def test_a_folder_that_is_not_there_has_none(tmp_path: Path) -> None:
    assert last_backup_at(tmp_path / "gone") is None


def fill_the_disk(path: Path) -> None:
    with whole_file(path) as (file, part):
        file.write(b"half of it")
        assert part.stat().st_mode & 0o777 == 0o600
        raise OSError("full")


def test_what_was_being_written_when_it_failed_leaves_nothing_and_what_was_there_stays(
    tmp_path: Path,
) -> None:
    path = tmp_path / "kept" / "file"
    path.parent.mkdir()
    path.write_text("before")
    with pytest.raises(OSError, match="full"):
        fill_the_disk(path)
    assert [kept.read_text() for kept in path.parent.iterdir()] == ["before"]


def test_what_a_killed_backup_left_goes_after_a_day(tmp_path: Path) -> None:
    part = tmp_path / f"{PART}left"
    part.touch()
    written = datetime.fromtimestamp(part.stat().st_mtime, UTC)
    clear_parts(tmp_path, written + timedelta(hours=23))
    assert part.exists()
    clear_parts(tmp_path, written + timedelta(hours=25))
    assert not part.exists()
