"""The projector: no sign-in, one address for the whole night."""

from hashlib import sha256

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from tournaments.models import SHOWN, Tournament
from tournaments.web.access import in_tournament
from tournaments.web.desk.autopilot import coming_step
from tournaments.web.display.screen import read_screen


@require_safe
@in_tournament(None)
def projector(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the room what it wants to know now: seats, clock, standings."""
    now = timezone.now()
    # As the clock in the room has it, whatever clocks whoever set the screen up reads.
    timezone.activate(tournament.club.zone)
    context = {
        "tournament": tournament,
        "screen": read_screen(tournament, now),
        "now": now,
    }
    return render(request, "tournaments/display/projector.html", context)


@require_safe
@in_tournament(None)
def projector_live(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Answer a mark that changes whenever the room's screen should; nothing new since `v` is 204.

    Behind a dot is what may wait until the next page has its turn: the standings.
    """
    shown = tournament.standings.all().public(tournament)
    current = tournament.rounds.filter(state__in=SHOWN).order_by("-number").first()
    shown_now = (
        tournament.screen,
        tournament.phase,
        (current.number, current.state, current.ends_at, current.paused_at)
        if current
        else None,
        current.last_hand_at if current else None,
        list(tournament.announcements.standing().values_list("pk", flat=True)),
        (step.pk, step.due_at) if (step := coming_step(tournament)) else None,
    )
    mark = sha256(repr(shown_now).encode()).hexdigest()[:16]
    if shown:
        mark += f".{shown.pk}" if shown.outlook is None else f".{shown.pk}+"
    if request.GET.get("v") == mark:
        return HttpResponse(status=204)
    return HttpResponse(mark, content_type="text/plain; charset=utf-8")
