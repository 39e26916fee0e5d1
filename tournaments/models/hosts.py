"""Other hosts that a circuit trusts, and the results that they signed.

A revision that is brought in stays; one that a later one replaced is marked with the
moment from which on it was known better.
"""

from datetime import datetime
from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from scoring.models import Player
from tournaments.exact import EXACT_LENGTH
from tournaments.models.circuits import Circuit

KEY_LENGTH = 51
"""Of a public key as it is written: `ed25519:` and 43 signs."""


class TrustedHost(models.Model):
    """A host whose signature a circuit takes."""

    circuit = models.ForeignKey(Circuit, models.CASCADE, related_name="hosts")
    name = models.CharField(_("name"), max_length=60)
    public_key = models.CharField(_("public key"), max_length=KEY_LENGTH)
    added_at = models.DateTimeField(_("added at"))
    added_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, related_name="+", null=True
    )
    removed_at = models.DateTimeField(_("removed at"), null=True, blank=True)
    """From then on nothing more is taken; what was brought in stays."""

    class Meta:
        """A key stands once in a circuit."""

        ordering = ["name", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["circuit", "public_key"], name="host_once")
        ]

    def __str__(self) -> str:
        """Return the name."""
        return self.name


class GuestPlayer(models.Model):
    """A person of another host, as a player here who sits at no table."""

    host = models.ForeignKey(TrustedHost, models.CASCADE, related_name="players")
    key = models.CharField(_("number there"), max_length=18)
    player = models.OneToOneField(
        Player, models.PROTECT, related_name="guest", related_query_name="guest"
    )

    class Meta:
        """A person of a host is one player."""

        constraints = [
            models.UniqueConstraint(fields=["host", "key"], name="guest_once")
        ]

    def __str__(self) -> str:
        """Return who it is."""
        return str(self.player)


class GuestTournamentQuerySet(models.QuerySet["GuestTournament"]):
    """Questions about tournaments of other hosts."""

    def current(self) -> Self:
        """Keep what holds today."""
        return self.filter(known_until=None)

    def known_at(self, moment: datetime) -> Self:
        """Keep what was known at a moment."""
        return self.filter(known_from__lte=moment).filter(
            Q(known_until=None) | Q(known_until__gt=moment)
        )


class GuestTournament(models.Model):
    """One revision of a tournament that another host signed."""

    circuit = models.ForeignKey(Circuit, models.CASCADE, related_name="guests")
    host = models.ForeignKey(TrustedHost, models.PROTECT, related_name="tournaments")
    key = models.CharField(_("number there"), max_length=32)
    revision = models.PositiveBigIntegerField(_("revision"))
    club_name = models.CharField(_("club"), max_length=80)
    name = models.CharField(_("name"), max_length=80)
    held_on = models.DateField(_("date"))
    game = models.CharField(_("game"), max_length=20, blank=True)
    """Empty for several."""
    document = models.TextField(_("document"))
    """As it was signed; empty once a later revision took its place."""
    brought_in_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, related_name="+", null=True
    )
    known_from = models.DateTimeField(_("known from"))
    known_until = models.DateTimeField(_("known until"), null=True, blank=True)

    objects = GuestTournamentQuerySet.as_manager()

    class Meta:
        """One revision of a tournament holds at a time."""

        constraints = [
            models.UniqueConstraint(
                fields=["host", "key"],
                condition=Q(known_until=None),
                name="one_current_revision",
            )
        ]

    def __str__(self) -> str:
        """Return what it is."""
        return f"{self.name} ({self.club_name})"


class GuestResult(models.Model):
    """What a person of another host has of one tournament there, as `Result` has it here."""

    tournament = models.ForeignKey(
        GuestTournament, models.CASCADE, related_name="results"
    )
    player = models.ForeignKey(Player, models.PROTECT, related_name="guest_results")
    rank = models.PositiveIntegerField(_("rank"))
    players = models.PositiveIntegerField(_("players"))
    place_points = models.CharField(_("points by place"), max_length=EXACT_LENGTH)
    earned_points = models.CharField(
        _("points of the tournament"), max_length=EXACT_LENGTH, blank=True
    )
    tables = models.PositiveIntegerField(_("tables"))
    table_points = models.PositiveIntegerField(_("points at tables"))
    wins = models.PositiveIntegerField(_("wins"))
    places = models.PositiveIntegerField(_("sum of places"))

    class Meta:
        """A person has one line in a tournament."""

        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "player"], name="guest_result_once"
            )
        ]

    def __str__(self) -> str:
        """Return who came where in what."""
        return f"{self.player}: {self.rank} in {self.tournament}"
