"""What everybody may see of a tournament, and do at a table."""

from typing import Any
from uuid import uuid4

import segno
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST, require_safe

from scoring.rules import GAMES
from scoring.sheet import sheet_of
from scoring.views.agreeing import agree_here
from tournaments.forms import CodeForm, JoinForm
from tournaments.forms.entries import UNKNOWN
from tournaments.models import SHOWN, Place, Round, Table, Tournament
from tournaments.operations import results
from tournaments.operations.changes import RefusedError
from tournaments.operations.entries import register
from tournaments.operations.games import choose_game, games_for
from tournaments.operations.rounds import agreed
from tournaments.views.access import for_everybody, in_tournament
from tournaments.views.guesses import TOO_OFTEN, count_guess, guessed_too_often
from tournaments.views.players import remember

FINISHED = _(
    "The tournament is finished, and its results stand. The director can still correct "
    "them: show them what is wrong."
)


@require_safe
@in_tournament(None)
def round_seating(
    request: HttpRequest, tournament: Tournament, number: int
) -> HttpResponse:
    """Show who sits where in a round that was published."""
    one = get_object_or_404(tournament.rounds, number=number, state__in=SHOWN)
    by_name = one.places.select_related("entry", "table").order_by("entry__name")
    latest_first = "-number" if tournament.is_league else "number"
    context = {
        "tournament": tournament,
        "round": one,
        "tables": one.tables.with_people().order_by(latest_first),
        "places": () if tournament.is_league else by_name,
        "byes": one.byes.select_related("entry"),
    }
    return render(request, "tournaments/round.html", context)


@for_everybody
def find(request: HttpRequest) -> HttpResponse:
    """Take the code of a tournament, and go there."""
    if request.method == "POST" and guessed_too_often(request):
        messages.error(request, TOO_OFTEN)
        return render(
            request, "tournaments/find.html", {"form": CodeForm()}, status=429
        )
    form = CodeForm(request.POST or None)
    if form.is_valid():
        return redirect("tournaments:join", form.cleaned_data["code"].address)
    if form.has_error("code", UNKNOWN):
        count_guess(request)
    return render(request, "tournaments/find.html", {"form": form})


@in_tournament(None)
def join(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Let a player enter by name; the phone remembers who it is."""
    form = JoinForm(request.POST or None)
    if form.is_valid():
        try:
            entry = register(
                tournament_id=tournament.pk,
                name=form.cleaned_data["name"],
                now=timezone.now(),
            )
        except RefusedError as refused:
            form.add_error("name", refused.message)
        else:
            remember(request, entry)
            return redirect("tournaments:join", tournament.address)
    own = request.session.get("joined", {}).get(tournament.address)
    context = {
        "tournament": tournament,
        "form": form,
        "entry": tournament.entries.filter(pk=own).first() if own else None,
    }
    return render(request, "tournaments/join.html", context)


@require_safe
@in_tournament(None)
def cards(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Show a card for each table, to be printed: who sits there, and its QR code."""
    one = get_object_or_404(tournament.rounds, number=number, state__in=SHOWN)
    drawn = [
        (table, _code(request, tournament, number, table.number))
        for table in one.tables.with_people().order_by("number")
    ]
    context = {"tournament": tournament, "round": one, "cards": drawn}
    return render(request, "tournaments/cards.html", context)


def _code(request: HttpRequest, tournament: Tournament, number: int, table: int) -> str:
    """Return the QR code of a table's page, as an element of a page."""
    path = reverse("tournaments:table", args=[tournament.address, number, table])
    code = segno.make(request.build_absolute_uri(path), error="m")
    return code.svg_inline(scale=4, border=2, svgclass="qr")


@require_safe
@in_tournament(None)
def join_qr(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Draw the tournament's address as a QR code."""
    return _qr(
        request.build_absolute_uri(
            reverse("tournaments:join", args=[tournament.address])
        )
    )


def _qr(url: str) -> HttpResponse:
    answer = HttpResponse(content_type="image/svg+xml")
    # A response is written like a file of bytes, which segno's types do not know.
    segno.make(url, error="m").save(answer, kind="svg", scale=6, border=2)  # type: ignore[arg-type]
    return answer


def _table(tournament: Tournament, number: int, table: int) -> Table:
    """Return a table of a round that is shown, or answer 404."""
    found = (
        Table.objects.with_people()
        .select_related("round")
        .filter(
            round__tournament=tournament,
            round__number=number,
            round__state__in=SHOWN,
            number=table,
        )
        .first()
    )
    if found is None:
        raise Http404
    return found


@require_safe
@in_tournament(None)
def table(
    request: HttpRequest, tournament: Tournament, number: int, table: int
) -> HttpResponse:
    """Show a table: its match, who agreed, and the button that calls the director."""
    found = _table(tournament, number, table)
    choosing = (
        tournament.game_choice == Tournament.GameChoice.TABLE
        and found.round.state == Round.State.RUNNING
        and not (found.match and found.match.version)
    )
    context = {
        "tournament": tournament,
        "table": found,
        "announcements": tournament.announcements.standing(),
        "now": timezone.now(),
        "games": [GAMES[game] for game in games_for(found, tournament)]
        if choosing
        else (),
        "agreed": agreed(found, tournament.quorum),
        "over": FINISHED if tournament.phase == Tournament.Phase.FINISHED else "",
        "key": uuid4(),
        **_seated(found),
    }
    return render(request, "tournaments/table.html", context)


def _seated(table: Table) -> dict[str, Any]:
    """Return who sits at a table, and the sheet of a match that is over.

    Each place comes with its column of that sheet, the best first; with None before.
    """
    places = list(table.places.all())
    if table.match is None or not table.match.is_settled:
        return {"seated": [(place, None) for place in places], "result": None}
    sheet = sheet_of(table.match)
    seated = [(place, sheet.seats[place.index]) for place in places]
    return {"seated": sorted(seated, key=lambda one: one[1].rank), "result": sheet}


def _place_of(table: Table, text: str) -> Place | None:
    """Return the place that a form names, where it is one of the table."""
    return next((place for place in table.places.all() if str(place.pk) == text), None)


@require_POST
@in_tournament(None)
def table_say(
    request: HttpRequest, tournament: Tournament, number: int, table: int, verb: str
) -> HttpResponse:
    """Agree as one of the table, dispute, call the director, or choose the game."""
    found = _table(tournament, number, table)
    now = timezone.now()
    if tournament.phase == Tournament.Phase.FINISHED:
        messages.error(request, FINISHED)
    elif verb == "agree":
        place = _place_of(found, request.POST.get("place", ""))
        if place is not None and found.match:
            words = request.POST.get("words", "")
            agree_here(request, found.match, place.index, words)
    elif verb == "dispute":
        results.dispute(table_id=found.pk, now=now)
    elif verb == "call":
        results.call_director(table_id=found.pk, now=now)
    elif verb == "choose":
        try:
            choose_game(table_id=found.pk, game=request.POST.get("game", ""), now=now)
        except RefusedError as refused:
            messages.error(request, refused.message)
    else:
        raise Http404
    return redirect("tournaments:table", tournament.address, number, table)
