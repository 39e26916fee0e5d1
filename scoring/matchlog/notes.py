"""Notes on hands: free text that changes no score.

A note replaces those that its author had seen. The log has them all.
"""

from dataclasses import replace
from uuid import uuid5

from scoring.matchlog.commands import Command, CommandStatus, LogChange, MatchSnapshot
from scoring.models import LogEntry
from scoring.models.log import LONGEST_REASON
from scoring.rules import Refusal
from scoring.rules.names import normalize_text
from scoring.rules.wording import gettext_noop as _


def build_note_change(logged: MatchSnapshot, command: Command) -> LogChange:
    """Return the change by which a hand gets a note; an empty one removes its notes.

    Raises Refusal for an unknown hand or a note that is too long.
    """
    hand = logged.replayed.hand(command.number or 0)
    if hand is None:
        raise Refusal.for_field("number", _("This hand doesn’t exist."))
    entry = _build_note_entry(command)
    entry.supersedes = (
        hand.history[-1] if isinstance(hand.history[-1], LogEntry) else None
    )
    if (entry.reason,) == hand.notes or not (entry.reason or hand.notes):
        entry.kind = LogEntry.Kind.SUPERSEDED
        return LogChange(
            status=CommandStatus.SUPERSEDED,
            entries=[entry],
            replayed=logged.replayed.with_entry(entry),
        )
    return LogChange(
        status=CommandStatus.STORED,
        entries=[entry],
        replayed=logged.replayed.with_entry(entry),
    )


def with_note(change: LogChange, command: Command) -> LogChange:
    """Return the change of a hand with the note that was written while entering it.

    Raises Refusal if the note is too long.
    """
    entry = _build_note_entry(command)
    entry.key = uuid5(command.key, LogEntry.Kind.NOTE)
    return replace(
        change,
        entries=[*change.entries, entry],
        replayed=change.replayed.with_entry(entry),
    )


def _build_note_entry(command: Command) -> LogEntry:
    text = normalize_text(command.note)
    if len(text) > LONGEST_REASON:
        raise Refusal.for_field(
            "note",
            _("Use at most %(most)s characters for the note."),
            most=LONGEST_REASON,
        )
    return LogEntry(
        key=command.key,
        kind=LogEntry.Kind.NOTE,
        hand_number=command.number,
        reason=text,
        base_version=command.base_version,
    )
