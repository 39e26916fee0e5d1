"""People."""

from django.db import models
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _

from scoring.rules.match_record import LONGEST_NAME


class Player(models.Model):
    """A person who plays."""

    name = models.CharField(_("name"), max_length=LONGEST_NAME)
    created_at = models.DateTimeField(_("created at"))

    class Meta:
        """Names need not be unique: two people can share one."""

        indexes = [models.Index(Lower("name"), name="player_name")]

    def __str__(self) -> str:
        return self.name
