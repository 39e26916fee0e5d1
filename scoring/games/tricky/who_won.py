"""Who won this trick of Tricky?"""

from typing import Any

from django.utils.translation import gettext_lazy as _

from scoring.games.entry_form import choice_field
from scoring.games.tricky.keypad import PAD
from scoring.games.who_won import TrickForm
from scoring.rules.tricky import GAME
from scoring.rules.tricky.tricks import KINDS


class TrickyTrick(TrickForm):
    """Two dice a player."""

    rules = GAME
    pad = PAD
    trump = choice_field(
        _("Trump number"),
        [("", _("none")), *((value, str(value)) for value in range(1, max(KINDS) + 1))],
    )

    def decided_by(self) -> dict[str, Any]:
        """Return the dice and the trump number."""
        trump = self.cleaned_data.get("trump")
        return {"trump": int(trump) if trump else None, "plays": self.parts}
