"""The tables in the archive of a club, in the order in which they can be imported."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Field, ForeignKey, Model, Q, QuerySet

from scoring.matchlog.seat_occupants import earlier_occupants_in_uncounted_matches
from scoring.models import HandScore, LogEntry, Match, Player, Seat
from tournaments.models import (
    Announcement,
    Appointment,
    AutoStep,
    Bye,
    Club,
    Entry,
    FinalRow,
    Import,
    Merge,
    Penalty,
    Place,
    Profile,
    Result,
    Revision,
    Round,
    Season,
    Standings,
    StandingsRow,
    Table,
    Tournament,
    User,
)
from tournaments.models.name_keys import NameKeyField
from tournaments.models.validators import PAIRS_OF_QUALITY

FORMAT, VERSION = "tricky-club", 1
MANIFEST = "manifest.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveTable:
    """A table of the archive, with a file of its own."""

    name: str
    model: type[Model]
    club_path: str = "club"
    """The lookup from a row to its club."""
    only: Q = field(default_factory=Q)
    """The condition for the rows of a club that are in the file."""
    left_out: frozenset[str] = field(default_factory=frozenset)
    """Columns that are derived from others, or only concern one server."""

    def rows(self, club: Club) -> QuerySet[Any]:
        """Return the rows of a club that are in the file."""
        if self.model is Player:
            return referenced_players(club)
        rows = self.model._default_manager.filter(**{self.club_path: club.pk})
        return rows.filter(self.only)

    @property
    def file_name(self) -> str:
        return f"{self.name}.jsonl"

    def fields(self) -> "list[Field[Any, Any]]":
        """Return the columns in the file: no primary keys, name keys, club or accounts."""
        return [
            column
            for column in self.model._meta.concrete_fields
            if not column.primary_key
            and column.name not in self.left_out
            and not isinstance(column, NameKeyField)
            and not (isinstance(column, ForeignKey) and column.related_model in UNNAMED)
        ]


def renumber_entries(
    column: str, value: Any, find_number: Callable[[Any], int | None]
) -> Any:
    """Return the JSON value of a round's column with its entries mapped by `find_number`.

    Entries that it maps to None are left out.
    """
    if column == "present":
        return [number for entry in value if (number := find_number(entry))]
    return value | {
        name: [
            [first, second, *times]
            for entry_1, entry_2, *times in value[name]
            if (first := find_number(entry_1)) and (second := find_number(entry_2))
        ]
        for name in PAIRS_OF_QUALITY
        if name in value
    }


NAMING_ENTRIES = ("present", "quality")
"""Columns of a round with entries in their JSON."""
UNNAMED = (Club, User)
"""Models without references in the file: there is one club, and accounts stay on their server."""


def referenced_players(club: Club) -> QuerySet[Player]:
    """Return all players that rows of a club refer to, logs included."""
    references: list[tuple[QuerySet[Any], str]] = [
        (Entry.objects.filter(tournament__club=club), "player"),
        (Seat.objects.filter(match__table__round__tournament__club=club), "player"),
        (
            HandScore.objects.filter(hand__match__table__round__tournament__club=club),
            "played_by",
        ),
        (Merge.objects.filter(club=club), "kept"),
        (Merge.objects.filter(club=club), "merged"),
        (Profile.objects.filter(club=club), "player"),
        (Result.objects.filter(club=club), "player"),
        (FinalRow.objects.filter(season__club=club), "player"),
    ]
    condition = Q()
    for rows, column in references:
        condition |= Q(pk__in=rows.order_by().values(column))
    log = LogEntry.objects.filter(match__table__round__tournament__club=club)
    condition |= Q(
        pk__in=[
            occupant.player for occupant in earlier_occupants_in_uncounted_matches(log)
        ]
    )
    return Player.objects.filter(condition)


MATCHES = ArchiveTable(
    name="matches",
    model=Match,
    club_path="table__round__tournament__club",
)
TOURNAMENTS = ArchiveTable(
    name="tournaments",
    model=Tournament,
    left_out=frozenset({"asked_at", "waiting_since", "counted_version", "taken_back"}),
)
CLUB = ArchiveTable(
    name="club",
    model=Club,
    club_path="pk",
    left_out=frozenset({"history_version", "is_demo"}),
)
SEPARATIONS_FILE = "apart.jsonl"
KINDS = (
    ArchiveTable(name="players", model=Player),
    ArchiveTable(name="imports", model=Import),
    ArchiveTable(name="seasons", model=Season),
    ArchiveTable(name="final_rows", model=FinalRow, club_path="season__club"),
    TOURNAMENTS,
    ArchiveTable(
        name="entries",
        model=Entry,
        club_path="tournament__club",
        # Phones, and check-ins on the waiting list, only concern one server.
        left_out=frozenset({"on_phone", "phones_released", "waited_as", "waits_here"}),
    ),
    MATCHES,
    ArchiveTable(name="rounds", model=Round, club_path="tournament__club"),
    ArchiveTable(name="tables", model=Table, club_path="round__tournament__club"),
    ArchiveTable(name="places", model=Place, club_path="round__tournament__club"),
    ArchiveTable(name="byes", model=Bye, club_path="round__tournament__club"),
    ArchiveTable(name="penalties", model=Penalty, club_path="tournament__club"),
    ArchiveTable(
        name="announcements",
        model=Announcement,
        club_path="tournament__club",
    ),
    ArchiveTable(name="auto_steps", model=AutoStep, club_path="tournament__club"),
    ArchiveTable(name="appointments", model=Appointment),
    ArchiveTable(
        name="frozen_standings",
        model=Standings,
        club_path="tournament__club",
        only=~Q(frozen_as=""),
        left_out=frozenset({"outlook"}),
    ),
    ArchiveTable(
        name="frozen_rows",
        model=StandingsRow,
        club_path="standings__tournament__club",
        only=~Q(standings__frozen_as=""),
    ),
    ArchiveTable(name="merges", model=Merge),
    ArchiveTable(name="profiles", model=Profile),
    ArchiveTable(name="results", model=Result),
    ArchiveTable(name="revisions", model=Revision),
)
"""Each table refers only to tables before it."""
FILES = (CLUB.file_name, *(kind.file_name for kind in KINDS), SEPARATIONS_FILE)
UNREAD = frozenset(
    f"{name}.jsonl"
    for name in ("circuits", "circuit_clubs", "circuit_tournaments", "same_people")
)
"""Ignored files of archives of 0.1.0. A circuit belongs to all its clubs, so the archive of one
club cannot decide its members."""
REFERRED: frozenset[type[Model]] = frozenset(
    column.related_model
    for kind in KINDS
    for column in kind.fields()
    if isinstance(column, ForeignKey)
) | {Player, Entry, Match}
"""Models that other rows refer to, by the position in their file, counted from 1."""

LEFT_OUT: Mapping[str, str] = {
    "Logo": "in the row of its club",
    "Placing": "computed from the matches",
    "Membership": "accounts stay on their host",
    "Claim": "accounts stay on their host",
    "Follow": "accounts stay on their host",
    "ApiToken": "a secret of an account",
    "NightEvent": "what accounts did stays on their host",
    "SecurityEvent": "events of accounts stay on their host",
    "ApiOrigin": "what one host allows browsers to do",
    "Subscription": "a device that this host notifies",
    "RemovedEntry": "phones are known to one server only",
    "CircuitClub": "a circuit invites the club on its new host",
    "CircuitTournament": "a circuit belongs to several clubs",
    "SamePerson": "a circuit decides who is the same person in several clubs",
    "Invitation": "a secret until it is accepted",
    "Upload": "stored for a day",
    "Arrival": "how the club came to this host; stored for a day",
    "Webhook": "its secret and its address belong to this host",
    "HookEvent": "stored for fourteen days",
    "Delivery": "stored for fourteen days",
}
"""Other models with data of a club, and the reason why they are not in its archive."""
