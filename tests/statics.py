"""Static files as a host sends them, collected once for all processes of a run."""

import fcntl
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tricky_site.settings import BASE_DIR

DONE = "collected"


def collected(paths: pytest.TempPathFactory) -> Path:
    """Return where they lie."""
    folder = paths.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    root = folder / "static"
    with (folder / "static.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / DONE).exists():
            subprocess.run(
                [sys.executable, "manage.py", "collectstatic", "--noinput", "-v", "0"],
                env={**os.environ, "STATIC_ROOT": str(root)},
                cwd=BASE_DIR,
                check=True,
            )
            (folder / DONE).touch()
    return root
