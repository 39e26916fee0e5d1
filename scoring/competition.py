"""What a match may be played for: what the scorepad asks and tells whoever runs that.

A match at a kitchen table is played for nothing, and `Competition` answers for it. The site names
another in its setting COMPETITION; tournaments implement it (`tournaments.event.competition`).
"""

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from functools import cache
from typing import Protocol

from django.conf import settings
from django.http import HttpRequest
from django.utils.module_loading import import_string

from scoring.models import Match, Player
from scoring.models.matches import MatchQuerySet
from scoring.phone_memory import shown_secrets
from scoring.rules import MatchState


class ResultState(StrEnum):
    """How certain the result of a match is that is over."""

    FINAL = "final"
    """Nobody has to confirm it."""
    UNCONFIRMED = "unconfirmed"
    """Its players, or a director, have to confirm it first."""
    DISPUTED = "disputed"
    """The director has to settle it first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """One line above the score sheet."""

    words: str
    address: str = ""
    """Where the words lead; empty for nowhere."""
    urgent: bool = False
    ends_at: datetime | None = None
    """Where time is running: until when."""
    paused_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """How the players of a match agree to its result, each for themselves."""

    wanted: int
    """How many of them are enough."""
    holders: Mapping[int, str] = field(default_factory=dict)
    """By seat whose own phone speaks for it now, as its token is made of; another holder, another token."""
    own: int | None = None
    """Where the scorepad runs on a phone: whose it is, if it is anybody's own."""
    family: Sequence[int] = ()
    """Where others sit whose phone it is as well; it is handed to them before it is to anybody else."""
    at_table: bool = False
    """Where the scorepad runs on a phone: whether others may agree on it, once they hold it."""
    is_disputed: bool = False
    """Whether the director has to settle the result first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NextTable:
    """What comes after a match that is over, for whoever played it."""

    sentence: str
    seats: Sequence[str] = ()
    """Who of the table sits where next, one line each."""
    address: str = ""
    """Where they go on; empty for nowhere."""
    label: str = ""
    """What stands on the way there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Namesake:
    """Somebody known to a competition, whom a similar name may mean."""

    name: str
    words: str
    """The name, and how they are known."""


class LocaleDefaults(Protocol):
    """A place with a language and clocks of its own, as a club is."""

    @property
    def language(self) -> str:
        """Return what is spoken to who has chosen no language; empty for any."""

    @property
    def time_zone(self) -> str:
        """Return by whose clocks hours are told to who has chosen no others; empty for the host's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Anywhere:
    """A place that has neither."""

    language: str = ""
    time_zone: str = ""


NOWHERE = Anywhere()


class Competition:
    """A competition that knows of no match: everything is as its players have it."""

    def along(self, matches: MatchQuerySet, *, to_look: bool = False) -> MatchQuerySet:
        """Return matches with what is asked of them here, read in the same question.

        With `to_look` nothing is decided by it: it may be some moments old.
        """
        return matches

    def place(self, match: Match) -> LocaleDefaults:
        """Return where it is played, by whoever runs it."""
        return NOWHERE

    def notices(self, match: Match) -> Sequence[Notice]:
        """Return what is to be said of a match now."""
        return ()

    def late_notice(self, match: Match) -> str:
        """Return what becomes of hands of a match that should be over; empty while it may be played."""
        return ""

    def is_last_hand_called(self, match: Match) -> bool:
        """Tell whether the hand that is played in a match is to be its last."""
        return False

    def confirmed_at(self, match: Match) -> str:
        """Return the page where its players confirm a result; empty for a friendly match."""
        return ""

    def desk(self, match: Match, user: object) -> str:
        """Return the page from which a user, who may be nobody, directs; empty for players."""
        return ""

    def may_write(self, match: Match, request: HttpRequest) -> bool:
        """Tell whether who asks may enter something for a match that has a secret."""
        return match.secret in shown_secrets(request)

    def follows_because(self, match: Match, request: HttpRequest) -> str:
        """Return why who asks may not write at a match; empty for the usual reason."""
        return ""

    def agreement(self, match: Match) -> Agreement | None:
        """Return how the result of a match is agreed to; None where no one asks who did it."""
        return None

    def poll_state(self, match: Match) -> Hashable:
        """Return what differs whenever a sheet does though nothing was entered; None for a friendly match."""
        return None

    def result_state(self, match: Match) -> ResultState:
        """Return how certain the result of a match that is over is; a friendly one is final."""
        return ResultState.FINAL

    def own_seat(self, match: Match, request: HttpRequest) -> int | None:
        """Return the seat of whoever asks from a phone or an account of their own."""
        return None

    def seats_on_phones(self, match: Match) -> Collection[int]:
        """Return the seats of those who have a phone or an account of their own with them."""
        return ()

    def family_seats(self, match: Match, request: HttpRequest) -> Sequence[int]:
        """Return the seats of others whose own phone or account it is that asks."""
        return ()

    def is_at_table(self, match: Match, request: HttpRequest) -> bool:
        """Tell whether players may agree on the phone that asks, once it is handed to them."""
        return False

    def next_table(self, match: Match, request: HttpRequest) -> NextTable | None:
        """Return what comes after a match that is over; None for a friendly one."""
        return None

    def shared_secret(self, match: Match) -> str:
        """Return the secret that who writes may pass on to another phone; empty for none."""
        return match.secret

    def may_change_closed(self, match: Match, user: object) -> bool:
        """Tell whether a user, who may be nobody, may change a match that is closed."""
        return False

    def official(self, match: Match, user: object) -> str:
        """Return the name of a user who settles the tables of a match; empty for others."""
        return ""

    def consequences(self, match: Match, state: MatchState) -> Sequence[str]:
        """Return sentences on what else would change if the match came to this state."""
        return ()

    def find_namesakes(
        self, match: Match, name: str, *, but: Collection[Player] = ()
    ) -> Sequence[Namesake]:
        """Return whom a name may mean that nobody but these players has as it is written."""
        return ()

    def find_player(self, match: Match, name: str) -> Player | None:
        """Return who is known by a name; None for nobody."""
        return None

    def call_director(self, match: Match, now: datetime) -> None:
        """Take note that a table wants its director; in the transaction that stores it."""

    def note_settled(self, match: Match) -> None:
        """Take note that a result counts from now on; in the transaction that stores it."""

    def note_agreement(self, match: Match, seat: int, now: datetime) -> None:
        """Take note that a seat agreed to a result; in the transaction that stores it."""


@cache
def competition() -> Competition:
    name = getattr(settings, "COMPETITION", "")
    installed: Competition = import_string(name)() if name else Competition()
    return installed
