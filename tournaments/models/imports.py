"""Past results that a club brought along, and large files of them."""

from datetime import datetime, timedelta
from typing import Self

from django.conf import settings
from django.db import models
from django.utils.translation import gettext
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

    @property
    def title(self) -> str:
        """Return what the file was called, in words where it was typed or pasted."""
        return self.name or gettext("A pasted list")


READ_WITHIN = timedelta(seconds=60)
"""What takes longer is given up."""
KEPT_FOR = timedelta(days=1)


class UploadQuerySet(models.QuerySet["Upload"]):
    """Questions about uploads."""

    def unread(self, now: datetime) -> Self:
        """Keep those that are still to be read, and not too old for it."""
        begun = models.Q(made_at__gt=now - READ_WITHIN)
        return self.filter(begun, cells__isnull=True, fault="")

    def outdated(self, now: datetime) -> Self:
        """Keep those that nobody will ask for any more."""
        return self.filter(made_at__lt=now - KEPT_FOR)


class Upload(models.Model):
    """A large file that a worker reads; kept for a day."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="uploads")
    key = models.UUIDField(_("key"), unique=True)
    """That of the import which it becomes."""
    name = models.CharField(_("name"), max_length=100)
    game = models.CharField(_("game"), max_length=20)
    family_first = models.BooleanField(_("family names first"), default=False)
    content = models.BinaryField(_("content"))
    sheets = models.JSONField(_("sheets"), default=list, blank=True)
    """The names of the sheets of a workbook; empty until it was read, and for other files."""
    sheet = models.PositiveSmallIntegerField(_("sheet"), null=True, blank=True)
    """The index of the one that is read; null for the one that fits best."""
    cells = models.JSONField(_("lines"), null=True, blank=True)
    """Null until it was read."""
    fault = models.CharField(_("what is wrong"), max_length=300, blank=True)
    made_at = models.DateTimeField(_("made at"))

    objects = UploadQuerySet.as_manager()

    def __str__(self) -> str:
        """Return the file's name."""
        return self.name
