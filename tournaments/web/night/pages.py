"""What all pages of a tournament share: headline, navigation, free places."""

from collections.abc import Sequence
from fractions import Fraction
from math import ceil
from typing import NamedTuple

from django.db.models import Count
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from scoring.games.words import join_names
from tournaments.exact import mixed
from tournaments.models import SHOWN, Round, StandingsRow, Table, Tournament
from tournaments.models.round_names import round_name, round_subject
from tournaments.web.standings.lines import winners_headline
from tournaments.web.standings.prospects import FEW


class Segment(NamedTuple):
    words: str
    address: str
    is_here: bool


class NightHeadline(NamedTuple):
    sentence: str
    """Empty where the tournament's name stands there."""
    round_words: str
    """Which round of how many; empty before the first, and where there are none."""
    begins_soon: str
    """That a round is seated; empty unless one is about to begin."""


class OwnTable(NamedTuple):
    """Where a player plays now, and who else sits there."""

    table: Table
    others: str

    @property
    def sheet(self) -> str:
        """The address of the scorepad; empty before the round begins."""
        match = self.table.match
        return match.get_absolute_url() if match is not None else ""


def _other_names(table: Table, entry: int) -> list[str]:
    return [place.name for place in table.places.all() if place.entry_id != entry]


def own_table(tournament: Tournament, entry: int | None) -> OwnTable | None:
    """Return where a player plays in the round that is on; None if they do not."""
    if entry is None or tournament.phase == Tournament.Phase.FINISHED:
        return None
    on = (Round.State.PUBLISHED, Round.State.RUNNING)
    tables = Table.objects.with_people().select_related("round").filter(void=False)
    mine = tables.filter(
        round__tournament=tournament, round__state__in=on, places__entry=entry
    )
    if tournament.is_league:
        mine = mine.filter(match__finished=False)
    table = mine.order_by("-round__number", "-number").first()
    if table is None:
        return None
    return OwnTable(table, join_names([*_other_names(table, entry), _("you")]))


def open_tables(tournament: Tournament, entry: int) -> list[OwnTable]:
    """Return the tables of a player whose match is not over or whose result is open, the latest first."""
    tables = Table.objects.with_people().select_related("round", "match")
    mine = tables.filter(round__tournament=tournament, places__entry=entry)
    still = mine.without_final_result(tournament.quorum)
    return [
        OwnTable(table, join_names(_other_names(table, entry)))
        for table in still.order_by("-round__number", "-number")
    ]


def segments(
    tournament: Tournament, here: str, shown: Round | None = None
) -> list[Segment]:
    """Return the pages of a tournament, of which one is here; none where there is one.

    `here` is `standings`, `round` or `seats`; the round is that which is looked at, else
    the latest.
    """
    round_ = shown or latest_round(tournament)
    if round_ is None:
        return []
    at_round = reverse("tournaments:round", args=[tournament.address, round_.number])
    pages = [
        ("standings", _("Standings"), tournament.get_absolute_url()),
        ("round", round_name(round_), at_round),
    ]
    if not tournament.is_league:
        pages.append(("seats", _("Seats"), f"{at_round}?seats"))
    return [Segment(words, address, name == here) for name, words, address in pages]


def round_segments(
    tournament: Tournament, shown: Round, *, by_name: bool
) -> list[Segment]:
    """Return all rounds that are shown; none where there is but one."""
    rounds = tournament.rounds.filter(state__in=SHOWN).order_by("number")
    counted = rounds.annotate(seated=Count("tables"))
    pages = [
        Segment(
            round_name(round_, round_.seated),
            reverse("tournaments:round", args=[tournament.address, round_.number])
            + ("?seats" if by_name else ""),
            round_.pk == shown.pk,
        )
        for round_ in counted
    ]
    return pages if len(pages) > 1 else []


def latest_round(tournament: Tournament) -> Round | None:
    """Return the last round of which everybody may see who sits where."""
    return tournament.rounds.filter(state__in=SHOWN).order_by("-number").first()


def headline(
    tournament: Tournament, current: Round | None, rows: Sequence[StandingsRow]
) -> NightHeadline:
    sentence = round_words = ""
    if rows and tournament.phase == Tournament.Phase.FINISHED:
        sentence = winners_headline(rows)
    elif current is not None and current.plays_off:
        sentence = _remaining_sentence(current)
    elif tournament.is_league:
        sentence = _leader_sentence(rows)
    if current is not None and current.plays_off:
        round_words = round_name(current)
    elif current is not None and not tournament.is_league:
        planned = max(tournament.rounds_planned, current.number)
        words = _("round %(number)s of %(n)s")
        round_words = words % {"number": current.number, "n": planned}
    is_published = current is not None and current.state == Round.State.PUBLISHED
    return NightHeadline(
        sentence=sentence,
        round_words=round_words,
        begins_soon=begins_soon(current) if current and is_published else "",
    )


def begins_soon(round_: Round) -> str:
    words = _("The seats are published. %(round)s begins soon.")
    return words % {"round": round_subject(round_)}


def _leader_sentence(rows: Sequence[StandingsRow]) -> str:
    """Return who leads a league, and by how much; empty before the first result."""
    if not any(row.tables for row in rows):
        return ""
    level = sorted(row.names for row in rows if row.rank == 1)
    if len(level) > 1:
        if len(level) > FEW:
            return _("%(n)s players share the lead.") % {"n": len(level)}
        return _("%(names)s share the lead.") % {"names": join_names(level)}
    first, *others = rows
    if not others:
        return pgettext("standings", "%(name)s leads.") % {"name": first.names}
    gap = Fraction(first.points) - Fraction(others[0].points)
    if not gap:
        words = _("%(name)s leads, level with %(second)s on points.")
        return words % {"name": first.names, "second": others[0].names}
    words = _("%(name)s leads %(second)s by %(gap)s.")
    return words % {
        "name": first.names,
        "second": others[0].names,
        "gap": mixed(gap),
    }


def _remaining_sentence(current: Round) -> str:
    sat = current.places.order_by("table__number", "index")
    names = list(sat.values_list("entry__name", flat=True))
    tables = current.tables.count()
    is_over = current.state == Round.State.CLOSED
    who = join_names(names) if 0 < len(names) <= FEW else ""
    if tables == 1:
        if is_over:
            return _("The final is played.")
        if who:
            return _("%(names)s play the final.") % {"names": who}
        return _("%(n)s play the final.") % {"n": len(names)}
    if is_over:
        # Who goes on is known with the next seating.
        return (
            _("The semi-finals are played.")
            if tables == 2
            else _("%(round)s is over.") % {"round": round_subject(current, tables)}
        )
    if tables == 2:
        if who:
            return _("%(names)s are in the semi-finals.") % {"names": who}
        return _("%(n)s are in the semi-finals.") % {"n": len(names)}
    words = ngettext("%(n)s is still in.", "%(n)s are still in.", len(names))
    return words % {"n": len(names)}


WIDEST, MOST = 16, 96
"""Holes in a row, and how many are drawn at all."""
LEFT, RIGHT = 2, 98
"""Where the first hole of a whole row is and the last, in percent of its width."""


class HoleRow(NamedTuple):
    """A row of holes, of which the first have pegs.

    The ends are in percent; a length is the number of steps between holes, and a
    hundredth, without which rounding would drop the last one.
    """

    end: str
    length: str
    taken_end: str
    taken_length: str
    """Both empty where no hole has a peg."""


def holes(taken: int, capacity: int) -> list[HoleRow]:
    """Return rows of about the same length; none where nobody knows how many places there are.

    >>> [row.length for row in holes(23, 32)], holes(23, 32)[1].taken_length
    (['15.01', '15.01'], '6.01')
    >>> holes(3, 0), holes(3, 200)
    ([], [])
    """
    if not 0 < capacity <= MOST:
        return []
    width = ceil(capacity / ceil(capacity / WIDEST))
    rows = []
    for first in range(0, capacity, width):
        count = min(width, capacity - first)
        pegs = min(max(0, taken - first), count)
        rows.append(
            HoleRow(*_line(count, width), *(_line(pegs, width) if pegs else ("", "")))
        )
    return rows


def _line(count: int, width: int) -> tuple[str, str]:
    steps = count - 1 + 0.01
    end = LEFT + (RIGHT - LEFT) * steps / max(1, width - 1)
    return f"{end:.2f}%", f"{steps:.2f}"
