"""A hand of Tricky Dice, recorded card by card and die by die."""

from collections.abc import Sequence

from django.utils.translation import gettext

from scoring.games.piece_by_piece import DrawnPiece, PieceByPiece, RecordedForm
from scoring.games.tricky_dice.form import SOLO, TrickyDiceForm
from scoring.games.tricky_dice.keypad import PAD
from scoring.games.words import DIE_SIGN, SUIT_SIGNS
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
    def has_contract(self) -> bool:
        """Tell whether bid and trump are there, and a partner where one is picked."""
        is_solo = self.data.get("bid") == SOLO
        return super().has_contract and (is_solo or self.is_filled("partner"))


class TrickyDicePieceByPiece(PieceByPiece):
    """A card or a die from each player; the suit that was led is followed."""

    form = RecordedTrickyDice

    def describe_piece(self, piece: str) -> str:
        """Return rank and suit, with a sign where it is a die."""
        rank, suit = piece[0].replace("T", "10"), SUIT_SIGNS[piece[1]]
        return f"{DIE_SIGN if piece.endswith('*') else ''}{rank}{suit}"

    def draw_piece(self, piece: str) -> DrawnPiece:
        """Return a card, or the die that stands for it."""
        is_die = piece.endswith("*")
        words = self.describe_piece(piece)
        return DrawnPiece(
            face=words.removeprefix(DIE_SIGN),
            words=words,
            shape="die d6" if is_die else "card",
            tint=piece[1],
        )

    def describe_trump(self, hand: Hand, recorded: PlaySoFar) -> str:
        """Return the trump suit and the rank above all others."""
        assert isinstance(hand, TrickyDiceHand)
        assert hand.trump is not None
        rank = self.describe_piece(str(hand.trump))[:-1]
        values = {"suit": SUIT_SIGNS[hand.trump.suit], "rank": rank}
        return (
            gettext("Trump: %(suit)s; %(rank)s is the highest, above the ace.") % values
        )

    def goal(self, hand: Hand) -> int | None:
        """Return the tricks that were bid; a solo needs six."""
        return SOLO_TRICKS if hand.solo else hand.bid

    def opens(self, led: Sequence[str]) -> str:
        """Return the key of the suit."""
        return led[0][1]
