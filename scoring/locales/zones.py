"""Time zones: that of the visitor, else that of the club, else that of the server."""

from contextlib import AbstractContextManager
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

LONGEST_NAME = 64
"""Length of the database columns for names of zones."""
REGIONS = (
    "Africa",
    "America",
    "Antarctica",
    "Arctic",
    "Asia",
    "Atlantic",
    "Australia",
    "Europe",
    "Indian",
    "Pacific",
)
"""Regions in which zones are named after a city."""
NON_ZONES = frozenset({"Factory", "localtime"})
"""Names in the zone database of a machine that are not time zones."""


def host_zone() -> str:
    name: str = settings.TIME_ZONE
    return name


@cache
def known_zone_names() -> frozenset[str]:
    """Return the names of all IANA time zones."""
    return frozenset(available_timezones() - NON_ZONES)


@cache
def offered_zone_names() -> tuple[str, ...]:
    """Return the names that are offered, in order. Old names are accepted, but not offered."""
    city_zones = (name for name in known_zone_names() if name.split("/")[0] in REGIONS)
    return (*sorted(city_zones), "UTC")


def first_known_zone(*names: str) -> ZoneInfo:
    """Return the first of these zones that exists, else that of the server.

    >>> first_known_zone("", "Nowhere/Atlantis", "Europe/Berlin", "UTC").key
    'Europe/Berlin'
    """
    return ZoneInfo(
        next((name for name in names if name in known_zone_names()), host_zone())
    )


def use_time_zone(*names: str) -> AbstractContextManager[None]:
    """Use the first of these zones that exists, else that of the server, in a block."""
    return timezone.override(first_known_zone(*names))


def check_zone(name: str) -> None:
    """Raise ValidationError if there is no zone with this name."""
    if name not in known_zone_names():
        raise ValidationError(
            _("“%(text)s” isn’t a time zone. Enter one like Europe/Berlin, or a city."),
            params={"text": name},
        )


def find_zone_name(text: str) -> str:
    """Return the name of the zone for typed text, which may be just its city; empty if unknown.

    >>> find_zone_name("europe/berlin"), find_zone_name("New York"), find_zone_name("Atlantis")
    ('Europe/Berlin', 'America/New_York', '')
    """
    wanted = "_".join(text.split()).casefold()
    for name in sorted(known_zone_names()):
        if name.casefold() == wanted:
            return name
    for name in offered_zone_names():
        if name.casefold().rpartition("/")[2] == wanted:
            return name
    return ""
