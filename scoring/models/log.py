"""The hand log: what was entered, as it was entered, for good."""

from typing import Any, NoReturn, Self

from django.db import models
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _

from scoring.models.matches import Match
from scoring.rules.match_record import LONGEST_NAME

LONGEST_REASON = 200
"""Signs that the log keeps of why something was entered."""
FINGERPRINT_LENGTH = 32
"""Hexadecimal digits: 128 bits."""
SOMEONE = gettext_noop("someone at the table")
"""Who made an entry of which only that is known; told in the language of who reads it."""
FREES_PHONE = "frees_phone"
"""Under which a change of seats says that its player stays, and the phone that holds the seat does not."""
FROM_HAND = "from_hand"
"""Under which a change of seats says from which hand on, once a hand is in."""
PLAYERS = "players"
"""Under which a change of several seats says who sits at which."""
ASKS_WHO = "asks_who"
"""Under which a change of seats says that its name is like that of somebody known, and nobody was asked."""


class AppendOnlyError(Exception):
    """An entry of the log was about to be changed or deleted."""


class LogEntryQuerySet(models.QuerySet["LogEntry"]):
    """Questions about the log; entries are only ever added."""

    def in_order(self) -> Self:
        """Order as they were entered."""
        return self.order_by("version")

    def last_scorer_change(self) -> "LogEntry | None":
        """Return by which entry a phone took the pen last; None where none did."""
        takings = self.filter(kind=LogEntry.Kind.PEN).exclude(phone="")
        return takings.order_by("version").last()

    def seat_changes(self) -> Self:
        """Keep the entries by which another person sat down, in order."""
        return self.filter(kind=LogEntry.Kind.RESEAT).in_order()

    def doubtful_seats(self) -> Self:
        """Keep the latest change of each seat if nobody has said yet whom its name means."""
        changes = self.filter(kind=LogEntry.Kind.RESEAT, superseded_by=None)
        return changes.filter(**{f"body__{ASKS_WHO}": True})

    def update(self, **changes: Any) -> NoReturn:
        """Refuse: an entry stays as it was made."""
        raise AppendOnlyError("A log entry is replaced by a new one, never changed.")

    def delete(self) -> NoReturn:
        """Refuse: what was entered stays."""
        raise AppendOnlyError("A log entry is voided by a new one, never deleted.")


class LogEntry(models.Model):
    """One thing that somebody entered for a match."""

    class Kind(models.TextChoices):
        """What an entry does."""

        ENTER = "enter", _("entered")
        CONTRACT = "contract", _("noted so far")
        REPLACE = "replace", _("corrected")
        VOID = "void", _("voided")
        RESTORE = "restore", _("restored")
        RESEAT = "seats", _("seat changed")
        CONFLICT = "conflict", _("entered differently")
        KEEP = "keep", _("kept as it was")
        SUPERSEDED = "superseded", _("came too late to change anything")
        PEN = "pen", _("took the pen")
        CONFIRM = "confirm", _("found the same")
        WITHDRAW = "withdraw", _("took a confirmation back")
        DISPUTE = "dispute", _("found it wrong")
        BOARD = "board", _("played on the board")

    match = models.ForeignKey(Match, models.PROTECT, related_name="log")
    version = models.PositiveIntegerField(_("version"))
    """Counted from 1 in each match."""
    key = models.UUIDField(_("key"))
    """Made by the client: the same key twice is the same entry."""
    fingerprint = models.CharField(
        _("fingerprint"), max_length=FINGERPRINT_LENGTH, blank=True
    )
    """Of what was sent under the key; empty for what followed from another entry."""
    kind = models.CharField(_("kind"), max_length=10, choices=Kind.choices)
    hand_number = models.PositiveIntegerField(_("hand"), null=True, blank=True)
    """The hand that it concerns; null for what concerns the match."""
    body = models.JSONField(_("body"), null=True, blank=True)
    """The hand as a match record writes it, or what else was entered."""
    supersedes = models.ForeignKey(
        "self",
        verbose_name=_("supersedes"),
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="superseded_by",
    )
    made_by = models.CharField(_("made by"), max_length=80, blank=True)
    phone = models.CharField(_("phone"), max_length=32, blank=True)
    """Which phone sent it, by the name that it gave itself; empty where none did."""
    reason = models.CharField(_("reason"), max_length=LONGEST_REASON, blank=True)
    base_version = models.PositiveIntegerField(
        _("made on version"), null=True, blank=True
    )
    made_at = models.DateTimeField(_("made at"))
    """By the server's clock, when the entry arrived."""
    entered_at = models.DateTimeField(_("entered at"), null=True, blank=True)
    """By the phone's clock, which may be wrong: it is shown, and orders nothing."""

    objects = LogEntryQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["match", "key"], name="log_key_once"),
            models.UniqueConstraint(
                fields=["match", "version"], name="log_version_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.version}: {self.kind} {self.hand_number or ''}".rstrip()

    def save(self, *args: Any, **options: Any) -> None:
        """Add the entry; an entry that is there already is refused."""
        if not self._state.adding:
            raise AppendOnlyError(
                "A log entry is replaced by a new one, never changed."
            )
        super().save(*args, **options)

    def delete(self, *args: Any, **options: Any) -> NoReturn:
        """Refuse: what was entered stays."""
        raise AppendOnlyError("A log entry is voided by a new one, never deleted.")

    @property
    def maker(self) -> str:
        """Return who made it, for whoever reads it now."""
        return gettext(SOMEONE) if self.made_by == SOMEONE else self.made_by


class Erasure(models.Model):
    """Somebody whose name is being taken out of the log.

    It is there in that transaction alone, and lets the log's triggers put `name` where
    the person's was, in reasons too; nothing else of an entry can be changed even then.
    """

    name = models.CharField(_("called from now on"), max_length=LONGEST_NAME)

    def __str__(self) -> str:
        return self.name
