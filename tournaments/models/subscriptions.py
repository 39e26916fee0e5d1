"""Devices that are told what happens in a tournament, because somebody there asked for it."""

from datetime import datetime, timedelta
from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from scoring.locales.zones import LONGEST_NAME
from scoring.models.matches import ADDRESS_LENGTH, new_address
from tournaments.models.entries import Entry, RemovedEntry
from tournaments.models.tournaments import Tournament

LONGEST_ENDPOINT = 800
"""Longer than those of the services that browsers use, and short enough for an index."""
KEPT_AFTER = timedelta(days=1)
"""How long after the end of a tournament its devices are still known."""


class SubscriptionQuerySet(models.QuerySet["Subscription"]):
    def for_players(self) -> Self:
        return self.exclude(entry=None)

    def for_desk(self) -> Self:
        """Keep the devices of those who direct or help."""
        return self.exclude(user=None)

    def outdated(self, now: datetime) -> Self:
        """Keep those of tournaments that are over."""
        return self.filter(
            tournament__phase=Tournament.Phase.FINISHED,
            tournament__finished_at__lt=now - KEPT_AFTER,
        )


class Subscription(models.Model):
    """One device that is told by Web Push: what a player has to know, or the desk."""

    address = models.CharField(
        _("address"), max_length=ADDRESS_LENGTH, unique=True, default=new_address
    )
    """Whoever knows it can end this: 128 bits, which only the device is told."""
    tournament = models.ForeignKey(
        Tournament, models.CASCADE, related_name="subscriptions"
    )
    entry = models.ForeignKey(
        Entry, models.CASCADE, related_name="subscriptions", null=True, blank=True
    )
    """Whose page asked for it; none for the desk."""
    removed = models.ForeignKey(
        RemovedEntry,
        models.CASCADE,
        related_name="subscriptions",
        null=True,
        blank=True,
    )
    """By which removed entry, in place of the entry: nothing is sent until it is entered again."""
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        related_name="subscriptions",
        null=True,
        blank=True,
    )
    """Whose desk asked for it; none for a player."""
    endpoint = models.URLField(_("endpoint"), max_length=LONGEST_ENDPOINT)
    """Where the browser's own service takes what is to be told."""
    p256dh = models.CharField(_("public key"), max_length=100)
    auth = models.CharField(_("shared secret"), max_length=40)
    site = models.CharField(_("site"), max_length=200)
    """The site as the device reached it, which the service is told."""
    language = models.CharField(_("language"), max_length=10, blank=True)
    """Of the page on which the device asked for it."""
    time_zone = models.CharField(_("time zone"), max_length=LONGEST_NAME, blank=True)
    """By whose clocks whoever asked for it reads every hour; empty for those of the club."""
    failures = models.PositiveSmallIntegerField(_("failures in a row"), default=0)
    made_at = models.DateTimeField(_("made at"))

    objects = SubscriptionQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["entry", "endpoint"], name="subscribed_once_as_player"
            ),
            models.UniqueConstraint(
                fields=["tournament", "user", "endpoint"],
                name="subscribed_once_at_desk",
            ),
            models.CheckConstraint(
                condition=Q(entry=None, user__isnull=False, removed=None)
                | Q(entry__isnull=False, user=None, removed=None)
                | Q(entry=None, user=None, removed__isnull=False),
                name="subscribed_by_a_player_or_a_desk",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tournament}: {self.entry or self.user or self.removed}"
