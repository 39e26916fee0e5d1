"""Who won this contest of DB2T?"""

from typing import Any

from django.utils.translation import gettext_lazy as _

from scoring.games.db2t.describe import TIER_NAMES
from scoring.games.db2t.keypad import PAD
from scoring.games.entry_form import choice_field
from scoring.games.record_paths import number_or_text
from scoring.games.who_won import TrickForm
from scoring.rules.db2t import GAME
from scoring.rules.db2t.tiers import TIERS


class Db2tContest(TrickForm):
    """Three dice and what was declared, an actor after the other."""

    rules = GAME
    pad = PAD
    tier = choice_field(
        _("Asked for"), [(tier, TIER_NAMES[tier]) for tier in TIERS], required=True
    )
    trump = choice_field(
        _("Trump tier"),
        [("", _("none")), *((tier, TIER_NAMES[tier]) for tier in TIERS)],
    )

    def decided_by(self) -> dict[str, Any]:
        """Return the actors; the inciter is the first."""
        told = self.cleaned_data
        return {
            "tier": told["tier"],
            "trump": told.get("trump") or None,
            "actors": [
                {
                    "dice": [number_or_text(die) for die in part[:3]],
                    "declared": None if part[3:] in ([], ["-"]) else part[3],
                }
                for part in self.parts
            ],
        }

    def document(self) -> dict[str, Any]:
        """Return the contest as `manage.py trick` reads it."""
        return {"game": self.game, "inciter": 0, **self.decided_by()}
