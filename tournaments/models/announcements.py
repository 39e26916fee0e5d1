"""Announcements by the director."""

from typing import Self

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.models.tournaments import Tournament


class AnnouncementQuerySet(models.QuerySet["Announcement"]):
    def active(self) -> Self:
        """Return the announcements in effect, latest first; none once the tournament is finished."""
        unfinished = self.exclude(tournament__phase=Tournament.Phase.FINISHED)
        return unfinished.filter(withdrawn_at=None).order_by("-made_at", "-pk")


class Announcement(models.Model):
    """A sentence for every phone and the projector; withdrawn by setting `withdrawn_at`."""

    tournament = models.ForeignKey(
        Tournament, models.CASCADE, related_name="announcements"
    )
    text = models.CharField(_("announcement"), max_length=200)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", null=True
    )
    made_at = models.DateTimeField(_("created at"))
    withdrawn_at = models.DateTimeField(_("withdrawn at"), null=True, blank=True)

    objects = AnnouncementQuerySet.as_manager()

    class Meta:
        ordering = ["-made_at", "-pk"]

    def __str__(self) -> str:
        return self.text
