"""A contest of DB2T in words."""

from collections.abc import Sequence

from django.utils.translation import gettext

from scoring.rules.db2t.game import EnteredContest
from scoring.rules.db2t.tiers import WORDS


def describe_offer(contest: EnteredContest, names: Sequence[str]) -> list[str]:
    """Return who incites, and with what, as far as that is known."""
    if contest.inciter is None:
        return []
    name = names[contest.inciter]
    if contest.tier is None:
        return [gettext("%(name)s begins.") % {"name": name}]
    values = {"name": name, "tier": gettext(WORDS[contest.tier])}
    return [gettext("%(name)s begins with %(tier)s.") % values]


def describe_rolled(rolled: int, seats: int) -> str:
    """Return how many actors of a contest have rolled."""
    values = {"rolled": rolled, "seats": seats}
    return gettext("%(rolled)s of %(seats)s have rolled.") % values
