"""The table game of Tricky."""

from collections.abc import Mapping

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.games.drawing import DrawnPiece, ExamplePlay, format_with_pieces
from scoring.games.table_game import Names, TableGame
from scoring.games.tricky.examples import EXAMPLES
from scoring.games.tricky.form import TrickyForm
from scoring.games.tricky.pieces import PAD, TrickyLoneTrickForm, TrickyPieceRecording
from scoring.games.tricky.random_play import generate_hand
from scoring.games.words import (
    describe_bids,
    describe_recorded_trick_count,
    describe_seat_values,
)
from scoring.rules.game import Raw
from scoring.rules.tricky import GAME
from scoring.rules.tricky.game import TrickyHand


class TrickyTableGame(TableGame):
    """A contract, with points by seat or nine tricks of dice."""

    rules = GAME
    entry_form = TrickyForm
    pieces = TrickyPieceRecording()
    option_fields = {
        "target": forms.IntegerField(label=_("Target"), required=False),
        "minimum_bid": forms.IntegerField(
            label=_("House rule: minimum bid"), required=False
        ),
        "passed_out_loss": forms.IntegerField(
            label=_("House rule: points lost when everyone passes"), required=False
        ),
    }
    house_rule_texts = {
        "minimum_bid": _("The minimum bid is %(value)s."),
        "passed_out_loss": _("Everyone loses %(value)s points when all pass."),
    }
    minutes_a_hand = 7
    examples = EXAMPLES
    trick_form = TrickyLoneTrickForm
    bid_band = 50
    typical_hands = 10
    random_hand = staticmethod(generate_hand)
    demo_table_sizes = (3, 4, 5)
    swappable_keys = ("points",)
    contract_keys = ("first_bidder", "bids", "contract")

    def describe_hand(self, hand: TrickyHand, names: Names) -> list[str]:
        sentences = [gettext("Everyone passed.")] if hand.passed_out else []
        if hand.bidder is not None:
            sentences.append(_describe_contract(hand, names, hand.trump_number))
        return [
            *sentences,
            *describe_bids(hand, names),
            *describe_seat_values(gettext("Points"), hand.points, names),
            *describe_recorded_trick_count(hand),
        ]

    def describe_contract(self, hand: TrickyHand, names: Names) -> str:
        number = str(hand.trump_number)
        drawn_trump = DrawnPiece(face=number, name=number, is_trump=True)
        return _describe_contract(hand, names, drawn_trump)

    def describe_next_starter(self, turn: Mapping[str, int], names: Names) -> str:
        return gettext("%(name)s bids first.") % {"name": names[turn["first_bidder"]]}

    @property
    def piece_kind_drawings(self) -> list[DrawnPiece]:
        return [DrawnPiece(kind=die, face=die[1:], name=die) for die, _ in PAD.first]

    def draw_trick(self, trick: Raw) -> list[ExamplePlay]:
        trump = str(trick.get("trump") or "")
        return [
            ExamplePlay([self.pieces.draw_with_trump(die, trump) for die in play])
            for play in trick["plays"]
        ]


def _describe_contract(hand: TrickyHand, names: Names, trump: object) -> str:
    if hand.bidder is None:
        return ""
    values: dict[str, object] = {"name": names[hand.bidder], "bid": hand.bid}
    if hand.trump_number is None:
        return gettext("%(name)s plays for %(bid)s without trump.") % values
    values["trump"] = trump
    template = gettext("%(name)s plays for %(bid)s with trump %(trump)s.")
    return (
        format_with_pieces(template, **values)
        if isinstance(trump, DrawnPiece)
        else template % values
    )
