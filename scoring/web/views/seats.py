"""Who sits where: a phone's own seat, and somebody else at one."""

from collections.abc import Sequence

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext, ngettext

from scoring.matchlog.append import append
from scoring.matchlog.starting import player_named
from scoring.models import LogEntry, Match, Player
from scoring.web.forms import SeatForm
from scoring.web.views.requests import (
    command_from,
    match_at,
    recent_players,
    turned_back,
)
from scoring.web.ways_back import posted


def names_at(match: Match) -> Sequence[str]:
    """Return who sits at the match, by seat."""
    return [seat.name for seat in match.seats.all()]


@posted
def match_sit(request: HttpRequest, address: str) -> HttpResponseRedirect:
    """Remember which seat this phone's owner took."""
    found = match_at(request, address)
    if request.POST.get("name") in names_at(found):
        seats = request.session.get("seats", {})
        request.session["seats"] = {**seats, str(found.pk): request.POST["name"]}
    return redirect(found)


def match_seats(request: HttpRequest, address: str) -> HttpResponse:
    """Let somebody else play on at a seat; its points stay."""
    match = match_at(request, address)
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
    player = player_named(name, recent)
    command = command_from(
        request,
        match,
        LogEntry.Kind.RESEAT,
        body={
            "seat": form.cleaned_data["seat"],
            "name": name,
            **({"player": player.pk} if player else {}),
        },
        reason=form.cleaned_data["reason"],
    )
    outcome = append(command, address=match.address, now=timezone.now())
    for fault in outcome.faults:
        form.add_error("name", fault.message.spoken(names_at(match), gettext, ngettext))
    return outcome.is_stored
