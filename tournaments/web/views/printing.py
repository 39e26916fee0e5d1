"""What is printed for a round: cards for its tables, and sheets for the wall."""

import segno
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from tournaments.models import SHOWN, Round, Tournament
from tournaments.web.paper import TableCard, wall_sheets
from tournaments.web.screen import seats_of
from tournaments.web.views.access import in_tournament


def _shown_round(tournament: Tournament, number: int) -> Round:
    rounds = tournament.rounds.select_related("tournament")
    return get_object_or_404(rounds, number=number, state__in=SHOWN)


@require_safe
@in_tournament(None)
def cards(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Show a card for each table, to be printed: who sits there, and its QR code."""
    round_ = _shown_round(tournament, number)
    drawn = [
        TableCard(
            table=table,
            names=[place.name for place in table.places.all()],
            code=_table_qr(request, tournament, number, table.number),
        )
        for table in round_.tables.with_people().order_by("number")
    ]
    context = {"tournament": tournament, "round": round_, "cards": drawn}
    return render(request, "tournaments/cards.html", context)


def _table_qr(
    request: HttpRequest, tournament: Tournament, number: int, table: int
) -> str:
    """Return the QR code of a table's page, as an element of a page."""
    path = reverse("tournaments:table", args=[tournament.address, number, table])
    code = segno.make(request.build_absolute_uri(path), error="m")
    return code.svg_inline(border=0, omitsize=True, svgclass="qr")


@require_safe
@in_tournament(None)
def wall(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Show sheets to be printed and hung up: by name, who sits where."""
    round_ = _shown_round(tournament, number)
    seats = seats_of(round_)
    context = {
        "tournament": tournament,
        "round": round_,
        "sheets": wall_sheets(seats),
        "seats": seats,
        "now": timezone.now(),
    }
    return render(request, "tournaments/wall.html", context)
