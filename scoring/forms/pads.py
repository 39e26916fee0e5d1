"""How pieces are tapped: keys for the dice and cards of each game."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from django.utils.translation import gettext_lazy as _

from scoring.forms.entry import Label
from scoring.forms.tricky_dice import RANKS, SUITS
from scoring.retelling import DIE_SIGN
from scoring.rules.tricky.tricks import KINDS
from scoring.rules.tricky_bid.tricks import HIGHEST

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
    follows: bool = False
    """Whether the keys of what was led stay open, as most players follow it."""


def numbered(first: Sequence[Key], least: int, most: int) -> dict[str, Sequence[Key]]:
    """Return second keys for pieces that are a letter and a number."""
    return {
        letter: [
            (f"{letter}{number}", str(number)) for number in range(least, most + 1)
        ]
        for letter, _name in first
    }


COLOUR_KEYS: Sequence[Key] = (
    ("Y", _("yellow")),
    ("B", _("blue")),
    ("P", _("pink")),
    ("G", _("green")),
    ("R", _("red")),
)
SUIT_KEYS: Sequence[Key] = (
    ("P", _("pumpkin")),
    ("G", _("ghost")),
    ("B", _("bat")),
    ("C", _("cat")),
    ("W", _("witch")),
)

TRICKY_PAD = Pad(
    each=2,
    first=[(f"d{faces}", f"d{faces}") for faces in KINDS],
    second={
        f"d{faces}": [
            (f"d{faces}:{value}", str(value)) for value in range(1, faces + 1)
        ]
        for faces in KINDS
    },
)
TRICKY_DICE_PAD = Pad(
    each=1,
    first=[
        *((suit, str(name)) for suit, name in SUITS),
        *((f"{suit}*", f"{DIE_SIGN}{name}") for suit, name in SUITS),
    ],
    second={
        f"{suit}{star}": [
            (f"{rank}{suit}{star}", label) for rank, label in reversed(RANKS)
        ]
        for star in ("", "*")
        for suit, _name in SUITS
    },
    follows=True,
)
TRICKY_BID_PAD = Pad(
    each=1,
    first=COLOUR_KEYS,
    second=numbered(COLOUR_KEYS, 0, HIGHEST),
    follows=True,
)
