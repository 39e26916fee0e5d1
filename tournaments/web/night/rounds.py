"""Public pages of rounds and tables."""

from collections.abc import Mapping, Sequence, Set
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.competition import ResultState
from scoring.games.words import result_headline
from scoring.matchlog.confirmations import (
    confirmations_by_seat,
    find_dispute_withdrawal,
    seat_indexes_with_phone,
)
from scoring.matchlog.sittings import describe_handovers, handover_sentences_by_match
from scoring.models import Way
from scoring.pages.confirmation import (
    describe_director_confirmations,
    describe_required_confirmations,
    describe_way,
    withdrawal_body,
)
from scoring.pages.sheet import load_sheet
from tournaments.event.competition import late_in_words
from tournaments.event.next_seat import (
    describe_next_seat,
    last_hand_notice,
    own_page_url,
)
from tournaments.event.rights import OwnPlaces
from tournaments.event.rounds import is_table_confirmed
from tournaments.models import Bye, Place, Round, Table, Tournament
from tournaments.models.round_names import round_name, round_subject
from tournaments.models.rounds import required_confirmations
from tournaments.names import localized_sort_key
from tournaments.web.night.pages import PageLink, round_links

SHAPES = 8
"""Number of seat shapes; a player has the same one at every table."""


class RoundSeat(NamedTuple):
    place: Place
    shape: int
    total: int | None
    is_own: bool
    state: str
    """`won` if the player goes on, `out` if not, `at` while that is open."""


class RoundTable(NamedTuple):
    """A table of a round, in the list or the bracket."""

    table: Table
    seats: Sequence[RoundSeat]
    handovers: Sequence[str]
    """Sentences about changes of players during the match."""
    is_final: bool
    """Whether it is the only table of its round."""

    @property
    def is_own(self) -> bool:
        """Whether the visitor sits there."""
        return any(seat.is_own for seat in self.seats)

    @property
    def entry_ids(self) -> set[int]:
        """Keys of the entries at the table."""
        return {seat.place.entry_id for seat in self.seats}


class Branch(NamedTuple):
    """Tables that lead to the same next table, `into`; None if they have none in common."""

    heading: str
    tables: Sequence[RoundTable]
    next_table: RoundTable | None


class RoundPage(NamedTuple):
    """The public page of a round: by name, by table, or as a bracket."""

    name: str
    rounds: Sequence[PageLink]
    """Links to all published rounds; empty if there is only this one."""
    places: Sequence[Place]
    tables: Sequence[RoundTable]
    branches: Sequence[Branch]
    byes: Sequence[Bye]
    own_entries: Sequence[int]


def round_page(
    tournament: Tournament, round_: Round, *, by_name: bool, own: Sequence[int]
) -> RoundPage:
    """Return the page of a round, by player or by table; `own` are the visitor's entries."""
    places: Sequence[Place] = ()
    tables: Sequence[RoundTable] = ()
    branches: Sequence[Branch] = ()
    seated = _read_tables(tournament, round_)
    if by_name:
        places_at_tables = (place for table in seated for place in table.places.all())
        places = sorted(
            places_at_tables, key=lambda place: localized_sort_key(place.name)
        )
    elif seated and round_.is_playoff:
        next_number = round_.number + 1
        following = tournament.rounds.published().filter(number=next_number).first()
        next_tables = _read_tables(tournament, following) if following else ()
        branches = _bracket(tournament, seated, next_tables, own)
    else:
        tables = _round_tables(tournament, seated, set(), own)
    byes = round_.byes.select_related("entry")
    return RoundPage(
        name=round_name(
            round_, (0 if by_name else len(seated)) or round_.tables.count()
        ),
        rounds=round_links(tournament, round_, by_name=by_name),
        places=places,
        tables=tables,
        branches=branches,
        byes=sorted(byes, key=lambda bye: localized_sort_key(bye.entry.name)),
        own_entries=own,
    )


def _read_tables(tournament: Tournament, round_: Round) -> list[Table]:
    order = "-number" if tournament.is_league else "number"
    return list(round_.tables.with_people().order_by(order))


def _bracket(
    tournament: Tournament,
    tables: Sequence[Table],
    following: Sequence[Table],
    own: Sequence[int],
) -> list[Branch]:
    """Return the branches from the tables of a round to the `following` ones.

    There is a branch for each following table if every table leads to at most one of them.
    Otherwise, or before the next draw, all tables are in one branch without `next_table`.
    """
    advanced = {place.entry_id for table in following for place in table.places.all()}
    round_tables = _round_tables(tournament, tables, advanced, own)
    next_tables = _round_tables(tournament, following, set(), own)
    if not next_tables:
        return [Branch("", round_tables, None)]
    next_numbers = [
        [
            number
            for number, next_table in enumerate(next_tables)
            if next_table.entry_ids & table.entry_ids
        ]
        for table in round_tables
    ]
    if any(len(numbers) > 1 for numbers in next_numbers):
        return [
            Branch("", round_tables, None),
            Branch(_branch_heading(len(next_tables), None), next_tables, None),
        ]
    return [
        Branch(
            _branch_heading(len(next_tables), number),
            [
                table
                for table, numbers in zip(round_tables, next_numbers, strict=True)
                if numbers == [number]
            ],
            next_table,
        )
        for number, next_table in enumerate(next_tables)
    ]


class BracketColumn(NamedTuple):
    """A playoff round and its tables."""

    name: str
    tables: Sequence[RoundTable]


def bracket_columns(tournament: Tournament) -> list[BracketColumn]:
    """Return the playoff rounds with published seats, in order."""
    playoffs = [
        (round_, _read_tables(tournament, round_))
        for round_ in tournament.rounds.published()
        if round_.is_playoff
    ]
    columns = []
    for position, (round_, tables) in enumerate(playoffs):
        following = playoffs[position + 1 : position + 2]
        advanced = {
            place.entry_id
            for _next_round, next_tables in following
            for table in next_tables
            for place in table.places.all()
        }
        seated = _round_tables(tournament, tables, advanced, ())
        columns.append(BracketColumn(round_name(round_, len(tables)), seated))
    return columns


def _branch_heading(next_table_count: int, number: int | None) -> str:
    if next_table_count == 1:
        return _("Advancing to the final")
    if next_table_count == 2 and number is not None:
        return (
            _("Advancing to the first semi-final")
            if number == 0
            else _("Advancing to the second semi-final")
        )
    if number is None and next_table_count == 2:
        return _("Then the semi-finals")
    if number is None:
        return ngettext(
            "Next round at %(n)s table", "Next round at %(n)s tables", next_table_count
        ) % {"n": next_table_count}
    return _("Advancing to table %(number)s") % {"number": number + 1}


def _round_tables(
    tournament: Tournament,
    tables: Sequence[Table],
    advanced: set[int],
    own: Sequence[int],
) -> list[RoundTable]:
    """Return the tables of a round.

    `advanced` are the entries seated in the next round; if it is empty, final results decide.
    """
    advance_count = 1 if len(tables) == 1 else max(1, tournament.advance)
    handover_texts = handover_sentences_by_match(table.match_id for table in tables)
    round_tables = []
    for table in tables:
        match, seats = table.match, []
        for place, total in table.places_with_totals():
            state = "is-current"
            if advanced:
                state = "won" if place.entry_id in advanced else "out"
            elif (
                match is not None
                and match.finished
                and not table.void
                and total is not None
                and table.result_state == ResultState.FINAL
            ):
                # The next round is not drawn; ranks at the table decide its players.
                ranks = {seat.index: seat.rank for seat in match.seats.all()}
                state = "won" if ranks[place.index] <= advance_count else "out"
            seat = RoundSeat(
                place=place,
                shape=(place.entry.number - 1) % SHAPES,
                total=total,
                is_own=place.entry_id in own,
                state=state,
            )
            seats.append(seat)
        round_tables.append(
            RoundTable(
                table=table,
                seats=seats,
                handovers=handover_texts.get(table.match_id or 0, ()),
                is_final=len(tables) == 1,
            )
        )
    return round_tables


class TableSeat(NamedTuple):
    place: Place
    rank: int | None
    """None until the match is over."""
    total: int | None
    """None until the first hand of the match."""

    is_own: bool
    """Whether it is the visitor's seat; the first one if the phone has several at the table."""
    is_of_family: bool
    """Whether it is another player of the visitor's phone."""
    is_elsewhere: bool
    """Whether the player confirms on a phone of their own."""
    withdrawal: str
    """JSON body that withdraws the visitor's confirmation; empty if there is none."""

    @property
    def is_awaited(self) -> bool:
        """Whether the table waits for a late player."""
        match = self.place.table.match
        return self.place.late and not (match is not None and match.version)

    @property
    def has_confirmed(self) -> bool:
        return self.place.confirmed_at is not None

    @property
    def confirmation_method(self) -> str:
        """How the player confirmed, in words."""
        return describe_way(self.place.confirmed_by)


class TablePage:
    """The page of a table, for its players or for spectators.

    Read `table` with its people and round. `own` are the visitor's places, `claimed_seat` is the
    one that the phone took at the table.
    """

    def __init__(
        self,
        table: Table,
        tournament: Tournament,
        own: OwnPlaces,
        claimed_seat: int | None = None,
    ) -> None:
        self.table, self.tournament = table, tournament
        match = table.match
        self.result = (
            load_sheet(match) if match is not None and match.is_settled else None
        )
        """The sheet of the match if it is over, else None."""
        self.asks = (
            self.result is not None
            and not is_table_confirmed(table, tournament.quorum)
            and not table.disputed
            and not table.void
            and tournament.phase != Tournament.Phase.FINISHED
        )
        """Whether the players have to confirm the result."""
        self.last_hand = last_hand_notice(table)
        self.next_seat = describe_next_seat(table, own)
        self.own_page = (
            own_page_url(tournament, own) if own.at_table and not self.next_seat else ""
        )
        """URL of the visitor's own page if they sit here and have no next seat; else empty."""
        self.handovers = describe_handovers(match.log.seat_changes()) if match else ()
        own_indices = {place.index for place in own.at_table}
        on_phones: Set[int] = frozenset()
        confirmed: Mapping[int, Any] = {}
        if self.result is not None:
            own_indices = own_indices or (
                {claimed_seat} if claimed_seat is not None else set()
            )
            on_phones = seat_indexes_with_phone(
                self.result.match, self.result.logged.seats
            )
            confirmed = confirmations_by_seat(
                self.result.logged.log, self.result.result_words
            )
        own_seats = {own.at_table[0].index} if own.at_table else own_indices
        seats = []
        for place, total in table.places_with_totals():
            rank = None
            if self.result is not None:
                rank = self.result.seats[place.index].rank
                total = self.result.seats[place.index].total
            elif match is None or match.version == 0:
                total = None
            seat = TableSeat(
                place=place,
                rank=rank,
                total=total,
                is_own=place.index in own_seats,
                is_of_family=place in own.at_table[1:],
                is_elsewhere=place.index in on_phones - own_indices,
                withdrawal=withdrawal_body(place.index, confirmed[place.index])
                if place.index in own_indices and place.index in confirmed
                else "",
            )
            seats.append(seat)
        self.seats: Sequence[TableSeat] = sorted(seats, key=lambda seat: seat.rank or 0)
        """Sorted by rank once the match is over, else by seat."""

    @property
    def has_clock(self) -> bool:
        return (
            self.table.round.state == Round.State.RUNNING
            and self.result is None
            and self.table.ends_at is not None
            and not self.tournament.is_league
        )

    @property
    def quorum_in_words(self) -> str:
        """The number of players that have to confirm the result, in words."""
        seats = len(self.seats)
        return describe_required_confirmations(
            required_confirmations(seats, self.tournament.quorum), seats
        )

    @property
    def director_confirmations_sentence(self) -> str:
        """A sentence about the seats that the director confirmed for; empty for none."""
        names = [
            seat.place.name
            for seat in self.seats
            if seat.place.confirmed_by == Way.DIRECTOR
        ]
        return describe_director_confirmations(names, len(self.seats))

    @property
    def own_unconfirmed_seat(self) -> TableSeat | None:
        """The visitor's seat, if it has not confirmed yet; else None."""
        return next((seat for seat in self.unconfirmed_seats if seat.is_own), None)

    @property
    def other_confirmable_seats(self) -> Sequence[TableSeat]:
        """Unconfirmed seats that can confirm on this phone, its own players first."""
        return [
            seat
            for seat in self.unconfirmed_seats
            if not (seat.is_own or seat.is_elsewhere)
        ]

    @property
    def names_confirming_elsewhere(self) -> Sequence[str]:
        """Names of unconfirmed players that have to confirm on their own phone."""
        return [seat.place.name for seat in self.unconfirmed_seats if seat.is_elsewhere]

    @property
    def unconfirmed_seats(self) -> Sequence[TableSeat]:
        """Seats that have not confirmed yet, the players of this phone first."""
        unconfirmed = [seat for seat in self.seats if not seat.has_confirmed]
        return sorted(
            unconfirmed, key=lambda seat: not (seat.is_own or seat.is_of_family)
        )

    @property
    def heading(self) -> str:
        """The heading of the page."""
        table, number = self.table, {"number": self.table.number}
        if self.asks:
            return _("Table %(number)s: is this right?") % number
        if table.void:
            return _("Table %(number)s doesn’t count") % number
        if table.disputed:
            return _("Table %(number)s: the result is disputed") % number
        if self.result is None:
            return _("Table %(number)s") % number
        if not self.result.winner_names:
            return _("Table %(number)s is done") % number
        headline = result_headline(self.result.winner_names, table.result_state)
        return _("Table %(number)s: %(headline)s") % {**number, "headline": headline}

    @property
    def hint(self) -> str:
        """The text below the heading; may be empty."""
        table, result = self.table, self.result
        if table.void and table.voided_by:
            text = _("%(name)s voided this table.")
            return text % {"name": table.voided_by.public_name}
        if table.void:
            return ""
        if table.disputed:
            return table.players_dispute_advice
        if (
            self.asks
            and result is not None
            and find_dispute_withdrawal(result.logged.log)
        ):
            return _("The dispute was withdrawn. Compare and confirm the result again.")
        if self.asks:
            return _("Points and check words should match the scorer’s phone.")
        values = {"round": round_subject(table.round)}
        if result is None and table.round.state == Round.State.CLOSED:
            return _("%(round)s is over.") % values
        late = [place.name for place in table.places.all() if place.late]
        if late and not (table.match and table.match.version):
            return late_in_words(late)
        if result is None and table.round.state == Round.State.PUBLISHED:
            if table.match:
                return _("%(round)s starts with the first hand.") % values
            return _("%(round)s hasn’t started.") % values
        return ""
