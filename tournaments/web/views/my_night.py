"""A player's own page of a tournament, and what they say there about themselves."""

from hashlib import sha256
from typing import Any

from django.contrib import messages
from django.db.models import OuterRef, Subquery
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST, require_safe

from tournaments.changes import RefusedError
from tournaments.event.entries import say_oneself
from tournaments.event.rights import own_entry, played_on_by
from tournaments.models import SHOWN, Entry, Place, Table, Tournament, page_state
from tournaments.people.profiles import hidden_players
from tournaments.web.autopilot import comes_in, coming_step
from tournaments.web.my_night import Moment, my_night
from tournaments.web.views.access import in_tournament
from tournaments.web.views.standings import standings_for

VERSION_LENGTH = 16
LATE = _("Your table and the director see that you come late. Your seat is kept.")
SAID = {
    Entry.State.PRESENT: _("The director sees that you are here."),
    Entry.State.NO_SHOW: _("The director sees that you do not come."),
    Entry.State.DROPPED: _("The director sees that you are leaving. Come again!"),
    Entry.State.EXPECTED: _("You are entered again."),
    Entry.State.WAITING: _("All places are taken; you are on the waiting list."),
}
"""What is answered, by what became of an entry."""


def _own(request: HttpRequest, tournament: Tournament) -> Entry | None:
    own = own_entry(request, tournament)
    return tournament.entries.filter(pk=own).first() if own else None


def _version(tournament: Tournament, entry: Entry) -> str:
    """Return what differs whenever the page of a player does: at most four queries."""
    tables = Table.objects.filter(
        round__tournament=tournament, round__state__in=SHOWN, places__entry=entry
    ).order_by("round__number", "number")
    late = Place.objects.filter(table=OuterRef("pk"), late=True).order_by("index")
    at_table = (
        tables.annotate(late=Subquery(late.values("index")[:1]))
        .values_list(
            *("match", "match__version", "match__finished", "disputed", "called_at"),
            *("extra_minutes", "late"),
        )
        .last()
    )
    coming = tournament.entries.all().coming().count()
    said = list(tournament.announcements.standing().values_list("pk", flat=True))
    step = coming_step(tournament)
    ahead = step and (step.pk, step.due_at)
    # Check-in opens by the clock, when nothing else changes.
    by_the_clock = tournament.takes_check_in(timezone.now())
    state = page_state(tournament.address)
    parts = (state, entry.state, at_table, coming, said, ahead, by_the_clock)
    return sha256(repr(parts).encode()).hexdigest()[:VERSION_LENGTH]


def _context(
    request: HttpRequest, tournament: Tournament, entry: Entry
) -> dict[str, Any]:
    # Before anything that it stands for is read: what changes meanwhile is asked for again.
    version = _version(tournament, entry)
    role = tournament.club.role_of(request.user)
    step = coming_step(tournament)
    shown = standings_for(tournament, role)
    night = my_night(tournament, entry, shown, timezone.now())
    return {
        "tournament": tournament,
        "night": night,
        "here": tournament.entries.filter(state=Entry.State.PRESENT).count(),
        "coming": tournament.entries.all().coming().count(),
        "coming_step": step,
        "comes_in": comes_in(step),
        "announcements": tournament.announcements.standing(),
        "may_leave": night.moment not in (Moment.PLAYED, Moment.OVER)
        and tournament.rounds.filter(state__in=SHOWN).exists()
        and entry.state == Entry.State.PRESENT,
        "checks_in": tournament.takes_check_in(timezone.now()),
        "version": version,
        "now": timezone.now(),
        "hidden": hidden_players(tournament.club),
    }


@require_safe
@in_tournament(None)
def me(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show a player where to be now, and how they stand."""
    if tournament.is_league:
        return redirect("tournaments:tournament", tournament.address)
    entry = _own(request, tournament)
    if entry is None and (other := played_on_by(request, tournament)):
        context = {"tournament": tournament, "other": other}
        return render(request, "tournaments/played_on.html", context)
    if entry is None:
        return redirect("tournaments:join", tournament.address)
    context = _context(request, tournament, entry)
    return render(request, "tournaments/me.html", context)


@require_safe
@in_tournament(None)
def me_live(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Answer a player's page where it is another than the version `v`, else nothing."""
    entry = _own(request, tournament)
    if entry is None and played_on_by(request, tournament):
        # What is open is no longer theirs: the page that says so takes its place.
        return HttpResponse(headers={"HX-Refresh": "true"})
    if entry is None or request.GET.get("v") == _version(tournament, entry):
        return HttpResponse(status=204)
    context = {**_context(request, tournament, entry), "is_live": True}
    return render(request, "tournaments/me.html#live", context)


@require_POST
@in_tournament(None)
def me_say(request: HttpRequest, tournament: Tournament, verb: str) -> HttpResponse:
    """Let a player say that they are here, late or leaving, do not come, or come after all."""
    entry = _own(request, tournament)
    if entry is None:
        # Whoever another plays on for is told so there.
        return redirect("tournaments:me", tournament.address)
    try:
        entry = say_oneself(entry_id=entry.pk, verb=verb, now=timezone.now())
    except RefusedError as refused:
        messages.error(request, refused.message)
    else:
        said = LATE if verb == "late" else SAID[Entry.State(entry.state)]
        messages.success(request, said)
    return redirect("tournaments:me", tournament.address)
