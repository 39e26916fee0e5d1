"""Printed cards and seating lists."""

import segno
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from scoring.web.views.requests import small_number
from scoring.web.ways_back import posted
from tournaments.event.rights import (
    card_secret,
    may_settle,
    most_tables,
    renew_cards,
)
from tournaments.models import SHOWN, Club, Role, Round, Tournament
from tournaments.web.access import in_club, in_tournament
from tournaments.web.display.paper import TableCard, wall_sheets
from tournaments.web.display.screen import seats_of

USUAL_TABLES = 8
"""Cards that a club without a tournament is shown."""
MOST_TABLES = 60


def _shown_round(tournament: Tournament, number: int) -> Round:
    rounds = tournament.rounds.select_related("tournament")
    return get_object_or_404(rounds, number=number, state__in=SHOWN)


@require_safe
@in_tournament(None)
def cards(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Show a card for each table, to be printed: who sits there, and its QR code."""
    round_ = _shown_round(tournament, number)
    # Everybody may print what leads to a page; what opens its table, those who direct.
    opens = tournament.writing == Tournament.Writing.CARD and may_settle(
        tournament.club, request.user
    )
    drawn = [
        TableCard(
            table=table,
            names=[place.name for place in table.places.all()],
            code=_qr(
                request,
                reverse(
                    "tournaments:table", args=[tournament.address, number, table.number]
                ),
                card_secret(tournament.club, table.number) if opens else "",
            ),
        )
        for table in round_.tables.with_people().order_by("number")
    ]
    context = {
        "tournament": tournament,
        "round": round_,
        "cards": drawn,
        "opens": opens or tournament.writing == Tournament.Writing.OPEN,
    }
    return render(request, "tournaments/display/cards.html", context)


def _qr(request: HttpRequest, path: str, secret: str) -> str:
    """Return the QR code of a page, as an element of one; with a secret it opens a table."""
    url = request.build_absolute_uri(path) + (f"?secret={secret}" if secret else "")
    code = segno.make(url, error="m")
    return code.svg_inline(border=0, omitsize=True, svgclass="qr")


@require_safe
@in_club(Role.SCORER)
def club_cards(request: HttpRequest, club: Club) -> HttpResponse:
    """Show the cards of a club's tables, to be printed once: they lead to whatever is on."""
    asked = small_number(request.GET.get("tables", ""))
    tables = min(max(asked or most_tables(club) or USUAL_TABLES, 1), MOST_TABLES)
    numbers = range(1, tables + 1)
    cards = [
        (
            number,
            _qr(
                request,
                reverse("tournaments:card", args=[club.slug, number]),
                card_secret(club, number),
            ),
        )
        for number in numbers
    ]
    context = {
        "club": club,
        "cards": cards,
        "tables": tables,
        "most": MOST_TABLES,
        "may_renew": club.role_of(request.user) == Role.DIRECTOR,
    }
    return render(request, "tournaments/display/club_cards.html", context)


@posted
@in_club(Role.DIRECTOR)
def club_cards_renew(request: HttpRequest, club: Club) -> HttpResponse:
    """Give every table of the club another code: the cards of before open none any more."""
    renew_cards(club_id=club.pk)
    messages.success(
        request, _("The cards have new codes. Print them, and take the old ones away.")
    )
    return redirect("tournaments:club_cards", club.slug)


@require_safe
@in_tournament(None)
def wall(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Show sheets to be printed and hung up: by name, who sits where."""
    round_ = _shown_round(tournament, number)
    seats = seats_of(round_)
    # As the clock in the room has it, whatever clocks whoever prints it reads.
    timezone.activate(tournament.club.zone)
    context = {
        "tournament": tournament,
        "round": round_,
        "sheets": wall_sheets(seats),
        "seats": seats,
        "now": timezone.now(),
    }
    return render(request, "tournaments/display/wall.html", context)
