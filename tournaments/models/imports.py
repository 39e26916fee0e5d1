"""Imports of past results and of archives of whole clubs, with the files that are read for them."""

from datetime import date, datetime, timedelta
from typing import Self

from django.conf import settings
from django.db import models
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments.models.clubs import Club
from tournaments.models.validators import check_cells, check_game


class Import(models.Model):
    """A list of past results, stored as it was read; its tournaments are derived from it."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="imports")
    key = models.UUIDField(_("key"), unique=True)
    """Generated with the preview, so that a list is imported only once."""
    name = models.CharField(_("name"), max_length=100, blank=True)
    """Name of the file; empty for a pasted list."""
    game = models.CharField(_("game"), max_length=20, validators=[check_game])
    """The game of lines that name none."""
    cells = models.JSONField(_("lines"), validators=[check_cells])
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", null=True
    )
    made_at = models.DateTimeField(_("created at"))
    undone_at = models.DateTimeField(_("undone at"), null=True, blank=True)

    class Meta:
        ordering = ["-made_at", "-pk"]

    def __str__(self) -> str:
        return self.name

    @property
    def title(self) -> str:
        """Return the name of the file, or a description of a pasted list."""
        return self.name or gettext("A pasted list")

    @property
    def first_and_last_day(self) -> list[date]:
        """Return the first and the last day of its tournaments: one if they are the same, none without tournaments."""
        days = sorted({tournament.held_on for tournament in self.tournaments.all()})
        return days[:1] + days[1:][-1:]


READ_WITHIN = timedelta(seconds=60)
"""Reading that takes longer is given up."""
IMPORTED_WITHIN = timedelta(minutes=20)
"""An archive that is not imported within this time is given up."""
RETENTION = timedelta(days=1)
"""How long files, and the outcomes of imports, are stored."""


class UploadQuerySet(models.QuerySet["Upload"]):
    def awaiting_reading(self, now: datetime) -> Self:
        """Return the uploads still to be read, and not too old for it."""
        is_recent = models.Q(made_at__gt=now - READ_WITHIN)
        return self.filter(is_recent, cells__isnull=True, fault="")

    def outdated(self, now: datetime) -> Self:
        """Return the uploads that are old enough to delete."""
        return self.filter(made_at__lt=now - RETENTION)


class Upload(models.Model):
    """A large file for a worker to read; stored for a day."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="uploads")
    key = models.UUIDField(_("key"), unique=True)
    """Also the key of the import that it becomes."""
    name = models.CharField(_("name"), max_length=100)
    game = models.CharField(_("game"), max_length=20)
    family_first = models.BooleanField(_("family names first"), default=False)
    content = models.BinaryField(_("content"))
    sheets = models.JSONField(_("sheets"), default=list, blank=True)
    """The names of a workbook's sheets; empty until it was read, and for other files."""
    fitting_sheets = models.JSONField(_("matching sheets"), default=list, blank=True)
    """The indexes of the sheets that look like past results."""
    sheet = models.PositiveSmallIntegerField(_("sheet"), null=True, blank=True)
    """The index of the sheet to read; null for the one that fits best."""
    cells = models.JSONField(_("lines"), null=True, blank=True)
    """Null until the file was read."""
    fault = models.CharField(_("problem"), max_length=300, blank=True)
    made_at = models.DateTimeField(_("created at"))

    objects = UploadQuerySet.as_manager()

    def __str__(self) -> str:
        return self.name


class ArrivalQuerySet(models.QuerySet["Arrival"]):
    def awaiting_import(self, now: datetime) -> Self:
        """Return the archives still to be imported, without those given up."""
        return self.filter(club=None, fault="", made_at__gt=now - IMPORTED_WITHIN)

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
