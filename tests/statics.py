"""Static files as a host sends them, collected once for all runs of what they are made of."""

import fcntl
import os
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from shutil import copytree, rmtree

import pytest

from tricky_site.settings import BASE_DIR

CACHE_FOLDER = BASE_DIR / ".pytest_cache" / "d" / "static"
OTHER_SOURCES = ("uv.lock", "tricky_site/settings.py")
"""What decides beside the files themselves how they are sent."""


def collect_statics(paths: pytest.TempPathFactory) -> Path:
    folder = paths.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    root = folder / "static"
    CACHE_FOLDER.mkdir(parents=True, exist_ok=True)
    with (CACHE_FOLDER / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not root.exists():
            copytree(cached_statics(), root)
    return root


def cached_statics() -> Path:
    """Return where they are kept from run to run; collect them where one has changed."""
    folder = CACHE_FOLDER / digest_of_sources()
    if not folder.exists():
        for older in CACHE_FOLDER.glob("*/"):
            rmtree(older)
        partly = folder.with_suffix(".partly")
        subprocess.run(
            [sys.executable, "manage.py", "collectstatic", "--noinput", "-v", "0"],
            env={**os.environ, "STATIC_ROOT": str(partly)},
            cwd=BASE_DIR,
            check=True,
        )
        partly.rename(folder)
    return folder


def digest_of_sources() -> str:
    sources = [BASE_DIR / name for name in OTHER_SOURCES]
    for part in ("*/static/**/*", "tricky_site/http/*.py"):
        sources += sorted(path for path in BASE_DIR.glob(part) if path.is_file())
    digest = sha256()
    for path in sources:
        digest.update(f"{path.relative_to(BASE_DIR)}\n".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
