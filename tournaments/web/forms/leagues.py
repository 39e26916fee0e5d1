"""A match that members of a league begin."""

from typing import Any
from uuid import uuid4

from django import forms
from django.utils.translation import gettext_lazy as _

from scoring.rules import GAMES
from tournaments.event.leagues import games_of
from tournaments.models import Entry, Tournament


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
