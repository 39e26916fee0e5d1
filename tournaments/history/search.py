"""Finding players, tournaments and days in a club's history."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from django.db.models import Q
from django.utils.dates import MONTHS
from django.utils.translation import override

from scoring.models import Player
from tournaments.models import Club, Entry, Role, Season, Tournament
from tournaments.models.tournaments import begun_between, begun_in
from tournaments.names import name_key, reading_key
from tournaments.people.identities import merges_of, replaced_in, root_of

MOST = 30
YEAR_FIRST = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?")
YEAR_LAST = re.compile(r"(?:(\d{1,2})[./-] ?)?(\d{1,2})[./-] ?(\d{4})")
"""As in 14.3.2026 or 3/2026."""
NAMED_MONTH = re.compile(
    r"(?:(\d{1,2})(?:\.|er)? (?:de )?)?([^\W\d_]+)\.?(?:,? (?:de )?(\d{4}))?"
)
"""As in 14. March 2026, 1er mars 2026, marzo de 2026 or March."""
LEAST_OF_A_NAME = 3
"""Letters by which a month is known, where no other one begins with them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What was found, each the likeliest first."""

    players: Sequence[tuple[int, str, str]]
    """The player, the name they go by, and another one by which they were found."""
    tournaments: Sequence[Tournament]
    seasons: Sequence[Season]

    def __bool__(self) -> bool:
        """Tell whether anything was found."""
        return bool(self.players or self.tournaments or self.seasons)


def days_of(text: str) -> tuple[date, date] | None:
    """Return the first and the last day that a text means; None where it means none.

    Months are known by number, or by their name in the reader's language or in English.

    >>> days_of("2026-03") == days_of("3/2026") == days_of("March 2026")
    True
    >>> days_of("2026-03")
    (datetime.date(2026, 3, 1), datetime.date(2026, 3, 31))
    """
    year, month, day = _year_month_day(name_key(text))
    if year is None:
        return None
    try:
        first = date(year, 1 if month is None else month, 1 if day is None else day)
        if day is not None:
            return first, first
        if month is not None:
            return first, _next_month(first) - timedelta(days=1)
        return first, date(year, 12, 31)
    except ValueError:
        return None


def month_of(text: str) -> tuple[int, int | None] | None:
    """Return the month that a text means without a year, and the day of it where it says one.

    A month by itself has its whole name, because people are called like beginnings of them.

    >>> month_of("March"), month_of("14 March"), month_of("14 Mar"), month_of("Mar")
    ((3, None), (3, 14), (3, 14), None)
    """
    year, month, day = _year_month_day(name_key(text))
    return None if month is None or year is not None else (month, day)


def _year_month_day(key: str) -> tuple[int | None, int | None, int | None]:
    """Return what a text without capitals and marks says of a day; None for what it does not."""
    if match := YEAR_FIRST.fullmatch(key):
        year, month, day = match.groups()
    elif match := YEAR_LAST.fullmatch(key):
        day, month, year = match.groups()
    elif match := NAMED_MONTH.fullmatch(key):
        day, name, year = match.groups()
        month = _month_named(name, is_whole=not (day or year))
        if month is None:
            return None, None, None
    else:
        return None, None, None
    return (
        int(year) if year else None,
        int(month) if month else None,
        int(day) if day else None,
    )


def _month_named(name: str, *, is_whole: bool) -> int | None:
    """Return the month that is called so, or else begins so; None where that leaves a choice."""
    known = [(number, name_key(str(month))) for number, month in MONTHS.items()]
    with override("en"):
        known += [(number, name_key(str(month))) for number, month in MONTHS.items()]
    exactly = {number for number, month in known if month == name}
    begun = {number for number, month in known if month.startswith(name)}
    is_enough = len(name) >= LEAST_OF_A_NAME and not is_whole
    months = exactly or (begun if is_enough else set())
    return months.pop() if len(months) == 1 else None


def _next_month(first: date) -> date:
    year, month = divmod(first.year * 12 + first.month, 12)
    return date(year, month + 1, 1)


def found_in(club: Club, text: str, role: Role | None = None) -> Found:
    """Return what a club has by a name, a code, or a day; see `days_of` and, for any year, `month_of`.

    What is not for everybody is found by whoever has a role. Names are found without
    their marks, and the archive is searched as well.
    """
    days = days_of(text)
    held = Q(name__icontains=text) | Q(code=text.casefold())
    if days is not None:
        first, last = days
        held |= begun_between(first, last, club.zone)
    if month := month_of(text):
        held |= begun_in(*month, club.zone)
    seen = club.tournaments.all().seen_by(role) | club.tournaments.filter(
        listing=Tournament.Listing.ARCHIVED
    )
    tournaments = seen.filter(held).order_by("-starts_at")
    seasons = [
        season
        for season in club.seasons.latest_first()
        if _is_called(season, text)
        or (days and season.starts_on <= days[1] and season.ends_on >= days[0])
    ]
    return Found(
        players=_players(club, text, role),
        tournaments=list(tournaments[:MOST]),
        seasons=seasons[:MOST],
    )


def _is_called(season: Season, text: str) -> bool:
    """Tell whether a text is in the name of a season, as it is stored or as it is shown."""
    names = (season.name, season.shown_name, season.slug)
    return any(text.casefold() in name.casefold() for name in names)


def _players(club: Club, text: str, role: Role | None) -> list[tuple[int, str, str]]:
    key = name_key(text)
    known = club.tournaments.all().known_to(role)
    entries = Entry.objects.filter(tournament__in=known, name_key__contains=key)
    named = entries.order_by("name_key", "name").values_list("player", "name")
    seats = replaced_in(club).filter(match__table__round__tournament__in=known)
    replaced = [
        (player, name)
        for player, name in seats.values_list("player", "name").distinct()
        if key in name_key(name)
    ]
    merged_into = merges_of(club)
    names_by_player: dict[int, str] = {}
    for player, name in [*named.distinct()[: MOST * 4], *replaced]:
        names_by_player.setdefault(root_of(player, merged_into), name)
    players = Player.objects.in_bulk(names_by_player)
    listed = [
        (player, players[player].name, "" if players[player].name == name else name)
        for player, name in names_by_player.items()
    ]
    listed.sort(
        key=lambda row: (not name_key(row[1]).startswith(key), reading_key(row[1]))
    )
    return listed[:MOST]
