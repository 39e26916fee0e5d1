"""Several players who share a phone."""

from collections.abc import Sequence
from typing import NamedTuple

from django.contrib.humanize.templatetags.humanize import ordinal
from django.urls import reverse
from django.utils.translation import gettext as _

from tournaments.models import Entry, Round, Standings, Table, Tournament
from tournaments.web.night.pages import latest_round
from tournaments.web.night.status import waiting_words

GONE = (Entry.State.DROPPED, Entry.State.NO_SHOW)


class FamilyLine(NamedTuple):
    """One of those who share a phone, as the switch names them."""

    entry: Entry
    words: str
    """Where they have to be, or how they stand."""
    onward: str
    """Where the next tap for them is done: at their pad, or the result of their table."""
    onward_words: str

    @property
    def news(self) -> str:
        """Return what differs whenever they have to look: places change with every hand elsewhere."""
        return repr((self.entry.pk, self.onward, self.onward_words))


def family_lines(
    tournament: Tournament, family: Sequence[Entry], shown: Standings | None
) -> list[FamilyLine]:
    """Return what each of a family has to know first; `shown` are the public standings."""
    current = latest_round(tournament)
    tables = {} if current is None else _tables_of(current, family)
    lines = list(shown.lines()) if shown else []
    ranks = {line.entry_id: line.rank for line in lines if line.tables}
    return [
        FamilyLine(
            entry,
            _words(tournament, entry, tables.get(entry.pk), ranks.get(entry.pk)),
            *_onward(tournament, current, entry, tables.get(entry.pk)),
        )
        for entry in family
    ]


def _tables_of(round_: Round, family: Sequence[Entry]) -> dict[int, Table]:
    if round_.state == Round.State.CLOSED:
        return {}
    places = round_.places.filter(entry__in=family).select_related("table__match")
    return {place.entry_id: place.table for place in places}


def _onward(
    tournament: Tournament, current: Round | None, entry: Entry, table: Table | None
) -> tuple[str, str]:
    """Return the address and the words of the next tap; both empty where there is none."""
    if current is None or table is None or table.match is None:
        return "", ""
    if not table.match.finished:
        return table.match.get_absolute_url(), _("To the pad")
    place = [tournament.address, current.number, table.number]
    at_table = reverse("tournaments:table", args=place)
    return f"{at_table}?for={entry.number}", _("Look at the result")


def _words(
    tournament: Tournament, entry: Entry, table: Table | None, rank: int | None
) -> str:
    if tournament.phase == Tournament.Phase.FINISHED and rank is not None:
        return str(ordinal(rank))
    if entry.state in GONE:
        return entry.get_state_display()
    if entry.state == Entry.State.WAITING:
        return waiting_words(entry)
    if table is not None and table.match is not None and table.match.finished:
        return _("table %(number)s is over") % {"number": table.number}
    if table is not None:
        return _("table %(number)s") % {"number": table.number}
    if rank is not None:
        return _("%(place)s now") % {"place": ordinal(rank)}
    return entry.get_state_display()
