"""The table game of Tricky Dice."""

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.games.drawing import ExamplePlay
from scoring.games.table_game import Names, TableGame
from scoring.games.tricky_dice.examples import EXAMPLES
from scoring.games.tricky_dice.form import TrickyDiceForm
from scoring.games.tricky_dice.pieces import (
    TrickyDiceLoneTrickForm,
    TrickyDicePieceRecording,
)
from scoring.games.tricky_dice.random_play import generate_hand
from scoring.games.words import (
    describe_bids,
    describe_recorded_trick_count,
    describe_seat_values,
)
from scoring.rules.game import Raw
from scoring.rules.tricky_dice import GAME
from scoring.rules.tricky_dice.game import TrickyDiceHand


class TrickyDiceTableGame(TableGame):
    """A contract with a partner or solo, with sums by seat or ten tricks."""

    rules = GAME
    entry_form = TrickyDiceForm
    pieces = TrickyDicePieceRecording()
    option_fields = {
        "target": forms.IntegerField(label=_("Target"), required=False),
        "tricks_scored": forms.ChoiceField(
            label=_("Tricky Dice: points"),
            choices=[("", _("the team’s tricks")), ("own", _("own tricks only"))],
            required=False,
        ),
        "made_bonus": forms.IntegerField(
            label=_("House rule: bonus for a made bid (double in a solo)"),
            required=False,
        ),
        "set_penalty": forms.IntegerField(
            label=_("House rule: penalty for a missed bid (double in a solo)"),
            required=False,
        ),
    }
    house_rule_texts = {
        "made_bonus": _("A made bid scores %(value)s extra, a solo twice as much."),
        "set_penalty": _("A missed bid costs %(value)s points, a solo twice as much."),
    }
    points_a_hole = 2
    minutes_a_hand = 6
    examples = EXAMPLES
    sample_pieces = ("AS", "TH", "QD", "7C", "8H*", "QD*")
    trick_form = TrickyDiceLoneTrickForm
    bid_band = 1
    has_partners = True
    typical_hands = 6
    random_hand = staticmethod(generate_hand)
    demo_table_sizes = (4,)
    demo_evenings = 1
    swappable_keys = ("tricks_won", "die_tricks")
    contract_keys = ("dealer", "bids", "trump", "contract")

    def describe_hand(self, hand: TrickyDiceHand, names: Names) -> list[str]:
        return [
            *filter(None, [self.describe_contract(hand, names)]),
            *describe_bids(hand, names),
            *describe_seat_values(gettext("Tricks"), hand.tricks_won, names),
            *describe_seat_values(gettext("Tricks with a die"), hand.die_tricks, names),
            *describe_recorded_trick_count(hand),
        ]

    def describe_contract(self, hand: TrickyDiceHand, names: Names) -> str:
        if hand.bidder is None:
            return ""
        if hand.solo:
            return gettext("%(name)s plays solo.") % {"name": names[hand.bidder]}
        assert hand.partner is not None
        return gettext("%(name)s plays for %(bid)s tricks with %(partner)s.") % {
            "name": names[hand.bidder],
            "bid": hand.bid,
            "partner": names[hand.partner],
        }

    def draw_trick(self, trick: Raw) -> list[ExamplePlay]:
        trump = trick["trump"]
        return [
            ExamplePlay([self.pieces.draw_with_trump(piece, trump)])
            for piece in trick["plays"]
        ]
