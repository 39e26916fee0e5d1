"""What a site writes for itself is its owner's to read, whatever the machine's habit is."""

import os
import subprocess
import sys
from pathlib import Path

from django.conf import settings

from tricky_site.beat import PersistentClockTolerantScheduler
from tricky_site.celery import app

ROOT = Path(settings.BASE_DIR)
OPEN_TO_ALL = 0o022
"""The usual mask, by which others may read what a program makes."""


def file_mode(path: Path) -> str:
    return oct(path.stat().st_mode & 0o777)


def check(folder: Path) -> None:
    subprocess.run(
        [sys.executable, "manage.py", "migrate", "--check"],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "TRICKY_VAR": str(folder)},
        umask=OPEN_TO_ALL,
        capture_output=True,
        check=False,
    )


def test_new_sites_database_and_secrets_are_private(tmp_path: Path) -> None:
    folder = tmp_path / "of a new club" / "var"
    check(folder)
    assert file_mode(folder) == "0o700"
    made = {path.name: (path.is_dir(), file_mode(path)) for path in folder.iterdir()}
    assert {"tricky.sqlite3", "secret-key", "vapid-key"} <= set(made)
    assert set(made.values()) <= {(False, "0o600"), (True, "0o700")}, made


def test_existing_folder_keeps_its_permissions(tmp_path: Path) -> None:
    folder = tmp_path / "var"
    folder.mkdir(mode=0o755)
    check(folder)
    assert file_mode(folder) == "0o755"
    assert file_mode(folder / "tricky.sqlite3") == "0o600"


def test_beat_schedule_is_in_a_private_folder(
    tmp_path: Path,
) -> None:
    assert Path(settings.CELERY_BEAT_SCHEDULE_FILENAME).parent == settings.VAR_DIR
    file = tmp_path / "var" / "beat"
    beat = PersistentClockTolerantScheduler(app, schedule_filename=str(file))
    beat.close()
    assert file_mode(file.parent) == "0o700"
    assert list(file.parent.iterdir())
