"""Pages for the printer: table cards and seating lists."""

from collections.abc import Sequence
from typing import NamedTuple

import segno
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from scoring.matchlog.seat_occupants import handover_sentences_by_match
from scoring.web.redirects import post_only
from scoring.web.views.requests import parse_small_number
from tournaments.event.rights import (
    card_secret,
    highest_table_number,
    may_settle,
    renew_cards,
)
from tournaments.history.seasons import ON_CERTIFICATES
from tournaments.models import (
    Club,
    Role,
    StandingsRow,
    Table,
    Tournament,
)
from tournaments.web.access import in_club, in_tournament
from tournaments.web.display.page_layout import SeatingListRow, width_in_ems
from tournaments.web.display.projector import list_seats_and_byes_by_name
from tournaments.web.standings.views import visible_standings

ROWS = 18
"""Names in a column of a sheet."""
COLUMN_WIDTHS = {3: 6.4, 2: 11.5, 1: 27.0}
"""Room for a line of a name in ems, by the number of columns."""
LARGE_LAYOUTS = {9: (1, 2.0), 18: (2, 1.5)}
"""Columns and magnification for few names, by the largest number of names."""
LONG_NAME_RATIO = 1.44
"""Ratio of the normal type size to that of long names."""
WIDEST_ON_CARD = 6.2
"""Widest name in large type on a card, in ems."""
MOST_LARGE_NAMES = 5
"""Most players of a table whose card has large names."""


class TableCard(NamedTuple):
    """A printed card for a table, with its players and the QR code of its page."""

    table: Table
    names: Sequence[str]
    code: str
    """The QR code as inline SVG."""
    handovers: Sequence[str] = ()
    """Sentences about changes of players during the match."""

    @property
    def has_many_names(self) -> bool:
        return len(self.names) > MOST_LARGE_NAMES

    @property
    def has_long_name(self) -> bool:
        return max(map(width_in_ems, self.names), default=0) > WIDEST_ON_CARD


class SeatingPosterLine(NamedTuple):
    seat: SeatingListRow
    is_long: bool
    """Whether the name is set smaller to fit."""


class SeatingPosterSheet(NamedTuple):
    lines: Sequence[SeatingPosterLine]
    columns: int
    size: float = 1.0
    """Magnification, compared with a full sheet."""

    @property
    def is_large(self) -> bool:
        return self.size > 1


def seating_poster_sheets(seats: Sequence[SeatingListRow]) -> list[SeatingPosterSheet]:
    """Return seats on sheets of up to 54, or of fewer if a name needs wider columns.

    Several sheets have as many names each, so that none has a single one. A name gets two lines, a long one three smaller ones. Short lists are set larger.
    """
    for most, (columns, size) in LARGE_LAYOUTS.items():
        room = COLUMN_WIDTHS[columns] / size
        if 0 < len(seats) <= most and all(
            _fits_on_lines(seat.name, room, 2) for seat in seats
        ):
            lines = [SeatingPosterLine(seat, is_long=False) for seat in seats]
            return [SeatingPosterSheet(lines=lines, columns=columns, size=size)]
    fitting = (
        count
        for count, room in COLUMN_WIDTHS.items()
        if all(
            _fits_on_lines(seat.name, room, 2)
            or _fits_on_lines(seat.name, room * LONG_NAME_RATIO, 3)
            for seat in seats
        )
    )
    columns = next(fitting, 1)
    sheet_count = -(-len(seats) // (ROWS * columns)) or 1
    most = -(-len(seats) // sheet_count) or 1
    lines = [
        SeatingPosterLine(
            seat, not _fits_on_lines(seat.name, COLUMN_WIDTHS[columns], 2)
        )
        for seat in seats
    ]
    return [
        SeatingPosterSheet(lines=lines[first : first + most], columns=columns)
        for first in range(0, len(lines), most)
    ]


def _fits_on_lines(name: str, width: float, max_lines: int) -> bool:
    """Return whether a name fits on `max_lines` lines, with breaks only between words."""
    lines, used = 1, 0.0
    for word in name.split():
        wide = width_in_ems(word)
        if used and used + width_in_ems(" ") + wide > width:
            lines, used = lines + 1, 0.0
        used += wide + (width_in_ems(" ") if used else 0)
        if wide > width:
            return False
    return lines <= max_lines


USUAL_TABLES = 8
"""Number of cards for a club without tournaments."""
MOST_TABLES = 60


@require_safe
@in_tournament(None)
def table_cards_page(
    request: HttpRequest, tournament: Tournament, number: int
) -> HttpResponse:
    round_ = get_object_or_404(tournament.rounds.published(), number=number)
    # Anyone may print links to the tables; only officials get codes that allow scoring.
    allows_scoring = tournament.writing == Tournament.Writing.CARD and may_settle(
        tournament.club, request.user
    )
    tables = round_.tables.with_places_and_entries().order_by("number")
    handover_texts = handover_sentences_by_match(table.match_id for table in tables)
    table_cards = [
        TableCard(
            table=table,
            names=[place.name for place in table.places.all()],
            handovers=handover_texts.get(table.match_id or 0, ()),
            code=_page_qr_svg(
                request,
                card_secret(tournament.club, table.number) if allows_scoring else "",
                "table",
                tournament.address,
                number,
                table.number,
            ),
        )
        for table in tables
    ]
    context = {
        "tournament": tournament,
        "round": round_,
        "cards": table_cards,
        "opens": allows_scoring or tournament.writing == Tournament.Writing.OPEN,
    }
    return render(request, "tournaments/display/cards.html", context)


def _page_qr_svg(
    request: HttpRequest, secret: str, url_name: str, *url_args: object
) -> str:
    """Return the QR code of a page as inline SVG; a secret lets the phone score there."""
    url = request.build_absolute_uri(reverse(f"tournaments:{url_name}", args=url_args))
    url += f"?secret={secret}" if secret else ""
    code = segno.make(url, error="m")
    return code.svg_inline(border=0, omitsize=True, svgclass="qr")


@require_safe
@in_club(Role.SCORER)
def club_table_cards_page(request: HttpRequest, club: Club) -> HttpResponse:
    """Show permanent cards for a club's tables, which lead to the current match of a table."""
    wanted_count = parse_small_number(request.GET.get("tables", ""))
    table_count = min(
        max(wanted_count or highest_table_number(club) or USUAL_TABLES, 1), MOST_TABLES
    )
    cards = [
        (
            number,
            _page_qr_svg(request, card_secret(club, number), "card", club.slug, number),
        )
        for number in range(1, table_count + 1)
    ]
    context = {
        "club": club,
        "cards": cards,
        "tables": table_count,
        "most": MOST_TABLES,
        "may_renew": club.get_role(request.user) == Role.DIRECTOR,
    }
    return render(request, "tournaments/display/club_cards.html", context)


@post_only
@in_club(Role.DIRECTOR)
def renew_club_card_codes(request: HttpRequest, club: Club) -> HttpResponse:
    """Give every table of the club a new code; earlier cards stop working."""
    renew_cards(club_id=club.pk)
    messages.success(request, _("The cards have new codes. Print them again."))
    return redirect("tournaments:club_cards", club.slug)


@require_safe
@in_tournament(None)
def podium_certificates_page(
    request: HttpRequest, tournament: Tournament
) -> HttpResponse:
    """Show certificates for the first three of a finished tournament, or with `everyone` for all.

    A result that is still open at any table can change the ranks of all, so all must be final.
    """
    role = tournament.club.get_role(request.user)
    standings = visible_standings(tournament, role)
    rows: Sequence[StandingsRow] = ()
    if standings is not None and tournament.phase == Tournament.Phase.FINISHED:
        rows = standings.rows_with_names()
    is_open = any(row.unconfirmed for row in rows)
    is_for_everyone = "everyone" in request.GET
    context = {
        "tournament": tournament,
        "club": tournament.club,
        "rows": [
            row
            for row in rows
            if not is_open
            and row.tables
            and (is_for_everyone or row.rank <= ON_CERTIFICATES)
        ],
        "is_for_everyone": is_for_everyone,
        "is_open": is_open,
        "game": tournament.game
        if tournament.game_choice == Tournament.GameChoice.TOURNAMENT
        else "",
    }
    return render(request, "tournaments/display/night_certificates.html", context)


@require_safe
@in_tournament(None)
def seating_poster_page(
    request: HttpRequest, tournament: Tournament, number: int
) -> HttpResponse:
    round_ = get_object_or_404(tournament.rounds.published(), number=number)
    seats = list_seats_and_byes_by_name(round_)
    # In the club's time zone, regardless of the visitor's.
    timezone.activate(tournament.club.zone)
    context = {
        "tournament": tournament,
        "round": round_,
        "sheets": seating_poster_sheets(seats),
        "seats": seats,
        "now": timezone.now(),
    }
    return render(request, "tournaments/display/wall.html", context)
