"""Public pages of rounds and tables."""

from collections.abc import Sequence
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.competition import ConfirmationRules, ResultState
from scoring.games.words import result_headline
from scoring.matchlog.confirmations import find_withdrawal_of_last_dispute
from scoring.matchlog.seat_occupants import (
    describe_handovers,
    handover_sentences_by_match,
)
from scoring.pages.confirmation import (
    ConfirmationState,
    ConfirmedSeat,
    confirmation_state,
)
from scoring.pages.sheet import load_sheet
from tournaments.event.competition import late_players_sentence
from tournaments.event.next_seat import (
    build_next_table_notice,
    last_hand_notice,
    my_night_url,
)
from tournaments.event.rights import OwnPlaces
from tournaments.models import Bye, Place, Round, Table, Tournament
from tournaments.models.round_names import round_name, round_subject
from tournaments.models.rounds import required_confirmation_count
from tournaments.names import localized_sort_key
from tournaments.web.night.pages import PageLink, published_round_links

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


class BracketBranch(NamedTuple):
    """Tables that lead to the same `next_table`; None if they have none in common."""

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
    branches: Sequence[BracketBranch]
    byes: Sequence[Bye]
    own_entries: Sequence[int]


def build_round_page(
    tournament: Tournament, round_: Round, *, by_name: bool, own: Sequence[int]
) -> RoundPage:
    """Return the page of a round, by player or by table; `own` are the visitor's entries."""
    places: Sequence[Place] = ()
    tables: Sequence[RoundTable] = ()
    branches: Sequence[BracketBranch] = ()
    seated = _read_round_tables(tournament, round_)
    if by_name:
        places_at_tables = (place for table in seated for place in table.places.all())
        places = sorted(
            places_at_tables, key=lambda place: localized_sort_key(place.name)
        )
    elif seated and round_.is_playoff:
        next_number = round_.number + 1
        following = tournament.rounds.published().filter(number=next_number).first()
        next_tables = _read_round_tables(tournament, following) if following else ()
        branches = _build_bracket_branches(tournament, seated, next_tables, own)
    else:
        tables = _build_round_tables(tournament, seated, set(), own)
    byes = round_.byes.select_related("entry", "round")
    return RoundPage(
        name=round_name(
            round_, (0 if by_name else len(seated)) or round_.tables.count()
        ),
        rounds=published_round_links(tournament, round_, by_name=by_name),
        places=places,
        tables=tables,
        branches=branches,
        byes=sorted(byes, key=lambda bye: localized_sort_key(bye.entry.name)),
        own_entries=own,
    )


def _read_round_tables(tournament: Tournament, round_: Round) -> list[Table]:
    order = "-number" if tournament.is_league else "number"
    return list(round_.tables.with_places_and_entries().order_by(order))


def _build_bracket_branches(
    tournament: Tournament,
    tables: Sequence[Table],
    following: Sequence[Table],
    own: Sequence[int],
) -> list[BracketBranch]:
    """Return the branches from the tables of a round to the `following` ones.

    There is a branch for each following table if every table leads to at most one of them.
    Otherwise, or before the next draw, all tables are in one branch without `next_table`.
    """
    advanced = {place.entry_id for table in following for place in table.places.all()}
    round_tables = _build_round_tables(tournament, tables, advanced, own)
    next_tables = _build_round_tables(tournament, following, set(), own)
    if not next_tables:
        return [BracketBranch("", round_tables, None)]
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
            BracketBranch("", round_tables, None),
            BracketBranch(_branch_heading(len(next_tables), None), next_tables, None),
        ]
    return [
        BracketBranch(
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


def build_bracket_columns(tournament: Tournament) -> list[BracketColumn]:
    """Return the playoff rounds with published seats, in order."""
    playoffs = [
        (round_, _read_round_tables(tournament, round_))
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
        seated = _build_round_tables(tournament, tables, advanced, ())
        columns.append(BracketColumn(round_name(round_, len(tables)), seated))
    return columns


def _branch_heading(next_table_count: int, next_table_index: int | None) -> str:
    if next_table_count == 1:
        return _("Advancing to the final")
    if next_table_count == 2 and next_table_index is not None:
        return (
            _("Advancing to the first semi-final")
            if next_table_index == 0
            else _("Advancing to the second semi-final")
        )
    if next_table_index is None and next_table_count == 2:
        return _("Next: the semi-finals")
    if next_table_index is None:
        return ngettext(
            "Next round at %(n)s table", "Next round at %(n)s tables", next_table_count
        ) % {"n": next_table_count}
    return _("Advancing to table %(number)s") % {"number": next_table_index + 1}


def _build_round_tables(
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
    confirmation: ConfirmedSeat | None

    @property
    def is_delaying_start(self) -> bool:
        """Whether the table waits for a late player."""
        match = self.place.table.match
        return self.place.late and not (match is not None and match.version)


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
        *,
        claimed_seat: int | None,
        is_at_table: bool,
    ) -> None:
        self.table, self.tournament = table, tournament
        match, places = table.match, table.places_with_totals()
        self.result = (
            load_sheet(match)
            if match is not None and match.has_counting_result
            else None
        )
        """The sheet of the match if it is over, else None."""
        self.family = own.at_table[1:]
        """The places of other players on the visitor's phone."""
        own_seat = own.at_table[0].index if own.at_table else claimed_seat
        self.own_place = next(
            (place for place, _total in places if place.index == own_seat), None
        )
        self.confirmations: ConfirmationState | None = None
        if self.result is not None:
            rules = ConfirmationRules(
                required=required_confirmation_count(len(places), tournament.quorum),
                is_disputed=table.disputed,
            )
            self.confirmations = confirmation_state(
                self.result,
                rules,
                own=own_seat,
                family=[place.index for place in self.family],
                is_at_table=is_at_table,
                phone="",
            )
        self.asks = (
            self.confirmations is not None
            and not self.confirmations.is_enough
            and not table.disputed
            and not table.void
            and tournament.phase != Tournament.Phase.FINISHED
        )
        """Whether the players have to confirm the result."""
        self.last_hand = last_hand_notice(table)
        self.next_seat = build_next_table_notice(table, own)
        self.own_page = (
            my_night_url(tournament, own) if own.at_table and not self.next_seat else ""
        )
        """URL of the visitor's own page if they sit here and have no next seat; else empty."""
        self.handovers = describe_handovers(match.log.seat_changes()) if match else ()
        confirmed = self.confirmations.confirmed if self.confirmations else ()
        confirmed_seats = {seat.seat: seat for seat in confirmed}
        seats = []
        for place, total in places:
            rank = None
            if self.result is not None:
                rank = self.result.seats[place.index].rank
                total = self.result.seats[place.index].total
            elif match is None or match.version == 0:
                total = None
            confirmation = confirmed_seats.get(place.index)
            seats.append(TableSeat(place, rank, total, confirmation))
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
    def heading(self) -> str:
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
            and find_withdrawal_of_last_dispute(result.logged.log)
        ):
            return _("The dispute was withdrawn. Compare and confirm the result again.")
        if self.asks:
            return _(
                "Your points and check words should match those on the scorer’s phone."
            )
        values = {"round": round_subject(table.round)}
        if result is None and table.round.state == Round.State.CLOSED:
            return _("%(round)s is over.") % values
        late = [place.name for place in table.places.all() if place.late]
        if late and not (table.match and table.match.version):
            return late_players_sentence(late)
        if result is None and table.round.state == Round.State.PUBLISHED:
            if table.match:
                return _("%(round)s starts with the first hand.") % values
            return _("%(round)s hasn’t started.") % values
        return ""
