"""Who won this trick of Tricky Bid?"""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from scoring.games.entry_form import choice_field
from scoring.games.tricky_bid.keypad import COLOUR_KEYS, PAD
from scoring.games.who_won import TrickForm
from scoring.rules.tricky_bid import GAME


class TrickyBidTrick(TrickForm):
    """A card a player, and the antes where somebody wants to know what they brought."""

    rules = GAME
    pad = PAD
    trump = choice_field(_("Trump colour"), COLOUR_KEYS, required=True)
    antes = forms.CharField(
        label=_("Antes, in the same order (if you want their points)"),
        required=False,
        max_length=400,
        widget=forms.TextInput(attrs={"autocomplete": "off", "data-pieces": "antes"}),
    )

    def decided_by(self) -> dict[str, Any]:
        """Return the cards and the trump colour."""
        antes = self.cleaned_data.get("antes", "").split()
        trick = {"trump": self.cleaned_data["trump"], "plays": self.pieces}
        return {**trick, "antes": antes} if antes else trick
