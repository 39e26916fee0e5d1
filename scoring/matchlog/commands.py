"""Commands to append to a match's log, and their outcomes.

A command is complete: its author, the version it is based on, its key. Sent again, it is the
same command. Forms and phones make one each time and show its outcome in their own way.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from scoring.matchlog.replay import ReplayedMatch
from scoring.matchlog.seat_occupants import names_at_hand, occupants_by_changed_seat
from scoring.models import LogEntry, Match, Player, Seat
from scoring.models.log import LONGEST_REASON
from scoring.rules import Fault


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandAuthor:
    name: str = ""
    is_self_named: bool = False
    """Whether someone at the table chose the name; it is stored only if a seat has it."""
    account: int | None = None
    """Primary key of the author's account if they direct; None for players."""
    phone: str = ""
    """The phone that sent the command; empty if unknown."""
    token: str | None = None
    """The seat token that came with the command; None if none was required."""
    directs: bool = False
    """Whether the author's account may settle the match's table."""
    may_change_closed: bool = False
    """Whether the author may change a match that is closed to its players."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """One change to append to a log."""

    key: UUID
    """Made by the client: the same key is the same command."""
    kind: LogEntry.Kind
    author: CommandAuthor
    number: int | None = None
    """The hand that it concerns; None if it concerns the whole match."""
    body: Mapping[str, Any] | None = None
    """The hand in the format of the match record, or another value for kinds without a hand."""
    is_raw_input: bool = False
    """Whether the body is as entered, so that the rules complete it."""
    base_version: int | None = None
    """The version of the last entry that the author had seen; None if unknown."""
    reason: str = ""
    note: str = ""
    """A note on the hand, stored as an entry of its own."""
    entered_at: datetime | None = None
    """By the clock of a phone that queued the entry."""
    waiting_count: int | None = None
    """The number of further entries on the phone; None if unknown."""
    instead_of_board: bool = False
    """Whether the author knows that the hand is being played on the board, and ends it there."""

    @property
    def short_reason(self) -> str:
        """Return the reason shortened to the length that the log stores, cut between words."""
        if len(self.reason) <= LONGEST_REASON:
            return self.reason
        start = self.reason[: LONGEST_REASON - 1]
        return (start.rpartition(" ")[0] or start) + "…"


class CommandStatus(StrEnum):
    """What happened to a command."""

    STORED = "stored"
    REPEATED = "repeated"
    """Stored before, under the same key."""
    CONFLICT = "conflict"
    """Stored next to an earlier entry of another phone, until someone chooses."""
    SUPERSEDED = "superseded"
    """Stored without effect: the hand already has this value or state."""
    REFUSED = "refused"
    """Not stored: impossible by the rules, or its hand or seat does not exist."""
    CLOSED = "closed"
    """Not stored: the match is closed to its players."""
    FORBIDDEN = "forbidden"
    """Not stored: the author has no right to write here."""


APPENDED_STATUSES = frozenset(
    {CommandStatus.STORED, CommandStatus.CONFLICT, CommandStatus.SUPERSEDED}
)
"""Statuses of commands that added an entry to the log."""
REJECTED_STATUSES = frozenset(
    {CommandStatus.REFUSED, CommandStatus.CLOSED, CommandStatus.FORBIDDEN}
)
"""Statuses of commands that left no entry in the log."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchSnapshot:
    """A match as read at one version; valid until the version changes."""

    match: Match
    version: int
    log: Sequence[LogEntry]
    seats: Sequence[Seat]
    """Ordered by index."""
    replayed: ReplayedMatch

    @property
    def names(self) -> list[str]:
        return [seat.name for seat in self.seats]

    def names_by_hand(self, numbers: Iterable[int]) -> list[list[str]]:
        """Return the names of the players of each of these hands, by seat."""
        occupants = occupants_by_changed_seat(self.log)
        return [names_at_hand(self.seats, occupants, number) for number in numbers]

    def has_unseen_hand_change(self, command: Command) -> bool:
        """Return whether the hand was changed after the version that the command is based on.

        Entries of the same phone do not count: its author has seen them, whatever their
        version.
        """
        base = command.base_version
        return base is not None and any(
            entry.version > base
            for entry in self.log
            if entry.hand_number == command.number
            and entry.kind not in (LogEntry.Kind.SUPERSEDED, LogEntry.Kind.NOTE)
            and not (entry.phone and entry.phone == command.author.phone)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandOutcome:
    """The outcome of a command, the same for forms, phones and imports."""

    status: CommandStatus
    match: Match
    first_status: CommandStatus
    """As `status`; for a repeated command, its status the first time."""
    entry: LogEntry | None = None
    """The stored entry; None if nothing had to be stored."""
    faults: Sequence[Fault] = ()
    logged: MatchSnapshot
    """The match after the command."""

    @property
    def is_stored(self) -> bool:
        return self.status not in REJECTED_STATUSES


@dataclass(frozen=True, slots=True, kw_only=True)
class LogChange:
    """The change that a command causes, before anything is written."""

    status: CommandStatus
    entries: Sequence[LogEntry] = ()
    """New entries with kind, hand, body and the entry they supersede; author, time and reason come
    from the command. The main one has the command's key."""
    replayed: ReplayedMatch
    """The match with these entries."""
    new_players: Mapping[int, Player] | None = None
    """New players by seat. A player without a primary key is a new person."""
