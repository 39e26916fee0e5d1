"""League matches that members start themselves."""

from typing import Any
from uuid import uuid4

from django import forms
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _

from scoring.matchlog.client_keys import bind_key
from scoring.rules import GAMES
from scoring.web.limits import Act, answer_too_often, refusal_of, too_often
from scoring.web.views.requests import browser_id
from tournaments.changes import RefusedError
from tournaments.event.leagues import begin_match, games_of
from tournaments.event.rights import begins_only_for, may_begin, why_follows
from tournaments.models import Entry, Tournament
from tournaments.web.access import in_tournament

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
    page = render(request, "tournaments/night/league_match.html", context)
    return answer_too_often(page, wait) if wait else page


class LeagueMatchForm(forms.Form):
    """Who plays, in the order of the seats, and what."""

    key = forms.UUIDField(widget=forms.HiddenInput)
    """Made by the page; the phone makes its own where it can."""
    game = forms.ChoiceField(label=_("Game"))

    def __init__(self, *args: Any, tournament: Tournament, **options: Any) -> None:
        """Offer the members and the games of a league."""
        super().__init__(*args, **{"initial": {"key": uuid4()}, **options})
        offered = games_of(tournament)
        game = self.fields["game"]
        assert isinstance(game, forms.ChoiceField)
        game.choices = [(name, GAMES[name].name) for name in offered]
        members = tournament.entries.coming().by_number()
        self.most = max(GAMES[name].seats[-1] for name in offered)
        for seat in range(1, self.most + 1):
            self.fields[f"seat_{seat}"] = forms.ModelChoiceField(
                members,
                label=_("Seat %(number)s") % {"number": seat},
                required=False,
                empty_label=_("nobody"),
            )

    @property
    def seated(self) -> list[forms.BoundField]:
        """Return the field of each seat."""
        return [self[f"seat_{seat}"] for seat in range(1, self.most + 1)]

    @property
    def entry_ids(self) -> list[int]:
        """Return who was chosen, in the order of the seats."""
        chosen: list[Entry | None] = [
            self.cleaned_data.get(f"seat_{seat}") for seat in range(1, self.most + 1)
        ]
        return [entry.pk for entry in chosen if entry is not None]
