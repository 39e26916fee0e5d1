"""Rounds and tables as everybody sees them."""

from collections.abc import Mapping, Sequence, Set
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.competition import ResultState
from scoring.games.words import result_headline
from scoring.matchlog.confirmations import (
    confirmed_seats,
    seats_on_phones,
    withdrawn_dispute,
)
from scoring.matchlog.sittings import handovers, handovers_by_match
from scoring.models import Way
from scoring.pages.confirmation import (
    confirmers_in_words,
    director_agreement_in_words,
    way_in_words,
    withdrawal_body,
)
from scoring.pages.sheet import load_sheet
from tournaments.event.competition import late_in_words
from tournaments.event.next_seat import describe_next_seat, last_hand_notice, own_page
from tournaments.event.rights import OwnPlaces
from tournaments.event.rounds import is_table_confirmed
from tournaments.models import SHOWN, Bye, Place, Round, Table, Tournament
from tournaments.models.round_names import round_name, round_subject
from tournaments.models.rounds import required_confirmations
from tournaments.names import reading_key
from tournaments.web.night.pages import Segment, round_segments

SHAPES = 8
"""Of which a player keeps the same from table to table."""


class RoundSeat(NamedTuple):
    place: Place
    shape: int
    total: int | None
    is_own: bool
    state: str
    """`won` for those who went on, `out` for those who did not, `at` while nobody knows."""


class RoundTable(NamedTuple):
    """A table of a round: in a list, or in the bracket."""

    table: Table
    seats: Sequence[RoundSeat]
    handovers: Sequence[str]
    """Who had which seat until when."""
    is_final: bool
    """Whether nobody goes on from it."""

    @property
    def is_own(self) -> bool:
        """Whether the visitor sits there."""
        return any(seat.is_own for seat in self.seats)

    @property
    def entries(self) -> set[int]:
        """The entries of those who sit there."""
        return {seat.place.entry_id for seat in self.seats}


class Branch(NamedTuple):
    """Tables from which some go on to one and the same; `into` is None while it is not drawn."""

    words: str
    tables: Sequence[RoundTable]
    into: RoundTable | None


class RoundPage(NamedTuple):
    """A round as everybody sees it: by name, by table, or as a bracket."""

    name: str
    rounds: Sequence[Segment]
    """All rounds that are shown; none if there is only this."""
    places: Sequence[Place]
    tables: Sequence[RoundTable]
    branches: Sequence[Branch]
    byes: Sequence[Bye]
    own_entries: Sequence[int]


def round_page(
    tournament: Tournament, round_: Round, *, by_name: bool, own: Sequence[int]
) -> RoundPage:
    """Return a round, by the names of its players or by its tables; `own` are entries."""
    places: Sequence[Place] = ()
    tables: Sequence[RoundTable] = ()
    branches: Sequence[Branch] = ()
    seated = _read_tables(tournament, round_)
    if by_name:
        sat = (place for table in seated for place in table.places.all())
        places = sorted(sat, key=lambda place: reading_key(place.name))
    elif seated and round_.plays_off:
        shown = tournament.rounds.filter(number=round_.number + 1, state__in=SHOWN)
        following = shown.first()
        drawn = _read_tables(tournament, following) if following else ()
        branches = _bracket(tournament, seated, drawn, own)
    else:
        tables = _round_tables(tournament, seated, set(), own)
    byes = round_.byes.select_related("entry")
    return RoundPage(
        name=round_name(
            round_, (0 if by_name else len(seated)) or round_.tables.count()
        ),
        rounds=round_segments(tournament, round_, by_name=by_name),
        places=places,
        tables=tables,
        branches=branches,
        byes=sorted(byes, key=lambda bye: reading_key(bye.entry.name)),
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
    """Return a round after which some go on, as far as it leads by now.

    If all who go on from a table meet again at one, it stands under theirs. If they part, or
    nothing further is drawn, the tables stand for themselves.
    """
    went_on = {place.entry_id for table in following for place in table.places.all()}
    now = _round_tables(tournament, tables, went_on, own)
    then = _round_tables(tournament, following, set(), own)
    if not then:
        return [Branch("", now, None)]
    leads_to = [
        [
            number
            for number, next_one in enumerate(then)
            if next_one.entries & one.entries
        ]
        for one in now
    ]
    if any(len(numbers) > 1 for numbers in leads_to):
        return [
            Branch("", now, None),
            Branch(_branch_words(len(then), None), then, None),
        ]
    return [
        Branch(
            _branch_words(len(then), number),
            [
                table
                for table, numbers in zip(now, leads_to, strict=True)
                if numbers == [number]
            ],
            into,
        )
        for number, into in enumerate(then)
    ]


def _branch_words(tables: int, number: int | None) -> str:
    if tables == 1:
        return _("To the final")
    if tables == 2 and number is not None:
        return (
            _("To the first semi-final")
            if number == 0
            else _("To the second semi-final")
        )
    if number is None and tables == 2:
        return _("Then the semi-finals")
    if number is None:
        return ngettext("Then, at %(n)s table", "Then, at %(n)s tables", tables) % {
            "n": tables
        }
    return _("To table %(number)s") % {"number": number + 1}


def _round_tables(
    tournament: Tournament,
    tables: Sequence[Table],
    went_on: set[int],
    own: Sequence[int],
) -> list[RoundTable]:
    """Return the tables of a round, of which these entries are known to have gone on."""
    goes_on = 1 if len(tables) == 1 else max(1, tournament.advance)
    handed_over = handovers_by_match(table.match_id for table in tables)
    shown = []
    for table in tables:
        match, seats = table.match, []
        for place, total in table.totals():
            state = "at"
            if went_on:
                state = "won" if place.entry_id in went_on else "out"
            elif (
                match is not None
                and match.finished
                and not table.void
                and total is not None
                and table.result_state == ResultState.FINAL
            ):
                # What follows is not drawn, and goes by the points.
                ranks = {seat.index: seat.rank for seat in match.seats.all()}
                state = "won" if ranks[place.index] <= goes_on else "out"
            seat = RoundSeat(
                place=place,
                shape=(place.entry.number - 1) % SHAPES,
                total=total,
                is_own=place.entry_id in own,
                state=state,
            )
            seats.append(seat)
        shown.append(
            RoundTable(
                table=table,
                seats=seats,
                handovers=handed_over.get(table.match_id or 0, ()),
                is_final=len(tables) == 1,
            )
        )
    return shown


class TableSeat(NamedTuple):
    place: Place
    rank: int | None
    """None before the match is over."""
    total: int | None
    """None before its first hand."""

    is_own: bool
    """Whether it is the visitor, or of a family at this table who agrees first."""
    is_of_family: bool
    """Whether it is another of those who share this phone."""
    is_elsewhere: bool
    """Whether they agree on another phone, which is their own."""
    take_back: str
    """What is sent to take back the visitor's agreement, as JSON; empty for none of theirs."""

    @property
    def comes_late(self) -> bool:
        """Whether the table waits for them."""
        match = self.place.table.match
        return self.place.late and not (match is not None and match.version)

    @property
    def agrees(self) -> bool:
        return self.place.confirmed_at is not None

    @property
    def way(self) -> str:
        """By which way they agreed, in words."""
        return way_in_words(self.place.confirmed_by)


class TablePage:
    """What the page of a table shows to the player at `own`, or to somebody who only looks.

    `table` came with people and its round. `taken` is the seat that the phone took there.
    """

    def __init__(
        self,
        table: Table,
        tournament: Tournament,
        own: OwnPlaces,
        taken: int | None = None,
    ) -> None:
        self.table, self.tournament = table, tournament
        match = table.match
        self.result = (
            load_sheet(match) if match is not None and match.is_settled else None
        )
        """The sheet of a match that is over."""
        self.asks = (
            self.result is not None
            and not is_table_confirmed(table, tournament.quorum)
            and not table.disputed
            and not table.void
            and tournament.phase != Tournament.Phase.FINISHED
        )
        """Whether the players are to say whether the result is right."""
        self.last_hand = last_hand_notice(table)
        self.onward = describe_next_seat(table, own)
        self.own_page = (
            own_page(tournament, own) if own.here and not self.onward else ""
        )
        """The page of the visitor, while they play here."""
        self.handovers = handovers(match.log.seat_changes()) if match else ()
        here = {place.index for place in own.here}
        on_phones: Set[int] = frozenset()
        confirmed: Mapping[int, Any] = {}
        if self.result is not None:
            here = here or ({taken} if taken is not None else set())
            on_phones = seats_on_phones(self.result.match, self.result.logged.seats)
            confirmed = confirmed_seats(self.result.logged.log, self.result.words)
        own_seats = {own.here[0].index} if own.here else here
        seats = []
        for place, total in table.totals():
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
                is_of_family=place in own.here[1:],
                is_elsewhere=place.index in on_phones - here,
                take_back=withdrawal_body(place.index, confirmed[place.index])
                if place.index in here and place.index in confirmed
                else "",
            )
            seats.append(seat)
        self.seats: Sequence[TableSeat] = sorted(seats, key=lambda seat: seat.rank or 0)
        """The best first once the match is over, else as they sit."""

    @property
    def has_clock(self) -> bool:
        return (
            self.table.round.state == Round.State.RUNNING
            and self.result is None
            and self.table.ends_at is not None
            and not self.tournament.is_league
        )

    @property
    def confirmers(self) -> str:
        """How many have to confirm the result, in words."""
        seats = len(self.seats)
        return confirmers_in_words(
            required_confirmations(seats, self.tournament.quorum), seats
        )

    @property
    def by_director(self) -> str:
        """For whom the director agreed, in a sentence; empty for nobody."""
        names = [
            seat.place.name
            for seat in self.seats
            if seat.place.confirmed_by == Way.DIRECTOR
        ]
        return director_agreement_in_words(names, len(self.seats))

    @property
    def own(self) -> TableSeat | None:
        """The visitor, if they sit here and have not agreed yet."""
        return next((seat for seat in self.unconfirmed if seat.is_own), None)

    @property
    def others(self) -> Sequence[TableSeat]:
        """Those to whom this phone can be given, its own family first."""
        return [
            seat for seat in self.unconfirmed if not (seat.is_own or seat.is_elsewhere)
        ]

    @property
    def elsewhere(self) -> Sequence[str]:
        """The names of those who have not agreed yet and do so on their own phone alone."""
        return [seat.place.name for seat in self.unconfirmed if seat.is_elsewhere]

    @property
    def unconfirmed(self) -> Sequence[TableSeat]:
        """Those who have not agreed yet, the family of this phone first."""
        unconfirmed = [seat for seat in self.seats if not seat.agrees]
        return sorted(
            unconfirmed, key=lambda seat: not (seat.is_own or seat.is_of_family)
        )

    @property
    def sentence(self) -> str:
        """What the page says first."""
        table, number = self.table, {"number": self.table.number}
        if self.asks:
            return _("Table %(number)s: is this right?") % number
        if table.void:
            return _("Table %(number)s does not count") % number
        if table.disputed:
            return _("Table %(number)s: the result is disputed") % number
        if self.result is None:
            return _("Table %(number)s") % number
        if not self.result.winners:
            return _("Table %(number)s is over") % number
        headline = result_headline(self.result.winners, table.result_state)
        return _("Table %(number)s: %(headline)s") % {**number, "headline": headline}

    @property
    def hint(self) -> str:
        """What the page says under its first sentence."""
        table, result = self.table, self.result
        if table.void and table.voided_by:
            words = _("This table does not count: %(name)s made it void.")
            return words % {"name": table.voided_by.public_name}
        if table.void:
            return _("This table does not count.")
        if table.disputed:
            return table.dispute_advice
        if self.asks and result is not None and withdrawn_dispute(result.logged.log):
            return _("The dispute was withdrawn. Compare and confirm the result again.")
        if self.asks:
            return _("Compare points and words with the phone that kept the score.")
        named = {"round": round_subject(table.round)}
        if result is None and table.round.state == Round.State.CLOSED:
            return _("%(round)s is over.") % named
        late = [place.name for place in table.places.all() if place.late]
        if late and not (table.match and table.match.version):
            return late_in_words(late)
        if result is None and table.round.state == Round.State.PUBLISHED:
            if table.match:
                return _("%(round)s begins with the first hand.") % named
            return _("%(round)s has not begun.") % named
        return ""
