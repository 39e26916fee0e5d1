"""Listed tournaments, as calendars last received them."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from scoring.models.matches import ADDRESS_LENGTH
from tournaments.models.clubs import Club
from tournaments.models.tournaments import Tournament
from tournaments.models.validators import check_address


class Appointment(models.Model):
    """A tournament as calendars have it; it outlives the tournament.

    Calendars that have received an event must also receive its cancellation.
    """

    club = models.ForeignKey(Club, models.CASCADE, related_name="appointments")
    tournament = models.OneToOneField(
        Tournament, models.SET_NULL, null=True, related_name="appointment"
    )
    """Null once the tournament is deleted."""
    address = models.CharField(
        _("address"), max_length=ADDRESS_LENGTH, unique=True, validators=[check_address]
    )
    """The tournament's address, by which calendars recognise the event."""
    name = models.CharField(_("name"), max_length=80)
    venue = models.CharField(_("place"), max_length=120, blank=True)
    details = models.CharField(
        _("game and fee"), max_length=120, blank=True, default=""
    )
    starts_at = models.DateTimeField(_("starts at"))
    ends_at = models.DateTimeField(_("ends at"))
    cancelled = models.BooleanField(_("cancelled"), default=False)
    sequence = models.PositiveIntegerField(_("sequence"), default=0)
    """Number of changes, as RFC 5545 requires."""
    changed_at = models.DateTimeField(_("changed at"))

    class Meta:
        indexes = [models.Index(fields=["club", "ends_at"])]

    def __str__(self) -> str:
        return self.name
