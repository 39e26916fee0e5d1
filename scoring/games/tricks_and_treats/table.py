"""The table game of Tricks and Treats."""

from dataclasses import replace

from django import forms
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from scoring.games.drawing import DrawnPiece, PlayedExample
from scoring.games.table_game import Names, TableGame
from scoring.games.tricks_and_treats.board import BOARD
from scoring.games.tricks_and_treats.examples import EXAMPLES
from scoring.games.tricks_and_treats.form import (
    TREAT_LOOKS,
    USUAL_MIX,
    TreatMixField,
    TricksAndTreatsForm,
)
from scoring.games.tricks_and_treats.pieces import (
    KINDS,
    SUITS,
    TricksAndTreatsTrick,
    draw_card,
    draw_suit,
    draw_token,
)
from scoring.games.tricks_and_treats.random_play import play_hand
from scoring.games.words import describe_seats
from scoring.rules import MatchState
from scoring.rules.game import Raw
from scoring.rules.tricks_and_treats import GAME
from scoring.rules.tricks_and_treats.game import MOST_LEFT_AT_END, Holdings, TreatsHand
from scoring.rules.tricks_and_treats.pieces import DEFAULT_MIX


class TricksAndTreatsTable(TableGame):
    """Entry by tokens and treats of each seat, or play on a board."""

    rules = GAME
    entry_form = TricksAndTreatsForm
    board = BOARD
    option_fields = {
        "treats": TreatMixField(
            label=_("Tricks and Treats: a different mix of the 22 treats"),
            required=False,
            max_length=300,
            widget=forms.TextInput(
                attrs={
                    "autocomplete": "off",
                    "placeholder": USUAL_MIX,
                    "data-as": "counts",
                }
            ),
        ),
        "shrinking_deck": forms.BooleanField(
            label=_("Tricks and Treats: cards leave the deck with their tokens"),
            required=False,
        ),
    }
    minutes_a_hand = 8
    examples = EXAMPLES
    tables = {"mix": DEFAULT_MIX}
    shown_pieces = ("P7", "G3", "B12", "C9", "W11", *KINDS)
    trick_form = TricksAndTreatsTrick
    typical_hands = 4
    random_hand = staticmethod(play_hand)
    likely_tables = (3, 4)
    mixed_up = ("tokens",)
    carried = ("treats",)

    def describe_hand(self, hand: TreatsHand, names: Names) -> list[str]:
        held = hand.treats and [
            " + ".join(
                f"{count} {TREAT_LOOKS[kind].name}" for kind, count in each.items()
            )
            or "–"
            for each in hand.treats
        ]
        sentences = [
            *describe_seats(gettext("Tokens"), hand.tokens, names),
            *describe_seats(gettext("Treats"), held, names),
        ]
        if hand.grid_left is not None:
            left = {"left": hand.grid_left}
            sentences.append(gettext("Left in the grid: %(left)s") % left)
        return sentences

    def describe_remaining(self, state: MatchState) -> str:
        held: Holdings | None = state.carry
        if held is None:
            return ""
        words = ngettext(
            "%(n)s token is left in the grid. The match ends at %(end)s or fewer.",
            "%(n)s tokens are left in the grid. The match ends at %(end)s or fewer.",
            held.grid_left,
        )
        return words % {"n": held.grid_left, "end": MOST_LEFT_AT_END}

    @property
    def kinds(self) -> list[DrawnPiece]:
        return [draw_suit(suit) for suit in SUITS]

    def draw_trick(self, trick: Raw) -> list[PlayedExample]:
        """Return the card of each seat; trumps are marked unless an evil eye is on their player."""
        shown = {token["card"] for token in trick["trumps"]}
        watched = trick.get("evil_eye", ())
        return [
            PlayedExample(
                [
                    replace(
                        draw_card(card), is_trump=card in shown and seat not in watched
                    )
                ]
            )
            for seat, card in enumerate(trick["plays"])
        ]

    def draw(self, piece: str, trump: str = "") -> DrawnPiece | None:
        return draw_token(piece)
