"""The winners of tournaments, for lists of tournaments."""

from collections.abc import Collection
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.locales.sentences import join_names
from tournaments.models import Result, Standings
from tournaments.names import localized_sort_key


@dataclass(frozen=True, slots=True, kw_only=True)
class WinOrLead:
    """The winners of a tournament, or its leaders while an open result can change them."""

    night: str
    names: str
    winners: int
    """The number of winners, for the plural of the sentence."""
    players: int
    """The number of all players."""
    points: str
    """An exact number as in `43/4`; empty if only places are known."""
    is_open: bool
    """Whether an unconfirmed result can change the winners."""

    @property
    def sentence(self) -> str:
        """Return a sentence with the winners, or with the leaders if the win is still open."""
        labels = {"names": self.names, "night": self.night}
        if self.is_open:
            return _("%(night)s: %(names)s in the lead, not confirmed yet") % labels
        won = ngettext(
            "%(names)s won %(night)s", "%(names)s won %(night)s", self.winners
        )
        return won % labels


def wins_or_leads_by_tournament(tournaments: Collection[int]) -> dict[int, WinOrLead]:
    """Return the wins of these tournaments by id, in one query.

    Players at a shared first rank share the win. Tournaments without counted results are left
    out.
    """
    results = Result.objects.current().filter(tournament__in=tournaments, rank=1)
    running = Standings.objects.filter(tournament=OuterRef("tournament"))
    rows = (
        results.annotate(is_open=Exists(running.with_unconfirmed_first_place()))
        .order_by("tournament", "player")
        .values_list(
            *("tournament", "player__name"),
            *("tournament__name", "players", "earned_points", "is_open"),
        )
    )
    wins = {}
    for tournament, group in groupby(rows, key=itemgetter(0)):
        winners = list(group)
        _tournament, _name, night, players, points, is_open = winners[0]
        names = dict.fromkeys(winner[1] for winner in winners)
        wins[tournament] = WinOrLead(
            night=night,
            names=join_names(sorted(names, key=localized_sort_key)),
            winners=len(names),
            players=players,
            points=points,
            is_open=is_open,
        )
    return wins
