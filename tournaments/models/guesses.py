"""Codes that were typed and that nobody has, counted."""

from datetime import datetime, timedelta

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

PURGED = 20
"""Counts whose time is over that go each time one is made."""
APART = timedelta(minutes=1)
"""By which the clocks of two machines differ at most."""


class GuessesQuerySet(models.QuerySet["Guesses"]):
    def wrong_count(self, who: str, within: timedelta, now: datetime) -> int:
        """Return how many wrong codes somebody typed in the time that runs."""
        running = self.exclude(self._expired(within, now)).filter(who=who)
        return running.values_list("count", flat=True).first() or 0

    def count_one(self, who: str, within: timedelta, now: datetime) -> None:
        """Count a wrong code; a time that is over begins again.

        Each statement is whole by itself, so that two that come at once are two, and
        none waits for another.
        """
        self.filter(self._expired(within, now), who=who).delete()
        for over in self.filter(until__lte=now).values_list("pk", flat=True)[:PURGED]:
            self.filter(pk=over, until__lte=now).delete()
        self.bulk_create([Guesses(who=who, until=now + within)], ignore_conflicts=True)
        self.filter(who=who).update(count=F("count") + 1)

    @staticmethod
    def _expired(within: timedelta, now: datetime) -> Q:
        # A time that ends later than one that begins now was before the clock was put back.
        return Q(until__lte=now) | Q(until__gt=now + within + APART)


class Guesses(models.Model):
    """How many wrong codes somebody typed within some time.

    In the database, because several processes answer, and all count together.
    """

    who = models.CharField(_("who"), max_length=64, unique=True)
    """A hash: nobody's address is kept."""
    count = models.PositiveIntegerField(_("wrong codes"), default=0)
    until = models.DateTimeField(_("until"), db_index=True)

    objects = GuessesQuerySet.as_manager()

    def __str__(self) -> str:
        return f"{self.count} until {self.until:%H:%M}"
