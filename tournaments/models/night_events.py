"""What people did at a tournament, where no other row has its time and author."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from scoring.rules.match_record import LONGEST_NAME
from tournaments.models.entries import Entry
from tournaments.models.people import User
from tournaments.models.rounds import Round, Table
from tournaments.models.tournaments import Tournament


class NightEventQuerySet(models.QuerySet["NightEvent"]):
    def record(
        self, kind: "NightEvent.Kind", *, now: datetime | None = None, **fields: Any
    ) -> None:
        """Store an event of a tournament, in the transaction of what it is about."""
        self.create(kind=kind, at=now or timezone.now(), **fields)

    def record_rounds(
        self, kind: "NightEvent.Kind", rounds: Iterable[Round], **fields: Any
    ) -> None:
        """Store an event of consecutive rounds; nothing without rounds."""
        ordered = sorted(rounds, key=lambda round_: round_.number)
        if ordered:
            self.record(
                kind,
                tournament_id=ordered[0].tournament_id,
                round_number=ordered[0].number,
                last_round_number=ordered[-1].number,
                **fields,
            )

    def record_table(
        self, kind: "NightEvent.Kind", table: Table, **fields: Any
    ) -> None:
        self.record(
            kind,
            tournament_id=table.round.tournament_id,
            round_number=table.round.number,
            last_round_number=table.round.number,
            table_number=table.number,
            **fields,
        )

    def record_new_entries(
        self, entries: Iterable[Entry], *, now: datetime, by: User | None
    ) -> None:
        """Store that entries were added; nothing for past results."""
        self.bulk_create(
            NightEvent(
                tournament_id=entry.tournament_id,
                kind=KINDS_BY_STATE[Entry.State(entry.state)],
                name=entry.name,
                at=now,
                by=by,
            )
            for entry in entries
            if entry.tournament.format != Tournament.Format.PAST
        )

    def record_entry(
        self, kind: "NightEvent.Kind", entry: Entry, **fields: Any
    ) -> None:
        self.record(kind, tournament_id=entry.tournament_id, name=entry.name, **fields)


class NightEvent(models.Model):
    """A line of the log of a night that no other row has."""

    class Kind(models.TextChoices):
        DRAWN = "drawn", _("seating drawn")
        DRAW_UNDONE = "draw_undone", _("draw undone")
        DRAW_RESTORED = "draw_restored", _("draw restored")
        PUBLISHED = "published", _("seating published")
        STARTED = "started", pgettext_lazy("round", "started")
        PAUSED = "paused", _("clock paused")
        RESUMED = "resumed", _("clock resumed")
        MORE_TIME = "more_time", _("five minutes added")
        LAST_HAND = "last_hand", _("last hand called")
        GAME_CHANGED = "game_changed", _("game changed")
        SEATS_CHANGED = "seats_changed", _("seats changed")
        CLOSED = "closed", pgettext_lazy("round", "closed")
        ROUND_REOPENED = "round_reopened", pgettext_lazy("round", "reopened")
        FINISHED = "finished", _("tournament finished")
        REOPENED = "reopened", _("tournament reopened")
        REGISTERED = "registered", _("registered")
        WAITING = "waiting", _("on the waiting list")
        CHECKED_IN = "checked_in", _("checked in")
        CHECK_IN_UNDONE = "check_in_undone", _("check-in undone")
        LEFT = "left", _("left")
        WITHDREW = "withdrew", _("withdrew")
        MOVED_UP = "moved_up", _("moved up from the waiting list")
        SUBSTITUTED = "substituted", _("substituted")
        BYE_REQUESTED = "bye_requested", _("sits out on request")
        BYE_CANCELLED = "bye_cancelled", _("plays after all")
        REMOVED = "removed", _("removed from the list")
        TEAMS = "teams", _("teams changed")
        SETTLED = "settled", _("dispute settled")
        TABLE_VOIDED = "table_voided", _("table voided")
        TABLE_RESTORED = "table_restored", _("table restored")
        PENALTY_CANCELLED = "penalty_cancelled", _("penalty cancelled")

    tournament = models.ForeignKey(
        Tournament, models.CASCADE, related_name="night_events"
    )
    kind = models.CharField(_("kind"), max_length=20, choices=Kind.choices)
    at = models.DateTimeField(_("time"))
    by = models.ForeignKey(
        User,
        models.SET_NULL,
        verbose_name=_("created by"),
        related_name="+",
        null=True,
        blank=True,
    )
    """Null for players, and for the autopilot."""
    round_number = models.PositiveSmallIntegerField(_("round"), null=True, blank=True)
    """A number, because the round may be deleted with its draw."""
    last_round_number = models.PositiveSmallIntegerField(
        _("last round"), null=True, blank=True
    )
    """Of a draw of several rounds; else the same number."""
    table_number = models.PositiveSmallIntegerField(_("table"), null=True, blank=True)
    name = models.CharField(_("name"), max_length=2 * LONGEST_NAME + 3, blank=True)
    """The player's name at that time; of a substitution both names."""
    reason = models.CharField(_("reason"), max_length=200, blank=True)

    objects = NightEventQuerySet.as_manager()

    class Meta:
        indexes = [models.Index(fields=["tournament", "-at"], name="night_events")]

    def __str__(self) -> str:
        return f"{self.at:%H:%M} {self.kind}"


KINDS_BY_STATE = {
    Entry.State.WAITING: NightEvent.Kind.WAITING,
    Entry.State.EXPECTED: NightEvent.Kind.REGISTERED,
    Entry.State.PRESENT: NightEvent.Kind.CHECKED_IN,
    Entry.State.DROPPED: NightEvent.Kind.LEFT,
    Entry.State.NO_SHOW: NightEvent.Kind.WITHDREW,
}
OWN_KINDS = frozenset(
    [
        *KINDS_BY_STATE.values(),
        NightEvent.Kind.BYE_REQUESTED,
        NightEvent.Kind.BYE_CANCELLED,
    ]
)
"""Events that players cause with their own phones; without an account, the autopilot caused the others."""
