"""Whole clubs that come from elsewhere: archives that wait to be brought in."""

from datetime import datetime, timedelta
from typing import Self

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.models.clubs import Club

KEPT_FOR = timedelta(days=1)
"""How long one is told what became of an archive."""
WITHIN = timedelta(minutes=20)
"""What nobody brought in by then is given up."""


class ArrivalQuerySet(models.QuerySet["Arrival"]):
    def waiting(self, now: datetime) -> Self:
        """Keep those that are still to be brought in, and not given up."""
        return self.filter(club=None, fault="", made_at__gt=now - WITHIN)

    def outdated(self, now: datetime) -> Self:
        """Keep those of which nobody asks any more."""
        return self.filter(made_at__lt=now - KEPT_FOR)


class Arrival(models.Model):
    """An archive of a club that somebody brings in, and what became of it."""

    key = models.UUIDField(_("key"), unique=True)
    """Made with the form, so that a file is taken once."""
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="arrivals"
    )
    """Who directs the club from then on."""
    name = models.CharField(_("name"), max_length=100)
    slug = models.CharField(_("address"), max_length=40, blank=True)
    """Another one than the archive says; empty for that."""
    content = models.BinaryField(_("content"))
    """Empty once it was brought in or refused."""
    made_at = models.DateTimeField(_("made at"))
    club = models.ForeignKey(
        Club, models.SET_NULL, related_name="+", null=True, blank=True
    )
    fault = models.CharField(_("why it was refused"), max_length=500, blank=True)
    """Of a club that was brought in: what differs from the archive."""

    objects = ArrivalQuerySet.as_manager()

    def __str__(self) -> str:
        return self.name
