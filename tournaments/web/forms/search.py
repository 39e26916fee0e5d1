"""What is looked for."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from scoring.rules import GAMES
from tournaments.history.hand_search import Outcome, Wanted

LARGEST = 1_000_000
"""No bid of any game is higher."""


class SearchForm(forms.Form):
    """A name, a code or a day."""

    q = forms.CharField(
        label=_("A name, a tournament, a day or a month, as in 2026-03-14 or March"),
        max_length=80,
        widget=forms.TextInput(attrs={"type": "search", "autocomplete": "off"}),
    )


class HandSearchForm(forms.Form):
    """What was bid in a hand, and what became of it."""

    game = forms.ChoiceField(label=_("Game"))
    bid = forms.IntegerField(
        label=_("Bid, from"), required=False, min_value=0, max_value=LARGEST
    )
    outcome = forms.ChoiceField(
        label=_("The contract was"),
        required=False,
        choices=[
            ("", _("made or set")),
            (Outcome.MADE.value, _("made")),
            (Outcome.SET.value, _("set")),
        ],
        widget=forms.RadioSelect,
    )
    bidder = forms.CharField(label=_("Bidder"), required=False, max_length=40)

    def __init__(self, *args: Any, **options: Any) -> None:
        """Offer the games in which one bids for a contract."""
        super().__init__(*args, **options)
        game = self.fields["game"]
        assert isinstance(game, forms.ChoiceField)
        game.choices = [
            (game.id, game.name) for game in GAMES.values() if game.has_contract
        ]

    def wanted(self) -> Wanted:
        """Return what is looked for, of a form that is valid."""
        chosen = self.cleaned_data
        return Wanted(
            game=chosen["game"],
            least_bid=chosen["bid"] or 0,
            outcome=Outcome(chosen["outcome"]) if chosen["outcome"] else None,
            name=chosen["bidder"].strip(),
        )
