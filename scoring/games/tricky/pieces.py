"""The dice of Tricky: keys, hands recorded die by die, and lone tricks."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.games.drawing import DrawnPiece, format_with_pieces
from scoring.games.entry_form import choice_field
from scoring.games.keypad import LoneTrickForm, PieceKeypad
from scoring.games.pieces import PieceEntryForm, PieceRecording
from scoring.games.tricky.form import TrickyForm
from scoring.rules import LaidPieces, NextTurn, ParsedHand, PlaySoFar
from scoring.rules.tricky import GAME
from scoring.rules.tricky.tricks import KINDS

PAD = PieceKeypad(
    pieces_per_play=2,
    dice=True,
    first=[(f"d{faces}", f"d{faces}") for faces in KINDS],
    second={
        f"d{faces}": [
            (f"d{faces}:{value}", str(value)) for value in range(1, faces + 1)
        ]
        for faces in KINDS
    },
)


class TrickyPieceEntryForm(PieceEntryForm, TrickyForm):
    """Two dice from each player, nine times."""

    rules = GAME
    pad = PAD
    sum_fields = ("points", "passed_out")


class TrickyPieceRecording(PieceRecording):
    """Two dice from each player, who must match one of the two led numbers."""

    form = TrickyPieceEntryForm

    def describe_piece(self, piece: str) -> str:
        faces, _colon, value = piece.partition(":")
        return f"{value} ({faces})"

    def draw_piece(self, piece: str) -> DrawnPiece:
        faces, _colon, value = piece.partition(":")
        return DrawnPiece(face=value, name=self.describe_piece(piece), kind=faces)

    def hand_trump(self, hand: ParsedHand) -> str:
        return str(hand.trump_number or "")

    def is_trump(self, piece: str, trump: str) -> bool:
        return piece.partition(":")[2] == trump

    def next_piece_prompt(
        self, turn: NextTurn, current_trick: Sequence[LaidPieces], name: str
    ) -> str:
        if current_trick and len(current_trick[-1].pieces) == 1:
            return gettext("%(name)s’s second die") % {"name": name}
        return gettext("%(name)s, choose two dice") % {"name": name}

    def describe_led_pieces(self, led_pieces: Sequence[str]) -> str:
        if len(led_pieces) < 2:
            return ""
        numbers = " / ".join(
            key for key, _ in groupby(p.split(":")[1] for p in led_pieces)
        )
        return gettext("Match %(led)s if you can.") % {"led": numbers}

    def describe_trump(self, hand: ParsedHand, progress: PlaySoFar) -> str:
        if hand.trump_number is None:
            return gettext("No trump.")
        number = str(hand.trump_number)
        drawing = DrawnPiece(face=number, name=number, is_trump=True)
        return format_with_pieces(gettext("Trump: %(trump)s."), trump=drawing)


class TrickyLoneTrickForm(LoneTrickForm):
    """Two dice from each player."""

    rules = GAME
    pad = PAD
    trump = choice_field(
        _("Trump number"),
        [("", _("none")), *((value, str(value)) for value in range(1, max(KINDS) + 1))],
    )

    def trick_document_values(self) -> dict[str, Any]:
        trump = self.cleaned_data.get("trump")
        return {"trump": int(trump) if trump else None, "plays": self.pieces_by_player}
