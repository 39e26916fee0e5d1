"""The table game of Tricky Bid."""

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.games.drawing import DrawnPiece, ExamplePlay
from scoring.games.table_game import Names, TableGame
from scoring.games.tricky_bid.examples import EXAMPLES
from scoring.games.tricky_bid.form import TrickyBidForm
from scoring.games.tricky_bid.pieces import (
    COLOUR_KEYS,
    TrickyBidLoneTrickForm,
    TrickyBidPieceRecording,
)
from scoring.games.tricky_bid.random_play import generate_hand
from scoring.games.words import describe_recorded_trick_count, describe_seat_values
from scoring.rules.game import Options, Raw
from scoring.rules.tricky_bid import GAME
from scoring.rules.tricky_bid.game import TrickyBidHand
from scoring.rules.tricky_bid.tricks import DEALS


class TrickyBidTableGame(TableGame):
    """Points by seat, or all antes and cards."""

    rules = GAME
    entry_form = TrickyBidForm
    pieces = TrickyBidPieceRecording()
    option_fields = {
        "multiple": forms.IntegerField(
            label=_("Tricky Bid: deals per player"), required=False
        )
    }
    minutes_a_hand = 7
    examples = EXAMPLES
    tables = {
        "deals": [
            (seats, deal, deal.most_points(seats)) for seats, deal in DEALS.items()
        ]
    }
    sample_pieces = ("Y6", "B11", "P0", "G15", "R3")
    trick_form = TrickyBidLoneTrickForm
    random_hand = staticmethod(generate_hand)
    demo_table_sizes = (3, 4, 5)
    demo_evenings = 2
    swappable_keys = ("points",)

    def describe_hand(self, hand: TrickyBidHand, names: Names) -> list[str]:
        points = describe_seat_values(gettext("Points"), hand.points, names)
        return [*points, *describe_recorded_trick_count(hand)]

    @property
    def piece_kind_drawings(self) -> list[DrawnPiece]:
        return [
            DrawnPiece(shape="tint", face=colour, name=str(name), tint=colour)
            for colour, name in COLOUR_KEYS
        ]

    def draw_trick(self, trick: Raw) -> list[ExamplePlay]:
        pieces, trump = self.pieces, trick["trump"]
        return [
            ExamplePlay([pieces.draw_with_trump(card, trump)], pieces.draw_piece(ante))
            for card, ante in zip(trick["plays"], trick["antes"], strict=True)
        ]

    def fixed_hand_count(self, seats: int, options: Options) -> int | None:
        rounds: int = seats * options["multiple"]
        return rounds
