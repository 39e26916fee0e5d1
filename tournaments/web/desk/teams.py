"""The page that puts the players of a tournament into teams."""

from collections.abc import Sequence
from secrets import SystemRandom
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.games.text_fields import NameField
from scoring.rules.match_record import LONGEST_NAME
from scoring.web.views.requests import UNCHANGED
from tournaments.changes import RefusedError
from tournaments.event.teams import (
    assign_teams,
    dissolve_teams,
    draw_teams,
    read_teams,
)
from tournaments.models import Entry, Role, Tournament
from tournaments.names import localized_sort_key
from tournaments.web.access import in_tournament
from tournaments.web.desk.actions import (
    ConfirmationRequiredError,
    require_confirmation,
    signed_in_user,
)

TEAMS = "tournaments:teams"
LIST_ID = "team-names"


class TeamsForm(forms.Form):
    """A text field for the team of each player; only changed ones count."""

    def __init__(self, *args: Any, entries: Sequence[Entry], **options: Any) -> None:
        super().__init__(*args, **options)
        self.entries = {str(entry.number): entry for entry in entries}
        for number, entry in self.entries.items():
            self.fields[number] = NameField(
                label=entry.name,
                initial=entry.team,
                max_length=LONGEST_NAME,
                required=False,
                # Another desk may have changed a team since this page was opened.
                show_hidden_initial=True,
                widget=forms.TextInput(attrs={"list": LIST_ID, "autocomplete": "off"}),
            )

    def changed_team_texts(self) -> dict[int, str]:
        """Return the typed texts that differ from the page's, by primary key."""
        return {
            self.entries[number].pk: self.cleaned_data[number]
            for number in self.changed_data
        }


@in_tournament(Role.SCORER)
def teams_page(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the teams; save typed ones, draw some at random, or dissolve all."""
    entries = sorted(
        tournament.entries.all(),
        key=lambda entry: (localized_sort_key(entry.name), entry.number),
    )
    form = TeamsForm(
        request.POST if "save" in request.POST else None,
        entries=entries,
        prefix="team",
    )
    if request.method == "POST" and tournament.team_size:
        try:
            if _change_teams(request, tournament, form):
                return redirect(TEAMS, tournament.address)
        except ConfirmationRequiredError as unconfirmed:
            return unconfirmed.render_confirmation(request, tournament, TEAMS)
    teams = read_teams(tournament)
    context = {
        "tournament": tournament,
        "form": form,
        "teams": teams,
        "list_id": LIST_ID,
        "complete_count": sum(not team.missing_text for team in teams),
        "incomplete": [team for team in teams if team.missing_text],
        "single": [
            entry.name
            for entry in entries
            if entry.is_expected_or_present and not entry.team
        ],
    }
    return render(request, "tournaments/desk/teams.html", context)


def _change_teams(
    request: HttpRequest, tournament: Tournament, form: TeamsForm
) -> bool:
    """Do what was posted and show a message; return False for a refused form."""
    user = signed_in_user(request)
    if "draw" in request.POST:
        drawn = draw_teams(
            tournament_id=tournament.pk, shuffle=SystemRandom().shuffle, user=user
        )
        text = ngettext(
            "%(n)s player drawn into a team.",
            "%(n)s players drawn into teams.",
            len(drawn),
        )
        _show_change(request, text % {"n": len(drawn)} if drawn else "")
        return True
    if "dissolve" in request.POST:
        teams = read_teams(tournament)
        if teams:
            require_confirmation(
                request,
                _("Dissolve all teams?"),
                [team.label for team in teams],
                confirm_label=_("Dissolve teams"),
            )
            dissolve_teams(tournament_id=tournament.pk, user=user)
        _show_change(request, _("All teams are dissolved.") if teams else "")
        return True
    if not form.is_valid():
        return False
    try:
        count = assign_teams(
            tournament_id=tournament.pk,
            team_texts=form.changed_team_texts(),
            user=user,
        )
    except RefusedError as refused:
        form.add_error(refused.field, refused.message)
        return False
    _show_change(request, _("Teams saved.") if count else "")
    return True


def _show_change(request: HttpRequest, message: str) -> None:
    """Show a message about a change; without one, that nothing changed."""
    if message:
        messages.success(request, message)
    else:
        messages.info(request, _(UNCHANGED))
