"""The table game of Tricks and Treats."""

from dataclasses import replace

from django import forms
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from scoring.games.drawing import DrawnPiece, ExamplePlay
from scoring.games.hand_texts import DEAL
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
    TricksAndTreatsLoneTrickForm,
    draw_card,
    draw_suit,
    draw_token,
)
from scoring.games.tricks_and_treats.random_play import generate_hand
from scoring.games.words import describe_seat_values
from scoring.rules import MatchState
from scoring.rules.game import Raw
from scoring.rules.tricks_and_treats import GAME
from scoring.rules.tricks_and_treats.game import (
    MOST_LEFT_AT_END,
    HoldingsBySeat,
    TreatsHand,
)
from scoring.rules.tricks_and_treats.pieces import DEFAULT_MIX


class TricksAndTreatsTableGame(TableGame):
    """Entry by tokens and treats of each seat, or play on a board."""

    rules = GAME
    hand_texts = DEAL
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
                    "data-format": "counts",
                }
            ),
        ),
        "shrinking_deck": forms.BooleanField(
            label=_("Tricks and Treats: cards drop out with their tokens"),
            required=False,
        ),
    }
    minutes_a_hand = 8
    examples = EXAMPLES
    tables = {"mix": DEFAULT_MIX}
    sample_pieces = ("P7", "G3", "B12", "C9", "W11", *KINDS)
    trick_form = TricksAndTreatsLoneTrickForm
    typical_hands = 4
    random_hand = staticmethod(generate_hand)
    demo_table_sizes = (3, 4)
    swappable_keys = ("tokens",)
    carried_keys = ("treats",)

    def describe_hand(self, hand: TreatsHand, names: Names) -> list[str]:
        treat_texts = hand.treats and [
            " + ".join(
                f"{count} {TREAT_LOOKS[kind].name}" for kind, count in counts.items()
            )
            or "–"
            for counts in hand.treats
        ]
        sentences = [
            *describe_seat_values(gettext("Tokens"), hand.tokens, names),
            *describe_seat_values(gettext("Treats"), treat_texts, names),
        ]
        if hand.grid_left is not None:
            values = {"left": hand.grid_left}
            sentences.append(gettext("Left in the grid: %(left)s") % values)
        return sentences

    def describe_remaining_play(self, state: MatchState) -> str:
        holdings: HoldingsBySeat | None = state.carry
        if holdings is None:
            return ""
        template = ngettext(
            "%(n)s token is left in the grid. The match ends at %(end)s or fewer.",
            "%(n)s tokens are left in the grid. The match ends at %(end)s or fewer.",
            holdings.grid_left,
        )
        return template % {"n": holdings.grid_left, "end": MOST_LEFT_AT_END}

    @property
    def piece_kind_drawings(self) -> list[DrawnPiece]:
        return [draw_suit(suit) for suit in SUITS]

    def draw_trick(self, trick: Raw) -> list[ExamplePlay]:
        """Return the card of each seat; trumps are marked unless an evil eye is on their player."""
        trumps = {token["card"] for token in trick["trumps"]}
        seats_under_eye = trick.get("evil_eye", ())
        return [
            ExamplePlay(
                [
                    replace(
                        draw_card(card),
                        is_trump=card in trumps and seat not in seats_under_eye,
                    )
                ]
            )
            for seat, card in enumerate(trick["plays"])
        ]

    def find_drawing(self, piece: str, trump: str = "") -> DrawnPiece | None:
        return draw_token(piece)
