"""The page of a tournament, which many phones and a projector ask for all evening.

Its middle is drawn once for each state of what it shows: a query tells which state that
is, and any cache that forgets only costs the drawing.
"""

from collections.abc import Callable
from hashlib import sha256
from typing import Any, TypeVar

from django.core.cache import caches
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from scoring.rules import GAMES
from tournaments.models import (
    SHOWN,
    Entry,
    Role,
    Standings,
    Tournament,
    page_state,
)
from tournaments.people.profiles import hidden_players
from tournaments.web.charts import Chart, race_chart
from tournaments.web.views.access import for_everybody, hide_draft, in_tournament

Thing = TypeVar("Thing")
DAY = 24 * 60 * 60


def standings_context(shown: Standings | None) -> dict[str, Any]:
    """Return standings as they are drawn; the rows in two queries, if they are asked for."""
    rows = shown.lines() if shown else ()
    return {"standings": shown, "rows": rows}


def _key(*parts: object) -> str:
    """Return what tells one drawing from others, in the visitor's language."""
    return sha256(repr((*parts, get_language())).encode()).hexdigest()


def _version(tournament: Tournament, shown: Standings) -> tuple[object, ...]:
    """Return what tells drawn standings from others: their names may be forgotten."""
    return tournament.address, shown.pk, tournament.club.history_version


def draw_lines(tournament: Tournament, shown: Standings | None) -> str:
    """Return the lines of standings as they are drawn, empty for none.

    Stored standings never change and the next ones are others, so they are drawn once, for
    everybody: a page that not everybody may see is linked for nobody.
    """
    if shown is None:
        return ""
    key = _key("standings", *_version(tournament, shown))
    drawn: str | None = caches["drawn"].get(key)
    if drawn is None:
        hidden = hidden_players(tournament.club)
        context = {
            **standings_context(shown),
            "tournament": tournament,
            "hidden": hidden,
        }
        drawn = render_to_string("tournaments/_standings_rows.html", context)
        if context["rows"]:
            caches["drawn"].set(key, drawn, DAY)
    return drawn


def _cached(key: str, make: Callable[[], Thing]) -> Thing:
    """Return what the cache holds, and else what is made for it."""
    held: Thing | None = caches["drawn"].get(key)
    if held is None:
        held = make()
        caches["drawn"].set(key, held, DAY)
    return held


def standings_for(tournament: Tournament, role: Role | None) -> Standings | None:
    """Return the standings that the visitor may see: the club's people see all."""
    if role is not None:
        return tournament.standings.current().first()
    return tournament.standings.all().public(tournament)


def race_for(tournament: Tournament, shown: Standings | None) -> Chart | None:
    """Return the race of a finished tournament, drawn up once for each version."""
    if shown is None or tournament.phase != Tournament.Phase.FINISHED:
        return None
    rows = shown.rows.values_list("entry", "entry__name")
    key = _key("race", *_version(tournament, shown))
    return _cached(
        key, lambda: race_chart(tournament, {str(pk): name for pk, name in rows})
    )


def _read_tournament(address: str) -> Tournament:
    return Tournament.objects.select_related("club").get(address=address)


def _invitation(tournament: Tournament) -> dict[str, Any] | None:
    """Return who comes to a tournament of which nothing was seen yet; else None."""
    is_coming = tournament.phase == Tournament.Phase.OPEN and not tournament.is_league
    if not is_coming or tournament.rounds.filter(state__in=SHOWN).exists():
        return None
    entries = tournament.entries.order_by("name_key")
    coming = list(entries.coming().values_list("name", flat=True))
    one_game = tournament.game_choice == Tournament.GameChoice.TOURNAMENT
    return {
        "coming": coming,
        "left": max(0, tournament.capacity - len(coming))
        if tournament.capacity
        else None,
        "waiting": entries.filter(state=Entry.State.WAITING).count(),
        "games": [tournament.game] if one_game else tournament.games or list(GAMES),
    }


def _draw_page(tournament: Tournament, role: Role | None) -> str:
    """Return the middle of a tournament's page, as it looks to a role."""
    shown = standings_for(tournament, role)
    coming = tournament.entries.all().coming().count()
    registration = tournament.registration(timezone.now(), coming)
    context = {
        **standings_context(shown),
        "lines": draw_lines(tournament, shown),
        "tournament": tournament,
        "invitation": _invitation(tournament),
        "registration": registration,
        "rounds": tournament.rounds.filter(state__in=SHOWN).order_by("number"),
        "announcements": tournament.announcements.standing(),
        "chart": race_for(tournament, shown),
    }
    return render_to_string("tournaments/_tournament.html", context)


@require_safe
@for_everybody
def tournament(request: HttpRequest, address: str) -> HttpResponse:
    """Show the standings and the rounds."""
    state = page_state(address)
    if state is None:
        raise Http404
    shown_tournament = _cached(
        _key("tournament", *state), lambda: _read_tournament(address)
    )
    role = shown_tournament.club.role_of(request.user)
    hide_draft(shown_tournament, role)
    # Registration opens and closes by the clock, when nothing else changes.
    by_the_clock = shown_tournament.registration(timezone.now(), coming=0)
    main = _cached(
        _key("page", role, by_the_clock, *state),
        lambda: _draw_page(shown_tournament, role),
    )
    context = {"tournament": shown_tournament, "role": role, "main": main}
    return render(request, "tournaments/tournament.html", context)


@require_safe
@in_tournament(None)
def tournament_live(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Answer the standings where they changed since the version `v`, else nothing."""
    shown = standings_for(tournament, tournament.club.role_of(request.user))
    if shown is None or request.GET.get("v") == str(shown.version):
        return HttpResponse(status=204)
    context = {
        **standings_context(shown),
        "lines": draw_lines(tournament, shown),
        "tournament": tournament,
    }
    return render(request, "tournaments/_tournament.html#standings", context)
