"""Who won this trick? A form that knows no match: pieces in playing order, and what decides."""

from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.games.keypad import Pad
from scoring.rules import Game


class TrickForm(forms.Form):
    """What was played to one trick."""

    rules: ClassVar[Game]
    pad: ClassVar[Pad]

    plays = forms.CharField(
        label=_("Played, in this order"),
        required=False,
        max_length=400,
        widget=forms.TextInput(attrs={"autocomplete": "off", "data-pieces": "plays"}),
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        """Offer as many players as the game has."""
        super().__init__(*args, **options)
        seats = self.rules.seats
        self.fields["players"].choices = [(seat, str(seat)) for seat in seats]  # type: ignore[attr-defined]

    players = forms.TypedChoiceField(
        label=_("Players"), coerce=int, widget=forms.RadioSelect
    )

    @property
    def game(self) -> str:
        """Return the id of the game."""
        return self.rules.id

    @property
    def pieces(self) -> list[str]:
        """Return the pieces that were tapped, in order."""
        played: str = self.cleaned_data.get("plays", "")
        return played.split()

    @property
    def parts(self) -> list[list[str]]:
        """Return what each player put in; the last part may lack something."""
        each = self.pad.each
        return [
            self.pieces[start : start + each]
            for start in range(0, len(self.pieces), each)
        ]

    @property
    def seats(self) -> int:
        """Return how many play."""
        return int(self.cleaned_data["players"])

    @property
    def names(self) -> list[str]:
        """Return what the players are called here: by their turn."""
        return [
            gettext("Player %(number)s") % {"number": seat + 1}
            for seat in range(self.seats)
        ]

    @property
    def is_whole(self) -> bool:
        """Tell whether everybody has played."""
        return len(self.pieces) >= self.pad.each * self.seats

    @property
    def missing(self) -> str:
        """Return what is asked for, in words; empty for an unknown number of players."""
        turn = len(self.pieces) // self.pad.each
        return gettext("%(name)s: tap what was played.") % {"name": self.names[turn]}

    def document(self) -> dict[str, Any]:
        """Return the trick as `manage.py trick` reads it; the leader is seat 0."""
        return {
            "game": self.game,
            "players": self.seats,
            "leader": 0,
            **self.decided_by(),
        }

    def decided_by(self) -> dict[str, Any]:
        """Return the plays, and whatever else decides the trick."""
        raise NotImplementedError
