"""Who won tournaments, for lists of them."""

from collections.abc import Collection
from dataclasses import dataclass

from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.games.words import join_names
from tournaments.models import Result, Standings
from tournaments.names import reading_key


@dataclass(frozen=True, slots=True, kw_only=True)
class Win:
    """Who won a tournament, against how many, with what."""

    night: str
    names: str
    winners: int
    """How many they are: a plural goes by it."""
    players: int
    points: str
    """An exact number as in `43/4`; empty where places alone are known."""
    is_open: bool
    """Whether a result that is not confirmed can change who won."""

    @property
    def sentence(self) -> str:
        """Return who won what, or is ahead where that is not confirmed."""
        words = {"names": self.names, "night": self.night}
        if self.is_open:
            return _("%(night)s: %(names)s ahead, not confirmed yet") % words
        won = ngettext(
            "%(names)s won %(night)s", "%(names)s won %(night)s", self.winners
        )
        return won % words


def wins(tournaments: Collection[int]) -> dict[int, Win]:
    """Return who won each of these tournaments, by its id, in one query.

    Whoever shares the first rank shares the win. A tournament that nothing has been
    counted of yet is left out.
    """
    names: dict[int, dict[str, None]] = {}
    figures: dict[int, tuple[str, int, str, bool]] = {}
    results = Result.objects.current().filter(tournament__in=tournaments, rank=1)
    running = Standings.objects.filter(tournament=OuterRef("tournament"))
    rows = (
        results.annotate(is_open=Exists(running.with_open_first()))
        .order_by("player")
        .values_list(
            *("tournament", "player__name"),
            *("tournament__name", "players", "earned_points", "is_open"),
        )
    )
    for tournament, name, night, players, points, is_open in rows:
        names.setdefault(tournament, {})[name] = None
        figures[tournament] = night, players, points, is_open
    return {
        tournament: Win(
            night=figures[tournament][0],
            names=join_names(sorted(level, key=reading_key)),
            winners=len(level),
            players=figures[tournament][1],
            points=figures[tournament][2],
            is_open=figures[tournament][3],
        )
        for tournament, level in names.items()
    }
