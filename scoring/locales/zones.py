"""Whose clock shows an hour: a person's own, else that of the club, else the host's."""

from contextlib import AbstractContextManager
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

LONGEST_NAME = 64
"""Letters of a name, as columns keep it."""
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
"""In which zones are named after a city, as people find them."""
NO_PLACES = frozenset({"Factory", "localtime"})
"""What machines keep among zones, and means none."""


def host_zone() -> str:
    name: str = settings.TIME_ZONE
    return name


@cache
def known_zones() -> frozenset[str]:
    """Return the names of all zones, as IANA has them."""
    return frozenset(available_timezones() - NO_PLACES)


@cache
def offered_zones() -> tuple[str, ...]:
    """Return the names that are offered, in order: older ones are understood, and not proposed."""
    of_places = (name for name in known_zones() if name.split("/")[0] in REGIONS)
    return (*sorted(of_places), "UTC")


def get_zone(*names: str) -> ZoneInfo:
    """Return the first of these zones that there is, else the host's.

    >>> get_zone("", "Nowhere/Atlantis", "Europe/Berlin", "UTC").key
    'Europe/Berlin'
    """
    return ZoneInfo(
        next((name for name in names if name in known_zones()), host_zone())
    )


def keeping_time(*names: str) -> AbstractContextManager[None]:
    """Read clocks in the first of these zones that there is, else in the host's."""
    return timezone.override(get_zone(*names))


def check_zone(name: str) -> None:
    """Raise ValidationError for what names no zone that is known here."""
    if name not in known_zones():
        raise ValidationError(
            _("“%(text)s” is no time zone. Write it as in Europe/Berlin, or its city."),
            params={"text": name},
        )


def find_zone(text: str) -> str:
    """Return the name of the zone that somebody wrote, by its city alone if they like; else nothing.

    >>> find_zone("europe/berlin"), find_zone("New York"), find_zone("Atlantis")
    ('Europe/Berlin', 'America/New_York', '')
    """
    wanted = "_".join(text.split()).casefold()
    for name in sorted(known_zones()):
        if name.casefold() == wanted:
            return name
    for name in offered_zones():
        if name.casefold().rpartition("/")[2] == wanted:
            return name
    return ""
