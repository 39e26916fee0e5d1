"""What a club has before it: the nights that are being played and those to come."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count

from tournaments.models import Entry, Tournament


@dataclass(frozen=True, slots=True, kw_only=True)
class UpcomingNight:
    """A tournament that is not over, as a club's page shows it."""

    tournament: Tournament
    coming: int
    left: int | None
    """Seats that are free; None where as many may come as like."""
    is_open: bool
    """Whether people may enter by themselves."""

    @property
    def is_running(self) -> bool:
        """Tell whether it is being played."""
        return self.tournament.phase == Tournament.Phase.RUNNING


def upcoming_nights(
    tournaments: Sequence[Tournament], now: datetime
) -> list[UpcomingNight]:
    """Return these tournaments with their seats, the soonest first; one query."""
    entries = Entry.objects.filter(tournament__in=tournaments).coming()
    counted = entries.order_by().values("tournament").annotate(n=Count("pk"))
    coming = dict(counted.values_list("tournament", "n"))
    return [
        UpcomingNight(
            tournament=tournament,
            coming=(count := coming.get(tournament.pk, 0)),
            left=max(0, tournament.capacity - count) if tournament.capacity else None,
            is_open=tournament.registration(now, count) == Tournament.Registration.OPEN,
        )
        for tournament in sorted(tournaments, key=lambda night: night.starts_at)
    ]
