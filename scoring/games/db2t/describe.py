"""A contest of DB2T in words."""

from collections.abc import Sequence

from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from scoring.rules.db2t.game import EnteredContest

DICE = 3
"""Of an actor."""
TIER_NAMES = {
    "prial": _("prial"),
    "straight_flush": _("straight flush"),
    "straight": _("straight"),
    "flush": _("flush"),
    "pair": _("pair"),
    "high": _("high"),
}


def describe_offer(contest: EnteredContest, names: Sequence[str]) -> list[str]:
    """Return who incites, and with what, as far as that is known."""
    if contest.inciter is None:
        return []
    name = names[contest.inciter]
    if contest.tier is None:
        return [gettext("%(name)s begins.") % {"name": name}]
    values = {"name": name, "tier": TIER_NAMES[contest.tier]}
    return [gettext("%(name)s begins with %(tier)s.") % values]


def describe_rolled(rolled: int, seats: int) -> str:
    """Return how many actors of a contest have rolled."""
    words = ngettext(
        "%(rolled)s of %(seats)s has rolled.",
        "%(rolled)s of %(seats)s have rolled.",
        rolled,
    )
    return words % {"rolled": rolled, "seats": seats}
