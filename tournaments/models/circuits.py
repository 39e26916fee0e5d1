"""Circuits: tournaments of several clubs that share one leaderboard.

Nothing in a circuit is overwritten: clubs, tournaments and merged people are valid from one
moment until another, so that the leaderboard can be read as it was on any day.
"""

from datetime import datetime
from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from scoring.models import Player
from tournaments.models.clubs import Club, Role
from tournaments.models.seasons import LeaderboardRules
from tournaments.models.tournaments import Tournament


class Circuit(LeaderboardRules):
    """Several clubs that count some of their tournaments together."""

    name = models.CharField(_("name"), max_length=60)
    slug = models.SlugField(_("address"), max_length=40, unique=True)
    founded_at = models.DateTimeField(_("created at"))

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("tournaments:circuit", args=[self.slug])

    def get_role(self, user: object) -> Role | None:
        """Return the highest role of an account in any club of the circuit, None for a stranger."""
        roles = self.clubs_with_role(user, least=Role.VIEWER).values_list(
            "memberships__role", flat=True
        )
        return max((Role(role) for role in roles), default=None)

    def clubs_with_role(
        self, user: object, least: Role = Role.DIRECTOR
    ) -> models.QuerySet[Club]:
        """Return the circuit's clubs in which an account has at least this role."""
        key = getattr(user, "pk", None)
        parts = self.parts.active().values("club")
        return Club.objects.filter(
            pk__in=parts, memberships__user=key, memberships__role__gte=least
        )


class CircuitClubQuerySet(models.QuerySet["CircuitClub"]):
    def active(self) -> Self:
        """Return the clubs that have joined and not left."""
        return self.filter(left_at=None).exclude(joined_at=None)

    def invited(self) -> Self:
        return self.filter(left_at=None, joined_at=None)


class CircuitClub(models.Model):
    """A club in a circuit, or invited to it."""

    circuit = models.ForeignKey(Circuit, models.CASCADE, related_name="parts")
    club = models.ForeignKey(Club, models.CASCADE, related_name="circuit_parts")
    invited_at = models.DateTimeField(_("invited at"))
    invited_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, related_name="+", null=True
    )
    joined_at = models.DateTimeField(_("joined at"), null=True, blank=True)
    left_at = models.DateTimeField(_("left at"), null=True, blank=True)
    """Also set if the club declined."""

    objects = CircuitClubQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["circuit", "club"],
                condition=Q(left_at=None),
                name="club_in_circuit_once",
            )
        ]

    def __str__(self) -> str:
        return f"{self.club} in {self.circuit}"


class CircuitTournamentQuerySet(models.QuerySet["CircuitTournament"]):
    def current(self) -> Self:
        return self.filter(removed_at=None)

    def known_at(self, moment: datetime) -> Self:
        return self.filter(added_at__lte=moment).filter(
            Q(removed_at=None) | Q(removed_at__gt=moment)
        )


class CircuitTournament(models.Model):
    """A tournament of a club that counts in a circuit."""

    circuit = models.ForeignKey(Circuit, models.CASCADE, related_name="tournaments")
    tournament = models.ForeignKey(
        Tournament, models.CASCADE, related_name="in_circuits"
    )
    added_at = models.DateTimeField(_("added at"))
    added_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, related_name="+", null=True
    )
    removed_at = models.DateTimeField(_("removed at"), null=True, blank=True)

    objects = CircuitTournamentQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["circuit", "tournament"],
                condition=Q(removed_at=None),
                name="tournament_in_circuit_once",
            )
        ]

    def __str__(self) -> str:
        return f"{self.tournament} in {self.circuit}"


class SamePersonQuerySet(models.QuerySet["SamePerson"]):
    def active(self) -> Self:
        """Return the declarations that were not undone."""
        return self.filter(undone_at=None)

    def known_at(self, moment: datetime) -> Self:
        return self.filter(made_at__lte=moment).filter(
            Q(undone_at=None) | Q(undone_at__gt=moment)
        )


class SamePerson(models.Model):
    """Two players of different clubs that a director has declared one person, in one circuit."""

    circuit = models.ForeignKey(Circuit, models.CASCADE, related_name="same_people")
    kept = models.ForeignKey(Player, models.PROTECT, related_name="+")
    """The player that stays: the person goes by this name."""
    merged = models.ForeignKey(Player, models.PROTECT, related_name="+")
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, related_name="+", null=True
    )
    made_at = models.DateTimeField(_("created at"))
    undone_at = models.DateTimeField(_("undone at"), null=True, blank=True)

    objects = SamePersonQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["circuit", "merged"],
                condition=Q(undone_at=None),
                name="one_standing_same_person",
            ),
            models.CheckConstraint(
                condition=~Q(kept=F("merged")), name="same_as_another"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.merged} = {self.kept}"
