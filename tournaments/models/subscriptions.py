"""Devices that receive push notifications of a tournament."""

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
"""Longer than the endpoints of the services that browsers use, and short enough for an index."""
RETENTION = timedelta(days=1)
"""How long devices stay subscribed after the end of a tournament."""


class SubscriptionQuerySet(models.QuerySet["Subscription"]):
    def for_players(self) -> Self:
        return self.exclude(entry=None)

    def for_desk(self) -> Self:
        """Return the devices of directors and helpers."""
        return self.exclude(user=None)

    def outdated(self, now: datetime) -> Self:
        """Return the devices of tournaments that ended more than `RETENTION` ago."""
        return self.filter(
            tournament__phase=Tournament.Phase.FINISHED,
            tournament__finished_at__lt=now - RETENTION,
        )


class Subscription(models.Model):
    """A device that receives Web Push notifications, for a player or for the desk."""

    address = models.CharField(
        _("address"), max_length=ADDRESS_LENGTH, unique=True, default=new_address
    )
    """Lets its holder unsubscribe: 128 bits, sent only to the device."""
    tournament = models.ForeignKey(
        Tournament, models.CASCADE, related_name="subscriptions"
    )
    entry = models.ForeignKey(
        Entry, models.CASCADE, related_name="subscriptions", null=True, blank=True
    )
    """The entry of the player that subscribed; null for the desk."""
    removed = models.ForeignKey(
        RemovedEntry,
        models.CASCADE,
        related_name="subscriptions",
        null=True,
        blank=True,
    )
    """The removed entry, in place of the entry: nothing is sent until the player is entered again."""
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        related_name="subscriptions",
        null=True,
        blank=True,
    )
    """The account that subscribed at the desk; null for a player."""
    endpoint = models.URLField(_("endpoint"), max_length=LONGEST_ENDPOINT)
    """URL at which the browser's push service takes notifications."""
    p256dh = models.CharField(_("public key"), max_length=100)
    auth = models.CharField(_("shared secret"), max_length=40)
    site = models.CharField(_("server address"), max_length=200)
    """The site as the device reached it; sent to the push service."""
    language = models.CharField(_("language"), max_length=10, blank=True)
    """Language of the page on which the device subscribed."""
    time_zone = models.CharField(_("time zone"), max_length=LONGEST_NAME, blank=True)
    """Time zone of the subscriber; empty for the club's."""
    failures = models.PositiveSmallIntegerField(_("failures in a row"), default=0)
    made_at = models.DateTimeField(_("created at"))

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
