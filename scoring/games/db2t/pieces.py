"""The dice of DB2T: keys, names of tiers, and lone contests."""

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from scoring.games.entry_form import choice_field
from scoring.games.keypad import LoneTrickForm, PieceKeypad
from scoring.games.record_paths import number_or_text
from scoring.rules.db2t import GAME
from scoring.rules.db2t.game import EnteredContest
from scoring.rules.db2t.tiers import TIERS

DICE = 3
"""Number of dice of an actor."""
TIER_NAMES = {
    "prial": _("prial"),
    "straight_flush": _("straight flush"),
    "straight": _("straight"),
    "flush": _("flush"),
    "pair": _("pair"),
    "high": _("high"),
}


def describe_first_declaration(
    contest: EnteredContest, names: Sequence[str]
) -> list[str]:
    """Return sentences on the inciter and the tier, if they are known."""
    if contest.inciter is None:
        return []
    name = names[contest.inciter]
    if contest.tier is None:
        return [gettext("%(name)s begins.") % {"name": name}]
    values = {"name": name, "tier": TIER_NAMES[contest.tier]}
    return [gettext("%(name)s begins with %(tier)s.") % values]


def describe_roll_count(count: int, seats: int) -> str:
    template = ngettext(
        "%(rolled)s of %(seats)s has rolled.",
        "%(rolled)s of %(seats)s have rolled.",
        count,
    )
    return template % {"rolled": count, "seats": seats}


PAD = PieceKeypad(
    pieces_per_play=4,
    dice=True,
    first=[(str(value), str(value)) for value in range(1, 7)],
    last=[*((tier, TIER_NAMES[tier]) for tier in TIERS), ("-", _("nothing"))],
)


class DB2TLoneContestForm(LoneTrickForm):
    """The dice and declaration of one actor after the other."""

    rules = GAME
    pad = PAD
    tier = choice_field(
        _("Tier declared first"),
        [(tier, TIER_NAMES[tier]) for tier in TIERS],
        required=True,
    )
    trump = choice_field(
        _("Trump tier"),
        [("", _("none")), *((tier, TIER_NAMES[tier]) for tier in TIERS)],
    )

    def trick_document_values(self) -> dict[str, Any]:
        """Return the actors; the inciter is the first."""
        values = self.cleaned_data
        return {
            "tier": values["tier"],
            "trump": values.get("trump") or None,
            "actors": [
                {
                    "dice": [number_or_text(die) for die in part[:3]],
                    "declared": None if part[3:] in ([], ["-"]) else part[3],
                }
                for part in self.pieces_by_player
            ],
        }

    def trick_document(self) -> dict[str, Any]:
        """Return the contest in the format of `manage.py trick`."""
        return {"game": self.game_id, "inciter": 0, **self.trick_document_values()}
