"""Search players, tournaments and seasons in a club's history, by name or day."""

import re
from calendar import monthrange
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from django.db.models import Q
from django.utils.dates import MONTHS
from django.utils.translation import override

from scoring.models import Player
from tournaments.models import Club, Entry, Role, Season, Tournament
from tournaments.models.tournaments import starts_in_range, starts_on_month_and_day
from tournaments.names import localized_sort_key, name_key
from tournaments.people.identities import (
    direct_merge_targets,
    root_player,
    substitutes_without_entry,
)

MOST = 30
YEAR = r"(?P<year>\d{4}|\d{2})"
DAY_PATTERNS = tuple(
    re.compile(pattern)
    for pattern in (
        # As in 2026, 2026-03 or 2026-3-14.
        r"(?P<year>\d{4})(?:-(?P<month>\d{1,2})(?:-(?P<day>\d{1,2}))?)?",
        # As in 14.3.2026, 14/3/26, 14.3. or 14/3.
        rf"(?P<day>\d{{1,2}})[./-] ?(?P<month>\d{{1,2}})(?:[./-] ?{YEAR}|\.)?",
        # As in 3/2026.
        r"(?P<month>\d{1,2})[./-] ?(?P<year>\d{4})",
        # As in 14. March 2026, 1er mars 2026, marzo de 2026 or March.
        r"(?:(?P<day>\d{1,2})(?:\.|er)? (?:de )?)?(?P<name>[^\W\d_]+)\.?(?:,? (?:de )?(?P<year>\d{4}))?",
        # As in March 14 or Mar 14, 2026.
        r"(?P<name>[^\W\d_]+)\.? (?P<day>\d{1,2})(?:st|nd|rd|th)?(?:,? (?P<year>\d{4}))?",
    )
)
"""The ways to write a day, matched against text without capitals and accents."""
LEAST_OF_A_NAME = 3
"""The fewest letters that identify a month, if no other month begins with them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResults:
    """The search results, best matches first."""

    players: Sequence[tuple[int, str, str]]
    """Tuples of player id, name, and the other name that matched; empty if it is the same."""
    tournaments: Sequence[Tournament]
    seasons: Sequence[Season]
    is_day: bool
    """Whether the text is a day, a month or a year."""

    def __bool__(self) -> bool:
        return bool(self.players or self.tournaments or self.seasons)


class PartialDay(NamedTuple):
    """A day as written in a text; None for parts that it leaves out."""

    year: int | None
    month: int | None
    day: int | None


EMPTY_DAY = PartialDay(None, None, None)


def parse_day_range(text: str) -> tuple[date, date] | None:
    """Return the first and last day of the range that a text means; None if it means none.

    Months are numbers, or names in the current language or English.

    >>> parse_day_range("2026-03") == parse_day_range("3/2026") == parse_day_range("March 2026")
    True
    >>> parse_day_range("2026-03")
    (datetime.date(2026, 3, 1), datetime.date(2026, 3, 31))
    """
    year, month, day = _parse_partial_day_or_empty(name_key(text))
    if year is None:
        return None
    try:
        first = date(year, 1 if month is None else month, 1 if day is None else day)
        if day is not None:
            return first, first
        if month is not None:
            return first, date(year, month, monthrange(year, month)[1])
        return first, date(year, 12, 31)
    except ValueError:
        return None


def parse_yearless_month_and_day(text: str) -> tuple[int, int | None] | None:
    """Return the month and day of a text without a year; the day may be None.

    None if the text has no month, or has a year.

    >>> parse_yearless_month_and_day("March"), parse_yearless_month_and_day("March 14"), parse_yearless_month_and_day("14.3.")
    ((3, None), (3, 14), (3, 14))
    """
    year, month, day = _parse_partial_day_or_empty(name_key(text))
    return (month, day) if month is not None and year is None else None


def _parse_partial_day_or_empty(folded_text: str) -> PartialDay:
    """Return the day in a text without capitals and accents, or `EMPTY_DAY`."""
    match = next(
        filter(None, (pattern.fullmatch(folded_text) for pattern in DAY_PATTERNS)), None
    )
    if match is None:
        return EMPTY_DAY
    parts = match.groupdict()
    year, month, day = (
        int(part) if (part := parts.get(name)) else None
        for name in ("year", "month", "day")
    )
    if name := parts.get("name"):
        month_names = [
            (number, name_key(str(month))) for number, month in MONTHS.items()
        ]
        with override("en"):
            month_names += [
                (number, name_key(str(month))) for number, month in MONTHS.items()
            ]
        months = {number for number, month_name in month_names if month_name == name}
        if not months and len(name) >= LEAST_OF_A_NAME:
            months = {n for n, month_name in month_names if month_name.startswith(name)}
        if len(months) != 1:
            return EMPTY_DAY
        month = months.pop()
    if year is not None and year < 100:
        year += 2000
    if month is not None and day is not None and month > 12:
        # As in 3/14/2026, which is not ambiguous.
        month, day = day, month
    if month is not None and not 1 <= month <= 12:
        return EMPTY_DAY
    return PartialDay(year, month, day)


def search_club(club: Club, text: str, role: Role | None = None) -> SearchResults:
    """Return the players, tournaments and seasons of a club that match a name, code or day.

    See `parse_day_range` for days and `parse_yearless_month_and_day` for days of any year. Members also find
    tournaments that are not public. Accents in names are ignored, and archived tournaments are
    included.
    """
    days = parse_day_range(text)
    condition = Q(name__icontains=text) | Q(code=text.casefold())
    if days is not None:
        first, last = days
        condition |= starts_in_range(first, last, club.zone)
    month = parse_yearless_month_and_day(text)
    if month is not None:
        condition |= starts_on_month_and_day(*month, club.zone)
    visible = club.tournaments.all().visible_to(role) | club.tournaments.filter(
        listing=Tournament.Listing.ARCHIVED
    )
    tournaments = visible.filter(condition).order_by("-starts_at")
    seasons = [
        season
        for season in club.seasons.latest_first()
        if any(
            text.casefold() in name.casefold()
            for name in (season.name, season.shown_name, season.slug)
        )
        or (days and season.starts_on <= days[1] and season.ends_on >= days[0])
    ]
    key = name_key(text)
    named_tournaments = club.tournaments.all().filter_by_name_visibility(role)
    entries = Entry.objects.filter(
        tournament__in=named_tournaments, name_key__contains=key
    )
    player_names = entries.order_by("name_key", "name").values_list("player", "name")
    named_ids = set(named_tournaments.values_list("pk", flat=True))
    replaced = [
        (player, name)
        for player, name, tournament in substitutes_without_entry(club, "pk")
        if tournament in named_ids and key in name_key(name)
    ]
    merged_into = direct_merge_targets(club)
    names_by_player: dict[int, str] = {}
    for player, name in [*player_names.distinct()[: MOST * 4], *replaced]:
        names_by_player.setdefault(root_player(player, merged_into), name)
    players = Player.objects.in_bulk(names_by_player)
    player_rows = [
        (player, players[player].name, "" if players[player].name == name else name)
        for player, name in names_by_player.items()
    ]
    player_rows.sort(
        key=lambda row: (
            not name_key(row[1]).startswith(key),
            localized_sort_key(row[1]),
        )
    )
    return SearchResults(
        players=player_rows[:MOST],
        tournaments=list(tournaments[:MOST]),
        seasons=seasons[:MOST],
        is_day=days is not None or month is not None,
    )
