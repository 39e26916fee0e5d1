"""Matches in a list: who has won or leads each, against whom, and with how many points."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext, ngettext

from scoring.competition import competition
from scoring.games.words import join_names, result_headline
from scoring.models import Match

MOST_NAMED = 4
"""How many others are named; more of them are counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedMatch:
    """One match of a list."""

    match: Match
    headline: str
    """Who has won, or leads."""
    others: str
    """Against whom; empty for nobody."""
    points: int
    """What the best has."""


def list_matches(matches: Iterable[Match]) -> Sequence[PlayedMatch]:
    """Return matches, fetched with their seats, as they are listed."""
    listed = []
    for match in matches:
        seats = list(match.seats.all())
        if match.finished:
            first = [seat for seat in seats if seat.won]
        else:
            first = [seat for seat in seats if match.hands_played and seat.rank == 1]
        names = [seat.name for seat in first]
        if not names:
            headline = gettext("Not begun")
        elif match.finished:
            headline = result_headline(names, competition().result_state(match))
        else:
            words = ngettext("%(names)s leads", "%(names)s lead", len(names))
            headline = words % {"names": join_names(names)}
        others = [seat.name for seat in seats if seat not in first]
        listed.append(
            PlayedMatch(
                match=match,
                headline=headline,
                others=", ".join(others)
                if len(others) <= MOST_NAMED
                else gettext("%(n)s players") % {"n": len(seats)},
                points=min(seats, key=lambda seat: seat.rank).total if seats else 0,
            )
        )
    return listed
