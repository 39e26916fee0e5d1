"""Past results that a club brought along."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.models.clubs import Club


class Import(models.Model):
    """A list of past results, kept as it was read; its tournaments follow from it."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="imports")
    key = models.UUIDField(_("key"), unique=True)
    """Made with the preview, so that a list is brought in once."""
    name = models.CharField(_("name"), max_length=100)
    game = models.CharField(_("game"), max_length=20)
    """What was played where a line does not say it."""
    cells = models.JSONField(_("lines"))
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", null=True
    )
    made_at = models.DateTimeField(_("made at"))
    undone_at = models.DateTimeField(_("undone at"), null=True, blank=True)

    class Meta:
        """Read the latest first."""

        ordering = ["-made_at", "-pk"]

    def __str__(self) -> str:
        """Return where it came from."""
        return self.name
