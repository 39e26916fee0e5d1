"""Past results that a club brought along, and large files of them."""

from datetime import date, datetime, timedelta
from typing import Self

from django.conf import settings
from django.db import models
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments.models.clubs import Club
from tournaments.models.validators import check_cells, check_game


class ImportQuerySet(models.QuerySet["Import"]):
    def by_file(self) -> "list[tuple[str, list[Import]]]":
        """Return the title of each file, the latest first, and what was imported from it."""
        files: dict[object, list[Import]] = {}
        for each in self.prefetch_related("tournaments__club"):
            # Pasted lists have no name that makes them one.
            files.setdefault(each.name or each.pk, []).append(each)
        return [(imports[0].title, imports) for imports in files.values()]


class Import(models.Model):
    """A list of past results, kept as it was read; its tournaments follow from it."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="imports")
    key = models.UUIDField(_("key"), unique=True)
    """Made with the preview, so that a list is brought in once."""
    name = models.CharField(_("name"), max_length=100, blank=True)
    """Of the file; empty for a list that was pasted."""
    game = models.CharField(_("game"), max_length=20, validators=[check_game])
    """What was played where a line does not say it."""
    cells = models.JSONField(_("lines"), validators=[check_cells])
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", null=True
    )
    made_at = models.DateTimeField(_("made at"))
    undone_at = models.DateTimeField(_("undone at"), null=True, blank=True)

    objects = ImportQuerySet.as_manager()

    class Meta:
        ordering = ["-made_at", "-pk"]

    def __str__(self) -> str:
        return self.name

    @property
    def title(self) -> str:
        """Return what the file was called, in words where it was typed or pasted."""
        return self.name or gettext("A pasted list")

    @property
    def days(self) -> list[date]:
        """Return the first and the last day of its tournaments; none without any."""
        days = sorted({each.held_on for each in self.tournaments.all()})
        return days[:1] + days[1:][-1:]


READ_WITHIN = timedelta(seconds=60)
"""What takes longer is given up."""
KEPT_FOR = timedelta(days=1)


class UploadQuerySet(models.QuerySet["Upload"]):
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
    fitting_sheets = models.JSONField(_("fitting sheets"), default=list, blank=True)
    """The indexes of those that look like past results."""
    sheet = models.PositiveSmallIntegerField(_("sheet"), null=True, blank=True)
    """The index of the one that is read; null for the one that fits best."""
    cells = models.JSONField(_("lines"), null=True, blank=True)
    """Null until it was read."""
    fault = models.CharField(_("what is wrong"), max_length=300, blank=True)
    made_at = models.DateTimeField(_("made at"))

    objects = UploadQuerySet.as_manager()

    def __str__(self) -> str:
        return self.name
