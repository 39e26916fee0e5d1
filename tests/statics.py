"""Static files as a host serves them, collected once per state of the sources."""

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
"""Other files that decide how static files are served."""


def collect_statics(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.getbasetemp()
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
    """Return the cached folder of static files; collect them if a source has changed."""
    folder = CACHE_FOLDER / hash_sources()
    if not folder.exists():
        for older in CACHE_FOLDER.glob("*/"):
            rmtree(older)
        unfinished = folder.with_suffix(".partly")
        subprocess.run(
            [sys.executable, "manage.py", "collectstatic", "--noinput", "-v", "0"],
            env={**os.environ, "STATIC_ROOT": str(unfinished)},
            cwd=BASE_DIR,
            check=True,
        )
        unfinished.rename(folder)
    return folder


def hash_sources() -> str:
    sources = [BASE_DIR / name for name in OTHER_SOURCES]
    for pattern in ("*/static/**/*", "tricky_site/http/*.py"):
        sources += sorted(path for path in BASE_DIR.glob(pattern) if path.is_file())
    digest = sha256()
    for path in sources:
        digest.update(f"{path.relative_to(BASE_DIR)}\n".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
