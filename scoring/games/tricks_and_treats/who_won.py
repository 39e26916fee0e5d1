"""Who won this trick of Tricks and Treats?"""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from scoring.games.tricks_and_treats.keypad import PAD
from scoring.games.who_won import TrickForm
from scoring.rules.tricks_and_treats import GAME
from scoring.rules.tricks_and_treats.tricks import GRID


class TricksAndTreatsTrick(TrickForm):
    """A card a player; the trumps as they lie, and two treats."""

    rules = GAME
    pad = PAD
    trumps = forms.CharField(
        label=_("Face-up trumps, the highest first"),
        required=False,
        max_length=400,
        widget=forms.TextInput(attrs={"autocomplete": "off", "data-pieces": "trumps"}),
    )
    evil_eye = forms.CharField(
        label=_("Under an evil eye: players by number, as in 2 3"), required=False
    )
    master_trump = forms.CharField(
        label=_("Played a master trump: players by number"), required=False
    )

    def decided_by(self) -> dict[str, Any]:
        """Return the cards; the trumps are laid so that the first is the highest."""
        values = self.cleaned_data
        return {
            "box": "left",
            "trumps": [
                {"card": card, "row": place % GRID, "column": place // GRID}
                for place, card in enumerate(values.get("trumps", "").split())
            ],
            "plays": self.pieces,
            "evil_eye": _seats_named(values.get("evil_eye", "")),
            "master_trump": _seats_named(values.get("master_trump", "")),
        }


def _seats_named(text: str) -> list[Any]:
    """Return the seats of players that were named by number; words as they are."""
    words = text.replace(",", " ").split()
    return [
        int(word) - 1 if word.isascii() and word.isdigit() and len(word) < 3 else word
        for word in words
    ]
