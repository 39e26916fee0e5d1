"""Private files of a site are readable only by its owner, whatever the umask."""

import os
import subprocess
import sys
from pathlib import Path

from django.conf import settings

from tricky_site.beat import PersistentClockTolerantScheduler
from tricky_site.celery import app

ROOT = Path(settings.BASE_DIR)
USUAL_UMASK = 0o022
"""The usual umask, with which others may read new files."""


def file_mode(path: Path) -> str:
    return oct(path.stat().st_mode & 0o777)


def create_site(folder: Path) -> None:
    subprocess.run(
        [sys.executable, "manage.py", "migrate", "--check"],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "TRICKY_VAR": str(folder)},
        umask=USUAL_UMASK,
        capture_output=True,
        check=False,
    )


def test_new_sites_database_and_secrets_are_private(tmp_path: Path) -> None:
    folder = tmp_path / "of a new club" / "var"
    create_site(folder)
    assert file_mode(folder) == "0o700"
    modes = {path.name: (path.is_dir(), file_mode(path)) for path in folder.iterdir()}
    assert {"tricky.sqlite3", "secret-key", "vapid-key"} <= set(modes)
    assert set(modes.values()) <= {(False, "0o600"), (True, "0o700")}, modes


def test_existing_folder_keeps_its_permissions(tmp_path: Path) -> None:
    folder = tmp_path / "var"
    folder.mkdir(mode=0o755)
    create_site(folder)
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
