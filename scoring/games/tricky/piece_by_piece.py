"""A hand of Tricky, recorded die by die."""

from collections.abc import Sequence
from itertools import groupby

from django.utils.translation import gettext

from scoring.games.drawing import DrawnPiece, with_pieces
from scoring.games.piece_by_piece import PieceByPiece, RecordedForm
from scoring.games.tricky.form import TrickyForm
from scoring.games.tricky.keypad import PAD
from scoring.rules import Hand, Laid, PlaySoFar, Turn
from scoring.rules.tricky import GAME


class RecordedTricky(RecordedForm, TrickyForm):
    """Two dice from each player, nine times."""

    rules = GAME
    pad = PAD
    sums = ("points", "passed_out")


class TrickyDieByDie(PieceByPiece):
    """Two dice from each player; one of the two numbers led is matched."""

    form = RecordedTricky

    def describe_piece(self, piece: str) -> str:
        """Return the number that a die shows, then its faces."""
        faces, _colon, value = piece.partition(":")
        return f"{value} ({faces})"

    def draw_piece(self, piece: str) -> DrawnPiece:
        """Return a die of its kind with what it shows."""
        faces, _colon, value = piece.partition(":")
        return DrawnPiece(face=value, words=self.describe_piece(piece), kind=faces)

    def trump_of(self, hand: Hand) -> str:
        """Return the trump number."""
        return str(hand.trump_number or "")

    def is_trump(self, piece: str, trump: str) -> bool:
        """Tell whether a die shows the trump number."""
        return piece.partition(":")[2] == trump

    def describe_turn(self, turn: Turn, laid: Sequence[Laid], name: str) -> str:
        """Return who puts down two dice, or the second one."""
        if laid and len(laid[-1].pieces) == 1:
            return gettext("%(name)s: second die?") % {"name": name}
        return gettext("%(name)s: two dice?") % {"name": name}

    def describe_led(self, led: Sequence[str]) -> str:
        """Return the numbers to match, once both dice are down."""
        if len(led) < 2:
            return ""
        numbers = " / ".join(key for key, _ in groupby(p.split(":")[1] for p in led))
        return gettext("Led: %(led)s; match one of them.") % {"led": numbers}

    def describe_trump(self, hand: Hand, recorded: PlaySoFar) -> str:
        """Return the trump number."""
        if hand.trump_number is None:
            return gettext("No trump.")
        number = str(hand.trump_number)
        drawn = DrawnPiece(face=number, words=number, is_trump=True)
        return with_pieces(gettext("Trump: %(trump)s."), trump=drawn)
