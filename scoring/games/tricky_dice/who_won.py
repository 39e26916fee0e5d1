"""Who won this trick of Tricky Dice?"""

from typing import Any

from django.utils.translation import gettext_lazy as _

from scoring.games.entry_form import choice_field
from scoring.games.tricky_dice.form import SUITS
from scoring.games.tricky_dice.keypad import PAD
from scoring.games.who_won import TrickForm
from scoring.rules.tricky_dice import GAME
from scoring.rules.tricky_dice.tricks import RANKS, SEATS


class TrickyDiceTrick(TrickForm):
    """A card or a die a player."""

    rules = GAME
    pad = PAD
    trump_rank = choice_field(
        _("Trump die: rank"),
        [(rank, "10" if rank == "T" else rank) for rank in reversed(RANKS)],
        required=True,
    )
    trump_suit = choice_field(_("Trump die: suit"), SUITS, required=True)

    def decided_by(self) -> dict[str, Any]:
        """Return the pieces and the trump die."""
        told = self.cleaned_data
        return {
            "trump": f"{told['trump_rank']}{told['trump_suit']}",
            "plays": self.pieces[:SEATS],
        }
