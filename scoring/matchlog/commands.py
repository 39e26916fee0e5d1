"""Commands to append to a match's log, and their outcomes.

A command says it all: by whom, on which state of the match, under which key. Sent again it is
the same command. Forms and phones make one each time, and show its outcome in their own way.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from scoring.matchlog.replay import ReplayedMatch
from scoring.matchlog.sittings import names_at_hand, read_sittings
from scoring.models import LogEntry, Match, Player, Seat
from scoring.models.log import LONGEST_REASON
from scoring.rules import Fault

Body = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Author:
    name: str = ""
    sits_here: bool = False
    """Whether the name is what somebody at the table said; a stranger's is not written."""
    phone: str = ""
    """Which phone sent it; empty where none said so."""
    token: str | None = None
    """The seat token that was shown; None where nobody was asked for one."""
    directs: bool = False
    """Whether it is somebody who settles the match's table, by their account."""
    may_change_closed: bool = False
    """Whether a match that is closed to its players takes something from them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """One thing to be appended to a log."""

    key: UUID
    """Made by the client: the same key is the same command."""
    kind: LogEntry.Kind
    author: Author
    number: int | None = None
    """The hand that it concerns; None for what concerns the match."""
    body: Body | None = None
    """The hand as a match record writes it, or what else the kind says."""
    is_as_said: bool = False
    """Whether the body is what a form says, to which the rules add what follows from it."""
    base_version: int | None = None
    """The last entry that its author had seen, where that is known."""
    reason: str = ""
    entered_at: datetime | None = None
    """By the clock of a phone that kept it for a while."""
    held: int | None = None
    """How many further entries its phone holds, where it says so."""
    instead_of_board: bool = False
    """Whether its author knows that the hand is being played on the board, which stops there then."""

    @property
    def short_reason(self) -> str:
        """Return the reason as the log has room for it, cut between two words."""
        if len(self.reason) <= LONGEST_REASON:
            return self.reason
        start = self.reason[: LONGEST_REASON - 1]
        return (start.rpartition(" ")[0] or start) + "…"


class Status(StrEnum):
    STORED = "stored"
    REPEATED = "repeated"
    """It was stored before, under the same key."""
    CONFLICT = "conflict"
    """Stored beside what somebody else was quicker with, until a person chooses."""
    SUPERSEDED = "superseded"
    """Stored, and changes nothing any more: what it says is so already."""
    REFUSED = "refused"
    """Not stored: it cannot be, or what it was about is not there."""
    CLOSED = "closed"
    """Not stored: the match takes nothing more from those who play it."""
    FORBIDDEN = "forbidden"
    """Not stored: its author did not show that they may write here."""


WRITTEN = frozenset({Status.STORED, Status.CONFLICT, Status.SUPERSEDED})
"""What became of a command by which the log has an entry more."""
NOT_STORED = frozenset({Status.REFUSED, Status.CLOSED, Status.FORBIDDEN})
"""What became of a command of which the log knows nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedMatch:
    """A match as somebody has read it; still true while its version is the same."""

    match: Match
    version: int
    log: Sequence[LogEntry]
    seats: Sequence[Seat]
    """In their order."""
    replayed: ReplayedMatch

    @property
    def names(self) -> list[str]:
        return [seat.name for seat in self.seats]

    def names_by_hand(self, numbers: Iterable[int]) -> list[list[str]]:
        """Return the names of those who played each of these hands, by seat."""
        sittings = read_sittings(self.log)
        return [names_at_hand(self.seats, sittings, number) for number in numbers]

    def has_unseen_change(self, command: Command) -> bool:
        """Tell whether somebody changed the hand of a command after its author saw it.

        What the same phone sent before was seen by its author, whatever its version.
        """
        base = command.base_version
        return base is not None and any(
            entry.version > base
            for entry in self.log
            if entry.hand_number == command.number
            and entry.kind != LogEntry.Kind.SUPERSEDED
            and not (entry.phone and entry.phone == command.author.phone)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The outcome of a command, the same for forms, phones and imports."""

    status: Status
    match: Match
    first: Status
    """As `status`, but for a repeated one what became of it the first time."""
    entry: LogEntry | None = None
    """As it stands in the log; None where nothing had to be stored."""
    faults: Sequence[Fault] = ()
    logged: LoggedMatch
    """The match as it is now."""

    @property
    def is_stored(self) -> bool:
        return self.status not in NOT_STORED


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """The change that a command causes, before anything is written."""

    status: Status
    entries: Sequence[LogEntry] = ()
    """What is added to the log: kind, hand, body and what it supersedes; who, when and why are
    the command's. The one that stands for it has its key."""
    replayed: ReplayedMatch
    """The match with them."""
    new_players: Mapping[int, Player] | None = None
    """Who sits down where. A person without a number is a new one."""
