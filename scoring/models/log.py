"""The hand log: an append-only record of all entries."""

from typing import Any, NoReturn, Self

from django.db import models
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _

from scoring.models.matches import Match
from scoring.rules.match_record import LONGEST_NAME

LONGEST_REASON = 200
"""Maximum length of the reason for an entry, and of a note."""
FINGERPRINT_LENGTH = 32
"""Hexadecimal digits: 128 bits."""
SOMEONE = gettext_noop("someone at the table")
"""The stored name for an unknown author; shown in the language of the reader."""
FREES_PHONE = "frees_phone"
"""Key of a change of seats that frees the seat from its phone, without another player."""
FROM_HAND = "from_hand"
"""Key of a change of seats for the first hand of the new player, if there are hands."""
PLAYERS = "players"
"""Key of a change of several seats for the new players."""
ASKS_WHO = "asks_who"
"""Key of a change of seats whose name resembles that of a known player, before anyone was asked."""


class AppendOnlyError(Exception):
    """Raised on an attempt to change or delete an entry of the log."""


class LogEntryQuerySet(models.QuerySet["LogEntry"]):
    """Queries of the log; entries can only be added."""

    def in_order(self) -> Self:
        """Order by version, the oldest first."""
        return self.order_by("version")

    def last_scorer_takeover(self) -> "LogEntry | None":
        """Return the last entry by which a phone became the scorer; None if there is none."""
        scorer_changes = self.filter(kind=LogEntry.Kind.PEN).exclude(phone="")
        return scorer_changes.order_by("version").last()

    def seat_changes(self) -> Self:
        """Filter the changes of seats, in order."""
        return self.filter(kind=LogEntry.Kind.RESEAT).in_order()

    def seat_changes_with_lookalike_name(self) -> Self:
        """Filter the latest changes of seats whose name resembles that of a known player.

        A later change of the same seat settles who it is.
        """
        changes = self.filter(kind=LogEntry.Kind.RESEAT, superseded_by=None)
        return changes.filter(**{f"body__{ASKS_WHO}": True})

    def update(self, **changes: Any) -> NoReturn:
        """Raise AppendOnlyError."""
        raise AppendOnlyError("A log entry is replaced by a new one, never changed.")

    def delete(self) -> NoReturn:
        """Raise AppendOnlyError."""
        raise AppendOnlyError("A log entry is voided by a new one, never deleted.")


class LogEntry(models.Model):
    """One entry in the log of a match."""

    class Kind(models.TextChoices):
        """The kind of change by an entry."""

        ENTER = "enter", _("entered")
        CONTRACT = "contract", _("part of the hand saved")
        REPLACE = "replace", _("corrected")
        VOID = "void", _("voided")
        RESTORE = "restore", _("restored")
        RESEAT = "seats", _("seat changed")
        CONFLICT = "conflict", _("different version entered")
        KEEP = "keep", _("left unchanged")
        SUPERSEDED = "superseded", _("too late to count")
        PEN = "pen", _("scoring taken over")
        CONFIRM = "confirm", _("confirmed")
        WITHDRAW = "withdraw", _("confirmation withdrawn")
        DISPUTE = "dispute", _("disputed")
        BOARD = "board", _("played on the board")
        NOTE = "note", _("note")

    match = models.ForeignKey(Match, models.PROTECT, related_name="log")
    version = models.PositiveIntegerField(_("version"))
    """Counted from 1 in each match."""
    key = models.UUIDField(_("key"))
    """Made by the client: the same key twice is the same entry."""
    fingerprint = models.CharField(
        _("fingerprint"), max_length=FINGERPRINT_LENGTH, blank=True
    )
    """Digest of the request with this key; empty for an entry that followed from another one."""
    kind = models.CharField(_("kind"), max_length=10, choices=Kind.choices)
    hand_number = models.PositiveIntegerField(_("hand"), null=True, blank=True)
    """Number of the hand; null for an entry about the whole match."""
    body = models.JSONField(_("body"), null=True, blank=True)
    """The hand as in a match record, or the data of another kind of entry."""
    supersedes = models.ForeignKey(
        "self",
        verbose_name=_("replaced entry"),
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="superseded_by",
    )
    made_by = models.CharField(_("created by"), max_length=80, blank=True)
    account = models.PositiveBigIntegerField(_("account"), null=True, blank=True)
    """Primary key of the director's account; null for players and for older entries."""
    phone = models.CharField(_("phone"), max_length=32, blank=True)
    """Name of the sending phone, chosen by itself; empty for none."""
    reason = models.CharField(_("reason"), max_length=LONGEST_REASON, blank=True)
    """The reason for the entry; the text of a note."""
    base_version = models.PositiveIntegerField(
        _("based on version"), null=True, blank=True
    )
    made_at = models.DateTimeField(_("created at"))
    """By the server's clock, when the entry arrived."""
    entered_at = models.DateTimeField(_("entered at"), null=True, blank=True)
    """By the phone's clock, which may be wrong: only shown, never used to order entries."""

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
        """Add the entry. Raises AppendOnlyError if it exists already."""
        if not self._state.adding:
            raise AppendOnlyError(
                "A log entry is replaced by a new one, never changed."
            )
        super().save(*args, **options)

    def delete(self, *args: Any, **options: Any) -> NoReturn:
        """Raise AppendOnlyError."""
        raise AppendOnlyError("A log entry is voided by a new one, never deleted.")

    @property
    def author_name(self) -> str:
        """Return the name of the author, in the active language if unknown."""
        return gettext(SOMEONE) if self.made_by == SOMEONE else self.made_by


CORRECTIONS = (LogEntry.Kind.REPLACE, LogEntry.Kind.VOID, LogEntry.Kind.RESTORE)
"""Kinds that change an entered hand."""


class Erasure(models.Model):
    """A person whose name is being removed from the log.

    The row exists only in that transaction. It makes the triggers of the log accept `name`
    in place of the person's name, also in reasons; nothing else of an entry can be changed.
    """

    name = models.CharField(_("new name"), max_length=LONGEST_NAME)

    def __str__(self) -> str:
        return self.name
