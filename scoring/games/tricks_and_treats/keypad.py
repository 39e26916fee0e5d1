"""Keys for the cards of Tricks and Treats."""

from collections.abc import Sequence

from django.utils.translation import gettext_lazy as _

from scoring.games.keypad import Key, Pad, numbered
from scoring.rules.tricks_and_treats.pieces import HIGHEST

SUIT_KEYS: Sequence[Key] = (
    ("P", _("pumpkin")),
    ("G", _("ghost")),
    ("B", _("bat")),
    ("C", _("cat")),
    ("W", _("witch")),
)
SUIT_SIGNS = {"P": "pumpkin", "G": "ghost", "B": "bat", "C": "cat", "W": "witch"}
"""By which the signs of the suits are drawn."""
PAD = Pad(
    each=1,
    first=SUIT_KEYS,
    second=numbered(SUIT_KEYS, 1, HIGHEST),
    signs=SUIT_SIGNS,
    follows=True,
)
