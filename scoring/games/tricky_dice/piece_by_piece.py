"""A hand of Tricky Dice, recorded card by card and die by die."""

from collections.abc import Sequence

from django.utils.translation import gettext

from scoring.games.drawing import DrawnPiece, with_pieces
from scoring.games.piece_by_piece import PieceByPiece, RecordedForm
from scoring.games.tricky_dice.form import SOLO, TrickyDiceForm
from scoring.games.tricky_dice.keypad import PAD
from scoring.games.words import SUIT_NAMES, SUIT_SIGNS
from scoring.rules import Hand, PlaySoFar
from scoring.rules.tricky_dice import GAME
from scoring.rules.tricky_dice.bidding import SOLO_TRICKS
from scoring.rules.tricky_dice.game import TrickyDiceHand


class RecordedTrickyDice(RecordedForm, TrickyDiceForm):
    """A card or a die from each player, ten times; the trump die is needed."""

    rules = GAME
    pad = PAD
    sums = ("tricks_won", "die_tricks")
    contract_fields = ("bidder", "bid", "suit", "rank")

    @property
    def needed_contract_fields(self) -> Sequence[str]:
        """Return bid and trump, and the partner unless the bidder plays alone."""
        partner = [] if self.data.get("bid") == SOLO else ["partner"]
        return [*self.contract_fields, *partner]


class TrickyDicePieceByPiece(PieceByPiece):
    """A card or a die from each player; the suit that was led is followed."""

    form = RecordedTrickyDice

    def describe_piece(self, piece: str) -> str:
        """Return rank and suit, and that it is a die where it is one."""
        card = f"{_rank(piece)}{SUIT_SIGNS[piece[1]]}"
        return gettext("%(card)s die") % {"card": card} if _is_die(piece) else card

    def draw_piece(self, piece: str) -> DrawnPiece:
        """Return a card, or the die that stands for it."""
        return DrawnPiece(
            face=_rank(piece),
            words=self.describe_piece(piece),
            shape="cube" if _is_die(piece) else "card",
            sign=SUIT_NAMES[piece[1]],
            tint=piece[1],
        )

    def trump_of(self, hand: Hand) -> str:
        """Return what the trump die shows."""
        assert isinstance(hand, TrickyDiceHand)
        return str(hand.trump or "")

    def is_trump(self, piece: str, trump: str) -> bool:
        """Tell whether a card or a die is of the trump suit."""
        return bool(trump) and piece[1] == trump[1]

    def describe_trump(self, hand: Hand, recorded: PlaySoFar) -> str:
        """Return the trump suit and the rank above all others."""
        assert isinstance(hand, TrickyDiceHand)
        assert hand.trump is not None
        trump = self.draw_piece(str(hand.trump))
        suit = DrawnPiece(
            face="",
            words=SUIT_SIGNS[trump.tint],
            sign=trump.sign,
            tint=trump.tint,
            is_trump=True,
        )
        words = gettext("Trump: %(suit)s; %(rank)s is the highest, above the ace.")
        return with_pieces(words, suit=suit, rank=trump.face)

    def goal(self, hand: Hand) -> int | None:
        """Return the tricks that were bid; a solo needs six."""
        return SOLO_TRICKS if hand.solo else hand.bid

    def opens(self, led: Sequence[str]) -> str:
        """Return the key of the suit."""
        return led[0][1]


def _rank(piece: str) -> str:
    return piece[0].replace("T", "10")


def _is_die(piece: str) -> bool:
    return piece.endswith("*")
