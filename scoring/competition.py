"""The interface between the scorepad and the competition that a match belongs to.

A friendly match belongs to none, and `Competition` answers for it. The site names another class
in its setting COMPETITION; tournaments implement it (`tournaments.event.competition`).
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
from scoring.phone_memory import known_secrets
from scoring.rules import MatchState


class ResultState(StrEnum):
    """The state of the result of a match that is over."""

    FINAL = "final"
    """The result needs no further confirmation."""
    UNCONFIRMED = "unconfirmed"
    """Its players, or a director, have to confirm it first."""
    DISPUTED = "disputed"
    """The director has to settle it first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """One line above the score sheet."""

    text: str
    address: str = ""
    """The address that the words link to; empty if none."""
    urgent: bool = False
    ends_at: datetime | None = None
    """The end of a running clock; None if no time is running."""
    paused_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfirmationRules:
    """Confirmation of a match's result, by each player separately."""

    required: int
    """The number of confirmations that are enough."""
    holders: Mapping[int, str] = field(default_factory=dict)
    """By seat, the value from which the token of its player's own phone is derived; another holder
    gets another token."""
    own: int | None = None
    """When the scorepad runs on a phone, the seat of its owner; None if it has none."""
    family: Sequence[int] = ()
    """Seats of other players on this phone; they confirm on it before it is handed to anyone else."""
    at_table: bool = False
    """When the scorepad runs on a phone, whether other players may confirm on it as well."""
    is_disputed: bool = False
    """Whether the director has to settle the result first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NextTableNotice:
    """The players' next table after a match that is over."""

    sentence: str
    seats: Sequence[str] = ()
    """The next seat of each player at the table, one line each."""
    address: str = ""
    """The address of the next page; empty if none."""
    label: str = ""
    """The text of the link to that page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SimilarPerson:
    """A person that a competition knows and a similar name may mean."""

    name: str
    text: str
    """The name with a description of the person."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnNight:
    """A tournament that the visitor is in, or directs now."""

    name: str
    sentence: str
    """What it means for the visitor now, such as their table."""
    address: str
    game: str = ""
    """Id of its game; empty if it has several."""
    standings_address: str = ""
    desk_url: str = ""
    """The address of its desk; empty for visitors without a role."""


class LocaleDefaults(Protocol):
    """A place with its own language and time zone, such as a club."""

    @property
    def language(self) -> str:
        """The default language, for people without a choice of their own; empty for any."""

    @property
    def time_zone(self) -> str:
        """The default time zone, for people without a choice of their own; empty for the host's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FixedLocaleDefaults:
    """A language and a time zone that are known beforehand; empty for none."""

    language: str = ""
    time_zone: str = ""


NOWHERE = FixedLocaleDefaults()


class Competition:
    """A competition without matches: every match is friendly."""

    def with_related(
        self, matches: MatchQuerySet, *, may_be_stale: bool = False
    ) -> MatchQuerySet:
        """Return matches with the related rows that this class reads, in the same query.

        With `may_be_stale` they can be a few moments old: nothing is decided by them.
        """
        return matches

    def own_nights(self, request: HttpRequest) -> Sequence[OwnNight]:
        """Return the tournaments of the request's phone and account, until a day after."""
        return ()

    def locale_defaults(self, match: Match) -> LocaleDefaults:
        """Return the place of the competition that a match belongs to."""
        return NOWHERE

    def notices(self, match: Match) -> Sequence[Notice]:
        """Return the notices to show above a match's sheet now."""
        return ()

    def match_over_notice(self, match: Match) -> str:
        """Return a notice about further hands of a match that should be over; empty if it may go on."""
        return ""

    def is_last_hand_called(self, match: Match) -> bool:
        """Return whether the current hand of a match is to be its last."""
        return False

    def table_url(self, match: Match) -> str:
        """Return the address of the page where the players confirm; empty for a friendly match."""
        return ""

    def desk_url(self, match: Match, user: object) -> str:
        """Return the address of the desk for a user, possibly anonymous; empty unless they direct."""
        return ""

    def may_write(self, match: Match, request: HttpRequest) -> bool:
        """Return whether the request may write to a match that has a secret."""
        return match.secret in known_secrets(request)

    def table_read_only_hint(self, match: Match, request: HttpRequest) -> str:
        """Return a hint for a request that may not write to a match; empty for the usual one."""
        return ""

    def confirmation_rules(self, match: Match) -> ConfirmationRules | None:
        """Return how the result of a match is confirmed; None for a friendly match."""
        return None

    def poll_state(self, match: Match) -> Hashable:
        """Return a value that changes if a sheet does without an entry; None for a friendly match."""
        return None

    def result_state(self, match: Match) -> ResultState:
        """Return the state of the result of a match that is over; a friendly one is final."""
        return ResultState.FINAL

    def own_seat(self, match: Match, request: HttpRequest) -> int | None:
        """Return the seat of the request's own phone or account; None if it has none."""
        return None

    def seat_indexes_with_phone(self, match: Match) -> Collection[int]:
        """Return the seats of players with their own phone or account at the table."""
        return ()

    def seats_on_same_phone(self, match: Match, request: HttpRequest) -> Sequence[int]:
        """Return the other seats that share the request's phone or account."""
        return ()

    def can_others_confirm_on_this_phone(
        self, match: Match, request: HttpRequest
    ) -> bool:
        """Return whether players may confirm on this phone once it is handed to them."""
        return False

    def next_table_notice(
        self, match: Match, request: HttpRequest
    ) -> NextTableNotice | None:
        """Return the next table after a match that is over; None for a friendly one."""
        return None

    def shareable_secret(self, match: Match) -> str:
        """Return the secret that a phone with write access may share; empty if none."""
        return match.secret

    def may_change_closed(self, match: Match, user: object) -> bool:
        """Return whether a user, possibly anonymous, may change a closed match."""
        return False

    def director_name(self, match: Match, user: object) -> str:
        """Return the name of a user who may settle the match's table; empty for other users."""
        return ""

    def describe_consequences(
        self, match: Match, changed_state: MatchState
    ) -> Sequence[str]:
        """Return sentences on further consequences if the match changes to this state."""
        return ()

    def find_similar_people(
        self, match: Match, name: str, *, excluded: Collection[Player] = ()
    ) -> Sequence[SimilarPerson]:
        """Return known people with a similar name, without those in `excluded`; empty if another known
        person has exactly this name."""
        return ()

    def find_player(self, match: Match, name: str) -> Player | None:
        """Return the person of the competition with this name; None if there is none."""
        return None

    def settle_dispute(self, match: Match, user: object, now: datetime) -> Notice:
        """Settle the dispute about a match as its director; return the outcome as a notice."""
        return Notice(text="")

    def record_director_call(self, match: Match, now: datetime) -> None:
        """Record that a table calls its director, in the transaction that stores the entry."""

    def record_counting_result_event(self, match: Match) -> None:
        """Record the event that a result counts from now on, in the transaction that stores it."""

    def record_confirmed_result_event(
        self, match: Match, seat: int, now: datetime
    ) -> None:
        """Record the event that a result is confirmed, if the seat's confirmation completes it."""


@cache
def competition() -> Competition:
    name = getattr(settings, "COMPETITION", "")
    installed: Competition = import_string(name)() if name else Competition()
    return installed
