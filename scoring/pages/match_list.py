"""Matches in a list: the winners or leaders of each, the other players, and the best total."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import urlencode

from django.utils.translation import gettext, ngettext

from scoring.competition import competition
from scoring.games.registry import table_game
from scoring.games.words import result_headline
from scoring.locales.sentences import join_names
from scoring.models import Match
from scoring.models.matches import MatchQuerySet

MAX_NAMES = 4
"""The number of other players that are named; more are only counted."""


MAX_EARLIER = 5
"""The number of earlier titles and options that a new match offers."""


class EarlierOptions(NamedTuple):
    """The title and options of an earlier match, for a new one."""

    label: str
    query: str
    """The query of the URL of a new match."""


def earlier_options(matches: MatchQuerySet) -> Sequence[EarlierOptions]:
    """Return the distinct titles and options of these matches, the latest first; one query."""
    rows = matches.exclude(options={}).newest_first().values_list("game", "options")
    earlier: dict[str, EarlierOptions] = {}
    for game, options in rows:
        if label := table_game(game).describe_options(options):
            values = {name: value for name, value in options.items() if value}
            query = urlencode({"game": game, **values})
            earlier.setdefault(label, EarlierOptions(label, query))
    return list(earlier.values())[:MAX_EARLIER]


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchListItem:
    match: Match
    headline: str
    """The winners or leaders, in words."""
    others: str
    """The other players; empty if there are none."""
    points: int
    """The total of the best seat."""


def list_match_items(matches: Iterable[Match]) -> Sequence[MatchListItem]:
    """Return the lines of a list of matches; they must be fetched with their seats."""
    rows = []
    for match in matches:
        seats = list(match.seats.all())
        if match.finished:
            first = [seat for seat in seats if seat.won]
        else:
            first = [seat for seat in seats if match.hands_played and seat.rank == 1]
        names = [seat.name for seat in first]
        if not names:
            headline = gettext("Not started")
        elif match.finished:
            headline = result_headline(names, competition().result_state(match))
        else:
            template = ngettext("%(names)s leads", "%(names)s lead", len(names))
            headline = template % {"names": join_names(names)}
        other_names = [seat.name for seat in seats if seat not in first]
        rows.append(
            MatchListItem(
                match=match,
                headline=headline,
                others=", ".join(other_names)
                if len(other_names) <= MAX_NAMES
                else gettext("%(n)s players") % {"n": len(seats)},
                points=min(seats, key=lambda seat: seat.rank).total if seats else 0,
            )
        )
    return rows
