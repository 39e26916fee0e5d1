"""Keys for the dice of DB2T, and for what an actor declares."""

from django.utils.translation import gettext_lazy as _

from scoring.games.db2t.describe import TIER_NAMES
from scoring.games.keypad import Pad
from scoring.rules.db2t.tiers import TIERS

PAD = Pad(
    each=4,
    dice=True,
    first=[(str(value), str(value)) for value in range(1, 7)],
    last=[*((tier, TIER_NAMES[tier]) for tier in TIERS), ("-", _("nothing"))],
)
