"""Clubs that accounts follow, to see all their nights on one page."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.models.clubs import Club


class Follow(models.Model):
    """A club that an account follows; grants no rights."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="follows")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="follows"
    )
    since = models.DateTimeField(_("following since"))

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["club", "user"], name="follows_once")
        ]

    def __str__(self) -> str:
        return f"{self.user} → {self.club}"
