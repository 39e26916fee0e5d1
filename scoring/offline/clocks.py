"""Time zones on a phone: it has no database of them, and receives one zone with each match."""

from base64 import b64decode, b64encode
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from tempfile import gettempdir
from zoneinfo import reset_tzpath

from django.utils import timezone

from scoring.locales.zones import known_zone_names

CLOCKS: dict[str, str] = {}
"""Names of time zones by the address of the match."""
FOLDER = Path(gettempdir(), "tricky-zones")
"""The folder with the rules of received time zones."""


def pack_current_time_zone() -> dict[str, str] | None:
    """Return the current time zone and its rules, base64-encoded; None if tzdata lacks it."""
    name = timezone.get_current_timezone_name()
    try:
        rules = files("tzdata").joinpath("zoneinfo", name).read_bytes()
    except OSError:
        return None
    return {"zone": name, "rules": b64encode(rules).decode()}


def store_time_zone(address: str, packed_zone: Mapping[str, str] | None) -> None:
    """Set the time zone of a match on this phone; with None it has the host's."""
    CLOCKS.pop(address, None)
    if not packed_zone:
        return
    path = FOLDER / packed_zone["zone"]
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b64decode(packed_zone["rules"]))
        reset_tzpath([FOLDER])
        known_zone_names.cache_clear()
    CLOCKS[address] = packed_zone["zone"]
