"""Archives of whole clubs from other servers, waiting to be imported."""

from datetime import datetime, timedelta
from typing import Self

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.models.clubs import Club

RETENTION = timedelta(days=1)
"""How long the outcome of an import can be looked up."""
WITHIN = timedelta(minutes=20)
"""An archive that is not imported within this time is given up."""


class ArrivalQuerySet(models.QuerySet["Arrival"]):
    def awaiting_import(self, now: datetime) -> Self:
        """Return the archives still to be imported, without those given up."""
        return self.filter(club=None, fault="", made_at__gt=now - WITHIN)

    def outdated(self, now: datetime) -> Self:
        """Return the archives that are old enough to delete."""
        return self.filter(made_at__lt=now - RETENTION)


class Arrival(models.Model):
    """An uploaded archive of a club, and the outcome of its import."""

    key = models.UUIDField(_("key"), unique=True)
    """Generated with the form, so that a file is imported only once."""
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="arrivals"
    )
    """The director of the imported club."""
    name = models.CharField(_("name"), max_length=100)
    slug = models.CharField(_("address"), max_length=40, blank=True)
    """Replaces the address in the archive; empty to use that one."""
    content = models.BinaryField(_("content"))
    """Empty once the club was imported or refused."""
    made_at = models.DateTimeField(_("created at"))
    club = models.ForeignKey(
        Club, models.SET_NULL, related_name="+", null=True, blank=True
    )
    fault = models.CharField(_("reason for refusal"), max_length=500, blank=True)
    """For an imported club: how it differs from the archive."""

    objects = ArrivalQuerySet.as_manager()

    def __str__(self) -> str:
        return self.name
