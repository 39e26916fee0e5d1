"""The secrets of a site that stand in no database."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from django.conf import settings

from backups.file.atomic import write_private


@dataclass(frozen=True, slots=True)
class Key:
    """A secret, as this site has it."""

    name: str
    path: Path
    """Where it is kept, unless the environment says it."""
    text: str
    """Empty where there is none yet."""

    @property
    def is_of_the_environment(self) -> bool:
        """Tell whether the file is not asked."""
        return bool(self.text) and _text_of(self.path) != self.text


def _text_of(path: Path) -> str:
    return path.read_text().strip() if path.is_file() else ""


def site_keys() -> list[Key]:
    """Return what signs sessions, what devices are told, and https in a room."""
    authority = Path(settings.AUTHORITY_FILE)
    return [
        Key("secret-key", Path(settings.SECRET_KEY_FILE), settings.SECRET_KEY),
        Key("vapid-key", Path(settings.VAPID_KEY_FILE), settings.VAPID_PRIVATE_KEY),
        Key("authority", authority, _text_of(authority)),
    ]


def put_back_keys(restored: Mapping[str, str], now: datetime) -> list[str]:
    """Keep the keys of a backup in their files; return what was done, a line each.

    What stood in a file is kept beside it. A key that the environment says holds on, and is
    named where it is another one.
    """
    lines = []
    for key in site_keys():
        text = restored.get(key.name)
        if text is None or text == key.text:
            continue
        if key.is_of_the_environment:
            aside = key.path.with_name(f"{key.name}.restored")
            write_private(aside, text)
            lines.append(
                f"{key.name}: the environment names another one, which holds on; that of the "
                f"backup is in {aside}."
            )
            continue
        if key.text:
            before = key.path.with_name(f"{key.name}.before-{now:%Y%m%dT%H%M%SZ}")
            write_private(before, key.text)
        key.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_private(key.path, text)
        beside = "; what was there stays beside it" if key.text else ""
        lines.append(f"{key.name}: restored to {key.path}{beside}.")
    return lines
