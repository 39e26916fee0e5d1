"""Players that turned out to be one person, and accounts that are players.

Neither changes a score: merges and claims are marks, and undoing one leaves everything as it
was.
"""

from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from scoring.models import Player
from tournaments.models.clubs import Club


class MergeQuerySet(models.QuerySet["Merge"]):
    def active(self) -> Self:
        """Return the merges that were not undone."""
        return self.filter(undone_at=None)


class Merge(models.Model):
    club = models.ForeignKey(Club, models.CASCADE, related_name="merges")
    kept = models.ForeignKey(Player, models.PROTECT, related_name="+")
    """The player that stays: the person goes by this name."""
    merged = models.ForeignKey(Player, models.PROTECT, related_name="+")
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", null=True
    )
    made_at = models.DateTimeField(_("created at"))
    undone_at = models.DateTimeField(_("undone at"), null=True, blank=True)

    objects = MergeQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["club", "merged"],
                condition=Q(undone_at=None),
                name="one_standing_merge",
            ),
            models.CheckConstraint(
                condition=~Q(kept=models.F("merged")), name="merged_with_another"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.merged} = {self.kept}"


class ClaimQuerySet(models.QuerySet["Claim"]):
    def active(self) -> Self:
        """Return the claims that were neither refused nor withdrawn."""
        return self.filter(withdrawn_at=None)

    def confirmed(self) -> Self:
        """Return the claims that are confirmed and valid."""
        return self.active().exclude(confirmed_at=None)

    def waiting(self) -> Self:
        """Return the claims that wait for a director's decision."""
        return self.active().filter(confirmed_at=None)


class Claim(models.Model):
    """A claim by an account to be a player of a club."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="claims")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="claims"
    )
    player = models.ForeignKey(Player, models.PROTECT, related_name="claims")
    made_at = models.DateTimeField(_("created at"))
    confirmed_at = models.DateTimeField(_("confirmed at"), null=True, blank=True)
    withdrawn_at = models.DateTimeField(_("withdrawn at"), null=True, blank=True)
    """Withdrawn by the account, or refused by a director."""

    objects = ClaimQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["club", "player"],
                condition=Q(withdrawn_at=None) & ~Q(confirmed_at=None),
                name="one_confirmed_claim",
            ),
            models.UniqueConstraint(
                fields=["club", "player", "user"],
                condition=Q(withdrawn_at=None),
                name="one_standing_claim",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user} = {self.player}"


class Profile(models.Model):
    """A player's choices for their page in a club."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="profiles")
    player = models.ForeignKey(Player, models.CASCADE, related_name="profiles")
    is_public = models.BooleanField(_("everyone can see the page"), default=True)
    """Standings and leaderboards name everyone; a page that is not public is visible to the
    player and to members of the club.
    """
    archived_at = models.DateTimeField(_("archived at"), null=True, blank=True)
    """From then on the player is in no selection list; results stay."""

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["club", "player"], name="one_profile")
        ]

    def __str__(self) -> str:
        return str(self.player)
