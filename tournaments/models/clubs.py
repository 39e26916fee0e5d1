"""Clubs, and who may do what in them."""

from typing import Self

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from tournaments.models.people import User


class Role(models.IntegerChoices):
    """What somebody may do in a club; a higher one may do all that a lower one may."""

    VIEWER = 1, _("viewer")
    SCORER = 2, _("scorer")
    DIRECTOR = 3, _("director")


class ClubQuerySet(models.QuerySet["Club"]):
    """Questions about clubs."""

    def of(self, user: User) -> Self:
        """Keep the clubs in which the account has a role."""
        return self.filter(memberships__user=user)


class Club(models.Model):
    """People who play together, and their tournaments."""

    name = models.CharField(_("name"), max_length=80)
    slug = models.SlugField(_("address"), max_length=40, unique=True)
    created_at = models.DateTimeField(_("created at"))
    history_version = models.PositiveIntegerField(
        _("version of the history"), default=0
    )
    """Counts every change of what its leaderboards are made of."""

    objects = ClubQuerySet.as_manager()

    def __str__(self) -> str:
        """Return the name."""
        return self.name

    def get_absolute_url(self) -> str:
        """Return where the club shows its tournaments."""
        return reverse("tournaments:club", args=[self.slug])

    def role_of(self, user: object) -> Role | None:
        """Return the role of an account, None for a stranger."""
        if not isinstance(user, User):
            return None
        held = self.memberships.filter(user=user).values_list("role", flat=True).first()
        return None if held is None else Role(held)


class Membership(models.Model):
    """A role of one account in one club."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="memberships")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="memberships"
    )
    role = models.PositiveSmallIntegerField(_("role"), choices=Role.choices)

    class Meta:
        """An account has one role in a club."""

        constraints = [
            models.UniqueConstraint(fields=["club", "user"], name="one_role_in_a_club")
        ]

    def __str__(self) -> str:
        """Return who is what."""
        return f"{self.user}: {self.get_role_display()}"
