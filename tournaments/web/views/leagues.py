"""Leagues: members begin their matches themselves."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from tournaments.changes import RefusedError
from tournaments.event.leagues import begin_match
from tournaments.models import Tournament
from tournaments.web.forms import LeagueMatchForm
from tournaments.web.views.access import in_tournament


@in_tournament(None)
def league_match(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Begin a match between members, and go to its scorepad."""
    form = LeagueMatchForm(request.POST or None, tournament=tournament)
    if request.method == "POST" and form.is_valid():
        try:
            table = begin_match(
                tournament_id=tournament.pk,
                key=form.cleaned_data["key"],
                entry_ids=form.entry_ids,
                game=form.cleaned_data["game"],
                now=timezone.now(),
            )
        except RefusedError as refused:
            form.add_error(None, refused.message)
        else:
            assert table.match is not None
            return redirect(table.match)
    context = {"tournament": tournament, "form": form}
    return render(request, "tournaments/league_match.html", context)
