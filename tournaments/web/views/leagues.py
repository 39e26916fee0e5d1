"""Leagues: members begin their matches themselves."""

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop

from scoring.matchlog.client_keys import bind_key
from scoring.web.limits import Act, answer_too_often, refusal_of, too_often
from scoring.web.views.requests import browser_id
from tournaments.changes import RefusedError
from tournaments.event.leagues import begin_match
from tournaments.event.rights import begins_only_for, may_begin, why_follows
from tournaments.models import Tournament
from tournaments.web.forms import LeagueMatchForm
from tournaments.web.views.access import in_tournament

NO_LEAGUE = gettext_noop("Here the director draws who plays whom.")


@in_tournament(None)
def league_match(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Begin a match between members, and go to its scorepad.

    A player's own phone begins those that they play themselves.
    """
    if not may_begin(tournament, request):
        raise PermissionDenied(why_follows(tournament, request) or gettext(NO_LEAGUE))
    form = LeagueMatchForm(request.POST or None, tournament=tournament)
    wait = 0
    if request.method == "POST" and form.is_valid():
        wait = too_often(request, Act.START)
    if wait:
        form.add_error(None, refusal_of(wait))
    elif request.method == "POST" and form.is_valid():
        only = begins_only_for(tournament, request)
        try:
            table = begin_match(
                tournament_id=tournament.pk,
                key=bind_key(
                    form.cleaned_data["key"],
                    "browser",
                    tournament.pk,
                    browser_id(request),
                ),
                entry_ids=form.entry_ids,
                game=form.cleaned_data["game"],
                only_with=only,
                now=timezone.now(),
            )
        except RefusedError as refused:
            form.add_error(None, refused.message)
        else:
            assert table.match is not None
            return redirect(table.match)
    context = {"tournament": tournament, "form": form}
    page = render(request, "tournaments/league_match.html", context)
    return answer_too_often(page, wait) if wait else page
