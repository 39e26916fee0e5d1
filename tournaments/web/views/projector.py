"""The room's screen: no login, one address for the whole evening."""

from hashlib import sha256
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from tournaments.models import SHOWN, Place, Round, Tournament
from tournaments.web.views.access import in_tournament
from tournaments.web.views.standings import standings_context


@require_safe
@in_tournament(None)
def projector(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the room what it wants to know now: seats, clock, standings."""
    context = {
        **screen_context(tournament),
        "tournament": tournament,
        "announcements": tournament.announcements.standing(),
        "now": timezone.now(),
    }
    return render(request, "tournaments/projector.html", context)


@require_safe
@in_tournament(None)
def projector_live(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Answer a mark that changes whenever the room's screen should."""
    shown = tournament.standings.all().public(tournament)
    current = tournament.rounds.filter(state__in=SHOWN).order_by("-number").first()
    shown_now = (
        tournament.screen,
        shown.pk if shown else None,
        (current.number, current.state, current.ends_at, current.paused_at)
        if current
        else None,
        current.last_hand_at if current else None,
        list(tournament.announcements.standing().values_list("pk", flat=True)),
    )
    mark = sha256(repr(shown_now).encode()).hexdigest()[:16]
    return HttpResponse(mark, content_type="text/plain")


def screen_context(tournament: Tournament) -> dict[str, Any]:
    """Return what the room's screen shows: all in turn, or what the director chose."""
    screen = Tournament.Screen
    current = tournament.rounds.filter(state__in=SHOWN).order_by("-number").first()
    wanted = {tournament.screen}
    if tournament.screen == screen.TURNS:
        # Before the first seating the room wants to know how to follow, then where to
        # sit, and how it stands.
        wanted = {screen.SEATS, screen.STANDINGS} if current else set()
        wanted.add(screen.JOIN)
    context = standings_context(
        tournament.standings.all().public(tournament)
        if screen.STANDINGS in wanted
        else None
    )
    places = Place.objects.none()
    if (
        current is not None
        and screen.SEATS in wanted
        and current.state != Round.State.CLOSED
        and not tournament.is_league
    ):
        places = current.places.select_related("entry", "table").order_by(
            "entry__name_key"
        )
    return {
        **context,
        "unconfirmed": any(row.unconfirmed for row in context["rows"]),
        "round": current,
        "seats": places,
        "byes": current.byes.select_related("entry") if current and places else (),
        "clock_only": screen.CLOCK in wanted,
        "join": screen.JOIN in wanted or not (places or context["rows"]),
    }
