"""What everybody may see of a tournament, and do at a table."""

from typing import Any

import segno
from django.contrib import messages
from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language
from django.views.decorators.http import require_POST, require_safe

from scoring.rules import GAMES
from tournaments.charts import Chart, race_chart
from tournaments.forms import CodeForm, JoinForm
from tournaments.models import Place, Round, Standings, Table, Tournament
from tournaments.operations import results
from tournaments.operations.changes import RefusedError
from tournaments.operations.entries import register
from tournaments.operations.games import choose_game, games_for
from tournaments.operations.rounds import agreed
from tournaments.views.access import for_everybody, in_tournament
from tournaments.views.players import remember

DAY = 24 * 60 * 60
SHOWN = (Round.State.PUBLISHED, Round.State.RUNNING, Round.State.CLOSED)


def standings_context(shown: Standings | None) -> dict[str, Any]:
    """Return standings as they are drawn; the rows in one query, if they are asked for."""
    rows = shown.rows.select_related("entry") if shown else ()
    return {"standings": shown, "rows": rows}


def _version(tournament: Tournament, shown: Standings) -> str:
    """Return what tells drawn standings from others: their names may be forgotten."""
    history = tournament.club.history_version
    return f"{tournament.code}:{shown.pk}:{history}:{get_language()}"


def lines_of(tournament: Tournament, shown: Standings | None) -> str:
    """Return the lines of standings as they are drawn, empty for none.

    Stored standings never change and the next ones are others, so they are drawn once.
    """
    if shown is None:
        return ""
    key = f"standings:{_version(tournament, shown)}"
    drawn: str | None = cache.get(key)
    if drawn is None:
        context = {**standings_context(shown), "tournament": tournament}
        drawn = render_to_string("tournaments/_standings_rows.html", context)
        if context["rows"]:
            cache.set(key, drawn, DAY)
    return drawn


def standings_for(request: HttpRequest, tournament: Tournament) -> Standings | None:
    """Return the standings that the visitor may see: the club's people see all."""
    hidden = tournament.standings_shown != Tournament.Shown.LIVE
    if hidden and tournament.club.role_of(request.user) is not None:
        return tournament.standings.current().first()
    return tournament.standings.all().public(tournament)


@require_safe
@in_tournament(None)
def tournament(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the standings and the rounds."""
    shown = standings_for(request, tournament)
    context = {
        **standings_context(shown),
        "lines": lines_of(tournament, shown),
        "tournament": tournament,
        "rounds": tournament.rounds.filter(state__in=SHOWN).order_by("number"),
        "announcements": tournament.announcements.standing(),
        "role": tournament.club.role_of(request.user),
        "chart": race_of(tournament, shown),
    }
    return render(request, "tournaments/tournament.html", context)


def race_of(tournament: Tournament, shown: Standings | None) -> Chart | None:
    """Return the race of a finished tournament, drawn up once for each version."""
    if shown is None or tournament.phase != Tournament.Phase.FINISHED:
        return None
    key = f"race:{_version(tournament, shown)}"
    drawn: Chart | None = cache.get(key)
    if drawn is None:
        rows = shown.rows.values_list("entry", "entry__name")
        names = {str(entry): name for entry, name in rows}
        drawn = race_chart(tournament, names)
        cache.set(key, drawn, DAY)
    return drawn


@require_safe
@in_tournament(None)
def tournament_live(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Answer the standings where they changed since the version `v`, else nothing."""
    shown = standings_for(request, tournament)
    if shown is None or request.GET.get("v") == str(shown.version):
        return HttpResponse(status=204)
    context = {
        **standings_context(shown),
        "lines": lines_of(tournament, shown),
        "tournament": tournament,
    }
    return render(request, "tournaments/tournament.html#standings", context)


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
    form = CodeForm(request.POST or None)
    if form.is_valid():
        return redirect("tournaments:join", form.cleaned_data["code"].code)
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
            return redirect("tournaments:join", tournament.code)
    own = request.session.get("joined", {}).get(tournament.code)
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
    path = reverse("tournaments:table", args=[tournament.code, number, table])
    code = segno.make(request.build_absolute_uri(path), error="m")
    return code.svg_inline(scale=4, border=2, svgclass="qr")


@require_safe
@in_tournament(None)
def join_qr(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Draw the tournament's address as a QR code."""
    return _qr(
        request.build_absolute_uri(reverse("tournaments:join", args=[tournament.code]))
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
        "places": found.places.all(),
        "agreed": agreed(found, tournament.quorum),
        "finished": bool(found.match and found.match.finished),
    }
    return render(request, "tournaments/table.html", context)


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
    if verb == "agree":
        place = _place_of(found, request.POST.get("place", ""))
        if place is not None and found.match and found.match.finished:
            results.agree(place_id=place.pk, now=now)
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
    return redirect("tournaments:table", tournament.code, number, table)
