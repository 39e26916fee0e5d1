"""How pieces are tapped: keys for dice and cards."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from scoring.games.entry_form import Label

Key = tuple[str, Label]
"""What a key enters, and what stands on it."""


class FirstKey(NamedTuple):
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


class Pad(NamedTuple):
    """How pieces are tapped: by a first key and a second, or by one alone."""

    each: int
    """Pieces that each player puts in."""
    first: Sequence[Key]
    second: Mapping[str, Sequence[Key]] = {}
    """By what the first key says; a piece is what the second one enters."""
    last: Sequence[Key] = ()
    """Keys for the last piece of each player, where they are others."""
    tints: bool = False
    """Whether the first keys are colours, and look like them."""
    signs: Mapping[str, str] = {}
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
        return [self._first_key(value, label) for value, label in self.first]

    def _first_key(self, value: str, label: Label) -> FirstKey:
        if self.dice:
            kind = value if value.startswith("d") else "d6"
            return FirstKey(value, label, kind=kind, face=value.removeprefix("d"))
        sign = self.signs.get(value, "")
        return FirstKey(
            value,
            label,
            sign=sign,
            tint=value[0] if self.signs_alone else "",
            is_on_die=value.endswith("*"),
            is_a_sign=self.signs_alone,
        )

    @property
    def places(self) -> list[Label]:
        """Return what stands on the second keys where most of them are open."""
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
