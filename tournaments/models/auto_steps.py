"""Steps that a tournament takes automatically: announced before, logged afterwards."""

from typing import Self

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.models.people import User
from tournaments.models.tournaments import Tournament


class AutoStepQuerySet(models.QuerySet["AutoStep"]):
    def held_or_announced(self) -> Self:
        """Return the steps still to come: announced or held."""
        return self.filter(state__in=[AutoStep.State.ANNOUNCED, AutoStep.State.HELD])

    def done_or_undone(self) -> Self:
        """Return the steps that were done, even if undone since, latest first."""
        return self.filter(
            state__in=[AutoStep.State.DONE, AutoStep.State.UNDONE]
        ).order_by("-done_at", "-pk")


class AutoStep(models.Model):
    """A step of an automatic night: a line of its log from the announcement on."""

    class Kind(models.TextChoices):
        SEAT = "seat", _("draw the round")
        START = "start", _("start the round")
        LAST_HAND = "last_hand", _("call the last hand")
        CLOSE = "close", _("close the round")
        CUT = "cut", _("draw the final")
        FINISH = "finish", _("finish the tournament")

    class State(models.TextChoices):
        ANNOUNCED = "announced", _("announced")
        HELD = "held", _("on hold")
        DONE = "done", _("done")
        UNDONE = "undone", _("undone")
        DROPPED = "dropped", _("no longer needed")

    tournament = models.ForeignKey(
        Tournament, models.CASCADE, related_name="auto_steps"
    )
    kind = models.CharField(_("step"), max_length=10, choices=Kind.choices)
    number = models.PositiveSmallIntegerField(_("round"))
    """The round of the step; for a finish the last round."""
    state = models.CharField(
        _("state"), max_length=10, choices=State.choices, default=State.ANNOUNCED
    )
    announced_at = models.DateTimeField(_("announced at"))
    due_at = models.DateTimeField(_("due at"))
    """When the step is done, unless it is held."""
    done_at = models.DateTimeField(_("done at"), null=True, blank=True)
    by = models.ForeignKey(
        User, models.SET_NULL, verbose_name=_("changed by"), null=True, blank=True
    )
    """The account that last held, brought forward or undid the step; null if it ran untouched."""
    refused = models.CharField(_("reason for failure"), max_length=300, blank=True)
    """Why the step was refused when it was due; a director has to act then."""

    objects = AutoStepQuerySet.as_manager()

    class Meta:
        indexes = [models.Index(fields=["tournament", "-done_at"])]
        constraints = [
            models.UniqueConstraint(
                fields=["tournament"],
                condition=models.Q(state__in=["announced", "held"]),
                name="one_announced_step",
            )
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.number}"
