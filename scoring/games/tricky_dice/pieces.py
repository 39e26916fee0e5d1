"""The pieces of Tricky Dice: keys, hands recorded piece by piece, and lone tricks."""

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.games.drawing import DrawnPiece, format_with_pieces
from scoring.games.entry_form import choice_field
from scoring.games.keypad import LoneTrickForm, PieceKeypad
from scoring.games.pieces import PieceEntryForm, PieceRecording
from scoring.games.tricky_dice.form import RANKS, SOLO, SUITS, TrickyDiceForm
from scoring.games.words import DIE_SIGN, SUIT_NAMES, SUIT_SIGNS
from scoring.rules import ParsedHand, PlaySoFar
from scoring.rules.tricky_dice import GAME
from scoring.rules.tricky_dice.bidding import SOLO_TRICKS
from scoring.rules.tricky_dice.game import TrickyDiceHand
from scoring.rules.tricky_dice.tricks import SEATS

PAD = PieceKeypad(
    pieces_per_play=1,
    first=[
        *((suit, str(name)) for suit, name in SUITS),
        *((f"{suit}*", f"{DIE_SIGN}{name}") for suit, name in SUITS),
    ],
    second={
        f"{suit}{star}": [
            (f"{rank}{suit}{star}", label) for rank, label in reversed(RANKS)
        ]
        for star in ("", "*")
        for suit, _name in SUITS
    },
    signs={
        f"{suit}{star}": SUIT_NAMES[suit] for suit, _name in SUITS for star in ("", "*")
    },
    hides_sign_labels=True,
    keeps_led_suit_open=True,
)


class TrickyDicePieceEntryForm(PieceEntryForm, TrickyDiceForm):
    """A card or a die from each player, ten times; the trump die is needed."""

    rules = GAME
    pad = PAD
    sum_fields = ("tricks_won", "die_tricks")
    contract_fields = ("bidder", "bid", "suit", "rank")

    @property
    def required_contract_field_names(self) -> Sequence[str]:
        partner = [] if self.data.get("bid") == SOLO else ["partner"]
        return [*self.contract_fields, *partner]


class TrickyDicePieceRecording(PieceRecording):
    """A card or a die from each player, who must follow the led suit."""

    form = TrickyDicePieceEntryForm

    def describe_piece(self, piece: str) -> str:
        card = f"{_rank_label(piece)}{SUIT_SIGNS[piece[1]]}"
        return gettext("%(card)s die") % {"card": card} if _is_die(piece) else card

    def draw_piece(self, piece: str) -> DrawnPiece:
        return DrawnPiece(
            face=_rank_label(piece),
            name=self.describe_piece(piece),
            shape="cube" if _is_die(piece) else "card",
            sign=SUIT_NAMES[piece[1]],
            tint=piece[1],
        )

    def hand_trump(self, hand: ParsedHand) -> str:
        assert isinstance(hand, TrickyDiceHand)
        return str(hand.trump or "")

    def is_trump(self, piece: str, trump: str) -> bool:
        return bool(trump) and piece[1] == trump[1]

    def describe_trump(self, hand: ParsedHand, progress: PlaySoFar) -> str:
        assert isinstance(hand, TrickyDiceHand)
        assert hand.trump is not None
        trump = self.draw_piece(str(hand.trump))
        suit = DrawnPiece(
            face="",
            name=SUIT_SIGNS[trump.tint],
            sign=trump.sign,
            tint=trump.tint,
            is_trump=True,
        )
        template = gettext("Trump: %(suit)s. %(rank)s is highest, above the ace.")
        return format_with_pieces(template, suit=suit, rank=trump.face)

    def goal(self, hand: ParsedHand) -> int | None:
        return SOLO_TRICKS if hand.solo else hand.bid

    def led_suit_key(self, led_pieces: Sequence[str]) -> str:
        return led_pieces[0][1]


def _rank_label(piece: str) -> str:
    return piece[0].replace("T", "10")


def _is_die(piece: str) -> bool:
    return piece.endswith("*")


class TrickyDiceLoneTrickForm(LoneTrickForm):
    """A card or a die from each player."""

    rules = GAME
    pad = PAD
    trump_rank = choice_field(
        _("Rank on the trump die"),
        reversed(RANKS),
        required=True,
    )
    trump_suit = choice_field(_("Suit on the trump die"), SUITS, required=True)

    def trick_document_values(self) -> dict[str, Any]:
        values = self.cleaned_data
        return {
            "trump": f"{values['trump_rank']}{values['trump_suit']}",
            "plays": self.pieces[:SEATS],
        }
