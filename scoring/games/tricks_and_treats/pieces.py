"""The cards, tokens and treats of Tricks and Treats: keys, looks, and lone tricks."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from scoring.games.drawing import DrawnPiece
from scoring.games.keypad import Key, LoneTrickForm, PieceKeypad, numbered_second_keys
from scoring.games.tricks_and_treats.form import TREAT_LOOKS
from scoring.rules.tricks_and_treats import GAME
from scoring.rules.tricks_and_treats.pieces import CARDS, HIGHEST
from scoring.rules.tricks_and_treats.tricks import GRID

SUIT_KEYS: Sequence[Key] = (
    ("P", _("pumpkin")),
    ("G", _("ghost")),
    ("B", _("bat")),
    ("C", _("cat")),
    ("W", _("witch")),
)
SUIT_SIGNS = {"P": "pumpkin", "G": "ghost", "B": "bat", "C": "cat", "W": "witch"}
"""Names of the signs of the suits."""
PAD = PieceKeypad(
    pieces_per_play=1,
    first=SUIT_KEYS,
    second=numbered_second_keys(SUIT_KEYS, 1, HIGHEST),
    signs=SUIT_SIGNS,
    keeps_led_suit_open=True,
)


SUITS = dict(SUIT_KEYS)
KINDS = {kind.replace("_", " "): kind for kind in TREAT_LOOKS}
"""Kinds of treats by their words in sentences of the rules."""


def draw_card(card: str) -> DrawnPiece:
    """Return the drawing of a card, or of its face-up token."""
    suit, number = card[0], card[1:]
    return DrawnPiece(
        face=card,
        name=f"{SUITS[suit]} {number}",
        shape="token",
        sign=SUIT_SIGNS[suit],
        tint=suit,
    )


def draw_suit(suit: str) -> DrawnPiece:
    return replace(draw_card(f"{suit}1"), face=str(SUITS[suit]), name=str(SUITS[suit]))


def draw_treat(kind: str) -> DrawnPiece:
    name = str(TREAT_LOOKS[kind].name)
    icon = TREAT_LOOKS[kind].icon
    return DrawnPiece(face=name, name=name, shape="treat-piece", icon=icon)


def draw_token(token: str) -> DrawnPiece | None:
    """Return the drawing of a card or a treat that can be held; None for other tokens."""
    if token in CARDS:
        return draw_card(token)
    return draw_treat(KINDS[token]) if token in KINDS else None


class TricksAndTreatsLoneTrickForm(LoneTrickForm):
    """A card of each player, the face-up trumps, and two treats."""

    rules = GAME
    pad = PAD
    trumps = forms.CharField(
        label=_("Face-up trumps, highest first"),
        required=False,
        max_length=400,
        widget=forms.TextInput(attrs={"autocomplete": "off", "data-pieces": "trumps"}),
    )
    evil_eye = forms.CharField(
        label=_("Players under an evil eye (player numbers, like 2 3)"), required=False
    )
    master_trump = forms.CharField(
        label=_("Players who used a master trump (player numbers)"), required=False
    )

    def trick_document_values(self) -> dict[str, Any]:
        """Return the plays, with the trumps placed in a grid so that the first is the highest."""
        values = self.cleaned_data
        return {
            "box": "left",
            "trumps": [
                {"card": card, "row": place % GRID, "column": place // GRID}
                for place, card in enumerate(values.get("trumps", "").split())
            ],
            "plays": self.pieces,
            "evil_eye": _player_numbers_to_seats(values.get("evil_eye", "")),
            "master_trump": _player_numbers_to_seats(values.get("master_trump", "")),
        }


def _player_numbers_to_seats(text: str) -> list[Any]:
    """Return the seats for numbers of players, which count from 1; other words unchanged."""
    words = text.replace(",", " ").split()
    return [
        int(word) - 1 if word.isascii() and word.isdigit() and len(word) < 3 else word
        for word in words
    ]
