"""The forms on the page of the board, and their input as an action of the engine."""

import json
from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.games.drawing import DrawnPiece
from scoring.games.keypad import PieceKeypad
from scoring.games.tricks_and_treats.board.view import BoardView
from scoring.games.tricks_and_treats.pieces import SUIT_KEYS, SUIT_SIGNS, draw_card
from scoring.rules.tricks_and_treats.board import Board
from scoring.rules.tricks_and_treats.treats import usable_treats

EMPTY_CHOICE = ""
SEATS = ("seat", "with", "leader")
"""Fields with the number of a seat."""


def parse_action(post_data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the action from posted values; malformed values are left for the rules to refuse."""
    action = {
        key: post_data[key] for key in ("kind", "after", "box") if post_data.get(key)
    }
    action |= {
        key: _int_or_unchanged(post_data[key]) for key in SEATS if post_data.get(key)
    }
    cells = [
        [_int_or_unchanged(part) for part in str(post_data[key]).split(",")]
        for key in ("first", "cell")
        if post_data.get(key)
    ]
    if post_data.get("kind") == "switch":
        action["cells"] = cells
    elif cells:
        action["cell"] = cells[-1]
    if post_data.get("loot"):
        owner, _comma, treat = str(post_data["loot"]).partition(",")
        action |= {"from": _int_or_unchanged(owner), "treat": treat}
    if post_data.get("kind") != "trick":
        return action
    action["plays"] = str(post_data.get("plays", "")).upper().split()
    for name, value in sorted(post_data.items()):
        if name.startswith("eye_") and value:
            try:
                eye = json.loads(str(value))
            except (RecursionError, ValueError):
                # The rules report the fault.
                eye = value
            action.setdefault("evil_eye", []).append(eye)
        elif name.startswith("master_") and value:
            seat = _int_or_unchanged(name.partition("_")[2])
            action.setdefault("master_trump", []).append(seat)
    return action


def _int_or_unchanged(text: object) -> Any:
    """Return the text as a whole number if it is one, else unchanged."""
    digits = str(text)
    return (
        int(digits)
        if digits.isascii() and digits.isdigit() and len(digits) < 3
        else text
    )


class BoardTrickForm(forms.Form):
    """The cards of a trick, and the treats that were played with it."""

    plays = forms.CharField(
        required=False,
        max_length=200,
        widget=forms.TextInput(
            attrs={
                "autocomplete": "off",
                "autocapitalize": "characters",
                "data-pieces": "plays",
                "data-path": "plays",
                "data-format": "words",
            }
        ),
    )

    def __init__(self, *args: Any, board: Board, names: list[str]) -> None:
        """Create a form with the treats that can be played with this trick."""
        super().__init__(*args)
        self.board, self.names = board, names
        if board.leader is None:
            self.fields["plays"].label = gettext("Cards (starting player first)")
            self.fields["leader"] = forms.ChoiceField(
                label=_("Who holds %(card)s and starts?") % {"card": board.start_token},
                choices=list(enumerate(names)),
                widget=forms.RadioSelect(attrs={"data-path": "leader"}),
            )
        else:
            order = ", ".join(names[board.leader :] + names[: board.leader])
            label = gettext("Cards played by %(names)s") % {"names": order}
            self.fields["plays"].label = label
        for seat, name in enumerate(names):
            self._add_treat_fields(seat, name)

    def _add_treat_fields(self, seat: int, name: str) -> None:
        usable_kinds = usable_treats(self.board, seat)
        values = {"name": name}
        seats, leader = range(len(self.names)), self.board.leader
        # While the leader is unknown, any other player may play later.
        later_seats = [other_seat for other_seat in seats if other_seat != seat]
        if leader is not None:
            order = [*seats[leader:], *seats[:leader]]
            later_seats = sorted(order[order.index(seat) + 1 :])
        if "evil_eye" in usable_kinds and later_seats:
            choices = [
                (json.dumps({"seat": seat, "on": other_seat}), self.names[other_seat])
                for other_seat in later_seats
            ]
            for number in range(self.board.treats[seat].count("evil_eye")):
                self.fields[f"eye_{seat}_{number}"] = forms.ChoiceField(
                    label=_("Who does %(name)s cast an evil eye on?") % values,
                    choices=[(EMPTY_CHOICE, _("no one")), *choices],
                    required=False,
                    widget=forms.Select(
                        attrs={
                            "data-path": f"evil_eye[{seat}{number}]",
                            "data-format": "json",
                        }
                    ),
                )
        if "master_trump" in usable_kinds:
            self.fields[f"master_{seat}"] = forms.BooleanField(
                label=_("%(name)s plays a master trump") % values,
                required=False,
                widget=forms.CheckboxInput(
                    attrs={"data-path": f"master_trump[{seat}]", "data-json": seat}
                ),
            )

    @property
    def treat_fields(self) -> list[forms.BoundField]:
        return [field for field in self if field.name not in ("plays", "leader")]

    @property
    def playable_card_drawings(self) -> list[DrawnPiece]:
        """Return the drawings of the cards, as shown once they are tapped."""
        return [draw_card(card) for card in self.pad.pieces]

    @property
    def pad(self) -> PieceKeypad:
        """Return keys for the cards that can still be played in this deal."""
        playable_cards = set(self.board.deck) - self.board.played_cards
        cards = {
            suit: [
                (card, card[1:])
                for card in self.board.deck
                if card[0] == suit and card in playable_cards
            ]
            for suit, _name in SUIT_KEYS
        }
        second = {suit: keys for suit, keys in cards.items() if keys}
        first = [key for key in SUIT_KEYS if key[0] in second]
        return PieceKeypad(
            pieces_per_play=1,
            first=first,
            second=second,
            signs=SUIT_SIGNS,
            keeps_led_suit_open=True,
        )


def build_board_trick_form(
    view: BoardView | None, post_data: Mapping[str, str] | None
) -> BoardTrickForm | None:
    """Return the form for the next trick, with the input so far; None if no trick is due."""
    if view is None or view.stop or not view.board.can_begin_trick:
        return None
    return BoardTrickForm(post_data, board=view.board, names=list(view.names))
