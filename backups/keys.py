"""The secrets of a site, which are in no database."""

import shutil
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from django.conf import settings

from backups.archive import MOMENT


def site_keys() -> Iterator[tuple[str, Path, str]]:
    """Return the name of each key, its file, and the key in use, which the environment may set."""
    authority = Path(settings.AUTHORITY_FILE)
    yield "secret-key", Path(settings.SECRET_KEY_FILE), settings.SECRET_KEY
    yield "vapid-key", Path(settings.VAPID_KEY_FILE), settings.VAPID_PRIVATE_KEY
    yield "authority", authority, _read(authority)


def _read(path: Path) -> str:
    return path.read_text().strip() if path.exists() else ""


def restore_keys(room: Path, now: datetime) -> Iterator[str]:
    """Move the keys of a backup to their files, and say what was done with each.

    The key of a file stays next to it.
    """
    for name, path, used in site_keys():
        restored = room / name
        if _read(restored) not in ("", used):
            is_overruled = _read(path) != used
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            if path.exists():
                path.with_name(f"{name}.before-{now:{MOMENT}}").hardlink_to(path)
            shutil.move(restored, path)
            yield f"{name}: restored to {path}"
            if is_overruled:
                yield f"{name}: the environment sets another one, which is used"
