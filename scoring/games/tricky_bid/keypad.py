"""Keys for the cards of Tricky Bid."""

from collections.abc import Sequence

from django.utils.translation import gettext_lazy as _

from scoring.games.keypad import Key, Pad, numbered
from scoring.rules.tricky_bid.tricks import HIGHEST

COLOUR_KEYS: Sequence[Key] = (
    ("Y", _("yellow")),
    ("B", _("blue")),
    ("P", _("pink")),
    ("G", _("green")),
    ("R", _("red")),
)
PAD = Pad(
    each=1,
    first=COLOUR_KEYS,
    second=numbered(COLOUR_KEYS, 0, HIGHEST),
    tints=True,
    follows=True,
)
