"""Time zones on a phone: it has no list of them, and is told with each match by which clocks it is read."""

from base64 import b64decode, b64encode
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from tempfile import gettempdir
from zoneinfo import reset_tzpath

from django.utils import timezone

from scoring.locales.zones import known_zones

CLOCKS: dict[str, str] = {}
"""By the address of the match, in which zone its hours are told here."""
FOLDER = Path(gettempdir(), "tricky-zones")
"""Where a phone keeps the zones that it was told."""


def current_clock() -> dict[str, str] | None:
    """Return the zone that is read now and its rules, for a phone; None where nobody packed them."""
    name = timezone.get_current_timezone_name()
    try:
        rules = files("tzdata").joinpath("zoneinfo", name).read_bytes()
    except OSError:
        return None
    return {"zone": name, "rules": b64encode(rules).decode()}


def store_clock(address: str, told: Mapping[str, str] | None) -> None:
    """Tell the hours of a match on this phone as the server did; without a zone as its host does."""
    CLOCKS.pop(address, None)
    if not told:
        return
    path = FOLDER / told["zone"]
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b64decode(told["rules"]))
        reset_tzpath([FOLDER])
        known_zones.cache_clear()
    CLOCKS[address] = told["zone"]
