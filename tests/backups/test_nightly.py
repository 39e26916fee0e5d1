"""A site is backed up each night, or within an hour of its start, where there is a folder."""

import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from backups.folder import backups_in, name_of
from backups.tasks import back_up, back_up_when_due, due_since, is_due
from tricky_site.celery import app

NOON = datetime(2026, 11, 26, 12, 0, tzinfo=UTC)
EARLY = datetime(2026, 11, 26, 3, 29, tzinfo=UTC)


@pytest.fixture
def folder(settings: Any, tmp_path: Path) -> Path:
    """Return the folder of a site's backups."""
    settings.BACKUP_FOLDER = str(tmp_path / "kept")
    (tmp_path / "kept").mkdir()
    return tmp_path / "kept"


def test_the_night_begins_at_half_past_three_where_the_site_is() -> None:
    assert due_since(NOON).hour == 3
    assert due_since(EARLY).day == 25
    with timezone.override("Europe/Berlin"):
        assert due_since(NOON).astimezone(UTC).hour == 2


def test_a_backup_is_due_once_a_night(folder: Path) -> None:
    assert is_due(NOON)
    (folder / name_of(EARLY, is_sealed=False)).touch()
    assert not is_due(EARLY)
    assert is_due(NOON)
    (folder / name_of(NOON, is_sealed=True)).touch()
    assert not is_due(NOON)


def test_none_is_due_where_no_folder_is_named() -> None:
    assert not is_due(NOON)


@pytest.mark.django_db(transaction=True)
def test_a_site_without_a_worker_makes_it_beside_its_beat(folder: Path) -> None:
    assert back_up_when_due()
    # Another process that has a beat asks at the same moment.
    assert not back_up_when_due()
    deadline = time.monotonic() + 60
    while not backups_in(folder):
        assert time.monotonic() < deadline, "no backup was made"
        time.sleep(0.1)
    assert len(backups_in(folder)) == 1


@pytest.mark.django_db(transaction=True)
def test_one_that_cannot_be_made_is_logged_with_its_reason(
    settings: Any, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").touch()
    settings.BACKUP_FOLDER = str(tmp_path / "file")
    assert not back_up()
    assert "No backup was made: The backup cannot be written to" in caplog.text


def test_the_beat_asks_each_hour() -> None:
    entry = app.conf.beat_schedule["backup"]
    assert entry["task"] == back_up_when_due.name
    assert entry["schedule"].minute == {30}
