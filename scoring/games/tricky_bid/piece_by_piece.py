"""A round of Tricky Bid, recorded card by card, antes included."""

from collections.abc import Sequence
from typing import Any

from scoring.games.drawing import DrawnPiece
from scoring.games.piece_by_piece import PieceByPiece, RecordedForm
from scoring.games.tricky_bid.form import TrickyBidForm
from scoring.games.tricky_bid.keypad import COLOUR_KEYS, PAD
from scoring.rules.tricky_bid import GAME

COLOURS = dict(COLOUR_KEYS)


class RecordedTrickyBid(RecordedForm, TrickyBidForm):
    """The card turned for trump, then antes and plays."""

    rules = GAME
    pad = PAD
    sums = ("points", "winner", "antes")

    @property
    def points(self) -> list[int | None]:
        """Return nothing: the points follow from the antes."""
        return []

    def clean(self) -> dict[str, Any] | None:
        """Return what was entered; there is no tally to check."""
        return self.cleaned_data


class TrickyBidCardByCard(PieceByPiece):
    """A card from each player as ante and one to the trick; the colour led is followed."""

    form = RecordedTrickyBid

    def describe_piece(self, piece: str) -> str:
        """Return colour and number."""
        return f"{COLOURS[piece[0]]} {piece[1:]}"

    def draw_piece(self, piece: str) -> DrawnPiece:
        """Return a card of its colour."""
        words = self.describe_piece(piece)
        return DrawnPiece(face=piece, words=words, shape="tint", tint=piece[0])

    def is_trump(self, piece: str, trump: str) -> bool:
        """Tell whether a card has the colour of the one turned last."""
        return piece[0] == trump[:1]

    def opens(self, led: Sequence[str]) -> str:
        """Return the key of the colour."""
        return led[0][0]
