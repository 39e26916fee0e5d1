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
"""What a key enters, and what stands on it."""


@dataclass(frozen=True, slots=True)
class FirstKey:
    """A first key as it looks."""

    value: str
    label: Label
    kind: str = ""
    """Of a die, as in d20."""
    face: str = ""
    """What that die shows."""
    sign: str = ""
    """What is drawn on it, by its name among the signs."""
    tint: str = ""
    """The letter of its suit, where it has the colour of one."""
    is_on_die: bool = False
    is_a_sign: bool = False
    """Whether its sign alone is seen; its label is for the ear."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pad:
    """How pieces are tapped: by a first key and a second, or by one alone."""

    each: int
    """Pieces that each player puts in."""
    first: Sequence[Key]
    second: Mapping[str, Sequence[Key]] = field(default_factory=dict)
    """By what the first key says; a piece is what the second one enters."""
    last: Sequence[Key] = ()
    """Keys for the last piece of each player, where they are others."""
    tints: bool = False
    """Whether the first keys are colours, and look like them."""
    signs: Mapping[str, str] = field(default_factory=dict)
    """What is drawn on the first keys that are suits, by what they enter."""
    signs_alone: bool = False
    """Whether such a sign needs no word beside it."""
    dice: bool = False
    """Whether the first keys are dice, of a kind or with a face, and look like them."""
    follows: bool = False
    """Whether the keys of what was led stay open, as most players follow it."""

    @property
    def first_keys(self) -> list[FirstKey]:
        """Return the first keys as they look."""
        if self.dice:
            return [
                FirstKey(
                    value,
                    label,
                    kind=value if value.startswith("d") else "d6",
                    face=value.removeprefix("d"),
                )
                for value, label in self.first
            ]
        return [
            FirstKey(
                value,
                label,
                sign=self.signs.get(value, ""),
                tint=value[0] if self.signs_alone else "",
                is_on_die=value.endswith("*"),
                is_a_sign=self.signs_alone,
            )
            for value, label in self.first
        ]

    @property
    def places(self) -> list[Label]:
        """Return the labels of the longest row of second keys."""
        return [label for _piece, label in max(self.second.values(), key=len)]

    @property
    def pieces(self) -> list[str]:
        """Return every piece that can be tapped."""
        if not self.second:
            return [piece for piece, _label in self.first]
        return [piece for keys in self.second.values() for piece, _label in keys]


def numbered(first: Sequence[Key], least: int, most: int) -> dict[str, Sequence[Key]]:
    """Return second keys for pieces that are a letter and a number."""
    return {
        letter: [
            (f"{letter}{number}", str(number)) for number in range(least, most + 1)
        ]
        for letter, _name in first
    }


class TrickForm(forms.Form):
    """What was played to one trick."""

    rules: ClassVar[Game]
    pad: ClassVar[Pad]

    plays = forms.CharField(
        label=_("Played, in this order"),
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
    def game(self) -> str:
        return self.rules.id

    @property
    def pieces(self) -> list[str]:
        played: str = self.cleaned_data.get("plays", "")
        return played.split()

    @property
    def parts(self) -> list[list[str]]:
        """Return what each player put in; the last part may lack something."""
        each = self.pad.each
        return [
            self.pieces[start : start + each]
            for start in range(0, len(self.pieces), each)
        ]

    @property
    def seats(self) -> int:
        """Return how many play."""
        return int(self.cleaned_data["players"])

    @property
    def names(self) -> list[str]:
        """Return what the players are called here: by their turn."""
        return [
            gettext("Player %(number)s") % {"number": seat + 1}
            for seat in range(self.seats)
        ]

    @property
    def is_whole(self) -> bool:
        return len(self.pieces) >= self.pad.each * self.seats

    @property
    def prompt(self) -> str:
        """Return what is asked for, in words; empty for an unknown number of players."""
        turn = len(self.pieces) // self.pad.each
        return gettext("%(name)s: tap what was played.") % {"name": self.names[turn]}

    def document(self) -> dict[str, Any]:
        """Return the trick as `manage.py trick` reads it; the leader is seat 0."""
        return {
            "game": self.game,
            "players": self.seats,
            "leader": 0,
            **self.decided_by(),
        }

    def decided_by(self) -> dict[str, Any]:
        """Return the plays, and whatever else decides the trick."""
        raise NotImplementedError
