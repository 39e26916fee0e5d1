"""People."""

from typing import Self

from django.db import models
from django.db.models import Max
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _

from scoring.rules.record import LONGEST_NAME


class PlayerQuerySet(models.QuerySet["Player"]):
    """Questions about people."""

    def by_last_match(self) -> Self:
        """Order by the match they sat at last, the latest first."""
        return self.annotate(last_match=Max("seats__match_id")).order_by(
            models.F("last_match").desc(nulls_last=True), Lower("name"), "id"
        )


class Player(models.Model):
    """A person who plays."""

    name = models.CharField(_("name"), max_length=LONGEST_NAME)
    created_at = models.DateTimeField(_("created at"))

    objects = PlayerQuerySet.as_manager()

    class Meta:
        """Names need not be unique: two people can share one."""

        indexes = [models.Index(Lower("name"), name="player_name")]

    def __str__(self) -> str:
        """Return the name."""
        return self.name
