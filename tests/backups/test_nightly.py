"""A site with a backup folder is backed up each night, or within an hour of its start."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.utils import timezone

from backups.archive import file_name, list_backups
from backups.tasks import back_up_when_due, is_due

NOON = datetime(2026, 11, 26, 12, 0, tzinfo=UTC)
EARLY = datetime(2026, 11, 26, 3, 29, tzinfo=UTC)


@pytest.fixture
def folder(settings: Any, tmp_path: Path) -> Path:
    settings.BACKUP_FOLDER = str(tmp_path / "kept")
    (tmp_path / "kept").mkdir()
    return tmp_path / "kept"


def test_backup_is_due_once_a_night(folder: Path) -> None:
    assert is_due(NOON)
    (folder / file_name(EARLY)).touch()
    assert not is_due(EARLY)
    assert is_due(NOON)
    (folder / file_name(NOON)).touch()
    assert not is_due(NOON)


def test_night_begins_at_half_past_three_local_time(folder: Path) -> None:
    (folder / file_name(datetime(2026, 11, 26, 2, 0, tzinfo=UTC))).touch()
    with timezone.override("Europe/Berlin"):
        assert not is_due(datetime(2026, 11, 26, 2, 29, tzinfo=UTC))
        assert is_due(datetime(2026, 11, 26, 2, 30, tzinfo=UTC))


def test_no_backup_is_due_without_a_folder() -> None:
    assert not is_due(NOON)


@pytest.mark.django_db(transaction=True)
def test_due_backup_is_made_once_and_old_ones_are_removed(
    folder: Path, settings: Any
) -> None:
    settings.BACKUP_KEEP = 1
    (folder / file_name(EARLY)).touch()
    assert back_up_when_due()
    assert not back_up_when_due()
    ((made_at, _path),) = list_backups(folder)
    assert made_at > EARLY


@pytest.mark.django_db(transaction=True)
def test_simultaneous_process_makes_no_second_backup(folder: Path) -> None:
    cache.add("backup", 1, 60)
    assert not back_up_when_due()
    assert list_backups(folder) == []


@pytest.mark.django_db(transaction=True)
def test_failed_backup_is_logged_with_its_reason(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder.rmdir()
    folder.touch()
    assert not back_up_when_due()
    assert f"No backup was made: {folder}: " in caplog.text
