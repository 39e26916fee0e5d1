"""Who sits where: a phone's own seat, and somebody else at one."""

from collections.abc import Sequence

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

from scoring.forms import SeatForm, player_named
from scoring.models import Match, Player
from scoring.operations import KeyReusedError
from scoring.reseating import reseat
from scoring.rules import Refusal
from scoring.views.requests import (
    author_of,
    match_at,
    recent_players,
    turned_back,
)


def names_at(match: Match) -> Sequence[str]:
    """Return who sits at the match, by seat."""
    return [seat.name for seat in match.seats.all()]


@require_POST
def match_sit(request: HttpRequest, address: str) -> HttpResponseRedirect:
    """Remember which seat this phone's owner took."""
    found = match_at(address)
    if request.POST.get("name") in names_at(found):
        seats = request.session.get("seats", {})
        request.session["seats"] = {**seats, str(found.pk): request.POST["name"]}
    return redirect(found)


def match_seats(request: HttpRequest, address: str) -> HttpResponse:
    """Let somebody else play on at a seat; its points stay."""
    match = match_at(address)
    if back := turned_back(request, match):
        return back
    recent = recent_players(request)
    names = names_at(match)
    form = SeatForm(request.POST or None, names=names)
    if form.is_valid() and _reseat(request, match, form, recent):
        return redirect(match)
    changes = match.log.seat_changes()
    context = {"match": match, "form": form, "recent": recent, "changes": changes}
    return render(request, "scoring/match_seats.html", context)


def _reseat(
    request: HttpRequest, match: Match, form: SeatForm, recent: Sequence[Player]
) -> bool:
    """Change the seat; where that cannot be, say so in the form."""
    name = form.cleaned_data["name"]
    try:
        reseat(
            match_id=match.pk,
            key=form.cleaned_data["key"],
            index=form.cleaned_data["seat"],
            name=name,
            player=player_named(name, recent),
            author=author_of(request, match, reason=form.cleaned_data["reason"]),
        )
    except Refusal as refusal:
        for fault in refusal.faults:
            form.add_error("name", fault.message.spoken(names_at(match), gettext))
        return False
    except KeyReusedError:
        messages.error(request, gettext("This was sent before, and differed."))
        return False
    return True
