"""Tricky Bid as tables play it."""

from collections.abc import Mapping
from random import Random  # noqa: TID251 - only its type
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.games.drawing import DrawnPiece, PlayedExample
from scoring.games.table_game import Names, TableGame
from scoring.games.tricky_bid.examples import EXAMPLES
from scoring.games.tricky_bid.form import TrickyBidForm
from scoring.games.tricky_bid.keypad import COLOUR_KEYS
from scoring.games.tricky_bid.piece_by_piece import TrickyBidCardByCard
from scoring.games.tricky_bid.random_play import play_hand
from scoring.games.tricky_bid.who_won import TrickyBidTrick
from scoring.games.words import describe_dealer, describe_seats, describe_tricks
from scoring.rules import MatchState
from scoring.rules.game import Options, Raw
from scoring.rules.tricky_bid import GAME
from scoring.rules.tricky_bid.game import TrickyBidHand
from scoring.rules.tricky_bid.tricks import DEALS


class TrickyBidTable(TableGame):
    """Points by seat, or everybody's antes and cards."""

    rules = GAME
    entry_form = TrickyBidForm
    pieces = TrickyBidCardByCard()
    option_fields = {
        "multiple": forms.IntegerField(
            label=_("Tricky Bid: each deals"), required=False
        )
    }
    minutes_a_hand = 7
    examples = EXAMPLES
    tables = {
        "deals": [
            (seats, deal, deal.most_points(seats)) for seats, deal in DEALS.items()
        ]
    }
    shown_pieces = ("Y6", "B11", "P0", "G15", "R3")
    trick_form = TrickyBidTrick
    likely_tables = (3, 4, 5)
    demo_evenings = 2
    mixed_up = ("points",)

    def describe_hand(self, hand: TrickyBidHand, names: Names) -> list[str]:
        """Return the points."""
        points = describe_seats(gettext("Points"), hand.points, names)
        return [*points, *describe_tricks(hand)]

    def describe_turn(self, turn: Mapping[str, int], names: Names) -> str:
        """Return who deals and who starts."""
        return describe_dealer(turn, names)

    @property
    def kinds(self) -> list[DrawnPiece]:
        """Return a card of each colour."""
        return [
            DrawnPiece(shape="tint", face=colour, words=str(name), tint=colour)
            for colour, name in COLOUR_KEYS
        ]

    def drawn_trick(self, trick: Raw) -> list[PlayedExample]:
        """Return everybody's card, the trumps among them marked, and ante."""
        pieces, trump = self.pieces, trick["trump"]
        return [
            PlayedExample([pieces.draw_played(card, trump)], pieces.draw_piece(ante))
            for card, ante in zip(trick["plays"], trick["antes"], strict=True)
        ]

    def usual_hands(self, seats: int) -> int:
        """Return that everybody deals once."""
        return seats

    def fixed_hands(self, seats: int, options: Options) -> int | None:
        """Return that everybody deals as often as was agreed."""
        rounds: int = seats * options["multiple"]
        return rounds

    def random_hand(
        self, state: MatchState, rng: Random, *, tricks: bool
    ) -> dict[str, Any]:
        """Return a legal next round."""
        return play_hand(state, rng, tricks=tricks)
