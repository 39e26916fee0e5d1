"""What calendars were last told of each tournament that everybody finds."""

from datetime import datetime
from typing import Self

from django.db import models
from django.utils.translation import gettext_lazy as _

from scoring.models.matches import ADDRESS_LENGTH
from tournaments.models.clubs import Club
from tournaments.models.entries import Entry
from tournaments.models.tournaments import Tournament
from tournaments.models.validators import check_address


class AppointmentQuerySet(models.QuerySet["Appointment"]):
    def since(self, moment: datetime) -> Self:
        """Keep those that are not over at a moment, the soonest first."""
        return self.filter(ends_at__gte=moment).order_by("starts_at", "pk")

    def attended_by(self, players: set[int]) -> Self:
        """Keep those to which one of these players comes, or came."""
        coming = Entry.objects.filter(player__in=players).with_place()
        return self.filter(cancelled=False, tournament__in=coming.values("tournament"))


class Appointment(models.Model):
    """A tournament as calendars have it; it stays where the tournament is taken away.

    Calendars that were told of a night have to be told that there is none.
    """

    club = models.ForeignKey(Club, models.CASCADE, related_name="appointments")
    tournament = models.OneToOneField(
        Tournament, models.SET_NULL, null=True, related_name="appointment"
    )
    """Null once it was deleted."""
    address = models.CharField(
        _("address"), max_length=ADDRESS_LENGTH, unique=True, validators=[check_address]
    )
    """That of the tournament, by which calendars know it again."""
    name = models.CharField(_("name"), max_length=80)
    venue = models.CharField(_("place"), max_length=120, blank=True)
    starts_at = models.DateTimeField(_("starts at"))
    ends_at = models.DateTimeField(_("ends at"))
    cancelled = models.BooleanField(_("cancelled"), default=False)
    sequence = models.PositiveIntegerField(_("sequence"), default=0)
    """Counts its changes, as RFC 5545 asks for."""
    changed_at = models.DateTimeField(_("changed at"))

    objects = AppointmentQuerySet.as_manager()

    class Meta:
        indexes = [models.Index(fields=["club", "ends_at"])]

    def __str__(self) -> str:
        return self.name
