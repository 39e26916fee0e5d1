"""How pieces are tapped: keys for dice and cards."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from scoring.games.entry_form import Label

Key = tuple[str, Label]
"""What a key enters, and what stands on it."""


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
    follows: bool = False
    """Whether the keys of what was led stay open, as most players follow it."""

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
