"""Shared parts of a tournament's pages: headline, navigation, free places."""

from collections.abc import Sequence
from fractions import Fraction
from math import ceil
from typing import NamedTuple

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from scoring.locales.sentences import join_names
from tournaments.exact import format_exact_number
from tournaments.models import Round, StandingsRow, Table, Tournament
from tournaments.models.round_names import round_name, round_subject
from tournaments.web.standings.lines import winners_headline
from tournaments.web.standings.prospects import FEW


class PageLink(NamedTuple):
    label: str
    address: str
    is_here: bool


class NightHeadline(NamedTuple):
    sentence: str
    """Empty if the page shows the tournament's name instead."""
    round_label: str
    """The round and the number of rounds; empty before the first, and for a league's matches."""
    begins_soon: str
    """A sentence about a published round that has not begun; else empty."""


class OwnTable(NamedTuple):
    """A player's table, with the names of the others in one phrase."""

    table: Table
    other_names: str

    @property
    def match_url(self) -> str:
        """URL of the match; empty before the round begins."""
        match = self.table.match
        return match.get_absolute_url() if match is not None else ""


def _other_player_names(table: Table, entry: int) -> list[str]:
    return [place.name for place in table.places.all() if place.entry_id != entry]


def own_table(tournament: Tournament, entry: int | None) -> OwnTable | None:
    """Return the table of an entry in the published or running round; None without one."""
    if entry is None or tournament.phase == Tournament.Phase.FINISHED:
        return None
    states = (Round.State.PUBLISHED, Round.State.RUNNING)
    tables = (
        Table.objects.with_places_and_entries()
        .select_related("round")
        .filter(void=False)
    )
    tables_of_entry = tables.filter(
        round__tournament=tournament, round__state__in=states, places__entry=entry
    )
    if tournament.is_league:
        tables_of_entry = tables_of_entry.filter(match__finished=False)
    table = tables_of_entry.order_by("-round__number", "-number").first()
    if table is None:
        return None
    return OwnTable(table, join_names([*_other_player_names(table, entry), _("you")]))


def tables_without_final_result(tournament: Tournament, entry: int) -> list[OwnTable]:
    """Return the tables of an entry without a final result, the latest first."""
    tables = Table.objects.with_places_and_entries().select_related("round", "match")
    tables_of_entry = tables.filter(round__tournament=tournament, places__entry=entry)
    unsettled = tables_of_entry.without_final_result(tournament.quorum)
    return [
        OwnTable(table, join_names(_other_player_names(table, entry)))
        for table in unsettled.order_by("-round__number", "-number")
    ]


def tournament_page_links(
    tournament: Tournament, current_page: str, round_: Round | None = None
) -> list[PageLink]:
    """Return the links between the pages of a tournament; empty before the first round.

    `current_page` is `standings`, `round` or `seats`. The round is `round_`, or the latest.
    """
    round_ = round_ or latest_published_round(tournament)
    if round_ is None:
        return []
    at_round = reverse("tournaments:round", args=[tournament.address, round_.number])
    pages = [
        ("standings", _("Standings"), tournament.get_absolute_url()),
        ("round", round_name(round_), at_round),
    ]
    if not tournament.is_league:
        pages.append(("seats", _("Seats"), f"{at_round}?seats"))
    return [
        PageLink(label, address, name == current_page) for name, label, address in pages
    ]


def published_round_links(
    tournament: Tournament, current: Round, *, by_name: bool
) -> list[PageLink]:
    """Return the links between the published rounds; empty if there is only one."""
    # Grouped rows have no default order.
    rounds = tournament.rounds.published().order_by("number")
    pages = [
        PageLink(
            round_name(round_, round_.table_count),
            reverse("tournaments:round", args=[tournament.address, round_.number])
            + ("?seats" if by_name else ""),
            round_.pk == current.pk,
        )
        for round_ in rounds.with_table_count()
    ]
    return pages if len(pages) > 1 else []


def latest_published_round(tournament: Tournament) -> Round | None:
    """Return the latest round with a published seating; None before the first."""
    return tournament.rounds.published().last()


def night_headline(
    tournament: Tournament, current: Round | None, rows: Sequence[StandingsRow]
) -> NightHeadline:
    sentence = round_label = ""
    if rows and tournament.phase == Tournament.Phase.FINISHED:
        sentence = winners_headline(rows)
    elif current is not None and current.is_playoff:
        sentence = _playoff_sentence(current)
    elif tournament.is_league:
        sentence = _leader_sentence(rows)
    if current is not None and current.is_playoff:
        round_label = round_name(current)
    elif current is not None and not tournament.is_league:
        planned = max(tournament.rounds_planned, current.number)
        text = _("round %(number)s of %(n)s")
        round_label = text % {"number": current.number, "n": planned}
    is_published = current is not None and current.state == Round.State.PUBLISHED
    return NightHeadline(
        sentence=sentence,
        round_label=round_label,
        begins_soon=seats_drawn_sentence(current) if current and is_published else "",
    )


def seats_drawn_sentence(round_: Round) -> str:
    text = _("The seats are drawn. %(round)s starts soon.")
    return text % {"round": round_subject(round_)}


def _leader_sentence(rows: Sequence[StandingsRow]) -> str:
    """Return a sentence about the lead in a league; empty before the first result."""
    if not any(row.tables for row in rows):
        return ""
    level = sorted(row.names for row in rows if row.rank == 1)
    if len(level) > 1:
        if len(level) > FEW:
            return _("%(n)s players share the lead.") % {"n": len(level)}
        return _("%(names)s share the lead.") % {"names": join_names(level)}
    first, *followers = rows
    if not followers:
        return pgettext("standings", "%(name)s leads.") % {"name": first.names}
    gap = Fraction(first.points) - Fraction(followers[0].points)
    if not gap:
        text = _("%(name)s leads, tied with %(second)s on points.")
        return text % {"name": first.names, "second": followers[0].names}
    text = _("%(name)s leads %(second)s by %(gap)s.")
    return text % {
        "name": first.names,
        "second": followers[0].names,
        "gap": format_exact_number(gap),
    }


def _playoff_sentence(current: Round) -> str:
    places = current.places.order_by("table__number", "index")
    names = list(places.values_list("entry__name", flat=True))
    tables = current.tables.count()
    is_over = current.state == Round.State.CLOSED
    named_players = join_names(names) if 0 < len(names) <= FEW else ""
    if tables == 1:
        if is_over:
            return _("The final is over.")
        if named_players:
            return _("%(names)s are in the final.") % {"names": named_players}
        return _("%(n)s players are in the final.") % {"n": len(names)}
    if is_over:
        # The next seating decides the names.
        return (
            _("The semi-finals are over.")
            if tables == 2
            else _("%(round)s is over.") % {"round": round_subject(current, tables)}
        )
    if tables == 2:
        if named_players:
            return _("%(names)s are in the semi-finals.") % {"names": named_players}
        return _("%(n)s players are in the semi-finals.") % {"n": len(names)}
    text = ngettext(
        "%(n)s player is still in.", "%(n)s players are still in.", len(names)
    )
    return text % {"n": len(names)}


WIDEST, MOST = 16, 96
"""Most holes in a row, and in all rows."""
FIRST_HOLE_AT, LAST_HOLE_AT = 2, 98
"""Positions of the first and the last hole of a full row, in percent of its width."""


class PegHoleRow(NamedTuple):
    """A row of holes, the first ones with pegs.

    Ends are in percent. A length is the number of steps between holes plus 0.01, since
    rounding would drop the last hole otherwise.
    """

    end: str
    length: str
    peg_end: str
    peg_length: str
    """`peg_end` and `peg_length` are empty if no hole has a peg."""


def peg_hole_rows(peg_count: int, capacity: int) -> list[PegHoleRow]:
    """Return rows of holes of about the same length; empty without a limit or above `MOST`.

    >>> [row.length for row in peg_hole_rows(23, 32)], peg_hole_rows(23, 32)[1].peg_length
    (['15.01', '15.01'], '6.01')
    >>> peg_hole_rows(3, 0), peg_hole_rows(3, 200)
    ([], [])
    """
    if not 0 < capacity <= MOST:
        return []
    width = ceil(capacity / ceil(capacity / WIDEST))
    rows = []
    for first in range(0, capacity, width):
        count = min(width, capacity - first)
        pegs = min(max(0, peg_count - first), count)
        rows.append(
            PegHoleRow(
                *_peg_row_length_and_steps(count, width),
                *(_peg_row_length_and_steps(pegs, width) if pegs else ("", "")),
            )
        )
    return rows


def _peg_row_length_and_steps(count: int, width: int) -> tuple[str, str]:
    steps = count - 1 + 0.01
    end = FIRST_HOLE_AT + (LAST_HOLE_AT - FIRST_HOLE_AT) * steps / max(1, width - 1)
    return f"{end:.2f}%", f"{steps:.2f}"
