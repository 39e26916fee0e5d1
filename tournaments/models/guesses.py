"""Counts of wrong codes, to limit guessing."""

from datetime import datetime, timedelta

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

PURGED = 20
"""Expired counts that are deleted each time a wrong code is counted."""
CLOCK_TOLERANCE = timedelta(minutes=1)
"""The most by which the clocks of two machines differ."""


class GuessesQuerySet(models.QuerySet["Guesses"]):
    def count_wrong_codes(self, visitor: str, within: timedelta, now: datetime) -> int:
        """Return how many wrong codes a visitor typed in the current period."""
        running = self.exclude(self._expired(within, now)).filter(who=visitor)
        return running.values_list("count", flat=True).first() or 0

    def record_wrong_code(self, visitor: str, within: timedelta, now: datetime) -> None:
        """Count a wrong code; if the period is over, another begins.

        Each statement is atomic by itself, so that two codes at once count twice, and neither
        waits for the other.
        """
        self.filter(self._expired(within, now), who=visitor).delete()
        for expired_pk in self.filter(until__lte=now).values_list("pk", flat=True)[
            :PURGED
        ]:
            self.filter(pk=expired_pk, until__lte=now).delete()
        self.bulk_create(
            [Guesses(who=visitor, until=now + within)], ignore_conflicts=True
        )
        self.filter(who=visitor).update(count=F("count") + 1)

    @staticmethod
    def _expired(within: timedelta, now: datetime) -> Q:
        # A period that ends later than one that begins now is from before the clock was set back.
        return Q(until__lte=now) | Q(until__gt=now + within + CLOCK_TOLERANCE)


class Guesses(models.Model):
    """Number of wrong codes that a visitor typed within a period.

    Stored in the database, because several processes share the count.
    """

    who = models.CharField(_("visitor"), max_length=64, unique=True)
    """A hash, so that no address is stored."""
    count = models.PositiveIntegerField(_("wrong codes"), default=0)
    until = models.DateTimeField(_("expires at"), db_index=True)

    objects = GuessesQuerySet.as_manager()

    def __str__(self) -> str:
        return f"{self.count} until {self.until:%H:%M}"
