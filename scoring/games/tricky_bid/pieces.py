"""The cards of Tricky Bid: keys, rounds recorded card by card, and lone tricks."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from scoring.games.drawing import DrawnPiece
from scoring.games.entry_form import choice_field
from scoring.games.keypad import Key, LoneTrickForm, PieceKeypad, numbered_second_keys
from scoring.games.pieces import PieceEntryForm, PieceRecording
from scoring.games.tricky_bid.form import TrickyBidForm
from scoring.rules.tricky_bid import GAME
from scoring.rules.tricky_bid.tricks import HIGHEST

COLOUR_KEYS: Sequence[Key] = (
    ("Y", _("yellow")),
    ("B", _("blue")),
    ("P", _("pink")),
    ("G", _("green")),
    ("R", _("red")),
)
PAD = PieceKeypad(
    pieces_per_play=1,
    first=COLOUR_KEYS,
    second=numbered_second_keys(COLOUR_KEYS, 0, HIGHEST),
    shows_colours=True,
    keeps_led_suit_open=True,
)


COLOURS = dict(COLOUR_KEYS)


class TrickyBidPieceEntryForm(PieceEntryForm, TrickyBidForm):
    """The card turned for trump, then antes and plays."""

    rules = GAME
    pad = PAD
    sum_fields = ("points", "winner", "antes")


class TrickyBidPieceRecording(PieceRecording):
    """An ante and a play from each player, who must follow the led colour."""

    form = TrickyBidPieceEntryForm

    def describe_piece(self, piece: str) -> str:
        return f"{COLOURS[piece[0]]} {piece[1:]}"

    def draw_piece(self, piece: str) -> DrawnPiece:
        name = self.describe_piece(piece)
        return DrawnPiece(face=piece, name=name, shape="tint", tint=piece[0])

    def is_trump(self, piece: str, trump: str) -> bool:
        return piece[0] == trump[:1]

    def led_suit_key(self, led_pieces: Sequence[str]) -> str:
        return led_pieces[0][0]


class TrickyBidLoneTrickForm(LoneTrickForm):
    """A card from each player, and optionally the antes to count their points."""

    rules = GAME
    pad = PAD
    trump = choice_field(_("Trump colour"), COLOUR_KEYS, required=True)
    antes = forms.CharField(
        label=_("Antes in the same order (optional, to count their points)"),
        required=False,
        max_length=400,
        widget=forms.TextInput(attrs={"autocomplete": "off", "data-pieces": "antes"}),
    )

    def trick_document_values(self) -> dict[str, Any]:
        antes = self.cleaned_data.get("antes", "").split()
        trick = {"trump": self.cleaned_data["trump"], "plays": self.pieces}
        return {**trick, "antes": antes} if antes else trick
