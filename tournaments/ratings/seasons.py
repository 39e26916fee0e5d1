"""Half years, the seasons that need no setup."""

from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True)
class HalfYear:
    """The spring or autumn season of a year."""

    slug: str
    starts_on: date
    ends_on: date
    """The last day."""


def half_year_containing(day: date) -> HalfYear:
    """Return the half year that contains a day.

    >>> half_year_containing(date(2026, 3, 14)).slug, half_year_containing(date(2026, 11, 2)).slug
    ('2026-spring', '2026-autumn')
    """
    year = day.year
    if day.month <= 6:
        return HalfYear(f"{year}-spring", date(year, 1, 1), date(year, 6, 30))
    return HalfYear(f"{year}-autumn", date(year, 7, 1), date(year, 12, 31))
