"""Keys for dice and cards, and the form for the winner of a lone trick."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.games.entry_form import Label
from scoring.rules import (
    Game,
)

Key = tuple[str, Label]
"""The text that a key enters, and its label."""


@dataclass(frozen=True, slots=True)
class FirstKeyLook:
    """A first key with its look."""

    value: str
    label: Label
    kind: str = ""
    """Kind of die, as in d20."""
    face: str = ""
    """Text on that die."""
    sign: str = ""
    """Name of the sign drawn on it."""
    tint: str = ""
    """The letter of its suit, if it has the colour of one."""
    is_on_die: bool = False
    is_label_hidden: bool = False
    """Whether only its sign is visible; the label is for screen readers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceKeypad:
    """The keys for pieces, each entered by a first and a second key, or by one key."""

    pieces_per_play: int
    """Number of pieces of each player in a trick."""
    first: Sequence[Key]
    second: Mapping[str, Sequence[Key]] = field(default_factory=dict)
    """Second keys by the text of the first; the second one enters the piece."""
    last: Sequence[Key] = ()
    """Keys for the last piece of each player, if they differ."""
    shows_colours: bool = False
    """Whether the first keys are colours, and look like them."""
    signs: Mapping[str, str] = field(default_factory=dict)
    """Names of the signs on first keys that are suits, by the text of the key."""
    hides_sign_labels: bool = False
    """Whether such a sign needs no label next to it."""
    dice: bool = False
    """Whether the first keys are dice, of a kind or with a face, and look like them."""
    keeps_led_suit_open: bool = False
    """Whether the second keys of the led suit stay open, since most players follow it."""

    @property
    def first_key_looks(self) -> list[FirstKeyLook]:
        """Return the first keys with their looks."""
        if self.dice:
            return [
                FirstKeyLook(
                    value,
                    label,
                    kind=value if value.startswith("d") else "d6",
                    face=value.removeprefix("d"),
                )
                for value, label in self.first
            ]
        return [
            FirstKeyLook(
                value,
                label,
                sign=self.signs.get(value, ""),
                tint=value[0] if self.hides_sign_labels else "",
                is_on_die=value.endswith("*"),
                is_label_hidden=self.hides_sign_labels,
            )
            for value, label in self.first
        ]

    @property
    def longest_second_row(self) -> list[Label]:
        """Return the labels of the longest row of second keys."""
        return [label for _piece, label in max(self.second.values(), key=len)]

    @property
    def pieces(self) -> list[str]:
        """Return every piece that can be tapped."""
        if not self.second:
            return [piece for piece, _label in self.first]
        return [piece for keys in self.second.values() for piece, _label in keys]


def numbered_second_keys(
    first: Sequence[Key], least: int, most: int
) -> dict[str, Sequence[Key]]:
    """Return second keys for pieces that are a letter and a number."""
    return {
        letter: [
            (f"{letter}{number}", str(number)) for number in range(least, most + 1)
        ]
        for letter, _name in first
    }


class LoneTrickForm(forms.Form):
    """The plays of one trick."""

    rules: ClassVar[Game]
    pad: ClassVar[PieceKeypad]

    plays = forms.CharField(
        label=_("Cards or dice in the order played"),
        required=False,
        max_length=400,
        widget=forms.TextInput(attrs={"autocomplete": "off", "data-pieces": "plays"}),
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        seats = self.rules.seats
        self.fields["players"].choices = [(seat, str(seat)) for seat in seats]  # type: ignore[attr-defined]

    players = forms.TypedChoiceField(
        label=_("Players"), coerce=int, widget=forms.RadioSelect
    )

    @property
    def game_id(self) -> str:
        return self.rules.id

    @property
    def pieces(self) -> list[str]:
        plays: str = self.cleaned_data.get("plays", "")
        return plays.split()

    @property
    def pieces_by_player(self) -> list[list[str]]:
        """Return the pieces of each player; the last list may be incomplete."""
        count = self.pad.pieces_per_play
        return [
            self.pieces[start : start + count]
            for start in range(0, len(self.pieces), count)
        ]

    @property
    def seats(self) -> int:
        return int(self.cleaned_data["players"])

    @property
    def names(self) -> list[str]:
        """Return names for the players, by their turn."""
        return [
            gettext("Player %(number)s") % {"number": seat + 1}
            for seat in range(self.seats)
        ]

    @property
    def is_complete(self) -> bool:
        return len(self.pieces) >= self.pad.pieces_per_play * self.seats

    @property
    def prompt(self) -> str:
        """Return the request for the next play. The trick must not be complete."""
        turn = len(self.pieces) // self.pad.pieces_per_play
        return gettext("%(name)s, tap what you played.") % {"name": self.names[turn]}

    def trick_document(self) -> dict[str, Any]:
        """Return the trick in the format of `manage.py trick`; the leader is seat 0."""
        return {
            "game": self.game_id,
            "players": self.seats,
            "leader": 0,
            **self.trick_document_values(),
        }

    def trick_document_values(self) -> dict[str, Any]:
        """Return the plays, and the other values that decide the trick."""
        raise NotImplementedError
